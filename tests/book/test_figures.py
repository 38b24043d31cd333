"""Interactive figures: what their scripts compute equals the library, and they work by keyboard, without
data, and without a script."""

import pytest
import torch
from book.figures import FIGURES, compute, data
from book.pages import SITE, soup

from allyouneed.nn.attention import softmax

pytestmark = [pytest.mark.browser, pytest.mark.site, pytest.mark.xdist_group("figures")]


def test_softmax_equals_the_library(tab):
    for temperature in (0.05, 0.5, 1, 3):
        scores = torch.randn(9, generator=torch.Generator().manual_seed(0), dtype=torch.float64) * 5
        shares = compute(tab, "softmax-temperature", "f.softmax(v[0], v[1])", scores.tolist(), temperature)
        torch.testing.assert_close(
            torch.tensor(shares, dtype=torch.float64), softmax(scores / temperature, dim=0)
        )
        bits = compute(
            tab, "softmax-temperature", "f.entropy(f.softmax(v[0], v[1]))", scores.tolist(), temperature
        )
        assert bits == pytest.approx(
            torch.distributions.Categorical(logits=scores / temperature).entropy().item()
            / torch.log(torch.tensor(2.0)).item(),
            rel=1e-5,
        )
    assert compute(tab, "softmax-temperature", "f.softmax([1, 3, 2], 0)") == [0, 1, 0]


def test_the_grouped_vocabulary_has_the_real_models_shares(tab):
    from allyouneed.pretrained.loading import load_smollm2, smollm2_tokenizer

    written, _ = data("softmax-temperature")
    item = written["texts"][1]
    with torch.no_grad():
        scores = load_smollm2()(torch.tensor([smollm2_tokenizer().encode(item["text"])]))[0, -1]
    for temperature in (0.5, 1.0, 2.0):
        shares = compute(
            tab,
            "softmax-temperature",
            (
                "f.softmax([...v[0].scores, ...v[0].rest.map(r => "
                "r[0])], v[1], [...v[0].scores.map(() => 1), "
                "...v[0].rest.map(r => r[1])])"
            ),
            item,
            temperature,
        )
        expected = softmax(scores / temperature, dim=0).topk(12).values
        torch.testing.assert_close(torch.tensor(shares[:12]), expected, atol=2e-3, rtol=0)


def test_the_temperature_moves_by_keyboard(figure):
    shown = figure("07-language-models/sampling", "softmax-temperature")
    before = shown.locator("p[role=status]").inner_text()
    shown.get_by_label("temperature").focus()
    shown.page.keyboard.press("End")
    assert "temperature 3.00" in shown.locator("p[role=status]").inner_text() != before
    shown.get_by_label("scores").select_option(label="four scores of your own")
    assert shown.get_by_label("score a").is_visible()


@pytest.mark.parametrize("name", sorted(file.stem for file in FIGURES.glob("*.py")))
def test_every_figure_has_a_fallback_without_a_script(name):
    pages = [
        file.relative_to(SITE).as_posix()
        for file in SITE.glob("book/**/*.html")
        if f"<ay-{name}" in file.read_text(encoding="utf-8")
    ]
    assert pages, f"no page shows {name}"
    fallback = soup(pages[0]).select_one(f"ay-{name}")
    assert fallback.select_one("table") or len(fallback.get_text(strip=True)) > 80


def test_on_paper_what_was_not_drawn_gives_way_to_its_text_and_a_dark_page_is_light(browser, address):
    with browser.new_context(color_scheme="dark") as context:
        context.add_init_script("localStorage.setItem('mode', 'dark'); localStorage.setItem('theme', 'dark')")
        context.set_default_timeout(120_000)
        tab = context.new_page()
        tab.goto(address + "book/10-scaling/laws.html")
        state = (
            "() => [document.querySelector('ay-scaling-law details').open, "
            "document.documentElement.dataset.theme]"
        )
        tab.wait_for_function("() => document.querySelector('ay-scaling-law details')")
        assert tab.evaluate(state) == [False, "dark"]
        tab.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert tab.evaluate(state) == [True, "light"]
        tab.evaluate("dispatchEvent(new Event('afterprint'))")
        assert tab.evaluate(state) == [False, "dark"]


def test_a_figure_without_its_data_says_so(browser, address):
    context = browser.new_context()
    context.set_default_timeout(120_000)
    tab = context.new_page()
    tab.route("**/softmax-temperature.json", lambda route: route.fulfill(status=404, body=""))
    tab.goto(address + "book/07-language-models/sampling.html")
    tab.locator("ay-softmax-temperature").scroll_into_view_if_needed(timeout=120_000)
    tab.get_by_text("The figure could not be shown").wait_for(timeout=120_000)
    assert tab.locator("ay-softmax-temperature table").is_visible()
    context.close()
