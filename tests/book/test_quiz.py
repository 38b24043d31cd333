"""The quizzes: their files, and what a reader sees on choosing."""

import re
import sys

import pytest
from book.pages import CHAPTERS, ROOT, soup

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import quiz

FILES = sorted((ROOT / "book" / "quizzes").glob("*.yml"))
WHOLE = "- question: Why?\n  choices:\n    - {text: A, why: B}\n    - {text: C, why: D, right: true}\n"


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_each_quiz_is_whole(path):
    questions = quiz.read(path)
    assert 5 <= len(questions) <= 8
    places = [[bool(choice.get("right")) for choice in item["choices"]].index(True) for item in questions]
    assert len(set(places)) >= 3, f"the right choice stands at {places}: that is easily guessed"
    assert all(3 <= len(item["choices"]) <= 5 for item in questions)
    texts = [
        text for item in questions for choice in item["choices"] for text in (choice["text"], choice["why"])
    ]
    assert len(set(texts)) == len(texts), "each choice has an explanation of its own"
    assert sum("](" in text for text in texts) >= 3, "explanations lead back into the chapter"


@pytest.mark.site
def test_every_chapter_ends_with_its_quiz():
    for page in CHAPTERS:
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
    tab.goto(address + "book/03-attention.html")
    first = tab.locator(".quiz fieldset").first
    assert first.locator(".quiz-why:visible").count() == 0
    first.locator("label").nth(0).click()
    assert first.locator(".quiz-why:visible").all_inner_texts()[0].startswith("No.")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    shown = first.locator(".quiz-why:visible").all_inner_texts()
    assert len(shown) == 1 and shown[0].startswith("Yes.")
    tab.close()
