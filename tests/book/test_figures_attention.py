"""The interactive figures of chapters 2 to 5: they compute what the library does; a keyboard moves them."""

import functools
import importlib.util
import json
import math
import random
from collections import Counter
from pathlib import Path

import pytest
import torch
from book.pages import SITE, soup

from allyouneed.models.common import parameter_count
from allyouneed.nn.attention import causal_mask, padding_mask, scaled_dot_product_attention, softmax
from allyouneed.nn.local import local_causal_mask
from allyouneed.nn.maps import run_with_maps
from allyouneed.nn.multihead import MultiHeadAttention, split_heads
from allyouneed.nn.positions import apply_rotary, frequencies, shift_matrix, sinusoidal_encoding
from allyouneed.text.bytepair import _join, bpe_encode, bpe_train

pytestmark = [pytest.mark.browser, pytest.mark.site, pytest.mark.xdist_group("figures")]
FIGURES = Path(__file__).resolve().parents[2] / "book" / "figures"


def module(name):
    """A figure's Python file."""
    specification = importlib.util.spec_from_file_location(name.replace("-", "_"), FIGURES / f"{name}.py")
    found = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(found)
    return found


def written(name):
    """What the site gives the figure."""
    return json.loads((SITE / "figures" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def context(browser):
    context = browser.new_context()
    context.set_default_timeout(120_000)
    yield context
    context.close()


@pytest.fixture(scope="module")
def compute(context, address):
    """What an expression of a figure's functions gives in the browser; `f`: its module, `v`: the values."""
    tab = context.new_page()
    tab.goto(address + "search.html")

    def run(name, expression, *values):
        plain = [value.tolist() if isinstance(value, torch.Tensor) else value for value in values]
        return tab.evaluate(
            (
                "async ([name, text, v]) => { const f = await import(`/figures/${name}.js`); "
                "return eval(text); }"
            ),
            [name, expression, plain],
        )

    return run


@pytest.fixture(scope="module")
def figure(context, address):
    """A figure on its page, drawn; every page is opened once."""
    tabs = {}

    def show(page, name):
        if page not in tabs:
            tabs[page] = context.new_page()
            tabs[page].goto(f"{address}book/{page}.html")
        found = tabs[page].locator(f"ay-{name}")
        found.scroll_into_view_if_needed()
        tabs[page].locator(f"ay-{name}[data-ready]").wait_for()
        return found

    return show


def close(got, expected, atol=1e-9):
    torch.testing.assert_close(
        torch.as_tensor(got, dtype=torch.float64), expected.double(), atol=atol, rtol=1e-6
    )


def status(shown):
    return shown.locator("p[role=status]").inner_text()


def test_a_soft_look_up_is_the_librarys_attention(compute):
    generator = torch.Generator().manual_seed(0)
    for factor in (0.0, 0.5, 1.0, 4.0):
        query, keys, values = (
            torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in ((2,), (5, 2), (5, 3))
        )
        got = compute("soft-lookup", "f.lookUp(...v)", query, keys, values, factor)
        answer, weights = scaled_dot_product_attention(factor * math.sqrt(2) * query[None], keys, values)
        close(got["weights"], weights[0])
        close(got["answer"], answer[0])
    assert compute("soft-lookup", "[f.exact([1, 2], v[0]), f.exact([1, 1.9], v[0])]", [[0, 0], [1, 2]]) == [
        1,
        -1,
    ]


def test_the_query_moves_by_keyboard(figure):
    shown = figure("03-attention/look-up", "soft-lookup")
    assert "no such key" in status(shown)
    handle = shown.get_by_role("slider", name="the query")
    handle.press("ArrowUp")
    assert handle.get_attribute("aria-valuetext") == "round 1.0, citrus skin 1.1"
    for _ in range(9):
        handle.press("ArrowUp")
    assert "The dictionary answers (1, 9)" in status(shown)
    shown.get_by_role("button", name="banana").press("Enter")
    assert "all three values alike" in status(shown) and "(7, 0)" in status(shown)


def test_masks_and_their_weights_are_the_librarys(compute):
    n, length = 7, 5
    masks = {
        "none": torch.ones(n, n, dtype=torch.bool),
        "causal": causal_mask(n),
        "padding": padding_mask([length], n)[0, 0].expand(n, n),
    }
    masks["both"] = masks["causal"] & masks["padding"]
    scores = 3 * torch.randn(n, n, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    for window in (1, 2, n):
        masks["window"] = local_causal_mask(n, window)
        for kind, mask in masks.items():
            assert compute("masks", "f.maskOf(...v)", kind, n, length, window) == mask.tolist()
            close(
                compute("masks", "f.weigh(...v)", scores, mask),
                softmax(scores.masked_fill(~mask, -math.inf), dim=-1),
            )
    holes = torch.rand(n, n, generator=torch.Generator().manual_seed(2)) < 0.5
    holes[3] = False
    got = compute("masks", "f.weigh(...v)", scores, holes)
    close(got, softmax(scores.masked_fill(~holes, -math.inf), dim=-1))
    assert got[3] == [0.0] * n
    close(compute("masks", "f.weigh(...v)", scores, holes, "zero"), softmax(scores * holes, dim=-1))
    close(compute("masks", "f.weigh(...v)", scores, holes, "after"), softmax(scores, dim=-1) * holes)


def test_the_scores_under_the_masks_are_a_real_heads(compute):
    from allyouneed.pretrained.loading import load_minilm, minilm_tokenizer

    shown, tokenizer = written("masks"), minilm_tokenizer()
    kept = []

    def attend(q, k, v, mask):
        kept.append(q @ k.mT / math.sqrt(q.shape[-1]))
        return scaled_dot_product_attention(q, k, v, mask)

    ids = [tokenizer.token_to_id(token.upper() if "[" in token else token) for token in shown["tokens"]]
    with torch.no_grad():
        load_minilm(attend=attend)(torch.tensor([ids]), torch.arange(len(ids))[None] < shown["length"])
    close(shown["scores"], kept[shown["layer"]][0, shown["head"]], atol=0.006)


def test_cells_of_a_mask_are_switched_by_keyboard(figure):
    shown = figure("03-attention/masks", "masks")
    first = shown.get_by_role("checkbox", name="the looks at the:")
    assert first.get_attribute("aria-checked") == "true"
    first.press("Space")
    assert first.get_attribute("aria-checked") == "false" and "weights 0, output 0" in status(shown)
    first.press("ArrowRight")
    shown.page.keyboard.press("Enter")
    assert shown.get_by_role("checkbox", name="the looks at cat:").get_attribute("aria-checked") == "true"
    assert "every row sums to 1" in status(shown)


def test_the_explorer_shows_the_real_models_weights(compute):
    from allyouneed.pretrained.loading import load_minilm, load_smollm2, minilm_tokenizer, smollm2_tokenizer

    shown = written("attention-explorer")
    for place, (model, encode) in {
        1: (load_minilm(), lambda text: minilm_tokenizer().encode(text).ids),
        5: (load_smollm2(), smollm2_tokenizer().encode),
    }.items():
        item = shown["texts"][place]
        with torch.no_grad():
            maps = run_with_maps(model, torch.tensor([encode(item["text"])]))[1][:, 0]
        sizes = shown["models"][item["model"]]
        assert maps.shape == (sizes["layers"], sizes["heads"], len(item["tokens"]), len(item["tokens"]))
        got = compute(
            "attention-explorer",
            (
                "(t => v[3].map(([l, h]) => f.weights(t, v[1], v[2], l, "
                "h)))({ ...v[0], bytes: f.unpacked(v[0].maps) })"
            ),
            item,
            sizes,
            shown["steps"],
            [[0, 0], [3, 1], [sizes["layers"] - 1, sizes["heads"] - 1]],
        )
        for (layer, head), weights in zip(((0, 0), (3, 1), (-1, -1)), got):
            close(weights, maps[layer, head], atol=0.51 / shown["steps"])


def test_the_heads_to_begin_with_are_the_chapters():
    text = " ".join(soup("book/04-multi-head/looking.html").get_text().split())
    named = {
        head["name"]: f"ayer {head['layer']}, head {head['head']}"
        for head in written("attention-explorer")["pointed"]
    }
    assert f"{named['one back, decoder']} has the highest previous-token score" in text
    assert f"{named['induction']} leads in induction" in text
    assert f"{named['punctuation']}, in the chapter’s first picture, is a separator head" in text


def test_the_explorer_is_fetched_when_it_comes_into_view(context, address):
    tab, asked, page = context.new_page(), [], address + "book/04-multi-head/looking.html"
    far = "<style>ay-attention-explorer { display: block; margin-top: 3000px }</style></head>"

    def further_down(route):  # the figure stands near the top
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</head>", far))

    tab.route(page, further_down)
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(page)
    tab.wait_for_timeout(300)
    assert not [url for url in asked if url.endswith("attention-explorer.json")]
    tab.locator("ay-attention-explorer").scroll_into_view_if_needed()
    tab.locator("ay-attention-explorer[data-ready]").wait_for()
    assert [url for url in asked if url.endswith("attention-explorer.json")]
    tab.close()


def test_heads_and_tokens_are_chosen_by_keyboard(figure):
    shown = figure("04-multi-head/looking", "attention-explorer")
    shown.get_by_role("button", name="induction").press("Enter")
    before = status(shown)
    assert before.startswith("SmolLM2")
    token = shown.get_by_role("radio", checked=True)
    assert token.count() == 1
    token.press("ArrowUp")
    assert status(shown) != before and shown.get_by_role("radio", checked=True).evaluate(
        "node => node === document.activeElement"
    )
    shown.get_by_label("view").select_option("lines")
    shown.get_by_role("button", name="head 0", exact=True).press("Enter")
    assert "head 0:" in status(shown)
    shown.get_by_label("text").select_option("0")
    assert status(shown).startswith("MiniLM")


def test_positions_are_the_librarys(compute):
    for width, base in ((2, 10_000), (16, 10), (64, 10_000), (128, 100_000)):
        rows = torch.tensor(
            compute(
                "position-explorer", "v[0].map(p => f.encoding(p, v[1], v[2]))", [0, 1, 41, 99], width, base
            ),
            dtype=torch.float64,
        )
        expected = sinusoidal_encoding(100, width, base)[[0, 1, 41, 99]]
        close(rows, expected, atol=1e-6)
        close(compute("position-explorer", "f.frequencies(...v)", width, base), frequencies(width, base))
        close(
            compute("position-explorer", "f.similarity(...v)", 58, width, base),
            rows[2] @ rows[3] / (width / 2),
            atol=1e-6,
        )
        for offset in (-7, 30):
            close(
                compute("position-explorer", "f.moved(...v)", rows[2], offset, base),
                shift_matrix(offset, width, base).double() @ rows[2],
                atol=1e-5,
            )


def test_rotary_turns_are_the_librarys(compute):
    query, key = torch.randn(2, 8, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    for base, start, end in ((10_000, 12, 7), (10, 0, 60), (1_000_000, 112, 107)):
        turned = [
            apply_rotary(vector.view(1, 1, 1, 8), torch.tensor([place]), base).flatten()
            for vector, place in ((query, start), (key, end))
        ]
        close(compute("rotary-angles", "f.rotary(...v)", query, start, base), turned[0])
        close(
            sum(compute("rotary-angles", "f.contributions(...v)", query, key, start, end, base)),
            turned[0] @ turned[1],
        )


def test_waves_and_turns_move_by_keyboard(figure):
    shown = figure("05-positions/sines", "position-explorer")
    before = status(shown)
    shown.get_by_label("position p").press("End")
    assert "Positions 99 and 106: " in status(shown) != before
    assert status(shown).split("similarity ")[1].split(",")[0] == before.split("similarity ")[1].split(",")[0]
    turned = figure("05-positions/relative", "rotary-angles")
    score = status(turned).split("score is ")[1][:6]
    turned.get_by_label("move both").press("End")
    assert f"score is {score}" in status(turned)
    assert "the score is that of positions 12 and 7" in status(turned)
    turned.get_by_label("key position").press("ArrowRight")
    assert f"score is {score}" not in status(turned)


def test_the_walk_through_the_shapes_is_the_librarys(compute):
    source = module("multi-head-shapes")
    steps = source.steps()
    assert [step["axes"] for step in steps] == [
        step["axes"] for step in written("multi-head-shapes")["steps"]
    ]
    for batch, tokens, width, heads in ((2, 5, 12, 3), (1, 1, 4, 4), (4, 8, 24, 8), (3, 2, 6, 1)):
        got = compute(
            "multi-head-shapes",
            "v[0].map(axes => f.shape(axes, f.sizes(...v[1])))",
            [step["axes"] for step in steps],
            [batch, tokens, width, heads],
        )
        assert [tuple(shape) for shape in got] == source.shapes(batch, tokens, width, heads)
        costs = compute(
            "multi-head-shapes",
            ("v[0].map((_, step) => f.costs(step, f.sizes(...v[1])).parameters)"),
            steps,
            [batch, tokens, width, heads],
        )
        assert sum(costs) == parameter_count(MultiHeadAttention(width, heads))
        numbers = torch.arange(tokens * width).view(1, tokens, width)
        for view, expected in (
            (False, split_heads(numbers, heads)),
            (True, numbers.view(1, heads, tokens, -1)),
        ):
            token, head, column = torch.tensor(
                compute("multi-head-shapes", "f.origins(...v)", tokens, heads, width // heads, view)
            ).unbind(-1)
            assert torch.equal(token * width + head * (width // heads) + column, expected[0])


def test_the_walk_goes_by_keyboard(figure):
    shown = figure("04-multi-head/layer", "multi-head-shapes")
    shown.get_by_label("d_model").select_option("16")
    shown.get_by_label("heads H").select_option("4")
    following = shown.get_by_role("button", name="Next step")
    following.focus()
    for _ in range(9):
        shown.page.keyboard.press("Enter")
    assert following.is_disabled() and shown.get_by_text("Step 10 of 10").is_visible()
    assert "(2, 5, 16)" in status(shown) and "of 1,088" in status(shown)
    assert shown.get_by_role("button", name="Previous step").evaluate(
        "node => node === document.activeElement"
    )


TEXTS = [
    "low lower newest low widest newest",
    "aaa aaaa aa aaaaa baaab",
    "ab",
    "a b c",
    "",
    "été étés naïve ñandú",
    "𝒳𝒴 \uffffx 𝒳𝒴 \uffffx 😀😀😀 ﬁn",
    "to be or not to be that is the question whether tis nobler in the mind to suffer",
]


def test_merges_are_the_librarys(compute):
    seeded = random.Random(0)
    texts = TEXTS + [
        " ".join("".join(seeded.choices("abc", k=seeded.randint(1, 9))) for _ in range(30)) for _ in range(6)
    ]
    for text in texts:
        counts = Counter(text.split())
        assert compute("byte-pair-merges", "f.wordCounts(v[0])", text) == [
            [word, count] for word, count in counts.items()
        ]
        merges = bpe_train(counts, 60)
        assert compute("byte-pair-merges", "f.train(f.wordCounts(v[0]), 60)", text) == [
            list(pair) for pair in merges
        ]
        cut = compute(
            "byte-pair-merges",
            ("f.cutWith(f.wordCounts(v[0]), v[1]).map(([symbols]) => symbols.join('|'))"),
            text,
            merges,
        )
        assert cut == ["|".join(functools.reduce(_join, merges, list(word))) for word in counts]
        for word in ("lowest", "abcabcaab", "été", ""):
            assert compute("byte-pair-merges", "f.encode(v[0], v[1])", word, merges) == bpe_encode(
                word, merges
            )


def test_pairs_are_counted_as_in_the_chapter(compute):
    found = compute(
        "byte-pair-merges",
        "f.pairs(f.cutWith(v[0], []))",
        [["low", 5], ["lower", 2], ["newest", 6], ["widest", 3], ["aaaa", 1]],
    )
    assert found[:2] == [["e", "s", 9], ["s", "t", 9]] and ["w", "e", 8] in found and ["a", "a", 2] in found


def test_a_readers_own_text_is_learned(figure):
    shown = figure("02-embeddings/tokens", "byte-pair-merges")
    assert "(e, s) and (s, t) tie at 9" in status(shown)
    shown.get_by_role("button", name="Next merge").press("Enter")
    assert "Next: (es, t), which stands 9 times" in status(shown)
    shown.get_by_label("Text to learn from").fill("aaaa aaaa")
    assert "(a, a), which stands 4 times" in status(shown)
    following = shown.get_by_role("button", name="Next merge")
    following.focus()
    shown.page.keyboard.press("Enter")
    shown.page.keyboard.press("Enter")
    assert "No pair is left" in status(shown)
    shown.get_by_label("Cut another word").fill("aaaaaa")
    assert "2 tokens" in shown.locator("[aria-live]").last.inner_text()
