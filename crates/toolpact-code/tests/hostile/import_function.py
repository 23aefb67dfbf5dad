# expect: types|raised
__import__('os').system('id')
