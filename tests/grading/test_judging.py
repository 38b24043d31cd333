"""What is said where a submission defines nothing to grade, and of marks that a person gave."""

import base64
import json
import time

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from allyouneed.check.judge import Verdict
from coursegrader.grading.follow_on import _between, judged_again
from coursegrader.grading.job import own_cells
from coursegrader.grading.judging import own_sources, with_reason
from coursegrader.grading.worker import MESSAGE_PARTS, _as_plain_text, _responses

NOTHING = Verdict("f", False, 0, 4, "no-answer", "There is nothing named f to grade.", "why")


def error(name, text):
    return [new_output("error", ename=name, evalue=text, traceback=[])]


def reason(*cells, response=None):
    found = with_reason(NOTHING, {"missing": True} if response is None else response, list(cells))
    assert (found.points, found.max_points, found.section) == (0, 4, "why")
    return found.misconception, found.message


@pytest.mark.parametrize(
    "source, said",
    [
        ("x = 1\ndef f(x)\n    return x", "line 2, `def f(x)`: expected ':'."),
        ("def f(x):\nreturn x", "line 2, `return x`: expected an indented block after function definition"),
        ("%matplotlib inline\n\ndef f(x:\n    return x", "line 3, `def f(x:`: '(' was never closed"),
        ("f = (1,\n", "line 1, `f = (1,`: '(' was never closed."),
    ],
    ids=["colon", "indent", "after a magic", "bracket"],
)
def test_a_cell_that_python_cannot_read_is_told_with_its_line_and_pythons_message(source, said):
    kind, message = reason(new_code_cell("import torch"), new_code_cell(source))
    assert kind == "syntax-error" and said in message, message
    assert "There is nothing named f" not in message and "nothing named f to grade. Mend this line" in message


def test_what_only_the_compiler_finds_is_told_as_well():
    cell = new_code_cell(
        "f = 1\nreturn f", outputs=error("SyntaxError", "'return' outside function (2406837343.py, line 2)")
    )
    assert reason(cell)[1].startswith(
        "The cell above the check is not Python yet: line 2, `return f`: 'return' outside function."
    )


def test_a_cell_that_stops_while_it_defines_is_told_with_its_error():
    cell = new_code_cell(
        "g = helper\ndef f(x): return g(x)", outputs=error("NameError", "name 'helper' is not defined")
    )
    kind, message = reason(cell)
    assert (
        kind == "raises" and "stops before f is defined: NameError: name 'helper' is not defined." in message
    )
    stub = new_code_cell("raise NotImplementedError", outputs=error("NotImplementedError", ""))
    assert reason(stub)[0] == "not-implemented"


def test_ipython_and_cells_in_order_are_no_reason():
    cells = [new_code_cell("%%time\nx = 1"), new_code_cell("!ls\ny = 2"), new_code_cell("def g(x): return x")]
    assert reason(*cells) == ("no-answer", NOTHING.message)
    broken = new_code_cell("def f(x)\n    return x")
    assert (
        reason(broken, response={"answers": []})[0] == "no-answer"
        and reason(broken, response={})[0] == "no-answer"
    )


def test_an_exercise_has_the_cells_between_its_check_and_the_one_before():
    meta = {"nbgrader": {"grade": True, "solution": False, "points": 1}}
    notebook = new_notebook(
        cells=[
            new_code_cell("one"),
            new_code_cell("check('f', f)", metadata=meta),
            new_code_cell("two"),
            new_code_cell("three"),
            new_code_cell("check('g', g)", metadata=meta),
        ]
    )
    first, second = notebook.cells[1], notebook.cells[4]
    assert [cell.source for cell in own_cells(notebook, first)] == ["one"]
    assert [cell.source for cell in own_cells(notebook, second)] == ["two", "three"]


def test_an_error_of_a_million_brackets_is_read_at_once():
    cell = new_code_cell("f = 1", outputs=error("SyntaxError", " (" * 500_000 + ", " * 500_000))
    start = time.process_time()
    assert reason(cell)[0] == "syntax-error"
    assert time.process_time() - start < 1


def checked(name):
    about = {"grade": True, "solution": False, "grade_id": name, "points": 1}
    return new_code_cell(f"check('{name}', {name})", metadata={"nbgrader": about})


def test_of_names_that_are_defined_again_an_exercise_has_those_before_its_check():
    cells = ["def g(): return 1", "def f(): return g()", checked("f"), "def g(): return 2", checked("g")]
    cells = [new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    sources = own_sources(new_notebook(cells=cells))
    assert sources["f"] == "def g(): return 2\ndef g(): return 1\ndef f(): return g()"
    assert sources["g"] == "def g(): return 1\ndef f(): return g()\ndef g(): return 2"
    cells[3].source = "def h():\n    g = 2\ng == 3"
    sources = own_sources(new_notebook(cells=cells))
    assert sources["f"] == sources["g"] == "def g(): return 1\ndef f(): return g()\n" + cells[3].source


def said(answers):
    text = base64.b64encode(answers).decode()
    return new_code_cell("", outputs=[new_output("stream", name="stdout", text=f"nonce{text}nonce")])


def test_answers_of_millions_of_parts_are_not_read():
    assert _responses(said(json.dumps({"f": {"answers": [1]}}).encode()), "nonce") == {"f": {"answers": [1]}}
    assert _responses(said(b'{"f": {"answers": [' + b"{}," * MESSAGE_PARTS + b"1]}}"), "nonce") == {}


def test_half_a_character_is_a_question_mark():
    for output in (
        new_output("stream", name="stdout", text="a\ud800"),
        new_output("error", ename="a\ud800", evalue="a\ud800", traceback=["a\ud800"]),
        new_output("display_data", data={"text/plain": "a\ud800"}),
    ):
        assert json.dumps(_as_plain_text(output), ensure_ascii=False).encode().count(b"a?") >= 1


@pytest.mark.parametrize("answers", [None, 5, "text", {}, {"a": 1}])
def test_a_forged_response_is_not_judged_again(attention, answers):
    earlier = [Verdict("g", False, 0, 4, "raises", "Stops.", "why")]
    assert judged_again(attention, NOTHING, earlier, {"answers": answers}, "f = g", None) == NOTHING


def test_the_shortest_way_to_another_definition_is_found():
    source = "def a(): b(), c()\ndef b(): d()\ndef c(): c2()\ndef c2(): d()\ndef d(): a()\ndef e(): e()"
    assert _between(source, "a", "b") == [] and _between(source, "a", "d") == ["b"]
    assert _between(source, "c", "b") == ["c2", "d", "a"] and _between(source, "a", "e") is None
    assert _between(source, "a", "a") == ["b", "d"] and _between(source, "e", "e") == []
