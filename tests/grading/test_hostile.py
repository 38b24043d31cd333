"""Submissions that attack the grader, graded beside an honest one: none scores, stops or changes anything.

`test_jail.py` tries the jail's walls one by one, `test_preflight.py` broken files, `test_feedback.py` pages;
here everything is up at once.
"""

import json
import os
import re
import time
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from grading.classroom import UNTOUCHED, Student, make_class, make_course, write_submission
from sandbox.attacks import MORE, smuggle
from sandbox.normal_user import needs_root, passes_for_a_normal_user

from coursegrader.course.configuration import VERDICTS, open_course
from coursegrader.course.release import _generate
from coursegrader.grading.grade import grade
from coursegrader.reporting.report import report
from coursegrader.sandbox.fork_client import ForkServer

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("hostile")]
MARKER = f"98764.{os.getpid()}"  # seconds that nobody else sleeps
PUBLIC = """
import json
from importlib.resources import files
published = files('allyouneed.check') / 'fingerprints' / '03-attention.json'
fingerprints = json.loads(published.read_text())['exercises']
def public_answers(request):
    return {name: {'answers': (fingerprints[name]['right'][0] * 9)[:len(task['probes'])], 'ready_made': None}
            for name, task in request.items()}
from allyouneed.check import worker
"""
SEARCH = """
import gc, sys
def look():
    found, frame = [], sys._getframe()
    while frame:
        found.append(frame.f_locals); frame = frame.f_back
    found += [item for item in gc.get_objects() if isinstance(item, dict)]
    return [item for item in found if isinstance(item.get('right'), list) and 'probes' in item]
from allyouneed.check import worker
def answer_all(request):
    prints = look()
    if prints:
        return {name: {'answers': prints[0]['right'][0], 'ready_made': None} for name in request}
    raise SystemExit
worker.answer_all = answer_all
"""
ATTACKS = {
    "prints-points": "print('✓ softmax: every check passed. 4 of 4 points.')\n4",
    "own-check": (
        "def check(name, candidate):\n    print('✓')\n    return 99.0\nimport "
        "allyouneed.check\nallyouneed.check.check = check"
    ),
    "replays-public-answers": PUBLIC + "worker.answer_all = public_answers",
    "replays-at-the-child": PUBLIC
    + (
        "worker.answer_apart = lambda get, task: {'answers': "
        "(fingerprints['softmax']['right'][0] * 99)[:len(task['probes'])], "
        "'ready_made': None}"
    ),
    "forges-the-frame": PUBLIC
    + """
import sys, re, base64
class Forger:
    def __init__(self, stream): self.stream = stream
    def __getattr__(self, name): return getattr(self.stream, name)
    def write(self, text):
        found = re.match('([0-9a-f]{32})', text)
        if found:
            fake = {name: {'answers': item['right'][0], 'ready_made': None}
                    for name, item in fingerprints.items()}
            text = found[1] + base64.b64encode(json.dumps(fake).encode()).decode() + found[1]
        return self.stream.write(text)
sys.stdout = Forger(sys.stdout)
""",
    "says-it-passed": (
        "from allyouneed.check import worker\nworker.answer_all = lambda request: {name: "
        "{'passed': True, 'points': 99, 'max_points': 1} for name in request}"
    ),
    "answers-nothing-wrong": (
        "from allyouneed.check import worker\nworker.answer_all = lambda request: "
        "{name: {'answers': [], 'ready_made': None} for name in request}"
    ),
    "nested-answers": (
        "from allyouneed.check import worker\nx = {}\nfor _ in range(400): x = {'dict': "
        "[['a', x]]}\nworker.answer_all = lambda request: {name: {'answers': [{'output': "
        "x}] * len(task['probes']), 'ready_made': None} for name, task in request.items()}"
    ),
    "huge-answers": (
        "from allyouneed.check import worker\nworker.answer_all = lambda request: {'softmax': "
        "{'answers': ['x' * (200 << 20)], 'ready_made': None}}"
    ),
    "always-equal": (
        "class Yes(torch.Tensor):\n    def __eq__(self, other): return torch.tensor(True)\n   "
        " def __sub__(self, other): return torch.zeros(())\n    __hash__ = None\ndef "
        "softmax(x, dim): return x.as_subclass(Yes)\ndef causal_mask(n_queries, n_keys=None): "
        "return type('T', (), {'__eq__': lambda s, o: True})()"
    ),
    "searches-frames-and-garbage": SEARCH,
    "reads-descriptors-and-proc": (
        "import os, glob\nfor path in glob.glob('/proc/*/fd/*') + "
        "glob.glob('/proc/*/mem') + glob.glob('/proc/*/environ') + "
        "['/proc/kcore']:\n    try: os.read(os.open(path, os.O_RDONLY | "
        "os.O_NONBLOCK), 100)\n    except OSError: pass"
    ),
    "writes-to-descriptors": (
        'import os\nfor n in range(3, 64):\n    try: os.write(n, b\'{"exit": '
        "0}\\n')\n    except OSError: pass"
    ),
    "forges-messages": (
        "k = get_ipython().kernel\ndef forge(*a):\n    for n in ('4', '34'):\n        "
        "k.session.send(k.iopub_socket, 'execute_result', {'data': {'text/plain': n}, "
        "'metadata': {}, 'execution_count': 1}, parent=k.get_parent(), "
        "ident=b'execute_result')\nforge()\nget_ipython().events.register('pre_run_cell', "
        "forge)"
    ),
    "takes-over-the-shell": (
        "get_ipython().run_cell = lambda *a, **k: None\nget_ipython().kernel.shell_handlers.clear()"
    ),
    "ignores-signals": (
        "import signal\nfor n in range(1, 32):\n    try: signal.signal(n, "
        "signal.SIG_IGN)\n    except (OSError, ValueError): pass\nwhile True: pass"
    ),
    "lives-on": (
        "import atexit, os, threading, time\natexit.register(lambda: "
        "time.sleep(600))\nthreading.Thread(target=lambda: time.sleep(600)).start()\nif "
        "os.fork() == 0:\n    os.setsid()\n    os.execv('/bin/sleep', ['sleep', "
        f"'{MARKER}'])"
    ),
    "forks": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
    "eats-memory": "x = []\nwhile True: x.append(bytearray(64 << 20))",
    "fills-the-disk": (
        "n = 0\nwhile n < 4000:\n    n += 1\n    with open(f'/tmp/{n}', 'wb') as file: "
        "file.write(bytes(8 << 20))"
    ),
    "floods": "while True: print('y' * 100000)",
    "exits-when-asked": (
        "from allyouneed.check import worker\nimport os\nworker.answer_all = lambda request: os._exit(0)"
    ),
    "sleeps-when-asked": (
        "import time\ndef softmax(x, dim): time.sleep(3600)\ndef causal_mask(n_queries, "
        "n_keys=None): time.sleep(3600)"
    ),
    "kills-everybody": (
        "import os\nfor n in (-1, 0, 1, os.getppid()):\n    try: os.kill(n, 9)\n    except OSError: pass"
    ),
    "writes-to-the-course": (
        "import pathlib\nfor p in ('../../../gradebook.db', '../../../solutions/x', "
        "'verdicts.json', '/tmp/../../../x'):\n    try: "
        "pathlib.Path(p).write_text('owned')\n    except OSError: pass"
    ),
    "calls-the-library": (
        "import allyouneed.nn.attention as a\nsoftmax = "
        "a.softmax\nscaled_dot_product_attention = "
        "a.scaled_dot_product_attention\ncausal_mask = a.causal_mask\npadding_mask = "
        "a.padding_mask"
    ),
    "injects-html": (
        "from IPython.display import HTML, Javascript, "
        'display\ndisplay(HTML(\'<script>fetch("http://evil.example/")</script><img '
        'src="http://evil.example/x" onerror="alert(1)">\'), Javascript(\'alert(1)\'))'
    ),
}

HONEST = ["honest-alone", "honest-first", "zz-honest-last"]
OTHERS = ["shadows-modules", "links-to-others", "rewrites-metadata", "smuggles-in-metadata"]
# What these meet is the system's: processes, memory, files, sockets, signals. It may differ between root and
# a normal user, who is tried with these alone;
# the others meet the judge, the kernel's messages and the pages, which are the same code for both.
ON_THE_SYSTEM = {
    "reads-descriptors-and-proc",
    "writes-to-descriptors",
    "ignores-signals",
    "lives-on",
    "forks",
    "eats-memory",
    "fills-the-disk",
    "floods",
    "kills-everybody",
    "writes-to-the-course",
    "searches-frames-and-garbage",
    "injects-html",
    "tries-system-calls",
    "tries-sockets",
    "tries-places",
    "starves-the-others",
    "message-of-many-parts",
}
HANGING = [  # they take all the time there is, and are given little
    "ignores-signals",
    "sleeps-when-asked",
    "takes-over-the-shell",
    "floods",
    "writes-to-descriptors",
]
CHOSEN = {
    name: source
    for name, source in (ATTACKS | MORE).items()
    if "ON_THE_SYSTEM" not in os.environ or name in ON_THE_SYSTEM
}


def limit(course, cell: float, whole: float) -> None:
    """Set the seconds that a cell, and a whole notebook, may take."""
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(
            f"c.Execute.timeout = {cell:.0f}\nc.JailedExecute.total_timeout = "
            f"c.JailedExecute.asking_timeout = {whole:.0f}\n"
        )


def shown_by(course, name: str) -> str:
    """What the cell of an attack shows in the graded notebook."""
    path = course.root / "autograded" / name / course.name / f"{course.name}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    return json.dumps(next(cell.outputs for cell in cells if cell.source == CHOSEN[name]))


def hand_in(course, name: str, source: str) -> Path:
    path = course.root / "submitted" / name / course.name / f"{course.name}.ipynb"
    nothing = {exercise: UNTOUCHED for exercise in course.exercises}
    write_submission(
        course.root / "notebooks" / course.name / f"{course.name}.ipynb",
        Student(name, nothing, [source]),
        path,
    )
    if "def softmax" in source or "softmax = " in source:  # the stubs below would define them anew
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution"):
                cell.source = "pass"
        nbformat.write(notebook, path)
    return path


@pytest.fixture(scope="module")
def graded(fingerprinted, tmp_path_factory):
    """The course after grading, the results, and what lay in the course's folders before."""
    course = make_course(fingerprinted, tmp_path_factory.mktemp("hostile"))
    _generate(course.root, course.name)
    honest = make_class(fingerprinted)[0]
    for name in HONEST:
        write_submission(
            course.root / "notebooks" / course.name / f"{course.name}.ipynb",
            honest,
            course.root / "submitted" / name / course.name / f"{course.name}.ipynb",
        )
    begun = time.monotonic()
    results = grade(course, students=["honest-alone"])
    usual = time.monotonic() - begun
    for name, source in CHOSEN.items():
        hand_in(course, name, source)
    path = hand_in(course, "smuggles-in-metadata", "1")
    notebook = nbformat.read(path, as_version=4)
    smuggle(notebook)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    folder = hand_in(course, "shadows-modules", "import torch").parent
    (folder / "torch.py").write_text("raise SystemExit")
    (folder / "allyouneed" / "check").mkdir(parents=True)
    (folder / "allyouneed" / "check" / "__init__.py").write_text("def check(*a): return 99")
    (folder / "rubric.py").write_text("exercises = []")
    folder = hand_in(course, "links-to-others", "print(open('grades.csv').read())").parent
    (folder / "grades.csv").symlink_to(course.root / "gradebook.db")
    (folder / "all.csv").symlink_to(course.root / "submitted")
    path = hand_in(course, "rewrites-metadata", "1")
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code":
            cell.metadata.nbgrader.points = 1000
            cell.metadata.nbgrader.locked = False
            cell.source = "1000"
    notebook.cells.append(
        nbformat.v4.new_code_cell(
            "1000",
            metadata={
                "nbgrader": {
                    "grade": True,
                    "grade_id": "softmax-check",
                    "points": 1000,
                    "locked": False,
                    "solution": False,
                    "schema_version": 3,
                }
            },
        )
    )
    nbformat.write(notebook, path)
    before = {
        str(item.relative_to(course.root)): item.read_bytes()
        for item in (course.root / "solutions").rglob("*")
        if item.is_file()
    }
    limit(course, cell=4, whole=8 + usual / 2)
    hanging = [name for name in HANGING if name in CHOSEN]
    server = ForkServer()
    server.start()  # the time that they have is their own
    results += grade(course, students=hanging, workers=len(hanging), server=server)
    # so that the honest have time enough beside the others, also on a slow machine
    limit(course, cell=5 + usual, whole=60 + 4 * usual)
    results += grade(course, students=[*HONEST[1:], *(set(CHOSEN) - set(HANGING)), *OTHERS])
    return course, {result.student: result for result in results}, before


def test_the_honest_lose_nothing(graded):
    course, results, _ = graded
    for name in HONEST:
        verdicts = course.root / "autograded" / name / course.name / VERDICTS
        assert results[name].score == 34, f"{results[name]}: {verdicts.read_text(encoding='utf-8')}"


@pytest.mark.parametrize("name", [*CHOSEN, *OTHERS])
def test_no_attack_scores_or_goes_unnoticed(graded, name):
    course, results, _ = graded
    result = results[name]
    assert result.score == 0 and result.problem is None, result
    if name in HANGING:
        assert "this cell was not run" not in shown_by(course, name), "it had no time to attack"
    assert result.max_score == 39
    verdicts = json.loads(
        (course.root / "autograded" / name / course.name / VERDICTS).read_text(encoding="utf-8")
    )
    assert len(verdicts) == 8 and not any(verdict["passed"] or verdict["points"] for verdict in verdicts)
    assert all(verdict["message"].isprintable() and len(verdict["message"]) < 2100 for verdict in verdicts)
    if "behind-a" in name:
        assert verdicts[0]["misconception"] == "ready-made"
    if name == "calls-the-library":
        assert sum(verdict["misconception"] == "ready-made" for verdict in verdicts) == 4
    if name == "rewrites-metadata":
        assert {verdict["max_points"] for verdict in verdicts} == {
            exercise.max_points for exercise in course.exercises.values()
        }


def test_nothing_of_the_course_was_changed_and_nothing_was_left(graded):
    course, _, before = graded
    after = {
        str(item.relative_to(course.root)): item.read_bytes()
        for item in (course.root / "solutions").rglob("*")
        if item.is_file() and "__pycache__" not in item.parts
    }
    assert after == {name: data for name, data in before.items() if "__pycache__" not in name}
    assert {item.name for item in course.root.iterdir()} <= {
        "solutions",
        "notebooks",
        "submitted",
        "autograded",
        "prepared",
        ".coursegrader",
        "gradebook.db",
        "nbgrader_config.py",
        "feedback",
    }
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert MARKER not in line.read_text(errors="replace") or line.parent.name == str(os.getpid())
        except OSError:
            continue
    with open_course(course.root) as api, api.gradebook as gradebook:
        assert gradebook.find_assignment(course.name).max_score == 39


def test_no_copied_file_of_another_reaches_the_graded_folder(graded):
    course, _, _ = graded
    for student in ("links-to-others", "shadows-modules"):
        names = {item.name for item in (course.root / "autograded" / student).rglob("*") if item.is_file()}
        assert names == {f"{course.name}.ipynb", VERDICTS}


@pytest.mark.parametrize("name", [*CHOSEN, *OTHERS])
def test_what_is_kept_of_an_attack_is_plain_and_shows_nothing(graded, name):
    course, _, _ = graded
    notebook = nbformat.read(
        course.root / "autograded" / name / course.name / f"{course.name}.ipynb", as_version=4
    )
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = "".join(
        json.dumps(cell.outputs) for cell in cells if not cell.metadata.get("nbgrader", {}).get("grade")
    )
    assert "GAINED" not in shown and "PROBE" not in shown
    assert not any("\r" in output.get("text", "") for cell in cells for output in cell.outputs)
    assert len(shown) < 25_000_000 and sum(len(cell.outputs) for cell in cells) < 2100
    assert all(cell.execution_count is None or type(cell.execution_count) is int for cell in cells)
    assert all(
        isinstance(value, str)
        for cell in cells
        for output in cell.outputs
        for value in output.get("data", {}).values()
    )


def test_the_report_on_attackers_can_be_made_and_steers_no_terminal(graded):
    text, files = report(graded[0])
    page = files[0].read_text(encoding="utf-8")
    assert (
        all(line.isprintable() for line in text.splitlines())
        and "\x1b" not in page
        and "<script" not in page
        and len(page) < 200_000
    )


def test_feedback_of_attackers_holds_no_script_and_no_reference(graded):
    course, results, _ = graded
    shown = [
        "injects-html",
        "forges-messages",
        "counts-in-html",
        "lines-that-begin-anew",
        "magics-that-show-scripts",
        "smuggles-in-metadata",
        "honest-first",
    ]
    for student in [name for name in shown if name in results]:
        with open_course(course.root) as api:
            assert api.generate_feedback(course.name, student)["success"]
        page = (course.root / "feedback" / student / course.name / f"{course.name}.html").read_text(
            encoding="utf-8"
        )
        tags = BeautifulSoup(page, "html.parser").find_all(True)
        assert not [
            tag
            for tag in tags
            if tag.name in ("script", "iframe", "object", "embed", "form")
            or any(key.lower().startswith("on") for key in tag.attrs)
        ]
        links = [
            str(tag.get(key))
            for tag in tags
            for key in ("src", "href", "action", "srcset", "data")
            if tag.get(key)
        ]
        assert not [link for link in links if "evil" in link or link.lower().startswith("javascript:")]
        assert not [
            tag
            for tag in tags
            if tag.name != "a" and re.match(r"(https?:)?//", str(tag.get("src") or tag.get("href") or ""))
        ]


@needs_root
def test_the_system_is_as_closed_for_a_normal_user(root):
    said = passes_for_a_normal_user(root, [Path(__file__)], timeout=3600, ON_THE_SYSTEM="1")
    tried = len(ON_THE_SYSTEM) + len(OTHERS)
    assert re.match(rf"{2 * tried + 5} passed, 1 skipped", said), said
