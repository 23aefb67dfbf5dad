# expect: syntax
__toolpact_stop__()
