# expect: raised SystemExit
raise SystemExit()
