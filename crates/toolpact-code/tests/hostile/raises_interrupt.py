# expect: raised KeyboardInterrupt
raise KeyboardInterrupt()
