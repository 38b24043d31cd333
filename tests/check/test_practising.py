"""`practise` asks about a student's own code: after full points, with keys that a fresh run confirms."""

from __future__ import annotations

import linecache
import re
import subprocess
import sys
import textwrap

import nbformat
import numpy as np
import pytest
import torch
from kernels import AsyncKernel

from allyouneed import practise
from allyouneed.check import practising, worker
from allyouneed.check.judge import Verdict
from allyouneed.check.questions import asking
from allyouneed.check.questions.beside import beside
from allyouneed.check.questions.in_kernel import own_code
from allyouneed.check.questions.told import tell
from allyouneed.check.variants import run_apart
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.fresh import _arguments, wrong_key

PRELUDE = "import torch\nfrom torch import nn\n"
SOFTMAX = '''def softmax(x, dim):
    """Turn scores into weights.

    dim: the axis.
    """
    top = x.amax(dim, keepdim=True)   # the largest
    e = torch.exp(x - top)
    return e / e.sum(dim, keepdim=True)
'''
MASK = """def causal_mask(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    rows = torch.arange(n_queries)[:, None] + n_keys - n_queries
    return torch.arange(n_keys)[None, :] <= rows
"""
NORM = """class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias
"""
KINDS = {
    "softmax": ["what-if", "which-change", "trace", "does-it-matter", "mend"],
    "causal_mask": ["what-if", "which-change", "trace", "does-it-matter", "mend"],
    "LayerNorm": ["trace", "does-it-matter", "mend"],
}
CODE = {"softmax": SOFTMAX, "causal_mask": MASK, "LayerNorm": NORM}


class Kernel:
    """The names of a notebook, where a cell's text is kept as IPython keeps it."""

    def __init__(self, *cells: str):
        self.names: dict = {"__name__": "__main__", "In": [""], "practise": practise}
        for cell in (PRELUDE, *cells):
            self.run(cell)

    def run(self, cell: str) -> None:
        file = f"<cell {id(self)} {len(self.names['In'])}>"
        linecache.cache[file] = (len(cell), None, cell.splitlines(True), file)
        self.names["In"].append(cell)
        exec(compile(cell, file, "exec"), self.names)


@pytest.fixture(autouse=True)
def no_practice_before(monkeypatch):
    monkeypatch.setattr(practising, "_practices", {})


@pytest.fixture
def few(monkeypatch):
    """Fewer changes are run, since these tests need few questions."""
    monkeypatch.setattr(asking, "CHANGES", 14)


@pytest.fixture
def says(capsys):
    def said(kernel: Kernel, call: str) -> str:
        kernel.run(call)
        return capsys.readouterr().out.rstrip("\n")

    return said


@pytest.fixture
def any_code_passes(monkeypatch):
    monkeypatch.setattr(practising, "_verdict", lambda name, _: (Verdict(name, True, 99, 99, None, ""), {}))


def questions(name: str, code: str, most: int) -> list:
    """The first questions about this code, as they are made."""
    kernel = Kernel(code)
    practice = practising._Practice(name, kernel.names[name], 0, kernel.names)
    return [made for _ in range(most) if (made := practice.next())]


def called(name: str, source: str, arguments: list) -> list:
    """What each of several calls gives, as text; of a class, the call of what it makes."""
    names: dict = {}
    exec(PRELUDE + source, names)
    found = []
    for given, keywords in arguments:
        try:
            found.append(names[name](*given, **keywords))
        except Exception as error:
            found.append(type(error).__name__)
    return found


def on_the_way(name: str, source: str, part: str, line: int, call) -> list:
    """The values of a part in `line` while `call(names)` runs, of a name those after it."""
    names: dict = {}
    exec(compile(PRELUDE, "<prelude>", "exec"), names)
    exec(compile(source, "<fresh>", "exec"), names)
    found = []

    def see(frame, event, _):
        if frame.f_code.co_filename != "<fresh>" or frame.f_code.co_name not in (name, "forward", "__init__"):
            return see if frame.f_code.co_filename == "<fresh>" else None
        after = part.isidentifier()
        if event in ("line", "return") and (frame.f_lineno > line if after else frame.f_lineno == line):
            if event == "line" or not found:
                sys.settrace(None)
                found.append(frame.f_locals[part] if after else eval(part, names, dict(frame.f_locals)))
                sys.settrace(see)
        return see

    sys.settrace(see)
    try:
        call(names)
    finally:
        sys.settrace(None)
    return found


def with_line(code: str, choice: str) -> str:
    number, text = re.fullmatch(r"line (\d+): (.*)", choice).groups()
    lines = code.split("\n")
    old = lines[int(number) - 1]
    lines[int(number) - 1] = old[: len(old) - len(old.lstrip())] + text
    return "\n".join(lines)


def inputs_of(name: str) -> list:
    draws = torch.Generator().manual_seed(1)
    if name == "softmax":
        found = [torch.randn(3, 4, generator=draws) * scale for scale in (1, 9, 1000)]
        return [
            ((x, dim), {})
            for x in [*found, found[0].masked_fill(found[0] > 1, -torch.inf)]
            for dim in (0, -1)
        ]
    return [((t, s), {}) for s in range(1, 5) for t in range(1, s + 1)] + [((3,), {})]


@pytest.mark.parametrize("name", CODE)
def test_the_kinds_that_this_code_allows_are_asked_in_turn(name, says):
    kernel, texts, kinds = Kernel(CODE[name]), [], []
    for number, _ in enumerate(KINDS[name], start=1):
        texts.append(says(kernel, f'practise("{name}")'))
        kinds.append(practising._practices[name].open.question.kind)
        assert texts[-1].startswith(f"{name}, question {number}: ")
    assert kinds == KINDS[name] and len(set(texts)) == len(texts)


@pytest.mark.slow
@pytest.mark.parametrize("name", CODE)
def test_each_key_is_what_a_fresh_run_gives(name):
    """Of all questions of one run and more; nothing of what made them is used."""
    kinds, floats = set(), {"x": torch.float32} if name == "softmax" else {}
    for made in questions(name, CODE[name], 16):
        question, right = made.question, made.question.choices[made.answer]
        kinds.add(question.kind)
        assert wrong_key(question, made.answer, PRELUDE, CODE[name], floats) is None, question
        if question.kind in ("which-change", "does-it-matter"):
            lines = {int(re.match(r"line (\d+):", choice)[1]) for choice in question.choices}
            assert set(question.marked) == lines
        if question.kind == "trace":
            assert traced(question, floats) == right, question
        if question.kind == "does-it-matter" and name != "LayerNorm":
            own = called(name, question.code, inputs_of(name))
            for choice in question.choices:
                other = called(name, with_line(question.code, choice), inputs_of(name))
                assert all(map(alike, own, other)) == (choice == right), (question, choice)
    assert kinds == set(KINDS[name])


def traced(question, floats: dict) -> str:
    """What a question about a value on the way asks for, from its text alone."""
    asked = re.search(r"What is the (\w+) of “(.+)” (?:after|in) line (\d+)", question.prompt)
    what, part, line = asked.groups()
    of_class = re.search(r"with (LayerNorm\(.*?\)), x of shape (\(.*?\))\.", question.prompt)

    def call(names):
        if of_class:
            eval(of_class[1], names)(torch.randn(eval(of_class[2])))
        else:
            names[question.exercise](**_arguments(question.prompt, floats))

    value = on_the_way(question.exercise, question.code, part, int(line), call)[0]
    return str(tuple(value.shape)) if what == "shape" else tell(value)


def alike(one, other) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    return one.shape == other.shape and torch.allclose(one.double(), other.double(), atol=1e-5)


def test_an_answer_is_judged_and_explained_by_what_the_code_gives(says):
    kernel = Kernel(SOFTMAX)
    assert "no open question" in says(kernel, 'practise("softmax", "A")')
    shown = says(kernel, 'practise("softmax")')
    made = practising._practices["softmax"].open
    assert "the axis" not in shown and "# the largest" in shown  # a docstring is folded, code is not
    assert re.search(r"^→ +\d+  ", shown, re.M) and "  A   " in shown
    assert says(kernel, 'practise("softmax", "Z")').startswith("Answer with A, B, C or D")
    right = "ABCD"[made.answer]
    told = says(kernel, f'practise("softmax", {right.lower()!r})')
    assert told.startswith(f"✓ {right} is right.") and "1 of 1 answers right" in told
    given = made.question.choices[made.answer]
    assert f"{given} is what the changed code returned" in " ".join(told.split())
    says(kernel, 'practise("softmax")')
    made = practising._practices["softmax"].open
    wrong = (made.answer + 1) % 4
    told = says(kernel, f'practise("softmax", {"ABCD"[wrong]!r})')
    assert told.startswith(f"✗ Not {'ABCD'[wrong]}. {made.slips[wrong][:20]}")
    assert f"{'ABCD'[made.answer]} is right." in told and "1 of 2 answers right" in told
    assert "no open question" in says(kernel, 'practise("softmax", "A")')


def test_a_line_is_answered_by_its_number(says):
    kernel = Kernel(SOFTMAX)
    while "Find the changed line" not in (shown := says(kernel, 'practise("softmax")')):
        pass
    assert "→" not in shown and "One of the lines" in shown
    made = practising._practices["softmax"].open
    line = made.question.choices[made.answer]
    assert says(kernel, f'practise("softmax", {line})').startswith(f"✓ {line} is right. Line {line} was “")


def test_a_seed_gives_the_same_questions_and_another_one_others(says, few):
    def texts(call):
        practising._practices.clear()
        return says(Kernel(SOFTMAX), "; ".join([call] * 3))

    first = texts('practise("softmax")')
    assert first == texts('practise("softmax", seed=0)') != texts('practise("softmax", seed=1)')


def test_code_that_was_changed_is_asked_about_anew(says, few):
    kernel = Kernel(SOFTMAX)
    says(kernel, 'practise("softmax")')
    kernel.run(SOFTMAX.replace("top", "most"))
    assert "was defined again" in says(kernel, 'practise("softmax", "A")')
    shown = says(kernel, 'practise("softmax")')
    assert "question 1" in shown and "most" in shown and "top" not in shown


@pytest.mark.parametrize(
    "code, call, told",
    [
        (SOFTMAX, 'practise("sofmax")', r"no exercise named 'sofmax'. Did you mean 'softmax'\?$"),
        (
            SOFTMAX,
            "practise(softmax)",
            r'^Name the exercise as text, in quotation marks: practise\("softmax"\)\.$',
        ),
        ("", 'practise("softmax")', r"^This kernel has not run the cell of softmax yet\..*\.$"),
        (
            "def softmax(x, dim):\n    raise NotImplementedError\n",
            'practise("softmax")',
            r"^softmax has 0 of 4 points so far\. .*after full points: its check says what is missing\.$",
        ),
        (
            "def softmax(x, dim):\n    return x.exp() / x.exp().sum(dim, keepdim=True)\n",
            'practise("softmax")',
            r"^softmax has 3 of 4 points so far",
        ),
    ],
    ids=["unknown", "no text", "not run", "not written", "not whole"],
)
def test_before_full_points_one_sentence_says_what_is_missing(says, monkeypatch, code, call, told):
    monkeypatch.setattr(practising, "run_apart", None)  # nothing runs
    text = says(Kernel(code), call)
    assert re.search(told, text) and "\n" not in text


@pytest.mark.parametrize(
    "body, told",
    [
        ("while True:\n    pass", "on small inputs it gives Timeout: did not end within"),
        ("import os\nos._exit(0)", "the process ends in the middle of it"),
        ("return x / 0 + y", "on small inputs it gives NameError"),
        ("return object()", "it is too short, or no small change of it shows"),
    ],
    ids=["loops", "ends", "fails", "no data"],
)
def test_code_that_gives_nothing_to_ask_about_is_told_in_one_sentence(
    says, any_code_passes, monkeypatch, body, told
):
    runs = []
    monkeypatch.setattr(practising, "run_apart", lambda task: runs.append(task) or run_apart(task))
    kernel = Kernel("def softmax(x, dim):\n" + textwrap.indent(body, "    "))
    text = says(kernel, 'practise("softmax")')
    assert told in text and "\n" not in text
    assert len(runs) == 1 or "too short" in told  # what stops once stops again


def test_code_that_was_not_written_here_is_told(says, any_code_passes):
    assert "a library's in its place" in says(Kernel("from allyouneed import softmax"), 'practise("softmax")')
    kernel = Kernel()
    exec("def softmax(x, dim):\n    return x", kernel.names)
    assert "run the cell that defines it" in says(kernel, 'practise("softmax")')


def test_a_flood_of_prints_reaches_nobody(capfd, few):
    loud = SOFTMAX.replace("    top =", "    print('flood' * 10_000)\n    top =")
    kernel = Kernel("print('flood')\n" + loud)
    capfd.readouterr()
    kernel.run('practise("softmax")')
    found = capfd.readouterr()
    assert "softmax, question 1" in found.out and "flood" * 2 not in found.out + found.err


def test_what_it_runs_changes_nothing_in_the_kernel(says, few):
    harmful = "kept = []\n" + SOFTMAX.replace("    top =", "    kept.append(1); torch.tau = 6\n    top =")
    kernel = Kernel(harmful)
    assert "question 1" in says(kernel, 'practise("softmax")')
    assert kernel.names["kept"] == [] and not hasattr(torch, "tau")


def test_nothing_is_asked_while_a_notebook_is_graded(says, monkeypatch):
    monkeypatch.setitem(worker.captured, "softmax", None)
    assert says(Kernel(SOFTMAX), 'practise("softmax")').startswith("Questions to practise are not asked")


def test_of_other_cells_only_what_counts_now_is_taken():
    kernel = Kernel(
        "def scale(x):\n    return 2 * x",
        "unused = scale(3)",
        "size = 2",
        "base = 3",
        "size = base - 1",
        "size += 1",
    )
    kernel.names["In"] += [
        "import not_there_at_all",
        "from not_there import thing",
        "not python at all",
        "def lost():\n    pass",
    ]
    kernel.run("def scale(x):\n    return size * x")
    kernel.run("def softmax(x, dim):\n    return scale(x)")
    own = own_code("softmax", kernel.names["softmax"], kernel.names, 60)
    assert own.text == "def softmax(x, dim):\n    return scale(x)\n" and own.parameters == ("x", "dim")
    names: dict = {}
    exec(own.support, names)
    assert names["scale"](1) == 3 and "2 * x" not in own.support
    assert not any(word in own.support for word in ("unused", "not_there", "lost"))


@pytest.mark.parametrize(
    "change, told",
    [
        (lambda x: x.softmax(0), "sum to 1 along the last axis but one, and did along the last axis."),
        (
            lambda x: x.softmax(-1) * 2,
            "sum to 1 along the last axis no longer, but to [2, 2]. Every number is the",
        ),
        (lambda x: x.softmax(-1)[:, :1], "Its shape is (2, 1), and was (2, 3)."),
        (lambda x: x.softmax(-1).flip(-1), "What stands along the last axis stands in reverse order."),
        (lambda x: x * torch.nan, ""),
    ],
)
def test_what_a_change_does_is_told_from_the_results(change, told):
    x = torch.tensor([[0.0, 1, 3], [2, 0, 1]])
    found = beside(x.softmax(-1), change(x))
    assert told in found and bool(told) == bool(found)
    assert beside(x, x) == ""


@pytest.mark.slow
def test_it_needs_and_reads_nothing_that_students_do_not_have(root, tmp_path):
    """No file of the grader, of solutions or of a course's private folder is opened."""
    (tmp_path / "own.py").write_text(PRELUDE + SOFTMAX)
    code = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
from own import softmax
from allyouneed import practise
for _ in range(6):
    practise("softmax")
    practise("softmax", "A")
assert "coursegrader" not in sys.modules
for path in opened:
    assert not path.startswith(("{root}/solutions", "{root}/lib/coursegrader", "{root}/.coursegrader")), path
assert any("03-attention.json" in path for path in opened)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "question 6" in done.stdout and str(root) not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["03-attention", "06-transformer"])
def test_right_versions_of_whole_sets_are_asked_about(root, name):
    """The exercises that students have by now; a later one may call an earlier one."""
    problem_set = ProblemSet(root, name)
    public = set(practising._exercises(name))
    kernel = Kernel(problem_set.prelude, *problem_set.helpers.values())
    for exercise in public:
        practice = practising._Practice(exercise, kernel.names[exercise], 0, kernel.names)
        assert practice.next(), (exercise, practice.trouble)


@pytest.mark.slow
def test_in_a_kernel_it_finds_functions_and_classes_in_cells(tmp_path):
    from nbclient import NotebookClient

    asked = ["softmax", "LayerNorm"]
    cells = [
        PRELUDE + "from allyouneed import practise",
        "import not_there_at_all",
        "def largest(x, dim):\n    return x.amin(dim, keepdim=True)",
        "%time x = 1\n" + SOFTMAX.replace("x.amax(dim, keepdim=True)", "largest(x, dim)"),
        "def largest(x, dim):\n    return x.amax(dim, keepdim=True)",
        NORM,
        *(f'practise("{name}")' for name in asked),
    ]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    notebook.cells[1].metadata["tags"] = ["raises-exception"]
    NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": tmp_path}}, kernel_manager_class=AsyncKernel
    ).execute()
    for name, cell in zip(asked, notebook.cells[-2:]):
        text = "".join(output.get("text", "") for output in cell.outputs)
        assert text.startswith(f"{name}, question 1:"), text


@pytest.mark.parametrize(
    "value, told",
    [(-0.001, "0"), (np.float64(-0.001), "0"), ((np.float64(0.5), 2), "(0.5, 2)"), (torch.ones(2), "[1, 1]")],
)
def test_a_number_is_told_alike_from_whatever_library_it_comes(value, told):
    assert tell(value) == told
