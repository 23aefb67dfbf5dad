# expect: types
__import__('os').system('id')
