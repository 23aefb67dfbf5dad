# expect: raised SystemExit
raise SystemExit(0)
