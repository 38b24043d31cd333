"""The language in which a problem set's rubric is written: exercises, probes, mistakes, and the evidence for both."""

from __future__ import annotations

import ast
import copy
import importlib.machinery
import importlib.util
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import torch

from allyouneed.check.drivers import known_drivers
from allyouneed.check.judge import BUILT_IN
from allyouneed.check.wire import encode
from coursegrader.errors import RubricError

MIN_ALTERNATIVES, MIN_WRONG = 4, 10


@dataclass(frozen=True)
class Version:
    """One way to write an exercise: a function in the rubric, and the text of a submission made from it."""

    label: str
    function: Callable
    source: str
    mistake: str | None = None


class Probes:
    """Makes the inputs of probes. Variant 0 is the public one that students receive; others are for grading."""

    def __init__(self, variant: int, seed: int):
        self.variant = variant
        self.generator = torch.Generator().manual_seed(seed)

    def pick(self, *choices):
        """One of `choices` by variant, so that hidden probes have other sizes than the public ones."""
        return choices[self.variant % len(choices)]

    def randn(self, *shape: int, dtype=torch.float32, scale: float = 1.0) -> torch.Tensor:
        """Normal numbers of the given shape, the same ones in every dtype."""
        return (torch.randn(*shape, generator=self.generator, dtype=torch.float64) * scale).to(dtype)

    def randint(self, low: int, high: int, shape: Sequence[int]) -> torch.Tensor:
        """Whole numbers from low to high − 1."""
        return torch.randint(low, high, tuple(shape), generator=self.generator)

    def rand_mask(self, *shape: int, share: float = 0.6) -> torch.Tensor:
        """A boolean mask with about `share` True, in which every last-axis row has at least one True and one False."""
        mask = torch.rand(*shape, generator=self.generator) < share
        first = torch.randint(0, shape[-1], shape[:-1], generator=self.generator)
        mask.scatter_(-1, first.unsqueeze(-1), True)
        mask.scatter_(-1, ((first + 1) % shape[-1]).unsqueeze(-1), False)
        return mask

    @staticmethod
    def probe(name: str, *args, group: str, edge: bool = False, gradient: bool = False, long: bool = False,
              strided: bool = False, **kwargs) -> dict:
        """One call. `edge` probes do not decide which mistake it is; `long` ones are not asked of wrong versions;
        `gradient` sends a gradient back; `strided` makes the tensors non-contiguous."""
        data = [encode(value) for value in args]
        if strided:
            for item in data:
                if isinstance(item, dict) and "tensor" in item:
                    item["strided"] = True
        return {"name": name, "args": data, "kwargs": encode(kwargs), "group": group} | {
            key: True for key, value in (("edge", edge), ("gradient", gradient), ("long", long)) if value}


@dataclass
class Exercise:
    """One exercise of a problem set, with everything that grading needs to know about it.

    `points` gives points to groups of probes, the core group first. `mistakes` gives each named mistake its message and the
    section of the chapter that explains it. `forbid` lists ready-made functions beside the exercise's own name.
    With `compact`, wrong versions of one mistake that give the same answers are stored once, and answers to edge probes only
    where the mistake shows nowhere else: for exercises with large answers.
    """

    name: str
    points: dict[str, int]
    section: str
    mistakes: dict[str, tuple[str, str]]
    forbid: Sequence[str] = ()
    driver: str = "call"
    any_float: bool = False
    compact: bool = False
    properties: Sequence[dict] = ()
    relations: Sequence[tuple[str, str, str]] = ()
    reference: Version | None = None
    alternatives: list[Version] = field(default_factory=list)
    wrong_versions: list[Version] = field(default_factory=list)
    conventions: list[Version] = field(default_factory=list)
    make_probes: Callable[[Probes], Iterator[dict]] | None = None

    def right(self, function: Callable) -> Callable:
        """Decorator: the reference."""
        self.reference = Version("reference", function, _source_as(function, self.name))
        return function

    def alternative(self, label: str, convention: bool = False) -> Callable:
        """Decorator: another correct way. With `convention`, its answers are accepted beside the reference's."""
        def add(function):
            version = Version(label, function, _source_as(function, self.name))
            self.alternatives.append(version)
            if convention:
                self.conventions.append(version)
            return function
        return add

    def wrong(self, mistake: str, label: str = "") -> Callable:
        """Decorator: a wrong version, and the mistake that must be named for it."""
        if mistake not in self.mistakes and mistake not in BUILT_IN and mistake != "raises":
            raise RubricError(f"{self.name}: the wrong version names the mistake {mistake!r}, which `mistakes` does not have. "
                              f"Add it there with its message. Known: {', '.join(self.mistakes)}.")

        def add(function):
            self.wrong_versions.append(Version(label or mistake, function, _source_as(function, self.name), mistake))
            return function
        return add

    def probes(self, function: Callable) -> Callable:
        """Decorator: the generator of probes."""
        self.make_probes = function
        return function

    @property
    def max_points(self) -> int:
        return sum(self.points.values())

    def evidence_gaps(self) -> list[str]:
        """What is missing before this exercise may grade anybody."""
        gaps = []
        if self.reference is None or self.make_probes is None:
            gaps.append("a reference (@exercise.right) and probes (@exercise.probes) are needed")
        if len(self.alternatives) < MIN_ALTERNATIVES:
            gaps.append(f"{len(self.alternatives)} correct alternatives, at least {MIN_ALTERNATIVES} are needed")
        if len(self.wrong_versions) < MIN_WRONG:
            gaps.append(f"{len(self.wrong_versions)} wrong versions, at least {MIN_WRONG} are needed")
        unused = set(self.mistakes) - {version.mistake for version in self.wrong_versions}
        if unused:
            gaps.append(f"no wrong version shows the mistakes {', '.join(sorted(unused))}")
        if self.driver not in known_drivers():
            gaps.append(f"unknown driver {self.driver!r}; known are {', '.join(known_drivers())}")
        return gaps


def _source_as(function: Callable, name: str) -> str:
    """The text of `function` or class without its decorators, called `name`: what a student would have written."""
    node = _class_node(function) if inspect.isclass(function) else ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    old, node.name, node.decorator_list = node.name, name, []
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id == old:
            part.id = name
    return ast.unparse(node) + "\n"


def _class_node(class_: type) -> ast.ClassDef:
    """The syntax tree of a class of a rubric, found by its name: each class of a file needs a name of its own."""
    path = next(Path(item.__code__.co_filename) for item in vars(class_).values() if inspect.isfunction(item))
    found = [node for node in _top_level_classes(path, path.stat().st_mtime_ns) if node.name == class_.__name__]
    if len(found) != 1:
        raise RubricError(f"{path} has {len(found)} classes named {class_.__name__!r}. Give each version a name of its own.")
    return copy.deepcopy(found[0])


@lru_cache(maxsize=4)
def _top_level_classes(path: Path, stamp: int) -> list[ast.ClassDef]:
    return [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)]


def load_rubric(path: Path) -> dict[str, Exercise]:
    """Read a rubric; return its exercises by name. Raises RubricError with what to mend.

    `path` is a folder with a file for each exercise, which defines ``exercise`` (files whose names begin with an underscore
    hold what they share), or one file with a list named ``exercises``.
    """
    if not path.exists():
        raise RubricError(f"There is no rubric at {path}. Write one, or check the name of the problem set.")
    package = f"rubric_{path.resolve().parent.name.replace('-', '_')}"
    if path.is_dir():
        sys.modules[package] = importlib.util.module_from_spec(
            importlib.machinery.ModuleSpec(package, None, is_package=True))
        sys.modules[package].__path__ = [str(path)]
        exercises = [getattr(_load(f"{package}.{file.stem}", file), "exercise", None) for file in rubric_files(path)]
        wanted = "every file of the folder must define `exercise`, an Exercise"
    else:
        exercises = getattr(_load(package, path), "exercises", [])
        wanted = "it needs a list named `exercises` with the problem set's Exercise objects"
    if not exercises or not all(isinstance(exercise, Exercise) for exercise in exercises):
        raise RubricError(f"{path} cannot be used: {wanted}.")
    names = [exercise.name for exercise in exercises]
    if len(set(names)) < len(names):
        raise RubricError(f"{path} holds an exercise twice: {', '.join(sorted({name for name in names if names.count(name) > 1}))}.")
    gaps = [f"{exercise.name}: {gap}" for exercise in exercises for gap in exercise.evidence_gaps()]
    if gaps:
        raise RubricError(f"{path} lacks evidence:\n  " + "\n  ".join(gaps))
    return {exercise.name: exercise for exercise in exercises}


def rubric_files(path: Path) -> list[Path]:
    """The files of a rubric that define exercises."""
    return [path] if path.is_file() else sorted(file for file in path.glob("*.py") if not file.name.startswith("_"))


def _load(name: str, path: Path):
    for stale in [key for key in sys.modules if key.startswith(f"{name.partition('.')[0]}._")]:
        del sys.modules[stale]  # another course's folder may have the same name
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except RubricError:
        raise
    except Exception as error:
        raise RubricError(f"{path} cannot be read: {type(error).__name__}: {error}") from error
    return module
