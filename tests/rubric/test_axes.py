"""An axis that is counted from the other end is proven to be the same one, and another one is not."""

import pytest
import torch

from allyouneed.check.questions.changes import changes
from coursegrader.rubric.sweep.axes import only_where_same

IMAGES, ROWS = torch.arange(24.0).view(2, 3, 4), torch.arange(6.0).view(2, 3)


def proven(body: str, old: str, new: str, *arguments) -> bool | None:
    """Whether the proof still gives what the version gives; None where there is none."""
    text = f"def f(x):\n    return {body}\n"
    change = next(
        item
        for item in changes(text)
        if (item.kind, item.new, text[item.start : item.end]) == ("axis", new, old)
    )
    if (proof := only_where_same(text, change)) is None:
        return None
    found = []
    for source in (text, proof):
        names = {"torch": torch}
        exec(source, names)
        try:
            found.append(names["f"](*arguments))
        except (IndexError, RuntimeError):
            found.append(None)
    return all(item is not None for item in found) and torch.equal(*map(torch.as_tensor, found))


@pytest.mark.parametrize(
    "body, old, new",
    [
        ("x.shape[1]", "1", "-2"),
        ("x.sum(1)", "1", "-2"),
        ("x.sum(dim=-2)", "-2", "1"),
        ("torch.softmax(x, dim=1)", "1", "-2"),
        ("x.transpose(1, 2)", "1", "-2"),
        ("x.permute(1, 0, 2)", "1", "-2"),
        ("torch.stack([x, x], dim=-2)", "-2", "1"),
        ("torch.cat([x, x], dim=1)", "1", "-2"),
    ],
)
def test_the_same_axis(body, old, new):
    one_more = "stack" in body
    tensor = ROWS if one_more else IMAGES
    assert proven(body, old, new, tensor) is True
    assert proven(body, old, new, IMAGES if one_more else ROWS) is False, "of another number of axes"


@pytest.mark.parametrize(
    "body, old, new",
    [
        ("x.sum(1)", "1", "0"),
        ("torch.cat(tuple(y for y in x), dim=1)", "1", "-2"),
        ("x.pop().sum(1)", "1", "-2"),
    ],
)
def test_where_there_is_no_proof(body, old, new):
    assert proven(body, old, new, IMAGES) is None
