"""The book's Sphinx extensions: formulas at build time, a cache that forgets when the library changes."""

import importlib.util
from pathlib import Path

import pytest

EXTENSIONS = Path(__file__).resolve().parents[2] / "book" / "_ext"


def load(name):
    pytest.importorskip("sphinx")
    spec = importlib.util.spec_from_file_location(name, EXTENSIONS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_formula_becomes_mathml():
    rendered = load("mathml").mathml(r"\frac{Q K^\top}{\sqrt{d_k}}", "block")
    assert (
        rendered.startswith("<math")
        and 'display="block"' in rendered
        and "<mfrac>" in rendered
        and "<msqrt>" in rendered
    )


@pytest.mark.parametrize(
    "latex, typeset",
    [
        (r"\log 2", '<mi>log</mi><mspace width="0.17em" /><mn>2</mn>'),
        (
            r"p \log_2 q",
            '<mspace width="0.17em" /><msub><mi>log</mi><mn>2</mn></msub><mspace width="0.17em" />',
        ),
        (r"\operatorname{LN}(x)", '<mi>LN</mi><mo stretchy="false">(</mo>'),
        (r"= -\log p", '<mo form="prefix">\u2212</mo>'),
        (r"(0, -1)", '<mo form="prefix">\u2212</mo>'),
        (r"(a) - b", "<mo>\u2212</mo>"),
        (r"a - b", "<mo>\u2212</mo>"),
        (r"d/H", '<mo lspace="0" rspace="0">/</mo>'),
        (r"32{,}768", '<mo lspace="0" rspace="0">,</mo>'),
        (r"(a, b)", "<mo>,</mo>"),
        (
            r"|x|",
            ('<mo stretchy="false" form="prefix">|</mo><mi>x</mi><mo stretchy="false" form="postfix">|</mo>'),
        ),
        (r"p(x | y)", '<mi>x</mi><mo stretchy="false">|</mo>'),
        (r"\|a\|^2", '<msup><mo fence="false" stretchy="false" form="postfix">\u2016</mo>'),
        (r"a \pm b", "<mo>\u00b1</mo>"),
        (r"x \begin{bmatrix}1\end{bmatrix}", "<mi>x</mi><mrow><mo>[</mo><mtable>"),
        (r"\mathbb R^V", "<msup><mi>\u211d</mi>"),
        (r"\mathcal L", "<mi>\u2112</mi>"),
        (r"f'(x)", '<mi>f</mi><mo lspace="0" rspace="0">\u2032</mo>'),
        (
            r"\begin{array}{c|c} 0 & 1 \\ \hline 2 & 3 \end{array}",
            (
                '<mtd columnalign="center" '
                'class="line-after '
                'line-below"><mn>0</mn></mtd><mtd '
                'columnalign="center" '
                'class="line-below"><mn>1</mn>'
            ),
        ),
    ],
)
def test_names_and_signs_stand_as_a_typesetter_would_set_them(latex, typeset):
    assert typeset in load("mathml").mathml(latex, "inline")


@pytest.mark.parametrize("latex", [r"\notacommand{x}", r"x_"])
def test_a_formula_that_cannot_be_rendered_stops_the_build(latex):
    from sphinx.errors import ExtensionError

    with pytest.raises(ExtensionError, match="this formula cannot be rendered"):
        load("mathml").mathml(latex, "inline")


@pytest.mark.parametrize(
    "body, kept",
    [
        (
            '(<math display="inline">x</math>), and',
            ('<span class="together">(<math display="inline">x</math>),</span> and'),
        ),
        ('<math display="inline">x</math> and', None),
        (
            '<math display="inline">k</math>-shot',
            ('<span class="together"><math display="inline">k</math>-shot</span>'),
        ),
        (
            '<a title="of GPT-3" href="#top-k">GPT-3’s</a>',
            ('<a title="of GPT-3" href="#top-k"><span class="together">GPT-3</span>’s</a>'),
        ),
        ("<i>top-k</i>", '<i><span class="together">top-k</span></i>'),
        ("2026-03-03", '<span class="together">2026-03-03</span>'),
        ("<svg><text>GPT-3</text></svg> on self-attention, at arxiv.org/abs/1-2", None),
        ("<h1>Certified: 07-language-models</h1>", None),
        (
            'write x = x - y <i title="x = y">not x -= y</i>',
            (
                'write <span class="together">x = x - y</span> <i '
                'title="x = y">not <span class="together">x -= '
                "y</span></i>"
            ),
        ),
        ("50 % of chapter 3", "50\u00a0% of chapter\u00a03"),
        ("98 MB in 2 × 2", "98\u00a0MB in 2\u00a0×\u00a02"),
        (
            '<code class="docutils literal notranslate">(B, 1)</code>',
            '<code class="together docutils literal notranslate">(B, 1)</code>',
        ),
        ('<code class="docutils literal notranslate">f(a, b, c, d, e)</code>', None),
        ("<pre>chapter 3 %</pre>", None),
        ("<code>chapter 3</code>", None),
        ('<span class="pasted-text">-0.5</span>', '<span class="pasted-text">\u22120.5</span>'),
        (
            '<span class="pasted-text">7e-16</span>',
            ('<span class="pasted-text">7\u00a0\u00b7\u00a010<sup>\u221216</sup></span>'),
        ),
        ('<span class="pasted-text">pre-norm</span>', None),
        (
            '<code><span class="pre">--force</span></code>',
            ('<code><span class="pre together">--force</span></code>'),
        ),
        ('<pre><span class="pre">--force</span></pre>', None),
    ],
)
def test_what_belongs_together_stays_on_one_line(body, kept):
    assert load("lean_pages").keep_together(body) == (kept or body)


def test_a_long_name_in_the_contents_breaks_between_its_words():
    shown = load("lean_pages").breakable_names(
        '<code><span class="pre">multi_head_parameters</span></code> <span class="pre">RMSNorm</span> a_b'
    )
    assert shown == (
        '<code><span class="pre">multi_<wbr>head_<wbr>parameters</span></code> <span '
        'class="pre">RMSNorm</span> a_b'
    )


@pytest.mark.parametrize(
    "file, matters",
    [
        ("lib/allyouneed/nn/attention.py", True),
        ("lib/allyouneed/models/gpt.py", True),
        ("lib/allyouneed/__init__.pyi", True),
        ("requirements.lock", True),
        ("lib/allyouneed/check/wire.py", False),
        ("lib/coursegrader/judge.py", False),
        ("README.md", False),
    ],
)
def test_pages_run_again_when_what_they_import_changes(tmp_path, file, matters):
    fingerprint = load("execution_cache").fingerprint
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("one")
    before = fingerprint(tmp_path)
    path.write_text("two")
    assert (fingerprint(tmp_path) != before) == matters


def entry(author, title, year="2022"):
    from pybtex.database import Entry, Person

    return Entry(
        "article",
        fields={"title": title, "year": year},
        persons={"author": [Person(name) for name in author.split(" and ")]},
    )


def test_works_that_would_print_alike_get_a_letter_by_title():
    year_letters = load("year_letters")
    pytest.importorskip("sphinxcontrib.bibtex")
    from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

    emergent, chain = (
        entry("Wei, Jason and Tay, Yi and others", "Emergent Abilities"),
        entry("Wei, Jason and Wang, Xuezhi and others", "Chain of Thought"),
    )
    alone, other_year = (
        entry("Wei, Jason", "Alone"),
        entry("Wei, Jason and Tay, Yi and others", "Larger Models", "2023"),
    )
    for _ in range(2):  # a second build starts from the entries of the first
        year_letters.add_letters([emergent, chain, alone, other_year], AuthorYearReferenceStyle())
        assert [work.fields["year"] for work in (chain, emergent, alone, other_year)] == [
            "2022a",
            "2022b",
            "2022",
            "2023",
        ]


def test_shown_code_has_no_long_docstring_and_no_line_that_only_checks():
    code = (
        'class A:\n    """What it is.\n\n    And much more.\n    """\n\n'
        '    def forward(self, x):\n        """One line."""\n        check_tokens(x)\n'
        "        if x is None:\n            raise ValueError\n"
        "        elif not x:\n            raise TypeError\n"
        "        try:\n            y = check_out(x)\n"
        "        except IndexError:\n            raise ValueError\n"
        "        if y:\n            raise ValueError\n        else:\n            return y\n"
    )
    assert load("listings").shortened(code) == (
        'class A:\n    """What it is."""\n\n    def forward(self, x):\n        """One line."""\n'
        "        y = check_out(x)\n"
        "        if y:\n            raise ValueError\n        else:\n            return y"
    )
