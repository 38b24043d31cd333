"""The book in other forms: one PDF, slides, and an archive that opens with one command."""

import re
import shutil
import subprocess
import sys
import unicodedata
import urllib.error
import urllib.request
import zipfile

import pytest
from book.pages import CHAPTERS, PAGES, ROOT, SITE, soup

sys.path.insert(0, str(ROOT / "book" / "_forms"))
import archive
import pdf
import site_pages
import slides

pytestmark = pytest.mark.xdist_group("forms")
TITLE, AUTHOR = "A course", "its contributors"


# The PDF
# ------------------------------------------------------------------------------------------------------------

PRINTED = [
    "book/preface.html",
    "book/notation.html",
    "book/exercises/03-attention.html",
    "book/glossary.html",
]


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Four pages as a book, and what was said while it was made."""
    from pypdf import PdfReader

    said, out = [], tmp_path_factory.mktemp("pdf") / "book.pdf"
    pdf.make(SITE, out, TITLE, AUTHOR, only=PRINTED, say=said.append)
    return PdfReader(out), said


def words(reader, number):
    return " ".join(unicodedata.normalize("NFKC", reader.pages[number].extract_text()).split())


@pytest.mark.site
@pytest.mark.browser
@pytest.mark.slow
def test_the_pdf_holds_each_page_and_says_how_far_it_is(printed):
    reader, said = printed
    assert len(said) == len(PRINTED) + 1 and said[0].startswith("[ 1/4] How to use this course")
    assert reader.metadata.title == TITLE and TITLE in words(reader, 0) and AUTHOR in words(reader, 0)
    text = " ".join(words(reader, number) for number in range(len(reader.pages)))
    for heading in (
        "How to use this course",
        "Letters with two meanings",
        "Problem set 03: Attention",
        "Cost and scale",
    ):
        assert heading in text
    assert "I get nan or inf" in text and "infinite? Try 88 and 89" in text, "what folds must be printed open"


@pytest.mark.site
@pytest.mark.browser
@pytest.mark.slow
def test_page_numbers_run_through_the_book(printed):
    reader, _ = printed
    titles = "How to use this course|Problem set 3|Notation|Glossary"
    for number in range(2, len(reader.pages)):
        assert re.match(rf"({titles}) {number + 1}\b", words(reader, number)), words(reader, number)[:80]


@pytest.mark.site
@pytest.mark.browser
@pytest.mark.slow
def test_contents_and_outline_lead_to_the_right_pages(printed):
    reader, _ = printed

    def flat(items):
        return [entry for item in items for entry in (flat(item) if isinstance(item, list) else [item])]

    outline = {item.title: reader.get_destination_page_number(item) for item in flat(reader.outline)}
    for title in ("Notation", "Letters with two meanings", "Glossary", "Training and writing"):
        assert title in words(reader, outline[title]), title
    contents = words(reader, 1)
    number = int(re.search(r"Letters with two meanings\D*(\d+)", contents)[1])
    assert number == outline["Letters with two meanings"] + 1


@pytest.mark.site
@pytest.mark.browser
@pytest.mark.slow
def test_links_between_pages_lead_inside_the_pdf(printed):
    reader, said = printed
    inside = outside = 0
    for page in reader.pages:
        for link in (item.get_object() for item in page.get("/Annots") or []):
            if "/Dest" in link:
                assert link["/Dest"][0].get_object()["/Type"] == "/Page"
                inside += 1
            else:
                assert link["/A"]["/URI"].startswith("https://") and "127.0.0.1" not in link["/A"]["/URI"]
                outside += 1
    assert inside >= 15 and f"{inside} links inside, {outside} to other sites" in said[-1]


def test_an_anchor_that_was_not_printed_leads_to_its_page():
    book = pdf.Book()
    book.places = {"book/a.html": (3, 0.0, 800.0), "book/a.html#x": (4, 10.0, 500.0)}
    assert (
        book.place("book/a.html#x")[0] == 4
        and book.place("book/a.html#y")[0] == 3
        and book.place("book/b.html") is None
    )


# Slides
# ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def talks(tmp_path_factory):
    """The folder of all decks, and the talks by chapter."""
    out = tmp_path_factory.mktemp("slides")
    return out, {talk.name: talk for talk in slides.make(SITE, out, TITLE, say=lambda text: None)}


@pytest.mark.site
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_talk_has_the_chapters_figures_sections_and_questions(name, talks):
    _, by_name = talks
    talk, chapter = by_name[name], [soup(page) for page in CHAPTERS[name]]
    shown = "".join(slide.body for slide in talk.slides)
    missing = [
        image["src"]
        for page in chapter
        for image in page.select("article figure img")
        if image["src"].rsplit("/", 1)[-1] not in shown
    ]
    assert not missing, "figures without a slide"
    titles = [re.sub("<[^>]*>", "", f"{slide.above} {slide.title}") for slide in talk.slides]
    for heading in [tag for page in chapter for tag in page.select("article > section > section > h2")]:
        if heading.parent.get("id") not in slides.SKIPPED_SECTIONS:
            assert any(site_pages.heading(heading)[:8] in title for title in titles), heading.text
    assert sum(slide.kind == "quiz" for slide in talk.slides) == sum(
        len(page.select(".quiz fieldset")) for page in chapter
    )
    assert 25 <= sum(slide.kind != "quiz" for slide in talk.slides) <= 130


@pytest.mark.site
@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("name", CHAPTERS)
def test_no_slide_overflows_and_nothing_is_asked_of_the_network(name, talks, browser):
    out, _ = talks
    tab = browser.new_page(viewport={"width": 1280, "height": 744})
    tab.set_default_timeout(120_000)
    trouble = []
    tab.on(
        "request", lambda request: request.url.startswith(("file:", "data:")) or trouble.append(request.url)
    )
    tab.on("requestfailed", lambda request: trouble.append(f"failed: {request.url}"))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.goto((out / f"{name}.html").as_uri(), wait_until="load")
    full = tab.evaluate("""() => deck.slides.flatMap((slide, number) => {
      deck.show(number);
      const found = [], body = slide.querySelector(".body");
      const check = (when) => {
        if (body.scrollHeight > body.clientHeight + 1 || body.scrollWidth > body.clientWidth + 1)
          found.push(`${number + 1} ${when}: ${slide.querySelector("h2").textContent}`);
        const stage = slide.querySelector(".stage").getBoundingClientRect();
        for (const part of body.querySelectorAll("img, pre, table, p, li, .formula")) {
          const box = part.getBoundingClientRect();
          if (box.height && (box.bottom > stage.bottom + 2 || box.right > stage.right + 2))
            found.push(`${number + 1} ${when}: ${part.tagName}`);
        }
        for (const image of body.querySelectorAll("img")) {
          const { height } = image.getBoundingClientRect();
          if (height < 200) found.push(`${number + 1}: a figure of ${Math.round(height)} pixels`);
        }
      };
      if (body) check("as it opens");
      if (body && slide.matches(".quiz")) { deck.reveal(slide); check("with the answer"); }
      return found;
    })""")
    tab.close()
    assert not full and not trouble


@pytest.mark.site
@pytest.mark.browser
def test_keys_move_show_notes_and_reveal_answers(talks, browser):
    out, by_name = talks
    tab = browser.new_page(viewport={"width": 1280, "height": 744})
    tab.set_default_timeout(120_000)
    tab.goto((out / "03-attention.html").as_uri(), wait_until="load")
    tab.keyboard.press("ArrowRight")
    assert tab.locator("#place").inner_text().startswith("2 /")
    tab.keyboard.press("n")
    assert tab.locator(".notes:visible").count() == 1
    quiz = next(number for number, slide in enumerate(by_name["03-attention"].slides) if slide.kind == "quiz")
    tab.evaluate(f"deck.show({quiz})")
    assert tab.locator(".why:visible").count() == 0
    tab.keyboard.press("ArrowRight")
    assert tab.locator(".why:visible").count() >= 3 and tab.locator("li.right:visible").count() == 1
    tab.keyboard.press("ArrowRight")
    assert tab.locator("#place").inner_text().startswith(f"{quiz + 2} /")
    tab.close()


def test_a_paragraph_gives_its_first_sentence():
    def first(text):
        return slides.first_sentence(slides.BeautifulSoup(f"<p>{text}</p>", "html.parser").p)

    assert first("This sentence is long enough to stand alone on a slide. This one is not shown.") == (
        "This sentence is long enough to stand alone on a slide.",
        False,
    )
    assert first("<strong>Step 1.</strong> A token is its own query, and also its own key and value. More.")[
        0
    ].endswith("key and value.")
    assert (
        first("Short. But with the next one it is long enough, at least for a line. More of it.")[0].count(
            "."
        )
        == 2
    )
    assert first("A &lt; B holds for every pair of numbers that we tried here. So.")[0].startswith("A &lt; B")


# The archive
# ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def packed(tmp_path):
    """A small site, packed, and its reader running."""
    site, out = tmp_path / "site", tmp_path / "course.zip"
    (site / "book").mkdir(parents=True)
    (site / "index.html").write_text("<title>first</title>")
    (site / "book" / "ä page.html").write_text("<title>ä</title>", encoding="utf-8")
    (site / "style.css").write_text("p {}")
    assert archive.make(site, out) == 3
    shutil.rmtree(site)
    reader = subprocess.Popen(
        [sys.executable, out, "--no-browser"], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    )
    yield re.search(r"http://127\.0\.0\.1:\d+/", reader.stdout.readline())[0]
    reader.terminate()
    reader.wait()


def test_the_archive_serves_itself(packed):
    def get(path):
        with urllib.request.urlopen(packed + path, timeout=60) as answer:
            return answer.read().decode(), answer.headers["Content-Type"]

    assert get("") == ("<title>first</title>", "text/html; charset=utf-8") and get("style.css")[1].startswith(
        "text/css"
    )
    assert get("book/%C3%A4%20page.html?a=b")[0] == "<title>ä</title>"
    for outside in ("../course.zip", "__main__.py", "%2e%2e/__main__.py", "nothing.html"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(outside)


@pytest.mark.site
@pytest.mark.slow
def test_the_archive_of_the_site_is_whole(tmp_path):
    out = tmp_path / "course.zip"
    archive.make(SITE, out)
    with zipfile.ZipFile(out) as packed:
        names = set(packed.namelist())
        assert "__main__.py" in names and {f"site/{page}" for page in PAGES} <= names
        assert packed.read("site/book/index.html") == (SITE / "book" / "index.html").read_bytes()
