"""Figures are drawn with labels that can be read, and wrong shapes are named."""

import doctest
import io

import matplotlib
import pytest
import torch

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from allyouneed import plotting  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    with plt.rc_context():
        yield
    plt.close("all")


def drawn(ax, kind="png"):
    file = io.BytesIO()
    ax.figure.savefig(file, format=kind, metadata={"Date": None} if kind == "svg" else None)
    return file.getvalue()


def test_attention_map_draws_labels_and_values():
    ax = plotting.attention_map(torch.tensor([[0.25, 0.75]]), ["it"], ["the", "animal"], title="layer 3")
    assert [label.get_text() for label in ax.get_xticklabels()] == ["the", "animal"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["it"]
    assert [text.get_text() for text in ax.texts] == ["0.25", "0.75"]
    assert ax.get_xlabel() and ax.get_ylabel() and ax.get_title(loc="left") + ax.get_title() == "layer 3"
    assert drawn(ax).startswith(b"\x89PNG")


def test_values_on_dark_cells_are_white_and_on_light_cells_black():
    ax = plotting.attention_map(torch.tensor([[0.1, 0.9]]), ["q"], ["a", "b"])
    assert [text.get_color() for text in ax.texts] == ["black", "white"]


def test_large_maps_are_not_annotated_and_gradients_do_not_disturb():
    weights = torch.rand(20, 20, requires_grad=True)
    assert not plotting.attention_map(weights, ["word"] * 20, ["word"] * 20).texts


def test_attention_map_draws_into_given_axes():
    _, axes = plt.subplots(1, 2)
    assert plotting.attention_map(torch.eye(2), "ab", "ab", ax=axes[1], colorbar=False) is axes[1]


def test_attention_row_marks_what_is_asked():
    ax = plotting.attention_row(torch.tensor([0.2, 0.8]), ["a", "b"], highlight=[1])
    colours = [matplotlib.colors.to_hex(bar.get_facecolor()).upper() for bar in ax.patches]
    assert colours == [plotting.COLOURS["blue"], plotting.COLOURS["red"]]


@pytest.mark.parametrize(
    "draw, weights, labels",
    [
        (plotting.attention_map, torch.rand(2, 3, 3), ("abc", "abc")),
        (plotting.attention_map, torch.rand(3, 2), ("abc", "abc")),
        (plotting.attention_row, torch.rand(2), ("abc",)),
    ],
)
def test_wrong_shapes_are_named(draw, weights, labels):
    with pytest.raises(ValueError, match=str(tuple(weights.shape))[1:-1].replace(",", ",")):
        draw(weights, *labels)


def test_the_same_figure_gives_the_same_file():
    plotting.use_course_style()
    first, second = (drawn(plotting.attention_map(torch.eye(3), "abc", "abc"), "svg") for _ in range(2))
    assert first == second


def test_docstring_examples_run():
    assert doctest.testmod(plotting).failed == 0
