"""The library of the course. `__init__.pyi` lists its public names; a file is loaded when one of its names is
first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
