"""scaled_dot_product_attention: probes, right versions, and each mistake with its message and its
evidence."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise, Relation, edit, full

exercise = Exercise(
    "scaled_dot_product_attention",
    points={"formula": 3, "masks": 2, "empty rows and large scores": 1},
    section="scaled-dot-product",
    forbid=("MultiheadAttention", "MultiHeadAttention", "multi_head_attention_forward",
            "scaled_dot_product_attention_math",
            "scaled_dot_product_flash_attention", "scaled_dot_product_flash_attention_for_cpu",
            "scaled_dot_product_efficient_attention", "scaled_dot_product_fused_attention_overrideable",
            "flex_attention",             "native_multi_head_attention", "blockwise_attention",
            "fused_attention"),
    properties=[{"rule": "finite", "part": 1}, {"rule": "non_negative", "part": 1, "what": "A weight"},
                {"rule": "sums_to_one", "part": 1, "or_zero": True, "what": "The weights of a query"},
                {"rule": "finite", "part": 0}],
    relations=[
        Relation("a hidden key", "another hidden key",
                 "Changing a key and a value that every query must ignore changed the output.", 0),
        Relation("two queries, three keys", "the same keys in reverse order",
                 "The order of the keys and their values changed the output; it must not.", 0)],
)


@exercise.probes
def probes(make):
    def qkv(leading, n_queries, n_keys, width, value_width, dtype=torch.float32):
        return (make.randn(*leading, n_queries, width, dtype=dtype),
                make.randn(*leading, n_keys, width, dtype=dtype),
                make.randn(*leading, n_keys, value_width, dtype=dtype))

    def probe(name, *args, group="formula", **marks):
        return make.probe(name, *args, group=group, **marks)

    q, k, v = qkv((), 2, 3, make.pick(5, 6, 7), 4)
    yield probe("two queries, three keys", q, k, v, gradient=True)
    yield probe("the same keys in reverse order", q, k.flip(0), v.flip(0))
    yield probe("batch and heads", *qkv(*make.pick(((2, 3), 3, 5, 6, 4), ((2, 3), 5, 7, 6, 4),
                                                   ((3, 2), 4, 8, 7, 5))), gradient=True)
    yield probe("a batch without heads", *qkv(*make.pick(((3,), 2, 4, 7, 5), ((2,), 3, 5, 6, 4),
                                                         ((4,), 3, 2, 5, 6))))
    yield probe("more queries than keys", *qkv(*make.pick(((2,), 5, 3, 7, 4), ((3,), 6, 4, 2, 5),
                                                          ((2,), 7, 3, 6, 4))))
    yield probe("batch 1, one head", *qkv((1, 1), *make.pick((4, 6, 3, 5), (3, 5, 6, 2), (5, 3, 6, 7))))
    yield probe("all sizes equal", *qkv((), 3, 3, 3, 3))
    yield probe("all sizes equal, in a batch with heads", *qkv((1, 2), *[make.pick(4, 5, 4)] * 4))
    yield probe("as many queries as keys", *qkv((1, 2), *make.pick((4, 4, 5, 1), (3, 3, 6, 2), (4, 4, 3, 1))))
    yield probe("keys as wide as there are keys",
                *qkv((2,), *make.pick((3, 5, 5, 4), (4, 6, 6, 5), (5, 3, 3, 2))))
    yield probe("values as wide as keys", *qkv((2,), *make.pick((4, 3, 5, 5), (3, 2, 4, 4), (5, 3, 6, 6))))
    yield probe("float64", *qkv((2,), *make.pick((3, 4, 6, 5), (4, 3, 7, 2), (5, 6, 3, 4)),
                                dtype=torch.float64), gradient=True)
    yield probe("not contiguous", *qkv((1, 2), 3, 4, 6, 5), edge=True, strided=True, gradient=True)
    yield probe("one query", *qkv((2,), 1, 5, 6, 3), edge=True)
    yield probe("one key", *qkv((2,), 4, 1, 6, 3), edge=True)
    yield probe("a long sequence", *qkv((), 3, 150, 5, 2), long=True)

    hidden = torch.tensor([[True, False, True, True], [False, False, True, False]])
    q, k, v = qkv((), 2, 4, make.pick(3, 5, 6), 1)
    yield probe("a hidden key", q, k, v, hidden, group="masks", gradient=True)
    other_k, other_v = k.clone(), v.clone()
    other_k[1], other_v[1] = make.randn(k.shape[1]), make.randn(1)
    yield probe("another hidden key", q, other_k, other_v, hidden, group="masks")
    sizes = make.pick(((2, 3), 5, 7, 6, 4), ((3, 2), 4, 8, 7, 5), ((2, 4), 7, 6, 5, 3))
    batch, heads, n_queries, n_keys = *sizes[0], *sizes[1:3]
    small = sizes[0], 2, 4, 5, 1
    yield probe("a mask of queries and keys", *qkv((batch,), *sizes[1:]), make.rand_mask(n_queries, n_keys),
                group="masks", gradient=True)
    yield probe("a mask of keys in each batch item", *qkv(*small), make.rand_mask(batch, 1, 1, 4),
                group="masks")
    yield probe("a mask for each head", *qkv(*small), make.rand_mask(batch, heads, 2, 4), group="masks",
                gradient=True)
    yield probe("padding, as many queries as keys", *qkv((2, 1), 3, 3, 4, 2),
                torch.tensor([[1, 1, 0], [1, 0, 0]], dtype=torch.bool)[:, None, None, :], group="masks",
                edge=True)
    yield probe("one row of a mask for all queries",
                *qkv((2,), *make.pick((3, 4, 5, 2), (2, 5, 3, 4), (4, 3, 6, 2))),
                make.rand_mask(make.pick(4, 5, 3)), group="masks", edge=True)
    yield probe("a mask of whole queries", *qkv((2,), *make.pick((3, 4, 5, 2), (3, 5, 2, 4), (3, 4, 6, 5))),
                torch.tensor([[True], [False], [True]]), group="empty rows and large scores", edge=True)
    yield probe("a mask without heads", *qkv((3,), 2, 5, 6, 4), make.rand_mask(3, 2, 5), group="masks")
    yield probe("as many queries as keys, with a mask", *qkv((2, 1), 4, 4, 5, 2), make.rand_mask(2, 1, 4, 4),
                group="masks")
    yield probe("float64, with a mask", *qkv((), 3, 5, 4, 2, dtype=torch.float64), make.rand_mask(3, 5),
                group="masks", edge=True, gradient=True)
    yield probe("a causal mask", *qkv((), 4, 4, 6, 5), torch.ones(4, 4, dtype=torch.bool).tril(),
                group="masks", edge=True)
    yield probe("a mask that hides nothing", *qkv((), 3, 4, 6, 5), torch.ones(3, 4, dtype=torch.bool),
                group="masks", edge=True)

    edge = {"group": "empty rows and large scores", "edge": True}
    empty = torch.tensor([[True, False, True], [False, False, False]])
    yield probe("a query that may attend to nothing", *qkv((), 2, 3, 4, 2), empty, gradient=True, **edge)
    padded = torch.tensor([[1, 1, 0, 0], [0, 0, 0, 0]], dtype=torch.bool)[:, None, None, :]
    yield probe("a batch item of padding alone", *qkv((2, 1), 2, 4, 6, 5), padded, gradient=True, **edge)
    yield probe("float64, a query that may attend to nothing", *qkv((), 2, 3, 4, 5, dtype=torch.float64),
                empty.flip(0), gradient=True, **edge)
    one_head = torch.tensor([[[1, 0, 1], [0, 0, 0]], [[1, 1, 0], [0, 1, 1]]], dtype=torch.bool)[None]
    yield probe("a query that may attend to nothing in one head", *qkv((1, 2), 2, 3, 4, 5), one_head,
                gradient=True, **edge)
    large = torch.tensor([[200.0, 199.0, 0.0], [-200.0, -201.0, -203.0]]) * make.pick(1.0, 1.25, 1.5)
    q = torch.eye(2, 4)
    k = torch.cat([large.T, make.randn(3, 2)], dim=1)
    yield probe("scores above a hundred", q, k, make.randn(3, 2), **edge)
    dominant = torch.tensor([[400.0, 1.0, 2.0], [3.0, 500.0, 2.0]]) * make.pick(1.0, 1.5, 2.0)
    k = torch.cat([dominant.T, make.randn(3, 2)], dim=1)
    yield probe("a hidden key with by far the largest score", q, k, make.randn(3, 2),
                torch.tensor([[False, True, True], [True, False, True]]), **edge)
    low = torch.tensor([[-4000.0, 100.0, 50.0], [30.0, 20.0, -5000.0]]) * make.pick(1.0, 1.25, 1.5)
    k = torch.cat([low.T, make.randn(3, 2)], dim=1)
    yield probe("a key with a very low score, the others hidden", q, k, make.randn(3, 2),
                torch.tensor([[True, False, False], [False, False, True]]), **edge)
    k = torch.cat([100 * dominant.T, make.randn(3, 2)], dim=1)
    yield probe("a hidden key with a score of tens of thousands", q, k, make.randn(3, 2),
                torch.tensor([[False, True, True], [True, False, True]]), **edge)
    k = torch.cat([10 * low.T, make.randn(3, 2)], dim=1)
    yield probe("a key with a score of minus tens of thousands, the others hidden", q, k, make.randn(3, 2),
                torch.tensor([[True, False, False], [False, False, True]]), **edge)


@exercise.right
def reference(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights


@exercise.right("einsum, lowest number, multiplied by the mask")
def einsum_lowest(q, k, v, mask=None):
    scores = torch.einsum("...tk,...sk->...ts", q, k) * k.size(-1) ** -0.5
    if mask is None:
        weights = F.softmax(scores, dim=-1)
    else:
        weights = F.softmax(torch.where(mask, scores, torch.finfo(scores.dtype).min), dim=-1) * mask
    return torch.einsum("...ts,...sd->...td", weights, v), weights


@exercise.right("−1e9 added, empty rows set to zero")
def minus(q, k, v, mask=None):
    d_k = q.size(-1)
    scores = torch.matmul(q / math.sqrt(d_k), k.mT)
    if mask is not None:
        scores = scores + (~mask).to(scores.dtype) * -1e9
    weights = scores.softmax(-1)
    if mask is not None:
        some = mask.any(dim=-1, keepdim=True)
        weights = torch.where(some, weights, torch.zeros_like(weights))
    return [torch.matmul(weights, v), weights]


@exercise.right("masked before the scale, NaN replaced")
def masked_before(q, k, v, mask=None):
    scores = q.matmul(k.swapaxes(-1, -2))
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    weights = torch.nan_to_num(nn.Softmax(dim=-1)(scores / torch.tensor(q.shape[-1], dtype=q.dtype).sqrt()),
                               nan=0.0)
    return weights.matmul(v), weights


@exercise.right("exponentials by hand")
def exponentials_hand(q, k, v, mask=None):
    s = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1) / q.shape[-1] ** 0.5
    allowed = torch.ones_like(s, dtype=torch.bool) if mask is None else mask.expand_as(s)
    s = torch.where(allowed, s, torch.full_like(s, -1e30))
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values) * allowed
    total = e.sum(-1, keepdim=True)
    w = e / torch.where(total > 0, total, torch.ones_like(total))
    return w @ v, w


@exercise.right("a loop over queries")
def loop(q, k, v, mask=None):
    T, S = q.shape[-2], k.shape[-2]
    if mask is not None:
        mask = torch.broadcast_to(mask, q.shape[:-2] + (T, S))
    outputs, maps = [], []
    for t in range(T):
        s = (k * q[..., t:t + 1, :]).sum(dim=-1) / math.sqrt(q.shape[-1])
        if mask is not None:
            s = s.masked_fill(~mask[..., t, :], torch.finfo(s.dtype).min)
        w = torch.softmax(s, dim=-1)
        if mask is not None:
            w = w * mask[..., t, :].any(-1, keepdim=True)
        maps.append(w)
        outputs.append((w.unsqueeze(-1) * v).sum(dim=-2))
    return torch.stack(outputs, dim=-2), torch.stack(maps, dim=-2)


@exercise.right("logarithm of the mask, logsumexp")
def logarithm(q, k, v, mask=None):
    s = q @ k.transpose(-1, -2) / math.sqrt(k.shape[-1])
    if mask is None:
        mask = torch.ones(s.shape[-2:], dtype=torch.bool)
    s = s.masked_fill(~mask, -1e20)
    w = torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True)).masked_fill(~mask, 0)
    return w @ v, w


@exercise.right("step by step")
def plain(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


@exercise.right("step by step, another way")
def plain_other(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)
    return weights @ v, weights


@exercise.right("step by step, 4")
def plain_4(q, k, v, mask=None):
    raw = q @ k.transpose(-2, -1)
    scores = raw / math.sqrt(q.shape[-1])
    masked = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(masked, dim=-1))
    return weights.matmul(v), weights


exercise.also_right(
    edit(einsum_lowest, {"F.softmax(scores, dim=-1)": "softmax(scores, -1)",
                         "F.softmax(torch.where(mask, scores, torch.finfo(scores.dtype).min), dim=-1)":
                         "softmax(torch.where(mask, scores, torch.finfo(scores.dtype).min), -1)"},
         "one's own softmax"),
    edit(reference, {"torch.softmax(": "softmax("}, "one's own softmax, empty rows filled"),
    edit(plain, {"torch.softmax(": "softmax("}, "one's own softmax, NaN replaced"))

WEIGHTS = ("if mask is not None:\n"
           "    weights = weights.masked_fill(~mask, 0.0)")
WEIGHTS_2 = "weights = torch.nan_to_num(torch.softmax(scores, dim=-1))"

exercise.mistake("no-scale", "why-divide-by-sqrt-dk",
    "The scores are not scaled. Divide q kᵀ by the square root of the width of queries and keys before the "
    "softmax.",
    edit(reference, {" / math.sqrt(q.shape[-1])": "", WEIGHTS: ""}),
    edit(plain, {" / math.sqrt(q.shape[-1])": "",
                 "if mask is not None:\n    scores = scores.masked_fill(~mask, -math.inf)": ""},
         "no mask either"))

exercise.mistake("scale-by-dk", "why-divide-by-sqrt-dk",
    "The scores are divided by the width of the keys itself. Divide by its square root.",
    edit(plain, {"math.sqrt(q.shape[-1])": "q.shape[-1]", " torch.nan_to_num(": "", "dim=-1))": "dim=-1)"}))

exercise.mistake("scale-multiplied", "why-divide-by-sqrt-dk",
    "The scores are multiplied by the square root of the width. Divide by it: they must become smaller.",
    edit(plain, {"/ math": "* math", " torch.nan_to_num(": "", "dim=-1))": "dim=-1)"}))

exercise.mistake("scale-other-size", "why-divide-by-sqrt-dk",
    "The scores are divided by the root of a size other than the width of queries and keys. Take the last "
    "axis: q.shape[-1].",
    edit(plain, {"q.shape": "v.shape", " torch.nan_to_num(": "",
                 "dim=-1))": "dim=-1)"}, "width of the values"),
    edit(plain, {"q.shape[-1]": "k.shape[-2]", " torch.nan_to_num(": "",
                 "dim=-1))": "dim=-1)"}, "number of keys"),
    edit(plain, {"shape[-1]": "shape[-2]", " torch.nan_to_num(": "",
                 "dim=-1))": "dim=-1)"}, "number of queries"),
    edit(plain, {"shape[-1]": "shape[0]", " torch.nan_to_num(": "", "dim=-1))": "dim=-1)"}, "first axis"),
    edit(reference, {"(q.shape[-1])": "(len(k))", WEIGHTS: ""}, "first axis of the keys"),
    edit(plain, {"shape[-1]": "shape[1]", " torch.nan_to_num(": "", "dim=-1))": "dim=-1)"}, "second axis"),
    edit(reference, {"scores = q": "heads = q.shape[-3] if q.dim() > 3 else 1\nscores = q",
                     "q.shape": "heads * q.shape", WEIGHTS: ""}, "width of all heads"),
    edit(plain, {"shape[-1]": "shape[- 2] * q.shape[- 1]", " torch.nan_to_num(": "",
                 "dim=-1))": "dim=-1)"}, "queries times width"))

exercise.mistake("scale-rounded", "why-divide-by-sqrt-dk",
    "The square root of the width is rounded to a whole number. Divide by math.sqrt of it, without int or "
    "//.",
    edit(plain, {"math.sqrt(q.shape[-1])": "int(math.sqrt(q.shape[-1]))", " torch.nan_to_num(": "",
                 "dim=-1))": "dim=-1)"}),
    edit(plain, {"/ math": "// math"}, "floor division"))

exercise.mistake("scale-after-softmax", "why-divide-by-sqrt-dk",
    "The weights are divided by the square root of the width after the softmax, so they no longer sum to "
    "1. Scale the scores, before the softmax.",
    edit(plain, {" / math.sqrt(q.shape[-1])": "", " torch.nan_to_num(": "",
                 "dim=-1)": "dim=-1) / math.sqrt(q.shape[-1]"}),
    edit(plain, {" / math.sqrt(q.shape[-1])": "", " torch.nan_to_num(": "", "dim=-1))": "dim=-1)",
                 "v, weights": "v / math.sqrt(q.shape[-1]), weights"}, "output alone"),
    edit(plain, {" torch.nan_to_num(": "", "dim=-1)": "dim=-1) / math.sqrt(q.shape[-1]"}, "scaled again"))

exercise.mistake("softmax-over-queries", "softmax-over-keys",
    "The weights sum to 1 over the queries. Each query's weights over the keys must sum to 1: the softmax "
    "runs along the last axis.",
    edit(plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=-2)"}),
    edit(plain, {"math.inf": "1e9", " torch.nan_to_num(": "", "dim=-1))": "dim=-2)"}, "−1e9"),
    edit(plain, {"dim=-1": "dim=-2"}, "NaN replaced"),
    edit(plain, {" / math.sqrt(q.shape[-1])": "", " torch.nan_to_num(": "",
                 "dim=-1))": "dim=-2)"}, "not scaled"))

exercise.mistake("softmax-other-axis", "softmax-over-keys",
    "The softmax runs over a leading axis (batch or heads), or over several axes at once. It must run over "
    "the keys alone: dim=-1.",
    edit(plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=0)"}, "first axis"),
    edit(plain, {"math.inf": "1e9", " torch.nan_to_num(": "", "dim=-1))": "dim=0)"}, "first axis, −1e9"),
    edit(plain, {"dim=-1": "dim=0"}, "first axis, NaN replaced"),
    edit(plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=1)"}, "second axis"),
    edit(plain, {"math.inf": "1e9", " torch.nan_to_num(": "", "dim=-1))": "dim=1)"}, "second axis, −1e9"),
    edit(plain, {"dim=-1": "dim=1"}, "second axis, NaN replaced"),
    edit(plain, {"torch.nan_to_num(torch.softmax(scores, dim=-1))": "F.softmax(scores)"}, "no axis given"),
    edit(plain, {"math.inf": "1e9",
                 "torch.nan_to_num(torch.softmax(scores, dim=-1))": "F.softmax(scores)"},
         "no axis given, −1e9"),
    edit(plain, {"torch.nan_to_num(torch.softmax(scores, dim=-1))":
                 "torch.softmax(scores.flatten(-2), dim=-1).view(scores.shape)"}, "queries and keys at once"),
    edit(reference, {"(scores, dim=-1)": "(scores.flatten(), dim=0).view(scores.shape)"},
         "everything at once"),
    edit(plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=2)"}, "third axis"),
    edit(plain, {"math.inf": "1e9", " torch.nan_to_num(": "", "dim=-1))": "dim=2)"}, "third axis, −1e9"))

exercise.mistake("fixed-axes", "scaled-dot-product",
    "The axes are counted from the front, so the code works for one number of axes only. Leading axes are "
    "free: count from the end, as in transpose(-2, -1), dim=-1 and q.shape[-1].",
    edit(plain, {"(-2, -1)": "(2, 3)", " torch.nan_to_num(": "", "dim=-1))": "dim=-1)"}, "transpose(2, 3)"),
    edit(plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=3)"}, "softmax over axis 3"),
    edit(reference, {"q @ k.transpose(-2, -1)": 'torch.einsum("bhtk,bhsk->bhts", q, k)',
                     WEIGHTS: ""}, "einsum of four axes"),
    edit(reference, {"transpose(-2, -1)": "permute(0, 1, 3, 2)", WEIGHTS: ""}, "permute of four axes"),
    edit(reference, {"scores = q": "B, H, T, K = q.shape\nscores = q", "q.shape[-1]": "K",
                     WEIGHTS: ""}, "four sizes unpacked"),
    edit(plain, {"(-2, -1)": "(1, 2)"}, "transpose(1, 2)"),
    edit(plain, {"q @ k.transpose(-2, -1)": "torch.bmm(q, k.transpose(-2, -1))"}, "bmm"),
    edit(reference, {"scores = q": "B, T, K = q.shape\nscores = q", "q.shape[-1]": "K",
                     WEIGHTS: ""}, "three sizes unpacked"),
    edit(reference, {"transpose(-2, -1)": "T", WEIGHTS: ""}, "k.T"),
    edit(reference, {"transpose(-2, -1)": "t()", WEIGHTS: ""}, "k.t()"),
    edit(plain, {"(-2, -1)": "(0,1)", " torch.nan_to_num(": "", "dim=-1))": "dim=-1)"}, "transpose(0, 1)"),
    edit(reference, {"scores = q": "T, K = q.shape\nscores = q", "q.shape[-1]": "K",
                     WEIGHTS: ""}, "two sizes unpacked"))

exercise.mistake("keys-not-transposed", "scaled-dot-product",
    "The scores come from q @ k, without a transposition. The score of query t and key s is the product of "
    "two rows: transpose the last two axes of k.",
    edit(plain, {".transpose(-2, -1)": ""}))

exercise.mistake("keys-reshaped", "scaled-dot-product",
    "The keys are reshaped where they should be transposed, which mixes numbers of different keys. Use "
    "k.transpose(-2, -1).",
    edit(reference, {"transpose(-2, -1)": "reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])",
                     WEIGHTS: ""}, "reshape"),
    edit(reference, {"transpose(-2": "view(*k.shape[:-2], k.shape[-1]", WEIGHTS: ""}, "view"))

exercise.mistake("queries-and-keys-swapped", "query-key-value",
    "Queries and keys are swapped: each row of scores must belong to a query, and each column to a key.",
    edit(plain, {"q @ k": "k @ q"}),
    edit(plain, {"q @ k": "q", "/ math": "@ k / math"}, "q transposed"),
    edit(reference, {"q @ k": "k @ q", ", -math": ".transpose(-2, -1), -math", WEIGHTS: "",
                     "weights @ v": "weights.transpose(-2, -1) @ v"}, "weights transposed for the output"),
    full("scores = k @ q.transpose(-2, -1) / math.sqrt(q.shape[-1])\n"
         "if mask is not None:\n"
         "    scores = scores.masked_fill(~mask.transpose(-2, -1), -math.inf)\n"
         "weights = torch.softmax(scores, dim=-2)\n"
         "return weights.transpose(-2, -1) @ v, weights",
         "softmax over the keys, weights transposed for the output"))

exercise.mistake("wrong-partner", "query-key-value",
    "One of q, k and v stands in another's place. The scores compare q with k, and the weights mix v.",
    edit(plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=-1)", "v, weights": "k, weights"}, "keys mixed"),
    edit(plain, {"v, weights": "q, weights"}, "queries mixed"),
    edit(plain, {"q @ k": "q @ v"}, "queries with values"),
    edit(plain, {"q @ k": "q @ q"}, "queries with queries"),
    edit(plain, {"q @ k": "k @ k", " torch.nan_to_num(": "", "dim=-1))": "dim=-1)"}, "keys with keys"))

exercise.mistake("mask-inverted", "masks-in-torch",
    "The mask works the wrong way round: True means that the query may attend. Hide the keys where the "
    "mask is False.",
    edit(plain, {"~mask": "mask", " torch.nan_to_num(": "", "dim=-1))": "dim=-1)"}),
    edit(plain, {"~mask, -math.inf": "mask, 0.0"}, "and filled with 0"),
    edit(plain, {"~mask, -math.inf": "mask, 1e9"}, "and +∞"),
    edit(plain, {"~mask": "mask"}, "NaN replaced"),
    edit(reference, {" / math.sqrt(q.shape[-1])": "", "~mask, -": "mask, -", WEIGHTS: ""}, "and not scaled"),
    full("weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)\n"
         "if mask is not None:\n"
         "    weights = weights.masked_fill(mask, 0.0)\n"
         "return weights @ v, weights", "and after the softmax"),
    edit(reference, {"~mask, -math.inf": "mask, -1e9"}, "with hidden weights set to 0 by the mask"),
    edit(plain_other, {"~mask,": "mask,"}, "with empty rows set to 0"))

exercise.mistake("mask-after-softmax", "softmax-over-keys",
    "The mask is applied after the softmax, so hidden keys have already taken their share and the rest "
    "does not sum to 1. Set the hidden scores to −∞ before the softmax.",
    full("weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)\n"
         "if mask is not None:\n"
         "    weights = weights * mask\n"
         "return weights @ v, weights"),
    full("weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)\n"
         "if mask is not None:\n"
         "    weights = weights.masked_fill(~mask, -math.inf)\n"
         "return weights @ v, weights", "−∞ on the weights"),
    full("weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)\n"
         "if mask is not None:\n"
         "    weights = weights.masked_fill(~mask, -1e9)\n"
         "return weights @ v, weights", "−1e9 on the weights"),
    full("weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)\n"
         "if mask is not None:\n"
         "    weights = torch.softmax(weights.masked_fill(~mask, -math.inf), dim=-1)\n"
         "return weights @ v, weights", "and a second softmax"),
    full("weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)\n"
         "output = weights @ v if mask is None else (weights * mask) @ v\n"
         "return output, weights", "output alone"),
    full("weights = torch.softmax(q @ k.transpose(-2, -1), dim=-1)\n"
         "if mask is not None:\n"
         "    weights = weights * mask\n"
         "return weights @ v, weights", "not scaled"))

exercise.mistake("renormalized", "fully-masked-row",
    "A hidden key still takes part in the softmax: where its score is by far the largest, nothing is left "
    "for the others. Set hidden scores to −∞ first, before the maximum and exp.",
    full("weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)\n"
         "if mask is not None:\n"
         "    weights = weights * mask\n"
         "    weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-12)\n"
         "return weights @ v, weights"),
    full("weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)\n"
         "if mask is not None:\n"
         "    weights = weights * mask\n"
         "    weights = weights / weights.sum(-1, keepdim=True)\n"
         "return weights @ v, weights", "0/0 in empty rows"))

exercise.mistake("fill-too-large", "masks-in-torch",
    "A hidden score is set to about 0 or another ordinary number, and exp of it is not 0: hidden keys "
    "still get weight, or take a share that is lost where it is set to 0 afterwards. Fill with −∞ (or the "
    "dtype's lowest number).",
    edit(plain, {"-math.inf": "0.0"}, "0"),
    edit(plain, {"math.inf": "1.0"}, "−1"),
    edit(plain, {"-math.inf": "1.0"}, "1"),
    edit(plain, {"math.inf": "10.0"}, "−10"),
    edit(plain_other, {"-1e9": "0.0"}, "0, with empty rows set to 0"),
    edit(reference, {"-math.inf": "0.0"}, "0, with hidden weights set to 0 afterwards"),
    edit(reference, {"-math.inf": "-10.0"}, "−10, with hidden weights set to 0 afterwards"),
    edit(plain, {" / math.sqrt(q.shape[-1])": "", "-math.inf": "0.0"}, "0, and not scaled"),
    edit(plain, {"-math.inf)": "scores.min().item())"}, "the minimum of the scores"))

exercise.mistake("fill-not-low-enough", "masks-in-torch",
    "Hidden scores are set to a number like −100 or −10,000, or lowered by one. That is not low enough: where "
    "the other scores are lower still, hidden keys take the weight. Fill with −∞ (or the dtype's lowest "
    "number).",
    edit(plain_other, {"-1e9": "-100.0"}),
    edit(plain, {"math.inf": "100.0"}, "and empty rows with equal weights"),
    edit(reference, {"-math.inf": "-1000.0"}, "and hidden weights set to 0 afterwards"),
    edit(minus, {"-1e9": "-100.0"}, "−100 added"),
    edit(minus, {"-1e9": "-1000.0"}, "−1000 added"),
    edit(reference, {"-math.inf": "-1e4"}, "−10,000, and hidden weights set to 0 afterwards"),
    edit(minus, {"-1e9": "-1e4"}, "−10,000 added"),
    edit(plain, {".masked_fill(~mask, -math.inf)": "+ (~mask) * -100.0"},
         "−100 added, and empty rows with weights"))

exercise.mistake("fill-positive", "masks-in-torch",
    "Hidden scores are set to a huge positive number, so hidden keys take all the weight. Fill with −∞: "
    "mind the sign.",
    edit(plain, {"-math": "math", " torch.nan_to_num(": "", "dim=-1))": "dim=-1)"}, "∞"),
    edit(plain, {"-math.inf": "1e9"}, "1e9"))

exercise.mistake("mask-added", "masks-in-torch",
    "The boolean mask is added to the scores as 0 and 1. It must hide: set the scores where it is False to "
    "−∞.",
    edit(plain, {".masked_fill(~mask, -math.inf)": "+ mask"}),
    full("scores = (q @ k.transpose(-2, -1) + (0 if mask is None else mask)) / math.sqrt(q.shape[-1])\n"
         "weights = torch.softmax(scores, dim=-1)\n"
         "return weights @ v, weights", "before the scale"))

exercise.mistake("mask-ignored", "causal-mask",
    "The mask changes nothing: it is not used. Hide the scores where it is False, before the softmax.",
    edit(reference, {"if mask is not None:\n    scores = scores.masked_fill(~mask, -math.inf)": "",
                     WEIGHTS: ""}))

exercise.mistake("mask-transposed", "causal-mask",
    "The mask is transposed. Its rows are queries and its columns keys, as in the scores: use it as it is.",
    edit(plain, {"~mask": "~mask.transpose(-2, -1)"}),
    edit(plain, {"~mask": "~mask.T"}, "mask.T"),
    edit(plain, {"scores = q": "if mask is not None and mask.shape[-1] != k.shape[-2]:\n"
                               "    mask = mask.transpose(-2, -1)\n"
                               "scores = q"}, "where its last axis is not that of the keys"))

exercise.mistake("mask-on-values", "padding-mask",
    "The mask is applied to the output or to the inputs, not to the scores. Set the hidden scores to −∞, "
    "before the softmax.",
    full("weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)\n"
         "output = weights @ v\n"
         "if mask is not None:\n"
         "    output = output * mask.any(-1, keepdim=True)\n"
         "return output, weights", "the output of queries"),
    edit(reference, {", -math": "[..., :1], -math", WEIGHTS: ""}, "hidden queries"),
    edit(plain, {"scores = scores.masked_fill(~mask, -math.inf)": "v = v * mask.transpose(-2, -1)"},
         "the values"))

exercise.mistake("padded-queries-hidden", "padding-mask",
    "The mask is applied to the queries too, so the rows of padded queries are 0. It has one row for all "
    "queries and hides keys alone: every query that may attend to some key gets weights.",
    edit(plain, {"scores = q": "if mask is not None and mask.shape[-2] == 1 and q.shape[-2] == k.shape[-2]:\n"
                               "    mask = mask & mask.mT\n"
                               "scores = q"}))

exercise.mistake("mask-needs-all-axes", "padding-mask",
    "The mask is used with as many axes as the scores. It may have fewer, or axes of size 1: let "
    "broadcasting do the work, as masked_fill and torch.where do.",
    edit(plain, {"= scores.masked_fill(~mask, -math.inf)": "[~mask] = -math.inf"}, "indexing"),
    edit(plain, {"~mask": "~mask[..., :, :]"}, "two axes at least"),
    edit(plain, {"scores = q": "if mask is not None:\n"
                               "    v = v * mask.any(-2, keepdim=True).transpose(-2, -1)\n"
                               "scores = q"}, "keys that nobody reads, by an axis of queries"),
    edit(plain, {"~mask": "~mask.unsqueeze(1)"}, "an axis for heads added"),
    edit(plain, {"~mask": "~mask.view(scores.shape)"}, "view as the scores"))

exercise.mistake("weights-before-mask", "causal-mask",
    "The output is right, but the weights that come back are those without the mask. Return the ones that "
    "the output was made with.",
    edit(plain, {"if": "weights = torch.softmax(scores, dim=-1)\nif", WEIGHTS_2: "",
                 "weights @ v": "torch.softmax(scores, dim=-1).nan_to_num() @ v"}))

exercise.mistake("returns-scores", "scaled-dot-product",
    "The output is right, but the second value holds the scores. Return the weights, after the softmax.",
    edit(plain_4, {".matmul(v), weights": "@ v, scores"}),
    edit(plain_4, {".matmul(v), weights": "@ v, raw"}, "not scaled"),
    edit(plain_4, {".matmul(v), weights": "@ v, masked"}, "masked with −∞"),
    edit(plain_4, {".matmul(v), weights": "@ v, masked.clamp(min=-1e9)"}, "masked with −1e9"),
    edit(plain_4, {"return weights.matmul(v), weights":
                   "return weights @ v, masked.clamp(min=torch.finfo(q.dtype).min)"},
         "masked with the lowest number"),
    edit(plain_4, {"return weights.matmul(v), weights":
                   "return weights @ v, masked.clamp(min=-1e9 / math.sqrt(q.shape[-1]))"},
         "masked with −1e9 before the scale"))

exercise.mistake("only-output", "scaled-dot-product",
    "Only the output comes back. Return two values: the output, then the weights.",
    edit(plain, {", weights": ""}))

exercise.mistake("only-weights", "scaled-dot-product",
    "Only the weights come back. Multiply them with v, and return the output and the weights.",
    edit(plain, {" @ v, weights": ""}))

exercise.mistake("order-of-results", "scaled-dot-product",
    "The weights come first. Return the output first, then the weights.",
    edit(plain, {"weights @ v, weights": "weights, weights @ v"}))

exercise.mistake("returns-dict", "scaled-dot-product",
    "A dict comes back. Return two values: the output, then the weights.",
    edit(plain, {"weights @ v, weights": '{"output": weights @ v, "weights": weights}'}))

exercise.mistake("no-softmax", "softmax-over-keys",
    "The scores are used as weights without a softmax. Weights must be positive and sum to 1 for each query.",
    edit(plain, {WEIGHTS_2: "weights = scores"}),
    edit(plain, {"math.inf": "1e9", WEIGHTS_2: "weights = scores"}, "−1e9"),
    edit(reference, {"torch.softmax(scores, dim=-1)": "scores"}, "0"),
    full("scores = q @ k.transpose(-2, -1)\n"
         "weights = scores\n"
         "return weights @ v, weights", "and not scaled"))

exercise.mistake("softmax-twice", "softmax-over-keys",
    "The softmax is applied twice, which makes the weights too even. Apply it once, to the scores.",
    edit(plain, {"nan_to_num": "softmax", "dim=-1)": "dim=-1), dim=-1"}))

exercise.mistake("unnormalized", "softmax-over-keys",
    "The weights are exponentials that are not divided by their sum. Divide by the sum over the keys.",
    edit(plain, {"nan_to_num(torch.softmax(scores, dim=-1))": "exp(scores)"}),
    edit(plain, {"nan_to_num(torch.softmax(scores, dim=-1))": "exp(scores - scores.amax(-1, keepdim=True))"},
         "shifted"))

exercise.mistake("no-shift", "softmax-stable",
    "Large scores overflow: exp of a number above about 88.7 is infinite in float32. Use torch.softmax, or "
    "subtract each row's largest score first.",
    edit(plain, {"nan_to_num(torch.softmax(scores, dim=-1))":
                 "exp(scores) / torch.exp(scores).sum(-1, keepdim=True)"}),
    edit(plain, {"softmax(scores, dim=-1)": "exp(scores) / torch.exp(scores).sum(-1, keepdim=True)"},
         "NaN replaced"),
    edit(exponentials_hand, {"s - s.max(dim=-1, keepdim=True).values": "s"}, "empty rows by hand"),
    full("scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])\n"
         "exponentials = torch.exp(scores)\n"
         "if mask is not None:\n"
         "    exponentials = exponentials * mask\n"
         "weights = exponentials / exponentials.sum(-1, keepdim=True)\n"
         "return weights @ v, weights", "times mask"),
    edit(reference, {"softmax(scores, dim=-1)":
                     "exp(scores) / torch.exp(scores).sum(-1, keepdim=True).clamp(min=1e-20)"},
         "sum at least a little"))

exercise.mistake("nan-in-empty-rows", "fully-masked-row",
    "A query that may attend to nothing gets NaN, from 0/0. Its weights must be 0 and its output 0: treat "
    "rows without a True in the mask separately.",
    edit(reference, {".masked_fill(~mask, 0.0)": "* mask"}),
    edit(plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=-1)",
                 "weights @ v": "torch.nan_to_num(weights) @ v"}, "in the weights alone"),
    edit(plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=-1)",
                 "v, weights": "v, torch.nan_to_num(weights)"}, "in the output alone"),
    edit(plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=-1)",
                 "weights @ v": "torch.nan_to_num(weights @ v)"}, "output cleaned"))

exercise.mistake("uniform-empty-rows", "fully-masked-row",
    "For a query that may attend to nothing, weights that sum to 1 come back or mix the values. They must "
    "be 0, and its output 0: multiply the weights by the mask right after the softmax as well.",
    edit(plain, {".masked_fill(~mask, -math.inf)": "+ (~mask) * -1e9"}, "−1e9 added"),
    edit(plain, {".masked_fill(~mask, -math.inf)": "+ (~mask) * -1e4"}, "−1e4 added"),
    edit(plain, {".masked_fill(~mask, -math.inf)": "+ (~mask) * torch.finfo(scores.dtype).min",
                 " torch.nan_to_num(": "", "dim=-1))": "dim=-1)"}, "lowest number added"),
    edit(plain, {"dim=-1)": "dim=-1), nan=1.0 / k.shape[-2]"}, "NaN replaced by equal weights"),
    edit(plain_other, {"dim=-1)": "dim=-1)\noutput = weights @ v", "weights = weights": "output = output",
                       "weights @ v": "output"}, "in the weights alone"),
    edit(plain_other, {"dim=-1)": "dim=-1)\noutput = weights @ v",
                       "weights @ v": "output"}, "in the output alone"))

exercise.mistake("nan-gradient", "fully-masked-row",
    "The values are right, but a query that may attend to nothing sends NaN back as its gradient. Fill "
    "with a finite number, or use masked_fill instead of adding −∞, and set the weights to 0 afterwards.",
    edit(plain, {"scores.": "scores + torch.zeros_like(mask, dtype=q.dtype)."}, "−∞ added"))

exercise.mistake("weights-overwritten", "fully-masked-row",
    "The weights are changed in place after the softmax, and the backward pass still needs the old ones. "
    "Make new ones: masked_fill without the underscore, or torch.where.",
    edit(reference, {"weights = weights.masked_fill": "weights.masked_fill_"}, "empty rows"),
    edit(reference, {WEIGHTS: "weights[torch.isnan(weights)] = 0.0"}, "NaN in place"))

exercise.mistake("view-of-strided", "scaled-dot-product",
    "view fails on tensors whose numbers do not lie in one piece. Use transpose and matmul on the shapes "
    "as they are, or reshape.",
    edit(plain, {"q @ k": "q.view(-1, q.shape[-1]).view(q.shape) @ k"}))

exercise.built_in("changes-input",
    edit(plain, {"scores = q": "with torch.no_grad():\n"
                               "    q /= math.sqrt(q.shape[-1])\n"
                               "scores = q",
                 " / math.sqrt(q.shape[-1])": ""}),
    edit(plain, {"scores = q": "q /= math.sqrt(q.shape[-1])\nscores = q",
                 " / math.sqrt(q.shape[-1])": ""}, "/="))

exercise.built_in("no-gradient",
    edit(plain, {"scores = q": "q, k, v = q.detach(), k.detach(), v.detach()\nscores = q"}, "all three"),
    edit(plain, {"v, weights": "v, weights.detach()"}, "weights detached"))

exercise.built_in("ready-made",
    full("output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)\n"
         "return output, torch.softmax(q @ k.transpose(-2, -1), dim=-1)"),
    full("from torch.nn.functional import scaled_dot_product_attention as attend\n"
         "return (attend(q, k, v, mask),\n"
         "        attend(q, k, torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], k.shape[-2]), "
         "mask))", "under another name"),
    full("layer = nn.MultiheadAttention(q.shape[-1], 1, bias=False, batch_first=True, kdim=k.shape[-1],\n"
         "                              vdim=v.shape[-1])\n"
         "return layer(q, k, v)", "the layer"),
    full("import allyouneed.nn.attention\n"
         "return allyouneed.nn.attention.scaled_dot_product_attention(q, k, v, mask)", "the library's own"))

exercise.built_in("timeout",
    full("while True:\n    pass"))


exercise.equal("queries and keys have one width, one dtype and the same leading axes", {"q.": "k.", "k.": "q."})
exercise.equal("there are as many values as keys", {"k.shape[-2]": "v.shape[-2]"})
exercise.equal("a hidden key has the weight 0 in any case, and the mask broadcasts",
    {".any(dim=-1, keepdim=True)": "", ".any(-1, keepdim=True)": "", ".expand_as(s)": "",
     "q.shape[:-2]": "mask.shape[:-2]"})
exercise.equal("a mask times a number is a float, and both numbers are the same in float32 within the tolerance",
    {".to(scores.dtype)": "", ", dtype=q.dtype": ""})
exercise.equal("nan_to_num puts 0 for NaN unless it is told otherwise", {", nan=0.0": ""})
exercise.equal("the largest exponential is 1, so a sum that is not 0 is at least 1", {"total > 0": "total > 1"})
exercise.equal("a mask that hides nothing broadcasts from any shape",
    {"[-2:]": ("[:]", "[2:]", "[-1:]", "[-3:]")})
