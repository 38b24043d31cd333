"""The rubric of problem set 03: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise

# ---------------------------------------------------------------------------------------------------------------- softmax

exercise = softmax = Exercise(
    "softmax",
    points={"values": 2, "any axis": 1, "large scores": 1},
    section="softmax-stable",
    forbid=("log_softmax", "softmin", "Softmax", "LogSoftmax", "Softmin", "Softmax2d", "gumbel_softmax"),
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "A weight"},
                {"rule": "sums_to_one", "what": "The weights along dim", "dim_argument": 1}],
    relations=[("a row of three", "the same row, 2 higher",
                "Adding one number to every score changed the weights; it must not.")],
    mistakes={
        "no-shift": ("Large scores overflow: exp of a number above 88 is infinite in float32. Subtract the largest score "
                     "along dim before exp; the result stays the same.", "softmax-stable"),
        "ignores-dim": ("The result does not depend on dim: the axis is fixed in your code. Pass dim on to both the maximum and "
                        "the sum.", "softmax-over-keys"),
        "global-maximum": ("The largest score is taken over the whole tensor, so a row with much smaller scores becomes 0/0. "
                           "Take it along dim, with keepdim=True.", "softmax-stable"),
        "global-sum": ("The weights of the whole tensor sum to 1 together; each slice along dim must sum to 1. Sum along dim, "
                       "with keepdim=True.", "softmax-over-keys"),
        "no-keepdim": ("The sum or the maximum has lost its axis, and broadcasting lines it up with another one. Use "
                       "keepdim=True.", "softmax-over-keys"),
        "no-exponential": ("The scores are divided by their sum without exp. Take exp first: it makes every weight positive.",
                           "softmax-stable"),
        "logarithm": ("These are logarithms of the weights. Return the weights themselves: drop the log.", "softmax-stable"),
        "unnormalized": ("These are the exponentials, not yet divided by their sum. Divide by the sum along dim.",
                         "softmax-stable"),
        "negative-scores": ("The largest score gets the smallest weight: the sign of the scores is turned. Use exp(x), not exp(-x).",
                            "softmax-stable"),
        "base-two": ("The powers are of 2, not of e. Use torch.exp.", "softmax-stable"),
        "epsilon": ("A small number is added to the denominator, so the weights do not sum to 1. After subtracting the maximum the sum "
                    "is at least 1: leave it out.", "softmax-stable"),
    },
)


@exercise.probes
def _(make):
    row = torch.tensor([0.0, 1.0, 2.0]) + make.pick(0.0, 0.5, -0.25)
    yield make.probe("a row of three", row, -1, group="values", gradient=True)
    yield make.probe("the same row, 2 higher", row + 2, -1, group="values")
    sizes = make.pick((3, 5), (4, 7), (6, 4))
    yield make.probe("a matrix along its last axis", make.randn(*sizes), -1, group="values", gradient=True)
    yield make.probe("a matrix along its first axis", make.randn(*sizes), 0, group="any axis", gradient=True)
    yield make.probe("a square matrix along its first axis", make.randn(4, 4), 0, group="any axis")
    yield make.probe("four axes, along the third", make.randn(*make.pick((2, 3, 5, 7), (3, 2, 4, 6), (2, 4, 3, 5))), 2, group="any axis")
    yield make.probe("four axes, along −3", make.randn(*make.pick((2, 3, 5, 7), (3, 2, 4, 6), (2, 4, 3, 5))), -3, group="any axis")
    yield make.probe("float64", make.randn(2, 6, dtype=torch.float64), 1, group="values", gradient=True)
    yield make.probe("not contiguous", make.randn(3, 4), 0, group="any axis", strided=True)
    large = torch.tensor([[1000.0, 999.0, 0.0], [-1000.0, -1001.0, -1002.0]]) * make.pick(1.0, 2.0, 3.0)
    yield make.probe("scores of a thousand", large, -1, group="large scores", edge=True, gradient=True)
    yield make.probe("scores of a hundred", make.randn(2, 5, scale=200.0), -1, group="large scores", edge=True)
    yield make.probe("one score is minus infinity", torch.tensor([[0.5, -math.inf, 1.0]]), -1, group="large scores", edge=True)
    yield make.probe("a single score", make.randn(3, 1), -1, group="values", edge=True)
    yield make.probe("a long row", make.randn(2, 300), -1, group="values", long=True)


@exercise.right
def reference(x, dim):
    exponentials = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return exponentials / exponentials.sum(dim=dim, keepdim=True)


@exercise.alternative("maximum with indices, detached")
def _(x, dim):
    top = x.max(dim, keepdim=True).values.detach()
    e = (x - top).exp()
    return e / torch.sum(e, dim, keepdim=True)


@exercise.alternative("logsumexp")
def _(x, dim):
    return torch.exp(x - torch.logsumexp(x, dim=dim, keepdim=True))


@exercise.alternative("moves the axis to the end")
def _(x, dim):
    moved = x.movedim(dim, -1)
    e = torch.exp(moved - moved.max(-1, keepdim=True)[0])
    return (e / e.sum(-1, keepdim=True)).movedim(-1, dim)


@exercise.alternative("loop over slices")
def _(x, dim):
    moved = torch.movedim(x, dim, 0).reshape(x.shape[dim], -1)
    columns = []
    for j in range(moved.shape[1]):
        column = moved[:, j]
        e = torch.exp(column - torch.max(column))
        columns.append(e / e.sum())
    out = torch.stack(columns, dim=1)
    return torch.movedim(out.reshape(torch.movedim(x, dim, 0).shape), 0, dim)


@exercise.alternative("power of e, einsum for the sum")
def _(x, dim):
    moved = x.transpose(dim, -1)
    e = math.e ** (moved - moved.amax(-1, keepdim=True))
    return (e / torch.einsum("...s->...", e).unsqueeze(-1)).transpose(dim, -1)


@exercise.wrong("no-shift")
def _(x, dim):
    return torch.exp(x) / torch.exp(x).sum(dim=dim, keepdim=True)


@exercise.wrong("ignores-dim", "always the last axis")
def _(x, dim):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


@exercise.wrong("ignores-dim", "always the last axis, no shift")
def _(x, dim):
    return torch.exp(x) / torch.exp(x).sum(-1, keepdim=True)


@exercise.wrong("ignores-dim", "always the first axis")
def _(x, dim):
    e = torch.exp(x - x.amax(0, keepdim=True))
    return e / e.sum(0, keepdim=True)


@exercise.wrong("global-maximum")
def _(x, dim):
    e = torch.exp(x - x.max())
    return e / e.sum(dim=dim, keepdim=True)


@exercise.wrong("global-sum")
def _(x, dim):
    e = torch.exp(x - x.max())
    return e / e.sum()


@exercise.wrong("no-keepdim", "sum without keepdim")
def _(x, dim):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim)


@exercise.wrong("no-exponential")
def _(x, dim):
    return x / x.sum(dim=dim, keepdim=True)


@exercise.wrong("logarithm")
def _(x, dim):
    return x - torch.logsumexp(x, dim, keepdim=True)


@exercise.wrong("unnormalized", "exp of the shifted scores")
def _(x, dim):
    return torch.exp(x - x.amax(dim, keepdim=True))


@exercise.wrong("unnormalized", "exp alone")
def _(x, dim):
    return torch.exp(x)


@exercise.wrong("negative-scores")
def _(x, dim):
    e = torch.exp(-(x - x.amin(dim, keepdim=True)))
    return e / e.sum(dim, keepdim=True)


@exercise.wrong("base-two")
def _(x, dim):
    e = 2 ** (x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


@exercise.wrong("epsilon")
def _(x, dim):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / (e.sum(dim, keepdim=True) + 1e-2)


@exercise.wrong("changes-input")
def _(x, dim):
    with torch.no_grad():
        x -= x.amax(dim, keepdim=True)
    e = torch.exp(x)
    return e / e.sum(dim, keepdim=True)


@exercise.wrong("no-gradient")
def _(x, dim):
    x = x.detach()
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


@exercise.wrong("ready-made", "torch.softmax under another name")
def _(x, dim):
    from torch import softmax as weights
    return weights(x, dim)


@exercise.wrong("ready-made", "the method")
def _(x, dim):
    return getattr(x, "soft" + "max")(dim)


@exercise.wrong("ready-made", "exp of log_softmax")
def _(x, dim):
    return F.log_softmax(x, dim).exp()


@exercise.wrong("ready-made", "the layer")
def _(x, dim):
    return torch.nn.Softmax(dim)(x)


@exercise.wrong("ready-made", "the library's own")
def _(x, dim):
    import allyouneed.attention
    return allyouneed.attention.softmax(x, dim)


@exercise.wrong("ready-made", "the operator")
def _(x, dim):
    return torch.ops.aten.softmax(x, dim)


@exercise.wrong("timeout")
def _(x, dim):
    while True:
        pass


# ------------------------------------------------------------------------------------------- scaled dot-product attention

exercise = attention = Exercise(
    "scaled_dot_product_attention",
    points={"formula": 3, "masks": 2, "empty rows and large scores": 1},
    section="scaled-dot-product",
    forbid=("MultiheadAttention", "MultiHeadAttention", "multi_head_attention_forward", "scaled_dot_product_attention_math",
            "scaled_dot_product_flash_attention", "scaled_dot_product_flash_attention_for_cpu",
            "scaled_dot_product_efficient_attention", "scaled_dot_product_fused_attention_overrideable", "flex_attention",
            "native_multi_head_attention", "blockwise_attention"),
    properties=[{"rule": "finite", "part": 1}, {"rule": "non_negative", "part": 1, "what": "A weight"},
                {"rule": "sums_to_one", "part": 1, "or_zero": True, "what": "The weights of a query"},
                {"rule": "finite", "part": 0}],
    relations=[("a hidden key", "another hidden key", "Changing a key and a value that every query must ignore changed the output.", 0),
               ("two queries, three keys", "the same keys in reverse order",
                "The order of the keys and their values changed the output; it must not.", 0)],
    mistakes={
        "no-scale": ("The scores are not scaled. Divide q kᵀ by the square root of the width of queries and keys before the softmax.",
                     "why-divide-by-sqrt-dk"),
        "scale-by-dk": ("The scores are divided by the width of the keys itself. Divide by its square root.", "why-divide-by-sqrt-dk"),
        "scale-multiplied": ("The scores are multiplied by the square root of the width. Divide by it: they must become smaller.",
                             "why-divide-by-sqrt-dk"),
        "scale-other-size": ("The scores are divided by the root of another size than the width of queries and keys. Take the last axis: "
                             "q.shape[-1].", "why-divide-by-sqrt-dk"),
        "scale-rounded": ("The square root of the width is rounded to a whole number. Divide by math.sqrt of it, without int or //.",
                          "why-divide-by-sqrt-dk"),
        "scale-after-softmax": ("The weights are divided by the square root of the width after the softmax, so they no longer sum to 1. "
                                "Scale the scores, before the softmax.", "why-divide-by-sqrt-dk"),
        "softmax-over-queries": ("The weights sum to 1 over the queries. Each query's weights over the keys must sum to 1: the softmax "
                                 "runs along the last axis.", "softmax-over-keys"),
        "softmax-other-axis": ("The softmax runs over a leading axis (batch or heads), or over several axes at once. It must run over the "
                               "keys alone: dim=-1.", "softmax-over-keys"),
        "fixed-axes": ("The axes are counted from the front, so the code works for one number of axes only. Leading axes are free: "
                       "count from the end, as in transpose(-2, -1), dim=-1 and q.shape[-1].", "scaled-dot-product"),
        "keys-not-transposed": ("The scores come from q @ k, without a transposition. The score of query t and key s is the product of two rows: "
                                "transpose the last two axes of k.", "scaled-dot-product"),
        "keys-reshaped": ("The keys are reshaped where they should be transposed, which mixes numbers of different keys. Use "
                          "k.transpose(-2, -1).", "scaled-dot-product"),
        "queries-and-keys-swapped": ("Queries and keys are swapped: each row of scores must belong to a query, and each column to a key.",
                                     "query-key-value"),
        "wrong-partner": ("One of q, k and v stands in another's place. The scores compare q with k, and the weights mix v.", "query-key-value"),
        "mask-inverted": ("The mask works the wrong way round: True means that the query may attend. Hide the keys where the mask is False.",
                          "masks-in-torch"),
        "mask-after-softmax": ("The mask is applied after the softmax, so hidden keys have already taken their share and the rest does "
                               "not sum to 1. Set the hidden scores to −∞ before the softmax.", "softmax-over-keys"),
        "renormalized": ("A hidden key still takes part in the softmax: where its score is by far the largest, nothing is left for the "
                         "others. Set hidden scores to −∞ first, before the maximum and exp.", "fully-masked-row"),
        "fill-too-large": ("A hidden score is set to about 0 or another ordinary number, and exp of it is not 0: hidden keys still get weight. "
                           "Fill with −∞ (or the dtype's lowest number).", "masks-in-torch"),
        "fill-positive": ("Hidden scores are set to a huge positive number, so hidden keys take all the weight. Fill with −∞: mind the sign.",
                          "masks-in-torch"),
        "mask-added": ("The boolean mask is added to the scores as 0 and 1. It must hide: set the scores where it is False to −∞.",
                       "masks-in-torch"),
        "mask-ignored": ("The mask changes nothing: it is not used. Hide the scores where it is False, before the softmax.", "causal-mask"),
        "mask-transposed": ("The mask is transposed. Its rows are queries and its columns keys, as in the scores: use it as it is.",
                            "causal-mask"),
        "mask-on-values": ("The mask is applied to the output or to the inputs, not to the scores. Set the hidden scores to −∞, "
                           "before the softmax.", "padding-mask"),
        "mask-needs-all-axes": ("The mask is used with as many axes as the scores. It may have fewer, or axes of size 1: let broadcasting "
                                "do the work, as masked_fill and torch.where do.", "padding-mask"),
        "weights-before-mask": ("The output is right, but the weights that come back are those without the mask. Return the ones that the "
                                "output was made with.", "causal-mask"),
        "returns-scores": ("The output is right, but the second value holds the scores. Return the weights, after the softmax.",
                           "scaled-dot-product"),
        "only-output": ("Only the output comes back. Return two values: the output, then the weights.", "scaled-dot-product"),
        "only-weights": ("Only the weights come back. Multiply them with v, and return the output and the weights.", "scaled-dot-product"),
        "order-of-results": ("The weights come first. Return the output first, then the weights.", "scaled-dot-product"),
        "no-softmax": ("The scores are used as weights without a softmax. Weights must be positive and sum to 1 for each query.",
                       "softmax-over-keys"),
        "softmax-twice": ("The softmax is applied twice, which makes the weights too even. Apply it once, to the scores.", "softmax-over-keys"),
        "unnormalized": ("The weights are exponentials that are not divided by their sum. Divide by the sum over the keys.",
                         "softmax-over-keys"),
        "no-shift": ("Large scores overflow: exp of a number above 88 is infinite in float32. Use torch.softmax, or subtract each row's "
                     "largest score first.", "softmax-stable"),
        "nan-in-empty-rows": ("A query that may attend to nothing gets NaN, from 0/0. Its weights must be 0 and its output 0: treat rows "
                              "without a True in the mask separately.", "fully-masked-row"),
        "uniform-empty-rows": ("A query that may attend to nothing still gets weights that sum to 1. They must be 0, and its output 0: "
                               "multiply the weights by the mask after the softmax as well.", "fully-masked-row"),
        "nan-gradient": ("The values are right, but a query that may attend to nothing sends NaN back as its gradient. Fill with a finite "
                         "number, or use masked_fill instead of adding −∞, and set the weights to 0 afterwards.", "fully-masked-row"),
        "weights-overwritten": ("The weights are changed in place after the softmax, and the backward pass still needs the old ones. Make new "
                                "ones: masked_fill without the underscore, or torch.where.", "fully-masked-row"),
        "view-of-strided": ("view fails on tensors whose numbers do not lie in one piece. Use transpose and matmul on the shapes as they are, "
                            "or reshape.", "scaled-dot-product"),
    },
)


@exercise.probes
def _(make):
    def qkv(leading, n_queries, n_keys, width, value_width, dtype=torch.float32):
        return (make.randn(*leading, n_queries, width, dtype=dtype), make.randn(*leading, n_keys, width, dtype=dtype),
                make.randn(*leading, n_keys, value_width, dtype=dtype))

    def probe(name, *args, group="formula", **marks):
        return make.probe(name, *args, group=group, **marks)

    q, k, v = qkv((), 2, 3, make.pick(5, 6, 7), 4)
    yield probe("two queries, three keys", q, k, v, gradient=True)
    yield probe("the same keys in reverse order", q, k.flip(0), v.flip(0))
    yield probe("batch and heads", *qkv(*make.pick(((2, 3), 3, 5, 6, 4), ((2, 3), 5, 7, 6, 4), ((3, 2), 4, 8, 7, 5))), gradient=True)
    yield probe("a batch without heads", *qkv(*make.pick(((3,), 2, 4, 7, 5), ((2,), 3, 5, 6, 4), ((4,), 3, 2, 5, 6))))
    yield probe("more queries than keys", *qkv(*make.pick(((2,), 5, 3, 7, 4), ((3,), 6, 4, 2, 5), ((2,), 7, 3, 6, 4))))
    yield probe("batch 1, one head", *qkv((1, 1), *make.pick((4, 6, 3, 5), (3, 5, 6, 2), (5, 3, 6, 7))))
    yield probe("all sizes equal", *qkv((), 3, 3, 3, 3))
    yield probe("all sizes equal, in a batch with heads", *qkv((1, 2), *[make.pick(4, 5, 4)] * 4))
    yield probe("as many queries as keys", *qkv((1, 2), *make.pick((4, 4, 5, 1), (3, 3, 6, 2), (4, 4, 3, 1))))
    yield probe("keys as wide as there are keys", *qkv((2,), *make.pick((3, 5, 5, 4), (4, 6, 6, 5), (5, 3, 3, 2))))
    yield probe("values as wide as keys", *qkv((2,), *make.pick((4, 3, 5, 5), (3, 2, 4, 4), (5, 3, 6, 6))))
    yield probe("float64", *qkv((2,), *make.pick((3, 4, 6, 5), (4, 3, 7, 2), (5, 6, 3, 4)), dtype=torch.float64), gradient=True)
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
    yield probe("a mask of queries and keys", *qkv((batch,), *sizes[1:]), make.rand_mask(n_queries, n_keys), group="masks", gradient=True)
    yield probe("a mask of keys in each batch item", *qkv(*small), make.rand_mask(batch, 1, 1, 4), group="masks")
    yield probe("a mask for each head", *qkv(*small), make.rand_mask(batch, heads, 2, 4), group="masks", gradient=True)
    yield probe("a mask without heads", *qkv((3,), 2, 5, 6, 4), make.rand_mask(3, 2, 5), group="masks")
    yield probe("as many queries as keys, with a mask", *qkv((2, 1), 4, 4, 5, 2), make.rand_mask(2, 1, 4, 4), group="masks")
    yield probe("float64, with a mask", *qkv((), 3, 5, 4, 2, dtype=torch.float64), make.rand_mask(3, 5), group="masks", edge=True, gradient=True)
    yield probe("a causal mask", *qkv((), 4, 4, 6, 5), torch.ones(4, 4, dtype=torch.bool).tril(), group="masks", edge=True)
    yield probe("a mask that hides nothing", *qkv((), 3, 4, 6, 5), torch.ones(3, 4, dtype=torch.bool), group="masks", edge=True)

    edge = {"group": "empty rows and large scores", "edge": True}
    empty = torch.tensor([[True, False, True], [False, False, False]])
    yield probe("a query that may attend to nothing", *qkv((), 2, 3, 4, 2), empty, gradient=True, **edge)
    padded = torch.tensor([[1, 1, 0, 0], [0, 0, 0, 0]], dtype=torch.bool)[:, None, None, :]
    yield probe("a batch item of padding alone", *qkv((2, 1), 2, 4, 6, 5), padded, gradient=True, **edge)
    yield probe("float64, a query that may attend to nothing", *qkv((), 2, 3, 4, 5, dtype=torch.float64), empty.flip(0), gradient=True, **edge)
    large = torch.tensor([[200.0, 199.0, 0.0], [-200.0, -201.0, -203.0]]) * make.pick(1.0, 1.25, 1.5)
    q = torch.eye(2, 4)
    k = torch.cat([large.T, make.randn(3, 2)], dim=1)
    yield probe("scores above a hundred", q, k, make.randn(3, 2), **edge)
    dominant = torch.tensor([[400.0, 1.0, 2.0], [3.0, 500.0, 2.0]]) * make.pick(1.0, 1.5, 2.0)
    k = torch.cat([dominant.T, make.randn(3, 2)], dim=1)
    yield probe("a hidden key with by far the largest score", q, k, make.randn(3, 2),
                torch.tensor([[False, True, True], [True, False, True]]), **edge)


@exercise.right
def reference(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights


@exercise.alternative("einsum, lowest number, multiplied by the mask")
def _(q, k, v, mask=None):
    scores = torch.einsum("...tk,...sk->...ts", q, k) * k.size(-1) ** -0.5
    if mask is None:
        weights = F.softmax(scores, dim=-1)
    else:
        weights = F.softmax(torch.where(mask, scores, torch.finfo(scores.dtype).min), dim=-1) * mask
    return torch.einsum("...ts,...sd->...td", weights, v), weights


@exercise.alternative("−1e9 added, empty rows set to zero")
def _(q, k, v, mask=None):
    d_k = q.size(-1)
    scores = torch.matmul(q / math.sqrt(d_k), k.mT)
    if mask is not None:
        scores = scores + (~mask).to(scores.dtype) * -1e9
    weights = scores.softmax(-1)
    if mask is not None:
        some = mask.any(dim=-1, keepdim=True)
        weights = torch.where(some, weights, torch.zeros_like(weights))
    return [torch.matmul(weights, v), weights]


@exercise.alternative("masked before the scale, NaN replaced")
def _(q, k, v, mask=None):
    scores = q.matmul(k.swapaxes(-1, -2))
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    weights = torch.nan_to_num(nn.Softmax(dim=-1)(scores / torch.tensor(q.shape[-1], dtype=q.dtype).sqrt()), nan=0.0)
    return weights.matmul(v), weights


@exercise.alternative("exponentials by hand")
def _(q, k, v, mask=None):
    s = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1) / q.shape[-1] ** 0.5
    allowed = torch.ones_like(s, dtype=torch.bool) if mask is None else mask.expand_as(s)
    s = torch.where(allowed, s, torch.full_like(s, -1e30))
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values) * allowed
    total = e.sum(-1, keepdim=True)
    w = e / torch.where(total > 0, total, torch.ones_like(total))
    return w @ v, w


@exercise.alternative("a loop over queries")
def _(q, k, v, mask=None):
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


@exercise.alternative("logarithm of the mask, logsumexp")
def _(q, k, v, mask=None):
    s = q @ k.transpose(-1, -2) / math.sqrt(k.shape[-1])
    if mask is None:
        mask = torch.ones(s.shape[-2:], dtype=torch.bool)
    s = s.masked_fill(~mask, -1e20)
    w = torch.exp(s - torch.logsumexp(s, dim=-1, keepdim=True)).masked_fill(~mask, 0)
    return w @ v, w


@exercise.wrong("no-scale")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("no-scale", "no mask either")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-by-dk")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1]
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-multiplied")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-other-size", "width of the values")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-other-size", "number of keys")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-other-size", "number of queries")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-other-size", "first axis")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[0])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-other-size", "first axis of the keys")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(len(k))
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-other-size", "second axis")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-other-size", "width of all heads")
def _(q, k, v, mask=None):
    heads = q.shape[-3] if q.dim() > 3 else 1
    scores = q @ k.transpose(-2, -1) / math.sqrt(heads * q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-other-size", "queries times width")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-2] * q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-rounded")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / int(math.sqrt(q.shape[-1]))
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-rounded", "floor division")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) // math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("scale-after-softmax")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1) / math.sqrt(q.shape[-1])
    return weights @ v, weights


@exercise.wrong("scale-after-softmax", "output alone")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v / math.sqrt(q.shape[-1]), weights


@exercise.wrong("scale-after-softmax", "scaled again")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1) / math.sqrt(q.shape[-1])
    return weights @ v, weights


@exercise.wrong("softmax-over-queries")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-2)
    return weights @ v, weights


@exercise.wrong("softmax-over-queries", "−1e9")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-2)
    return weights @ v, weights


@exercise.wrong("softmax-over-queries", "NaN replaced")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-2))
    return weights @ v, weights


@exercise.wrong("softmax-over-queries", "hidden weights set to 0")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-2)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights


@exercise.wrong("softmax-over-queries", "not scaled")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-2)
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "first axis")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=0)
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "first axis, −1e9")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=0)
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "first axis, NaN replaced")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=0))
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "second axis")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=1)
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "second axis, −1e9")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=1)
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "second axis, NaN replaced")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=1))
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "no axis given")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = F.softmax(scores)
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "no axis given, −1e9")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = F.softmax(scores)
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "queries and keys at once")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores.flatten(-2), dim=-1).view(scores.shape)
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "everything at once")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores.flatten(), dim=0).view(scores.shape)
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "third axis")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=2)
    return weights @ v, weights


@exercise.wrong("softmax-other-axis", "third axis, −1e9")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=2)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "transpose(2, 3)")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "softmax over axis 3")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=3)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "einsum of four axes")
def _(q, k, v, mask=None):
    scores = torch.einsum("bhtk,bhsk->bhts", q, k) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "permute of four axes")
def _(q, k, v, mask=None):
    scores = q @ k.permute(0, 1, 3, 2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "four sizes unpacked")
def _(q, k, v, mask=None):
    B, H, T, K = q.shape
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "transpose(1, 2)")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "bmm")
def _(q, k, v, mask=None):
    scores = torch.bmm(q, k.transpose(-2, -1)) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "three sizes unpacked")
def _(q, k, v, mask=None):
    B, T, K = q.shape
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "k.T")
def _(q, k, v, mask=None):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "k.t()")
def _(q, k, v, mask=None):
    scores = q @ k.t() / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "transpose(0, 1)")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(0, 1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fixed-axes", "two sizes unpacked")
def _(q, k, v, mask=None):
    T, K = q.shape
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("keys-not-transposed")
def _(q, k, v, mask=None):
    scores = q @ k / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("keys-reshaped", "reshape")
def _(q, k, v, mask=None):
    scores = q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("keys-reshaped", "view")
def _(q, k, v, mask=None):
    scores = q @ k.view(*k.shape[:-2], k.shape[-1], -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("queries-and-keys-swapped")
def _(q, k, v, mask=None):
    scores = k @ q.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("queries-and-keys-swapped", "q transposed")
def _(q, k, v, mask=None):
    scores = q.transpose(-2, -1) @ k / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("queries-and-keys-swapped", "weights transposed for the output")
def _(q, k, v, mask=None):
    scores = k @ q.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.transpose(-2, -1), -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights.transpose(-2, -1) @ v, weights


@exercise.wrong("queries-and-keys-swapped", "softmax over the keys, weights transposed for the output")
def _(q, k, v, mask=None):
    scores = k @ q.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.transpose(-2, -1), -math.inf)
    weights = torch.softmax(scores, dim=-2)
    return weights.transpose(-2, -1) @ v, weights


@exercise.wrong("wrong-partner", "keys mixed")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ k, weights


@exercise.wrong("wrong-partner", "queries mixed")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ q, weights


@exercise.wrong("wrong-partner", "queries with values")
def _(q, k, v, mask=None):
    scores = q @ v.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("wrong-partner", "queries with queries")
def _(q, k, v, mask=None):
    scores = q @ q.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("wrong-partner", "keys with keys")
def _(q, k, v, mask=None):
    scores = k @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-inverted")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-inverted", "and filled with 0")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, 0.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-inverted", "and +∞")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, 1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-inverted", "NaN replaced")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


@exercise.wrong("mask-inverted", "and not scaled")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-inverted", "and after the softmax")
def _(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights.masked_fill(mask, 0.0)
    return weights @ v, weights


@exercise.wrong("mask-inverted", "with hidden weights set to 0 by the mask")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights


@exercise.wrong("mask-inverted", "with empty rows set to 0")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)
    return weights @ v, weights


@exercise.wrong("mask-after-softmax")
def _(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights


@exercise.wrong("mask-after-softmax", "−∞ on the weights")
def _(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, -math.inf)
    return weights @ v, weights


@exercise.wrong("mask-after-softmax", "−1e9 on the weights")
def _(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, -1e9)
    return weights @ v, weights


@exercise.wrong("mask-after-softmax", "and a second softmax")
def _(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = torch.softmax(weights.masked_fill(~mask, -math.inf), dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-after-softmax", "output alone")
def _(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    output = weights @ v if mask is None else (weights * mask) @ v
    return output, weights


@exercise.wrong("mask-after-softmax", "not scaled")
def _(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights


@exercise.wrong("renormalized", "0/0 in empty rows")
def _(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True)
    return weights @ v, weights


@exercise.wrong("renormalized")
def _(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-12)
    return weights @ v, weights


@exercise.wrong("fill-too-large", "0")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fill-too-large", "−1")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fill-too-large", "1")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 1.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fill-too-large", "−10")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -10.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fill-too-large", "scores times mask")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fill-too-large", "0, with empty rows set to 0")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0.0)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)
    return weights @ v, weights


@exercise.wrong("fill-too-large", "0, and not scaled")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, 0.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fill-too-large", "the minimum of the scores")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, scores.min().item())
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fill-positive", "∞")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fill-positive", "1e9")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("fill-positive", "finfo.max")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).max)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-added")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-added", "before the scale")
def _(q, k, v, mask=None):
    scores = (q @ k.transpose(-2, -1) + (0 if mask is None else mask)) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-added", "its complement subtracted before the scale")
def _(q, k, v, mask=None):
    scores = (q @ k.transpose(-2, -1) - (0 if mask is None else ~mask * 1.0)) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-ignored")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-ignored", "the result of masked_fill is lost")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-transposed")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.transpose(-2, -1), -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-transposed", "mask.T")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.T, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-on-values", "the output of queries")
def _(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    output = weights @ v
    if mask is not None:
        output = output * mask.any(-1, keepdim=True)
    return output, weights


@exercise.wrong("mask-on-values", "hidden queries")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask[..., :1], -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("mask-on-values", "the values")
def _(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        v = v * mask.transpose(-2, -1)
    return weights @ v, weights


@exercise.wrong("mask-needs-all-axes", "indexing")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores[~mask] = -math.inf
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


@exercise.wrong("mask-needs-all-axes", "an axis for heads added")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(1), -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


@exercise.wrong("mask-needs-all-axes", "view as the scores")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.view(scores.shape), -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


@exercise.wrong("weights-before-mask")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.softmax(scores, dim=-1).nan_to_num() @ v, weights


@exercise.wrong("returns-scores")
def _(q, k, v, mask=None):
    raw = q @ k.transpose(-2, -1)
    scores = raw / math.sqrt(q.shape[-1])
    masked = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(masked, dim=-1))
    return weights @ v, scores


@exercise.wrong("returns-scores", "not scaled")
def _(q, k, v, mask=None):
    raw = q @ k.transpose(-2, -1)
    scores = raw / math.sqrt(q.shape[-1])
    masked = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(masked, dim=-1))
    return weights @ v, raw


@exercise.wrong("returns-scores", "masked with −∞")
def _(q, k, v, mask=None):
    raw = q @ k.transpose(-2, -1)
    scores = raw / math.sqrt(q.shape[-1])
    masked = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(masked, dim=-1))
    return weights @ v, masked


@exercise.wrong("returns-scores", "masked with −1e9")
def _(q, k, v, mask=None):
    raw = q @ k.transpose(-2, -1)
    scores = raw / math.sqrt(q.shape[-1])
    masked = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(masked, dim=-1))
    return weights @ v, masked.clamp(min=-1e9)


@exercise.wrong("returns-scores", "masked with the lowest number")
def _(q, k, v, mask=None):
    raw = q @ k.transpose(-2, -1)
    scores = raw / math.sqrt(q.shape[-1])
    masked = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(masked, dim=-1))
    return weights @ v, masked.clamp(min=torch.finfo(q.dtype).min)


@exercise.wrong("returns-scores", "masked with −1e9 before the scale")
def _(q, k, v, mask=None):
    raw = q @ k.transpose(-2, -1)
    scores = raw / math.sqrt(q.shape[-1])
    masked = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(masked, dim=-1))
    return weights @ v, masked.clamp(min=-1e9 / math.sqrt(q.shape[-1]))


@exercise.wrong("only-output")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v


@exercise.wrong("only-weights")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights


@exercise.wrong("order-of-results")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights, weights @ v


@exercise.wrong("order-of-results", "with values of the wrong kind")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return {"output": weights @ v, "weights": weights}


@exercise.wrong("no-softmax")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores
    return weights @ v, weights


@exercise.wrong("no-softmax", "−1e9")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores
    return weights @ v, weights


@exercise.wrong("no-softmax", "0")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0.0)
    weights = scores
    return weights @ v, weights


@exercise.wrong("no-softmax", "and not scaled")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    weights = scores
    return weights @ v, weights


@exercise.wrong("softmax-twice")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(torch.softmax(scores, dim=-1), dim=-1)
    return weights @ v, weights


@exercise.wrong("unnormalized")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.exp(scores)
    return weights @ v, weights


@exercise.wrong("unnormalized", "shifted")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.exp(scores - scores.amax(-1, keepdim=True))
    return weights @ v, weights


@exercise.wrong("no-shift")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True)
    return weights @ v, weights


@exercise.wrong("no-shift", "NaN replaced")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True))
    return weights @ v, weights


@exercise.wrong("no-shift", "times mask")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    exponentials = torch.exp(scores)
    if mask is not None:
        exponentials = exponentials * mask
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ v, weights


@exercise.wrong("no-shift", "sum at least a little")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True).clamp(min=1e-20)
    return weights @ v, weights


@exercise.wrong("nan-in-empty-rows")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("nan-in-empty-rows", "in the weights alone")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(weights) @ v, weights


@exercise.wrong("nan-in-empty-rows", "in the output alone")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, torch.nan_to_num(weights)


@exercise.wrong("nan-in-empty-rows", "output cleaned")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(weights @ v), weights


@exercise.wrong("nan-in-empty-rows", "weights times mask")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights


@exercise.wrong("uniform-empty-rows", "−1e9")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("uniform-empty-rows", "−1e9 added")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + (~mask) * -1e9
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("uniform-empty-rows", "−1e4 added")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + (~mask) * -1e4
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("uniform-empty-rows", "lowest number added")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + (~mask) * torch.finfo(scores.dtype).min
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@exercise.wrong("uniform-empty-rows", "NaN replaced by equal weights")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=1.0 / k.shape[-2])
    return weights @ v, weights


@exercise.wrong("uniform-empty-rows", "in the weights alone")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ v
    if mask is not None:
        output = output.masked_fill(~mask.any(-1, keepdim=True), 0.0)
    return output, weights


@exercise.wrong("uniform-empty-rows", "in the output alone")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ v
    if mask is not None:
        weights = weights * mask
    return output, weights


@exercise.wrong("nan-gradient", "−∞ added")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + torch.zeros_like(mask, dtype=q.dtype).masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


@exercise.wrong("weights-overwritten", "empty rows")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights.masked_fill_(~mask, 0.0)
    return weights @ v, weights


@exercise.wrong("weights-overwritten", "NaN in place")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    weights[torch.isnan(weights)] = 0.0
    return weights @ v, weights


@exercise.wrong("view-of-strided")
def _(q, k, v, mask=None):
    scores = q.view(-1, q.shape[-1]).view(q.shape) @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


@exercise.wrong("changes-input")
def _(q, k, v, mask=None):
    with torch.no_grad():
        q /= math.sqrt(q.shape[-1])
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


@exercise.wrong("no-gradient", "all three")
def _(q, k, v, mask=None):
    q, k, v = q.detach(), k.detach(), v.detach()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


@exercise.wrong("no-gradient", "weights detached")
def _(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights.detach()


@exercise.wrong("ready-made")
def _(q, k, v, mask=None):
    output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return output, torch.softmax(q @ k.transpose(-2, -1), dim=-1)


@exercise.wrong("ready-made", "under another name")
def _(q, k, v, mask=None):
    from torch.nn.functional import scaled_dot_product_attention as attend
    return attend(q, k, v, mask), attend(q, k, torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], k.shape[-2]), mask)


@exercise.wrong("ready-made", "the layer")
def _(q, k, v, mask=None):
    layer = nn.MultiheadAttention(q.shape[-1], 1, bias=False, batch_first=True, kdim=k.shape[-1], vdim=v.shape[-1])
    return layer(q, k, v)


@exercise.wrong("ready-made", "the library's own")
def _(q, k, v, mask=None):
    import allyouneed.attention
    return allyouneed.attention.scaled_dot_product_attention(q, k, v, mask)


@exercise.wrong("timeout")
def _(q, k, v, mask=None):
    while True:
        pass


@exercise.wrong("changes-input", "/=")
def _(q, k, v, mask=None):
    q /= math.sqrt(q.shape[-1])
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ v, weights


# ------------------------------------------------------------------------------------------------------------ causal mask

exercise = causal = Exercise(
    "causal_mask",
    points={"as many queries as keys": 2, "more keys than queries": 1},
    section="causal-mask",
    forbid=("generate_square_subsequent_mask", "causal_lower_right", "causal_upper_left", "CausalBias", "local_causal_mask"),
    mistakes={
        "offset-sign": ("The diagonal is moved the wrong way: with more keys than queries even the first query sees too little. "
                        "The earlier keys come before the first query: turn the sign of the offset.", "causal-mask"),
        "diagonal-masked": ("A query cannot see its own position. A position sees itself and what came before: the diagonal is True.",
                            "causal-mask"),
        "sees-the-next": ("A query sees one position too far, the one after it. The last True of each row is the query's own position.",
                          "causal-mask"),
        "transposed": ("The mask is transposed: each position sees itself and what comes after. Rows are queries, and True lies on the side "
                       "of the earlier keys.", "causal-mask"),
        "inverted": ("The mask is True where attention is forbidden. Here True means that the query may attend: invert it with ~.",
                     "masks-in-torch"),
        "aligned-at-start": ("With more keys than queries, the queries are taken for the first positions. They are the last ones: query t stands "
                             "at position n_keys − n_queries + t.", "causal-mask"),
        "not-boolean": ("The mask does not hold True and False. Return a boolean tensor: True where the query may attend.", "masks-in-torch"),
        "keys-ignored": ("n_keys is not used: the mask always has as many columns as rows. It has a column for each of the n_keys keys.",
                         "causal-mask"),
        "all-rows": ("The mask has a row for each key. It has a row for each query only, and the queries are the last positions.", "causal-mask"),
        "rows-and-columns-swapped": ("Rows and columns are exchanged in the mask's shape. It is (n_queries, n_keys).", "causal-mask"),
        "own-position-only": ("Each query sees its own position alone. It sees everything before it as well.", "causal-mask"),
        "one-row": ("The mask hides the same keys from every query. Each query sees one key more than the query before it.", "causal-mask"),
        "nothing-hidden": ("The mask hides nothing. Later keys must be False.", "causal-mask"),
        "earlier-keys-hidden": ("Where there are more keys than queries, the earliest keys are hidden. Every query sees all keys before its own "
                                "position.", "causal-mask"),
        "extra-axes": ("The mask has extra axes of size 1. Return the two axes (queries, keys): broadcasting adds the others.", "causal-mask"),
        "needs-keys": ("Without n_keys the function stops. When n_keys is None there are as many keys as queries.", "causal-mask"),
    },
)


@exercise.probes
def _(make):
    square, rectangular = "as many queries as keys", "more keys than queries"
    yield make.probe("three positions", make.pick(3, 4, 5), group=square)
    yield make.probe("six positions", make.pick(6, 7, 8), group=square)
    yield make.probe("n_keys is None", make.pick(4, 5, 6), None, group=square)
    yield make.probe("as many keys as queries, given", make.pick(5, 3, 4), make.pick(5, 3, 4), group=square)
    yield make.probe("one position", 1, group=square, edge=True)
    yield make.probe("two positions", 2, group=square, edge=True)
    yield make.probe("a long sequence", make.pick(140, 150, 160), group=square, long=True)
    yield make.probe("three queries, five keys", *make.pick((3, 5), (2, 5), (4, 6)), group=rectangular)
    yield make.probe("four queries, seven keys", make.pick(4, 3, 5), n_keys=make.pick(7, 8, 9), group=rectangular)
    yield make.probe("two queries, nine keys", *make.pick((2, 9), (3, 10), (2, 7)), group=rectangular)
    yield make.probe("one query", 1, make.pick(5, 4, 6), group=rectangular, edge=True)
    yield make.probe("one key more than queries", *make.pick((4, 5), (3, 4), (5, 6)), group=rectangular, edge=True)
    yield make.probe("a long sequence of keys", 3, make.pick(140, 150, 160), group=rectangular, long=True)


@exercise.right
def reference(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


@exercise.alternative("positions compared")
def _(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    keys = torch.arange(n_keys)
    queries = torch.arange(n_keys - n_queries, n_keys)
    return keys[None, :] <= queries[:, None]


@exercise.alternative("upper triangle inverted")
def _(n_queries, n_keys=None):
    S = n_keys or n_queries
    return ~torch.triu(torch.ones(n_queries, S), diagonal=S - n_queries + 1).bool()


@exercise.alternative("last rows of a square")
def _(n_queries, n_keys=None):
    S = n_queries if n_keys is None else n_keys
    return torch.tril(torch.ones(S, S))[-n_queries:] == 1


@exercise.alternative("loop")
def _(n_queries, n_keys=None):
    n_keys = n_keys if n_keys is not None else n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for t in range(n_queries):
        mask[t, :n_keys - n_queries + t + 1] = True
    return mask


@exercise.alternative("lists")
def _(n_queries, n_keys=None):
    n_keys = n_keys if n_keys is not None else n_queries
    offset = n_keys - n_queries
    return torch.tensor([[s - offset <= t for s in range(n_keys)] for t in range(n_queries)])


@exercise.alternative("cumulative sum")
def _(n_queries, n_keys=None):
    S = n_keys or n_queries
    return (torch.eye(S).flip(1).cumsum(1).flip(1) > 0)[S - n_queries:]


@exercise.wrong("diagonal-masked")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries - 1)


@exercise.wrong("diagonal-masked", "and aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(-1)


@exercise.wrong("sees-the-next")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries + 1)


@exercise.wrong("sees-the-next", "and aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(1)


@exercise.wrong("transposed")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).triu(n_keys - n_queries)


@exercise.wrong("transposed", "and aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).triu()


@exercise.wrong("transposed", "shape as well")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries).T


@exercise.wrong("inverted")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).triu(n_keys - n_queries + 1)


@exercise.wrong("inverted", "and aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).triu(1)


@exercise.wrong("aligned-at-start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril()


@exercise.wrong("not-boolean", "floats 0 and 1")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries)


@exercise.wrong("not-boolean", "floats, aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril()


@exercise.wrong("not-boolean", "whole numbers")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries).long()


@exercise.wrong("not-boolean", "whole numbers, aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril().long()


@exercise.wrong("not-boolean", "bytes")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries).to(torch.uint8)


@exercise.wrong("not-boolean", "int32")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries).int()


@exercise.wrong("not-boolean", "0 and −∞")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.full((n_queries, n_keys), -math.inf).triu(n_keys - n_queries + 1)


@exercise.wrong("not-boolean", "0 and −∞, aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.full((n_queries, n_keys), -math.inf).triu(1)


@exercise.wrong("not-boolean", "0 and −1e9")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.full((n_queries, n_keys), -1e9).triu(n_keys - n_queries + 1)


@exercise.wrong("not-boolean", "floats, 1 where hidden")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).triu(n_keys - n_queries + 1)


@exercise.wrong("not-boolean", "floats, 1 where hidden, aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).triu(1)


@exercise.wrong("not-boolean", "floats without the diagonal")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(-1)


@exercise.wrong("not-boolean", "floats, transposed")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).triu()


@exercise.wrong("keys-ignored")
def _(n_queries, n_keys=None):
    return torch.ones(n_queries, n_queries, dtype=torch.bool).tril()


@exercise.wrong("all-rows")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_keys, n_keys, dtype=torch.bool).tril()


@exercise.wrong("rows-and-columns-swapped")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_keys, n_queries, dtype=torch.bool).tril()


@exercise.wrong("rows-and-columns-swapped", "aligned at the end")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_keys, n_queries, dtype=torch.bool).tril(n_queries - n_keys)


@exercise.wrong("rows-and-columns-swapped", "offset of the right shape")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_keys, n_queries, dtype=torch.bool).tril(n_keys - n_queries)


@exercise.wrong("own-position-only")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.eye(n_keys, dtype=torch.bool)[-n_queries:]


@exercise.wrong("own-position-only", "aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.eye(n_queries, n_keys, dtype=torch.bool)


@exercise.wrong("one-row")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return (torch.arange(n_keys) < n_queries).expand(n_queries, n_keys)


@exercise.wrong("one-row", "up to the first query")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return (torch.arange(n_keys) <= n_keys - n_queries).expand(n_queries, n_keys)


@exercise.wrong("one-row", "the last key hidden")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return (torch.arange(n_keys) < n_keys - 1).expand(n_queries, n_keys)


@exercise.wrong("nothing-hidden")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool)


@exercise.wrong("earlier-keys-hidden")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries).triu(n_keys - n_queries) | torch.nn.functional.pad(torch.ones(n_queries, n_queries, dtype=torch.bool).tril(), (n_keys - n_queries, 0))


@exercise.wrong("extra-axes", "two")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)[None, None]


@exercise.wrong("extra-axes", "two, aligned at the start")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril()[None, None]


@exercise.wrong("extra-axes", "one")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)[None]


@exercise.wrong("needs-keys")
def _(n_queries, n_keys=None):
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


@exercise.wrong("needs-keys", "aligned at the start")
def _(n_queries, n_keys=None):
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril()


@exercise.wrong("needs-keys", "by positions")
def _(n_queries, n_keys=None):
    return torch.arange(n_keys) <= torch.arange(n_queries)[:, None] + n_keys - n_queries


@exercise.wrong("needs-keys", "by loop")
def _(n_queries, n_keys=None):
    return torch.tensor([[s <= t + n_keys - n_queries for s in range(n_keys)] for t in range(n_queries)])


@exercise.wrong("ready-made", "nn.Transformer's")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return nn.Transformer.generate_square_subsequent_mask(n_keys)[-n_queries:] == 0


@exercise.wrong("ready-made", "nn.Transformer's, as it is")
def _(n_queries, n_keys=None):
    return nn.Transformer.generate_square_subsequent_mask(n_queries)


@exercise.wrong("ready-made", "attention's bias")
def _(n_queries, n_keys=None):
    from torch.nn.attention import bias
    n_keys = n_queries if n_keys is None else n_keys
    return bias.causal_lower_right(n_queries, n_keys)


@exercise.wrong("ready-made", "the library's own")
def _(n_queries, n_keys=None):
    import allyouneed.attention as a
    return a.causal_mask(n_queries, n_keys)


@exercise.wrong("returns-nothing")
def _(n_queries, n_keys=None):
    torch.ones(n_queries, n_keys or n_queries).tril()


@exercise.wrong("timeout")
def _(n_queries, n_keys=None):
    while True:
        pass


@exercise.wrong("offset-sign", "tril")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_queries - n_keys)


@exercise.wrong("offset-sign", "positions")
def _(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_keys) <= torch.arange(n_queries)[:, None] + n_queries - n_keys


# ----------------------------------------------------------------------------------------------------------- padding mask

exercise = padding = Exercise(
    "padding_mask",
    points={"real tokens": 2, "empty sequences": 1},
    section="padding-mask",
    mistakes={
        "masks-queries": ("The mask hides queries: it has the shape (B, 1, S, 1). Padding is hidden as keys, on the last axis: (B, 1, 1, S).",
                          "padding-mask"),
        "one-too-many": ("Each sequence keeps one padding token. Position s is real if s < length: positions count from 0.", "padding-mask"),
        "one-too-few": ("Each sequence loses its last real token. Position s is real if s < length.", "padding-mask"),
        "inverted": ("The mask is True at the padding. Here True means that a token may be attended to: the real tokens are True.",
                     "masks-in-torch"),
        "padding-first": ("The mask expects the padding before the tokens. Real tokens come first: positions 0 to length − 1.", "padding-mask"),
        "wrong-axes": ("The values fit, but the shape does not: it must be (B, 1, 1, S), so that heads and queries broadcast. "
                       "Add the two axes of size 1 in the middle.", "padding-mask"),
        "queries-and-keys": ("The mask has an axis of queries. Keys alone are hidden: its shape is (B, 1, 1, S), and broadcasting does the rest.",
                             "padding-mask"),
        "not-boolean": ("The mask does not hold True and False. Return a boolean tensor: True at the real tokens.", "masks-in-torch"),
        "longest-length": ("The mask ends at the longest length in the batch. It must have max_len columns, also when all are shorter.",
                           "padding-mask"),
        "last-token-only": ("One position of each sequence is compared for equality. All positions below the length are True: use <.",
                            "padding-mask"),
        "one-length": ("Every sequence gets the same length. Compare each row with its own: lengths needs an axis of size 1 at the end.",
                       "padding-mask"),
        "nothing-hidden": ("The mask hides nothing. Positions from the length on must be False.", "padding-mask"),
        "lengths-and-positions-swapped": ("The axes are exchanged: positions run along the batch axis. The shape is (B, 1, 1, S).", "padding-mask"),
        "empty-sequence": ("A sequence of length 0 is not hidden altogether. Its row must be False everywhere.", "fully-masked-row"),
    },
)


@exercise.probes
def _(make):
    group = "real tokens"
    yield make.probe("two sequences", torch.tensor([make.pick(3, 2, 3), 1]), make.pick(5, 4, 6), group=group)
    yield make.probe("three sequences, one of full length", torch.tensor(make.pick([2, 5, 3], [4, 6, 1], [3, 7, 2])), make.pick(5, 6, 7), group=group)
    yield make.probe("four sequences, all shorter than max_len", torch.tensor(make.pick([1, 4, 2, 3], [2, 5, 1, 4], [3, 1, 5, 2])),
                     make.pick(7, 8, 9), group=group)
    yield make.probe("as many sequences as positions", torch.tensor([3, 1, 4, 2]), 4, group=group)
    yield make.probe("five sequences, three positions", torch.tensor([2, 1, 3, 1, 2]), 3, group=group)
    yield make.probe("one sequence", torch.tensor([make.pick(2, 3, 4)]), make.pick(5, 6, 7), group=group, edge=True)
    yield make.probe("int32 lengths", torch.tensor([2, 4, 1], dtype=torch.int32), 6, group=group, edge=True)
    yield make.probe("one position", torch.tensor([1, 1]), 1, group=group, edge=True)
    yield make.probe("a long sequence", torch.tensor([make.pick(137, 141, 129), 20]), 150, group=group, long=True)
    group = "empty sequences"
    yield make.probe("an empty sequence", torch.tensor(make.pick([2, 0, 3], [0, 3, 1], [1, 2, 0])), make.pick(4, 5, 6), group=group, edge=True)
    yield make.probe("empty sequences alone", torch.tensor([0, 0]), 3, group=group, edge=True)


@exercise.right
def reference(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]


@exercise.alternative("views")
def _(lengths, max_len):
    lengths = torch.tensor(lengths) if not torch.is_tensor(lengths) else lengths
    positions = torch.arange(max_len).view(1, 1, 1, -1)
    return positions < lengths.view(-1, 1, 1, 1)


@exercise.alternative("loop")
def _(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len, dtype=torch.bool)
    for b, length in enumerate(lengths):
        mask[b, 0, 0, :length] = True
    return mask


@exercise.alternative("lists")
def _(lengths, max_len):
    return torch.tensor([[[[s < int(length) for s in range(max_len)]]] for length in lengths])


@exercise.alternative("padding, inverted")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths).unsqueeze(1)
    padding = torch.arange(max_len).expand(lengths.shape[0], max_len) >= lengths
    return padding.logical_not().unsqueeze(1).unsqueeze(2)


@exercise.alternative("stacked rows")
def _(lengths, max_len):
    rows = [torch.cat([torch.ones(int(n)), torch.zeros(max_len - int(n))]) for n in lengths]
    return torch.stack(rows).bool()[:, None, None]


@exercise.alternative("rows of a triangle")
def _(lengths, max_len):
    table = torch.tril(torch.ones(max_len + 1, max_len, dtype=torch.bool), diagonal=-1)
    return table[torch.as_tensor(lengths).long()].reshape(len(lengths), 1, 1, max_len)


@exercise.wrong("masks-queries")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, :, None]


@exercise.wrong("masks-queries", "with three axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, :, None]


@exercise.wrong("masks-queries", "and inverted")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None])[:, None, :, None]


@exercise.wrong("one-too-many")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) <= lengths[:, None])[:, None, None, :]


@exercise.wrong("one-too-many", "and wrong axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) <= lengths[:, None])


@exercise.wrong("one-too-many", "one axis missing")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) <= lengths[:, None])[:, None]


@exercise.wrong("one-too-few")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None] - 1)[:, None, None, :]


@exercise.wrong("one-too-few", "positions from 1")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(1, max_len + 1) < lengths[:, None])[:, None, None, :]


@exercise.wrong("one-too-few", "and wrong axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None] - 1)


@exercise.wrong("inverted")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None])[:, None, None, :]


@exercise.wrong("inverted", "and one off")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) > lengths[:, None])[:, None, None, :]


@exercise.wrong("inverted", "and one off, the other way")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None] - 1)[:, None, None, :]


@exercise.wrong("inverted", "without the two axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None])


@exercise.wrong("inverted", "with one axis")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None])[:, None]


@exercise.wrong("inverted", "and boolean as numbers")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None])[:, None, None, :].float()


@exercise.wrong("padding-first")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= max_len - lengths[:, None])[:, None, None, :]


@exercise.wrong("padding-first", "without the two axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= max_len - lengths[:, None])


@exercise.wrong("wrong-axes", "(B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])


@exercise.wrong("wrong-axes", "(B, 1, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None]


@exercise.wrong("wrong-axes", "(1, 1, B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[None, None]


@exercise.wrong("wrong-axes", "(1, B, 1, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[None, :, None]


@exercise.wrong("wrong-axes", "(B, S, 1, 1)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[..., None, None]


@exercise.wrong("wrong-axes", "(1, B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[None]


@exercise.wrong("queries-and-keys", "(B, 1, S, S), keys hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].expand(-1, 1, max_len, max_len)


@exercise.wrong("queries-and-keys", "(B, 1, S, S), both hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    real = (torch.arange(max_len) < lengths[:, None])
    return (real[:, :, None] & real[:, None, :])[:, None]


@exercise.wrong("queries-and-keys", "(B, S, S), keys hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, :].expand(-1, max_len, max_len)


@exercise.wrong("queries-and-keys", "(B, S, S), both hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    real = (torch.arange(max_len) < lengths[:, None])
    return real[:, :, None] & real[:, None, :]


@exercise.wrong("queries-and-keys", "(B, 1, S, S), queries hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, :, None].expand(-1, 1, max_len, max_len)


@exercise.wrong("not-boolean", "floats")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].float()


@exercise.wrong("not-boolean", "whole numbers")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].long()


@exercise.wrong("not-boolean", "bytes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].to(torch.uint8)


@exercise.wrong("not-boolean", "int32")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].int()


@exercise.wrong("not-boolean", "floats (B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None]).float()


@exercise.wrong("not-boolean", "whole numbers (B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None]).long()


@exercise.wrong("not-boolean", "0 and −∞")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.zeros(len(lengths), max_len).masked_fill(torch.arange(max_len) >= lengths[:, None], -math.inf)[:, None, None, :]


@exercise.wrong("not-boolean", "0 and −1e9")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.zeros(len(lengths), max_len).masked_fill(torch.arange(max_len) >= lengths[:, None], -1e9)[:, None, None, :]


@exercise.wrong("not-boolean", "0 and −∞ (B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.zeros(len(lengths), max_len).masked_fill(torch.arange(max_len) >= lengths[:, None], -math.inf)


@exercise.wrong("longest-length")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(int(lengths.max())) < lengths[:, None])[:, None, None, :]


@exercise.wrong("longest-length", "without the two axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.arange(int(lengths.max())) < lengths[:, None]


@exercise.wrong("longest-length", "inverted")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(int(lengths.max())) >= lengths[:, None])[:, None, None, :]


@exercise.wrong("last-token-only")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) == lengths[:, None] - 1)[:, None, None, :]


@exercise.wrong("last-token-only", "the position after")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) == lengths[:, None])[:, None, None, :]


@exercise.wrong("last-token-only", "all but one")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) != lengths[:, None])[:, None, None, :]


@exercise.wrong("one-length", "the first")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[0]).expand(len(lengths), 1, 1, max_len)


@exercise.wrong("one-length", "the longest")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths.max()).expand(len(lengths), 1, 1, max_len)


@exercise.wrong("one-length", "the shortest")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths.min()).expand(len(lengths), 1, 1, max_len)


@exercise.wrong("one-length", "lengths without an axis")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths).expand(len(lengths), max_len)[:, None, None, :]


@exercise.wrong("one-length", "lengths without an axis, no batch")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths)[None, None, None]


@exercise.wrong("nothing-hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.ones(len(lengths), 1, 1, max_len, dtype=torch.bool)


@exercise.wrong("lengths-and-positions-swapped")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len)[:, None] < lengths)[:, None, None, :]


@exercise.wrong("lengths-and-positions-swapped", "without the two axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.arange(max_len)[:, None] < lengths


@exercise.alternative("for tensors, by indexing")
def _(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]


@exercise.alternative("for tensors, by a method")
def _(lengths, max_len):
    return (torch.arange(max_len) < lengths.unsqueeze(1))[:, None, None, :]


@exercise.wrong("empty-sequence", "at least one")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None].clamp(min=1))[:, None, None, :]


@exercise.wrong("empty-sequence", "0 stands for all")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    lengths = torch.where(lengths == 0, max_len, lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]


@exercise.wrong("ready-made", "the library's own")
def _(lengths, max_len):
    from allyouneed.attention import padding_mask as ready
    return ready(lengths, max_len)


@exercise.wrong("changes-input")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    lengths -= 1
    return (torch.arange(max_len) <= lengths[:, None])[:, None, None, :]


@exercise.wrong("timeout")
def _(lengths, max_len):
    while True:
        pass


# ---------------------------------------------------------------------------------------------------- attention in columns

exercise = columns = Exercise(
    "attention_columns",
    points={"formula": 3, "large scores": 1},
    section="rows-and-columns",
    properties=[{"rule": "finite"}],
    mistakes={
        "row-formula": ("The scores are Q Kᵀ, the formula for rows. With tokens in columns that compares features: each pair of columns "
                        "has the product Kᵀ Q (or Qᵀ K).", "rows-and-columns"),
        "softmax-over-queries": ("The softmax runs over the queries. For each query the weights over the keys must sum to 1: with scores Kᵀ Q "
                                 "the keys lie along the first axis.", "softmax-over-keys"),
        "queries-and-keys-swapped": ("Queries and keys are swapped: column t of the result belongs to query t, and its weights run over the "
                                     "keys.", "query-key-value"),
        "weights-not-transposed": ("V is multiplied by weights that have queries as rows. In columns V stands on the left, and the weights of a "
                                   "query must form a column: transpose them.", "rows-and-columns"),
        "result-in-rows": ("The result has the tokens in rows. It must have them in columns, (D_v, N): transpose it.", "rows-and-columns"),
        "input-in-rows": ("X or a result is read as if tokens were rows. Here X is (D, N), and the weights stand on the left: W_q @ X.",
                          "rows-and-columns"),
        "weights-matrix-transposed": ("A projection is transposed: W_q, W_k and W_v are (out, in) and stand on the left of X as they are.",
                                      "rows-and-columns"),
        "no-scale": ("The scores are not divided by the square root of K, the number of rows of W_q.", "why-divide-by-sqrt-dk"),
        "scale-by-dk": ("The scores are divided by K itself. Divide by its square root.", "why-divide-by-sqrt-dk"),
        "scale-multiplied": ("The scores are multiplied by the square root of K. Divide by it.", "why-divide-by-sqrt-dk"),
        "scale-other-size": ("The scores are divided by the root of another size. In columns the width K is the number of rows of W_q, not the "
                             "last axis of Q.", "why-divide-by-sqrt-dk"),
        "scale-after-softmax": ("The weights are divided by the square root of K after the softmax, so they do not sum to 1. Scale the scores.",
                                "why-divide-by-sqrt-dk"),
        "values-not-projected": ("The weights mix X itself. Mix the values, W_v X.", "query-key-value"),
        "wrong-partner": ("One of queries, keys and values stands in another's place: each has its own matrix.", "query-key-value"),
        "softmax-over-everything": ("The softmax runs over all scores at once. The weights of each query must sum to 1.", "softmax-over-keys"),
        "no-softmax": ("The scores are used as weights without a softmax.", "softmax-over-keys"),
        "unnormalized": ("The weights are exponentials that are not divided by their sum over the keys.", "softmax-over-keys"),
        "no-shift": ("Large scores overflow: exp of a number above 88 is infinite in float32. Use torch.softmax, or subtract the largest "
                     "score of each query first.", "softmax-stable"),
        "two-results": ("Two values come back. Return the output alone, a (D_v, N) tensor.", "rows-and-columns"),
        "returns-weights": ("The weights come back. Multiply the values with them, and return the output.", "rows-and-columns"),
        "causal": ("Later columns are hidden. This attention has no mask: each token sees all.", "causal-mask"),
        "residual": ("X is added to the result. Return the attention's output alone.", "rows-and-columns"),
    },
)


@exercise.probes
def _(make):
    def sizes(width, n, k, d_v, dtype=torch.float32):
        return (make.randn(width, n, dtype=dtype), make.randn(k, width, dtype=dtype), make.randn(k, width, dtype=dtype),
                make.randn(d_v, width, dtype=dtype))

    group = "formula"
    x, w_q, w_k, w_v = sizes(2, 3, make.pick(5, 6, 7), 4)
    yield make.probe("three columns", x, w_q, w_k, w_v, group=group, gradient=True)
    yield make.probe("seven columns", *sizes(*make.pick((5, 7, 6, 4), (4, 8, 3, 5), (6, 5, 7, 3))), group=group, gradient=True)
    yield make.probe("more features than columns", *sizes(*make.pick((8, 4, 3, 6), (7, 3, 5, 6), (9, 5, 6, 4))), group=group)
    yield make.probe("all sizes equal", *sizes(*[make.pick(3, 4, 5)] * 4), group=group)
    yield make.probe("all widths equal", *sizes(*make.pick((4, 6, 4, 4), (5, 3, 5, 5), (3, 5, 3, 3))), group=group)
    yield make.probe("values as wide as keys", *sizes(*make.pick((3, 5, 4, 4), (4, 6, 3, 3), (5, 4, 6, 6))), group=group)
    yield make.probe("as many columns as features", *sizes(*make.pick((5, 5, 3, 4), (4, 4, 6, 3), (6, 6, 4, 5))), group=group)
    yield make.probe("as many columns as values", *sizes(*make.pick((3, 5, 4, 5), (5, 4, 6, 4), (4, 6, 3, 6))), group=group)
    yield make.probe("as many columns as the keys' width", *sizes(*make.pick((3, 5, 5, 4), (5, 4, 4, 6), (4, 6, 6, 3))), group=group)
    yield make.probe("float64", *sizes(*make.pick((4, 5, 3, 6), (5, 3, 4, 2), (3, 6, 5, 4)), dtype=torch.float64), group=group, gradient=True)
    yield make.probe("not contiguous", *sizes(4, 5, 6, 3), group=group, edge=True, strided=True, gradient=True)
    yield make.probe("one column", *sizes(4, 1, 6, 3), group=group, edge=True)
    yield make.probe("a long sequence", *sizes(3, 150, 4, 2), group=group, long=True)
    size = make.pick(10.0, 11.0, 12.0)
    large = torch.tensor([[1.0, 0.0, -1.0], [0.0, 1.0, 1.0]]) * size
    w_q = torch.tensor([[1.0, 0.5], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0]])
    w_k = torch.tensor([[2.0, 0.0], [1.0, 3.0], [1.0, 0.0], [0.0, 1.0]])
    yield make.probe("scores of a hundred and more", large, w_q, w_k, make.randn(3, 2), group="large scores", edge=True)


@exercise.right
def reference(X, W_q, W_k, W_v):
    queries, keys, values = W_q @ X, W_k @ X, W_v @ X
    scores = keys.T @ queries / math.sqrt(W_q.shape[0])
    return values @ torch.softmax(scores, dim=0)


@exercise.alternative("queries as rows, transposed at the end")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    A = F.softmax(Q.T @ K / K.shape[0] ** 0.5, dim=-1)
    return V @ A.T


@exercise.alternative("one's own attention in rows")
def _(X, W_q, W_k, W_v):
    rows = X.T
    output, _ = scaled_dot_product_attention(rows @ W_q.T, rows @ W_k.T, rows @ W_v.T)
    return output.T


@exercise.alternative("torch's attention in rows")
def _(X, W_q, W_k, W_v):
    q, k, v = F.linear(X.T, W_q), F.linear(X.T, W_k), F.linear(X.T, W_v)
    return F.scaled_dot_product_attention(q[None], k[None], v[None])[0].T


@exercise.alternative("einsum")
def _(X, W_q, W_k, W_v):
    q = torch.einsum("kd,dn->kn", W_q, X)
    k = torch.einsum("kd,dm->km", W_k, X)
    v = torch.einsum("vd,dm->vm", W_v, X)
    s = torch.einsum("km,kn->nm", k, q) / math.sqrt(k.size(0))
    e = torch.exp(s - s.max(dim=1, keepdim=True).values)
    return torch.einsum("nm,vm->vn", e / e.sum(1, keepdim=True), v)


@exercise.alternative("one column at a time")
def _(X, W_q, W_k, W_v):
    keys, values = W_k @ X, W_v @ X
    out = []
    for n in range(X.shape[1]):
        query = W_q @ X[:, n]
        weights = torch.softmax((query @ keys) / math.sqrt(len(query)), dim=0)
        out.append(values @ weights)
    return torch.stack(out, dim=1)


@exercise.alternative("matrices joined first")
def _(X, W_q, W_k, W_v):
    joined = W_k.T @ W_q / math.sqrt(W_k.size(0))
    return W_v @ (X @ torch.softmax(X.T @ joined @ X, dim=-2))


@exercise.wrong("row-formula")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=-1) @ V


@exercise.wrong("row-formula", "softmax over the first axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=0) @ V


@exercise.wrong("row-formula", "V on the left")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("row-formula", "V on the left, softmax over the first axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("row-formula", "scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    return torch.softmax(scores, dim=-1) @ V


@exercise.wrong("row-formula", "V on the left, scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("row-formula", "transposed weights")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q @ K.T / math.sqrt(W_q.shape[0])
    return (torch.softmax(scores, dim=-1).T @ V)


@exercise.wrong("softmax-over-queries")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("softmax-over-queries", "queries as rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0).T


@exercise.wrong("softmax-over-queries", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("softmax-over-queries", "scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(Q.shape[-1])
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("queries-and-keys-swapped")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("queries-and-keys-swapped", "scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(Q.shape[-1])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("queries-and-keys-swapped", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("weights-not-transposed")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("weights-not-transposed", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("weights-not-transposed", "scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(Q.shape[-1])
    return V @ torch.softmax(scores, dim=-1)


@exercise.wrong("weights-not-transposed", "multiplied from the left")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=0) @ V


@exercise.wrong("weights-not-transposed", "multiplied from the left, queries as rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=-1) @ V


@exercise.wrong("result-in-rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=-1) @ V.T


@exercise.wrong("result-in-rows", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K
    return torch.softmax(scores, dim=-1) @ V.T


@exercise.wrong("result-in-rows", "scaled by the last axis")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(Q.shape[-1])
    return torch.softmax(scores, dim=-1) @ V.T


@exercise.wrong("input-in-rows", "X W")
def _(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    return torch.softmax(Q @ K.T / math.sqrt(W_q.shape[0]), dim=-1) @ V


@exercise.wrong("input-in-rows", "X Wᵀ")
def _(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q.T, X @ W_k.T, X @ W_v.T
    return torch.softmax(Q @ K.T / math.sqrt(W_q.shape[0]), dim=-1) @ V


@exercise.wrong("weights-matrix-transposed", "Xᵀ W")
def _(X, W_q, W_k, W_v):
    Q, K, V = X.T @ W_q, X.T @ W_k, X.T @ W_v
    return (torch.softmax(Q @ K.T / math.sqrt(Q.shape[-1]), dim=-1) @ V).T


@exercise.wrong("input-in-rows", "Xᵀ W, result in rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = X.T @ W_q, X.T @ W_k, X.T @ W_v
    return torch.softmax(Q @ K.T / math.sqrt(Q.shape[-1]), dim=-1) @ V


@exercise.wrong("input-in-rows", "W Xᵀ")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X.T, W_k @ X.T, W_v @ X.T
    return V @ torch.softmax(K.T @ Q / math.sqrt(W_q.shape[0]), dim=0)


@exercise.wrong("weights-matrix-transposed", "all")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q.T @ X, W_k.T @ X, W_v.T @ X
    return V @ torch.softmax(K.T @ Q / math.sqrt(W_q.shape[0]), dim=0)


@exercise.wrong("weights-matrix-transposed", "W_v")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v.T @ X
    return V @ torch.softmax(K.T @ Q / math.sqrt(W_q.shape[0]), dim=0)


@exercise.wrong("no-scale")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-by-dk")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / W_q.shape[0]
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-multiplied")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q * math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-other-size", "features of X")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(X.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-other-size", "number of columns")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(Q.shape[-1])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-other-size", "rows of W_v")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_v.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-other-size", "rounded")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / int(math.sqrt(W_q.shape[0]))
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("scale-after-softmax")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q
    return V @ torch.softmax(scores, dim=0) / math.sqrt(W_q.shape[0])


@exercise.wrong("scale-after-softmax", "scaled again")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0) / math.sqrt(W_q.shape[0])


@exercise.wrong("values-not-projected")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return X @ torch.softmax(scores, dim=0)


@exercise.wrong("values-not-projected", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q
    return X @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "keys mixed")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return K @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "queries mixed")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return Q @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "queries with queries")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "keys with keys")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ K / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "columns of X compared")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = X.T @ X / math.sqrt(X.shape[0])
    return V @ torch.softmax(scores, dim=0)


@exercise.wrong("wrong-partner", "values compared")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = V.T @ Q / math.sqrt(W_q.shape[0])
    return K @ torch.softmax(scores, dim=0)


@exercise.wrong("softmax-over-everything")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)


@exercise.wrong("no-softmax")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ scores


@exercise.wrong("no-softmax", "not scaled")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q
    return V @ scores


@exercise.wrong("no-softmax", "queries as rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return V @ scores


@exercise.wrong("unnormalized")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.exp(scores)


@exercise.wrong("unnormalized", "shifted")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.exp(scores - scores.amax(0, keepdim=True))


@exercise.wrong("no-shift")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ (torch.exp(scores) / torch.exp(scores).sum(0, keepdim=True))


@exercise.wrong("no-shift", "NaN replaced")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.nan_to_num(torch.exp(scores) / torch.exp(scores).sum(0, keepdim=True))


@exercise.wrong("two-results")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0), torch.softmax(scores, dim=0)


@exercise.wrong("two-results", "weights with queries as rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores, dim=0), torch.softmax(scores, dim=0).T


@exercise.wrong("two-results", "both in rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    weights = torch.softmax(Q.T @ K / math.sqrt(Q.shape[0]), dim=-1)
    return weights @ V.T, weights


@exercise.wrong("returns-weights")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=0)


@exercise.wrong("returns-weights", "queries as rows")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = Q.T @ K / math.sqrt(W_q.shape[0])
    return torch.softmax(scores, dim=-1)


@exercise.wrong("causal")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return V @ torch.softmax(scores.masked_fill(~torch.ones_like(scores, dtype=torch.bool).triu(), -math.inf), dim=0)


@exercise.wrong("residual")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    scores = K.T @ Q / math.sqrt(W_q.shape[0])
    return X + V @ torch.softmax(scores, dim=0)


@exercise.wrong("changes-input")
def _(X, W_q, W_k, W_v):
    with torch.no_grad():
        W_q /= math.sqrt(W_q.shape[0])
    return W_v @ X @ torch.softmax((W_k @ X).T @ (W_q @ X), dim=0)


@exercise.wrong("no-gradient", "weights detached")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    return V @ torch.softmax(K.T @ Q / math.sqrt(W_q.shape[0]), dim=0).detach()


@exercise.wrong("ready-made")
def _(X, W_q, W_k, W_v):
    import allyouneed.attention
    return allyouneed.attention.attention_columns(X, W_q, W_k, W_v)


@exercise.wrong("returns-nothing")
def _(X, W_q, W_k, W_v):
    Q, K, V = W_q @ X, W_k @ X, W_v @ X
    V @ torch.softmax(K.T @ Q, dim=0)


@exercise.wrong("timeout")
def _(X, W_q, W_k, W_v):
    while True:
        pass


# ------------------------------------------------------------------------------------------------- permutation equivariance

exercise = equivariance = Exercise(
    "is_permutation_equivariant",
    points={"plain functions": 2, "symmetric in part": 2, "rounding and faint positions": 1},
    section="permutation-equivariance",
    driver="set_function",
    mistakes={
        "identity-permutation": ("The rows are not shuffled: a permutation that changes nothing finds every function equivariant. Draw one with "
                                 "torch.randperm(n).", "permutation-equivariance"),
        "always-true": ("The answer is True for every function, even for one that gives random numbers. Compare f(x[p]) with f(x)[p].",
                        "permutation-equivariance"),
        "always-false": ("The answer is False for every function. Compare f(x[p]) with f(x)[p] within rounding.", "permutation-equivariance"),
        "invariance": ("This tests invariance: f(x[p]) = f(x). Equivariance means that the output's rows move as the input's: apply the same "
                       "permutation to f(x).", "permutation-equivariance"),
        "input-not-permuted": ("Only the output is shuffled. Apply the same permutation to the rows of x before f.", "permutation-equivariance"),
        "inverse-permutation": ("The output is put in order by the inverse permutation, or twice, or on the wrong side. Compare f(x[p]) with f(x)[p].",
                                "permutation-equivariance"),
        "too-tight": ("Equal functions are called different: sums in another order differ by rounding, about 1e-6 in float32. Use "
                      "torch.allclose with its default tolerance, or float64.", "permutation-equivariance"),
        "too-loose": ("The tolerance is too loose: a function that adds a little of the position passes. Rounding is about 1e-6; a tolerance of "
                      "1e-5 to 1e-4 is enough.", "permutation-equivariance"),
        "compares-sums": ("Only sums, means or sorted values of the outputs are compared, and these do not show which row went where. Compare "
                          "every number with its partner.", "permutation-equivariance"),
        "only-shifts": ("Only cyclic shifts are tried, and a function that looks at its neighbour in a circle survives these. Draw a random "
                        "permutation.", "permutation-equivariance"),
        "only-reversal": ("Only the reversed order is tried, and a function that treats both neighbours alike survives it. Draw a random "
                          "permutation.", "permutation-equivariance"),
        "only-one-swap": ("Only two neighbouring rows are exchanged, and a function that treats these two alike survives it. Draw a random "
                          "permutation of all rows.", "permutation-equivariance"),
        "permutes-columns": ("The columns (features) are shuffled. Shuffle the rows: x[p], not x[:, p].", "permutation-equivariance"),
        "constant-input": ("All rows of the input are equal, so shuffling changes nothing. Draw x with torch.randn(n, d).",
                           "permutation-equivariance"),
        "wrong-input": ("f was called with a tensor that is not of shape (n, d). Draw x with torch.randn(n, d), without a batch axis.",
                        "permutation-equivariance"),
        "answer-turned": ("True and False are exchanged: return True where f is equivariant.", "permutation-equivariance"),
    },
)


@exercise.probes
def _(make):
    def probe(name, kind, group, n, d, **marks):
        strength = {"strength": marks.pop("strength")} if "strength" in marks else {}
        seed = int(make.randint(1, 100_000, (1,)))
        return make.probe(name, {"kind": kind, "d": d, "seed": seed} | strength, n, d, group=group, **marks)

    n, d = make.pick((8, 5), (10, 3), (12, 7))
    group = "plain functions"
    yield probe("f doubles x", "elementwise", group, n, d)
    yield probe("f multiplies each column by a number", "columns_scaled", group, n, d)
    yield probe("f gives every row the largest of all rows", "pooled", group, n, d)
    yield probe("f multiplies each row by its number", "rows_scaled", group, n, d)
    yield probe("f is causal attention", "causal", group, n, d)
    yield probe("f adds random noise", "noisy", group, n, d)
    group = "symmetric in part"
    for more in (0, make.pick(4, 2, 6)):
        rows = n + more
        yield probe(f"f looks at the row before, in a circle, {rows} rows", "cyclic", group, rows, d)
        yield probe(f"f looks at both neighbours, {rows} rows", "flip_symmetric", group, rows, d)
        yield probe(f"f sorts the rows, {rows} rows", "sorted", group, rows, d)
    yield probe("f adds up pairs of rows", "pairs", group, make.pick(12, 14, 16), make.pick(5, 3, 7))
    yield probe("f gives every row one sum that depends on order", "pooled_by_position", group, n, d)
    group = "rounding and faint positions"
    for rows, width in make.pick(((12, 5), (40, 7), (9, 16)), ((14, 3), (37, 6), (10, 16)), ((11, 4), (43, 8), (7, 16))):
        yield probe(f"f is attention, {rows} rows of {width}", "attention", group, rows, width)
    yield probe("f adds the mean of all rows", "deep_sets", group, make.pick(30, 33, 36), make.pick(6, 5, 8))
    yield probe("f treats each row alike", "each_row", group, n, d, edge=True)
    yield probe("f is attention and adds a little of the row's number", "positions", group, make.pick(9, 8, 10), d, strength=0.004)
    yield probe("f is attention and adds a little of the row's number, other weights", "positions", group, make.pick(7, 9, 8), d + 4, strength=0.004)
    yield probe("f is attention and adds some of the row's number", "positions", group, make.pick(8, 9, 10), d, strength=0.02, edge=True)
    yield probe("f is attention over 150 rows", "attention", group, make.pick(150, 140, 160), d, long=True)
    yield probe("f looks at the row before, in a circle, 130 rows", "cyclic", group, 130, d, long=True)


@exercise.right
def reference(f, n, d):
    x = torch.randn(n, d)
    order = torch.randperm(n)
    return torch.allclose(f(x[order]), f(x)[order], atol=1e-4)


@exercise.alternative("default tolerance, several permutations")
def _(f, n, d):
    x = torch.randn(n, d)
    y = f(x)
    for _ in range(10):
        p = torch.randperm(n)
        if not torch.allclose(f(x[p]), y[p]):
            return False
    return True


@exercise.alternative("float64, a permutation matrix")
def _(f, n, d):
    x = torch.randn(n, d, dtype=torch.float64)
    P = torch.eye(n, dtype=torch.float64)[torch.randperm(n)]
    return bool((P @ f(x) - f(P @ x)).abs().max() < 1e-8)


@exercise.alternative("the inverse on the other side")
def _(f, n, d):
    generator = torch.Generator().manual_seed(1)
    x = torch.rand(n, d, generator=generator) * 2 - 1
    p = torch.randperm(n, generator=generator)
    back = torch.argsort(p)
    return torch.isclose(f(x[p])[back], f(x), rtol=0, atol=1e-3).all()


@exercise.alternative("a shift and a swap")
def _(f, n, d):
    x = torch.randn(n, d)
    shift = list(range(1, n)) + [0]
    swap = [1, 0] + list(range(2, n))
    return all(torch.allclose(f(x[p]), f(x)[p], atol=1e-5) for p in (shift, swap))


@exercise.alternative("all swaps of neighbours")
def _(f, n, d):
    x = torch.randn(n, d, dtype=torch.float64)
    for i in range(n - 1):
        p = torch.arange(n)
        p[i], p[i + 1] = i + 1, i
        if (f(x[p]) - f(x)[p]).abs().max().item() > 1e-6:
            return False
    return True


@exercise.alternative("several inputs, the largest difference")
def _(f, n, d):
    import random
    worst = 0.0
    for _ in range(5):
        x = torch.randn(n, d)
        p = random.Random(3).sample(range(n), n)
        worst = max(worst, float(torch.max(torch.abs(f(x[p]) - f(x)[p]))))
    return worst < 1e-5


@exercise.wrong("identity-permutation")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.arange(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("always-true")
def _(f, n, d):
    return True


@exercise.wrong("always-true", "compares a value with itself")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    y = f(x)
    return torch.allclose(y[p], y[p])


@exercise.wrong("always-false")
def _(f, n, d):
    return False


@exercise.wrong("always-false", "compares one tensor with another input's")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x), f(torch.randn(n, d))[p])


@exercise.wrong("invariance")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x), atol=1e-5)


@exercise.wrong("invariance", "exactly equal")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.equal(f(x[p]), f(x))


@exercise.wrong("invariance", "reversed")
def _(f, n, d):
    x = torch.randn(n, d)
    return torch.allclose(f(x.flip(0)), f(x), atol=1e-5)


@exercise.wrong("input-not-permuted")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x), f(x)[p], atol=1e-5)


@exercise.wrong("input-not-permuted", "exactly equal")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.equal(f(x), f(x)[p])


@exercise.wrong("inverse-permutation")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[torch.argsort(p)], atol=1e-5)


@exercise.wrong("inverse-permutation", "exactly equal")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.equal(f(x[p]), f(x)[torch.argsort(p)])


@exercise.wrong("inverse-permutation", "two permutations")
def _(f, n, d):
    x = torch.randn(n, d)
    return torch.allclose(f(x[torch.randperm(n)]), f(x)[torch.randperm(n)], atol=1e-5)


@exercise.wrong("inverse-permutation", "permuted twice")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p])[p], f(x), atol=1e-5)


@exercise.wrong("too-tight", "torch.equal")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.equal(f(x[p]), f(x)[p])


@exercise.wrong("too-tight", "1e-9")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], rtol=0, atol=1e-9)


@exercise.wrong("too-tight", "1e-7, several")
def _(f, n, d):
    x = torch.randn(n, d)
    return all(torch.allclose(f(x[p]), f(x)[p], rtol=0, atol=1e-7) for p in (torch.randperm(n) for _ in range(5)))


@exercise.wrong("too-loose", "1")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=1.0)


@exercise.wrong("too-loose", "0.1")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=0.1)


@exercise.wrong("too-loose", "mean difference")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return (f(x[p]) - f(x)[p]).abs().mean().item() < 0.1


@exercise.wrong("compares-sums", "over the rows")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]).sum(0), f(x).sum(0), atol=1e-4)


@exercise.wrong("compares-sums", "the mean")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]).mean(), f(x)[p].mean(), atol=1e-4)


@exercise.wrong("compares-sums", "the norm")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]).norm(), f(x)[p].norm(), atol=1e-4)


@exercise.wrong("compares-sums", "the mean difference with its sign")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return abs((f(x[p]) - f(x)[p]).mean().item()) < 1e-4


@exercise.wrong("compares-sums", "sorted columns")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]).sort(dim=0).values, f(x).sort(dim=0).values, atol=1e-5)


@exercise.wrong("compares-sums", "sorted numbers")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]).flatten().sort().values, f(x).flatten().sort().values, atol=1e-5)


@exercise.wrong("only-shifts", "by 1")
def _(f, n, d):
    x = torch.randn(n, d)
    return torch.allclose(f(x.roll(1, 0)), f(x).roll(1, 0), atol=1e-5)


@exercise.wrong("only-shifts", "all")
def _(f, n, d):
    x = torch.randn(n, d)
    return all(torch.allclose(f(torch.roll(x, s, 0)), torch.roll(f(x), s, 0), atol=1e-5) for s in range(n))


@exercise.wrong("only-reversal")
def _(f, n, d):
    x = torch.randn(n, d)
    return torch.allclose(f(x.flip(0)), f(x).flip(0), atol=1e-5)


@exercise.wrong("only-one-swap", "the first two")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.arange(n)
    p[0], p[1] = 1, 0
    return torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("permutes-columns")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(d)
    return torch.allclose(f(x[:, p]), f(x)[:, p], atol=1e-5)


@exercise.wrong("constant-input", "ones")
def _(f, n, d):
    x = torch.ones(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("constant-input", "zeros")
def _(f, n, d):
    x = torch.zeros(n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("constant-input", "one row repeated")
def _(f, n, d):
    x = torch.randn(1, d).repeat(n, 1)
    p = torch.randperm(n)
    return torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("wrong-input", "axes exchanged")
def _(f, n, d):
    x = torch.randn(d, n)
    p = torch.randperm(n)
    return torch.allclose(f(x[:, p]), f(x)[:, p], atol=1e-5)


@exercise.wrong("wrong-input", "a batch axis")
def _(f, n, d):
    x = torch.randn(1, n, d)
    p = torch.randperm(n)
    return torch.allclose(f(x[:, p]), f(x)[:, p], atol=1e-5)


@exercise.wrong("answer-turned")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    return not torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("returns-nothing")
def _(f, n, d):
    x = torch.randn(n, d)
    p = torch.randperm(n)
    torch.allclose(f(x[p]), f(x)[p], atol=1e-5)


@exercise.wrong("ready-made", "the library's own")
def _(f, n, d):
    import allyouneed.attention
    return allyouneed.attention.is_permutation_equivariant(f, n, d)


@exercise.wrong("timeout")
def _(f, n, d):
    while True:
        pass


exercises = [softmax, attention, causal, padding, columns, equivariance]
