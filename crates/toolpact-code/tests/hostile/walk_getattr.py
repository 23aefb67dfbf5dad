# expect: types
getattr(getattr(1, '__class__'), '__subclasses__')()
