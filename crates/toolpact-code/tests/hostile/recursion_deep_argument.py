# expect: raised TypeError
x = []
for i in range(100000):
    x = [x]
echo(x)
