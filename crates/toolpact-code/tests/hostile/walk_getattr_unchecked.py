# expect: raised AttributeError
getattr(getattr(1, '__class__'), '__subclasses__')()  # type: ignore
