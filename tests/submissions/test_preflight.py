"""Before nbgrader reads a submission: each kind of broken or hostile submission, and what must not happen."""

import copy
import errno
import json
import os
import stat

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.releases import after_generating, releases_of, remember_release
from coursegrader.grading.nbgrader_patches import only_finished
from coursegrader.submissions import files as submitted_files
from coursegrader.submissions import notebook as submitted_notebook
from coursegrader.submissions import preflight, readable
from coursegrader.submissions.files import PreflightError, _the_notebook
from coursegrader.submissions.intake import take_in
from coursegrader.submissions.notebook import mend
from coursegrader.submissions.preflight import findings_of, prepared_folder

NAME = "07-sample"


def cell(kind, source, grade_id, points=None, **flags):
    meta = {
        "grade_id": grade_id,
        "schema_version": 3,
        "grade": points is not None,
        "solution": False,
        "locked": False,
        "task": False,
    }
    meta |= flags | ({"points": points} if points is not None else {})
    return (new_code_cell if kind == "code" else new_markdown_cell)(
        source, id=grade_id, metadata={"nbgrader": meta}
    )


def sample():
    """A released notebook: an answer, its locked check, a written answer."""
    return new_notebook(
        cells=[
            new_code_cell("import math", id="imports"),
            cell("code", "def f(x):\n    return x", "answer", solution=True),
            cell("code", 'check("f", f)', "checked", points=4, locked=True),
            cell("markdown", "why", "written", points=2, solution=True),
        ]
    )


@pytest.fixture
def course(tmp_path):
    """A course with one problem set, and the folder of one submission."""
    (tmp_path / "solutions" / NAME).mkdir(parents=True)
    nbformat.write(sample(), tmp_path / "solutions" / NAME / f"{NAME}.ipynb")
    folder = tmp_path / "submitted" / "ada" / NAME
    folder.mkdir(parents=True)
    (folder / "timestamp.txt").write_text("2026-11-01 10:00:00.123 UTC")
    return ProblemSet(tmp_path, NAME), folder


def hand_in(folder, notebook, name=f"{NAME}.ipynb"):
    data = notebook if isinstance(notebook, bytes) else nbformat.writes(notebook).encode()
    (folder / name).write_bytes(data)
    return data


def copy_of(folder):
    return prepared_folder(folder.parents[2], folder.parent.name, NAME)


def read(folder):
    """The notebook that is graded."""
    notebook = nbformat.read(copy_of(folder) / f"{NAME}.ipynb", as_version=4)
    nbformat.validate(notebook)
    return notebook


def prepare(folder, problem_set):
    """`preflight.prepare`, which leaves what was handed in as it came, to the byte, whatever comes of it."""
    before = contents(folder)
    try:
        return preflight.prepare(folder, problem_set)
    finally:
        assert contents(folder) == before, "what was handed in has changed"


def contents(folder):
    found = {}
    for path in folder.rglob("*"):
        about = path.lstat()
        found[path] = (
            about.st_mode,
            about.st_ino,
            about.st_mtime_ns,
            path.read_bytes() if stat.S_ISREG(about.st_mode) else None,
        )
    return found


def test_a_good_submission_is_graded_as_it_is(course):
    problem_set, folder = course
    data = hand_in(folder, sample())
    assert prepare(folder, problem_set) == []
    assert (
        read(folder).cells == nbformat.reads(data, as_version=4).cells
        and (copy_of(folder) / "timestamp.txt").is_file()
    )
    assert not list(copy_of(folder).parent.glob("*findings*"))


def test_a_second_look_says_the_same_and_what_was_handed_in_stays_as_it_came(course):
    problem_set, folder = course
    notebook = sample()
    notebook.cells[2].metadata.tags = ["skip-execution"]
    data = hand_in(folder, notebook)
    (folder / "torch.py").write_text("raise SystemExit")
    first = prepare(folder, problem_set)
    mended = read(folder)
    assert prepare(folder, problem_set) == first and len(first) == 2 and read(folder) == mended
    assert (folder / f"{NAME}.ipynb").read_bytes() == data and (folder / "torch.py").is_file()
    assert findings_of(problem_set.root, "ada", NAME) == (first, None)


def test_the_copy_follows_a_change_of_the_problem_set_or_of_the_submission(course):
    problem_set, folder = course
    hand_in(folder, sample())
    for points in (5, 6):
        source = sample()
        source.cells[2].metadata.nbgrader.points = points
        nbformat.write(source, problem_set.folder / f"{NAME}.ipynb")
        problem_set = ProblemSet(problem_set.root, NAME)
        prepare(folder, problem_set)
        assert read(folder).cells[2].metadata.nbgrader.points == points
    again = sample()
    again.cells[1].source = "def f(x):\n    return 2 * x"
    hand_in(folder, again)
    (folder / "data.csv").write_text("1")
    prepare(folder, problem_set)
    assert read(folder).cells[1].source == again.cells[1].source and (copy_of(folder) / "data.csv").is_file()
    (folder / "data.csv").unlink()
    prepare(folder, problem_set)
    assert not (copy_of(folder) / "data.csv").exists()
    hand_in(folder, b"{")
    with pytest.raises(PreflightError):
        prepare(folder, problem_set)
    assert not copy_of(folder).exists(), "the copy of an earlier submission must not be graded in its place"


BROKEN = {
    "cut off": (b'{"cells": [', "not readable as JSON"),
    "empty": (b"  \n", "empty"),
    "no notebook": (b'{"a": 1}', "not a notebook"),
    "a list": (b"[1, 2]", "not a notebook"),
    "not text": (b"\xff\xfe\x00\x01", "UTF-8"),
    "nested": (b'{"nbformat": 4, "cells":' + b"[" * 200_000, "JSON"),
    "long number": (b'{"nbformat": 4, "cells": ' + b"1" * 10_000 + b"}", "JSON"),
    "future": (b'{"nbformat": 9, "nbformat_minor": 0, "metadata": {}, "cells": []}', "version 9"),
    "version is text": (b'{"nbformat": "4", "cells": []}', "not a notebook"),
    "cells is text": (
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": "abc"}',
        "no list of cells",
    ),
    "cells of numbers": (
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [1]}',
        "no list of cells",
    ),
    "no cells": (b'{"nbformat": 4, "nbformat_minor": 4, "metadata": {}}', "JupyterLab"),
    "worksheets broken": (
        b'{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": 5}',
        "JupyterLab",
    ),
    "deep metadata": (
        b'{"nbformat":4,"nbformat_minor":5,"metadata":{"a":'
        + b'{"a":' * 500
        + b"1"
        + b"}" * 500
        + b'},"cells":[]}',
        "JupyterLab",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_cannot_be_graded_is_said_in_plain_words(course, kind):
    """What cannot be opened is not to be opened."""
    problem_set, folder = course
    data, words = BROKEN[kind]
    hand_in(folder, data)
    with pytest.raises(PreflightError, match=words) as caught:
        prepare(folder, problem_set)
    text = str(caught.value)
    assert "Traceback" not in text and "\n" not in text and len(text) < 500
    assert kind in ("future", "deep metadata") or "Open it in JupyterLab" not in text
    assert (folder / f"{NAME}.ipynb").read_bytes() == data
    assert findings_of(problem_set.root, "ada", NAME)[1] == text


def test_a_submission_without_limits_is_refused(course, monkeypatch):
    problem_set, folder = course
    hand_in(folder, sample())
    for module, name, words in (
        (readable, "MAX_READ", "MiB"),
        (readable, "MAX_CELLS", "cells"),
        (submitted_files, "MAX_FOLDER", "files"),
    ):
        with monkeypatch.context() as patch, pytest.raises(PreflightError, match=words):
            patch.setattr(module, name, 1)
            prepare(folder, problem_set)
    notebook = sample()
    notebook.cells[0].source = "#" * 20_000
    hand_in(folder, notebook)
    monkeypatch.setattr(submitted_notebook, "MAX_NOTEBOOK", 10_000)
    with pytest.raises(PreflightError, match="without its outputs"):
        prepare(folder, problem_set)


@pytest.mark.parametrize("item, count", [(b"{},", 900_000), (b"0,", 1_100_000)], ids=["dicts", "numbers"])
def test_a_notebook_of_too_many_parts_is_refused_before_it_is_read(item, count, monkeypatch):
    source, data = sample(), b'{"nbformat": 4, "metadata": {"a": [' + item * count + b"0]}}"
    with monkeypatch.context() as patched:
        # reading it would take hundreds of times its size
        patched.setattr(json, "loads", lambda *arguments, **keywords: 1 / 0)
        with pytest.raises(PreflightError, match="more than 1,000,000"):
            mend(data, source)


def test_more_code_than_can_be_read_is_refused(course):
    problem_set, folder = course
    notebook = sample()
    notebook.cells[1].source = "a\n" * 200_000
    hand_in(folder, notebook)
    with pytest.raises(PreflightError, match="characters of code"):
        prepare(folder, problem_set)


def test_what_is_said_of_a_submission_is_short_and_steers_no_terminal(course):
    problem_set, folder = course
    notebook = json.loads(nbformat.writes(sample()))
    notebook["nbformat_minor"] = "\x1b[2J\n" * 100_000
    notebook["cells"] += [
        {
            "cell_type": "raw",
            "id": f"x{number}",
            "source": "",
            "metadata": {"nbgrader": {"grade_id": f"\x1b[2J{number}"}},
        }
        for number in range(500)
    ]
    hand_in(folder, json.dumps(notebook).encode())
    prepare(folder, problem_set)
    found, _ = findings_of(problem_set.root, "ada", NAME)
    assert 2 < len(found) < 60 and all(item.isprintable() and len(item) < 600 for item in found)


def test_too_much_output_is_cleared_and_the_work_is_kept(course, monkeypatch):
    problem_set, folder = course
    notebook = sample()
    notebook.cells[1].outputs = [new_output("stream", text="flood " * 10_000)]
    hand_in(folder, notebook)
    monkeypatch.setattr(submitted_notebook, "MAX_NOTEBOOK", 20_000)
    assert "cleared" in prepare(folder, problem_set)[0]
    assert read(folder).cells[1].source == notebook.cells[1].source and not read(folder).cells[1].outputs


def test_no_file_beside_the_notebook_can_shadow_a_library_or_lead_elsewhere(course, tmp_path):
    problem_set, folder = course
    hand_in(folder, sample())
    secret = tmp_path / "gradebook.db"
    secret.write_text("grades")
    hostile = [
        "torch.py",
        "allyouneed/__init__.py",
        "rubric.py",
        "rubric.json",
        "conftest.py",
        "sitecustomize.py",
        "usercustomize.py",
        "verdicts.json",
        "ipython_config.json",
        "nbgrader_config.py",
        "torch.so",
        "torch.pyc",
        "lib.zip",
        "x.pth",
        ".ipython/startup.py",
        ".hidden.txt",
        "näme.txt",
        "a\nb.txt",
        "bad\udcff.txt",
        "-rf.txt",
        "other.ipynb",
        "sub/more.ipynb",
    ]
    for name in hostile:
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text("print('run')")
    (folder / "linked.txt").symlink_to(secret)
    (folder / "linked").symlink_to(tmp_path)
    (folder / "away.txt").symlink_to("/nowhere")
    os.mkfifo(folder / "pipe.txt")
    for name in ("data.csv", "sub/picture (1).png", "notes.md"):
        (folder / name).write_text("fine")
    findings = prepare(folder, problem_set)
    left = {
        path.relative_to(copy_of(folder)).as_posix()
        for path in copy_of(folder).rglob("*")
        if not path.is_dir()
    }
    assert left == {f"{NAME}.ipynb", "timestamp.txt", "data.csv", "sub/picture (1).png", "notes.md"}
    assert len(findings) == len(hostile) + 4 and all(
        text.isascii() and text.isprintable() for text in findings
    )
    said = " ".join(findings)
    assert (
        said.count("links are not followed") == 3
        and said.count("hidden files") == 2
        and said.count("it is not a file") == 1
    )
    assert (
        not any(path.is_symlink() for path in copy_of(folder).rglob("*")) and secret.read_text() == "grades"
    )
    assert prepare(folder, problem_set) == findings


def test_a_link_that_was_set_aside_leads_no_later_file_away(course, tmp_path):
    problem_set, folder = course
    outside = tmp_path / "outside"
    outside.mkdir()
    hand_in(folder, sample())
    (folder / "sub").symlink_to(outside)
    prepare(folder, problem_set)
    (folder / "sub").unlink()
    (folder / "sub").mkdir()
    (folder / "sub" / "good.csv").write_text("x")
    prepare(folder, problem_set)
    assert not list(outside.iterdir()) and (copy_of(folder) / "sub" / "good.csv").is_file()


def test_files_that_the_problem_set_itself_hands_out_may_stay(course):
    problem_set, folder = course
    hand_in(folder, sample())
    (problem_set.folder / "helpers.py").write_text("")
    (folder / "helpers.py").write_text("")
    assert prepare(folder, problem_set) == []


@pytest.mark.parametrize("name", [f"my {NAME}.ipynb", "Lösung ☃.ipynb", f"{NAME.upper()}.IPYNB"])
def test_the_only_notebook_is_recognised_under_any_name(course, name):
    problem_set, folder = course
    hand_in(folder, sample(), name)
    assert "only notebook" in prepare(folder, problem_set)[0]
    assert read(folder).cells


def test_no_notebook_and_several_are_said(course):
    problem_set, folder = course
    with pytest.raises(PreflightError, match="no notebook"):
        prepare(folder, problem_set)
    for name in ("a.ipynb", "b.ipynb"):
        hand_in(folder, sample(), name)
    with pytest.raises(PreflightError, match=r"2 notebooks.*a.ipynb, b.ipynb"):
        prepare(folder, problem_set)


def test_a_linked_submission_folder_is_refused(course, tmp_path):
    problem_set, folder = course
    other = tmp_path / "submitted" / "eve" / NAME
    other.parent.mkdir()
    other.symlink_to(folder)
    with pytest.raises(PreflightError, match="not a folder"):
        prepare(other, problem_set)


def test_a_forged_time_of_submission_is_set_aside(course):
    problem_set, folder = course
    hand_in(folder, sample())
    (folder / "timestamp.txt").write_text("once upon a time")
    assert "timestamp" in prepare(folder, problem_set)[0] and not (copy_of(folder) / "timestamp.txt").exists()


def old(version):
    notebook = nbformat.convert(copy.deepcopy(sample()), version)
    return json.dumps(notebook).encode()


@pytest.mark.parametrize("version", [2, 3])
def test_old_notebooks_are_upgraded(course, version):
    problem_set, folder = course
    if version == 2:
        data = json.dumps(
            {
                "nbformat": 2,
                "nbformat_minor": 0,
                "metadata": {"name": ""},
                "worksheets": [
                    {
                        "cells": [
                            {
                                "cell_type": "code",
                                "language": "python",
                                "input": "x = 1",
                                "outputs": [],
                                "collapsed": False,
                            }
                        ],
                        "metadata": {},
                    }
                ],
            }
        ).encode()
    else:
        data = old(3)
    hand_in(folder, data)
    assert any(f"version {version}." in text for text in prepare(folder, problem_set))
    assert any("x = 1" in item.source or "return x" in item.source for item in read(folder).cells)


def change(index, **metadata):
    def apply(notebook):
        notebook.cells[index].metadata.nbgrader.update(metadata)

    return apply


def tag(*tags):
    def apply(notebook):
        for item in notebook.cells:
            item.metadata.tags = list(tags)

    return apply


HOSTILE = {
    "skipped check": (tag("skip-execution", "mine"), "skip-execution"),
    "errors allowed": (tag("raises-exception"), "raises-exception"),
    "hidden input": (tag("remove-input", "hide-cell", "injected-parameters"), "remove-input"),
    "tags are text": (lambda notebook: notebook.cells[0].metadata.update(tags="skip-execution"), "tags"),
    "more points": (change(2, points=1000), "points"),
    "endless points": (change(2, points=float("inf")), "points"),
    "points are text": (change(2, points="many"), "points"),
    "unlocked check": (change(2, locked=False), "locked"),
    "check is no longer graded": (change(2, grade=False), "grade"),
    "answer graded": (change(1, grade=True, points=100), "grade"),
    "old schema, which stops nbgrader's batch": (change(1, schema_version=0), "schema_version"),
    "new schema, which stops nbgrader's batch": (change(1, schema_version=99), "schema_version"),
    "checksum is no text": (change(2, checksum=[1]), "checksum"),
    "metadata is a list": (lambda notebook: notebook.cells[2].metadata.update(nbgrader=[1]), "put in order"),
    "unknown cell": (change(1, grade_id="<script>x</script>"), "does not have"),
    "grade id is a list": (change(1, grade_id=[]), "does not have"),
    "check copied": (
        lambda notebook: notebook.cells.insert(0, copy.deepcopy(notebook.cells[2])),
        "more than once",
    ),
    "ids repeated": (
        lambda notebook: notebook.cells.append(new_code_cell("x", id="imports")),
        "no id of their own",
    ),
    "id is hostile": (lambda notebook: notebook.cells[0].update(id="../../x"), "no id of their own"),
    "check as text": (
        lambda notebook: notebook.cells.__setitem__(
            2, cell("markdown", "x", "checked", points=4, locked=True)
        ),
        "kind",
    ),
    "check removed": (lambda notebook: notebook.cells.pop(2), "put back"),
    "answer removed": (lambda notebook: notebook.cells.pop(1), "'answer' is missing"),
    "written answer removed": (lambda notebook: notebook.cells.pop(3), "2 points cannot be given"),
    "the grader's own mark": (
        lambda notebook: notebook.cells[0].metadata.update(coursegrader="asking"),
        "coursegrader",
    ),
    "source is a number": (lambda notebook: notebook.cells[0].update(source=5), "put in order"),
    "unknown kind": (lambda notebook: notebook.cells[0].update(cell_type="evil"), "put in order"),
    "no metadata": (lambda notebook: notebook.cells[0].pop("metadata"), "put in order"),
    "outputs invalid": (
        lambda notebook: notebook.cells[1].update(outputs=[{"output_type": "evil"}]),
        "outputs were cleared",
    ),
    "surrogates": (lambda notebook: notebook.cells[0].update(source="x = '\udc80'"), "Broken characters"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_would_steer_or_stop_grading_is_mended(course, kind):
    problem_set, folder = course
    attack, words = HOSTILE[kind]
    notebook = sample()
    attack(notebook)
    data = hand_in(folder, json.dumps(notebook).encode())
    findings = prepare(folder, problem_set)
    assert any(words in text for text in findings), findings
    mended = read(folder)
    graded = {item.metadata.nbgrader.grade_id: item for item in mended.cells if "nbgrader" in item.metadata}
    for item in sample().cells[1:]:
        name = item.metadata.nbgrader.grade_id
        if name in graded or not item.metadata.nbgrader.solution:
            assert (
                graded[name].metadata.nbgrader == item.metadata.nbgrader
                and graded[name].cell_type == item.cell_type
            )
    ids = [item.id for item in mended.cells]
    assert len(set(ids)) == len(ids) and set(graded) <= {"answer", "checked", "written"}
    assert not any(
        word in tag
        for item in mended.cells
        for tag in item.metadata.get("tags", [])
        for word in ("skip", "raises", "remove", "hide")
    )
    assert not any("coursegrader" in item.metadata for item in mended.cells)
    assert prepare(folder, problem_set) == findings
    assert data == (folder / f"{NAME}.ipynb").read_bytes()


def test_a_tag_of_the_released_notebook_may_stay():
    source = sample()
    source.cells[0].metadata.tags = ["raises-exception"]
    assert mend(nbformat.writes(source).encode(), source)[1] == []


def test_nbgrader_is_left_no_notebook_that_has_not_gone_the_one_way(course):
    """Should it begin otherwise than by `Autograde.start`, it would read what was handed in as it came."""
    _, folder = course
    hand_in(folder, sample())
    notebooks = [str(folder / f"{NAME}.ipynb")]
    only_finished(assignment=NAME, student="*", notebooks=notebooks)
    assert notebooks == []
    others = [str(folder.with_name("quiz") / "part-1.ipynb")]
    only_finished(assignment="quiz", student="*", notebooks=others)
    assert len(others) == 1, "an assignment of nbgrader's own kind"


def test_a_refused_submission_gets_a_page_that_says_why_until_a_better_one_comes(course):
    problem_set, folder = course
    (folder / "submission_secret.txt").write_text("a secret")
    hand_in(folder, b'{"<script>')
    with pytest.raises(PreflightError):
        take_in(folder, problem_set)
    page = problem_set.root / "feedback" / "ada" / NAME / f"{NAME}.html"
    text = page.read_text(encoding="utf-8")
    assert "not graded" in text and "not readable as JSON" in text and "<script" not in text
    assert (page.parent / "submission_secret.txt").read_text() == "a secret" and (
        page.parent / "timestamp.txt"
    ).is_file()
    hand_in(folder, sample())
    take_in(folder, problem_set)
    assert not page.exists()
    page.parent.mkdir()
    page.write_text("feedback on what was graded")
    take_in(folder, problem_set)
    assert page.exists()


def test_a_copy_that_is_stopped_half_way_is_none(course, monkeypatch):
    problem_set, folder = course
    notebook = sample()
    notebook.cells.pop(2)
    hand_in(folder, notebook)

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(nbformat, "write", stop)
        prepare(folder, problem_set)
    assert not copy_of(folder).exists() and not list(copy_of(folder).parent.iterdir())
    assert [text for text in prepare(folder, problem_set) if "put back" not in text] == [] and read(folder)


def test_a_full_disk_is_not_the_students_fault(course, monkeypatch):
    problem_set, folder = course
    hand_in(folder, sample())

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(nbformat, "write", full)
    with pytest.raises(OSError, match="No space left"):
        take_in(folder, problem_set)
    assert not (problem_set.root / "feedback").exists()


def released(problem_set, notebook):
    """The course hands out this notebook, as nbgrader makes it."""
    folder = problem_set.root / "notebooks" / NAME
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, folder / f"{NAME}.ipynb")
    after_generating(NAME, ".", [str(problem_set.folder / f"{NAME}.ipynb")])


def set_anew(problem_set, notebook):
    nbformat.write(notebook, problem_set.folder / f"{NAME}.ipynb")
    return ProblemSet(problem_set.root, NAME)


def test_nobody_is_said_to_have_changed_what_was_so_in_an_earlier_release(course):
    """Points, a lock, a kind, a tag and a cell that came or went with a later release."""
    problem_set, folder = course
    first = sample()
    first.cells[0].metadata.tags = ["hide-input"]
    first.cells.append(cell("code", "1", "gone", points=1, locked=True))
    first.cells[3] = cell("code", "why", "written", points=2, solution=True)
    released(problem_set, first)
    now = sample()
    now.cells[2].metadata.nbgrader |= {"points": 5, "locked": False}
    now.cells.append(cell("code", 'check("g", g)', "new", points=2, locked=True))
    problem_set = set_anew(problem_set, now)
    released(problem_set, now)
    hand_in(folder, first)
    assert prepare(folder, problem_set) == []
    mended = {item.id: item for item in read(folder).cells}
    assert mended["checked"].metadata.nbgrader.points == 5 and not mended["checked"].metadata.nbgrader.locked
    assert "new" in mended and mended["written"].cell_type == "markdown"
    assert "nbgrader" not in mended["gone"].metadata and not mended["imports"].metadata.tags
    assert len(releases_of(problem_set.root, NAME).graded) == 2


def test_what_no_release_had_is_said_so_that_it_can_be_read(course):
    problem_set, folder = course
    released(problem_set, sample())
    problem_set = set_anew(problem_set, sample())
    theirs = sample()
    theirs.cells[2].metadata.nbgrader |= {"points": 40, "locked": False}
    theirs.cells[1].metadata.nbgrader["points"] = 3
    hand_in(folder, theirs)
    assert prepare(folder, problem_set) == [
        "In the cell 'answer', the points had been changed. It is graded as the course has it.",
        "In the cell 'checked', nbgrader's setting 'locked' and the points had been changed. It is graded as "
        "the course has it.",
    ]


def test_releases_are_remembered_once_each_also_those_of_the_exchange(course, tmp_path):
    problem_set, _ = course
    released(problem_set, sample())
    released(problem_set, sample())
    other = sample()
    other.cells[2].metadata.nbgrader.points = 7
    (tmp_path / "outbound").mkdir()
    nbformat.write(other, tmp_path / "outbound" / f"{NAME}.ipynb")
    remember_release(problem_set.root, NAME, tmp_path / "outbound", tmp_path / "nowhere")
    known = releases_of(problem_set.root, NAME)
    assert len(known.graded) == 2 and known.has("checked", "points", 4) and known.has("checked", "points", 7)
    assert (
        not known.has("checked", "points", 8) and not known.was_without("checked") and known.was_without("x")
    )


def test_the_number_that_a_copy_gets_is_not_held_against_the_student(tmp_path):
    for name in (f"{NAME}-1", f"{NAME} (2)", f"{NAME}(3)"):
        assert _the_notebook(tmp_path, [tmp_path / f"{name}.ipynb"], NAME)[1] == []
    assert "was taken for" in _the_notebook(tmp_path, [tmp_path / "homework.ipynb"], NAME)[1][0]


def test_a_check_cell_with_a_text_that_no_release_had_is_told(course):
    problem_set, folder = course
    released(problem_set, sample())
    theirs = sample()
    theirs.cells[2].source += "\nprint('mine')"
    hand_in(folder, theirs)
    said = ["In the cell 'checked', the text has been changed. It is graded as the course has it."]
    assert prepare(folder, problem_set) == said
    released(problem_set, theirs)
    assert prepare(folder, problem_set) == []


def test_a_notebook_of_the_third_format_keeps_its_texts(course):
    problem_set, folder = course
    notebook = sample()
    notebook.cells[1].source = "def f(x):\n    return 2 * x\n"
    hand_in(folder, nbformat.writes(nbformat.convert(notebook, 3), version=3).encode())
    prepared = nbformat.read(take_in(folder, problem_set) / f"{NAME}.ipynb", as_version=4)
    assert "def f(x):\n    return 2 * x" in [cell.source.strip() for cell in prepared.cells]


def test_whose_folder_cannot_be_looked_into_has_handed_in(course, monkeypatch):
    problem_set, folder = course
    stat_of = type(folder).stat

    def refused(path, **how):
        if path == folder:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return stat_of(path, **how)

    monkeypatch.setattr(type(folder), "stat", refused)
    (problem_set.root / "submitted" / "readme.txt").write_text("no folder")
    assert submitted_files.who_handed_in(problem_set.root, NAME) == {"ada"}
    assert submitted_files.who_handed_in(problem_set.root / "nowhere", NAME) == set()
