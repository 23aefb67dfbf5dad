# expect: raised TypeError
x = 1 + 'a'  # type: ignore
