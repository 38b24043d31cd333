"""The rubric of scaled_dot_product_attention: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise

exercise = Exercise(
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
        "scale-other-size": ("The scores are divided by the root of a size other than the width of queries and keys. Take the last axis: "
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
        "returns-dict": ("A dict comes back. Return two values: the output, then the weights.", "scaled-dot-product"),
        "no-softmax": ("The scores are used as weights without a softmax. Weights must be positive and sum to 1 for each query.",
                       "softmax-over-keys"),
        "softmax-twice": ("The softmax is applied twice, which makes the weights too even. Apply it once, to the scores.", "softmax-over-keys"),
        "unnormalized": ("The weights are exponentials that are not divided by their sum. Divide by the sum over the keys.",
                         "softmax-over-keys"),
        "no-shift": ("Large scores overflow: exp of a number above about 88.7 is infinite in float32. Use torch.softmax, or subtract each row's "
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


@exercise.wrong("returns-dict")
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
