"""The mistakes of a class: in words, with their share, the code of one, and no name before a click."""

import re

import pytest
from grading.classroom import Student, make_course, write_submission

from coursegrader.reporting.item_analysis import ENOUGH, analyse
from coursegrader.reporting.mistakes import NOT_WRITTEN, shared_mistakes
from coursegrader.reporting.report import _summary
from coursegrader.reporting.report_page import report_page
from coursegrader.reporting.sources import class_texts
from coursegrader.rubric.language import Version

NAME, SITE = "03-attention", "https://example.org/course/"
WRONG = '''
def causal_mask(n_queries, n_keys):
    """Mine."""
    import torch  # again
    rows = torch.arange(n_queries)
    return rows[:, None] > torch.arange(n_keys)
'''
LONG = WRONG.replace("return ", "columns = torch.arange(n_keys)\n    other = 1\n    return ").replace(
    "rows", "r"
)


def verdict(exercise, misconception, message="Told <so>.", points=0):
    return {
        "exercise": exercise,
        "misconception": misconception,
        "message": message,
        "points": points,
        "section": "causal-mask" if misconception else "",
    }


def texts(course, verdicts):
    return class_texts(course, verdicts)[0]


@pytest.fixture(scope="module")
def course(attention, tmp_path_factory):
    """Ada and Bob have the same mistake in other words; Cy has written nothing, Di is right."""
    course = make_course(attention, tmp_path_factory.mktemp("mistakes"))
    right = {name: exercise.reference for name, exercise in course.exercises.items()}
    for who, source in (("ada", LONG), ("bob", WRONG), ("cy", "(")):
        place = course.root / "autograded" / who / NAME / f"{NAME}.ipynb"
        answers = right | {"causal_mask": Version("own", source)}
        write_submission(attention.root / "notebooks" / NAME / f"{NAME}.ipynb", Student(who, answers), place)
    return course


VERDICTS = {
    "ada": [verdict("causal_mask", "inverted"), verdict("softmax", None)],
    "bob": [verdict("causal_mask", "inverted"), verdict("softmax", None)],
    "cy": [verdict("causal_mask", NOT_WRITTEN, "Write it.")],
    "di": [verdict("causal_mask", None, "right")],
}


def marked(example):
    return [line.strip() for line, mark in zip(example.text.split("\n"), example.marks, strict=True) if mark]


def test_a_mistake_has_its_message_all_who_made_it_and_the_code_of_the_one_nearest_to_what_is_right(course):
    first, second = shared_mistakes(course, VERDICTS, texts(course, VERDICTS))
    assert (first.exercise, first.message, first.students) == ("causal_mask", "Told <so>.", ("ada", "bob"))
    # Bob's, which has less that no right answer has; of it the line in which the mistake lies
    assert first.example.text.strip() == WRONG.strip().replace('    """Mine."""\n', "")
    assert marked(first.example) == ["return rows[:, None] > torch.arange(n_keys)"]
    assert (second.misconception, second.students, second.example) == (NOT_WRITTEN, ("cy",), None)


def test_what_somebody_of_the_class_has_right_is_not_marked(course):
    """Bob's way of making rows is his own until Fay, who is right, has it too."""
    own = WRONG.replace("torch.arange(n_queries)", "torch.full((n_queries,), 1).cumsum(0) - 1")
    right = own.replace("rows[:, None] >", "rows[:, None] >=")
    found = []
    for verdicts in (
        {"bob": [verdict("causal_mask", "inverted")]},
        {"bob": [verdict("causal_mask", "inverted")], "fay": [verdict("causal_mask", None, "right")]},
    ):
        own_texts = {"bob": {"causal_mask": [own]}, "fay": {"causal_mask": [right]}}
        found.append(marked(shared_mistakes(course, verdicts, own_texts)[0].example))
    assert [line.split()[0] for line in found[0]] == ["rows", "return"]
    assert found[1] == ["return rows[:, None] > torch.arange(n_keys)"]


def test_the_page_tells_in_words_with_links_and_names_only_on_a_click(course):
    points = [[number % 3, number % 4] for number in range(ENOUGH)]
    items = analyse(["causal_mask", "softmax"], points, [2, 3], [])
    shared = shared_mistakes(course, VERDICTS, texts(course, VERDICTS))
    page = report_page(course, [["student"], ["ada"]], items, shared, [], [("cy", "late")], 4, 0, SITE)
    assert "<summary>2 (50%)</summary>ada, bob</details>" in page and "Told &lt;so&gt;." in page
    assert f'<a href="{SITE}book/{NAME}.html#causal-mask">causal mask</a>' in page
    assert "inverted" not in page and "not-implemented" not in page
    assert re.search(r"Not written:.*<summary>1 \(25%\)</summary>cy", page)
    assert "above 0.3 it tells strong from weak" in page and '<th scope="col">discrimination' in page
    outside = re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL)
    assert not re.search(r"\b(ada|bob|cy)\b", outside)
    assert not re.search(r"<script|<link|<img|src=|url\(", page)
    small = analyse(["causal_mask"], points[:3], [2], [])
    assert '<th scope="col">discrimination' not in report_page(course, [[]], small, [], [], [], 4, 0, SITE)


def test_code_of_any_kind_is_shown_as_it_stands_or_not_at_all(course):
    for body, shown in (
        ("    x = '\x1b\u202e<b>'", True),
        ("    x = (", True),
        ("    x = 1\n" * 5000, False),
    ):
        source = f"def causal_mask(n_queries, n_keys):\n{body}"
        verdicts = {"eve": [verdict("causal_mask", "inverted")]}
        found = shared_mistakes(course, verdicts, {"eve": {"causal_mask": [source]}})
        assert (found[0].example is not None) == shown
        page = report_page(course, [[]], [], found, [], [], 1, 0, SITE)
        assert ("<summary>what one of them wrote</summary>" in page) == shown
        assert not {"\x1b", "\u202e", "<b>"} & set(re.findall(r"\x1b|\u202e|<b>", page))


def test_the_terminal_tells_in_words_and_counts_no_empty_answer_as_a_mistake(course):
    shared = shared_mistakes(course, VERDICTS, texts(course, VERDICTS))
    text = _summary(course, 4, [], shared, [], [], 0, [], [], [], False, SITE)
    assert "2 of 4  causal_mask: Told <so>." in text and f"{SITE}book/{NAME}.html#causal-mask" in text
    assert "Write it." not in text and "inverted" not in text
