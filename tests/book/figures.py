"""How tests of the interactive figures ask them: their own functions in the browser, what the site gives."""

import importlib.util
import json
from pathlib import Path

from book.pages import SITE

FIGURES = Path(__file__).resolve().parents[2] / "book" / "figures"


def compute(tab, name, expression, *values):
    """What an expression of the figure's functions gives in the browser; `f`: its module, `v`: the values."""
    return tab.evaluate(
        ("async ([name, text, v]) => { const f = await import(`/figures/${name}.js`); return eval(text); }"),
        [name, expression, values],
    )


def data(name):
    """What the site gives a figure, and its Python file as a module."""
    specification = importlib.util.spec_from_file_location(name.replace("-", "_"), FIGURES / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return json.loads((SITE / "figures" / f"{name}.json").read_text(encoding="utf-8")), module
