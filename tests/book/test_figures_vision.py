"""The figure of chapter 8: its rollout is the matrix product, its maps the model's; it works by keyboard."""

import base64
import json

import numpy as np
import pytest
from book.figures import compute
from book.pages import SITE

pytestmark = [pytest.mark.browser, pytest.mark.site, pytest.mark.xdist_group("figures")]
NAME = "patches-and-rollout"


def test_rollout_is_the_product_of_mixings(tab):
    maps = np.random.default_rng(0).dirichlet(np.ones(5), size=(3, 2, 5))  # 3 layers, 2 heads, 5 tokens
    for own in (0.5, 0.0, 0.8):
        mixings = [(1 - own) * layer.mean(axis=0) + own * np.eye(5) for layer in maps]
        np.testing.assert_allclose(
            compute(tab, NAME, "f.rollout(v[0], v[1])", maps.tolist(), own),
            mixings[2] @ mixings[1] @ mixings[0],
        )
    by_hand = compute(tab, NAME, "f.rollout([[[[0.5, 0.5], [0, 1]]], [[[0, 1], [0.5, 0.5]]]])")
    np.testing.assert_allclose(by_hand, [[0.375, 0.625], [0.1875, 0.8125]])


def test_the_maps_are_those_of_the_page(tab):
    written = json.loads((SITE / "figures" / "patch-maps.json").read_text(encoding="utf-8"))
    maps = np.frombuffer(base64.b64decode(written["maps"]), np.uint8).reshape(written["shape"])
    assert maps.shape[-1] == written["side"] ** 2 + 1 and len(written["digits"]) == len(maps)
    np.testing.assert_allclose(maps.sum(-1) / 255, 1, atol=0.1)  # bytes of 50 rounded weights
    read = compute(tab, NAME, "f.mapsOf(f.bytesOf(v[0].maps), v[0].shape, 3)", written)
    np.testing.assert_allclose(read, maps[3] / 255)


def test_a_patch_is_chosen_by_keyboard_and_by_click(figure):
    shown = figure("08-vision/where-it-looks", NAME)
    words = shown.locator("p[role=status]")
    assert words.inner_text().startswith("Patch 24 (row 3, column 3)")
    shown.get_by_role("slider", name="chosen patch").press("ArrowDown")
    shown.get_by_role("slider", name="chosen patch").press("ArrowLeft")
    assert words.inner_text().startswith("Patch 30 (row 4, column 2)")
    before = words.inner_text()
    shown.get_by_label("rollout: through all layers").uncheck()
    assert words.inner_text() != before and shown.get_by_label("head", exact=True).is_visible()
