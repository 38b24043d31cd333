"""The built site: links, headings, formulas, the way from page to page, the search, and light and dark."""

import re
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from book.pages import CHAPTERS, CONTENT, PAGES, ROOT, SITE, names_in, soup, text_without

from coursegrader.course.problem_set import ProblemSet, all_problem_sets

pytestmark = pytest.mark.site


@pytest.mark.parametrize("page", PAGES)
def test_internal_links_and_anchors_lead_somewhere(page):
    broken = []
    for link in soup(page).find_all("a", href=True):
        parts = urlsplit(urljoin(page, link["href"]))
        if parts.scheme or parts.netloc or link["href"].startswith("//"):
            continue
        target, anchor = unquote(parts.path) or page, unquote(parts.fragment)
        target = target + "index.html" if target.endswith("/") else target
        if not (SITE / target).is_file():
            broken.append(link["href"])
        elif anchor and target.endswith(".html") and anchor not in names_in(target):
            broken.append(link["href"])
    assert not broken, f"{page} links to nothing: {sorted(set(broken))}"


@pytest.mark.parametrize("page", CONTENT)
def test_images_say_what_they_show(page):
    silent = [
        image.get("src") for image in soup(page).article.find_all("img") if len(image.get("alt", "")) < 20
    ]
    assert not silent, f"{page}: images without an alternative text: {silent}"


@pytest.mark.parametrize("page", CONTENT)
def test_one_first_heading_and_no_level_skipped(page):
    headings = [int(tag.name[1]) for tag in soup(page).article.find_all(["h1", "h2", "h3", "h4"])]
    assert headings[:1] == [1] and headings.count(1) == 1, f"{page}: headings {headings}"
    assert all(later - earlier <= 1 for earlier, later in zip(headings, headings[1:])), (
        f"{page}: headings {headings}"
    )


@pytest.mark.parametrize("page", CONTENT)
def test_every_formula_was_rendered_when_the_book_was_built(page):
    document = soup(page)
    scripts = [script.get("src", "").lower() for script in document.find_all("script")]
    assert not [source for source in scripts if "mathjax" in source or "katex" in source]
    # messages in definitions of certified pages hold code
    code = ("pre", "code", "math", *(["dd"] if "/certified/" in page else []))
    left = re.findall(r"\$[^$\n]+\$|\\\(", text_without(document.article, code))
    assert not left, f"{page}: a formula was left as text: {left}"


@pytest.mark.parametrize("problem_set", [problem_set.name for problem_set in all_problem_sets(ROOT)])
def test_the_sections_that_feedback_links_to_are_there(problem_set):
    exercises = ProblemSet(ROOT, problem_set).exercises.values()
    wanted = {
        section
        for exercise in exercises
        for section in (exercise.section, *(mistake.section for mistake in exercise.mistakes.values()))
    }
    missing = wanted - set().union(*map(names_in, CHAPTERS[problem_set]))
    assert wanted and not missing, (
        f"the grader's messages link to these sections of {problem_set}: {sorted(missing)}"
    )


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_numbers_were_glued_in_and_figures_drawn(chapter):
    pages = [soup(page) for page in CHAPTERS[chapter]]
    assert not any(page.select(".pasted-missing") for page in pages), "a glued number is missing"
    assert sum(len(page.select("article .figure, article figure")) for page in pages) >= 10
    shown = [output.get_text() for page in pages for output in page.select(".cell_output pre")]
    # a model, or an object, that a cell's last line happened to give back
    assert not [
        text[:60] for text in shown if re.match(r"\w+\(\n  \(|<[\w.]+ (object )?at 0x|\[?<matplotlib", text)
    ]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_leads_to_its_problem_set(chapter):
    text = soup(CHAPTERS[chapter][0]).select_one("article").get_text()
    assert f"notebooks/{chapter}/{chapter}.ipynb" in text


def test_who_goes_on_with_next_reads_everything_before_the_instructors_part():
    page, read = "book/index.html", []
    while link := soup(page).select_one("a.right-next"):
        page = urljoin(page, link["href"])
        read.append(page)
    first = next(place for place, page in enumerate(read) if "/instructors/" in page)
    assert len(set(read)) == len(read) == len(CONTENT) - 1
    assert (
        all("/instructors/" in page for page in read[first:]) and read[first - 1] == "book/bibliography.html"
    )


@pytest.mark.browser
def test_the_search_leaves_out_the_lists_of_tried_mistakes(address, browser):
    tab = browser.new_page()
    tab.set_default_timeout(120_000)
    tab.goto(address + "search.html?q=transpose")
    results = tab.locator("#search-results li a")
    results.filter(has_text="The layer").first.wait_for()
    assert not [name for name in results.all_inner_texts() if "Certified" in name]
    tab.close()


@pytest.mark.browser
@pytest.mark.parametrize(
    "system, chosen, theme",
    [("dark", None, "dark"), ("light", None, "light"), ("dark", "light", "light"), ("light", "dark", "dark")],
)
def test_a_page_is_dark_where_the_reader_or_else_the_system_wants_it(system, chosen, theme, address, browser):
    with browser.new_context(color_scheme=system) as context:
        context.set_default_timeout(120_000)
        if chosen:
            context.add_init_script(
                f"localStorage.setItem('mode', '{chosen}'); localStorage.setItem('theme', '{chosen}')"
            )
        tab = context.new_page()
        tab.add_init_script(
            "addEventListener('DOMContentLoaded', () => { window.first = "
            "document.documentElement.dataset.theme; }, true)"
        )
        tab.goto(address + "book/preface.html", wait_until="load")
        assert tab.evaluate("[first, document.documentElement.dataset.theme]") == [theme, theme]


@pytest.mark.browser
def test_a_phones_contents_close_when_a_place_is_chosen(address, browser):
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        context.set_default_timeout(120_000)
        tab = context.new_page()
        tab.goto(address + "book/05-positions/relative.html", wait_until="load")
        tab.locator(".secondary-toggle").click()
        link = tab.locator("dialog[open] a[href='#rotary-positions']")
        link.click()
        link.wait_for(state="hidden")
        assert not tab.locator("dialog[open]").count()
        tab.wait_for_function("Math.abs(document.getElementById('rotary').getBoundingClientRect().top) < 300")


@pytest.mark.browser
def test_the_search_works_from_any_page(address, browser):
    """The pages themselves load nothing of the search; its own page does."""
    tab = browser.new_page()
    tab.set_default_timeout(120_000)
    tab.goto(address + "book/06-transformer/layer.html")
    assert not tab.locator("script[src*=search]").count()
    tab.keyboard.press("Control+k")
    tab.keyboard.type("induction head")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search.html*")
    tab.locator("#search-results li a", has_text="Multi-head attention").first.wait_for()
    tab.close()
