# expect: raised ModuleNotFoundError
import toolpact_tools

toolpact_tools.add(1, 2)
