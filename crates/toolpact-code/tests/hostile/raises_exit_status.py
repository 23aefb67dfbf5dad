# expect: raised
raise SystemExit(0)
