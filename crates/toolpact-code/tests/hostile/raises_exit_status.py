# expect: raised NotImplementedError
raise SystemExit(0)
