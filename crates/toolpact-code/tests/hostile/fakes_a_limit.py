# expect: limit-time
raise TimeoutError('time limit exceeded: I say so')
