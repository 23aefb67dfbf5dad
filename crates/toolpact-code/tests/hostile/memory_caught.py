# expect: limit-memory
kept = []
while True:
    try:
        kept.append("a" * 100000)
    except:
        pass
