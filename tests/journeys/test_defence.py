"""A class defends its own code, on paper and in the browser, up to the gradebook and the report."""

import re

import nbformat
import pytest
from commands import command
from defence.rooms import codes, enter, serving
from defence.scanner import scanned
from grading.classroom import Student, make_class, make_course, write_submission
from journeys.servers import free_port

from coursegrader.course.configuration import open_course
from coursegrader.course.release import _generate
from coursegrader.defence.layout import Printing
from coursegrader.defence.paper import key_path, paper_folder, read_key, read_paper

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("defence-class")]
NAME = "03-attention"
TYPED = {  # by hand, right all of it, in styles that a rubric has not
    "softmax": "softmax = lambda x, dim: (e := (x-x.amax(dim, True)).exp()) / e.sum(dim, keepdim=True)",
    "scaled_dot_product_attention": """from math import *

def scaled_dot_product_attention(q, k, v, mask=None):
\tσ = 1/sqrt(q.shape[-1])      # √d

\t# … comments stand between

\tα = q@k.mT * σ
\tif mask is not None: α = torch.where(mask, α, -inf)
\tβ = α.softmax(-1).nan_to_num(0); return β @ v, β
""",
    "causal_mask": (
        "def causal_mask(n_queries, n_keys=None): return (lambda m: torch.arange(m) <= "
        "torch.arange(n_queries)[:, None] + m - n_queries)(n_keys or n_queries)"
    ),
    "padding_mask": """def padding_mask(lengths, max_len):
    ℓ = torch.as_tensor(lengths)
    def inside(place): return place[None, :] < ℓ[:, None]
    return inside(torch.arange(max_len)).unsqueeze(1).unsqueeze(1)
""",
    "attention_columns": (
        "def attention_columns(X, W_q, W_k, W_v):\n"
        "  Q,K,V = (W@X for W in (W_q,W_k,W_v)) ; d=len(W_q)\n"
        "  return V@F.softmax(K.T@Q/d**.5, 0)"
    ),
    "is_permutation_equivariant": """def is_permutation_equivariant(f, n, d):
    return all(torch.allclose(f(x)[π], f(x[π]), atol=1e-4)
               for x in [torch.randn(n, d)]
               for π in [torch.randperm(n), torch.arange(n).flip(0)])
""",
    "packed_causal_mask": """def packed_causal_mask(documents):
    T = documents.shape[1]; new = documents[:, 1:] != documents[:, :-1]
    # the number of borders before each token
    borders = torch.cat([torch.zeros_like(documents[:, :1]), new.cumsum(1)], 1)
    same = borders.unsqueeze(2) == borders.unsqueeze(1)
    return (same.tril() & (documents >= 0)[:, :, None] & (documents >= 0)[:, None])[:, None]
""",
    "leaks_the_future": """def leaks_the_future(f, n, d):
    x = torch.randn(n, d)
    def differs(t):
        y = x.clone(); y[t:] = torch.randn(n - t, d)
        return not torch.allclose(f(x)[:t], f(y)[:t], atol=1e-4)
    return any(map(differs, range(1, n)))
""",
}


@pytest.fixture(scope="module")
def term(attention, tmp_path_factory):
    """Seven students, their code graded: six with versions of the rubric, one who typed everything."""
    course = make_course(attention, tmp_path_factory.mktemp("class"))
    _generate(course.root, NAME)
    everybody = {student.name: student for student in make_class(attention, 3)}
    students = [everybody[name] for name in ("reference", "right0", "right1", "wrong0", "wrong1", "wrong2")]
    released = attention.root / "notebooks" / NAME / f"{NAME}.ipynb"
    for student in [*students, Student("typed", {})]:
        path = course.root / "submitted" / student.name / NAME / f"{NAME}.ipynb"
        write_submission(released, student, path)
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        for name, text in TYPED.items():
            if cell.cell_type == "code" and re.search(rf"^(?:def|class) {name}\(", cell.source, re.M):
                cell.source = text
    nbformat.write(notebook, path)
    with open_course(course.root) as api, api.gradebook as gradebook:
        for student in [*students, Student("typed", {})]:
            gradebook.add_student(student.name, first_name=student.name.title(), last_name="Of the Class")
    command("coursegrader", "grade", NAME, "--workers", 2, cwd=course.root)
    return course, [*(student.name for student in students), "typed"]


@pytest.fixture(scope="module")
def papers(term):
    course, students = term
    said = command("coursegrader", "defend", NAME, "--workers", 2, cwd=course.root)
    assert f"{len(students)} papers" in said and "share a question" not in said
    return {name: (read_paper(course, name), read_key(course, name)) for name in students}


def chosen_by(students, papers):
    """What each student answers, by question: the first half knows all, the others take what stands after."""
    answers = {}
    for place, name in enumerate(students):
        paper, key = papers[name]
        answers[name] = {
            number: (right + (place % 2)) % len(paper.questions[number].choices)
            for number, right in enumerate(key.answers)
            if right is not None
        }
    return answers


def test_code_in_any_style_is_right_and_gets_a_paper_of_all_kinds(term, papers):
    course, students = term
    with open_course(course.root) as api, api.gradebook as gradebook:
        scores = {one.student.id: one.score for one in gradebook.assignment_submissions(NAME)}
    assert scores["typed"] == max(scores.values())
    paper, _ = papers["typed"]
    assert len({question.kind for question in paper.questions}) == 6, paper.notes
    assert all(question.exercise in TYPED for question in paper.questions)
    shown = "\n".join(question.code for question in paper.questions)
    assert "σ" in shown or "π" in shown or "ℓ" in shown
    assert {len(paper.questions) for paper, _ in papers.values()} == {6}


def test_a_class_goes_through_paper_and_browser_to_the_gradebook_and_the_report(term, papers, browser):
    course, students = term
    root, answers = course.root, chosen_by(students, papers)
    command("coursegrader", "defend-print", NAME, cwd=root)
    here, there = students[::2], students[1::2]
    printing = next((paper_folder(course) / "printed").glob("*.json"))
    filled = {(name, number, choice) for name in here for number, choice in answers[name].items()}
    sheets = root / "reports" / NAME / "defence" / "sheets.pdf"
    pages = scanned(sheets, Printing.from_json(printing.read_text()), filled)
    of_paper = {sheet.student: sheet.pages for sheet in Printing.from_json(printing.read_text()).sheets}
    assert len(pages) == sum(of_paper.values())
    owners = [name for name, number in of_paper.items() for _ in range(number)]
    handed_in = [page for page, owner in zip(pages, owners) if owner in here]
    assert f"answers of {len(here)} students" in command(
        "coursegrader", "defend-read", NAME, *handed_in[::-1], cwd=root
    )

    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    with serving(course, port):
        own = codes(course)
        for name in there:
            with browser.new_context() as context:
                page = context.new_page()
                enter(page, url, own[name])
                for number, choice in answers[name].items():
                    page.locator(f"input[name=q{number}]").nth(choice).check()
                    page.get_by_text(f"Answer {number + 1} is kept.").wait_for()
                page.locator("textarea").fill("Because of the axis.")
                page.get_by_text("Answer 6 is kept.").wait_for()
                page.get_by_role("button", name="Hand in").click()
                page.get_by_role("heading", name="Handed in").wait_for()

    assert f"{len(students)} students marked" in command("coursegrader", "defend-marks", NAME, cwd=root)
    talk = root / "talk.csv"  # a person marks what stands in words
    talk.write_text("student,6\n" + "".join(f"{name},0.5\n" for name in students))
    command("coursegrader", "defend-read", NAME, talk, cwd=root)
    said = command("coursegrader", "defend-marks", NAME, cwd=root)
    assert "wait for a mark" not in said and "not answered" not in said
    with open_course(root) as api, api.gradebook as gradebook:
        found = {
            one.student.id: (one.score, one.max_score, one.needs_manual_grade)
            for one in gradebook.assignment_submissions(f"defence-{NAME}")
        }
    assert found == {name: (0.5 if place % 2 else 5.5, 6, False) for place, name in enumerate(students)}
    command("coursegrader", "defend-report", NAME, cwd=root)
    report = (root / "reports" / NAME / "defence" / "report.html").read_text(encoding="utf-8")
    assert f"{len(students)} students have answered, 0 have not." in report
    assert f"{len(students)} students; " in report and report.count("<svg") == 1
    assert key_path(course, "typed").read_text() not in report
