# expect: raised ModuleNotFoundError|types
import toolpact_tools

toolpact_tools.add(1, 2)
