"""The drivers of chapter 2: collections that JSON does not know, a matrix not to be looked up by row."""

import pytest
import torch
import torch.nn.functional as F

from allyouneed.check.drivers import ask, shown_call
from allyouneed.check.wire import decode, encode


def put(driver, candidate, *arguments, **marks):
    return ask(
        candidate,
        driver,
        {"name": "p", "args": [encode(value) for value in arguments], "kwargs": encode({}), **marks},
    )


@pytest.mark.parametrize(
    "kind,items,type_name",
    [
        ("set", [3, 1], "set"),
        ("frozenset", [1], "frozenset"),
        ("generator", [2, 4], "generator"),
        ("tensor", [5, 6], "Tensor"),
        ("keys", [7, 8], "dict_keys"),
        ("range", [2, 5], "range"),
    ],
)
def test_a_collection_is_made_as_the_probe_says(kind, items, type_name):
    answer = put(
        "any_collection",
        lambda many: [type(many).__name__, sorted(int(item) for item in many)],
        {"as": kind, "items": items},
    )
    assert (
        decode(answer["output"]) == [type_name, list(range(*items)) if kind == "range" else sorted(items)]
        and "changed" not in answer
    )


def test_a_changed_collection_is_told_and_a_plain_dict_stays_one():
    assert put("any_collection", lambda many: many.clear(), {"as": "set", "items": [1]})["changed"] == [0]
    assert put("any_collection", lambda many: None, {"as": "generator", "items": [1]}).get("changed") is None
    assert decode(put("any_collection", lambda table: table["a"], {"a": 2})["output"]) == 2


IDS, E = torch.tensor([[2, 0], [1, 1]]), torch.tensor([[1.0, 2], [3, 4], [5, 6]])


def one_hot(ids, E):
    return F.one_hot(ids, E.shape[0]).to(E.dtype)


@pytest.mark.parametrize(
    "look_up",
    [
        lambda ids, E: E[ids],
        lambda ids, E: E[0].expand(2, 2, 2),
        lambda ids, E: E[0:1],
        lambda ids, E: E.T[:, ids],
        lambda ids, E: E.clone()[ids],
        lambda ids, E: E.index_select(0, ids[0]),
        lambda ids, E: torch.index_select(E, 0, ids[0]),
        lambda ids, E: F.embedding(ids, E),
        lambda ids, E: E.gather(0, ids),
        lambda ids, E: torch.take(E, ids),
        lambda ids, E: torch.take_along_dim(E, ids, 0),
        lambda ids, E: E.select(0, 1),
        lambda ids, E: E.narrow(0, 1, 1),
        lambda ids, E: torch.stack([E.unbind()[i] for i in (1, 2)]),
        lambda ids, E: torch.stack([list(E)[i] for i in (1, 2)]),
        lambda ids, E: E.masked_select(E > 2),
        lambda ids, E: E.transpose(0, 1).contiguous().T[ids],
        lambda ids, E: E.__getitem__(ids),
        lambda ids, E: torch.zeros(2, 2, 2).index_put_((ids,), list(E)[0]),
        lambda ids, E: E.view(-1)[ids],
        lambda ids, E: (E[None])[0],
        lambda ids, E: (E + 0)[ids],
        lambda ids, E: torch.cat([E])[ids],
        lambda ids, E: torch.where(E > 0, E, E)[ids],
        lambda ids, E: E.as_subclass(torch.Tensor)[ids],
    ],
)
def test_a_look_up_is_stopped_whatever_its_name(look_up):
    assert put("without_indexing", look_up, IDS, E)["error"] == "Indexed"


@pytest.mark.parametrize("gradient", [False, True])
@pytest.mark.parametrize(
    "product",
    [
        lambda ids, E: one_hot(ids, E) @ E,
        lambda ids, E: torch.einsum("...v,vd->...d", one_hot(ids, E), E),
        lambda ids, E: F.linear(one_hot(ids, E), E.T),
        lambda ids, E: torch.eye(E.shape[0])[ids] @ E,
        lambda ids, E: (one_hot(ids, E)[..., None] * E[None]).sum(-2),
        lambda ids, E: sum((ids == i)[..., None] * row for i, row in enumerate(E)),
        lambda ids, E: torch.eye(len(E))[ids].matmul(E.contiguous().clone()),
        lambda ids, E: torch.stack([(one_hot(ids, E) @ E)[0], (one_hot(ids, E) @ E)[1]]),
        lambda ids, E: (E.mT @ one_hot(ids, E).mT).mT,
        lambda ids, E: (one_hot(ids, E).double() @ E.double()).to(E.dtype),
        lambda ids, E: torch.tensordot(one_hot(ids, E), E, dims=1),
        lambda ids, E: torch.stack([torch.eye(len(E)).to(E)[i] @ E for i in ids.flatten()]).view(2, 2, 2),
    ],
)
def test_a_product_is_free_and_its_gradient_comes_back(product, gradient):
    answer = put("without_indexing", product, IDS, E, gradient=gradient)
    assert torch.equal(decode(answer["output"]), E[IDS])
    if gradient:
        assert (
            decode(answer["gradients"][0]).shape == E.shape
            and torch.count_nonzero(decode(answer["gradients"][0])) > 0
        )


def test_a_changed_matrix_is_told():
    assert put("without_indexing", lambda ids, E: E.mul_(2).sum(), IDS, E)["changed"] == [1]


@pytest.mark.parametrize(
    "kind,items,text",
    [
        ("set", [3, 1], "{3, 1}"),
        ("set", [], "set()"),
        ("generator", [2], "(row for row in [2])"),
        ("tensor", [7, 0], "torch.tensor([7, 0])"),
        ("range", [2, 5], "range(2, 5)"),
        ("keys", [1], "dict.fromkeys([1]).keys()"),
        ("frozenset", [4], "frozenset([4])"),
    ],
)
def test_a_message_shows_the_collection_as_python_writes_it(kind, items, text):
    spec = {"as": kind, "items": items}
    assert (
        shown_call(
            "any_collection", "f", {"args": [encode(2), encode(spec)], "kwargs": encode({"exclude": spec})}
        )
        == f"f(2, {text}, exclude={text})"
    )


def test_a_change_of_a_tensor_in_a_list_of_dicts_is_noticed():
    parts = [{"w": torch.ones(2)}, {"w": torch.zeros(2), "b": torch.ones(1)}]

    def summed(parts, sizes):
        return {"w": parts[0]["w"] + parts[1]["w"]}

    def in_place(parts, sizes):
        parts[1]["b"] += 1
        return {"w": parts[0]["w"]}

    def one_more(parts, sizes):
        parts.append({})
        return {"w": parts[0]["w"]}

    answer = put("listed_dicts", summed, parts, [1, 2])
    assert decode(answer["output"])["w"].tolist() == [1, 1] and "changed" not in answer
    assert put("listed_dicts", in_place, parts, [1, 2])["changed"] == [0]
    assert put("listed_dicts", one_more, parts, [1, 2])["changed"] == [0]
