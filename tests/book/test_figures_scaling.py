"""The figures of chapter 10: the browser's counts, costs and fits equal the library, torch's and numpy's."""

import numpy as np
import pytest
import torch
from book.figures import compute, data

from allyouneed.models.sizes import PUBLISHED_SIZES

pytestmark = [pytest.mark.browser, pytest.mark.site, pytest.mark.xdist_group("figures")]


def test_every_published_shape_counts_as_in_the_library(tab):
    written, _ = data("model-counter")
    assert set(written) == set(PUBLISHED_SIZES)
    counted = compute(
        tab,
        "model-counter",
        (
            "Object.fromEntries(Object.entries(v[0]).map(([name, m]) => "
            "[name, f.total(f.count(m.config)) + m.extra]))"
        ),
        written,
    )
    assert counted == {name: model.parameters for name, model in PUBLISHED_SIZES.items()}


def test_flops_of_a_layer_are_those_that_torch_counts(tab):
    written, module = data("cost-by-length")
    for n, flops in [*written["flops"], (7, module.counted(7))]:
        parts = compute(tab, "cost-by-length", "f.layerFlops(v[0], v[1])", n, written["width"])
        assert sum(parts.values()) == flops
    assert sum(compute(tab, "cost-by-length", "f.layerFlops(30, 64)").values()) == module.counted(30, 64, 4)


def test_memory_of_a_layer_is_that_of_the_tensors(tab):
    n, d, heads = 300, 128, 4
    held = compute(tab, "cost-by-length", "f.layerBytes(v[0], v[1], v[2])", n, d, heads)
    assert (
        held["scores"] == torch.empty(heads, n, n, device="meta").nbytes
        and held["cache"] == 2 * torch.empty(heads, n, d // heads, device="meta").nbytes
    )
    assert held["block"] == torch.empty(heads, 128, 128, device="meta").nbytes


def test_the_fit_is_the_best_of_its_grid(tab):
    """The oracle is numpy's least squares at every pair of exponents."""
    runs = [run for run in data("scaling-law")[0]["runs"] if run[0] <= 96 and run[2] <= 384_000]
    N, D, L = np.array(runs).T[1:]
    best = min(
        (np.linalg.lstsq(X, L, rcond=None)[1][0], alpha, beta)
        for alpha in np.arange(5, 150) / 100
        for beta in np.arange(5, 150) / 100
        if (
            np.linalg.lstsq(
                X := np.stack([np.ones_like(N), (N / 1e5) ** -alpha, (D / 1e5) ** -beta], axis=1),
                L,
                rcond=None,
            )[0]
            > 0
        ).all()
    )
    law = compute(tab, "scaling-law", "f.fit(v[0])", runs)
    assert (law["error"], law["alpha"], law["beta"]) == pytest.approx(best, rel=1e-6)
    said = compute(tab, "scaling-law", "v[0].map(r => f.predict(f.fit(v[0]), r[1], r[2]))", runs[:3])
    assert said == pytest.approx([run[3] for run in runs[:3]], abs=0.05)


def test_the_best_size_has_the_lowest_loss_of_its_budget(tab):
    law, budget = {"E": 1.4, "A": 0.25, "alpha": 0.22, "B": 0.6, "beta": 0.65}, 1e12
    best = compute(tab, "scaling-law", "f.bestSize(v[0], v[1])", law, budget)
    sizes = best * np.geomspace(0.01, 100, 2001)
    losses = (
        law["E"]
        + law["A"] * (sizes / 1e5) ** -law["alpha"]
        + law["B"] * (budget / 6 / sizes / 1e5) ** -law["beta"]
    )
    assert sizes[losses.argmin()] == pytest.approx(best, rel=0.01)


def test_the_counter_answers_and_refuses(figure):
    shown = figure("10-scaling/counting", "model-counter")
    status = shown.locator("p[role=status]").first
    assert "124,439,808 parameters" in status.inner_text()
    shown.get_by_label("start from").select_option("GPT-3")
    assert f"{PUBLISHED_SIZES['GPT-3'].parameters:,} parameters" in status.inner_text()
    shown.get_by_label("heads").fill("7")
    assert "multiple of the heads" in status.inner_text()
    pale = (
        "figure => ['svg', 'table'].map(part => getComputedStyle(figure.querySelector(`.stage "
        "${part}`).parentElement).opacity)"
    )
    assert shown.evaluate(pale) == ["0.3", "0.3"]  # the last numbers are not those of the shape that is typed
    shown.get_by_label("heads").fill("8")
    assert shown.evaluate(pale) == ["1", "1"]


@pytest.mark.parametrize("width", [390, 1280])
def test_the_names_of_the_curves_lie_beside_the_points(figure, width):
    shown = figure("10-scaling/laws", "scaling-law", viewport={"width": width, "height": 900})
    over = shown.evaluate("""figure => {
        const boxes = kind => [...figure.querySelectorAll(`svg ${kind}`)]
            .map(node => [node.textContent, node.getBoundingClientRect()]);
        return boxes("text").filter(([, name]) => boxes("circle").some(([, dot]) =>
            name.left < dot.right && dot.left < name.right && name.top < dot.bottom && dot.top < name.bottom))
            .map(([text]) => text);
    }""")
    assert over == []


def test_the_law_is_fitted_again_by_keyboard(figure):
    shown = figure("10-scaling/laws", "scaling-law")
    words = shown.locator("p[role=status]").first
    before = words.inner_text()
    shown.get_by_label("β").focus()
    shown.page.keyboard.press("Home")
    assert words.inner_text() != before
    shown.get_by_role("button", name="Fit again").press("Enter")
    assert words.inner_text() == before
