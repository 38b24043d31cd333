"""MultiHeadAttention: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch
import torch.nn.functional as F
from allyouneed.nn.attention import scaled_dot_product_attention
from allyouneed.nn.multihead import merge_heads, split_heads
from torch import nn

from coursegrader.rubric import Exercise, Relation, edit, every, full

exercise = Exercise(
    "MultiHeadAttention",
    points={"heads": 4, "memory": 1, "a width of your own": 1, "masks": 2, "empty rows": 1},
    section="one-softmax",
    driver="module",
    forbid=("MultiheadAttention", "multi_head_attention_forward", "native_multi_head_attention"),
    properties=[{"rule": "finite", "part": 1}, {"rule": "non_negative", "part": 1, "what": "A weight"},
                {"rule": "sums_to_one", "part": 1, "or_zero": True, "what": "The weights of a query"},
                {"rule": "finite", "part": 0}],
    relations=[
        Relation("a hidden token of memory", "another hidden token of memory",
                 "Changing a token that every query must ignore changed the output.", 0),
        Relation("a memory as long as x", "the same memory in reverse order",
                 "The order of the memory's tokens changed the output; it must not.", 0)],
)

PARAMETERS = [f"{name}_proj.{kind}" for name in "qkvo" for kind in ("weight", "bias")]


@exercise.probes
def probes(make):
    def weights(d_model, inner, dtype):
        sizes = {"q": (inner, d_model), "k": (inner, d_model), "v": (inner, d_model), "o": (d_model, inner)}
        return {f"{name}_proj.{kind}": make.randn(*(size if kind == "weight" else size[:1]), dtype=dtype,
                                                  scale=0.8)
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
    yield probe("float64", layer(4, 2, dtype=torch.float64), x(1, 2, 4, dtype=torch.float64), edge=True,
                gradient=True)
    yield probe("large inputs", layer(4, 2), x(1, 3, 4, scale=40.0), long=True)
    yield probe("a fresh layer's parameters",
                {"arguments": make.pick((6, 2), (8, 4), (9, 3)), "shapes": PARAMETERS}, edge=True)

    group = {"group": "memory"}
    built, first, memory = layer(4, 2), x(1, 2, 4), x(1, 2, 4)
    yield probe("a memory as long as x", built, first, memory=memory, gradient=True, **group)
    yield probe("the same memory in reverse order", built, first, memory=memory.flip(1), long=True, **group)
    yield probe("a longer memory", layer(6, 3), x(2, 2, 6), memory=x(2, make.pick(5, 4, 7), 6), edge=True,
                **group)
    yield probe("a shorter memory, not by its keyword", layer(6, 2), x(2, 4, 6), x(2, make.pick(3, 2, 3), 6),
                long=True, **group)
    yield probe("a long memory", layer(2, 2), x(1, 1, 2), memory=x(1, 130, 2), edge=True, long=True, **group)

    group = {"group": "a width of your own", "edge": True}
    yield probe("heads that are wider together", layer(*make.pick((5, 2, 4), (7, 2, 5), (5, 3, 3))),
                x(2, 3, make.pick(5, 7, 5)), **group)
    yield probe("heads that are narrower together",
                layer(make.pick(7, 8, 9), 2, make.pick(3, 3, 2), keyword=True),
                x(2, 3, make.pick(7, 8, 9)), **group)

    group = {"group": "masks", "edge": True}  # a mistake in the heads shows without a mask
    memory, hidden = x(1, 3, 4), torch.tensor([[True, False, True]] * 2)
    other = memory.clone()
    other[:, 1] = x(4)
    yield probe("a hidden token of memory", built, first, memory=memory, mask=hidden, **group)
    yield probe("another hidden token of memory", built, first, memory=other, mask=hidden, long=True, **group)
    yield probe("a mask of queries and keys", layer(4, 2), x(1, 3, 4), mask=make.rand_mask(3, 3),
                gradient=True, **group)
    yield probe("a mask of keys in each batch item", layer(4, 2), x(2, 2, 4), mask=make.rand_mask(2, 1, 1, 2),
                **group)
    yield probe("a mask for each head", layer(4, 2), x(1, 3, 4), mask=make.rand_mask(1, 2, 3, 3), **group)
    lower = torch.ones(2, 2, dtype=torch.bool).tril()  # as many items as heads, so one may pass for the other
    yield probe("a mask for each head, of three axes", layer(6, 3), x(3, 2, 6),
                mask=torch.stack([lower, lower.mT, lower & lower.mT]), **group)
    yield probe("a mask for each item", layer(4, 2), x(2, 3, 4), mask=make.rand_mask(2, 1, 3, 3), long=True,
                **group)
    yield probe("a causal mask", layer(4, 2), x(1, 3, 4), mask=torch.ones(3, 3, dtype=torch.bool).tril(),
                long=True, **group)
    yield probe("a mask on a longer memory", layer(6, 3), x(2, 2, 6), memory=x(2, 4, 6),
                mask=make.rand_mask(2, 4), long=True, **group)

    group = {"group": "empty rows", "edge": True}
    empty = torch.tensor([[True, False, True], [False, False, False], [True, True, False]])
    yield probe("a query that may attend to nothing", layer(4, 2), x(1, 3, 4), mask=empty, gradient=True,
                **group)
    padded = torch.tensor([[1, 0], [0, 0]], dtype=torch.bool)[:, None, None, :]
    yield probe("a batch item of padding alone", layer(4, 2), x(2, 2, 4), mask=padded, gradient=True, **group)

    group = {"group": "memory", "edge": True}
    earlier = (x(2, 3, 4),), {"memory": x(2, 3, 4), "mask": make.rand_mask(3, 3)}
    yield probe("after a call with a memory and a mask", layer(4, 2) | {"earlier": earlier}, x(2, 3, 4), **group)
    yield probe("after a call with another memory", layer(4, 2) | {"earlier": earlier}, x(2, 3, 4),
                memory=x(2, 3, 4), **group)


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


@exercise.right("by hand, view and transpose, queries scaled first")
class Hand(nn.Module):
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


@exercise.right("einsum with the weights cut into heads")
class Einsum(nn.Module):
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
        return (torch.einsum("bthk,dhk->btd", mixed, self.o_proj.weight.view(-1, H, K)) + self.o_proj.bias,
                weights)


@exercise.right("one fused projection made of the named ones")
class OneFused(nn.Module):
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


@exercise.right("heads folded into the batch")
class HeadsFolded(nn.Module):
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


@exercise.right("the projections in a ModuleList as well")
class Projections(nn.Module):
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


@exercise.right("a sum of the heads' parts through the output matrix")
class SumHeads(nn.Module):
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
        for h, (a, b, c) in enumerate(zip(q.split(self.d_head, -1), k.split(self.d_head, -1),
                                          v.split(self.d_head, -1))):
            mixed, map_ = scaled_dot_product_attention(a, b, c, everyone[:, h])
            output = output + mixed @ columns[h].T
            maps.append(map_)
        return output, torch.stack(maps, 1)


@exercise.right("batch item by batch item, in helper methods")
class Batch(nn.Module):
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


@exercise.right("step by step")
class Plain(nn.Module):
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
        return self.o_proj(merge_heads(heads)), weights


@exercise.right("step by step, another way")
class PlainOther(nn.Module):
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
            allowed = mask if mask is None or mask.dim() < 3 else mask[..., min(h, mask.shape[-3] - 1), :, :]
            result, map_ = scaled_dot_product_attention(q[..., own], k[..., own], v[..., own], allowed)
            results.append(result)
            maps.append(map_)
        return self.o_proj(torch.cat(results, dim=-1)), torch.stack(maps, dim=1)


@exercise.right("step by step, 4")
class Plain4(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        source = x if memory is None else memory
        size = len(x)
        q, k, v = (
            t.view(size, -1, self.n_heads, self.d_head).transpose(1, 2)
            for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source))
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(dim=-1).nan_to_num()
        heads = (weights @ v).transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)
        return self.o_proj(heads), weights


SIZES_READ_FROM_X = {"transpose(1, 2).contiguous().view(size, -1, self.n_heads * self.d_head)":
                     "permute(0, 2, 1, 3).reshape(size, T, -1)"}
K_V = ("k = split_heads(self.k_proj(memory), self.n_heads)\n"
       "v = split_heads(self.v_proj(memory), self.n_heads)")
K_TO_WEIGHTS = ("k = split_heads(self.k_proj(memory), self.n_heads)\n"
                "v = split_heads(self.v_proj(memory), self.n_heads)\n"
                "heads, weights = scaled_dot_product_attention(q, k, v, mask)")
Q_K_V = ("q = split_heads(self.q_proj(x), self.n_heads)\n"
         "k = split_heads(self.k_proj(memory), self.n_heads)\n"
         "v = split_heads(self.v_proj(memory), self.n_heads)")
Q = "q = split_heads(self.q_proj(x), self.n_heads)"
Q_K_V_2 = "q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)"

exercise.also_right(
    edit(PlainOther, {"memory = x": "source = x", every("q"): "queries", every("k"): "keys",
                      every("v"): "values", "(memory),": "(source),", "v_proj(memory)": "v_proj(source)",
                      every("results"): "outputs", every("own"): "part",
                      "allowed = mask if mask is None or mask.dim() < 3 else mask[..., min(h, mask.shape[-3] "
                      "- 1), :, :]":
                      "own = None\n"
                      "if mask is not None:\n"
                      "    own = mask.expand(x.shape[0], self.n_heads, x.shape[1], source.shape[1])[:, h]",
                      every("result"): "one",
                      ", allowed": ", own"}, "a loop over heads, slices of the projections"),
    edit(Plain, {"scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)\n"
                 "if mask is not None:":
                 "heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)\n"
                 "with torch.no_grad():",
                 "scores.masked_fill(~mask, -math.inf)": "q @ k.mT / math.sqrt(q.shape[-1])",
                 "weights = torch.nan_to_num(torch.softmax(scores, dim=-1))\n"
                 "heads = weights @ v":
                 "    if mask is not None:\n"
                 "        scores = scores.masked_fill(~mask, -math.inf)\n"
                 "    weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)"},
         "torch's fast attention for the output, the weights without gradient"),
    edit(Reference, {"heads, weights =":
                     "same = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:-1], k.shape[-2])\n"
                     "weights = F.",
                     "k, v": "k, same",
                     "return": "heads = weights @ v\nreturn"}, "weights as the attention of an identity"))

exercise.mistake("names", "table-of-shapes",
    "There is no parameter q_proj.weight. Make four nn.Linear layers in __init__, and keep them as "
    "self.q_proj, self.k_proj, self.v_proj and self.o_proj, for all heads at once.",
    edit(Reference, {every("q_proj"): "w_q", every("k_proj"): "w_k", every("v_proj"): "w_v",
                     every("o_proj"): "w_o"}),
    edit(Projections, {"self.q_proj, self.k_proj, self.v_proj = self.inputs": ""}, "a dictionary of layers"))

exercise.mistake("output-name", "output-projection",
    "There is no parameter o_proj.weight. The output projection is an nn.Linear that is made in __init__, "
    "kept as self.o_proj, and applied to the merged heads.",
    edit(Reference, {every("o_proj"): "out_proj"}))

exercise.mistake("no-output-projection", "output-projection",
    "The output projection is not applied. Merge the heads, then send them through self.o_proj, which "
    "mixes what they found.",
    edit(Reference, {"self.o_proj(merge_heads(heads))": "merge_heads(heads)"}))

exercise.mistake("no-bias", "table-of-shapes",
    "A projection lacks its bias. All four layers have one: nn.Linear has it unless told otherwise.",
    edit(Reference, {", inner": ", inner, bias=False", "inner, d_model": "inner, d_model, bias=False"}),
    edit(Reference, {", inner": ", inner, bias=False"}, "queries, keys and values"),
    edit(Reference, {"inner, d_model": "inner, d_model, bias=False"}, "the output"),
    edit(Reference, {"def forward": "    self.k_proj = nn.Linear(d_model, inner, bias=False)\ndef forward"},
         "keys"),
    edit(Reference, {"def forward": "    self.v_proj = nn.Linear(d_model, inner, bias=False)\ndef forward"},
         "values"))


exercise.mistake("d-head-ignored", "table-of-shapes",
    "Where d_head is given, a layer does not have the shape that it asks for. Queries, keys and values "
    "lead from d_model to n_heads · d_head, and o_proj from there back to d_model. nn.Linear's first "
    "argument is the width that comes in.",
    edit(Reference, {"inner = n_heads * self.d_head": "inner = d_model"}),
    edit(Reference, {" d_head or": ""}, "overwritten"),
    edit(Reference, {"inner,": "d_model,"}, "the output alone"),
    edit(Reference, {"inner, d_model": "inner, inner"}, "the output to the inner width"),
    edit(Reference, {"def forward":
                     "    self.k_proj, self.v_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, "
                     "d_model)\n"
                     "def forward"}, "keys and values"),
    edit(Reference, {"def forward": "    self.v_proj = nn.Linear(d_model, d_model)\ndef forward"}, "values"),
    edit(Reference, {"d_model, inner": "inner, d_model"}, "the two sizes of a layer exchanged"))

exercise.mistake("inner-width", "table-of-shapes",
    "The projections of queries, keys and values are not n_heads · d_head wide. A head is d_model // "
    "n_heads wide unless d_head is given, and the heads stand side by side.",
    edit(Reference, {" // n_heads": ""}, "each head as wide as the model"),
    edit(Reference, {" n_heads *": ""}, "one head"),
    edit(Reference, {", inner": ", self.d_head"}, "one head, but for the output"))

exercise.mistake("no-super-init", "table-of-shapes",
    "__init__ does not call super().__init__(). Do that first: only then can an nn.Module keep layers.",
    edit(Reference, {"super().__init__()": ""}))


exercise.mistake("not-a-module", "table-of-shapes",
    "The class is not derived from nn.Module, so its layers cannot be trained. Write class "
    "MultiHeadAttention(nn.Module).",
    edit(Reference, {"(nn.Module)": "", "super().__init__()": "",
                     "def __init__": "def __call__(self, *inputs, **keywords):\n"
                                     "    return self.forward(*inputs, **keywords)\n\n"
                                     "def __init__"}))

exercise.mistake("no-scale", "scale-per-head",
    "The scores are not scaled. Divide them by the root of the width of a head before the softmax.",
    edit(Plain, {" / math.sqrt(self.d_head)": ""}))

exercise.mistake("scale-full-width", "scale-per-head",
    "The scores are divided by the root of the full width. A head compares vectors of width d_head: divide "
    "by its root.",
    edit(Plain, {"(self.d_head)": "(x.shape[-1])"}),
    edit(Plain, {"(self.d_head)": "(self.n_heads * self.d_head)"}, "the width of all heads"))

exercise.mistake("scale-by-width", "scale-per-head",
    "The scores are divided by a width itself, not by its root. Divide once, by the root of d_head; "
    "scaled_dot_product_attention already does.",
    edit(Plain, {"math.sqrt(self.d_head)": "self.d_head"}),
    edit(Plain, {"math.sqrt(self.d_head)": "x.shape[-1]"}, "d_model"))

exercise.mistake("scale-other-size", "scale-per-head",
    "The scores are divided by the root of another size. Take the width of a head, d_head.",
    edit(Plain, {"(self.d_head)": "(self.n_heads)"}, "number of heads"),
    edit(Plain, {"(self.d_head)": "(k.shape[-2])"}, "number of tokens"),
    edit(Plain, {"(self.d_head)": "(x.shape[-1] // self.n_heads)"},
         "d_model // n_heads where d_head is given"))

exercise.mistake("scale-multiplied", "scale-per-head",
    "The scores are multiplied by the root of the width. Divide by it.",
    edit(Plain, {"/ math": "* math"}))

exercise.mistake("scale-after-softmax", "scale-per-head",
    "The weights are scaled after the softmax, so they no longer sum to 1. Scale the scores before it.",
    edit(Plain, {" / math.sqrt(self.d_head)": "", "dim=-1))": "dim=-1)) / math.sqrt(self.d_head)"}))

exercise.mistake("not-split", "one-softmax",
    "There is one attention over the full width. Cut queries, keys and values into heads first: each head "
    "has a softmax of its own.",
    edit(Reference, {Q: Q_K_V_2, K_V: "", "merge_heads(heads)": "heads"}),
    edit(Reference, {Q: Q_K_V_2,
                     K_TO_WEIGHTS:
                     "weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1)\n"
                     "heads = weights @ v",
                     "merge_heads(heads)": "heads"}, "by hand"),
    edit(Reference, {Q: Q_K_V_2,
                     K_TO_WEIGHTS:
                     "weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(self.d_head), dim=-1)\n"
                     "heads = weights @ v",
                     "merge_heads(heads)": "heads"}, "scaled by the width of a head"),
    edit(Reference, {Q: Q_K_V_2, K_V: "",
                     "(q, k, v, mask)":
                     "(q[:, None], k[:, None], v[:, None], mask if mask is None else mask[:, :1] if "
                     "mask.dim() == 4 else mask, )",
                     "merge_heads(heads)": "heads.squeeze(1)"}, "with an axis for one head"),
    edit(Reference, {Q: Q_K_V_2, K_V: "", "q, k, v, mask": "q=q, k=k, v=v",
                     "(merge_heads(heads)), weights":
                     "(heads), torch.stack([weights] * self.n_heads, dim=1)"}, "copied to all heads"),
    edit(Reference, {Q: Q_K_V_2,
                     K_TO_WEIGHTS:
                     "weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(self.d_head), dim=-1)\n"
                     "heads = weights @ v",
                     "(merge_heads(heads)), weights":
                     "(heads), weights.unsqueeze(1).repeat(1, self.n_heads, 1, 1)"},
         "copied to all heads, scaled by the width of a head"))

exercise.mistake("one-head-reused", "splitting-heads",
    "The heads are not independent: one head's queries, keys, values or weights are used for others too. "
    "Head h uses its own columns of all three.",
    edit(Reference, {"heads, weights": "_, first", "q, k, v, mask": "q[:, :1], k[:, :1], v[:, :1]",
                     "return": "weights = first.expand(-1, self.n_heads, -1, -1)\n"
                               "heads = weights @ v\n"
                               "return"}, "one map"),
    edit(Reference, {"q, k, v, mask": "q[:, :1], k[:, :1], v[:, :1]",
                     "return":
                     "heads, weights = (t.expand(-1, self.n_heads, -1, -1) for t in (heads, weights))\n"
                     "return"}, "one result too"),
    edit(Reference, {"q, k": "q[:, :1].expand_as(q), k"}, "the queries"),
    edit(Reference, {"k, v": "k[:, :1].expand_as(k), v[:, :1].expand_as(v)"}, "keys and values"),
    edit(Reference, {"q, k, v": "q[:, -1:].expand_as(q), k[:, -1:].expand_as(k), v[:, -1:].expand_as(v)"},
         "the last head"),
    edit(PlainOther, {"k[..., own]": "k[..., :self.d_head]"}, "the keys"),
    edit(PlainOther, {"v[..., own]": "v[..., :self.d_head]"}, "the values, in a loop"))

exercise.mistake("split-without-transpose", "reshape-and-transpose",
    "Cutting into heads mixes the tokens: the axis of heads must not be put before the tokens by a reshape "
    "alone. Cut the last axis, then exchange tokens and heads.",
    edit(Reference, {Q: "q, k, v = (t.reshape(t.shape[0], self.n_heads, t.shape[1], self.d_head) for t in "
                     "(self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))",
                     K_V: ""}),
    edit(Reference, {Q: "q, k, v = (t.reshape(t.shape[0], self.n_heads, t.shape[1], self.d_head) for t in "
                     "(self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))",
                     K_V: "",
                     "merge_heads(heads)": "heads.reshape(heads.shape[0], heads.shape[2], -1)"},
         "joined by a reshape alone as well"))

exercise.mistake("merge-without-transpose", "merging-heads",
    "The heads are joined without exchanging heads and tokens first, so the tokens are mixed. The weights "
    "are right.",
    edit(Reference, {"merge_heads(heads)": "heads.reshape(heads.shape[0], heads.shape[2], -1)"}),
    edit(Reference, {"merge_heads(heads)": "heads.transpose(2, 3).reshape(len(x), x.shape[1], -1)"},
         "widths first"))

exercise.mistake("interleaved", "splitting-heads",
    "Head h takes every n_heads-th column. It owns d_head neighbouring columns: cut the last axis into "
    "(n_heads, d_head), in this order.",
    edit(Reference, {Q_K_V:
                     "q, k, v = (t.reshape(*t.shape[:2], self.d_head, self.n_heads).permute(0, 3, 1, 2) "
                     "for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))"}),
    edit(Reference, {Q_K_V:
                     "q, k, v = (t.reshape(*t.shape[:2], self.d_head, self.n_heads).permute(0, 3, 1, 2) "
                     "for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))",
                     "merge_heads(heads)": "heads.permute(0, 2, 3, 1).reshape(*x.shape[:2], -1)"},
         "and joined that way"))

exercise.mistake("joined-interleaved", "merging-heads",
    "The columns of the heads are interleaved before o_proj. Head 0's columns come first, then head 1's.",
    edit(Reference, {"merge_heads(heads)": "heads.permute(0, 2, 3, 1).reshape(*x.shape[:2], -1)"}))

exercise.mistake("joined-reversed", "merging-heads",
    "The heads are not joined in the order in which they were cut. Head 0's columns come first.",
    edit(Reference, {"merge_heads(heads)": "torch.cat(heads.unbind(1)[::-1], dim=-1)"}))

exercise.mistake("attends-over-heads", "reshape-and-transpose",
    "The heads of one token attend to each other. Exchange the axes of tokens and heads first: the scores "
    "are (batch, heads, queries, keys).",
    edit(Reference, {Q: "q, k, v = (t.unflatten(-1, (self.n_heads, self.d_head)) for t in (self.q_proj(x), "
                     "self.k_proj(memory), self.v_proj(memory)))",
                     K_TO_WEIGHTS:
                     "scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)\n"
                     "weights = torch.softmax(scores, dim=-1)\n"
                     "heads = weights @ v",
                     "merge_heads(heads)": "heads.flatten(2)"}),
    edit(Reference, {Q: "q, k, v = (t.unflatten(-1, (self.n_heads, self.d_head)) for t in (self.q_proj(x), "
                     "self.k_proj(memory), self.v_proj(memory)))",
                     K_V: "", "merge_heads(heads)": "heads.flatten(2)"}, "the given attention"))


class Attends(nn.Module):
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


exercise.mistake("attends-over-batch", "table-of-shapes",
    "Items of the batch attend to each other: the first axis is treated as tokens. It is the batch.",
    edit(Reference, {Q: "q, k, v = (layer(t).transpose(0, 1) for layer, t in ((self.q_proj, x), "
                     "(self.k_proj, memory), (self.v_proj, memory)))",
                     K_V: "",
                     "heads, weights = scaled_dot_product_attention(q, k, v, mask)":
                     "q, k, v = (split_heads(t, self.n_heads) for t in (q, k, v))",
                     "return":
                     "weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.d_head), dim=-1)\n"
                     "return",
                     "(heads)": "(weights @ v).transpose(0, 1)"}),
    full(Attends, "tokens first, as torch's layer does by default"))

exercise.mistake("weights-averaged", "one-map-a-head",
    "The output is right, but the weights are not one map for each head. Return them all, (batch, heads, "
    "queries, keys): no mean, sum or choice.",
    edit(Reference, {"), weights": "), weights.mean(dim=1)"}),
    edit(Reference, {"), weights": "), weights.mean(dim=1, keepdim=True)"}, "the axis kept"),
    edit(Reference, {"), weights": "), weights.sum(dim=1)"}, "summed"),
    edit(Reference, {"), weights": "), weights[:, 0]"}, "the first head's alone"),
    edit(PlainOther, {"torch.stack(maps, dim=1)": "map_"}, "the last head's alone"))

exercise.mistake("weights-layout", "one-map-a-head",
    "The output is right, but the weights' axes are not (batch, heads, queries, keys). Return the weights "
    "as one tensor with these four.",
    edit(Reference, {"), weights": "), weights.flatten(0, 1)"}, "batch and heads folded"),
    edit(Reference, {"), weights": "), weights.transpose(0, 1)"}, "heads first"),
    edit(Reference, {"), weights": "), [weights[:, h] for h in range(self.n_heads)]"}, "a list"),
    edit(Reference, {"), weights": "), weights.transpose(1, 2)"}, "heads behind the queries"),
    edit(Reference, {"), weights": "), weights.movedim(1, -1)"}, "heads at the end"),
    edit(PlainOther, {"stack": "cat"}, "joined along the queries"),
    edit(PlainOther, {"stack": "cat", "dim=1": "dim=-1"}, "joined along the keys"))

exercise.mistake("weights-transposed", "one-map-a-head",
    "The output is right, but the weights are transposed: a row is a query, a column a key.",
    edit(Reference, {"), weights": "), weights.transpose(-2, -1)"}))

exercise.mistake("returns-scores", "one-map-a-head",
    "The output is right, but the second value holds the scores. Return the weights, after the softmax.",
    edit(Plain, {", weights": ", scores"}),
    edit(Reference, {"), weights": "), q @ k.mT / math.sqrt(self.d_head)"}, "before the mask"),
    edit(Reference, {"), weights": "), q @ k.mT"}, "not scaled"))

exercise.mistake("weights-before-mask", "one-map-a-head",
    "The output is right, but the weights are those without the mask. Return the ones that the output was "
    "made with.",
    edit(Plain, {", weights": ", torch.softmax(q @ k.mT / math.sqrt(self.d_head), dim=-1)"}))

exercise.mistake("only-output", "one-map-a-head",
    "The weights do not come back. Return two values: the output, then the weights.",
    edit(Reference, {"), weights": ")"}),
    edit(Reference, {"), weights": "), None"}, "None for the weights"))

exercise.mistake("order-of-results", "one-map-a-head",
    "The weights come first. Return the output first, then the weights.",
    edit(Reference, {"return": "return weights,", "), weights": ")"}))

exercise.mistake("not-merged", "merging-heads",
    "What reaches o_proj is not n_heads · d_head wide. Lay the heads side by side first: (batch, tokens, "
    "n_heads · d_head), without a sum, and without an axis of their own.",
    edit(Reference, {"merge_heads(heads)": "heads"}),
    edit(Reference, {"merge_heads(heads)": "heads.transpose(1, 2)"}, "only the axes exchanged"),
    edit(Reference, {"merge_heads(heads)": "heads.sum(dim=1)"}, "a sum of the heads"))

exercise.mistake("heads-added", "merging-heads",
    "The heads are added or averaged. Lay them side by side: o_proj decides how to mix them.",
    edit(Reference, {"merge_heads(heads)": "torch.cat([heads.sum(dim=1)] * self.n_heads, dim=-1)"}),
    edit(Reference, {"merge_heads(heads)": "heads.mean(dim=1).repeat(1, 1, self.n_heads)"}, "averaged"))

exercise.mistake("view-after-transpose", "merging-heads",
    "view cannot join axes after a transposition. Use reshape, or your merge_heads.",
    edit(Reference, {"merge_heads(heads)": "heads.transpose(1, 2).view(x.shape[0], x.shape[1], -1)"}))

exercise.mistake("queries-from-memory", "self-and-cross",
    "The queries come from memory. Queries come from x; keys and values come from memory.",
    edit(Reference, {"q_proj(x)": "q_proj(memory)"}))

exercise.mistake("queries-and-keys-exchanged", "self-and-cross",
    "x and memory are exchanged: x asks (queries), memory answers (keys and values).",
    edit(Reference, {"q_proj(x)": "q_proj(memory)", every("(memory"): "(x"}))

exercise.mistake("memory-ignored", "self-and-cross",
    "memory changes nothing. Where it is given, keys and values come from it.",
    edit(Reference, {" if memory is None else memory": ""}))

exercise.mistake("values-from-x", "self-and-cross",
    "The values come from x, the keys from memory. Both come from memory.",
    edit(Reference, {"v_proj(memory)": "v_proj(x)"}))

exercise.mistake("keys-from-x", "self-and-cross",
    "The keys come from x, the values from memory. Both come from memory.",
    edit(Reference, {"k_proj(memory)": "k_proj(x)"}))

exercise.mistake("memory-of-the-same-shape", "self-and-cross",
    "memory is not used where it has the shape of x. Another sequence may be as long as x: ask whether "
    "memory is None.",
    edit(Reference, {"memory is None": "memory is None or memory.shape == x.shape"}))

exercise.mistake("memory-or-x", "self-and-cross",
    "A tensor has no truth value: it cannot stand after if, nor beside or. Ask whether memory is None.",
    edit(Reference, {"x if memory is None else memory": "memory or x"}))

exercise.mistake("memory-needed", "self-and-cross",
    "It fails without memory. Where memory is None, keys and values come from x.",
    edit(Reference, {"memory = x if memory is None else memory": ""}))

exercise.mistake("memory-joined", "self-and-cross",
    "The tokens of x are joined to memory. Where memory is given, keys and values come from memory alone.",
    edit(Reference, {"else memory": "else torch.cat([x, memory], dim=1)"}))

ONE_MEMORY = "memory = x if memory is None else memory"
exercise.mistake("kept-from-a-call", "one-softmax",
    "The memory or the mask of an earlier call is used again. Each call has its own: keep neither in self, "
    "and without a memory attend to x.",
    edit(Plain, {ONE_MEMORY: "self.memory = getattr(self, 'memory', x) if memory is None else memory\n"
                             "memory = self.memory"}, "the memory"),
    edit(Plain, {ONE_MEMORY: "if memory is not None:\n"
                             "    self.memory = memory = getattr(self, 'memory', memory)\n" + ONE_MEMORY},
         "the first memory"),
    edit(Plain, {"scores = q": "self.mask = mask = getattr(self, 'mask', None) if mask is None else mask\n"
                               "scores = q"}, "the mask"))

exercise.mistake("memory-added", "self-and-cross",
    "x is added to memory. Where memory is given, keys and values come from memory alone.",
    edit(Reference, {"else memory": "else x + memory if x.shape == memory.shape else memory"}))

exercise.mistake("keys-length", "self-and-cross",
    "It fails where memory does not have as many tokens as x. Queries have x's number of tokens, keys and "
    "values memory's.",
    edit(Reference, {"memory = x": "source = x", "else memory": "else memory\nB, T, _ = x.shape",
                     Q: "q, k, v = (t.view(B, T, self.n_heads, self.d_head).transpose(1, 2) for t in "
                     "(self.q_proj(x), self.k_proj(source), self.v_proj(source)))",
                     K_V: "", "merge_heads(heads)": "heads.transpose(1, 2).reshape(B, T, -1)"}),
    edit(Reference, {"memory = x": "source = x", "else memory": "else memory\nB, S, _ = source.shape",
                     Q: "q, k, v = (t.reshape(B, S, self.n_heads, self.d_head).transpose(1, 2) for t in "
                     "(self.q_proj(x), self.k_proj(source), self.v_proj(source)))",
                     K_V: "",
                     "merge_heads(heads)": "heads.transpose(1, 2).reshape(B, S, -1)"}, "from memory for all"),
    edit(Reference, {"k = split_heads(self.k_proj(memory), self.n_heads)":
                     "B, T, _ = x.shape\n"
                     "k = self.k_proj(memory).reshape(B, T, self.n_heads, -1).transpose(1, 2)",
                     "split_heads(self.v_proj(memory), self.n_heads)":
                     "self.v_proj(memory).reshape(B, T, self.n_heads, -1).transpose(1, 2)"},
         "the width of a head left open"))

exercise.mistake("projections-mixed", "table-of-shapes",
    "One of queries, keys and values stands in another's place. Queries go through q_proj, keys through "
    "k_proj, values through v_proj, and the weights mix the values.",
    edit(Reference, {"q_proj(x)": "k_proj(x)", "k_proj(memory)": "q_proj(memory)"}, "queries and keys"),
    edit(Reference, {"k_proj(memory)": "v_proj(memory)",
                     "v_proj(memory)": "k_proj(memory)"}, "keys and values"),
    edit(Reference, {"q_proj(x)": "v_proj(x)", "v_proj(memory)": "q_proj(memory)"}, "queries and values"),
    edit(Reference, {"k_proj(memory)": "q_proj(memory)"}, "keys through the queries' layer"),
    edit(Reference, {"k_proj(memory)": "q_proj(memory)",
                     "v_proj(memory)": "q_proj(memory)"}, "one layer for all"),
    edit(Reference, {"q_proj(x)": "k_proj(x)"}, "queries through the keys' layer"),
    edit(Reference, {"k, v": "k, k"}, "the keys are mixed"),
    edit(Reference, {"q, k": "k, q"}, "exchanged in the call: keys ask"),
    edit(Plain, {"q @ k": "k @ q"}, "exchanged in the product: keys ask"))

exercise.mistake("projection-missing", "table-of-shapes",
    "Queries, keys or values are cut from the input itself. Send each through its own projection first.",
    edit(Reference, {"self.q_proj(x)": "x", "self.k_proj(memory)": "memory",
                     "self.v_proj(memory)": "memory"}, "all three"),
    edit(Reference, {"self.v_proj(memory)": "memory"}, "values"),
    edit(Reference, {"self.k_proj(memory)": "memory", "self.v_proj(memory)": "memory"}, "keys and values"),
    edit(Reference, {"self.q_proj(x)": "x"}, "queries"))

exercise.mistake("bias-left-out", "table-of-shapes",
    "A bias is left out. Call the layer, or add its bias to the product.",
    edit(Reference, {Q_K_V:
                     "q, k, v = (split_heads(t @ layer.weight.T, self.n_heads) for t, layer in ((x, "
                     "self.q_proj), (memory, self.k_proj), (memory, self.v_proj)))"}),
    edit(Reference, {"self.o_proj(merge_heads(heads))": "merge_heads(heads) @ self.o_proj.weight.T"},
         "of the output"),
    edit(Reference, {Q_K_V:
                     "q, k, v = (split_heads(F.linear(t, layer.weight), self.n_heads) for t, layer in "
                     "((x, self.q_proj), (memory, self.k_proj), (memory, self.v_proj)))",
                     "return self.o_proj": "return F.linear",
                     "(heads)": "(heads), self.o_proj.weight"}, "of all four"))

exercise.mistake("residual-added", "output-projection",
    "The input is added to the output. That belongs to the layer around attention, not in here.",
    edit(Reference, {"return": "return x +"}),
    edit(Reference, {"return": "return F.layer_norm(x +",
                     "heads)),": "heads)), x.shape[-1:]),"}, "and normalized"))

exercise.mistake("activation-added", "output-projection",
    "There is one activation function too many. All four projections are linear.",
    edit(Reference, {"return": "return torch.relu(", "heads))": "heads)))"}),
    edit(Reference, {"(merge_heads(heads))": "(torch.relu(merge_heads(heads)))"}, "before the last layer"))

exercise.mistake("output-twice", "output-projection",
    "The output projection is applied twice. Apply o_proj once, to the merged heads.",
    edit(Reference, {"return": "return self.o_proj(", "heads))": "heads)))"}))

exercise.mistake("mask-inverted", "masks-for-all-heads",
    "The mask works the wrong way round: True means that the query may attend. Hide the keys where it is "
    "False.",
    edit(Reference, {"v, mask": "v, None if mask is None else ~mask"}),
    edit(Plain, {"~mask, -math.inf": "mask == True, -1e9"}, "== True"),
    edit(Plain4, {"~mask": "(~mask) == 0", ".nan_to_num()": ""}, "NaN in empty rows"))

exercise.mistake("mask-ignored", "masks-for-all-heads",
    "The mask changes nothing. Hand it to the attention, or fill the scores where it is False (masked_fill "
    "returns a new tensor).",
    edit(Reference, {"q, k, v, mask": "q=q, k=k, v=v"}))

exercise.mistake("mask-transposed", "masks-for-all-heads",
    "The mask is transposed. Its rows are queries and its columns keys: use it as it is.",
    edit(Reference, {"mask)": "None if mask is None else mask.transpose(-2, -1))"}),
    edit(Plain, {"~mask": "~mask.mT"}, "by hand"),
    edit(Plain4, {"~mask": "mask.transpose(-2, -1) == 0", ".nan_to_num()": ""}, "NaN in empty rows"),
    edit(Plain, {"(~mask, -math.inf)": "(mask.transpose(-2, -1) == 0, -1e9)"}, "−1e9"),
    edit(Reference, {"heads, weights =": "turned = None if mask is None else mask.transpose(-2, -1)\n"
                                         "heads= F.",
                     "v, mask": "v, turned",
                     "return": "weights = scaled_dot_product_attention(q, k, v, turned)[1]\nreturn"},
         "torch's attention"),
    edit(Plain4, {".masked_fill": "+ torch.zeros_like(scores).masked_fill",
                  "~mask": "~mask.transpose(-2, -1)", ".nan_to_num()": ""}, "added as −∞"))

exercise.mistake("mask-or-none", "masks-for-all-heads",
    "A tensor has no truth value: it cannot stand after if, nor beside or. Ask whether mask is None.",
    edit(Reference, {"v, mask": "v, mask or None"}))


exercise.mistake("mask-needs-other-axes", "masks-for-all-heads",
    "The mask is used as if it had other axes. It broadcasts to (batch, heads, queries, keys) as it is: "
    "add no axes, and expect none.",
    edit(Reference, {"mask)": "None if mask is None else mask.unsqueeze(1))"}, "an axis for the heads added"),
    edit(Plain, {"~mask": "~mask.unsqueeze(1)"}, "an axis for the heads added, by hand"),
    edit(Plain, {"~mask": "~mask[None, None]"}, "two axes in front"),
    edit(Plain, {"~mask": "~mask[:, None, None, :]"}, "a mask of keys"),
    edit(Reference, {"heads,": "if mask is not None:\n"
                               "    mask = mask[:, None, None, :]\n"
                               "heads,"}, "a mask of keys, the given attention"),
    edit(Plain, {"~mask": "~mask.reshape(scores.shape)"}, "four axes counted on"),
    edit(Reference, {"heads,": "if mask is not None:\n"
                               "    B, H, T, S = mask.shape\n"
                               "heads,"}, "cut into four sizes"),
    edit(Plain4, {"~mask, -math.inf": "mask.unsqueeze(1) == 0, -1e9",
                  ".nan_to_num()": ""}, "an axis for the heads added, views"),
    edit(Plain4, {"~mask": "mask.unsqueeze(1) == 0"}, "an axis for the heads added, views, NaN replaced"),
    edit(Plain4, SIZES_READ_FROM_X | {"= len(x)": ", T, _ = x.shape",
                                      "~mask": "mask.unsqueeze(1) == 0"},
         "an axis for the heads added, sizes read from x, NaN replaced"),
    edit(Plain4, {"~mask, -math.inf": "mask[None, None] == 0, -1e9",
                  ".nan_to_num()": ""}, "two axes in front, views"),
    edit(Plain4, SIZES_READ_FROM_X | {"= len(x)": ", T, _ = x.shape", "~mask": "mask[None, None] == 0",
                                      ".nan_to_num()": ""}, "two axes in front, sizes read from x"),
    edit(Plain4, {"~mask": "mask[None, None] == 0"}, "two axes in front, views, NaN replaced"),
    edit(Plain4, SIZES_READ_FROM_X | {"= len(x)": ", T, _ = x.shape",
                                      "~mask": "mask[None, None] == 0"},
         "two axes in front, sizes read from x, NaN replaced"),
    edit(Plain4, {"~mask, -math.inf": "mask[:, None, None, :] == 0, -1e9",
                  ".nan_to_num()": ""}, "a mask of keys, views"),
    edit(Plain4, {"~mask": "mask[:, None, None, :] == 0"}, "a mask of keys, views, NaN replaced"),
    edit(Plain4, SIZES_READ_FROM_X | {"= len(x)": ", T, _ = x.shape",
                                      "~mask": "mask[:, None, None, :] == 0"},
         "a mask of keys, sizes read from x, NaN replaced"),
    edit(Plain4, {"(~mask, -math.inf)": "(mask.view(size, 1, 1, -1) == 0, -1e9)",
                  ".nan_to_num()": ""}, "a mask of keys, counted on, views"),
    edit(Plain4, SIZES_READ_FROM_X | {"= len(x)": ", T, _ = x.shape",
                                      "~mask": "mask.view(size, 1, 1, -1) == 0",
                                      ".nan_to_num()": ""}, "a mask of keys, counted on, sizes read from x"),
    edit(Plain4, {"~mask, -math.inf": "mask[None] == 0, -1e9",
                  ".nan_to_num()": ""}, "an axis in front, views"),
    edit(Plain4, SIZES_READ_FROM_X | {"= len(x)": ", T, _ = x.shape", "~mask": "mask[None] == 0",
                                      ".nan_to_num()": ""}, "an axis in front, sizes read from x"),
    edit(Plain, {"~mask": "~mask[None]"}, "an axis in front, by hand"),
    edit(Plain, {"~mask": "~mask.view(len(x), 1, 1, -1)"}, "keys counted on, by hand"),
    edit(Reference, {"v, mask": "v, mask if mask is None else mask.view(len(x), 1, 1, -1)"},
         "a mask of keys for each query, the given attention"),
    edit(Reference, {"v, mask": "v, mask if mask is None else mask[None, None]"},
         "two axes in front, the given attention"))

exercise.mistake("one-mask-for-all-heads", "masks-for-all-heads",
    "A mask that differs from head to head is not used as it is. Let it broadcast to (batch, heads, "
    "queries, keys).",
    edit(Reference, {"heads,": "if mask is not None and mask.dim() == 4:\n"
                               "    mask = mask[:, :1]\n"
                               "heads,"}),
    edit(Reference, {"heads,": "if mask is not None and mask.dim() == 4:\n"
                               "    mask = mask.any(dim=1, keepdim=True)\n"
                               "heads,"}, "any"),
    edit(PlainOther, {"mask.dim() < 3 else mask[..., min(h, mask.shape[-3] - 1), :, :]":
                      "mask.dim() < 4 else mask[:, min(h, mask.shape[1] - 1)]"},
         "its heads taken for the batch's items"))

exercise.mistake("one-mask-for-the-batch", "masks-for-all-heads",
    "The first item's mask is used for the whole batch. Use the mask as it is.",
    edit(Reference, {"heads,": "if mask is not None and mask.dim() == 4:\n"
                               "    mask = mask[:1]\n"
                               "heads,"}))

exercise.mistake("mask-after-softmax", "masks-for-all-heads",
    "The mask is applied after the softmax, so the weights left over do not sum to 1. Set the hidden "
    "scores to −∞ before it.",
    edit(Reference, {"q, k, v, mask": "q=q, k=k, v=v",
                     "return": "if mask is not None:\n"
                               "    weights = weights * mask\n"
                               "heads = weights @ v\n"
                               "return"}))

exercise.mistake("fill-too-large", "masks-for-all-heads",
    "A hidden score is set to about 0 or another ordinary number, and exp of it is not 0: hidden keys "
    "still get weight. Fill with −∞.",
    edit(Plain, {"-math.inf": "0.0"}),
    edit(Plain, {"math.inf": "1.0"}, "−1"))

exercise.mistake("mask-added", "masks-for-all-heads",
    "The mask is added to the scores as 0 and 1. It must hide: set the scores where it is False to −∞.",
    edit(Plain, {".masked_fill(~mask, -math.inf)": "+ mask"}))


exercise.mistake("mask-on-values", "masks-for-all-heads",
    "The mask is applied to the values. Set the hidden scores to −∞, before the softmax.",
    edit(Reference, {"v, mask":
                     "v if mask is None or mask.dim() < 4 or mask.shape[2] > 1 else v * mask.transpose(2, 3)"}))

exercise.mistake("always-causal", "masks-for-all-heads",
    "Later tokens are hidden though no mask asks for it. The layer hides only what the mask hides.",
    edit(Reference, {"heads,": "T, S = q.shape[-2], k.shape[-2]\nheads,",
                     "mask)": "torch.ones(T, S, dtype=torch.bool).tril(S - T))"}),
    edit(Reference, {"heads,": "T, S = q.shape[-2], k.shape[-2]\n"
                               "lower = torch.ones(T, S, dtype=torch.bool).tril()\n"
                               "heads,",
                     "v, mask": "v, lower if mask is None else mask & lower"}, "beside the mask"))

exercise.mistake("softmax-over-queries", "one-softmax",
    "The softmax runs over the queries. Each query's weights over the keys sum to 1: dim=-1.",
    edit(Plain, {"dim=-1": "dim=-2"}))

exercise.mistake("softmax-over-heads", "one-softmax",
    "The softmax runs over the heads. Each head has its own softmax over the keys: dim=-1.",
    edit(Plain, {"dim=-1": "dim=1"}),
    edit(Plain, {", dim=-1))":
                 ".transpose(1, 2).flatten(2), dim=-1).unflatten(2, (self.n_heads, -1)).transpose(1, 2))"},
         "over heads and keys"))

exercise.mistake("softmax-twice", "one-softmax",
    "The softmax is applied twice. The weights that come back from the attention are ready.",
    edit(Reference, {"return": "weights = torch.softmax(weights, dim=-1)\n"
                               "heads = weights @ v\n"
                               "return"}))

exercise.mistake("no-softmax", "one-softmax",
    "The scores are used as weights without a softmax. Take the softmax over the keys.",
    edit(Plain, {"weights = torch.nan_to_num(torch.softmax(scores, dim=-1))": "weights = scores"}),
    edit(Plain, {"-math.inf": "0.0",
                 "weights = torch.nan_to_num(torch.softmax(scores, dim=-1))": "weights = scores"},
         "masked with 0"))

exercise.mistake("nan-in-empty-rows", "masks-for-all-heads",
    "A query that may attend to nothing gets NaN, from 0/0. Set its weights to 0 before they mix the "
    "values: what is left is the bias of o_proj.",
    edit(Plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=-1)"}),
    edit(Plain, {"scores = q": "heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)\nscores = q",
                 "transpose(-2, -1)": "mT",
                 "if mask is not None:\n    scores = scores.masked_fill(~mask, -math.inf)": "",
                 "torch.nan_to_num(torch.softmax(scores, dim=-1))":
                 "torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), dim=-1)",
                 "heads = weights @ v": ""}, "in the weights alone"),
    edit(Plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=-1)",
                 "(heads)": "(torch.nan_to_num(heads))"}, "the heads cleaned, not the weights"),
    edit(Plain, {"scores.": "scores + torch.zeros_like(scores).", " torch.nan_to_num(": "",
                 "dim=-1))": "dim=-1)"}, "added −∞"))

exercise.mistake("empty-rows-without-bias", "masks-for-all-heads",
    "The output of a query that may attend to nothing is 0 here. Only its weights are 0: o_proj still adds "
    "its bias. Clean the weights, not the output.",
    edit(Reference, {"return": "output =",
                     "), weights":
                     ")\n"
                     "if mask is not None:\n"
                     "    output = output * mask.expand(weights.shape).any(-1).any(1).unsqueeze(-1)\n"
                     "return output, weights"}),
    edit(Plain, {" torch.nan_to_num(": "", "dim=-1))": "dim=-1)", "return": "return torch.nan_to_num(",
                 ", weights": "), torch.nan_to_num(weights)"}, "the output cleaned"))

exercise.mistake("uniform-empty-rows", "masks-for-all-heads",
    "A query that may attend to nothing still gets weights that sum to 1. They must be 0, so that its "
    "output is the bias of o_proj.",
    edit(Plain, {"math.inf": "1e9"}),
    edit(Reference, {"return": "scores = q @ k.mT / math.sqrt(self.d_head)\n"
                               "weights = torch.softmax(scores if mask is None else "
                               "scores.masked_fill(~mask, -1e9), dim=-1)\n"
                               "return"}, "in the weights alone"),
    edit(Plain, {".masked_fill(~mask, -math.inf)": "+ (~mask) * -1e9"}, "−1e9 added"))

exercise.mistake("nan-gradient", "masks-for-all-heads",
    "The values are right, but a query that may attend to nothing sends NaN back as its gradient. Use "
    "masked_fill on the scores, or a finite number, and set the weights to 0 afterwards.",
    edit(Plain, {"scores.": "scores + torch.zeros_like(mask, dtype=scores.dtype)."}))

exercise.mistake("dtype-fixed", "table-of-shapes",
    "float64 inputs do not give float64 results: some tensor is made or cast as float32. Give new tensors "
    "the dtype of x.",
    edit(Reference, {"return": "maps = torch.zeros(weights.shape)\n"
                               "maps[:] = weights\n"
                               "return",
                     "), weights": "), maps"}, "weights in a float32 tensor"),
    edit(Reference, {"return": "joined = torch.zeros(*x.shape[:2], self.n_heads * self.d_head)\n"
                               "for h in range(self.n_heads):\n"
                               "    joined[..., h * self.d_head:(h + 1) * self.d_head] = heads[:, h]\n"
                               "return",
                     "merge_heads(heads)": "joined"}, "heads in a float32 tensor"),
    edit(Reference, {"q, k, v": "q.float(), k.float(), v.float()",
                     "(heads)": "(heads).to(x.dtype)"}, "everything in float32"))

exercise.mistake("fixed-sizes", "table-of-shapes", "A number of heads is written into the code. Use n_heads.",
    edit(Plain, {"scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)\n"
                 "if mask is not None:\n"
                 "    scores = scores.masked_fill(~mask, -math.inf)":
                 "pairs = [scaled_dot_product_attention(q[:, h], k[:, h], v[:, h], mask if mask is None "
                 "or mask.dim() < 4 else mask.expand(len(x), self.n_heads, -1, -1)[:, h], ) for h in (0, "
                 "min(1, self.n_heads - 1)) ]\n"
                 "heads = torch.stack([pair[0] for pair in pairs][: self.n_heads], 1)",
                 "nan_to_num(torch.softmax(scores, dim=-1))":
                 "stack([pair[1] for pair in pairs][: self.n_heads], 1)",
                 "heads = weights @ v": ""}, "two heads"))

exercise.mistake("matrix-not-transposed", "output-projection",
    "The matrix of a layer is used as it is. nn.Linear keeps a row for each number that it makes: call the "
    "layer, or multiply with weight.T.",
    edit(Reference, {"self.o_proj(merge_heads(heads))":
                     "merge_heads(heads) @ self.o_proj.weight + self.o_proj.bias"}, "o_proj"),
    edit(Reference, {"self.q_proj(x)": "x @ self.q_proj.weight + self.q_proj.bias",
                     "self.k_proj(memory)": "memory @ self.k_proj.weight + self.k_proj.bias",
                     "self.v_proj(memory)": "memory @ self.v_proj.weight + self.v_proj.bias",
                     "self.o_proj(merge_heads(heads))":
                     "merge_heads(heads) @ self.o_proj.weight + self.o_proj.bias"}, "all four"),
    edit(Reference, {"self.q_proj(x)": "x @ self.q_proj.weight + self.q_proj.bias",
                     "self.k_proj(memory)": "memory @ self.k_proj.weight + self.k_proj.bias",
                     "self.v_proj(memory)": "memory @ self.v_proj.weight + self.v_proj.bias"},
         "queries, keys and values"))

exercise.mistake("weights-transposed-inside", "one-map-a-head",
    "The weights are transposed before they mix the values. A row is a query and a column a key: weights "
    "times values.",
    edit(Plain, {"weights @ v": "weights.transpose(-2, -1) @ v"}),
    edit(Reference, {"return": 'heads = torch.einsum("bhts,bhtk->bhsk", weights, v)\nreturn'},
         "the given attention"))

exercise.mistake("output-width", "output-projection",
    "o_proj does not lead from n_heads · d_head to d_model. It takes all heads, laid side by side.",
    edit(Reference, {"inner,": "self.d_head,"}, "a mean of the heads"),
    edit(Reference, {"inner, d_model": "self.d_head, self.d_head"}, "head by head"))

exercise.mistake("norm-added", "output-projection",
    "There is one normalization too many. It belongs to the layer around attention, not in here.",
    edit(Reference, {"def forward": "    self.norm = nn.LayerNorm(d_model)\ndef forward",
                     "return": "return self.norm(", "heads))": "heads)))"}),
    edit(Reference, {"memory =": "x = F.layer_norm(x, x.shape[-1:])\nmemory ="}, "before the projections"),
    edit(Reference, {"memory =": "x = F.layer_norm(x, x.shape[-1:])\nmemory =",
                     "else memory": "else F.layer_norm(memory, memory.shape[-1:])"}, "both inputs"),
    edit(Reference, {"merge_heads(heads)": "F.layer_norm(merge_heads(heads), (self.n_heads * self.d_head,))"},
         "the merged heads"))

exercise.mistake("width-from-d-model", "table-of-shapes",
    "Where d_head is given, a width is still taken from d_model. A head is d_head wide, and the merged "
    "heads n_heads · d_head.",
    edit(Reference, {"return": "B, T, D = x.shape\nreturn",
                     "merge_heads(heads)": "heads.transpose(1, 2).reshape(B, T, D)"}, "the merged heads"),
    edit(Reference, {"else memory":
                     "else memory\n"
                     "def cut(t):\n"
                     "    return t.view(t.shape[0], t.shape[1], self.n_heads, width).transpose(1, 2)\n"
                     "width = x.shape[-1] // self.n_heads",
                     Q: "q, k, v = cut(self.q_proj(x)), cut(self.k_proj(memory)), cut(self.v_proj(memory))",
                     K_V: ""}, "a head"))

exercise.mistake("wrong-offset", "splitting-heads",
    "Head h starts at column h here. It owns the columns from h · d_head on.",
    edit(PlainOther, {"h * self.d_head, (h + 1) *": "h , h +"}, "a loop"))


class NoGradient(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_head or d_model // n_heads
        inner = n_heads * self.d_head
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(d_model, inner) for _ in range(3))
        self.o_proj = nn.Linear(inner, d_model)

    def forward(self, x, memory=None, mask=None):
        with torch.no_grad():
            source = x if memory is None else memory
            q, k, v = (split_heads(layer(t), self.n_heads) for layer,
                       t in ((self.q_proj, x), (self.k_proj, source), (self.v_proj, source)))
            heads, weights = scaled_dot_product_attention(q, k, v, mask)
            return self.o_proj(merge_heads(heads)), weights


exercise.built_in("no-gradient",
    edit(Reference, {"(heads)": "(heads.detach())"}, "the results detached"),
    full(NoGradient, "no_grad"),
    edit(Reference, {Q_K_V:
                     "q, k, v = (split_heads(F.linear(t, layer.weight.data, layer.bias.data), "
                     "self.n_heads) for t, layer in ((x, self.q_proj), (memory, self.k_proj), (memory, "
                     "self.v_proj)))"}, "the layers' data"),
    edit(Reference, {"heads, weights =": "weights =",
                     "mask)": "mask)[1].detach()\nheads = weights @ v"}, "the weights detached before they mix"))

exercise.built_in("changes-input",
    edit(Plain, {"else memory": "else memory\n"
                                "if mask is not None:\n"
                                "    mask.logical_not_()",
                 "~mask": "mask"}, "the mask"),
    edit(Reference, {"memory =": "kept = x.clone()\n"
                                 "with torch.no_grad():\n"
                                 "    x.zero_()\n"
                                 "x = kept\n"
                                 "memory ="}, "x"))

exercise.built_in("returns-nothing",
    edit(Reference, {"return": "output ="}))


class ReadyMade(nn.Module):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__()
        from allyouneed.nn.multihead import MultiHeadAttention as Ready
        self.inner = Ready(d_model, n_heads, d_head)
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (self.inner.q_proj, self.inner.k_proj,
                                                              self.inner.v_proj, self.inner.o_proj)

    def forward(self, x, memory=None, mask=None):
        return self.inner(x, memory, mask)


class ReadyMadeSubclass(__import__("allyouneed.nn.multihead").nn.multihead.MultiHeadAttention):
    def __init__(self, d_model, n_heads, d_head=None):
        super().__init__(d_model, n_heads, d_head)

    def forward(self, x, memory=None, mask=None):
        return super().forward(x, memory, mask)


exercise.built_in("ready-made",
    edit(Reference, {"def forward":
                     "    self.layer = nn.MultiheadAttention(d_model, n_heads, batch_first=True)\n"
                     "def forward",
                     "q = split_heads(self.q_proj(x), self.n_heads)\n"
                     "k = split_heads(self.k_proj(memory), self.n_heads)\n"
                     "v = split_heads(self.v_proj(memory), self.n_heads)\n"
                     "heads, weights = scaled_dot_product_attention(q, k, v, mask)\n"
                     "return self.o_proj(merge_heads(heads)), weights":
                     "return self.layer(x, memory, memory, attn_mask=None if mask is None else ~mask, "
                     "average_attn_weights=False)"}),
    edit(Reference, {Q: "biases = torch.cat([self.q_proj.bias, self.k_proj.bias, self.v_proj.bias])",
                     K_TO_WEIGHTS:
                     "x, memory = x.transpose(0, 1), memory.transpose(0, 1)\n"
                     "output, weights = F.multi_head_attention_forward(x, memory, memory, x.shape[-1], "
                     "self.n_heads, None, biases, None, None, False, 0.0, self.o_proj.weight, "
                     "self.o_proj.bias, use_separate_proj_weight=True, q_proj_weight=self.q_proj.weight, "
                     "k_proj_weight=self.k_proj.weight, v_proj_weight=self.v_proj.weight, "
                     "average_attn_weights=False, )",
                     "self.o_proj(merge_heads(heads))": "output.transpose(0, 1)"}, "torch's function"),
    full(ReadyMade, "the library's own inside"),
    full(ReadyMadeSubclass, "a subclass of the library's"))


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


exercise.built_in("timeout",
    full(Timeout))

exercise.equal("a memory has one item for each item of x", {"len(x)": "len(memory)"})
exercise.equal("when an axis moves to the next place, the two change places",
    {"movedim(1, 0)": "movedim(0, 1)", "movedim(0, 1)": "movedim(1, 0)"})
exercise.equal("min takes its numbers in any order", {"h, mask.shape[-3] - 1": "mask.shape[-3] - 1, h"})
exercise.equal("gradients come back through the output alone", {"with torch.no_grad():": "if True:"})
exercise.equal("nan_to_num writes 0 unless told otherwise", {", nan=0.0": ""})
exercise.equal("one identity matrix serves all items and heads", {".expand(*k.shape[:-1], k.shape[-2])": ""})
