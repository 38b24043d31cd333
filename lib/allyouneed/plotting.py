"""Figures of the course: attention maps with labels, and the colours that all pages share.

Every figure has an opaque white background, so that it reads the same on a light and on a dark page.
Colours are Okabe and Ito's, which colour-blind readers can tell apart; maps run from white to dark blue,
so that they also read in grey.
"""

import matplotlib.pyplot as plt
import torch

__all__ = ["COLOURS", "attention_map", "attention_row", "use_course_style"]

COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "red": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "black": "#000000",
    "grey": "#767676",
}
_DARK_FROM = 0.55  # share of the scale from which text on the map is white
_MOST_VALUES = 100  # cells up to which a map is annotated unless told otherwise


def use_course_style() -> None:
    """Set matplotlib's defaults for the course: colours, sizes, and files that are the same each build."""
    plt.rcParams.update(
        {
            "axes.prop_cycle": plt.cycler(
                color=[COLOURS[name] for name in ("blue", "red", "green", "orange", "purple")]
            ),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.titlesize": 12,
            "axes.titlelocation": "left",
            "axes.labelsize": 11,
            "font.size": 11,
            "legend.frameon": False,
            "figure.facecolor": "white",
            "savefig.facecolor": "white",
            "figure.constrained_layout.use": True,
            "lines.linewidth": 2,
            "image.cmap": "Blues",
            "svg.hashsalt": "allyouneed",
        }
    )


def attention_map(
    weights, queries, keys, ax=None, title=None, values=None, vmax=1.0, colorbar=True
) -> plt.Axes:
    """Draw weights (T, S) as a map: one row a query, one column a key.

    queries, keys: the T and S labels. ax: a matplotlib axes, a new one unless given.
    values: whether to write each weight in its cell; unless given, where there are at most 100 cells.
    vmax: the weight that gets the darkest colour. Returns the axes.
    Raises ValueError where labels and weights do not fit.

    >>> attention_map(torch.eye(2), ["a", "b"], ["a", "b"]).get_xlabel()
    'key (what is looked at)'
    """
    weights = torch.as_tensor(weights).detach().cpu().float()
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(
            f"attention_map: {len(queries)} queries and {len(keys)} keys need weights of shape "
            f"({len(queries)}, {len(keys)}), but they are {tuple(weights.shape)}. Choose one head, as in "
            "weights[0, 3]."
        )
    ax = _axes(ax, figsize=(1.8 + 0.45 * len(keys), 1.4 + 0.4 * len(queries)))
    image = ax.imshow(weights, cmap="Blues", vmin=0, vmax=vmax, aspect="auto")
    _label_keys(ax, keys)
    ax.set_yticks(range(len(queries)), queries)
    ax.tick_params(length=0)
    ax.set(xlabel="key (what is looked at)", ylabel="query (who looks)")
    ax.spines[:].set_visible(False)
    ax.set_xticks([s - 0.5 for s in range(1, len(keys))], minor=True)
    ax.set_yticks([t - 0.5 for t in range(1, len(queries))], minor=True)
    ax.grid(which="minor", color="white", linewidth=1)
    ax.tick_params(which="minor", length=0)
    if weights.numel() <= _MOST_VALUES if values is None else values:
        for t, row in enumerate(weights.tolist()):
            for s, weight in enumerate(row):
                ax.text(
                    s,
                    t,
                    f"{weight:.2f}",
                    ha="center",
                    va="center",
                    fontsize=9,
                    color="white" if weight > _DARK_FROM * vmax else "black",
                )
    if colorbar:
        ax.figure.colorbar(image, ax=ax, label="weight", shrink=0.9)
    if title:
        ax.set_title(title)
    return ax


def attention_row(weights, keys, ax=None, title=None, colour="blue", highlight=()) -> plt.Axes:
    """Draw a query's weights (S,) as bars over the keys, those in `highlight` (key positions) in orange-red.

    Returns the axes. Raises ValueError where labels and weights do not fit.

    >>> len(attention_row(torch.tensor([0.2, 0.8]), ["a", "b"]).patches)
    2
    """
    weights = torch.as_tensor(weights).detach().cpu().float()
    if weights.shape != (len(keys),):
        raise ValueError(
            f"attention_row: {len(keys)} keys need weights of shape ({len(keys)},), but they "
            f"are {tuple(weights.shape)}."
        )
    ax = _axes(ax, figsize=(1.5 + 0.45 * len(keys), 2.6))
    colours = [COLOURS["red" if s in highlight else colour] for s in range(len(keys))]
    ax.bar(range(len(keys)), weights, color=colours)
    _label_keys(ax, keys)
    ax.set(xlabel="key", ylabel="weight", ylim=(0, max(1e-6, 1.1 * float(weights.max()))))
    if title:
        ax.set_title(title)
    return ax


def _label_keys(ax, keys):
    if max(map(len, keys)) * len(keys) <= 20:  # short enough to stand side by side
        ax.set_xticks(range(len(keys)), keys)
    else:
        ax.set_xticks(range(len(keys)), keys, rotation=60, ha="right", rotation_mode="anchor")


def _axes(ax, figsize):
    return plt.subplots(figsize=figsize, layout="constrained")[1] if ax is None else ax
