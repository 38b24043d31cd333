"""The models that run in the page: the browser's engine computes what the library computes, and the figures
around it work for everybody."""

import base64
import json
import re

import pytest
import torch
from book.pages import SITE
from book.visits import OPEN, ROWS, TRIM, resize, turn, violations

from allyouneed.data import load_dates
from allyouneed.export import export_int8, read_int8, rounded_to_int8
from allyouneed.generation.sampling import filter_logits, generate
from allyouneed.models import Llama, LlamaConfig, Seq2Seq, Seq2SeqConfig
from allyouneed.nn.maps import record_maps, run_with_maps
from allyouneed.text.padding import pad_batch
from allyouneed.text.tokenizers import CharTokenizer

pytestmark = [pytest.mark.browser, pytest.mark.site, pytest.mark.xdist_group("engine")]
PAGES = {
    "next-token": "book/07-language-models/sampling.html",
    "date-translator": "book/06-transformer/dates.html",
}
ENGINE = """async ([data, script, v]) => {
    const e = await import("/figures/engine.js");
    const { model, tokenizers } = data.endsWith(".bin")
        ? await e.load(data) : e.parse(Uint8Array.from(atob(data), c => c.charCodeAt(0)).buffer);
    const greedy = (kept, ids, n, stop) => {
        const written = [];
        for (let next = ids; written.length < n; next = [written.at(-1)]) {
            const { logits } = model.forward(next, kept);
            const last = logits.subarray(logits.length - model.config.vocab_size);
            written.push(last.indexOf(Math.max(...last)));
            if (written.at(-1) === stop) break;
        }
        return written;
    };
    return eval(script);
}"""
WHOLE = (
    "const plain = maps => maps.map(heads => heads.map(map => [...map])); const { logits, maps, cross "
    "= [] } = model.forward(v[0], model.begin(v[1])); [[...logits], plain(maps), plain(cross)]"
)
IN_PARTS = "const kept = model.begin(v[1]); v[0].flatMap(ids => [...model.forward(ids, kept).logits])"


def seeded(seed):
    return torch.Generator().manual_seed(seed)


def close(given, expected, tolerance=1e-4):
    torch.testing.assert_close(
        torch.tensor(given, dtype=expected.dtype).reshape(expected.shape),
        expected,
        atol=tolerance,
        rtol=tolerance,
    )


def engine(tab, model, script, *values):
    """What a script gives in the browser: `model` (an exported file, or one of the site by name),
    `tokenizers`, the engine `e`, and the values `v`."""
    data = f"/figures/{model}.bin" if isinstance(model, str) else base64.b64encode(model).decode()
    return tab.evaluate(ENGINE, [data, script, list(values)])


def random_model(build, scale=3.0):
    """A model whose every vector is random: a norm's weight or a bias that the engine forgets is seen."""
    model = build(seeded(0)).eval()
    with torch.no_grad():
        for number, parameter in enumerate(model.parameters()):
            if parameter.dim() == 1:
                parameter.add_(0.3 * torch.randn(parameter.shape, generator=seeded(number)))
            else:
                parameter.mul_(scale)
    return model.requires_grad_(False)


LLAMAS = {
    "plain": {},
    "tied": {"tied": True},
    "grouped queries": {"n_kv_heads": 2},
    "other base and eps": {"rotary_base": 500.0, "eps": 0.1},
}
TRANSLATORS = {"one vocabulary": {}, "two vocabularies": {"source_vocab_size": 29}}


def llama(**changes):
    return random_model(
        lambda generator: Llama(
            LlamaConfig(23, 40, d_model=24, n_layers=2, n_heads=4, d_ff=36, **changes), generator=generator
        ),
        scale=8,
    )


def translator(**changes):
    return random_model(
        lambda generator: Seq2Seq(
            Seq2SeqConfig(19, d_model=16, n_layers=2, n_heads=4, max_len=40, **changes), generator=generator
        ),
        scale=1.5,
    )


@pytest.mark.parametrize("changes", LLAMAS.values(), ids=LLAMAS)
def test_the_language_model_equals_the_library(changes, tab):
    model = llama(**changes)
    ids = torch.randint(23, (1, 17), generator=seeded(1))
    expected, maps = run_with_maps(rounded_to_int8(model), ids)
    assert (expected - model(ids)).abs().max() > 1e-3, (
        "rounding must be seen, or this proves nothing about it"
    )
    data, tokens = export_int8(model), ids[0].tolist()
    logits, found, _ = engine(tab, data, WHOLE, tokens)
    close(logits, expected[0])
    close(found, maps[:, 0])
    close(engine(tab, data, IN_PARTS, [tokens[:6], *([token] for token in tokens[6:])]), expected[0])
    assert (
        engine(tab, data, "greedy(model.begin(), v[0], 20)", tokens)
        == generate(rounded_to_int8(model), ids, 20, temperature=0, use_cache=False)[0].tolist()
    )


@pytest.mark.parametrize("changes", TRANSLATORS.values(), ids=TRANSLATORS)
def test_the_translator_equals_the_library(changes, tab):
    model = translator(**changes)
    rounded, source = rounded_to_int8(model), torch.randint(19, (1, 13), generator=seeded(2))
    target = torch.randint(19, (1, 9), generator=seeded(3))
    with record_maps(rounded.decoder) as own, record_maps(rounded.decoder, "cross_attention") as across:
        expected = rounded(source, target)
    maps, cross = torch.stack(own), torch.stack(across)
    assert (expected - model(source, target)).abs().max() > 1e-3
    data, tokens = export_int8(model), target[0].tolist()
    logits, found, found_cross = engine(tab, data, WHOLE, tokens, source[0].tolist())
    close(logits, expected[0])
    close(found, maps[:, 0])
    close(found_cross, cross[:, 0])
    close(
        engine(tab, data, IN_PARTS, [tokens[:4], *([token] for token in tokens[4:])], source[0].tolist()),
        expected[0],
    )
    written = generate(rounded.given(source), target[:, :1], 20, temperature=0, use_cache=False)[0].tolist()
    assert engine(tab, data, "greedy(model.begin(v[1]), v[0], 20)", tokens[:1], source[0].tolist()) == written


def test_a_full_cache_is_refused(tab):
    assert (
        engine(
            tab,
            export_int8(llama()),
            ("try { model.forward(Array(41).fill(1)); 'read' } catch (error) { error.message }"),
        )
        == "the cache is full"
    )


@pytest.mark.parametrize(
    "temperature, top_k, top_p",
    [
        (1, 0, 1),
        (0.3, 0, 1),
        (2, 0, 1),
        (1, 4, 1),
        (1, 0, 0.8),
        (1, 0, 0.01),
        (0.7, 6, 0.6),
        (1.3, 99, 0.95),
        (0, 0, 1),
        (0, 3, 0.5),
    ],
)
def test_probabilities_equal_those_of_the_librarys_filters(temperature, top_k, top_p, tab):
    logits = 2 * torch.randn(12, generator=seeded(4))
    expected = filter_logits(logits.double(), temperature, top_k, top_p).softmax(-1)
    given = engine(
        tab,
        export_int8(llama()),
        "[...e.probabilities(Float32Array.from(v[0]), v[1])]",
        logits.tolist(),
        {"temperature": temperature, "topK": top_k, "topP": top_p},
    )
    close(given, expected.float(), 1e-6)
    assert [share > 0 for share in given] == (expected > 0).tolist()


def test_drawing_follows_the_probabilities_and_never_takes_what_was_cut(tab):
    p = [0.0, 0.25, 0.0, 0.5, 0.25, 0.0]
    drawn = engine(
        tab,
        export_int8(llama()),
        ("Array.from({ length: 1000 }, (_, i) => e.pick(v[0], (i + 0.5) / 1000))"),
        p,
    )
    assert [drawn.count(number) / 1000 for number in range(6)] == p
    assert engine(tab, export_int8(llama()), "e.pick([0.3, 0.3, 0.3999, 0], 0.99999999)") == 2


def test_the_tokenizer_equals_the_librarys(tab):
    text = "Łódź, 3 marca 😀"
    known = CharTokenizer.train(text, specials=["<pad>", "<stop>"])
    data = export_int8(llama(), text=known)
    assert engine(tab, data, "tokenizers.text.encode(v[0])", text) == [known.encode(text), []]
    assert engine(tab, data, "tokenizers.text.encode(v[0])", "3 x 3 <") == [known.encode("3  3 "), ["x", "<"]]
    assert engine(tab, data, "tokenizers.text.decode(v[0])", [0, *known.encode(text), 1]) == text
    lenient = CharTokenizer.train("abc", unknown="<unk>")
    assert engine(tab, export_int8(llama(), text=lenient), "tokenizers.text.encode(v[0])", "axb") == [
        lenient.encode("axb"),
        ["x"],
    ]


# --- the pages' own models


@pytest.fixture(scope="module")
def real():
    """The site's models in the library: (model with the file's weights, tokenizers), by name."""
    found = {}
    for name, build, config in (
        ("next-token", Llama, LlamaConfig),
        ("date-translator", Seq2Seq, Seq2SeqConfig),
    ):
        header, weights = read_int8((SITE / "figures" / f"{name}.bin").read_bytes())
        model = build(config(**header["config"]))
        missing = set(dict(model.named_parameters())) ^ set(weights)
        assert not missing, missing
        model.load_state_dict(weights, strict=False)
        tokenizers = {
            key: CharTokenizer(told["tokens"], told["specials"], told["unknown"])
            for key, told in header["tokenizers"].items()
        }
        found[name] = model.eval().requires_grad_(False), tokenizers
    return found


@pytest.mark.parametrize("name", PAGES)
def test_a_model_is_small(name):
    assert 100_000 < (SITE / "figures" / f"{name}.bin").stat().st_size < 4_000_000


def test_the_pages_language_model_equals_the_library(real, tab):
    model, tokenizers = real["next-token"]
    for text in ("To be, or not to be", "ROMEO:\nO, she doth teach", "\n", "zzzz??!! the King"):
        ids = tokenizers["text"].encode(text)
        expected, maps = run_with_maps(model, torch.tensor([ids]))
        logits, found, _ = engine(tab, "next-token", WHOLE, ids)
        close(logits, expected[0])
        close(found, maps[:, 0])
        written = generate(model, [ids], 60, temperature=0)[0].tolist()
        assert engine(tab, "next-token", "greedy(model.begin(), v[0], 60)", ids) == written


def test_the_pages_translator_equals_the_library_and_is_right(real, tab):
    model, tokenizers = real["date-translator"]
    start, stop = (tokenizers["target"].id(token) for token in ("<start>", "<stop>"))
    pairs = load_dates().test[:60]
    sources = [tokenizers["source"].encode(pair.source) for pair in pairs]
    written = engine(
        tab,
        "date-translator",
        ("v[0].map(source => greedy(model.begin(source), [v[1]], 11, v[2]))"),
        sources,
        start,
        stop,
    )
    padded, lengths = pad_batch(sources)
    real_letters = torch.arange(padded.shape[1]) < lengths[:, None]
    expected = generate(model.given(padded, real_letters), [[start]] * 60, 11, temperature=0, stop_id=stop)
    assert [tokenizers["target"].decode(row) for row in written] == [
        tokenizers["target"].decode(row) for row in expected
    ]
    assert sum(tokenizers["target"].decode(row) == pair.target for row, pair in zip(written, pairs)) >= 57
    logits, _, cross = engine(tab, "date-translator", WHOLE, [start, *written[0][:-1]], sources[0])
    with record_maps(model.decoder, "cross_attention") as maps:
        reference = model(torch.tensor([sources[0]]), torch.tensor([[start, *written[0][:-1]]]))
    close(logits, reference[0])
    close(cross, torch.stack(maps)[:, 0])


def test_rounding_to_8_bits_hardly_changes_the_trained_models():
    """Measured by the pages themselves, against the float weights, which no file keeps."""
    stored = {
        page: json.loads((SITE.parent / "jupyter_execute" / page.replace(".html", ".glue.json")).read_text())
        for page in PAGES.values()
    }
    value = {
        (page[5:7], name): float(output["data"]["text/plain"])
        for page, outputs in stored.items()
        for name, output in outputs.items()
        if name.startswith("rounded")
    }
    assert abs(value["07", "rounded_loss"]) < 0.01 and value["07", "rounded_change"] < 0.2
    assert abs(value["06", "rounded_exact"]) <= 1.0 and value["06", "rounded_change_mean"] < 0.002


# --- the figures


def visit(address, browser, name):
    """A page with everything that folds opened, and its figure drawn."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme="light", reduced_motion="reduce"
    )
    context.set_default_timeout(120_000)
    tab = context.new_page()
    tab.goto(address + PAGES[name], wait_until="load")
    tab.evaluate(OPEN)
    tab.locator(f"ay-{name}[data-ready]").wait_for()
    return tab


def load_by_keyboard(tab, name):
    tab.locator(f"ay-{name} button.load").focus()
    tab.keyboard.press("Enter")
    tab.locator(f"ay-{name}[data-loaded]").wait_for()


@pytest.mark.parametrize("name", PAGES)
def test_a_model_is_fetched_only_when_asked_for(name, address, browser):
    context = browser.new_context()
    context.set_default_timeout(120_000)
    tab = context.new_page()
    asked, trouble = [], []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: message.type in ("error", "warning") and trouble.append(message.text))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.goto(address + PAGES[name])
    button = tab.locator(f"ay-{name} button.load")
    megabytes = (SITE / "figures" / f"{name}.bin").stat().st_size / 1e6
    assert button.inner_text() == f"Load the model ({megabytes:.2f} MB)"
    assert not any(url.endswith(".bin") for url in asked)
    load_by_keyboard(tab, name)
    assert [url for url in asked if url.endswith(".bin")] == [f"{address}figures/{name}.bin"]
    assert all(url.startswith(address) for url in asked) and not trouble, trouble
    context.close()


def test_a_model_that_cannot_be_fetched_says_so(address, browser):
    context = browser.new_context()
    context.set_default_timeout(120_000)
    context.route("**/*.bin", lambda route: route.fulfill(status=404, body="no"))
    tab = context.new_page()
    tab.goto(address + PAGES["date-translator"])
    tab.locator("ay-date-translator button.load").click()
    tab.get_by_text("The model could not be loaded").wait_for()
    context.close()


def test_the_language_model_writes_by_keyboard(address, browser, real):
    tab = visit(address, browser, "next-token")
    load_by_keyboard(tab, "next-token")
    figure, (model, tokenizers) = tab.locator("ay-next-token"), real["next-token"]
    assert tab.evaluate("document.activeElement.id") == "ay-prompt"
    tab.keyboard.press("Control+a")
    tab.keyboard.type("MACBETH")
    tab.keyboard.press("Enter")
    assert figure.locator(".written").inner_text() == "MACBETH"
    figure.locator("input[type=range]").focus()
    tab.keyboard.press("Home")  # temperature 0: the best alone
    assert figure.locator(".likely .number").first.inner_text() == "100.0 %"
    figure.locator("button.go").focus()
    tab.keyboard.press("Enter")
    figure.locator("[role=status]", has_text="Written").wait_for()
    written = generate(model, [tokenizers["text"].encode("MACBETH")], 44, temperature=0)[0].tolist()
    assert figure.locator(".written").evaluate("p => p.textContent") == "MACBETH" + tokenizers["text"].decode(
        written
    )
    figure.locator(".likely button").nth(2).focus()  # choose the third best oneself
    sign = tab.evaluate("document.activeElement.textContent")
    tab.keyboard.press("Enter")
    text = figure.locator(".written").evaluate("p => p.textContent")
    assert text[-1] == {"␣": " ", "⏎": "\n"}.get(sign, sign) and len(text) == 52
    assert figure.locator(".looks").count() == model.config.n_heads and "most at" in figure.locator(
        ".looks"
    ).first.get_attribute("aria-label")
    tab.context.close()


def test_writing_can_be_stopped_and_begun_anew(address, browser):
    tab = visit(address, browser, "next-token")
    load_by_keyboard(tab, "next-token")
    figure = tab.locator("ay-next-token")
    figure.locator("button.go").click()
    tab.wait_for_function(
        """() => {
            const own = name => document.querySelector(`ay-next-token ${name}`);
            const [text, button] = [own(".new").textContent, own("button.go")];
            const writes = text.length >= 3 && button.textContent.includes("Stop");
            if (writes) button.click();
            return writes;
        }"""
    )
    figure.locator("button.go", has_text="Write").wait_for()
    assert 3 <= figure.locator(".new").evaluate("e => e.textContent.length") <= 60
    figure.locator("button.restart").click()
    assert figure.locator(".new").evaluate("e => e.textContent") == ""
    tab.context.close()


def test_the_translator_writes_by_keyboard(address, browser):
    tab = visit(address, browser, "date-translator")
    load_by_keyboard(tab, "date-translator")
    figure = tab.locator("ay-date-translator")
    assert tab.evaluate("document.activeElement.id") == "ay-date"
    tab.keyboard.press("Control+a")
    tab.keyboard.type("14 mai 2031")
    tab.keyboard.press("Enter")
    figure.locator("[role=status]", has_text="It writes 2031-05-14").wait_for()
    assert figure.locator(".map .sign").all_inner_texts() == [*"2031-05-14", "■"]
    assert "2 (" in figure.locator(".map").get_attribute("aria-label")
    figure.locator("select").first.select_option("pt")  # which writes a date in that language
    assert " de " in figure.locator("#ay-date").input_value()
    figure.locator("[role=status]", has_text="of 1").wait_for()
    figure.locator("button.another").focus()
    tab.keyboard.press("Enter")
    figure.locator("[role=status]", has_text="of 2").wait_for()
    tab.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_a_loaded_figure_is_accessible_in_every_mode(name, address, browser):
    tab, found = visit(address, browser, name), []
    load_by_keyboard(tab, name)
    tab.locator(f"ay-{name} button.go").click()
    tab.locator(f"ay-{name} [role=status]", has_text=re.compile("Written|It writes")).wait_for()
    tab.evaluate(TRIM, ROWS)
    for theme in ("light", "dark"):
        turn(tab, theme)
        for width in (1280, 390):
            resize(tab, width)
            assert tab.locator(f"ay-{name} [role=status]", has_text=re.compile("Written|It writes")).count()
            found += [f"{theme} {width}: {item}" for item in violations(tab, include=[f"ay-{name}"])]
            wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            found += [f"{theme} {width}: {wide} pixels too wide"] if wide > 1 else []
    tab.context.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", PAGES)
def test_without_a_script_the_page_still_says_it(name, address, browser):
    context = browser.new_context(java_script_enabled=False)
    context.set_default_timeout(120_000)
    tab = context.new_page()
    tab.goto(address + PAGES[name])
    assert "This figure needs JavaScript" in tab.locator(f"ay-{name}").inner_text()
    context.close()
