"""The rubric of MultiHeadAttention: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch
import torch.nn.functional as F
from allyouneed.attention import scaled_dot_product_attention
from allyouneed.multihead import merge_heads, split_heads
from torch import nn

from coursegrader.rubric import Exercise

exercise = Exercise(
    "MultiHeadAttention",
    points={"heads": 4, "memory": 1, "a width of your own": 1, "masks": 2, "empty rows": 1},
    section="one-softmax",
    driver="module",
    compact=True,
    forbid=("MultiheadAttention", "multi_head_attention_forward", "native_multi_head_attention"),
    properties=[{"rule": "finite", "part": 1}, {"rule": "non_negative", "part": 1, "what": "A weight"},
                {"rule": "sums_to_one", "part": 1, "or_zero": True, "what": "The weights of a query"},
                {"rule": "finite", "part": 0}],
    relations=[("a hidden token of memory", "another hidden token of memory",
                "Changing a token that every query must ignore changed the output.", 0),
               ("a memory as long as x", "the same memory in reverse order",
                "The order of the memory's tokens changed the output; it must not.", 0)],
    mistakes={
        "names": ("There is no parameter q_proj.weight. Make four nn.Linear layers in __init__, and keep them as self.q_proj, self.k_proj, "
                  "self.v_proj and self.o_proj, for all heads at once.", "table-of-shapes"),
        "output-name": ("There is no parameter o_proj.weight. The output projection is an nn.Linear that is made in __init__, kept as self.o_proj, and "
                        "applied to the merged heads.", "output-projection"),
        "no-output-projection": ("The output projection is not applied. Merge the heads, then send them through self.o_proj, which mixes what they "
                                 "found.", "output-projection"),
        "no-bias": ("A projection lacks its bias. All four layers have one: nn.Linear has it unless told otherwise.", "table-of-shapes"),
        "d-head-ignored": ("Where d_head is given, a layer does not have the shape that it asks for. Queries, keys and values lead from d_model to "
                           "n_heads · d_head, and o_proj from there back to d_model. nn.Linear's first argument is the width that comes in.",
                           "table-of-shapes"),
        "inner-width": ("The projections of queries, keys and values are not n_heads · d_head wide. A head is d_model // n_heads wide unless d_head is "
                        "given, and the heads stand side by side.", "table-of-shapes"),
        "no-super-init": ("__init__ does not call super().__init__(). Do that first: only then can an nn.Module keep layers.", "table-of-shapes"),
        "not-a-module": ("The class is not derived from nn.Module, so its layers cannot be trained. Write class MultiHeadAttention(nn.Module).",
                         "table-of-shapes"),
        "no-scale": ("The scores are not scaled. Divide them by the root of the width of a head before the softmax.", "scale-per-head"),
        "scale-full-width": ("The scores are divided by the root of the full width. A head compares vectors of width d_head: divide by its root.",
                             "scale-per-head"),
        "scale-by-width": ("The scores are divided by a width itself, not by its root. Divide once, by the root of d_head; "
                           "scaled_dot_product_attention already does.", "scale-per-head"),
        "scale-other-size": ("The scores are divided by the root of another size. Take the width of a head, d_head.", "scale-per-head"),
        "scale-multiplied": ("The scores are multiplied by the root of the width. Divide by it.", "scale-per-head"),
        "scale-after-softmax": ("The weights are scaled after the softmax, so they no longer sum to 1. Scale the scores before it.",
                                "scale-per-head"),
        "not-split": ("There is one attention over the full width. Cut queries, keys and values into heads first: each head has a softmax of its own.",
                      "one-softmax"),
        "one-head-reused": ("The heads are not independent: one head's queries, keys, values or weights are used for others too. Head h uses its own "
                            "columns of all three.", "splitting-heads"),
        "split-without-transpose": ("Cutting into heads mixes the tokens: the axis of heads must not be put before the tokens by a reshape alone. Cut "
                                    "the last axis, then exchange tokens and heads.", "reshape-and-transpose"),
        "merge-without-transpose": ("The heads are joined without exchanging heads and tokens first, so the tokens are mixed. The weights are right.",
                                    "merging-heads"),
        "interleaved": ("Head h takes every n_heads-th column. It owns d_head neighbouring columns: cut the last axis into (n_heads, d_head), in this "
                        "order.", "splitting-heads"),
        "joined-interleaved": ("The columns of the heads are interleaved before o_proj. Head 0's columns come first, then head 1's.",
                               "merging-heads"),
        "joined-reversed": ("The heads are not joined in the order in which they were cut. Head 0's columns come first.", "merging-heads"),
        "attends-over-heads": ("The heads of one token attend to each other. Exchange the axes of tokens and heads first: the scores are "
                               "(batch, heads, queries, keys).", "reshape-and-transpose"),
        "attends-over-batch": ("Items of the batch attend to each other: the first axis is treated as tokens. It is the batch.", "table-of-shapes"),
        "weights-averaged": ("The output is right, but the weights are not one map for each head. Return them all, (batch, heads, queries, "
                             "keys): no mean, sum or choice.", "one-map-a-head"),
        "weights-layout": ("The output is right, but the weights' axes are not (batch, heads, queries, keys). Return the weights as one tensor with these four.", "one-map-a-head"),
        "weights-transposed": ("The output is right, but the weights are transposed: a row is a query, a column a key.", "one-map-a-head"),
        "returns-scores": ("The output is right, but the second value holds the scores. Return the weights, after the softmax.", "one-map-a-head"),
        "weights-before-mask": ("The output is right, but the weights are those without the mask. Return the ones that the output was made with.",
                                "one-map-a-head"),
        "only-output": ("The weights do not come back. Return two values: the output, then the weights.", "one-map-a-head"),
        "order-of-results": ("The weights come first. Return the output first, then the weights.", "one-map-a-head"),
        "not-merged": ("What reaches o_proj is not n_heads · d_head wide. Lay the heads side by side first: (batch, tokens, n_heads · d_head), without "
                       "a sum, and without an axis of their own.", "merging-heads"),
        "heads-added": ("The heads are added or averaged. Lay them side by side: o_proj decides how to mix them.", "merging-heads"),
        "view-after-transpose": ("view cannot join axes after a transposition. Use reshape, or your merge_heads.", "merging-heads"),
        "queries-from-memory": ("The queries come from memory. Queries come from x; keys and values come from memory.", "self-and-cross"),
        "queries-and-keys-exchanged": ("x and memory are exchanged: x asks (queries), memory answers (keys and values).", "self-and-cross"),
        "memory-ignored": ("memory changes nothing. Where it is given, keys and values come from it.", "self-and-cross"),
        "values-from-x": ("The values come from x, the keys from memory. Both come from memory.", "self-and-cross"),
        "keys-from-x": ("The keys come from x, the values from memory. Both come from memory.", "self-and-cross"),
        "memory-or-x": ("A tensor has no truth value: it cannot stand after if, nor beside or. Ask whether memory is None.", "self-and-cross"),
        "memory-needed": ("It fails without memory. Where memory is None, keys and values come from x.", "self-and-cross"),
        "memory-joined": ("The tokens of x are joined to memory. Where memory is given, keys and values come from memory alone.", "self-and-cross"),
        "memory-added": ("x is added to memory. Where memory is given, keys and values come from memory alone.", "self-and-cross"),
        "keys-length": ("It fails where memory does not have as many tokens as x. Queries have x's number of tokens, keys and values memory's.",
                        "self-and-cross"),
        "projections-mixed": ("One of queries, keys and values stands in another's place. Queries go through q_proj, keys through k_proj, values "
                              "through v_proj, and the weights mix the values.", "table-of-shapes"),
        "projection-missing": ("Queries, keys or values are cut from the input itself. Send each through its own projection first.",
                               "table-of-shapes"),
        "bias-left-out": ("A bias is left out. Call the layer, or add its bias to the product.", "table-of-shapes"),
        "residual-added": ("The input is added to the output. That belongs to the layer around attention, not in here.", "output-projection"),
        "activation-added": ("There is one activation function too many. All four projections are linear.", "output-projection"),
        "output-twice": ("The output projection is applied twice. Apply o_proj once, to the merged heads.", "output-projection"),
        "mask-inverted": ("The mask works the wrong way round: True means that the query may attend. Hide the keys where it is False.",
                          "masks-for-all-heads"),
        "mask-ignored": ("The mask changes nothing. Hand it to the attention, or fill the scores where it is False (masked_fill returns a new tensor).",
                         "masks-for-all-heads"),
        "mask-transposed": ("The mask is transposed. Its rows are queries and its columns keys: use it as it is.", "masks-for-all-heads"),
        "mask-or-none": ("A tensor has no truth value: it cannot stand after if, nor beside or. Ask whether mask is None.", "masks-for-all-heads"),
        "mask-needs-other-axes": ("The mask is used as if it had other axes. It broadcasts to (batch, heads, queries, keys) as it is: add no axes, "
                                  "and expect none.", "masks-for-all-heads"),
        "one-mask-for-all-heads": ("A mask that differs from head to head is not used as it is. Let it broadcast to (batch, heads, queries, keys).",
                                   "masks-for-all-heads"),
        "one-mask-for-the-batch": ("The first item's mask is used for the whole batch. Use the mask as it is.", "masks-for-all-heads"),
        "mask-after-softmax": ("The mask is applied after the softmax, so the weights left over do not sum to 1. Set the hidden scores to −∞ before "
                               "it.", "masks-for-all-heads"),
        "fill-too-large": ("A hidden score is set to about 0 or another ordinary number, and exp of it is not 0: hidden keys still get weight. "
                           "Fill with −∞.", "masks-for-all-heads"),
        "mask-added": ("The mask is added to the scores as 0 and 1. It must hide: set the scores where it is False to −∞.", "masks-for-all-heads"),
        "mask-on-values": ("The mask is applied to the values. Set the hidden scores to −∞, before the softmax.", "masks-for-all-heads"),
        "always-causal": ("Later tokens are hidden though no mask asks for it. The layer hides only what the mask hides.", "masks-for-all-heads"),
        "softmax-over-queries": ("The softmax runs over the queries. Each query's weights over the keys sum to 1: dim=-1.", "one-softmax"),
        "softmax-over-heads": ("The softmax runs over the heads. Each head has its own softmax over the keys: dim=-1.", "one-softmax"),
        "softmax-twice": ("The softmax is applied twice. The weights that come back from the attention are ready.", "one-softmax"),
        "no-softmax": ("The scores are used as weights without a softmax. Take the softmax over the keys.", "one-softmax"),
        "nan-in-empty-rows": ("A query that may attend to nothing gets NaN, from 0/0. Set its weights to 0 before they mix the values: what is left is "
                              "the bias of o_proj.", "masks-for-all-heads"),
        "uniform-empty-rows": ("A query that may attend to nothing still gets weights that sum to 1. They must be 0, so that its output is the bias of "
                               "o_proj.", "masks-for-all-heads"),
        "empty-rows-without-bias": ("The output of a query that may attend to nothing is 0 here. Only its weights are 0: o_proj still adds its bias. "
                                    "Clean the weights, not the output.", "masks-for-all-heads"),
        "nan-gradient": ("The values are right, but a query that may attend to nothing sends NaN back as its gradient. Use masked_fill on the scores, or "
                         "a finite number, and set the weights to 0 afterwards.", "masks-for-all-heads"),
        "dtype-fixed": ("float64 inputs do not give float64 results: some tensor is made or cast as float32. Give new tensors the dtype of x.",
                        "table-of-shapes"),
        "fixed-sizes": ("A number of heads is written into the code. Use n_heads.", "table-of-shapes"),
        "matrix-not-transposed": ("The matrix of a layer is used as it is. nn.Linear keeps a row for each number that it makes: call the layer, or multiply "
                                  "with weight.T.", "output-projection"),
        "weights-transposed-inside": ("The weights are transposed before they mix the values. A row is a query and a column a key: weights times values.",
                                      "one-map-a-head"),
        "output-width": ("o_proj does not lead from n_heads · d_head to d_model. It takes all heads, laid side by side.", "output-projection"),
        "norm-added": ("There is one normalization too many. It belongs to the layer around attention, not in here.", "output-projection"),
        "width-from-d-model": ("Where d_head is given, a width is still taken from d_model. A head is d_head wide, and the merged heads "
                               "n_heads · d_head.", "table-of-shapes"),
        "wrong-offset": ("Head h starts at column h here. It owns the columns from h · d_head on.", "splitting-heads"),
    },
)

PARAMETERS = [f"{name}_proj.{kind}" for name in "qkvo" for kind in ("weight", "bias")]


@exercise.probes
def _(make):
    def weights(d_model, inner, dtype):
        sizes = {"q": (inner, d_model), "k": (inner, d_model), "v": (inner, d_model), "o": (d_model, inner)}
        return {f"{name}_proj.{kind}": make.randn(*(size if kind == "weight" else size[:1]), dtype=dtype, scale=0.8)
                for name, size in sizes.items() for kind in ("weight", "bias")}

    def layer(d_model, n_heads, d_head=None, keyword=False, dtype=torch.float32):
        """What the driver builds; the same numbers in every dtype."""
        arguments = (d_model, n_heads) if d_head is None or keyword else (d_model, n_heads, d_head)
        return {"arguments": arguments, "keywords": {"d_head": d_head} if keyword else {}, "through": 0,
                "gradients": ["q_proj.weight", "k_proj.weight", "v_proj.bias", "o_proj.weight"],
                "weights": weights(d_model, n_heads * (d_head or d_model // n_heads), dtype)}

    def probe(name, built, *inputs, group="heads", **marks):
        return make.probe(name, built, *inputs, group=group, **marks)

    x = make.randn
    yield probe("two tokens, two heads", layer(4, 2), x(1, 2, 4), gradient=True)
    yield probe("all sizes different", layer(6, 2), x(*make.pick((1, 3, 6), (4, 5, 6), (3, 5, 6))))
    yield probe("more heads than tokens", layer(6, 3), x(*make.pick((1, 2, 6), (2, 2, 6), (1, 2, 6))))
    yield probe("as many items as tokens and heads", layer(4, 2), x(2, 2, 4), edge=True)
    yield probe("one head", layer(3, 1), x(1, 3, 3), edge=True)
    yield probe("not contiguous", layer(4, 2), x(2, 3, 4), long=True, strided=True)
    yield probe("float64", layer(4, 2, dtype=torch.float64), x(1, 2, 4, dtype=torch.float64), edge=True, gradient=True)
    yield probe("large inputs", layer(4, 2), x(1, 3, 4, scale=40.0), long=True)
    yield probe("a fresh layer's parameters", {"arguments": make.pick((6, 2), (8, 4), (9, 3)), "shapes": PARAMETERS}, edge=True)

    group = {"group": "memory"}
    built, first, memory = layer(4, 2), x(1, 2, 4), x(1, 2, 4)
    yield probe("a memory as long as x", built, first, memory=memory, gradient=True, **group)
    yield probe("the same memory in reverse order", built, first, memory=memory.flip(1), long=True, **group)
    yield probe("a longer memory", layer(6, 3), x(2, 2, 6), memory=x(2, make.pick(5, 4, 7), 6), edge=True, **group)
    yield probe("a shorter memory, not by its keyword", layer(6, 2), x(2, 4, 6), x(2, make.pick(3, 2, 3), 6), long=True, **group)
    yield probe("a long memory", layer(2, 2), x(1, 1, 2), memory=x(1, 130, 2), edge=True, long=True, **group)

    group = {"group": "a width of your own", "edge": True}
    yield probe("heads that are wider together", layer(*make.pick((5, 2, 4), (7, 2, 5), (5, 3, 3))), x(1, 2, make.pick(5, 7, 5)), **group)
    yield probe("heads that are narrower together", layer(make.pick(7, 8, 9), 2, make.pick(3, 3, 2), keyword=True),
                x(1, 2, make.pick(7, 8, 9)), **group)

    group = {"group": "masks", "edge": True}  # a mistake in the heads shows without a mask, whatever its mask does
    memory, hidden = x(1, 3, 4), torch.tensor([[True, False, True]] * 2)
    other = memory.clone()
    other[:, 1] = x(4)
    yield probe("a hidden token of memory", built, first, memory=memory, mask=hidden, **group)
    yield probe("another hidden token of memory", built, first, memory=other, mask=hidden, long=True, **group)
    yield probe("a mask of queries and keys", layer(4, 2), x(1, 3, 4), mask=make.rand_mask(3, 3), gradient=True, **group)
    yield probe("a mask of keys in each batch item", layer(4, 2), x(2, 2, 4), mask=make.rand_mask(2, 1, 1, 2), **group)
    yield probe("a mask for each head", layer(4, 2), x(1, 3, 4), mask=make.rand_mask(1, 2, 3, 3), **group)
    yield probe("a mask for each item", layer(4, 2), x(2, 3, 4), mask=make.rand_mask(2, 1, 3, 3), long=True, **group)
    yield probe("a causal mask", layer(4, 2), x(1, 3, 4), mask=torch.ones(3, 3, dtype=torch.bool).tril(), long=True, **group)
    yield probe("a mask on a longer memory", layer(6, 3), x(2, 2, 6), memory=x(2, 4, 6), mask=make.rand_mask(2, 4), long=True, **group)

    group = {"group": "empty rows", "edge": True}
    empty = torch.tensor([[True, False, True], [False, False, False], [True, True, False]])
    yield probe("a query that may attend to nothing", layer(4, 2), x(1, 3, 4), mask=empty, gradient=True, **group)
    padded = torch.tensor([[1, 0], [0, 0]], dtype=torch.bool)[:, None, None, :]
    yield probe("a batch item of padding alone", layer(4, 2), x(2, 2, 4), mask=padded, gradient=True, **group)


@exercise.right
class Reference(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.alternative("by hand, view and transpose, queries scaled first")
class RightOne(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        if d_head is None:
            d_head = d_model // n_heads
        self.H, self.K = n_heads, d_head
        self.q_proj = nn.Linear(d_model, n_heads * d_head)
        self.k_proj = nn.Linear(d_model, n_heads * d_head)
        self.v_proj = nn.Linear(d_model, n_heads * d_head)
        self.o_proj = nn.Linear(n_heads * d_head, d_model)

    def forward(self, x, memory=None, mask=None):
        if memory is None:
            memory = x
        B, T, _ = x.shape
        S = memory.shape[1]
        q = self.q_proj(x).view(B, T, self.H, self.K).transpose(1, 2) * self.K ** -0.5
        k = self.k_proj(memory).view(B, S, self.H, self.K).permute(0, 2, 3, 1)
        v = self.v_proj(memory).view(B, S, self.H, self.K).transpose(1, 2)
        scores = q @ k
        if mask is None:
            weights = F.softmax(scores, dim=-1)
        else:
            weights = F.softmax(scores.masked_fill(mask.logical_not(), -1e9), dim=-1) * mask
        return self.o_proj((weights @ v).transpose(1, 2).contiguous().view(B, T, -1)), weights


@exercise.alternative("einsum with the weights cut into heads")
class RightTwo(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = memory if memory is not None else x
        H, K = self.n_heads, self.d_head

        def project(layer, tokens):
            weight, bias = layer.weight.view(H, K, -1), layer.bias.view(1, H, 1, K)
            return torch.einsum("bnd,hkd->bhnk", tokens, weight) + bias

        q, k, v = project(self.q_proj, x), project(self.k_proj, source), project(self.v_proj, source)
        scores = torch.einsum("bhtk,bhsk->bhts", q, k) / K ** 0.5
        if mask is not None:
            scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = torch.where(mask, weights, torch.zeros_like(weights))
        mixed = torch.einsum("bhts,bhsk->bthk", weights, v)
        return torch.einsum("bthk,dhk->btd", mixed, self.o_proj.weight.view(-1, H, K)) + self.o_proj.bias, weights


@exercise.alternative("a loop over heads, slices of the projections")
class RightThree(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        queries, keys, values = self.q_proj(x), self.k_proj(source), self.v_proj(source)
        outputs, maps = [], []
        for h in range(self.n_heads):
            part = slice(h * self.d_head, (h + 1) * self.d_head)
            own = None
            if mask is not None:
                own = mask.expand(x.shape[0], self.n_heads, x.shape[1], source.shape[1])[:, h]
            one, map_ = scaled_dot_product_attention(queries[..., part], keys[..., part], values[..., part], own)
            outputs.append(one)
            maps.append(map_)
        return self.o_proj(torch.cat(outputs, dim=-1)), torch.stack(maps, dim=1)


@exercise.alternative("one fused projection made of the named ones")
class RightFour(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        weight = torch.cat([self.q_proj.weight, self.k_proj.weight, self.v_proj.weight])
        bias = torch.cat([self.q_proj.bias, self.k_proj.bias, self.v_proj.bias])
        if memory is None:
            q, k, v = F.linear(x, weight, bias).chunk(3, dim=-1)
        else:
            inner = self.n_heads * self.d_head
            q = F.linear(x, weight[:inner], bias[:inner])
            k, v = F.linear(memory, weight[inner:], bias[inner:]).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2) for t in (q, k, v))
        heads, weights = scaled_dot_product_attention(q, k, v, mask=mask)
        return self.o_proj(heads.transpose(1, 2).flatten(2)), weights


@exercise.alternative("torch's fast attention for the output, the weights without gradient")
class RightFive(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)

        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        with torch.no_grad():
            scores = q @ k.mT / math.sqrt(q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -math.inf)
            weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
        return self.o_proj(merge_heads(heads)), weights


@exercise.alternative("heads folded into the batch")
class RightSix(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        (B, T, _), S, H, K = x.shape, source.size(1), self.n_heads, self.d_head
        q = self.q_proj(x).reshape(B, T, H, K).transpose(1, 2).reshape(B * H, T, K)
        k = self.k_proj(source).reshape(B, S, H, K).transpose(1, 2).reshape(B * H, S, K)
        v = self.v_proj(source).reshape(B, S, H, K).transpose(1, 2).reshape(B * H, S, K)
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(K)
        if mask is not None:
            allowed = mask.expand(B, H, T, S).reshape(B * H, T, S)
            scores = scores.masked_fill(~allowed, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~allowed, 0.0)
        heads = torch.bmm(weights, v).view(B, H, T, K)
        return [self.o_proj(heads.transpose(1, 2).reshape(B, T, H * K)), weights.view(B, H, T, S)]


@exercise.alternative("the projections in a ModuleList as well")
class RightSeven(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.d_head = d_model // n_heads if d_head is None else d_head
        self.n_heads = n_heads
        inner = self.d_head * n_heads
        self.inputs = nn.ModuleList([nn.Linear(d_model, inner) for _ in range(3)])
        self.q_proj, self.k_proj, self.v_proj = self.inputs
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        sources = (x, memory, memory)
        q, k, v = (split_heads(layer(source), self.n_heads) for layer, source in zip(self.inputs, sources))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.alternative("weights as the attention of an identity")
class RightEight(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)

        same = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], k.shape[-2])
        weights = F.scaled_dot_product_attention(q, k, same, mask)
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.alternative("a sum of the heads' parts through the output matrix")
class RightNine(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        output, maps = self.o_proj.bias, []
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        columns = self.o_proj.weight.split(self.d_head, dim=1)
        everyone = torch.ones(1, 1, 1, 1, dtype=torch.bool) if mask is None else mask
        everyone = everyone.expand(len(x), self.n_heads, x.shape[1], memory.shape[1])
        for h, (a, b, c) in enumerate(zip(q.split(self.d_head, -1), k.split(self.d_head, -1), v.split(self.d_head, -1))):
            mixed, map_ = scaled_dot_product_attention(a, b, c, everyone[:, h])
            output = output + mixed @ columns[h].T
            maps.append(map_)
        return output, torch.stack(maps, 1)


@exercise.alternative("batch item by batch item, in helper methods")
class RightTen(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        shape = (len(x), self.n_heads, x.shape[1], memory.shape[1])
        masks = [None] * len(x) if mask is None else mask.expand(shape)
        results = [self.one(a, b, c) for a, b, c in zip(x, memory, masks)]
        return torch.stack([r[0] for r in results]), torch.stack([r[1] for r in results])

    def heads(self, t):
        return t.reshape(len(t), self.n_heads, -1).movedim(1, 0)

    def one(self, x, memory, mask):
        q, k, v = self.heads(self.q_proj(x)), self.heads(self.k_proj(memory)), self.heads(self.v_proj(memory))
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(mixed.movedim(0, 1).flatten(1)), weights


@exercise.wrong("names")
class Names(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, inner) for _ in range(3))
        self.w_o = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.w_q(x), self.n_heads)
        k = split_heads(self.w_k(memory), self.n_heads)
        v = split_heads(self.w_v(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.w_o(merge_heads(heads)), weights


@exercise.wrong("names", "one fused layer")
class Names2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * n_heads * self.d_head)
        self.o_proj = nn.Linear(n_heads * self.d_head, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (split_heads(t, self.n_heads) for t in self.qkv(x).chunk(3, dim=-1))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("names", "a list of layers for each head")
class Names3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        width = d_head or d_model // n_heads
        self.q_proj = nn.ModuleList(nn.Linear(d_model, width) for _ in range(n_heads))
        self.k_proj = nn.ModuleList(nn.Linear(d_model, width) for _ in range(n_heads))
        self.v_proj = nn.ModuleList(nn.Linear(d_model, width) for _ in range(n_heads))
        self.o_proj = nn.Linear(n_heads * width, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        parts = [scaled_dot_product_attention(q(x), k(memory), v(memory)) for q, k, v in zip(self.q_proj, self.k_proj, self.v_proj)]
        return self.o_proj(torch.cat([part[0] for part in parts], dim=-1)), torch.stack([part[1] for part in parts], dim=1)


@exercise.wrong("names", "matrices without layers")
class Names4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj = nn.Parameter(torch.randn(d_model, inner))
        self.k_proj = nn.Parameter(torch.randn(d_model, inner))
        self.v_proj = nn.Parameter(torch.randn(d_model, inner))
        self.o_proj = nn.Parameter(torch.randn(inner, d_model))

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(x @ self.q_proj, self.n_heads)
        k = split_heads(memory @ self.k_proj, self.n_heads)
        v = split_heads(memory @ self.v_proj, self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads) @ self.o_proj, weights


@exercise.wrong("names", "a dictionary of layers")
class Names5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads = n_heads
        inner = n_heads * (d_head or d_model // n_heads)
        self.layers = {name: nn.Linear(d_model, inner) for name in ("q_proj", "k_proj", "v_proj")}
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.layers["q_proj"](x), self.n_heads)
        k = split_heads(self.layers["k_proj"](memory), self.n_heads)
        v = split_heads(self.layers["v_proj"](memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("names", "made at each call")
class Names6(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        inner = self.n_heads * self.d_head
        layers = [nn.Linear(x.shape[-1], inner) for _ in range(3)]
        q, k, v = (split_heads(layer(t), self.n_heads) for layer, t in zip(layers, (x, memory, memory)))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return nn.Linear(inner, x.shape[-1])(merge_heads(heads)), weights


@exercise.wrong("output-name")
class OutputName(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.out_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(heads)), weights


@exercise.wrong("output-name", "no layer for it")
class OutputName2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads), weights


@exercise.wrong("no-output-projection")
class NoOutputProjection(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads), weights


@exercise.wrong("no-output-projection", "joined head by head")
class NoOutputProjection2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return torch.cat(heads.unbind(1), dim=-1), weights


@exercise.wrong("no-bias")
class NoBias(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner, bias=False) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model, bias=False)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("no-bias", "queries, keys and values")
class NoBias2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner, bias=False) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("no-bias", "the output")
class NoBias3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model, bias=False)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("no-bias", "keys")
class NoBias4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)
        self.k_proj = nn.Linear(d_model, inner, bias=False)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("no-bias", "values")
class NoBias5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)
        self.v_proj = nn.Linear(d_model, inner, bias=False)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("d-head-ignored")
class DHeadIgnored(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_head = d_head if d_head is not None else d_model // n_heads
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, d_model) for _ in range(3))
        self.o_proj = nn.Linear(d_model, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("d-head-ignored", "overwritten")
class DHeadIgnored2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("d-head-ignored", "the output alone")
class DHeadIgnored3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(d_model, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("d-head-ignored", "the output to the inner width")
class DHeadIgnored4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, inner)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("d-head-ignored", "keys and values")
class DHeadIgnored5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)
        self.k_proj, self.v_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("d-head-ignored", "values")
class DHeadIgnored6(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)
        self.v_proj = nn.Linear(d_model, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("inner-width", "each head as wide as the model")
class InnerWidth(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("inner-width", "one head")
class InnerWidth2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("inner-width", "one head, but for the output")
class InnerWidth3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, self.d_head) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("d-head-ignored", "the two sizes of a layer exchanged")
class DHeadIgnored7(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(inner, d_model) for _ in range(3))
        self.o_proj = nn.Linear(d_model, inner)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("no-super-init")
class NoSuperInit(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("not-a-module")
class NotAModule(object):
    def __init__(self, d_model, n_heads, d_head=None):
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights

    def __call__(self, *inputs, **keywords):
        return self.forward(*inputs, **keywords)


@exercise.wrong("no-scale")
class NoScale(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("no-scale", "torch's attention with scale=1")
class NoScale2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = F.scaled_dot_product_attention(q, k, v, mask, scale=1.0), torch.softmax(q @ k.mT, dim=-1)
        if mask is not None:
            weights = torch.softmax((q @ k.mT).masked_fill(~mask, torch.finfo(q.dtype).min), dim=-1) * mask
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("scale-full-width")
class ScaleFullWidth(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(x.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("scale-full-width", "the width of all heads")
class ScaleFullWidth2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.n_heads * self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("scale-full-width", "queries divided before they are cut")
class ScaleFullWidth3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x) / math.sqrt(self.q_proj.out_features), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("scale-by-width")
class ScaleByWidth(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / self.d_head
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("scale-by-width", "d_model")
class ScaleByWidth2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / x.shape[-1]
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("scale-other-size", "number of heads")
class ScaleOtherSize(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.n_heads)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("scale-other-size", "number of tokens")
class ScaleOtherSize2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-2])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("scale-multiplied")
class ScaleMultiplied(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) * math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("scale-by-width", "scaled twice")
class ScaleByWidth3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads) / math.sqrt(self.d_head)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("scale-after-softmax")
class ScaleAfterSoftmax(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1)) / math.sqrt(self.d_head)
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("not-split")
class NotSplit(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads), weights


@exercise.wrong("not-split", "by hand")
class NotSplit2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1)
        heads = weights @ v
        return self.o_proj(heads), weights


@exercise.wrong("not-split", "scaled by the width of a head")
class NotSplit3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(self.d_head), dim=-1)
        heads = weights @ v
        return self.o_proj(heads), weights


@exercise.wrong("not-split", "with an axis for one head")
class NotSplit4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        heads, weights = scaled_dot_product_attention(q[:, None], k[:, None], v[:, None], mask if mask is None else mask[:, :1] if mask.dim() == 4 else mask)
        return self.o_proj(heads.squeeze(1)), weights


@exercise.wrong("not-split", "copied to all heads")
class NotSplit5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        heads, weights = scaled_dot_product_attention(q=q, k=k, v=v)
        return self.o_proj(heads), torch.stack([weights] * self.n_heads, dim=1)


@exercise.wrong("not-split", "copied to all heads, scaled by the width of a head")
class NotSplit6(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(self.d_head), dim=-1)
        heads = weights @ v
        return self.o_proj(heads), weights.unsqueeze(1).repeat(1, self.n_heads, 1, 1)


@exercise.wrong("one-head-reused", "one map")
class OneHeadReused(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        _, first = scaled_dot_product_attention(q[:, :1], k[:, :1], v[:, :1])
        weights = first.expand(-1, self.n_heads, -1, -1)
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("one-head-reused", "one result too")
class OneHeadReused2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q[:, :1], k[:, :1], v[:, :1])
        heads, weights = (t.expand(-1, self.n_heads, -1, -1) for t in (heads, weights))
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("one-head-reused", "the queries")
class OneHeadReused3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q[:, :1].expand_as(q), k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("one-head-reused", "keys and values")
class OneHeadReused4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k[:, :1].expand_as(k), v[:, :1].expand_as(v), mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("one-head-reused", "the values")
class OneHeadReused5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        _, weights = scaled_dot_product_attention(q, k, v, mask)
        heads = weights @ v[:, :1].expand_as(v)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("one-head-reused", "the last head")
class OneHeadReused6(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q[:, -1:].expand_as(q), k[:, -1:].expand_as(k), v[:, -1:].expand_as(v), mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("one-head-reused", "a loop without its index")
class OneHeadReused7(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        outputs, maps = [], []
        for h in range(self.n_heads):
            q = self.q_proj(x)[..., :self.d_head]
            k, v = self.k_proj(memory)[..., :self.d_head], self.v_proj(memory)[..., :self.d_head]
            weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.d_head), dim=-1)
            outputs.append(weights @ v)
            maps.append(weights)
        return self.o_proj(torch.cat(outputs, -1)), torch.stack(maps, 1)


@exercise.wrong("split-without-transpose", "joined by a reshape alone as well")
class SplitWithoutTranspose(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (t.reshape(t.shape[0], self.n_heads, t.shape[1], self.d_head) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.reshape(heads.shape[0], heads.shape[2], -1)), weights


@exercise.wrong("split-without-transpose")
class SplitWithoutTranspose2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (t.reshape(t.shape[0], self.n_heads, t.shape[1], self.d_head) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("split-without-transpose", "joined by a view alone as well, attention by hand")
class SplitWithoutTranspose3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (t.reshape(t.shape[0], self.n_heads, t.shape[1], self.d_head) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(heads.contiguous().view(*x.shape[:2], -1)), weights


@exercise.wrong("merge-without-transpose")
class MergeWithoutTranspose(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.reshape(heads.shape[0], heads.shape[2], -1)), weights


@exercise.wrong("merge-without-transpose", "widths first")
class MergeWithoutTranspose2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.transpose(2, 3).reshape(len(x), x.shape[1], -1)), weights


@exercise.wrong("merge-without-transpose", "joined along the tokens, then cut")
class MergeWithoutTranspose3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        B, T = x.shape[:2]
        return self.o_proj(torch.cat(heads.unbind(1), dim=1).reshape(B, T, -1)), weights


@exercise.wrong("interleaved")
class Interleaved(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (t.reshape(*t.shape[:2], self.d_head, self.n_heads).permute(0, 3, 1, 2) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("interleaved", "and joined that way")
class Interleaved2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (t.reshape(*t.shape[:2], self.d_head, self.n_heads).permute(0, 3, 1, 2) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.permute(0, 2, 3, 1).reshape(*x.shape[:2], -1)), weights


@exercise.wrong("interleaved", "a step between columns")
class Interleaved3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (torch.stack([t[..., h::self.n_heads] for h in range(self.n_heads)], 1) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("joined-interleaved")
class JoinedInterleaved(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.permute(0, 2, 3, 1).reshape(*x.shape[:2], -1)), weights


@exercise.wrong("joined-reversed")
class JoinedReversed(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(torch.cat(heads.unbind(1)[::-1], dim=-1)), weights


@exercise.wrong("attends-over-heads")
class AttendsOverHeads(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (t.unflatten(-1, (self.n_heads, self.d_head)) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        weights = torch.softmax(scores, dim=-1)
        heads = weights @ v
        return self.o_proj(heads.flatten(2)), weights


@exercise.wrong("attends-over-heads", "the given attention")
class AttendsOverHeads2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (t.unflatten(-1, (self.n_heads, self.d_head)) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.flatten(2)), weights


@exercise.wrong("attends-over-batch")
class AttendsOverBatch(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (layer(t).transpose(0, 1) for layer, t in ((self.q_proj, x), (self.k_proj, memory), (self.v_proj, memory)))
        q, k, v = (split_heads(t, self.n_heads) for t in (q, k, v))
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.d_head), dim=-1)
        return self.o_proj(merge_heads(weights @ v).transpose(0, 1)), weights


@exercise.wrong("attends-over-batch", "tokens first, as torch's layer does by default")
class AttendsOverBatch2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        T, B, S = x.shape[0], x.shape[1], memory.shape[0]
        q = self.q_proj(x).reshape(T, B * self.n_heads, self.d_head).transpose(0, 1)
        k = self.k_proj(memory).reshape(S, B * self.n_heads, self.d_head).transpose(0, 1)
        v = self.v_proj(memory).reshape(S, B * self.n_heads, self.d_head).transpose(0, 1)
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(self.d_head), dim=-1)
        output = (weights @ v).transpose(0, 1).reshape(T, B, -1)
        return self.o_proj(output), weights.reshape(B, self.n_heads, T, S)


@exercise.wrong("weights-averaged")
class WeightsAveraged(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights.mean(dim=1)


@exercise.wrong("weights-averaged", "the axis kept")
class WeightsAveraged2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights.mean(dim=1, keepdim=True)


@exercise.wrong("weights-averaged", "summed")
class WeightsAveraged3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights.sum(dim=1)


@exercise.wrong("weights-averaged", "the first head's alone")
class WeightsAveraged4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights[:, 0]


@exercise.wrong("weights-layout", "batch and heads folded")
class WeightsLayout(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights.flatten(0, 1)


@exercise.wrong("weights-layout", "heads first")
class WeightsLayout2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights.transpose(0, 1)


@exercise.wrong("weights-layout", "a list")
class WeightsLayout3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), [weights[:, h] for h in range(self.n_heads)]


@exercise.wrong("weights-layout", "heads behind the queries")
class WeightsLayout4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights.transpose(1, 2)


@exercise.wrong("weights-layout", "heads at the end")
class WeightsLayout5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights.movedim(1, -1)


@exercise.wrong("weights-transposed")
class WeightsTransposed(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights.transpose(-2, -1)


@exercise.wrong("returns-scores")
class ReturnsScores(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), scores


@exercise.wrong("returns-scores", "before the mask")
class ReturnsScores2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), q @ k.mT / math.sqrt(self.d_head)


@exercise.wrong("returns-scores", "not scaled")
class ReturnsScores3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), q @ k.mT


@exercise.wrong("weights-before-mask")
class WeightsBeforeMask(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), torch.softmax(q @ k.mT / math.sqrt(self.d_head), dim=-1)


@exercise.wrong("only-output")
class OnlyOutput(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads))


@exercise.wrong("only-output", "None for the weights")
class OnlyOutput2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), None


@exercise.wrong("order-of-results")
class OrderOfResults(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return weights, self.o_proj(merge_heads(heads))


@exercise.wrong("not-merged")
class NotMerged(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads), weights


@exercise.wrong("not-merged", "only the axes exchanged")
class NotMerged2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.transpose(1, 2)), weights


@exercise.wrong("heads-added")
class HeadsAdded(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(torch.cat([heads.sum(dim=1)] * self.n_heads, dim=-1)), weights


@exercise.wrong("heads-added", "averaged")
class HeadsAdded2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.mean(dim=1).repeat(1, 1, self.n_heads)), weights


@exercise.wrong("not-merged", "a sum of the heads")
class NotMerged3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.sum(dim=1)), weights


@exercise.wrong("view-after-transpose")
class ViewAfterTranspose(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.transpose(1, 2).view(x.shape[0], x.shape[1], -1)), weights


@exercise.wrong("queries-from-memory")
class QueriesFromMemory(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(memory), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("queries-and-keys-exchanged")
class QueriesAndKeysExchanged(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(memory), self.n_heads)
        k = split_heads(self.k_proj(x), self.n_heads)
        v = split_heads(self.v_proj(x), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("memory-ignored")
class MemoryIgnored(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(x), self.n_heads)
        v = split_heads(self.v_proj(x), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("memory-ignored", "overwritten")
class MemoryIgnored2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("memory-ignored", "the wrong way round")
class MemoryIgnored3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is not None else x
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("values-from-x")
class ValuesFromX(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(x), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("keys-from-x")
class KeysFromX(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(x), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("memory-or-x")
class MemoryOrX(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = memory or x
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("memory-or-x", "if not memory")
class MemoryOrX2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        if not memory:
            memory = x
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("memory-or-x", "memory if memory else x")
class MemoryOrX3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = memory if memory else x
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(source), self.n_heads)
        v = split_heads(self.v_proj(source), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("memory-needed")
class MemoryNeeded(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("memory-joined")
class MemoryJoined(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else torch.cat([x, memory], dim=1)
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("memory-added")
class MemoryAdded(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else x + memory if x.shape == memory.shape else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("keys-length")
class KeysLength(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        B, T, _ = x.shape
        q, k, v = (t.view(B, T, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.transpose(1, 2).reshape(B, T, -1)), weights


@exercise.wrong("keys-length", "from memory for all")
class KeysLength2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        B, S, _ = source.shape
        q, k, v = (t.reshape(B, S, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.transpose(1, 2).reshape(B, S, -1)), weights


@exercise.wrong("projections-mixed", "queries and keys")
class ProjectionsMixed(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.k_proj(x), self.n_heads)
        k = split_heads(self.q_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projections-mixed", "keys and values")
class ProjectionsMixed2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.v_proj(memory), self.n_heads)
        v = split_heads(self.k_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projections-mixed", "queries and values")
class ProjectionsMixed3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.v_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.q_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projections-mixed", "values through the keys' layer")
class ProjectionsMixed4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.k_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projections-mixed", "keys through the queries' layer")
class ProjectionsMixed5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.q_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projections-mixed", "one layer for all")
class ProjectionsMixed6(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.q_proj(memory), self.n_heads)
        v = split_heads(self.q_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projections-mixed", "queries through the keys' layer")
class ProjectionsMixed7(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.k_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projection-missing", "all three")
class ProjectionMissing(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(x, self.n_heads)
        k = split_heads(memory, self.n_heads)
        v = split_heads(memory, self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projection-missing", "values")
class ProjectionMissing2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(memory, self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projection-missing", "keys and values")
class ProjectionMissing3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(memory, self.n_heads)
        v = split_heads(memory, self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projection-missing", "queries")
class ProjectionMissing4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(x, self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projections-mixed", "the keys are mixed")
class ProjectionsMixed8(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, k, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("bias-left-out")
class BiasLeftOut(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (split_heads(t @ layer.weight.T, self.n_heads) for t, layer in ((x, self.q_proj), (memory, self.k_proj), (memory, self.v_proj)))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("bias-left-out", "of the output")
class BiasLeftOut2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads) @ self.o_proj.weight.T, weights


@exercise.wrong("bias-left-out", "of all four")
class BiasLeftOut3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (split_heads(F.linear(t, layer.weight), self.n_heads) for t, layer in ((x, self.q_proj), (memory, self.k_proj), (memory, self.v_proj)))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return F.linear(merge_heads(heads), self.o_proj.weight), weights


@exercise.wrong("residual-added")
class ResidualAdded(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return x + self.o_proj(merge_heads(heads)), weights


@exercise.wrong("residual-added", "and normalized")
class ResidualAdded2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return F.layer_norm(x + self.o_proj(merge_heads(heads)), x.shape[-1:]), weights


@exercise.wrong("activation-added")
class ActivationAdded(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return torch.relu(self.o_proj(merge_heads(heads))), weights


@exercise.wrong("activation-added", "before the last layer")
class ActivationAdded2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(torch.relu(merge_heads(heads))), weights


@exercise.wrong("output-twice")
class OutputTwice(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(self.o_proj(merge_heads(heads))), weights


@exercise.wrong("mask-inverted")
class MaskInverted(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else ~mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-inverted", "filled where it is True")
class MaskInverted2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-inverted", "== True")
class MaskInverted3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask == True, -1e9)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-ignored")
class MaskIgnored(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q=q, k=k, v=v)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-ignored", "masked_fill forgotten")
class MaskIgnored2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-transposed")
class MaskTransposed(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask.transpose(-2, -1))
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-transposed", "by hand")
class MaskTransposed2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask.mT, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-or-none")
class MaskOrNone(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask or None)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-or-none", "if mask")
class MaskOrNone2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-needs-other-axes", "an axis for the heads added")
class MaskNeedsOtherAxes(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask.unsqueeze(1))
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-needs-other-axes", "an axis for the heads added, by hand")
class MaskNeedsOtherAxes2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(1), -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-needs-other-axes", "two axes in front")
class MaskNeedsOtherAxes3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask[None, None], -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-needs-other-axes", "a mask of keys")
class MaskNeedsOtherAxes4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None, None, :], -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-needs-other-axes", "a mask of keys, the given attention")
class MaskNeedsOtherAxes5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        if mask is not None:
            mask = mask[:, None, None, :]
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-needs-other-axes", "four axes counted on")
class MaskNeedsOtherAxes6(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask.reshape(scores.shape), -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-needs-other-axes", "cut into four sizes")
class MaskNeedsOtherAxes7(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        if mask is not None:
            B, H, T, S = mask.shape
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("one-mask-for-all-heads")
class OneMaskForAllHeads(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        if mask is not None and mask.dim() == 4:
            mask = mask[:, :1]
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("one-mask-for-all-heads", "any")
class OneMaskForAllHeads2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        if mask is not None and mask.dim() == 4:
            mask = mask.any(dim=1, keepdim=True)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("one-mask-for-the-batch")
class OneMaskForTheBatch(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        if mask is not None and mask.dim() == 4:
            mask = mask[:1]
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-after-softmax")
class MaskAfterSoftmax(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q=q, k=k, v=v)
        if mask is not None:
            weights = weights * mask
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-after-softmax", "masked_fill")
class MaskAfterSoftmax2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("fill-too-large")
class FillTooLarge(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, 0.0)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("fill-too-large", "times the mask")
class FillTooLarge2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores * mask
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-added")
class MaskAdded(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores + mask
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-on-values")
class MaskOnValues(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v if mask is None or mask.dim() < 4 or mask.shape[2] > 1 else v * mask.transpose(2, 3))
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("always-causal")
class AlwaysCausal(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        T, S = q.shape[-2], k.shape[-2]
        heads, weights = scaled_dot_product_attention(q, k, v, torch.ones(T, S, dtype=torch.bool).tril(S - T))
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("always-causal", "beside the mask")
class AlwaysCausal2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        T, S = q.shape[-2], k.shape[-2]
        lower = torch.ones(T, S, dtype=torch.bool).tril()
        heads, weights = scaled_dot_product_attention(q, k, v, lower if mask is None else mask & lower)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("softmax-over-queries")
class SoftmaxOverQueries(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-2))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("softmax-over-queries", "dim=2")
class SoftmaxOverQueries2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(scores.softmax(2))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("softmax-over-heads")
class SoftmaxOverHeads(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("softmax-over-heads", "over heads and keys")
class SoftmaxOverHeads2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores.transpose(1, 2).flatten(2), dim=-1).unflatten(2, (self.n_heads, -1)).transpose(1, 2))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("softmax-twice")
class SoftmaxTwice(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        _, weights = scaled_dot_product_attention(q, k, v, mask)
        weights = torch.softmax(weights, dim=-1)
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("no-softmax")
class NoSoftmax(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("no-softmax", "masked with 0")
class NoSoftmax2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, 0.0)
        weights = scores
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("nan-in-empty-rows")
class NanInEmptyRows(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("nan-in-empty-rows", "in the weights alone")
class NanInEmptyRows2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        scores = q @ k.mT / math.sqrt(self.d_head)
        weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), dim=-1)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("empty-rows-without-bias", "the output cleaned")
class EmptyRowsWithoutBias(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        heads = weights @ v
        return torch.nan_to_num(self.o_proj(merge_heads(heads))), torch.nan_to_num(weights)


@exercise.wrong("nan-in-empty-rows", "the heads cleaned, not the weights")
class NanInEmptyRows3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        heads = weights @ v
        return self.o_proj(merge_heads(torch.nan_to_num(heads))), weights


@exercise.wrong("uniform-empty-rows")
class UniformEmptyRows(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("uniform-empty-rows", "in the weights alone")
class UniformEmptyRows2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        scores = q @ k.mT / math.sqrt(self.d_head)
        weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -1e9), dim=-1)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("empty-rows-without-bias")
class EmptyRowsWithoutBias2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        output = self.o_proj(merge_heads(heads))
        if mask is not None:
            output = output * mask.expand(weights.shape).any(-1).any(1).unsqueeze(-1)
        return output, weights


@exercise.wrong("nan-gradient")
class NanGradient(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores + torch.zeros_like(mask, dtype=scores.dtype).masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-needs-other-axes", "an axis for the heads added, views")
class MaskNeedsOtherAxes8(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "an axis for the heads added, sizes read from x")
class MaskNeedsOtherAxes9(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size, T, _ = x.shape
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, -math.inf)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).permute(0, 2, 1, 3).reshape(size, T, -1)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "an axis for the heads added, views, NaN replaced")
class MaskNeedsOtherAxes10(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, -math.inf)
        weights = scores.softmax(dim=-1).nan_to_num()
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "an axis for the heads added, views, weights set to 0")
class MaskNeedsOtherAxes11(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        weights = scores.softmax(dim=-1) if mask is None else scores.softmax(dim=-1) * mask.unsqueeze(1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "an axis for the heads added, sizes read from x, NaN replaced")
class MaskNeedsOtherAxes12(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size, T, _ = x.shape
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, -math.inf)
        weights = scores.softmax(dim=-1).nan_to_num()
        heads = (weights @ v).permute(0, 2, 1, 3).reshape(size, T, -1)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "two axes in front, views")
class MaskNeedsOtherAxes13(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[None, None] == 0, -1e9)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "two axes in front, sizes read from x")
class MaskNeedsOtherAxes14(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size, T, _ = x.shape
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[None, None] == 0, -math.inf)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).permute(0, 2, 1, 3).reshape(size, T, -1)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "two axes in front, views, NaN replaced")
class MaskNeedsOtherAxes15(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[None, None] == 0, -math.inf)
        weights = scores.softmax(dim=-1).nan_to_num()
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "two axes in front, views, weights set to 0")
class MaskNeedsOtherAxes16(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[None, None] == 0, -1e9)
        weights = scores.softmax(dim=-1) if mask is None else scores.softmax(dim=-1) * mask[None, None]
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "two axes in front, sizes read from x, NaN replaced")
class MaskNeedsOtherAxes17(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size, T, _ = x.shape
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[None, None] == 0, -math.inf)
        weights = scores.softmax(dim=-1).nan_to_num()
        heads = (weights @ v).permute(0, 2, 1, 3).reshape(size, T, -1)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "a mask of keys, views")
class MaskNeedsOtherAxes18(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[:, None, None, :] == 0, -1e9)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "a mask of keys, sizes read from x")
class MaskNeedsOtherAxes19(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size, T, _ = x.shape
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[:, None, None, :] == 0, -math.inf)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).permute(0, 2, 1, 3).reshape(size, T, -1)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "a mask of keys, views, NaN replaced")
class MaskNeedsOtherAxes20(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[:, None, None, :] == 0, -math.inf)
        weights = scores.softmax(dim=-1).nan_to_num()
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "a mask of keys, views, weights set to 0")
class MaskNeedsOtherAxes21(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[:, None, None, :] == 0, -1e9)
        weights = scores.softmax(dim=-1) if mask is None else scores.softmax(dim=-1) * mask[:, None, None, :]
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "a mask of keys, sizes read from x, NaN replaced")
class MaskNeedsOtherAxes22(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size, T, _ = x.shape
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[:, None, None, :] == 0, -math.inf)
        weights = scores.softmax(dim=-1).nan_to_num()
        heads = (weights @ v).permute(0, 2, 1, 3).reshape(size, T, -1)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "a mask of keys, counted on, views")
class MaskNeedsOtherAxes23(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask.view(size, 1, 1, -1) == 0, -1e9)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "a mask of keys, counted on, sizes read from x")
class MaskNeedsOtherAxes24(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size, T, _ = x.shape
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask.view(size, 1, 1, -1) == 0, -math.inf)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).permute(0, 2, 1, 3).reshape(size, T, -1)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "an axis in front, views")
class MaskNeedsOtherAxes25(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[None] == 0, -1e9)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "an axis in front, sizes read from x")
class MaskNeedsOtherAxes26(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size, T, _ = x.shape
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask[None] == 0, -math.inf)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).permute(0, 2, 1, 3).reshape(size, T, -1)
        return self.o_proj(heads), weights


@exercise.wrong("mask-needs-other-axes", "an axis in front, by hand")
class MaskNeedsOtherAxes27(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask[None], -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-needs-other-axes", "keys counted on, by hand")
class MaskNeedsOtherAxes28(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask.view(len(x), 1, 1, -1), -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-needs-other-axes", "a mask of keys for each query, the given attention")
class MaskNeedsOtherAxes29(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask if mask is None else mask.view(len(x), 1, 1, -1))
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-needs-other-axes", "two axes in front, the given attention")
class MaskNeedsOtherAxes30(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask if mask is None else mask[None, None])
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-inverted", "NaN in empty rows")
class MaskInverted4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill((~mask) == 0, -math.inf)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-inverted", "−1e9")
class MaskInverted5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill((~mask) == 0, -1e9)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-inverted", "−1e9, weights set to 0 as well")
class MaskInverted6(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~(~mask), -1e9)
        weights = torch.softmax(scores, dim=-1)
        heads = weights @ v
        if mask is not None:
            weights = weights * (~mask)
            heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-inverted", "torch's attention")
class MaskInverted7(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        turned = None if mask is None else (~mask)
        heads = F.scaled_dot_product_attention(q, k, v, turned)
        weights = scaled_dot_product_attention(q, k, v, turned)[1]
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-inverted", "added as −∞")
class MaskInverted8(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores + torch.zeros_like(scores).masked_fill(~(~mask), -math.inf)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-transposed", "NaN in empty rows")
class MaskTransposed3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask.transpose(-2, -1) == 0, -math.inf)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-transposed", "−1e9")
class MaskTransposed4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask.transpose(-2, -1) == 0, -1e9)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("mask-transposed", "−1e9, weights set to 0 as well")
class MaskTransposed5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask.transpose(-2, -1), -1e9)
        weights = torch.softmax(scores, dim=-1)
        heads = weights @ v
        if mask is not None:
            weights = weights * mask.transpose(-2, -1)
            heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-transposed", "torch's attention")
class MaskTransposed6(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        turned = None if mask is None else mask.transpose(-2, -1)
        heads = F.scaled_dot_product_attention(q, k, v, turned)
        weights = scaled_dot_product_attention(q, k, v, turned)[1]
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("mask-transposed", "added as −∞")
class MaskTransposed7(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores + torch.zeros_like(scores).masked_fill(~mask.transpose(-2, -1), -math.inf)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("fill-too-large", "a small number")
class FillTooLarge3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, 1e-9)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("fill-too-large", "−1")
class FillTooLarge4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1.0)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("uniform-empty-rows", "−1e9, views")
class UniformEmptyRows3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        weights = scores.softmax(dim=-1)
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


@exercise.wrong("uniform-empty-rows", "−1e9 added")
class UniformEmptyRows4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores + (~mask) * -1e9
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("uniform-empty-rows", "lowest number added")
class UniformEmptyRows5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores + (~mask) * torch.finfo(scores.dtype).min
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("nan-in-empty-rows", "added −∞")
class NanInEmptyRows4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores + torch.zeros_like(scores).masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("uniform-empty-rows", "NaN replaced by equal weights")
class UniformEmptyRows6(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=1 / k.shape[-2])
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("dtype-fixed", "weights in a float32 tensor")
class DtypeFixed(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        maps = torch.zeros(weights.shape)
        maps[:] = weights
        return self.o_proj(merge_heads(heads)), maps


@exercise.wrong("dtype-fixed", "heads in a float32 tensor")
class DtypeFixed2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        joined = torch.zeros(*x.shape[:2], self.n_heads * self.d_head)
        for h in range(self.n_heads):
            joined[..., h * self.d_head:(h + 1) * self.d_head] = heads[:, h]
        return self.o_proj(joined), weights


@exercise.wrong("dtype-fixed", "everything in float32")
class DtypeFixed3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q.float(), k.float(), v.float(), mask)
        return self.o_proj(merge_heads(heads).to(x.dtype)), weights


@exercise.wrong("fixed-sizes", "two heads")
class FixedSizes(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        pairs = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask if mask is None or mask.dim() < 4 else mask.expand(len(x), self.n_heads, -1, -1)[:, h]) for h in (0, min(1, self.n_heads - 1))]
        heads = torch.stack([pair[0] for pair in pairs][:self.n_heads], 1)
        weights = torch.stack([pair[1] for pair in pairs][:self.n_heads], 1)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("no-gradient", "the results detached")
class NoGradient(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads.detach())), weights


@exercise.wrong("no-gradient", "no_grad")
class NoGradient2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        with torch.no_grad():
            source = x if memory is None else memory
            q, k, v = (split_heads(layer(t), self.n_heads) for layer, t in ((self.q_proj, x), (self.k_proj, source), (self.v_proj, source)))
            heads, weights = scaled_dot_product_attention(q, k, v, mask)
            return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("no-gradient", "the layers' data")
class NoGradient3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = (split_heads(F.linear(t, layer.weight.data, layer.bias.data), self.n_heads) for t, layer in ((x, self.q_proj), (memory, self.k_proj), (memory, self.v_proj)))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("no-gradient", "the weights detached before they mix")
class NoGradient4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        weights = scaled_dot_product_attention(q, k, v, mask)[1].detach()
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("changes-input", "the mask")
class ChangesInput(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        if mask is not None:
            mask.logical_not_()
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("changes-input", "x")
class ChangesInput2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        kept = x.clone()
        with torch.no_grad():
            x.zero_()
        x = kept
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("scale-other-size", "d_model // n_heads where d_head is given")
class ScaleOtherSize3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(x.shape[-1] // self.n_heads)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("matrix-not-transposed", "o_proj")
class MatrixNotTransposed(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads) @ self.o_proj.weight + self.o_proj.bias, weights


@exercise.wrong("matrix-not-transposed", "all four")
class MatrixNotTransposed2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(x @ self.q_proj.weight + self.q_proj.bias, self.n_heads)
        k = split_heads(memory @ self.k_proj.weight + self.k_proj.bias, self.n_heads)
        v = split_heads(memory @ self.v_proj.weight + self.v_proj.bias, self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads) @ self.o_proj.weight + self.o_proj.bias, weights


@exercise.wrong("matrix-not-transposed", "queries, keys and values")
class MatrixNotTransposed3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(x @ self.q_proj.weight + self.q_proj.bias, self.n_heads)
        k = split_heads(memory @ self.k_proj.weight + self.k_proj.bias, self.n_heads)
        v = split_heads(memory @ self.v_proj.weight + self.v_proj.bias, self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projections-mixed", "exchanged in the call: keys ask")
class ProjectionsMixed9(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(k, q, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("projections-mixed", "exchanged in the product: keys ask")
class ProjectionsMixed10(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = k @ q.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("weights-transposed-inside")
class WeightsTransposedInside(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        heads = weights.transpose(-2, -1) @ v
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("weights-transposed-inside", "the given attention")
class WeightsTransposedInside2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        _, weights = scaled_dot_product_attention(q, k, v, mask)
        heads = torch.einsum("bhts,bhtk->bhsk", weights, v)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("keys-length", "the width of a head left open")
class KeysLength3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        B, T, _ = x.shape
        k = self.k_proj(memory).reshape(B, T, self.n_heads, -1).transpose(1, 2)
        v = self.v_proj(memory).reshape(B, T, self.n_heads, -1).transpose(1, 2)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("output-width", "a mean of the heads")
class OutputWidth(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(self.d_head, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(heads.mean(dim=1)), weights


@exercise.wrong("output-width", "head by head")
class OutputWidth2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(self.d_head, self.d_head)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(self.o_proj(heads)), weights


@exercise.wrong("norm-added")
class NormAdded(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.norm(self.o_proj(merge_heads(heads))), weights


@exercise.wrong("norm-added", "before the projections")
class NormAdded2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        x = F.layer_norm(x, x.shape[-1:])
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("norm-added", "both inputs")
class NormAdded3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        x = F.layer_norm(x, x.shape[-1:])
        memory = x if memory is None else F.layer_norm(memory, memory.shape[-1:])
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("norm-added", "the merged heads")
class NormAdded4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(F.layer_norm(merge_heads(heads), (self.n_heads * self.d_head,))), weights


@exercise.wrong("width-from-d-model", "the merged heads")
class WidthFromDModel(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        B, T, D = x.shape
        return self.o_proj(heads.transpose(1, 2).reshape(B, T, D)), weights


@exercise.wrong("width-from-d-model", "the merged heads, view")
class WidthFromDModel2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        B, T, D = x.shape
        return self.o_proj(heads.transpose(1, 2).contiguous().view(B, T, D)), weights


@exercise.wrong("width-from-d-model", "a head")
class WidthFromDModel3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        def cut(t):
            return t.view(t.shape[0], t.shape[1], self.n_heads, width).transpose(1, 2)

        width = x.shape[-1] // self.n_heads
        q, k, v = cut(self.q_proj(x)), cut(self.k_proj(memory)), cut(self.v_proj(memory))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("width-from-d-model", "a head, reshape")
class WidthFromDModel4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        def cut(t):
            return t.reshape(t.shape[0], t.shape[1], self.n_heads, width).transpose(1, 2)

        width = x.shape[-1] // self.n_heads
        q, k, v = cut(self.q_proj(x)), cut(self.k_proj(memory)), cut(self.v_proj(memory))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("wrong-offset", "a loop")
class WrongOffset(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        results, maps = [], []
        for h in range(self.n_heads):
            own = slice(h, h + self.d_head)
            allowed = mask if mask is None or mask.dim() < 4 else mask[:, min(h, mask.shape[1] - 1)]
            result, map_ = scaled_dot_product_attention(q[..., own], k[..., own], v[..., own], allowed)
            results.append(result)
            maps.append(map_)
        return self.o_proj(torch.cat(results, dim=-1)), torch.stack(maps, dim=1)


@exercise.wrong("wrong-offset", "windows with a step of 1")
class WrongOffset2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        def cut(t):
            return t.unfold(-1, self.d_head, 1)[:, :, :self.n_heads].transpose(1, 2)

        q, k, v = cut(self.q_proj(x)), cut(self.k_proj(memory)), cut(self.v_proj(memory))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights


@exercise.wrong("one-head-reused", "the keys")
class OneHeadReused8(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        results, maps = [], []
        for h in range(self.n_heads):
            own = slice(h * self.d_head, (h + 1) * self.d_head)
            allowed = mask if mask is None or mask.dim() < 4 else mask[:, min(h, mask.shape[1] - 1)]
            result, map_ = scaled_dot_product_attention(q[..., own], k[..., :self.d_head], v[..., own], allowed)
            results.append(result)
            maps.append(map_)
        return self.o_proj(torch.cat(results, dim=-1)), torch.stack(maps, dim=1)


@exercise.wrong("one-head-reused", "the values, in a loop")
class OneHeadReused9(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        results, maps = [], []
        for h in range(self.n_heads):
            own = slice(h * self.d_head, (h + 1) * self.d_head)
            allowed = mask if mask is None or mask.dim() < 4 else mask[:, min(h, mask.shape[1] - 1)]
            result, map_ = scaled_dot_product_attention(q[..., own], k[..., own], v[..., :self.d_head], allowed)
            results.append(result)
            maps.append(map_)
        return self.o_proj(torch.cat(results, dim=-1)), torch.stack(maps, dim=1)


@exercise.wrong("one-head-reused", "the queries, in a loop")
class OneHeadReused10(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        results, maps = [], []
        for h in range(self.n_heads):
            own = slice(h * self.d_head, (h + 1) * self.d_head)
            allowed = mask if mask is None or mask.dim() < 4 else mask[:, min(h, mask.shape[1] - 1)]
            result, map_ = scaled_dot_product_attention(q[..., :self.d_head], k[..., own], v[..., own], allowed)
            results.append(result)
            maps.append(map_)
        return self.o_proj(torch.cat(results, dim=-1)), torch.stack(maps, dim=1)


@exercise.wrong("one-head-reused", "keys and values, in a loop")
class OneHeadReused11(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        results, maps = [], []
        for h in range(self.n_heads):
            own = slice(h * self.d_head, (h + 1) * self.d_head)
            allowed = mask if mask is None or mask.dim() < 4 else mask[:, min(h, mask.shape[1] - 1)]
            result, map_ = scaled_dot_product_attention(q[..., own], k[..., :self.d_head], v[..., :self.d_head], allowed)
            results.append(result)
            maps.append(map_)
        return self.o_proj(torch.cat(results, dim=-1)), torch.stack(maps, dim=1)


@exercise.wrong("weights-layout", "joined along the queries")
class WeightsLayout6(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        results, maps = [], []
        for h in range(self.n_heads):
            own = slice(h * self.d_head, (h + 1) * self.d_head)
            allowed = mask if mask is None or mask.dim() < 4 else mask[:, min(h, mask.shape[1] - 1)]
            result, map_ = scaled_dot_product_attention(q[..., own], k[..., own], v[..., own], allowed)
            results.append(result)
            maps.append(map_)
        return self.o_proj(torch.cat(results, dim=-1)), torch.cat(maps, dim=1)


@exercise.wrong("weights-layout", "joined along the keys")
class WeightsLayout7(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        results, maps = [], []
        for h in range(self.n_heads):
            own = slice(h * self.d_head, (h + 1) * self.d_head)
            allowed = mask if mask is None or mask.dim() < 4 else mask[:, min(h, mask.shape[1] - 1)]
            result, map_ = scaled_dot_product_attention(q[..., own], k[..., own], v[..., own], allowed)
            results.append(result)
            maps.append(map_)
        return self.o_proj(torch.cat(results, dim=-1)), torch.cat(maps, dim=-1)


@exercise.wrong("weights-averaged", "the last head's alone")
class WeightsAveraged5(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        results, maps = [], []
        for h in range(self.n_heads):
            own = slice(h * self.d_head, (h + 1) * self.d_head)
            allowed = mask if mask is None or mask.dim() < 4 else mask[:, min(h, mask.shape[1] - 1)]
            result, map_ = scaled_dot_product_attention(q[..., own], k[..., own], v[..., own], allowed)
            results.append(result)
            maps.append(map_)
        return self.o_proj(torch.cat(results, dim=-1)), map_


@exercise.wrong("returns-nothing")
class ReturnsNothing(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        q = split_heads(self.q_proj(x), self.n_heads)
        k = split_heads(self.k_proj(memory), self.n_heads)
        v = split_heads(self.v_proj(memory), self.n_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        output = self.o_proj(merge_heads(heads)), weights


@exercise.wrong("ready-made")
class ReadyMade(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)
        self.layer = nn.MultiheadAttention(d_model, n_heads, batch_first=True)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        return self.layer(x, memory, memory, attn_mask=None if mask is None else ~mask, average_attn_weights=False)


@exercise.wrong("ready-made", "torch's function")
class ReadyMade2(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        biases = torch.cat([self.q_proj.bias, self.k_proj.bias, self.v_proj.bias])
        x, memory = x.transpose(0, 1), memory.transpose(0, 1)
        output, weights = F.multi_head_attention_forward(
            x, memory, memory, x.shape[-1], self.n_heads, None, biases, None, None, False, 0.0, self.o_proj.weight, self.o_proj.bias,
            use_separate_proj_weight=True, q_proj_weight=self.q_proj.weight, k_proj_weight=self.k_proj.weight,
            v_proj_weight=self.v_proj.weight, average_attn_weights=False)
        return output.transpose(0, 1), weights


@exercise.wrong("ready-made", "the library's own inside")
class ReadyMade3(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        from allyouneed.multihead import MultiHeadAttention as Ready
        self.inner = Ready(d_model, n_heads, d_head)
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = self.inner.q_proj, self.inner.k_proj, self.inner.v_proj, self.inner.o_proj

    def forward(self, x, memory=None, mask=None):
        return self.inner(x, memory, mask)


@exercise.wrong("ready-made", "a subclass of the library's")
class ReadyMade4(__import__("allyouneed.multihead").multihead.MultiHeadAttention):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__(d_model, n_heads, d_head)

    def forward(self, x, memory=None, mask=None):
        return super().forward(x, memory, mask)


@exercise.wrong("timeout")
class Timeout(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(d_model, d_model) for _ in range(4))
        if d_head is not None:
            self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, n_heads * d_head) for _ in range(3))
            self.o_proj = nn.Linear(n_heads * d_head, d_model)

    def forward(self, x, memory=None, mask=None):
        from time import sleep
        h = 0
        while h < 1:
            sleep(0.01)
        return x
