# expect: raised AttributeError
().__class__.__bases__[0].__subclasses__()
