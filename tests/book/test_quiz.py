"""The quizzes: their files, and what a reader sees on choosing."""

import re
import sys

import pytest
from book.pages import LESSONS, ROOT, soup

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import quiz

FOLDER = ROOT / "book" / "quizzes"
QUIZZES = {}  # each chapter's files: one, or one for each of its sections
for path in sorted(FOLDER.rglob("*.yml")):
    QUIZZES.setdefault(path.relative_to(FOLDER).parts[0].removesuffix(".yml"), []).append(path)
WHOLE = "- question: Why?\n  choices:\n    - {text: A, why: B}\n    - {text: C, why: D, right: true}\n"


@pytest.mark.parametrize("chapter", QUIZZES)
def test_a_chapters_questions_are_whole(chapter):
    files = [quiz.read(path) for path in QUIZZES[chapter]]
    assert all(2 <= len(found) <= 3 for found in files) if len(files) > 1 else 5 <= len(files[0]) <= 8
    questions = [item for found in files for item in found]
    places = [[bool(choice.get("right")) for choice in item["choices"]].index(True) for item in questions]
    assert len(set(places)) >= 3, f"the right choice stands at {places}: that is easily guessed"
    assert all(3 <= len(item["choices"]) <= 5 for item in questions)
    texts = [
        text for item in questions for choice in item["choices"] for text in (choice["text"], choice["why"])
    ]
    assert len(set(texts)) == len(texts), "each choice has an explanation of its own"
    assert sum("](" in text for text in texts) >= 3, "explanations lead back into the chapter"
    for item in questions:
        right, wrong = (
            max(len(choice["text"]) for choice in item["choices"] if bool(choice.get("right")) == side)
            for side in (True, False)
        )
        assert right <= 2.2 * wrong, f"the right choice is easily seen: {item['question']}"
    first = [max(item["choices"], key=lambda choice: len(choice["text"])) for item in questions]
    longest = sum(bool(choice.get("right")) for choice in first)
    assert longest <= 0.45 * len(questions), f"the longest choice is right in {longest} of {len(questions)}"


@pytest.mark.site
def test_every_chapter_and_every_section_ends_with_its_quiz():
    for page in LESSONS:
        found = soup(page).select(".quiz fieldset")
        assert len(found) == len(quiz.read(ROOT / "book" / "quizzes" / f"{page[5:-5]}.yml")), page


@pytest.mark.parametrize(
    "text, problem",
    [
        ("a: [", "is not YAML"),
        ("question: Why?", "a list of questions"),
        (WHOLE.replace("question:", "ask:"), "question 1: it needs"),
        (WHOLE.replace(", why: B", ""), "needs `text` and `why`"),
        (WHOLE.replace("right: true", "right: false"), "exactly one choice"),
        (WHOLE.replace("why: B", "why: B, right: true"), "exactly one choice"),
    ],
)
def test_a_broken_quiz_is_named(text, problem, tmp_path):
    path = tmp_path / "broken.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(problem)):
        quiz.read(path)


@pytest.mark.site
@pytest.mark.browser
def test_a_choice_explains_itself_by_mouse_and_by_keyboard(address, browser):
    tab = browser.new_page()
    tab.set_default_timeout(120_000)
    tab.goto(address + "book/03-attention/look-up.html")
    first = tab.locator(".quiz fieldset").first
    assert first.locator(".quiz-why:visible").count() == 0
    first.locator("label").nth(0).click()
    assert first.locator(".quiz-why:visible").all_inner_texts()[0].startswith("No.")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    shown = first.locator(".quiz-why:visible").all_inner_texts()
    assert len(shown) == 1 and shown[0].startswith("Yes.")
    tab.close()
