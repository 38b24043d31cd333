"""Imports run one way: the book, the notebooks and the solutions use the library, the grader uses its checks,
and never back.
"""

import re
import tomllib

import pytest

GRADER = re.compile(r"(?:^|[\s\"'])(?:from|import) coursegrader\b[\w.]*(?: import (\w+))?")
MAY = {  # what may import the grader, and what of it
    "book/_ext/mathml.py": {"formulas"},
    "book/_ext/problem_set_hours.py": {"hours"},
    "solutions/*/rubric/*.py": {"Exercise"},
    "book/instructors/hub/staff/nbgrader_config.py": {"configure"},
}


def test_the_rooms_of_the_grader_and_the_library_import_one_way(root, monkeypatch, capsys):
    """The contracts stand in pyproject.toml, under tool.importlinter."""
    from importlinter.cli import lint_imports

    monkeypatch.chdir(root)
    monkeypatch.setattr("logging.config.dictConfig", lambda settings: None)  # it ends what other tests log
    assert lint_imports(no_cache=True, no_logo=True) == 0, capsys.readouterr().out


@pytest.mark.parametrize("folder", ["book", "notebooks", "solutions"])
def test_only_rubrics_and_configuration_import_the_grader(root, folder):
    found, allowed = [], {path: names for pattern, names in MAY.items() for path in root.glob(pattern)}
    for path in sorted((root / folder).rglob("*")):
        if path.suffix in (".py", ".ipynb", ".md") and not {".ipynb_checkpoints", "__pycache__"} & set(
            path.parts
        ):
            imports = GRADER.finditer(path.read_text(encoding="utf-8"))
            found += [
                f"{path.relative_to(root)}: {match[0].strip()}"
                for match in imports
                if match[1] not in allowed.get(path, ())
            ]
    assert not found, found
    assert folder != "solutions" or len(allowed) > 50


def test_the_search_for_imports_finds_them():
    texts = [
        "from coursegrader.rubric import Exercise",
        '"import coursegrader\\n"',
        "    import coursegrader.cli",
    ]
    assert all(GRADER.search(text) for text in texts) and not GRADER.search(
        "the command coursegrader release"
    )


def test_a_wheel_of_the_grader_holds_all_its_rooms(root):
    folder = root / "lib" / "coursegrader"
    told = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    there = {path.parent.relative_to(folder.parent) for path in folder.rglob("__init__.py")}
    assert sorted(told["packages"]) == sorted(".".join(place.parts) for place in there)
