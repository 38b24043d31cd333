"""Find what students must never receive: lines of solutions and rubrics, and the numbers of hidden probes."""

from __future__ import annotations

import ast
import base64
import html
import json
import re
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import allyouneed
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.public_file import public_fingerprints
from coursegrader.course.secret import course_secret
from coursegrader.rubric.fingerprints import fingerprints

# the title of the page that shows wrong versions as code; see authoring/local_page.py
LOCAL_PAGE = "For instructors only"
MARKERS = ("BEGIN SOLUTION", "BEGIN HIDDEN", "BEGIN MARK SCHEME", "coursegrader.rubric", LOCAL_PAGE)
MIN_LENGTH = 24
SECRET = "the course's secret"
# tell nothing: imports, signatures, seeds
COMMON = re.compile(r"\s*(import |from \S+ import |def |\w+ = torch\.Generator\(\))")


def secrets_of(problem_set: ProblemSet) -> dict[str, str]:
    """Telling pieces of text, each with a word on what it is; no lines of the public library or messages."""
    public = "\n".join(
        _squeeze(path.read_text(encoding="utf-8"))
        for path in Path(allyouneed.__path__[0]).rglob("*.py")  # a course folder of a term has no copy
    )
    public_prints = public_fingerprints(problem_set)
    found = {_squeeze(marker): "a marker of an unreleased part" for marker in MARKERS}
    for cell in problem_set.notebook.cells:
        regions = re.findall(r"### BEGIN SOLUTION(.*?)### END SOLUTION", cell.source, re.S)
        regions += re.findall(r"=== BEGIN MARK SCHEME ===(.*?)=== END MARK SCHEME ===", cell.source, re.S)
        for line in "\n".join(regions).splitlines():
            if not COMMON.match(line):
                found[_squeeze(line)] = "a line of a solution"
    for exercise in problem_set.exercises.values():
        for version in (exercise.reference, *exercise.alternatives, *exercise.wrong_versions):
            for line in ast.unparse(ast.parse(version.source)).splitlines()[1:]:
                if not COMMON.match(line):
                    found[_squeeze(line)] = f"a line of the rubric of {exercise.name}"
    found[_squeeze(course_secret(problem_set.root))] = SECRET
    for name, fingerprint in _right_answers(problem_set).items():
        for data in set(_tensors([fingerprint["probes"], fingerprint["right"]])) - set(
            _tensors(public_prints[name])
        ):
            found[data] = f"a hidden value of {name}"
    messages = " ".join(
        _squeeze(mistake.message)
        for exercise in problem_set.exercises.values()
        for mistake in exercise.mistakes.values()
    )
    return {
        text: what
        for text, what in found.items()
        if what.startswith(("a marker", SECRET))
        or (len(text) >= MIN_LENGTH and text not in public and text not in messages)
    }


def _right_answers(problem_set: ProblemSet) -> dict[str, dict]:
    """The hidden fingerprints; where there is none yet, one of the right versions alone: probes and right
    answers, for which no wrong one is asked."""
    made = {name: problem_set.so_far("hidden", name) for name in problem_set.exercises}
    bare = [
        replace(problem_set.exercise(name), mistakes={}, wrong_versions=[], told=[])
        for name, known in made.items()
        if known is None
    ]
    outlines = {exercise.name: problem_set.outline("hidden", exercise.name) for exercise in bare}
    return made | dict(fingerprints(bare, outlines, problem_set.prelude, problem_set.helpers))


def find_leaks(files: Iterable[Path], secrets: dict[str, str]) -> list[str]:
    """Each place where a secret stands, as text. Looks into archives, and through JSON's and HTML's forms."""
    leaks, standing = [], _search(secrets)
    for path in files:
        for name, text in _texts_in(path):
            leaks += [
                f"{path}{name}: {secrets[secret]}: "
                f"{secret[:60] if secrets[secret] != SECRET else '(not shown)'}"
                for secret in standing(_squeeze(text))
            ]
    return leaks


def _search(secrets: Collection[str]) -> Callable[[str], list[str]]:
    """A function that gives the secrets that stand in a text, in a time that hardly grows with their number.

    A text is cut into blocks of half the length of a secret: one that stands there holds a block whole.
    """
    size = MIN_LENGTH // 2
    short = {secret for secret in secrets if len(secret) < MIN_LENGTH}
    pieces: dict[str, set[str]] = {}
    for secret in set(secrets) - short:
        for start in range(size):
            pieces.setdefault(secret[start : start + size], set()).add(secret)

    def standing(text: str) -> list[str]:
        blocks = {text[start : start + size] for start in range(0, len(text), size)}
        likely = short.union(*(pieces[block] for block in blocks & pieces.keys()))
        return [secret for secret in secrets if secret in likely and secret in text]

    return standing


def _texts_in(path: Path) -> Iterator[tuple[str, str]]:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for item in archive.namelist():
                yield f"!{item}", _all_forms_of(archive.read(item).decode("utf-8", errors="replace"))
    else:
        yield "", _all_forms_of(path.read_bytes().decode("utf-8", errors="replace"))


def _all_forms_of(text: str) -> str:
    """The text, then as a JSON file's strings hold it, then as a page without its tags shows it."""
    forms = [text]
    try:
        forms.append("\n".join(_strings(json.loads(text))))
    except ValueError:
        pass
    if "<" in text:
        forms.append(html.unescape(re.sub(r"<[^>]*>", "", text)))
    return "\n".join(forms)


def _strings(value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        yield "".join(item for item in value if isinstance(item, str))
        for item in value:
            yield from _strings(item)


def _tensors(value) -> Iterator[str]:
    """The data of every tensor of floating numbers in a fingerprint, if it is telling."""
    if isinstance(value, dict):
        if str(value.get("tensor", "")).startswith("float") and _is_telling(value["data"]):
            yield value["data"]
        for item in value.values():
            yield from _tensors(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)


def _is_telling(data: str) -> bool:
    """Whether a tensor is long enough, and holds more than two different numbers: one of zeros and ones
    stands elsewhere by chance."""
    raw = base64.b64decode(data)
    return len(data) >= 32 and len({raw[start : start + 4] for start in range(0, len(raw), 4)}) >= 3


def _squeeze(text: str) -> str:
    """Without white space and with one kind of quotation mark, so that formatting hides nothing."""
    return re.sub(r"\s+", "", text).replace('"', "'")
