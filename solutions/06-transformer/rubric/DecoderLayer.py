"""DecoderLayer: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch
import torch.nn.functional as F
from allyouneed.nn.attention import causal_mask, scaled_dot_product_attention
from allyouneed.check.compare import difference
from allyouneed.check.drivers import ask
from allyouneed.check.wire import decode
from allyouneed.nn.layers import LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention, merge_heads, split_heads
from torch import nn

from coursegrader.rubric import Exercise, Relation, edit, every, full

exercise = Exercise(
    "DecoderLayer",
    points={"norm last": 3, "norm first": 1, "masks": 1, "empty rows": 1},
    section="decoder-layer",
    driver="transformer_layer",
    forbid=("TransformerDecoderLayer", "TransformerDecoder", "TransformerEncoderLayer", "TransformerEncoder",
            "Transformer",
            "transformer_encoder_layer_fwd", "Block", "PostNormBlock", "DecoderBlock", "PostNormDecoderBlock"),
    properties=[{"rule": "finite"}],
    relations=[
        Relation("a hidden token of memory", "another hidden token of memory",
                 "Changing a token of memory that memory_mask hides from everyone changed the result.")],
)


@exercise.probes
def probes(make):
    def drawn(shapes, dtype):
        """Weights for the parts, which the driver names; scores stay small, so that no key is left without
        weight."""
        def scale(name):
            if name.startswith("norm"):
                return 0.4 if name.endswith("weight") else 0.5
            return (3.0 if dtype == torch.float64 else 0.7) * (
                0.5 if "q_proj" in name or "k_proj" in name else 1.0)

        return {name: make.randn(*shape, dtype=dtype, scale=scale(name))
                + (name.startswith("norm") and name.endswith("weight"))
                for name, shape in shapes.items()}

    def layer(d_model, n_heads, d_ff, norm_first=None, keyword=False, dtype=torch.float32, **more):
        """What the driver builds."""
        sizes = {f"{part}.{name}_proj": (d_model, d_model) for part in ("attention", "cross_attention")
                 for name in "qkvo"}
        sizes |= {"up": (d_ff, d_model), "down": (d_model, d_ff)}
        shapes = {f"{name}.{kind}": size if kind == "weight" else size[:1] for name,
                  size in sizes.items() for kind in ("weight", "bias")}
        shapes |= {f"{norm}.{kind}": (d_model,) for norm in ("norm1", "norm2", "norm3")
                   for kind in ("weight", "bias")}
        arguments = (d_model, n_heads, d_ff) + ((norm_first,)
                                                if norm_first is not None and not keyword else ())
        return {"arguments": arguments, "keywords": {"norm_first": norm_first} if keyword else {},
                "weights": drawn(shapes, dtype),
                "gradients": ["attention.v_proj.weight", "cross_attention.k_proj.weight", "up.weight",
                              "norm3.bias"]} | more

    def probe(name, built, *inputs, group, **marks):
        """A probe on which another ε shows by no more than rounding does: no token on the way has nearly
        equal numbers."""
        while True:
            made = make.probe(name, built, *inputs, group=group, **marks)
            answers = [ask(candidate, "transformer_layer", made) for candidate in (Reference, SmallerEps)]
            if difference(*answers) is None:
                return made
            weights = built["weights"]
            built = built | {"weights": drawn({part: value.shape for part, value in weights.items()},
                                              weights["up.weight"].dtype)}
            inputs = tuple(make.randn(*item.shape, dtype=item.dtype, scale=round(float(item.std()), 1))
                           if item.is_floating_point() else item for item in inputs)

    x = make.randn
    group = {"group": "norm last"}
    yield probe("two tokens", layer(4, 2, 6), x(1, 2, 4, scale=3.0), x(1, 2, 4), gradient=True, **group)
    sizes = make.pick((2, 3, 6), (3, 4, 6), (2, 5, 6))
    yield probe("two items", layer(6, 3, make.pick(10, 8, 9)), x(*sizes, scale=3.0), x(*sizes), **group)
    yield probe("memory of another length", layer(4, 2, 5), x(2, 3, 4, scale=3.0),
                x(2, make.pick(5, 4, 7), 4), edge=True, **group)
    yield probe("a short memory, by its name", layer(4, 2, 7, False, keyword=True), x(1, 4, 4, scale=3.0),
                memory=x(1, 1, 4), edge=True, **group)
    yield probe("as many items as tokens", layer(4, 2, 6), x(3, 3, 4, scale=3.0), x(3, 3, 4), edge=True,
                **group)
    yield probe("in training mode", layer(4, 2, 6, False, training=True), x(1, 3, 4, scale=3.0), x(1, 3, 4),
                **group)
    yield probe("float64", layer(4, 2, 6, dtype=torch.float64), x(1, 3, 4, dtype=torch.float64, scale=20.0),
                x(1, 2, 4, dtype=torch.float64), edge=True, gradient=True, **group)
    yield probe("large numbers", layer(4, 2, 6), x(1, 3, 4, scale=200.0), x(1, 3, 4, scale=50.0), long=True,
                **group)
    yield probe("not contiguous", layer(4, 2, 6), x(2, 3, 4, scale=3.0), x(2, 5, 4), long=True, strided=True,
                **group)
    yield probe("a long sequence", layer(4, 2, 6), x(1, 140, 4, scale=3.0), x(1, 135, 4), long=True, **group)

    group = {"group": "norm first"}
    yield probe("norm first, two tokens", layer(4, 2, 6, True), x(1, 2, 4, scale=3.0), x(1, 2, 4),
                gradient=True, **group)
    sizes = make.pick((2, 4, 6), (2, 5, 6), (3, 3, 6))
    yield probe("norm first, two items", layer(6, 2, make.pick(9, 10, 7), True, keyword=True),
                x(*sizes, scale=3.0), x(*sizes), **group)
    yield probe("norm first, memory of another length", layer(4, 2, 6, True, dtype=torch.float64),
                x(2, 3, 4, dtype=torch.float64, scale=20.0), x(2, 4, 4,
                                                               dtype=torch.float64), edge=True, **group)

    group = {"group": "masks"}
    causal = torch.ones(3, 3, dtype=torch.bool).tril()
    yield probe("a causal target mask", layer(4, 2, 6), x(2, 3, 4, scale=3.0), x(2, 3, 4), target_mask=causal,
                **group)
    hidden = torch.tensor([True, False, True])[None, None, None]
    made = probe("a hidden token of memory", layer(4, 2, 6), x(1, 3, 4, scale=3.0), x(1, 3, 4),
                 memory_mask=hidden, **group)
    yield made
    built, first, memory = decode(made["args"])
    memory[:, 1] = x(4)
    yield probe("another hidden token of memory", built, first, memory, memory_mask=hidden, long=True,
                **group)
    yield probe("both masks", layer(4, 2, 6), x(2, 3, 4, scale=3.0), x(2, 3, 4),
                target_mask=make.rand_mask(3, 3), memory_mask=make.rand_mask(2, 1, 3, 3), **group)
    yield probe("norm first, both masks", layer(4, 2, 6, True), x(1, 3, 4, scale=3.0), x(1, 3, 4),
                target_mask=causal, memory_mask=make.rand_mask(1, 1, 1, 3),
                gradient=True, **group)
    yield probe("both masks, not by their names", layer(4, 2, 6), x(2, 3, 4, scale=3.0), x(2, 3, 4), causal,
                make.rand_mask(3, 3), edge=True, **group)
    lengths = torch.arange(5) < torch.tensor([[5], [2]])
    yield probe("padding in a longer memory", layer(4, 2, 6), x(2, 3, 4, scale=3.0), x(2, 5, 4),
                target_mask=causal, memory_mask=lengths[:, None, None, :],
                edge=True, **group)
    yield probe("a mask for each head", layer(4, 2, 6, True), x(2, 3, 4, scale=3.0), x(2, 4, 4),
                target_mask=make.rand_mask(2, 2, 3, 3), long=True, **group)

    group = {"group": "empty rows", "edge": True, "gradient": True}
    empty = torch.tensor([[False, False, False], [True, True, False], [True, False, True]])
    yield probe("a target token that may attend to nothing", layer(4, 2, 6), x(1, 3, 4, scale=3.0),
                x(1, 3, 4), target_mask=empty, memory_mask=empty.flip(0), **group)
    nothing = torch.tensor([[1, 1, 0], [0, 0, 0]], dtype=torch.bool)[:, None, None, :]
    yield probe("norm first, an empty memory", layer(4, 2, 6, True), x(2, 3, 4, scale=3.0), x(2, 3, 4),
                target_mask=empty, memory_mask=nothing, **group)
    earlier = (x(2, 3, 4), x(2, 3, 4)), {"target_mask": causal, "memory_mask": make.rand_mask(3, 3)}
    yield probe("after a call with another memory and masks", layer(4, 2, 6, earlier=earlier),
                x(2, 3, 4, scale=3.0), x(2, 3, 4), group="masks", edge=True)
    yield probe("a memory mask for each head", layer(4, 2, 6), x(2, 3, 4, scale=3.0), x(2, 4, 4),
                memory_mask=make.rand_mask(2, 2, 3, 4), group="masks", edge=True)


@exercise.right
class Reference(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = (MultiHeadAttention(d_model, n_heads),
                                      MultiHeadAttention(d_model, n_heads))
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model), nn.LayerNorm(d_model),
                                              nn.LayerNorm(d_model))

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


class SmallerEps(Reference):
    """The reference with a smaller ε."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        for part in self.modules():
            if isinstance(part, nn.LayerNorm):
                part.eps = 1e-6

@exercise.right("Sequential and a closure for the branch, defined last to first")
class SequentialClosure(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.norms = nn.ModuleList([nn.LayerNorm(d_model) for _ in range(3)])
        self.mlp = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
        self.source_attention = MultiHeadAttention(d_model, n_heads)
        self.target_attention = MultiHeadAttention(d_model, n_heads)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        def branch(x, norm, layer):
            return x + layer(norm(x)) if self.norm_first else norm(x + layer(x))

        x = branch(x, self.norms[2], lambda y: self.target_attention(y, mask=target_mask)[0])
        x = branch(x, self.norms[0], lambda y: self.source_attention(y, memory=memory, mask=memory_mask)[0])
        return branch(x, self.norms[1], self.mlp)


@exercise.right("the library's norm and feed-forward")
class LibraryNorm(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.attentions = nn.ModuleList(MultiHeadAttention(d_model, n_heads) for _ in range(2))
        from allyouneed.nn.layers import FeedForward

        self.ff = FeedForward(d_model, d_ff)
        self.a, self.b, self.c = (LayerNorm(d_model) for _ in range(3))
        self.pre = norm_first

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        mine, theirs = self.attentions
        if self.pre:
            y = self.a(x)
            x = x + mine(y, y, target_mask)[0]
            x = x + theirs(self.b(x), memory, memory_mask)[0]
            return x + self.ff(self.c(x))
        x = self.a(mine(x, x, target_mask)[0] + x)
        x = self.b(theirs(x, memory, memory_mask)[0] + x)
        return self.c(self.ff(x) + x)


@exercise.right("an attention class of its own, and direct calls of forward")
class AttentionClass(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()

        class Attention(nn.Module):
            def __init__(self):
                super().__init__()
                self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(d_model, d_model)
                                                                      for _ in range(4))

            def forward(self, x, source, mask):
                q, k, v = (split_heads(t, n_heads)
                           for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
                return self.o_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0]))

        self.second, self.first = Attention(), Attention()
        self.hidden, self.out = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.ln3, self.ln2, self.ln1 = (nn.LayerNorm(d_model) for _ in range(3))
        self.norm_first = norm_first

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            y = self.ln1.forward(x)
            x = x + self.first.forward(y, y, target_mask)
            x = x + self.second.forward(self.ln2.forward(x), memory, memory_mask)
            return x + self.out.forward(self.hidden.forward(self.ln3.forward(x)).relu())
        x = self.ln1.forward(x + self.first.forward(x, x, target_mask))
        x = self.ln2.forward(x + self.second.forward(x, memory, memory_mask))
        return self.ln3.forward(x + self.out.forward(self.hidden.forward(x).relu()))


@exercise.right("norms before and after chosen by the flag")
class Norms(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = (MultiHeadAttention(d_model, n_heads),
                                      MultiHeadAttention(d_model, n_heads))
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model), nn.LayerNorm(d_model),
                                              nn.LayerNorm(d_model))

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        def nothing(y):
            return y

        steps = ((self.norm1, lambda y: self.attention(y, None, target_mask)),
                 (self.norm2, lambda y: self.cross(y, memory, memory_mask)),
                 (self.norm3, lambda y: (self.down(torch.relu(self.up(y))), None)))
        for norm, layer in steps:
            before, after = (norm, nothing) if self.norm_first else (nothing, norm)
            x = after(x + layer(before(x))[0])
        return x


@exercise.right("a ModuleDict, and dropout of 0")
class Moduledict(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.parts = nn.ModuleDict({"cross": MultiHeadAttention(d_model, n_heads),
                                    "self": MultiHeadAttention(d_model, n_heads),
                                    "ff": nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(),
                                                        nn.Linear(d_ff, d_model), nn.Dropout(0.0))})
        for name in ("ff_norm", "cross_norm", "self_norm"):
            self.parts[name] = nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        p = self.parts
        for name, source, mask in (("self", None, target_mask), ("cross", memory, memory_mask),
                                   ("ff", None, None)):
            y = p[name + "_norm"](x) if self.norm_first else x
            y = x + (p["ff"](y) if name == "ff" else p[name](y, source, mask)[0])
            x = y if self.norm_first else p[name + "_norm"](y)
        return x


@exercise.right("step by step")
class Plain(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.q_proj, self.k_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.v_proj, self.o_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x, memory=None, mask=None):
            memory = x if memory is None else memory
            q, k, v = (
                t.reshape(len(t), -1, self.n_heads, t.shape[-1] // self.n_heads).transpose(1, 2)
                for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory))
            )
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -torch.inf)
            weights = torch.nan_to_num(scores.softmax(-1))
            out = (weights @ v).transpose(1, 2).flatten(2)
            return self.o_proj(out), weights

    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = self.Attention(d_model, n_heads), self.Attention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (
            nn.LayerNorm(d_model),
            nn.LayerNorm(d_model),
            nn.LayerNorm(d_model),
        )

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


SELF_ATTENTION_S_RESULT = {"x = x + self.down": "x = y + self.down"}
X = ("x = x + self.attention(self.norm1(x), mask=target_mask)[0]\n"
     "x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]")
NORM2 = "self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])"
NORM2_2 = "self.norm2(x + self.cross(self.norm2(x), memory, mask=memory_mask)[0])"
NORM1 = "self.norm1(x + self.attention(self.norm1(x), mask=target_mask)[0])"
NORM1_2 = "self.norm1(x + self.attention(x, mask=target_mask)[0])"
CROSS = "cross(self.norm2(x), memory, mask=memory_mask)[0]"

exercise.also_right(
    edit(Reference, {"(d_model), nn.LayerNorm(d_model),\n"
                     "                                      nn.LayerNorm(d_model)":
                     "(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6)",
                     "(F.relu(self.up(self.norm3(x))))": "(self.up(self.norm3(x)).clamp(min=0))",
                     "F.relu(self.up(x))": "self.up(x).clamp(min=0)"}, "another eps, relu as a clamp"),
    edit(Reference, {"if": "B, T, S = x.shape[0], x.shape[1], memory.shape[1]\n"
                           "if target_mask is None:\n"
                           "    target_mask = torch.ones(T, T, dtype=torch.bool)\n"
                           "if memory_mask is None:\n"
                           "    memory_mask = torch.ones(B, 1, 1, S, dtype=torch.bool)\n"
                           "if"}, "masks of all True where none are given"))

exercise.mistake("residual-missing-self", "residual-connection",
    "The residual connection around the self-attention is missing. Add its result to what went into it.",
    edit(Reference, {"x = x + self.attention": "x = self.attention", "norm1(x +": "norm1("}),
    edit(Reference, {"norm1(x +": "norm1("}, "norm last only"),
    edit(Reference, {"x = x + self.attention": "x = self.attention"}, "norm first only"))

exercise.mistake("residual-missing-cross", "residual-connection",
    "The residual connection around the cross-attention is missing. Add its result to what went into it.",
    edit(Reference, {"x = x + self.cross": "x = self.cross", "norm2(x +": "norm2("}),
    edit(Reference, {"norm2(x +": "norm2("}, "norm last only"),
    edit(Reference, {"x = x + self.cross": "x = self.cross"}, "norm first only"))

exercise.mistake("residual-missing-feed-forward", "residual-connection",
    "The residual connection around the feed-forward network is missing. Add its result to what went into "
    "it.",
    edit(Reference, {"x = x + self.down": "x = self.down", "norm3(x +": "norm3("}),
    edit(Reference, {"norm3(x +": "norm3("}, "norm last only"),
    edit(Reference, {"x = x + self.down": "x = self.down"}, "norm first only"))

exercise.mistake("residuals-missing", "residual-connection",
    "Two or more residual connections are missing. Add each branch's result to what went into it.",
    edit(Reference, {every("x +"): ""}),
    edit(Reference, {every("(x +"): "("}, "norm last only"),
    edit(Reference, {every("= x +"): "= "}, "norm first only"),
    edit(Reference, {"x = x + self.attention": "x = self.attention", "x = x + self.cross": "x = self.cross",
                     "norm1(x +": "norm1(", "norm2(x +": "norm2("}, "two of three, attentions"))

exercise.mistake("residual-from-normed", "residual-from-normed-x",
    "With norm_first, the branch is added to the normalized x. Add it to x itself: the norm belongs to the "
    "branch alone.",
    edit(Reference, {"norm_first:": "norm_first:\n    x = self.norm1(x)", "self.norm1(x)": "x",
                     "x = x + self.cross": "x = self.norm2(x)\nx = x + self.cross", "self.norm2(x)": "x",
                     "x = x + self.down": "x = self.norm3(x)\nx = x + self.down",
                     "self.norm3(x))))": "x)))"}, "all"),
    edit(Reference, {"norm_first:": "norm_first:\n    x = self.norm1(x)", "self.norm1(x)": "x"}, "self"),
    edit(Reference, {"x = x + self.cross": "x = self.norm2(x)\nx = x + self.cross",
                     "self.norm2(x)": "x"}, "cross"),
    edit(Reference, {"x = x + self.down": "x = self.norm3(x)\nx = x + self.down",
                     "self.norm3(x))))": "x)))"}, "feed-forward"))

exercise.mistake("residual-from-the-start", "residual-stream",
    "A later branch is added to something older: the layer's input, or what an earlier branch has left. "
    "Add it to what the branch just before it has left.",
    edit(Reference, {"x = x + self.attention": "y = x + self.attention",
                     "x = x + self.cross": "y = x + self.cross", "norm2(x)": "norm2(y)",
                     "norm3(x)": "norm3(y)", "x = self.norm1": "y = self.norm1",
                     "x = self.norm2": "y = self.norm2", "cross(x": "cross(y", "up(x)": "up(y)"}),
    edit(Reference, {"x = self.norm1": "y = self.norm1", "x = self.norm2": "y = self.norm2",
                     "cross(x": "cross(y", "up(x)": "up(y)"}, "norm last only"),
    edit(Reference, {"x = x + self.attention": "y = x + self.attention",
                     "x = x + self.cross": "y = x + self.cross", "norm2(x)": "norm2(y)",
                     "norm3(x)": "norm3(y)"}, "norm first only"),
    edit(Reference, {"x = x + self.attention": "y = x + self.attention",
                     "x = x + self.cross": "y = y + self.cross", "norm2(x)": "norm2(y)",
                     "norm3(x)": "norm3(y)", "x = self.norm1": "y = self.norm1",
                     "x = self.norm2(x + self.cross(x": "y = self.norm2(y + self.cross(y",
                     "up(x)": "up(y)"}, "feed-forward"),
    edit(Reference, {"x = x + self.attention": "y = x + self.attention", "norm2(x)": "norm2(y)",
                     "x = self.norm1": "y = self.norm1", "cross(x": "cross(y"}, "cross"),
    edit(Reference, {"x = self.norm1": "y = self.norm1", "cross(x": "cross(y"}, "cross, norm last only"),
    edit(Reference, {"x = x + self.attention": "y = x + self.attention", "norm2(x)": "norm2(y)"},
         "cross, norm first only"),
    edit(Reference, SELF_ATTENTION_S_RESULT | {"x = x + self.attention": "y = x + self.attention",
                                               "x = x + self.cross": "z = y + self.cross",
                                               "norm2(x)": "norm2(y)", "norm3(x)": "norm3(z)",
                                               "x = self.norm1": "y = self.norm1",
                                               "x = self.norm2(x + self.cross(x":
                                               "z = self.norm2(y + self.cross(y",
                                               "norm3(x +": "norm3(y +",
                                               "up(x)": "up(z)"},
         "feed-forward network, the self-attention's result"),
    edit(Reference, {"x = self.norm1": "y = self.norm1",
                     "x = self.norm2(x + self.cross(x": "z = self.norm2(y + self.cross(y",
                     "norm3(x +": "norm3(y +",
                     "up(x)": "up(z)"}, "feed-forward network, the self-attention's result, norm last only"),
    edit(Reference, SELF_ATTENTION_S_RESULT | {"x = x + self.attention": "y = x + self.attention",
                                               "x = x + self.cross": "z = y + self.cross",
                                               "norm2(x)": "norm2(y)",
                                               "norm3(x)": "norm3(z)"},
         "feed-forward network, the self-attention's result, norm first only"))

exercise.mistake("norm-first-ignored", "pre-norm-post-norm",
    "norm_first changes nothing: the norm always comes after the sum. With norm_first=True it is x + "
    "f(norm(x)).",
    edit(Reference, {"x + self.attention(self.norm1(x), mask=target_mask)[0]": NORM1_2,
                     "x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]": NORM2,
                     "= x + self.down": "=self.norm3(x + self.down", "self.norm3(x)": "x)"}))

exercise.mistake("norm-first-always", "pre-norm-post-norm",
    "The norm always comes first. With norm_first=False, the default, it is norm(x + f(x)).",
    edit(Reference, {NORM1_2: "x + self.attention(self.norm1(x), mask=target_mask)[0]",
                     NORM2: "x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]", " self.norm3(": "",
                     "up(x)": "up(self.norm3(x)"}))

exercise.mistake("norm-first-inverted", "pre-norm-post-norm",
    "norm_first works the wrong way round. False is norm(x + f(x)), True is x + f(norm(x)).",
    edit(Reference, {"norm_first:": "norm_first:\n"
                                    "    x = self.norm1(x + self.attention(x, mask=target_mask)[0])\n"
                                    "    x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])\n"
                                    "    x = self.norm3(x + self.down(F.relu(self.up(x))))\n"
                                    "else:",
                     "else:\n"
                     "    x = self.norm1(x + self.attention(x, mask=target_mask)[0])\n"
                     "    x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])\n"
                     "    x = self.norm3(x + self.down(F.relu(self.up(x))))":
                     ""}))

exercise.mistake("norm-on-the-branch-only", "pre-norm-post-norm",
    "The norm is applied to the branch's result before the sum. With norm_first=False normalize the sum, "
    "norm(x + f(x)); with norm_first=True what goes into the branch.",
    edit(Reference, {"attention(self.norm1(x), mask=target_mask)[0]":
                     "norm1(self.attention(x, mask=target_mask)[0])",
                     CROSS: "norm2(self.cross(x, memory, mask=memory_mask)[0])",
                     "x = x + self.down": "x = x + self.norm3(self.down", "self.norm3(x)": "x)",
                     "self.norm1(x +": "x + self.norm1(", "self.norm2(x +": "x + self.norm2(",
                     "self.norm3(x +": "x + self.norm3("}),
    edit(Reference, {"= self.norm1": "=x + self.norm1", every("(x +"): "(",
                     "= self.norm2": "=x + self.norm2", "= self.norm3": "=x + self.norm3"}, "norm last only"),
    edit(Reference, {"attention(self.norm1(x), mask=target_mask)[0]":
                     "norm1(self.attention(x, mask=target_mask)[0])",
                     CROSS: "norm2(self.cross(x, memory, mask=memory_mask)[0])",
                     "x = x + self.down": "x = x + self.norm3(self.down",
                     "self.norm3(x)": "x)"}, "norm first only"))

exercise.mistake("norm-too-many", "pre-norm-post-norm",
    "There is one normalization too many. Each branch has one: after its sum, or, with norm_first, before "
    "the branch and nowhere else.",
    edit(Reference, {"x + self.attention(self.norm1(x), mask=target_mask)[0]": NORM1},
         "after the first sum too"),
    edit(Reference, {"x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]": NORM2_2},
         "after the second sum too"),
    edit(Reference, {"x + self.attention(self.norm1(x), mask=target_mask)[0]": NORM1,
                     "x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]": NORM2_2},
         "after the first two sums too"),
    edit(Reference, {"else": "    x = self.norm3(x)\nelse"}, "at the end"),
    edit(Reference, {"x + self.attention(self.norm1(x), mask=target_mask)[0]": NORM1,
                     "x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]": NORM2_2,
                     "= x + self.down": "=self.norm3(x + self.down",
                     "norm3(x))))": "norm3(x)))))"}, "both sides"))

exercise.mistake("norm-left-out-self", "layer-normalization",
    "The norm of the self-attention's branch is not applied. Each of the three branches has one.",
    edit(Reference, {"self.norm1(x)": "x", " self.norm1(": "", "target_mask)[0])": "target_mask)[0]"}),
    edit(Reference, {" self.norm1(": "", "target_mask)[0])": "target_mask)[0]"}, "norm last only"),
    edit(Reference, {"self.norm1(x)": "x"}, "norm first only"))

exercise.mistake("norm-left-out-cross", "layer-normalization",
    "The norm of the cross-attention's branch is not applied. Each of the three branches has one.",
    edit(Reference, {"self.norm2(x)": "x", " self.norm2(": "", "memory_mask)[0])": "memory_mask)[0]"}),
    edit(Reference, {" self.norm2(": "", "memory_mask)[0])": "memory_mask)[0]"}, "norm last only"),
    edit(Reference, {"self.norm2(x)": "x"}, "norm first only"))

exercise.mistake("norm-left-out-feed-forward", "layer-normalization",
    "The norm of the feed-forward branch is not applied. Each of the three branches has one.",
    edit(Reference, {"self.norm3(x))))": "x)))", " self.norm3(": "", "up(x))))": "up(x)))"}),
    edit(Reference, {" self.norm3(": "", "up(x))))": "up(x)))"}, "norm last only"),
    edit(Reference, {"self.norm3(x))))": "x)))"}, "norm first only"))

exercise.mistake("norms-left-out", "layer-normalization",
    "The norms are made but not applied. Each branch has one.",
    edit(Reference, {"self.norm1(x)": "x", "self.norm2(x)": "x", "self.norm3(x))))": "x)))",
                     " self.norm1(": "", "target_mask)[0])": "target_mask)[0]", " self.norm2(": "",
                     "memory_mask)[0])": "memory_mask)[0]", " self.norm3(": "", "up(x))))": "up(x)))"}),
    edit(Reference, {" self.norm1(": "", "target_mask)[0])": "target_mask)[0]", " self.norm2(": "",
                     "memory_mask)[0])": "memory_mask)[0]", " self.norm3(": "",
                     "up(x))))": "up(x)))"}, "norm last only"),
    edit(Reference, {"self.norm1(x)": "x", "self.norm2(x)": "x",
                     "self.norm3(x))))": "x)))"}, "norm first only"))

exercise.mistake("norm-shared", "layer-normalization",
    "Each branch has a norm of its own. Make as many as there are branches, and use each once: here one is "
    "used for several, or one is missing.",
    edit(Reference, {every("norm2("): "norm1(", every("norm3("): "norm1("}, "one of three used"),
    edit(Reference, {"x = self.norm2": "x = self.norm1",
                     "x = self.norm3": "x = self.norm1"}, "one of three used, norm last only"),
    edit(Reference, {"norm2(x)": "norm1(x)", "norm3(x)": "norm1(x)"}, "one of three used, norm first only"),
    edit(Reference, {every("norm2("): "norm1("}, "the attentions' norm"),
    edit(Reference, {every("norm3("): "norm2("}, "the last norm, one unused"),
    edit(Reference, {every("norm3("): "norm1("}, "first and last"),
    edit(Reference, {", self.norm2, self.norm3 = (nn": "=nn",
                     ", nn.LayerNorm(d_model),\n"
                     "                                      nn.LayerNorm(d_model))":
                     "",
                     every("norm2("): "norm1(", every("norm3("): "norm1("}, "one made"),
    edit(Reference, {", self.norm3 = (nn": "=nn",
                     ",\n                                      nn.LayerNorm(d_model))": "",
                     every("norm3("): "norm2("}, "two made"),
    edit(Reference, {"norm2(x)": "norm1(x)"},
         "the queries of the cross-attention by the first norm, norm first only"))

exercise.mistake("norms-not-found", "layer-normalization",
    "No norms were found, or their number is not that of the branches. Keep one nn.LayerNorm or one "
    "LayerNorm of your own for each branch, as attributes or in an nn.ModuleList.",
    edit(Reference, {"self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model), nn.LayerNorm(d_model),\n"
                     "                                      nn.LayerNorm(d_model))":
                     "",
                     "self.norm1(x)": "x", "self.norm2(x)": "x", "self.norm3(x))))": "x)))",
                     " self.norm1(": "", "target_mask)[0])": "target_mask)[0]", " self.norm2(": "",
                     "memory_mask)[0])": "memory_mask)[0]", " self.norm3(": "",
                     "up(x))))": "up(x)))"}, "none made"),
    edit(Reference, {"def forward": "    self.norm4 = nn.LayerNorm(d_model)\ndef forward"}, "four made"))

exercise.mistake("norm-without-weights", "layer-normalization",
    "A norm lacks its weight or its bias. Layer normalization has both: no bias=False, no "
    "elementwise_affine=False.",
    edit(Reference, {every("LayerNorm"): "RMSNorm"}, "RMSNorm"))

exercise.mistake("norm-wrong", "layer-normalization",
    "A norm inside the layer, tried alone, is not layer normalization: it must bring each token to mean 0 "
    "and variance 1. Mend LayerNorm first, or use nn.LayerNorm.",
    edit(Reference, {"__init__()": "__init__()\n"
                                   "class Norm(nn.Module):\n"
                                   "    def __init__(self, width):\n"
                                   "        super().__init__()\n"
                                   "        self.weight, self.bias = nn.Parameter(torch.ones(width)), "
                                   "nn.Parameter(torch.zeros(width))\n"
                                   "    def forward(self, x):\n"
                                   "        return (x - x.mean(-1, keepdim=True)) / (x.var(-1, "
                                   "keepdim=True) + 1e-5).sqrt() * self.weight + self.bias",
                     every("nn.LayerNorm"): "Norm"}, "unbiased variance"))

exercise.mistake("cross-first", "order-of-sublayers",
    "The cross-attention comes before the self-attention. The order is self-attention, cross-attention, "
    "feed-forward network.",
    edit(Reference, {every("attention("): "cross(", "(x), mask": "(x), memory, mask",
                     every("=target_mask"): "=memory_mask", every("cross("): "attention(",
                     every("memory, mask"): " mask", every("=memory_mask"): "=target_mask",
                     "x, mask": "x, memory, mask"}),
    edit(Reference, {"attention(x, mask=target_mask)": "cross(x, memory, mask=memory_mask)",
                     "cross(x, memory, mask=memory_mask)": "attention(x, mask=target_mask)"},
         "norm last only"),
    edit(Reference, {"attention(self.norm1(x), mask=target_mask)":
                     "cross(self.norm1(x), memory, mask=memory_mask)",
                     "cross(self.norm2(x), memory, mask=memory_mask)":
                     "attention(self.norm2(x), mask=target_mask)"}, "norm first only"))

exercise.mistake("feed-forward-too-early", "order-of-sublayers",
    "The feed-forward network comes too early. The order is self-attention, cross-attention, feed-forward "
    "network.",
    edit(Reference, {"attention(self.norm1(x), mask=target_mask)[0]": "down(F.relu(self.up(self.norm1(x))))",
                     "cross(self.norm2(x), memory, mask=memory_mask)":
                     "attention(self.norm2(x), mask=target_mask)",
                     "down(F.relu(self.up(self.norm3(x))))":
                     "cross(self.norm3(x), memory, mask=memory_mask)[0]",
                     "attention(x, mask=target_mask)[0])": "down(F.relu(self.up(x))))",
                     "cross(x, memory, mask=memory_mask)": "attention(x, mask=target_mask)",
                     "down(F.relu(self.up(x))))": "cross(x, memory, mask=memory_mask)[0])"}, "first"),
    edit(Reference, {CROSS: "down(F.relu(self.up(self.norm2(x))))",
                     "down(F.relu(self.up(self.norm3(x))))":
                     "cross(self.norm3(x), memory, mask=memory_mask)[0]",
                     "cross(x, memory, mask=memory_mask)[0])": "down(F.relu(self.up(x))))",
                     "down(F.relu(self.up(x))))": "cross(x, memory, mask=memory_mask)[0])"}, "second"))

exercise.mistake("self-attention-left-out", "decoder-layer",
    "The self-attention is not used. It comes first: the target attends to itself.",
    edit(Reference, {"x = x + self.attention(self.norm1(x), mask=target_mask)[0]": "",
                     every("norm2("): "norm1(", every("norm3("): "norm2(",
                     "x = self.norm1(x + self.attention(x, mask=target_mask)[0])": ""}))

exercise.mistake("cross-attention-left-out", "cross-attention-in-decoder",
    "The cross-attention is not used. It comes second: the target attends to memory.",
    edit(Reference, {"x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]": "",
                     every("norm3("): "norm2(",
                     "x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])": ""}))

exercise.mistake("feed-forward-left-out", "feed-forward",
    "The feed-forward network is not used. It comes last.",
    edit(Reference, {"x = x + self.down(F.relu(self.up(self.norm3(x))))": "",
                     "x = self.norm3(x + self.down(F.relu(self.up(x))))": ""}))

exercise.mistake("cross-attends-to-x", "cross-attention-in-decoder",
    "The cross-attention takes its keys and values from x. They come from memory.",
    edit(Reference, {every("memory, mask"): " mask"}),
    edit(Reference, {"x, memory, mask": "x, mask"}, "norm last only"),
    edit(Reference, {"(x), memory,": "(x),"}, "norm first only"),
    edit(Reference, {every(", memory, mask=memory_mask"): ""}, "without a mask"),
    edit(Reference, {every("memory, mask"): " mask",
                     every("=memory_mask"): "=target_mask"}, "with the target's mask"),
    edit(Reference, {"(x), memory, mask=": "(x), x,", "x, memory, mask": "x, mask"}, "the unnormed x"))

exercise.mistake("queries-from-memory", "cross-attention-in-decoder",
    "The cross-attention's queries come from memory. x asks, memory answers: x is the first argument, "
    "memory the second.",
    edit(Reference, {"self.norm2(x), memory": "memory, self.norm2(x)", "x, memory, mask": "memory, x, mask"}),
    edit(Reference, {"x, memory, mask": "memory, x, mask"}, "norm last only"),
    edit(Reference, {"self.norm2(x), memory": "memory, self.norm2(x)"}, "norm first only"),
    edit(Reference, {"self.norm2(x)": "0 * self.norm2(x) + memory",
                     "cross(x": "cross(memory"}, "and memory answers too"),
    edit(Reference, {"self.norm2(x),": "", "x, memory, mask": "memory, mask"}, "memory alone"))

exercise.mistake("values-from-x", "cross-attention-in-decoder",
    "The cross-attention compares with memory, but mixes other values. Keys and values both come from "
    "memory.",
    edit(Reference, {"x = x + self.cross":
                     "y = self.norm2(x)\n"
                     "q, k, v = (split_heads(t, self.cross.n_heads) for t in (self.cross.q_proj(y), "
                     "self.cross.k_proj(memory), self.cross.v_proj(y)))\n"
                     "x = x + self.cross",
                     "(self.norm2(x), memory, mask=memory_mask)[0]":
                     ".o_proj(merge_heads(scaled_dot_product_attention(q, k, v, memory_mask)[0]))",
                     "x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])":
                     "q, k, v = (split_heads(t, self.cross.n_heads) for t in (self.cross.q_proj(x), "
                     "self.cross.k_proj(memory), self.cross.v_proj(x)))\n"
                     "x = (self.norm2(x + self.cross.o_proj(merge_heads(scaled_dot_product_attention(q, "
                     "k, v, memory_mask)[0]))))"}))

exercise.mistake("memory-normed", "cross-attention-in-decoder",
    "The norm is applied to memory too. Only x is normalized: memory comes as it is, wherever the norm "
    "stands.",
    edit(Reference, {"(x), memory": "(x), self.norm2(memory)"}),
    edit(Reference, {"(x), memory": "(x), self.norm1(memory)"}, "by the first norm"),
    edit(Reference, {"(x), memory": "(x), self.norm2(memory)",
                     "x, memory, mask": "x, self.norm2(memory), mask"}, "always"),
    edit(Reference, {"x, memory, mask": "x, self.norm2(memory), mask"}, "norm last only"))

exercise.mistake("self-attends-to-memory", "decoder-layer",
    "The first attention takes its keys and values from memory. In it, x attends to itself.",
    edit(Reference, {"(x), mask": "(x), memory, mask", "x, mask": "x, memory, mask"}),
    edit(Reference, {"(x), mask": "(x), memory, mask", every("=target_mask"): "=memory_mask",
                     "x, mask": "x, memory, mask"}, "with its mask"))

exercise.mistake("memory-updated", "cross-attention-in-decoder",
    "memory is changed on the way, or the result is added to memory. It is only read.",
    edit(Reference, {"x = x + self.cross": "x = memory + self.cross",
                     "norm2(x +": "norm2(memory +"}, "added to memory"))

exercise.mistake("cross-reads-the-start", "order-of-sublayers",
    "The cross-attention's queries come from the layer's input. They come from what the self-attention's "
    "branch has left.",
    edit(Reference, {"x = x + self.attention": "y = x + self.attention",
                     "x = x + self.cross": "x = y + self.cross", "x = self.norm1": "y = self.norm1",
                     "norm2(x +": "norm2(y +"}))

exercise.mistake("feed-forward-reads-the-start", "order-of-sublayers",
    "The feed-forward network does not read what the cross-attention's branch has left. It comes last: "
    "hand it that.",
    edit(Reference, SELF_ATTENTION_S_RESULT | {"x = x + self.cross": "y = x + self.cross",
                                               "x = self.norm2": "y = self.norm2",
                                               "norm3(x +": "norm3(y +"}, "the self-attention's result"))

exercise.mistake("parallel-branches", "order-of-sublayers",
    "The branches all read the layer's input. They follow each other: each one reads what the one before "
    "it has left.",
    edit(Reference, {X: "",
                     "x = x + self.down": "x = (x + self.attention(self.norm1(x), mask=target_mask)[0] + "
                     "self.cross(self.norm2(x), memory, mask=memory_mask)[0] + self.down",
                     "norm3(x))))": "norm3(x)))))",
                     "x = self.norm1(x + self.attention(x, mask=target_mask)[0])\n"
                     "x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])":
                     "",
                     "norm3(x +":
                     "norm1(x + self.attention(x, mask=target_mask)[0] + self.cross(x, memory, "
                     "mask=memory_mask)[0] +"}),
    edit(Reference, {X: "",
                     "x = x + self.down": "x = (x + self.attention(self.norm1(x), mask=target_mask)[0] + "
                     "self.cross(self.norm2(x), memory, mask=memory_mask)[0] + self.down",
                     "norm3(x))))": "norm3(x)))))"}, "norm first only"),
    edit(Reference, {X: "", "x = x + self.down": "x =(x + self.down",
                     "norm3(x))))":
                     "norm3(x)))) + self.cross(self.norm2(x), memory, mask=memory_mask)[0] + "
                     "self.attention(self.norm1(x), mask=target_mask)[0])"},
         "norm first only, asked in the other order"))

exercise.mistake("keys-from-unnormed", "residual-from-normed-x",
    "With norm_first, the self-attention's keys and values come from x as it is. Queries, keys and values "
    "all come from the normalized x.",
    edit(Reference, {"(x), mask=": "(x), x,"}))

exercise.mistake("attention-shared", "decoder-layer",
    "One attention does both jobs. Make two: one attends to the target, the other to memory, each with its "
    "own weights.",
    edit(Reference, {", self.cross = (": "=",
                     ",\n                              MultiHeadAttention(d_model, n_heads))": "",
                     every("cross("): "attention("}, "made once"),
    edit(Reference, {every("cross("): "attention("}, "made twice, used once"))

exercise.mistake("attention-not-found", "decoder-layer",
    "Two attentions are expected, but a different number was found. Keep two modules with q_proj, k_proj, "
    "v_proj and o_proj as attributes: the MultiHeadAttention of the first cell, or your own.",
    edit(Reference, {every("MultiHeadAttention"): "nn.MultiheadAttention",
                     "n_heads),": "n_heads, batch_first=True),", "n_heads))": "n_heads, batch_first=True))",
                     "norm_first:": "norm_first:\n    y = self.norm1(x)",
                     "self.norm1(x), mask=target_mask": "y, y, y", every("mask=memory_mask"): "memory",
                     "x, mask=target_mask": "x, x, x"}, "torch's class"),
    edit(Reference, {"def forward": "    self.third = MultiHeadAttention(d_model, n_heads)\ndef forward"},
         "three"))

exercise.mistake("target-mask-ignored", "target-mask",
    "target_mask changes nothing. Hand it to the self-attention.",
    edit(Reference, {every(", mask=target_mask"): ""}),
    edit(Reference, {"x, mask=target_mask": "x"}, "norm last only"))

exercise.mistake("masks-ignored-norm-first", "target-mask",
    "With norm_first=True a mask changes nothing. Hand target_mask to the self-attention and memory_mask "
    "to the cross-attention there too.",
    edit(Reference, {"(x), mask=target_mask": "(x)"}, "target_mask"),
    edit(Reference, {"(x), memory, mask=memory_mask": "(x), memory"}, "memory_mask"),
    edit(Reference, {"(x), mask=target_mask": "(x)", "(x), memory, mask=memory_mask": "(x), memory"}, "both"))

exercise.mistake("memory-mask-ignored", "memory-mask",
    "memory_mask changes nothing. Hand it to the cross-attention.",
    edit(Reference, {every(", mask=memory_mask"): ""}),
    edit(Reference, {"x, memory, mask=memory_mask": "x, memory"}, "norm last only"))

exercise.mistake("masks-ignored", "target-mask",
    "Neither mask changes anything. target_mask belongs to the self-attention, memory_mask to the "
    "cross-attention.",
    edit(Reference, {every(", mask=target_mask"): "", every(", mask=memory_mask"): ""}))

exercise.mistake("kept-from-a-call", "decoder-layer",
    "The memory or a mask of an earlier call is used again. Each call has its own: keep none of them in self.",
    edit(Reference, {"if self.norm_first:": "kept = getattr(self, 'memory', memory)\n"
                                            "self.memory = memory = kept if kept.shape == memory.shape else "
                                            "memory\nif self.norm_first:"}, "the memory"),
    *(edit(Reference, {"if self.norm_first:": f"self.{name} = {name} = getattr(self, '{name}', None) if {name} "
                                              f"is None else {name}\nif self.norm_first:"}, name)
      for name in ("target_mask", "memory_mask")))

exercise.mistake("masks-exchanged", "memory-mask",
    "The masks are exchanged. target_mask belongs to the self-attention, memory_mask to the cross-attention.",
    edit(Reference, {every("=target_mask"): "=memory_mask", every("=memory_mask"): "=target_mask"}))

exercise.mistake("target-mask-on-memory", "memory-mask",
    "The cross-attention is given target_mask. Its own mask is memory_mask.",
    edit(Reference, {every("=memory_mask"): "=target_mask"}))

exercise.mistake("memory-mask-on-target", "target-mask",
    "The self-attention is given memory_mask. Its own mask is target_mask.",
    edit(Reference, {every("=target_mask"): "=memory_mask"}))

exercise.mistake("target-mask-inverted", "target-mask",
    "target_mask works the wrong way round. True means that the query may attend: hand it over as it is.",
    edit(Reference, {"(x), mask=": "(x), mask=None if target_mask is None else ~",
                     "x, mask=": "x, mask=None if target_mask is None else ~"}))

exercise.mistake("memory-mask-inverted", "memory-mask",
    "memory_mask works the wrong way round. True means that the query may attend: hand it over as it is.",
    edit(Reference, {"(x), memory, mask=": "(x), memory, mask=None if memory_mask is None else ~",
                     "x, memory, mask=": "x, memory, mask=None if memory_mask is None else ~"}))

exercise.mistake("masks-inverted", "target-mask",
    "Both masks work the wrong way round. True means that the query may attend: hand them over as they are.",
    edit(Reference, {"(x), mask=": "(x), mask=None if target_mask is None else ~",
                     "(x), memory, mask=": "(x), memory, mask=None if memory_mask is None else ~",
                     "x, mask=": "x, mask=None if target_mask is None else ~",
                     "x, memory, mask=": "x, memory, mask=None if memory_mask is None else ~"}))


exercise.mistake("own-causal-mask", "target-mask",
    "The layer hides later tokens by itself. It applies no mask of its own: the causal mask comes in "
    "target_mask.",
    edit(Reference, {every("=target_mask"): "=causal_mask(x.shape[1])"}, "in place of the mask"),
    edit(Reference, {"x + self.attention(self.norm1(x), mask=target_mask)[0]":
                     "(x + self.attention(self.norm1(x), mask=causal_mask(x.shape[1]) if target_mask is "
                     "None else target_mask & causal_mask(x.shape[1]), )[0] )",
                     "x, mask=target_mask":
                     "x, mask=causal_mask(x.shape[1]) if target_mask is None else target_mask & "
                     "causal_mask(x.shape[1]),"}, "beside the mask"),
    edit(Reference, {every("=target_mask)"): "=causal_mask(x.shape[1]) if target_mask is None else target_mask)"},
         "where there is no mask"))

exercise.mistake("causal-on-memory", "memory-mask",
    "The cross-attention hides a part of memory by itself. All of memory may be seen except what "
    "memory_mask hides: no token of it is later.",
    edit(Reference, {every("=memory_mask"):
                     "=torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril()"},
         "in place of the mask"),
    edit(Reference, {"x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]":
                     "(x + self.cross(self.norm2(x), memory, mask=torch.ones(x.shape[1], memory.shape[1], "
                     "dtype=torch.bool).tril() if memory_mask is None else memory_mask & "
                     "torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril(), )[0] )",
                     "memory_mask)[0])":
                     "torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril() if memory_mask is "
                     "None else memory_mask & torch.ones(x.shape[1], memory.shape[1], "
                     "dtype=torch.bool).tril(),)[0])"}, "beside the mask"),
    edit(Reference, {"x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]":
                     "(x + self.cross(self.norm2(x), memory, mask=torch.ones(x.shape[1], "
                     "memory.shape[1], dtype=torch.bool).tril() if memory_mask is None else memory_mask, "
                     ")[0] )",
                     "memory_mask)[0])":
                     "torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril() if memory_mask is "
                     "None else memory_mask,)[0])"}, "where there is no mask"),
    edit(Reference, {"x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]":
                     "(x + self.cross(self.norm2(x), memory, mask=memory_mask if target_mask is None else "
                     "target_mask if memory_mask is None else memory_mask & target_mask, )[0] )",
                     "memory_mask)[0])":
                     "memory_mask if target_mask is None else target_mask if memory_mask is None else "
                     "memory_mask & target_mask, )[0])"}, "the target's mask beside its own"))

exercise.mistake("one-mask-for-all-heads", "memory-mask",
    "The heads' masks of the memory are made one. A mask may differ from head to head: hand it on as it is.",
    edit(Reference, {every("mask=memory_mask"):
                     "mask=memory_mask if memory_mask is None or memory_mask.dim() < 4 else "
                     "memory_mask.all(1, keepdim=True)"}))

exercise.mistake("mask-transposed", "target-mask",
    "A mask is transposed. Its rows are queries: hand it over as it is.",
    edit(Reference, {"(x), mask=target_mask": "(x), mask=None if target_mask is None else target_mask.mT",
                     "x, mask=target_mask": "x, mask=None if target_mask is None else target_mask.mT"},
         "target"))

exercise.mistake("mask-as-memory", "target-mask",
    "A mask is handed over in place of memory, the attention's second argument. Name it: mask=...",
    edit(Reference, {every("mask=target_mask"): "target_mask"}, "target"),
    edit(Reference, {every("memory, mask="): ""}, "memory"))

exercise.mistake("memory-mask-missing-axes", "memory-mask",
    "memory_mask is used as if it had other axes. It broadcasts to (batch, heads, target tokens, memory "
    "tokens) as it is: add no axes.",
    edit(Reference, {"x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]":
                     "(x + self.cross(self.norm2(x), memory, mask=None if memory_mask is None else "
                     "memory_mask[:, None, None, :] )[0] )",
                     "memory_mask)[0])":
                     "None if memory_mask is None else memory_mask[:, None, None, :])[0])"}, "two axes more"),
    edit(Reference, {"(x), memory, mask=memory_mask":
                     "(x), memory, mask=None if memory_mask is None else memory_mask.unsqueeze(1)",
                     "memory_mask)[0])": "None if memory_mask is None else memory_mask.unsqueeze(1))[0])"},
         "an axis more"))

exercise.mistake("target-mask-missing-axes", "target-mask",
    "target_mask is used as if it had other axes. It broadcasts to (batch, heads, target tokens, target "
    "tokens) as it is: add no axes.",
    edit(Reference, {"x + self.attention(self.norm1(x), mask=target_mask)[0]":
                     "(x + self.attention(self.norm1(x), mask=None if target_mask is None else "
                     "target_mask.unsqueeze(1) )[0] )",
                     "x, mask=target_mask":
                     "x, mask=None if target_mask is None else target_mask.unsqueeze(1)"}, "an axis more"))

exercise.mistake("mask-or-none", "target-mask",
    "A tensor has no truth value: it cannot stand after if, nor beside or. Ask whether the mask is None.",
    edit(Reference, {"(x), mask=target_mask": "(x), mask=target_mask or None",
                     "(x), memory, mask=memory_mask": "(x), memory, mask=memory_mask or None",
                     "x, mask=target_mask": "x, mask=target_mask or None",
                     "memory_mask)[0])": "memory_mask or None)[0])"}, "both"),
    edit(Reference, {"(x), mask=target_mask": "(x), mask=target_mask or None",
                     "x, mask=target_mask": "x, mask=target_mask or None"}, "target"),
    edit(Reference, {"(x), memory, mask=memory_mask": "(x), memory, mask=memory_mask or None",
                     "memory_mask)[0])": "memory_mask or None)[0])"}, "memory"))

exercise.mistake("order-of-arguments", "decoder-layer",
    "The arguments of forward stand in another order. It is x, memory, target_mask, memory_mask.",
    edit(Reference, {", x, memory": ", memory, x"}, "memory first"),
    edit(Reference, {"target_mask=None, memory_mask": "memory_mask=None, target_mask"}, "masks exchanged"))

exercise.mistake("empty-rows", "memory-mask",
    "A token that may attend to nothing is handled in the layer: its result is set to 0, or left as it "
    "was. Let the attention deal with it, and treat all tokens alike.",
    edit(Reference, {"return x": "if memory_mask is not None:\n"
                                 "    x = x * memory_mask.any(-1).reshape(-1, memory_mask.shape[-2] "
                                 "if memory_mask.dim() > 1 else 1)[..., None]\n"
                                 "return x"}),
    edit(Reference, {"else:": "    if memory_mask is not None:\n"
                              "        x = x * memory_mask.any(-1).reshape(-1, memory_mask.shape[-2] "
                              "if memory_mask.dim() > 1 else 1)[..., None]\n"
                              "else:"}, "norm first only"),
    edit(Reference, {"up(x))))": "up(x))))\n"
                                 "if memory_mask is not None:\n"
                                 "    x = x * memory_mask.any(-1).reshape(-1, memory_mask.shape[-2] "
                                 "if memory_mask.dim() > 1 else 1)[..., None]"}, "norm last only"))

exercise.mistake("no-relu", "feed-forward",
    "There is no ReLU between the two Linear layers. Without it the two amount to a single one.",
    edit(Reference, {every("F.relu"): ""}))

exercise.mistake("another-activation", "feed-forward",
    "The activation between the two Linear layers is not ReLU. This layer uses ReLU.",
    edit(Reference, {every("relu"): "gelu"}, "gelu"),
    edit(Reference, {every("F"): "torch", every("relu"): "tanh"}, "tanh"),
    edit(Reference, {every("relu"): "leaky_relu"}, "leaky_relu"),
    edit(Reference, {every("relu"): "silu"}, "silu"),
    edit(Reference, {every("F"): "torch", every("relu"): "sigmoid"}, "sigmoid"))

exercise.mistake("relu-misplaced", "feed-forward",
    "The ReLU stands in the wrong place. It comes between the two Linear layers, and nowhere else.",
    edit(Reference, {"x = x + self.down(F.relu": "x = x + F.relu(self.down",
                     "(x + self.down(F.relu": "(x + F.relu(self.down"}, "after both"))

exercise.mistake("no-bias", "feed-forward",
    "A Linear layer of the layer, in its feed-forward network or its attention, has no bias. All have one "
    "here.",
    edit(Reference, {"d_ff)": "d_ff, bias=False)"}, "up"),
    edit(Reference, {"d_ff, d_model": "d_ff, d_model, bias=False"}, "down"),
    edit(Reference, {"n_heads),": "n_heads, bias=False),",
                     "n_heads))": "n_heads, bias=False))"}, "attention"))

exercise.mistake("dropout", "feed-forward",
    "There is dropout: two calls with the same inputs give different results. This layer has none.",
    edit(Reference, {"else": "    x = F.dropout(x, 0.1)\nelse",
                     "return": "    x = F.dropout(x, 0.1)\nreturn"}, "always"),
    edit(Reference, {"def forward": "    self.dropout = nn.Dropout(0.1)\ndef forward",
                     "else": "    x = self.dropout(x)\nelse",
                     "return": "    x = self.dropout(x)\nreturn"}, "in training"))

exercise.mistake("feed-forward-layers", "feed-forward",
    "The feed-forward network is one nn.Linear from d_model to d_ff and one from d_ff back to d_model. "
    "What was found as attributes or in an nn.ModuleList is not exactly these two.",
    edit(Reference, {"d_ff), nn.Linear(d_ff": "4 * d_model), nn.Linear(4 * d_model"}, "four times d_model"))


exercise.mistake("heads-ignored", "decoder-layer",
    "The attention does not have n_heads heads. Hand n_heads to it.",
    edit(Reference, {every("n_heads)"): "1)"}),
    edit(Reference, {"n_heads))": "1))"}, "in the cross-attention"))

exercise.mistake("sizes-exchanged", "decoder-layer",
    "The attention is made with its sizes exchanged. d_model comes first, then n_heads.",
    edit(Reference, {"(d_model, n_heads),": "(n_heads, d_model),",
                     "d_model, n_heads))": "n_heads, d_model))"}))

exercise.mistake("attention-returns-two", "decoder-layer",
    "The attention returns two values, its output and its weights. Use the first.",
    edit(Reference, {every("[0]"): ""}))

exercise.mistake("returns-two", "decoder-layer",
    "The layer returns more than one value. Return the tensor alone.",
    edit(Reference, {"return x": "return x, memory"}))

exercise.mistake("extra-parameters", "the-2017-figure",
    "The layer has further parameters. It needs its two attentions, the two Linear layers and the norms, "
    "and nothing else.",
    edit(Reference, {"def forward": "    self.out = nn.Linear(d_model, d_model)\ndef forward",
                     "else": "    x = self.out(x)\nelse", "return": "    x = self.out(x)\nreturn"}))

exercise.mistake("no-super-init", "decoder-layer",
    "__init__ does not call super().__init__(). Do that first: only then can an nn.Module keep layers.",
    edit(Reference, {"super().__init__()": ""}))


exercise.mistake("not-a-module", "decoder-layer",
    "The class is not derived from nn.Module, so its layers cannot be trained. Write class "
    "DecoderLayer(nn.Module).",
    edit(Reference, {"(nn.Module)": "", "super().__init__()": "",
                     "def __init__": "def __call__(self, *inputs, **keywords):\n"
                                     "    return self.forward(*inputs, **keywords)\n\n"
                                     "def __init__"}))

exercise.mistake("batch-and-tokens-exchanged", "decoder-layer",
    "Items of the batch attend to each other: batch and tokens are exchanged. x is (batch, tokens, "
    "d_model), as the attention expects it.",
    edit(Reference, {"if": "x, memory = x.transpose(0, 1), memory.transpose(0, 1)\nif",
                     "return x": "return x.transpose(0, 1)"}))

exercise.mistake("attention-scale", "decoder-layer",
    "Your own attention scales its scores differently. Divide them by the root of a head's width, "
    "√(d_model / n_heads).",
    edit(Plain, {" / math.sqrt(q.shape[-1])": ""}, "none"),
    edit(Plain, {"q.shape": "x.shape"}, "d_model"))

exercise.mistake("attention-softmax-axis", "decoder-layer",
    "The softmax of your own attention does not run over the keys: the last axis of the scores.",
    edit(Plain, {"softmax(-1)": "softmax(-2)"}))

exercise.mistake("attention-heads-cut", "decoder-layer",
    "Your own attention cuts or joins its heads by a reshape alone, which mixes tokens and heads. Each "
    "head is a slice of every token: transpose after the one reshape, and before the other.",
    edit(Plain, {"-1, self.n_heads": "self.n_heads, -1",
                 "n_heads).transpose(1, 2": "n_heads"}, "reshape without transpose"),
    edit(Plain, {"-1, self.n_heads": "self.n_heads, -1", "n_heads).transpose(1, 2": "n_heads",
                 "transpose(1, 2).flatten(2)": "reshape(x.shape)"}, "and joined in the same way"),
    edit(Plain, {"transpose(1, 2).flatten(2)": "reshape(x.shape)"}, "joined without transpose"))

exercise.mistake("attention-output-projection", "decoder-layer",
    "o_proj of your own attention is not used. The joined heads go through it at the end.",
    edit(Plain, {"self.o_proj(out)": "out"}))

exercise.mistake("attention-empty-rows", "decoder-layer",
    "In your own attention a query that may attend to nothing gets NaN, or the mean of all. Its weights "
    "are 0, as in problem set 04.",
    edit(Plain, {"torch.inf": "1e9",
                 "torch.nan_to_num(scores.softmax(-1))": "scores.softmax(-1)"}, "the mean of all"),
    edit(Plain, {"torch.nan_to_num(scores.softmax(-1))": "scores.softmax(-1)"}, "NaN"))

exercise.mistake("norm-first-default", "pre-norm-post-norm",
    "norm_first is True where it is not given. Its default is False: norm(x + f(x)).",
    edit(Reference, {"False": "True"}))

exercise.mistake("memory-cut", "cross-attention-in-decoder",
    "Only a part of memory is used: as many tokens of it as the target has. Hand all of memory to the "
    "cross-attention: the memory may have any length.",
    edit(Reference, {"(x), memory": "(x), memory[:, :x.shape[1]]",
                     "x, memory, mask": "x, memory[:, :x.shape[1]], mask"}),
    edit(Reference, {"x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]":
                     "(x + self.cross(self.norm2(x), memory[:, : x.shape[1]], mask=None if memory_mask is "
                     "None else memory_mask[..., : x.shape[1]], )[0] )",
                     "x, memory, mask=memory_mask":
                     "x, memory[:, : x.shape[1]], mask=None if memory_mask is None else memory_mask[..., "
                     ": x.shape[1]],"}, "the memory's mask cut as well"))

exercise.mistake("norm-places-mixed", "pre-norm-post-norm",
    "One branch has its norm in a different place from the others. norm_first decides for all of them: "
    "norm(x + f(x)), or x + f(norm(x)).",
    edit(Reference, {" self.norm3(": "", "up(x)": "up(self.norm3(x)"}, "feed-forward network, norm last"),
    edit(Reference, {NORM2: "x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]"},
         "cross-attention, norm last"),
    edit(Reference, {NORM1_2: "x + self.attention(self.norm1(x), mask=target_mask)[0]"},
         "self-attention, norm last"),
    edit(Reference, {"x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]": NORM2},
         "cross-attention, norm first"))

exercise.built_in("changes-input",
    edit(Reference, {every("= x +"): "+=", "x = self.norm1(x +": "x +=",
                     "target_mask)[0])": "target_mask)[0]",
                     "x = self.norm2": "x = self.norm1(x)\nx = self.norm2"}))

exercise.built_in("no-gradient",
    edit(Reference, {"x), memory, mask=memory_mask)[0]": "x), memory, mask=memory_mask)[0].detach()",
                     "memory_mask)[0])": "memory_mask)[0].detach())"}, "cross-attention without gradient"),
    edit(Reference, {"(x), memory": "(x), memory.detach()",
                     "x, memory, mask": "x, memory.detach(), mask"}, "memory without gradient"))

exercise.built_in("returns-nothing",
    edit(Reference, {"return x": ""}))

exercise.built_in("timeout",
    edit(Reference, {"if": "import time\nif",
                     "norm_first:": "norm_first:\n"
                                    "    while x.mean() != 1:\n"
                                    "        x = x * 1.0\n"
                                    "        time.sleep(0.05)",
                     "else:": "else:\n"
                              "    while x.mean() != 1:\n"
                              "        x = x * 1.0\n"
                              "        time.sleep(0.05)"}))


class ReadyMade(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.layer = nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout=0.0, batch_first=True,
                                                norm_first=norm_first)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        return self.layer(x, memory)


class ReadyMadeLibrary(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        from allyouneed.nn.layers import FeedForward
        from allyouneed.nn.layers import PostNormDecoderBlock as Ready

        attentions = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.layer = Ready(*attentions, FeedForward(d_model, d_ff), nn.LayerNorm(d_model))

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        return self.layer(x, memory, target_mask, memory_mask)


exercise.built_in("ready-made",
    full(ReadyMade, "torch's class"),
    full(ReadyMadeLibrary, "the library's"))

exercise.equal("a dropout of 0 changes nothing, wherever it stands", {
    "nn.Linear(d_ff, d_model), nn.Dropout(0.0)": "nn.Dropout(0.0), nn.Linear(d_ff, d_model)"})
exercise.equal("queries and keys have one width, and there is a memory for each item", {
    "q.shape[-1]": "k.shape[-1]", "x.shape[0]": "memory.shape[0]"})
exercise.equal("any ε will do where no token has nearly equal numbers", {", eps=1e-6": ""})
exercise.equal("a mask of all True hides nothing, as none does", {
    "target_mask is None": ("False", "memory is None"), "memory_mask is None": ("False", "target_mask is None"),
    "target_mask = torch.ones(T, T, dtype=torch.bool)": "pass",
    "memory_mask = torch.ones(B, 1, 1, S, dtype=torch.bool)": "pass"})
