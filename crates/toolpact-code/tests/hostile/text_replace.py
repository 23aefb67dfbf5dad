# expect: limit-memory
('a' * 100000).replace('a', 'b' * 100000)
