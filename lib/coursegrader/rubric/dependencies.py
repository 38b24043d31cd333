"""What a result follows from: files of this project that are imported, and the versions of other packages."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import platform
import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

import allyouneed
import coursegrader

PACKAGES = {package.__name__: Path(package.__path__[0]) for package in (allyouneed, coursegrader)}
IMPORT = re.compile(r"(?:\bfrom\s+([\w.]+)\s+)?\bimport\s+(\([^)]*\)|[^\n;\"']+)")
Text = tuple[str, Path | None]  # of Python code, and the folder from which its relative imports start


def digest(*texts: bytes | str) -> str:
    """One digest of several texts."""
    sums = (hashlib.sha256(text.encode() if isinstance(text, str) else text).digest() for text in texts)
    return hashlib.sha256(b"".join(sums)).hexdigest()


def digest_of_imports(texts: Iterable[Text], modules: Iterable[str]) -> str:
    """A digest of all that code imports, directly or not: this project's files by text, others by version.

    `modules` are imported besides: those that the code runs in, and those whose names are made when it runs.
    """
    files, others = set(), {"torch", "numpy"}
    waiting = [name for text, folder in texts for name in imports(text, folder)] + list(modules)
    seen = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if isinstance(name, str) and name.partition(".")[0] not in PACKAGES:
            others.add(name.partition(".")[0])
        for path in _files(name):
            if path not in files:
                files.add(path)
                waiting += imports(path.read_text(encoding="utf-8"), path.parent)
    return digest(
        platform.python_version(),
        *(f"{name} {_version(name)}" for name in sorted(others)),
        *(part for path in sorted(files) for part in (path.name, path.read_bytes())),
    )


@lru_cache(maxsize=512)
def imports(text: str, folder: Path | None = None) -> frozenset[str | Path]:
    """The names that code imports, also within texts in it; relative ones as paths from `folder`."""
    found: set[str | Path] = set()
    for module, names in IMPORT.findall(text):
        names = re.sub(r"\bas\s+\w+|[()]|#.*", "", names).replace(",", " ").split()
        if not module:
            found.update(names)
        elif not module.startswith("."):
            found.update([module, *(f"{module}.{name}" for name in names)])
        elif folder:
            within = module.lstrip(".")
            start = folder.joinpath(*[".."] * (len(module) - len(within) - 1), *within.split(".")).resolve()
            found.update([start, *(start / name for name in names)])
    return frozenset(found)


def _files(name: str | Path) -> Iterator[Path]:
    """The files of this project that are run when `name` is imported: a module and the packages around it."""
    if isinstance(name, str):
        root, *parts = name.split(".")
        if root not in PACKAGES:
            return
        parts = _defined_in(PACKAGES[root] / "__init__.pyi").get(name, parts)
        for length in range(len(parts)):
            yield from filter(Path.is_file, [PACKAGES[root].joinpath(*parts[:length], "__init__.py")])
        name = PACKAGES[root].joinpath(*parts)
    yield from filter(Path.is_file, [name.with_name(f"{name.name}.py"), name / "__init__.py"])


@cache
def _defined_in(stub: Path) -> dict[str, list[str]]:
    """The public names of a package that loads its files when they are needed, and the file of each."""
    lines = ast.parse(stub.read_text(encoding="utf-8")).body if stub.is_file() else []
    return {
        f"{stub.parent.name}.{item.name}": line.module.split(".")
        for line in lines
        if isinstance(line, ast.ImportFrom) and line.module
        for item in line.names
    }


@cache
def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
