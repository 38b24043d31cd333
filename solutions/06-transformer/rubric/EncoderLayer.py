"""EncoderLayer: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch
import torch.nn.functional as F
from allyouneed.nn.attention import causal_mask, scaled_dot_product_attention
from allyouneed.check.compare import difference
from allyouneed.check.drivers import ask
from allyouneed.nn.layers import LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention, merge_heads, split_heads
from torch import nn

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "EncoderLayer",
    points={"norm last": 3, "norm first": 1, "masks": 1, "empty rows": 1},
    section="encoder-layer",
    driver="transformer_layer",
    forbid=("TransformerEncoderLayer", "TransformerEncoder", "TransformerDecoderLayer", "Transformer",
            "DecoderLayer",
            "transformer_encoder_layer_fwd", "Block", "PostNormBlock", "DecoderBlock", "PostNormDecoderBlock"),
    properties=[{"rule": "finite"}],
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
        sizes = {f"attention.{name}_proj": (d_model, d_model)
                 for name in "qkvo"} | {"up": (d_ff, d_model), "down": (d_model, d_ff)}
        shapes = {f"{name}.{kind}": size if kind == "weight" else size[:1] for name,
                  size in sizes.items() for kind in ("weight", "bias")}
        shapes |= {f"{norm}.{kind}": (d_model,) for norm in ("norm1", "norm2") for kind in ("weight", "bias")}
        arguments = (d_model, n_heads, d_ff) + ((norm_first,)
                                                if norm_first is not None and not keyword else ())
        return {"arguments": arguments, "keywords": {"norm_first": norm_first} if keyword else {},
                "weights": drawn(shapes, dtype),
                "gradients": ["attention.v_proj.weight", "up.weight", "norm1.weight", "norm2.bias"]} | more

    def probe(name, built, *inputs, group, **marks):
        """A probe on which another ε shows by no more than rounding does: no token on the way has nearly
        equal numbers."""
        while True:
            made = make.probe(name, built, *inputs, group=group, **marks)
            answers = [ask(candidate, "transformer_layer", made) for candidate in (Reference, WithoutEps)]
            if difference(*answers) is None:
                return made
            weights = built["weights"]
            built = built | {"weights": drawn({part: value.shape for part, value in weights.items()},
                                              weights["up.weight"].dtype)}
            inputs = tuple(make.randn(*item.shape, dtype=item.dtype, scale=round(float(item.std()), 1))
                           if item.is_floating_point() else item for item in inputs)

    x = make.randn
    group = {"group": "norm last"}
    yield probe("two tokens", layer(4, 2, 6), x(1, 2, 4, scale=3.0), gradient=True, **group)
    yield probe("all sizes different", layer(6, 3, make.pick(10, 8, 9)),
                x(*make.pick((2, 4, 6), (4, 5, 6), (2, 5, 6)), scale=3.0), **group)
    yield probe("more tokens than d_ff", layer(4, 2, 3, False), x(1, make.pick(5, 7, 6), 4, scale=3.0),
                **group)
    yield probe("as many items as tokens", layer(4, 2, 5, False, keyword=True), x(3, 3, 4, scale=3.0),
                edge=True, **group)
    yield probe("in training mode", layer(4, 2, 6, training=True), x(1, 3, 4, scale=3.0), **group)
    yield probe("float64", layer(4, 2, 6, dtype=torch.float64), x(1, 3, 4, dtype=torch.float64, scale=20.0),
                edge=True,
                gradient=True, **group)
    yield probe("large numbers", layer(4, 2, 6), x(1, 3, 4, scale=200.0), long=True, **group)
    yield probe("not contiguous", layer(4, 2, 6), x(2, 3, 4, scale=3.0), long=True, strided=True, **group)
    yield probe("a long sequence", layer(4, 2, 6), x(1, 140, 4, scale=3.0), long=True, **group)

    group = {"group": "norm first"}
    yield probe("norm first, two tokens", layer(4, 2, 6, True), x(1, 2, 4, scale=3.0), gradient=True, **group)
    yield probe("norm first, all sizes different", layer(6, 2, make.pick(9, 10, 7), True, keyword=True),
                x(*make.pick((2, 5, 6), (3, 4, 6), (4, 3, 6)), scale=3.0),
                **group)
    yield probe("norm first, float64", layer(4, 2, 6, True, dtype=torch.float64),
                x(1, 3, 4, dtype=torch.float64, scale=20.0),
                edge=True, **group)

    group = {"group": "masks"}
    yield probe("a mask of queries and keys", layer(4, 2, 6), x(1, 3, 4, scale=3.0),
                mask=make.rand_mask(3, 3), **group)
    yield probe("norm first, a mask of queries and keys", layer(4, 2, 6, True), x(1, 3, 4, scale=3.0),
                mask=make.rand_mask(3, 3), gradient=True, **group)
    padded = torch.arange(4) < torch.tensor([[4], [2]])
    yield probe("a mask of padding", layer(4, 2, 6), x(2, 4, 4, scale=3.0), mask=padded[:, None, None, :],
                **group)
    yield probe("a mask for each item, not by its name", layer(4, 2, 6), x(2, 3, 4, scale=3.0),
                make.rand_mask(2, 1, 3, 3), edge=True, **group)
    yield probe("a mask for each head", layer(4, 2, 6, True), x(2, 3, 4, scale=3.0),
                mask=make.rand_mask(2, 2, 3, 3), long=True, **group)
    yield probe("a causal mask", layer(4, 2, 6), x(2, 4, 4, scale=3.0),
                mask=torch.ones(4, 4, dtype=torch.bool).tril(), long=True, **group)

    group = {"group": "empty rows", "edge": True, "gradient": True}
    empty = torch.tensor([[True, False, True], [False, False, False], [True, True, False]])
    yield probe("a token that may attend to nothing", layer(4, 2, 6), x(1, 3, 4, scale=3.0), mask=empty,
                **group)
    nothing = torch.tensor([[1, 1, 0], [0, 0, 0]], dtype=torch.bool)[:, None, None, :]
    yield probe("norm first, an item of padding alone", layer(4, 2, 6, True), x(2, 3, 4, scale=3.0),
                mask=nothing, **group)
    earlier = (x(2, 3, 4),), {"mask": make.rand_mask(3, 3)}
    yield probe("after a call with a mask", layer(4, 2, 6, earlier=earlier), x(2, 3, 4, scale=3.0), group="masks",
                edge=True)


@exercise.right
class Reference(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


class WithoutEps(Reference):
    """The reference with an ε of 0."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        for part in self.modules():
            if isinstance(part, nn.LayerNorm):
                part.eps = 0.0

@exercise.right("Sequential and a closure for the branch")
class SequentialClosure(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.mlp = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
        self.norms = nn.ModuleList([nn.LayerNorm(d_model), nn.LayerNorm(d_model)])

    def forward(self, x, mask=None):
        def branch(x, norm, layer):
            return x + layer(norm(x)) if self.norm_first else norm(x + layer(x))

        x = branch(x, self.norms[0], lambda y: self.self_attn(y, mask=mask)[0])
        return branch(x, self.norms[1], self.mlp)


@exercise.right("the library's norm and feed-forward, defined last to first")
class LibraryNorm(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.ff_norm = LayerNorm(d_model)
        from allyouneed.nn.layers import FeedForward

        self.ff = FeedForward(d_model, d_ff)
        self.attention_norm = LayerNorm(d_model)
        self.mha = MultiHeadAttention(d_model, n_heads)
        self.pre = norm_first

    def forward(self, x, mask=None):
        residual = x
        if self.pre:
            x = self.attention_norm(x)
        x, _ = self.mha(x, None, mask)
        x = residual + x
        if not self.pre:
            x = self.attention_norm(x)
        residual = x
        if self.pre:
            x = self.ff_norm(x)
        x = residual + self.ff(x)
        return x if self.pre else self.ff_norm(x)


@exercise.right("attention written in the layer")
class AttentionWritten(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.h, self.norm_first = n_heads, norm_first
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.o_proj = nn.Linear(d_model, d_model)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.ln1 = nn.LayerNorm(d_model)
        self.ln2 = nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attend(self.ln1(x), mask)
            return x + self.think(self.ln2(x))
        x = self.ln1(x + self.attend(x, mask))
        return self.ln2(x + self.think(x))

    def attend(self, x, mask):
        B, T, D = x.shape
        q, k, v = (layer(x).reshape(B, T, self.h, -1).transpose(1, 2)
                   for layer in (self.q_proj, self.k_proj, self.v_proj))
        scores = q @ k.transpose(2, 3) / math.sqrt(D // self.h)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(x.dtype).min)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask
        return self.o_proj((weights @ v).transpose(1, 2).reshape(B, T, D))

    def think(self, x):
        return self.linear2(self.linear1(x).clamp(min=0))


@exercise.right("another eps, relu as a maximum, sums turned round")
class AnotherEps(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, _ = self.attention(self.norm1(x), mask=mask)
            x = attended + x
            x = self.down(torch.maximum(self.up(self.norm2(x)), torch.zeros((), dtype=x.dtype))) + x
        else:
            attended, _ = self.attention(x, mask=mask)
            x = self.norm1(attended.add(x))
            x = self.norm2(torch.add(self.down(torch.relu(self.up(x))), x))
        return x


@exercise.right("a ModuleDict, and dropout of 0")
class Moduledict(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.parts = nn.ModuleDict(
            {
                "ff": nn.Sequential(
                    nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(0.0), nn.Linear(d_ff, d_model)
                ),
                "look": MultiHeadAttention(d_model, n_heads),
                "b": nn.LayerNorm(d_model),
                "a": nn.LayerNorm(d_model),
            }
        )
        self.dropout = nn.Dropout(0.0)

    def forward(self, x, mask=None):
        p = self.parts
        if self.norm_first:
            y = p["a"](x)
            x = x + self.dropout(p["look"](y, y, mask)[0])
            return x + self.dropout(p["ff"](p["b"](x)))
        x = p["a"](x + self.dropout(p["look"](x, x, mask)[0]))
        return p["b"](x + self.dropout(p["ff"](x)))


@exercise.right("fast attention with torch's function")
class Fast(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        def look(y):
            q, k, v = (split_heads(layer(y), self.attention.n_heads)
                       for layer in (self.attention.q_proj, self.attention.k_proj, self.attention.v_proj))
            return self.attention.o_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0]))

        first, second = (self.norm1, self.norm2)
        before, after = ((first, nn.Identity()) if self.norm_first else (nn.Identity(), first))
        x = after(x + look(before(x)))
        before, after = ((second, nn.Identity()) if self.norm_first else (nn.Identity(), second))
        return after(x + self.down(F.relu(self.up(before(x)))))


@exercise.right("step by step, another way")
class PlainOther(nn.Module):
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
        self.attention = self.Attention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


X = "x = x + self.attention(self.norm1(x), mask=mask)[0]"
NORM1 = "self.norm1(x + self.attention(x, mask=mask)[0])"
NORM1_2 = "self.norm1(x + self.attention(self.norm1(x), mask=mask)[0])"

exercise.also_right(
    edit(Reference, {"norm1, self.norm2": "second, self.first", "(self.norm1": ".forward(self.first.forward",
                     "(F.relu(self.up(self.norm2(x))))":
                     ".forward(self.up.forward(self.second.forward(x)).relu())",
                     "norm1(x + self.attention": "first.forward(x + self.attention.forward",
                     "x = self.norm2": "x = self.second.forward",
                     "(F.relu(self.up(x)))": ".forward(self.up.forward(x).relu())"},
         "direct calls of forward"),
    edit(Reference, {"__init__()":
                     "__init__()\n"
                     "class Norm(nn.Module):\n"
                     "    def __init__(self, width):\n"
                     "        super().__init__()\n"
                     "        self.shift, self.scale = nn.Parameter(torch.zeros(width)), "
                     "nn.Parameter(torch.ones(width))\n"
                     "    def forward(self, x):\n"
                     "        variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)\n"
                     "        return self.shift + self.scale * (x - mean) * (variance + 1e-5).rsqrt()",
                     every("nn.LayerNorm"): "Norm"}, "a norm class of its own with other names"))

exercise.mistake("residual-missing-attention", "residual-connection",
    "The residual connection around the attention is missing. Add the attention's result to what went into "
    "it.",
    edit(Reference, {"x = x + self.attention": "x = self.attention", "norm1(x +": "norm1("}),
    edit(Reference, {"norm1(x +": "norm1("}, "norm last only"),
    edit(Reference, {"x = x + self.attention": "x = self.attention"}, "norm first only"))

exercise.mistake("residual-missing-feed-forward", "residual-connection",
    "The residual connection around the feed-forward network is missing. Add its result to what went into "
    "it.",
    edit(Reference, {"x = x + self.down": "x = self.down", "norm2(x +": "norm2("}),
    edit(Reference, {"norm2(x +": "norm2("}, "norm last only"),
    edit(Reference, {"x = x + self.down": "x = self.down"}, "norm first only"))

exercise.mistake("residuals-missing", "residual-connection",
    "The residual connections are missing. Each branch's result is added to what went into it.",
    edit(Reference, {every("x +"): ""}),
    edit(Reference, {every("(x +"): "("}, "norm last only"),
    edit(Reference, {every("= x +"): "= "}, "norm first only"))

exercise.mistake("residual-from-normed", "residual-from-normed-x",
    "With norm_first, the branch is added to the normalized x. Add it to x itself: the norm belongs to the "
    "branch alone.",
    edit(Reference, {"norm_first:": "norm_first:\n    x = self.norm1(x)", "self.norm1(x)": "x",
                     "x = x + self.down": "x = self.norm2(x)\nx = x + self.down",
                     "self.norm2(x))))": "x)))"}, "both branches"),
    edit(Reference, {"norm_first:": "norm_first:\n    x = self.norm1(x)", "self.norm1(x)": "x"}, "attention"),
    edit(Reference, {"x = x + self.down": "x = self.norm2(x)\nx = x + self.down",
                     "self.norm2(x))))": "x)))"}, "feed-forward"))

exercise.mistake("residual-from-the-start", "residual-stream",
    "A later branch is added to the layer's input. Add it to what the branch before it has left.",
    edit(Reference, {"x = x + self.attention": "y = x + self.attention", "norm2(x)": "norm2(y)",
                     "x = self.norm1": "y = self.norm1", "up(x)": "up(y)"}),
    edit(Reference, {"x = self.norm1": "y = self.norm1", "up(x)": "up(y)"}, "norm last only"),
    edit(Reference, {"x = x + self.attention": "y = x + self.attention",
                     "norm2(x)": "norm2(y)"}, "norm first only"))

exercise.mistake("norm-first-ignored", "pre-norm-post-norm",
    "norm_first changes nothing: the norm always comes after the sum. With norm_first=True it is x + "
    "f(norm(x)).",
    edit(Reference, {"x + self.attention(self.norm1(x), mask=mask)[0]": NORM1,
                     "= x + self.down": "=self.norm2(x + self.down", "self.norm2(x)": "x)"}))

exercise.mistake("norm-first-always", "pre-norm-post-norm",
    "The norm always comes first. With norm_first=False, the default, it is norm(x + f(x)).",
    edit(Reference, {NORM1: "x + self.attention(self.norm1(x), mask=mask)[0]", " self.norm2(": "",
                     "up(x)": "up(self.norm2(x)"}))

exercise.mistake("norm-first-inverted", "pre-norm-post-norm",
    "norm_first works the wrong way round. False is norm(x + f(x)), True is x + f(norm(x)).",
    edit(Reference, {"norm_first:": "norm_first:\n"
                                    "    x = self.norm1(x + self.attention(x, mask=mask)[0])\n"
                                    "    x = self.norm2(x + self.down(F.relu(self.up(x))))\n"
                                    "else:",
                     "else:\n"
                     "    x = self.norm1(x + self.attention(x, mask=mask)[0])\n"
                     "    x = self.norm2(x + self.down(F.relu(self.up(x))))":
                     ""}))

exercise.mistake("norm-on-the-branch-only", "pre-norm-post-norm",
    "The norm is applied to the branch's result before the sum. With norm_first=False normalize the sum, "
    "norm(x + f(x)); with norm_first=True what goes into the branch.",
    edit(Reference, {"attention(self.norm1(x), mask=mask)[0]": "norm1(self.attention(x, mask=mask)[0])",
                     "x = x + self.down": "x = x + self.norm2(self.down", "self.norm2(x)": "x)",
                     "self.norm1(x +": "x + self.norm1(", "self.norm2(x +": "x + self.norm2("}),
    edit(Reference, {"self.norm1(x +": "x + self.norm1(",
                     "self.norm2(x +": "x + self.norm2("}, "norm last only"),
    edit(Reference, {"attention(self.norm1(x), mask=mask)[0]": "norm1(self.attention(x, mask=mask)[0])",
                     "x = x + self.down": "x = x + self.norm2(self.down",
                     "self.norm2(x)": "x)"}, "norm first only"),
    edit(Reference, {"self.norm2(x +": "x + self.norm2("}, "of the feed-forward network, norm last"),
    edit(Reference, {"self.norm1(x +": "x + self.norm1("}, "of the attention, norm last"))

exercise.mistake("norm-too-many", "pre-norm-post-norm",
    "There is one normalization too many. Each branch has one: after its sum, or, with norm_first, before "
    "the branch and nowhere else.",
    edit(Reference, {"x + self.attention(self.norm1(x), mask=mask)[0]": NORM1_2,
                     "= x + self.down": "=self.norm2(x + self.down",
                     "norm2(x))))": "norm2(x)))))"}, "both sides"),
    edit(Reference, {"x + self.attention(self.norm1(x), mask=mask)[0]": NORM1_2}, "after the first sum too"),
    edit(Reference, {"else": "    x = self.norm2(x)\nelse"}, "at the end"),
    edit(Reference, {"else": "    x = self.norm1(x)\nelse"}, "at the end, the first again"),
    edit(Reference, {"x + self.attention(self.norm1(x), mask=mask)[0]": NORM1_2,
                     "= x + self.down": "=self.norm2(x + self.down", "norm2(x))))": "norm2(x)))))",
                     "x, mask=mask": "self.norm1(x), mask=mask",
                     "up(x))))": "up(self.norm2(x)))))"}, "both sides, always"),
    edit(Reference, {"else:": "else:\n    x = self.norm1(x)"}, "input normalized too, norm last"),
    edit(Reference, {"x, mask=mask": "self.norm1(x), mask=mask",
                     "up(x))))": "up(self.norm2(x)))))"}, "before each branch too, norm last"))

exercise.mistake("norm-left-out-attention", "layer-normalization",
    "The norm of the attention's branch is not applied. Each branch has one.",
    edit(Reference, {"self.norm1(x)": "x", " self.norm1(": "", "mask)[0])": "mask)[0]"}),
    edit(Reference, {" self.norm1(": "", "mask)[0])": "mask)[0]"}, "norm last only"),
    edit(Reference, {"self.norm1(x)": "x"}, "norm first only"))

exercise.mistake("norm-left-out-feed-forward", "layer-normalization",
    "The norm of the feed-forward branch is not applied. Each branch has one.",
    edit(Reference, {"self.norm2(x))))": "x)))", " self.norm2(": "", "up(x))))": "up(x)))"}),
    edit(Reference, {" self.norm2(": "", "up(x))))": "up(x)))"}, "norm last only"),
    edit(Reference, {"self.norm2(x))))": "x)))"}, "norm first only"))

exercise.mistake("norms-left-out", "layer-normalization",
    "The norms are made but not applied. Each branch has one.",
    edit(Reference, {"self.norm1(x)": "x", "self.norm2(x))))": "x)))", " self.norm1(": "",
                     "mask)[0])": "mask)[0]", " self.norm2(": "", "up(x))))": "up(x)))"}),
    edit(Reference, {" self.norm1(": "", "mask)[0])": "mask)[0]", " self.norm2(": "",
                     "up(x))))": "up(x)))"}, "norm last only"),
    edit(Reference, {"self.norm1(x)": "x", "self.norm2(x))))": "x)))"}, "norm first only"))

exercise.mistake("norm-shared", "layer-normalization",
    "Each branch has a norm of its own. Make as many as there are branches, and use each once: here one is "
    "used for several, or one is missing.",
    edit(Reference, {every("norm2("): "norm1("}, "made twice, used once"),
    edit(Reference, {"x = self.norm2": "x = self.norm1"}, "made twice, used once, norm last only"),
    edit(Reference, {"norm2(x)": "norm1(x)"}, "made twice, used once, norm first only"),
    edit(Reference, {", self.norm2": "", ", nn.LayerNorm(d_model)": "",
                     every("norm2("): "norm1("}, "made once"))

exercise.mistake("norms-not-found", "layer-normalization",
    "No norms were found, or their number is not that of the branches. Keep one nn.LayerNorm or one "
    "LayerNorm of your own for each branch, as attributes or in an nn.ModuleList.",
    edit(Reference, {"self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)": "",
                     "self.norm1(x)": "x", "self.norm2(x))))": "x)))", " self.norm1(": "",
                     "mask)[0])": "mask)[0]", " self.norm2(": "", "up(x))))": "up(x)))"}, "none made"),
    edit(Reference, {"def forward": "    self.norm3 = nn.LayerNorm(d_model)\ndef forward"}, "three made"))

exercise.mistake("norm-without-weights", "layer-normalization",
    "A norm lacks its weight or its bias. Layer normalization has both: no bias=False, no "
    "elementwise_affine=False.",
    edit(Reference, {"nn.LayerNorm(d_model), nn.LayerNorm(d_model)":
                     "(nn.LayerNorm(d_model, elementwise_affine=False), nn.LayerNorm(d_model, "
                     "elementwise_affine=False))"}, "neither"))

exercise.mistake("norm-wrong", "layer-normalization",
    "A norm inside the layer, tried alone, is not layer normalization: it must bring each token to mean 0 "
    "and variance 1. Mend LayerNorm first, or use nn.LayerNorm.",
    edit(Reference, {every("LayerNorm"): "BatchNorm1d"}, "batch normalization"))

exercise.mistake("order-swapped", "order-of-sublayers",
    "The feed-forward network comes before the attention. The attention comes first: first look, then think.",
    edit(Reference, {"attention(self.norm1(x), mask=mask)[0]": "down(F.relu(self.up(self.norm1(x))))",
                     "down(F.relu(self.up(self.norm2(x))))": "attention(self.norm2(x), mask=mask)[0]",
                     "attention(x, mask=mask)[0])": "down(F.relu(self.up(x))))",
                     "down(F.relu(self.up(x))))": "attention(x, mask=mask)[0])"}),
    edit(Reference, {"attention(x, mask=mask)[0])": "down(F.relu(self.up(x))))",
                     "down(F.relu(self.up(x))))": "attention(x, mask=mask)[0])"}, "norm last only"),
    edit(Reference, {"attention(self.norm1(x), mask=mask)[0]": "down(F.relu(self.up(self.norm1(x))))",
                     "down(F.relu(self.up(self.norm2(x))))": "attention(self.norm2(x), mask=mask)[0]"},
         "norm first only"))

exercise.mistake("parallel-branches", "order-of-sublayers",
    "The branches all read the layer's input. They follow each other: each one reads what the one before "
    "it has left.",
    edit(Reference, {X: "",
                     "x = x + self.down": "x = x + self.attention(self.norm1(x), mask=mask)[0] + self.down",
                     "x = self.norm1(x + self.attention(x, mask=mask)[0])": "",
                     "norm2(x +": "norm1(x + self.attention(x, mask=mask)[0] +"}),
    edit(Reference, {X: "",
                     "x = x + self.down": "x = x + self.attention(self.norm1(x), mask=mask)[0] + self.down"},
         "norm first only"),
    edit(Reference, {X: "y = self.norm1(x)",
                     "x + self.down(F.relu(self.up(self.norm2(x))))":
                     "x + self.attention(y, mask=mask)[0] + self.down(F.relu(self.up(y)))"},
         "one norm for both, norm first only"),
    edit(Reference, {X: "",
                     "norm2(x))))": "norm2(x)))) + self.attention(self.norm1(x), mask=mask)[0]"},
         "norm first only, the feed-forward network asked first"))

exercise.mistake("feed-forward-reads-the-start", "order-of-sublayers",
    "The feed-forward network reads the layer's input. It reads what the attention's branch has left.",
    edit(Reference, {"norm_first:": "norm_first:\n    y = self.norm1(x)", "self.norm1(x)": "y",
                     "self.norm2(x))))": "y)))", "x = self.norm1": "y = self.norm1",
                     "norm2(x +": "norm2(y +"}),
    edit(Reference, {"x = self.norm1": "y = self.norm1", "norm2(x +": "norm2(y +"}, "norm last only"))

exercise.mistake("attention-left-out", "encoder-layer",
    "The attention is not used. The layer attends first, then comes the feed-forward network.",
    edit(Reference, {X: "", "norm2(x))))": "norm2(self.norm1(x)))))",
                     "x = self.norm1(x + self.attention(x, mask=mask)[0])": "",
                     "(x + self.down(F.relu(self.up(x))))":
                     "(self.norm1(x) + self.down(F.relu(self.up(self.norm1(x)))))"}))

exercise.mistake("feed-forward-left-out", "feed-forward",
    "The feed-forward network is not used. It follows the attention.",
    edit(Reference, {"down(F.relu(self.up(self.norm2(x))))": "norm2(x)",
                     "= self.norm1": "=self.norm2(self.norm1", "mask)[0])": "mask)[0]))",
                     "x = self.norm2(x + self.down(F.relu(self.up(x))))": ""}),
    edit(Reference, {"x = x + self.down(F.relu(self.up(self.norm2(x))))": "",
                     "x = self.norm2(x + self.down(F.relu(self.up(x))))": ""}, "one norm"))

exercise.mistake("keys-from-unnormed", "residual-from-normed-x",
    "With norm_first, keys and values come from x as it is. Queries, keys and values all come from the "
    "normalized x.",
    edit(Reference, {"(x), mask=": "(x), x,"}))

exercise.mistake("no-relu", "feed-forward",
    "There is no ReLU between the two Linear layers. Without it the two amount to a single one.",
    edit(Reference, {every("F.relu"): ""}))

exercise.mistake("another-activation", "feed-forward",
    "The activation between the two Linear layers is not ReLU. This layer uses ReLU.",
    edit(Reference, {every("relu"): "gelu"}, "gelu"),
    edit(Reference, {every("F"): "torch", every("relu"): "tanh"}, "tanh"),
    edit(Reference, {every("relu"): "leaky_relu"}, "leaky_relu"),
    edit(Reference, {every("relu"): "silu"}, "silu"),
    edit(Reference, {every("F"): "torch", every("relu"): "sigmoid"}, "sigmoid"),
    edit(Reference, {every("relu"): "relu6"}, "relu6"),
    edit(Reference, {every("relu"): "elu"}, "elu"),
    edit(Reference, {every("relu"): "softplus"}, "softplus"),
    edit(Reference, {every("relu"): "gelu", "(self.norm2(x))": '(self.norm2(x)), approximate="tanh"',
                     "up(x)": 'up(x), approximate="tanh"'}, "gelu, tanh form"))

exercise.mistake("relu-misplaced", "feed-forward",
    "The ReLU stands in the wrong place. It comes between the two Linear layers, and nowhere else.",
    edit(Reference, {"x = x + self.down(F.relu": "x = x + F.relu(self.down",
                     "(x + self.down(F.relu": "(x + F.relu(self.down"}, "after both"),
    edit(Reference, {"self.down(F.relu(self.up(self.norm2(x))))":
                     "F.relu(self.down(F.relu(self.up(self.norm2(x)))))",
                     "(x + self.down(F.relu(self.up(x))))": "(x + F.relu(self.down(F.relu(self.up(x)))))"},
         "twice"),
    edit(Reference, {"F.relu(self.up(self": "self.up(F.relu(self",
                     "F.relu(self.up(x))": "self.up(F.relu(x))"}, "before both"),
    edit(Reference, {"else": "    x = F.relu(x)\nelse",
                     "(x + self.down(F.relu(self.up(x))))": "(F.relu(x + self.down(F.relu(self.up(x)))))"},
         "on the sum"))

exercise.mistake("no-bias", "feed-forward",
    "A Linear layer of the layer, in its feed-forward network or its attention, has no bias. All have one "
    "here.",
    edit(Reference, {"d_ff)": "d_ff, bias=False)"}, "up"),
    edit(Reference, {"d_ff, d_model": "d_ff, d_model, bias=False"}, "down"),
    edit(Reference, {"n_heads)": "n_heads, bias=False)"}, "attention"))

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
    edit(Reference, {"d_ff), nn.Linear(d_ff": "4 * d_model), nn.Linear(4 * d_model"}, "four times d_model"),
    edit(Reference, {"def forward": "    self.gate = nn.Linear(d_model, d_ff)\ndef forward",
                     "relu(self.up(x))))": "silu(self.gate(x)) * self.up(x)))"}, "a gate more"))

exercise.mistake("heads-ignored", "encoder-layer",
    "The attention does not have n_heads heads. Hand n_heads to it.",
    edit(Reference, {"n_heads)": "1)"}, "one head"),
    edit(Reference, {"n_heads)": "d_model)"}, "as many heads as numbers"))

exercise.mistake("sizes-exchanged", "encoder-layer",
    "The attention is made with its sizes exchanged. d_model comes first, then n_heads.",
    edit(Reference, {"(d_model, n_heads)": "(n_heads, d_model)"}))

exercise.mistake("attention-returns-two", "encoder-layer",
    "The attention returns two values, its output and its weights. Use the first.",
    edit(Reference, {every("[0]"): ""}))

exercise.mistake("returns-two", "encoder-layer",
    "The layer returns more than one value. Return the tensor alone.",
    edit(Reference, {X: "attended, weights = self.attention(self.norm1(x), mask=mask)",
                     "x = x + self.down": "x = x + attended\nx = x + self.down",
                     "else:": "else:\n    attended, weights = self.attention(x, mask=mask)",
                     "(x + self.attention(x, mask=mask)[0])": "(x + attended)",
                     "return x": "return x, weights"}))

exercise.mistake("attention-not-found", "encoder-layer",
    "No attention was found, or more than one. The layer has one: the MultiHeadAttention of the first cell "
    "or your own, with q_proj, k_proj, v_proj and o_proj, as an attribute.",
    edit(Reference, {"MultiHeadAttention(d_model, n_heads)":
                     "nn.MultiheadAttention(d_model, n_heads, batch_first=True)",
                     "norm_first:": "norm_first:\n    y = self.norm1(x)",
                     "self.norm1(x), mask=mask": "y, y, y", "x, mask=mask": "x, x, x"}, "torch's class"),
    edit(Reference, {"def forward": "    self.second = MultiHeadAttention(d_model, n_heads)\ndef forward"},
         "two of them"))

exercise.mistake("extra-parameters", "the-2017-figure",
    "The layer has further parameters. It has its attention, the two Linear layers and the norms, and "
    "nothing else.",
    edit(Reference, {"def forward": "    self.out = nn.Linear(d_model, d_model)\ndef forward",
                     "else": "    x = self.out(x)\nelse",
                     "return": "    x = self.out(x)\nreturn"}, "one Linear layer more"))

exercise.mistake("no-super-init", "encoder-layer",
    "__init__ does not call super().__init__(). Do that first: only then can an nn.Module keep layers.",
    edit(Reference, {"super().__init__()": ""}))


exercise.mistake("not-a-module", "encoder-layer",
    "The class is not derived from nn.Module, so its layers cannot be trained. Write class "
    "EncoderLayer(nn.Module).",
    edit(Reference, {"(nn.Module)": "", "super().__init__()": "",
                     "def __init__": "def __call__(self, *inputs, **keywords):\n"
                                     "    return self.forward(*inputs, **keywords)\n\n"
                                     "def __init__"}))

exercise.mistake("batch-and-tokens-exchanged", "encoder-layer",
    "Items of the batch attend to each other: batch and tokens are exchanged. x is (batch, tokens, "
    "d_model), as the attention expects it.",
    edit(Reference, {"if": "x = x.transpose(0, 1)\nif", "return x": "return x.transpose(0, 1)"}),
    edit(Reference, {"x), mask=mask)[0]": "x).transpose(0, 1))[0].transpose(0, 1)",
                     "x, mask=mask)[0])": "x.transpose(0, 1))[0].transpose(0, 1))"}, "without the mask"))

exercise.mistake("mask-ignored", "encoder-layer", "The mask changes nothing. Hand it to the attention.",
    edit(Reference, {every(", mask=mask"): ""}),
    edit(Reference, {"x, mask=mask": "x"}, "norm last only"))

exercise.mistake("mask-kept", "encoder-layer",
    "The mask of an earlier call is used again. Each call has its own: do not keep it in self.",
    edit(Reference, {"if self.norm_first:": "self.mask = mask = getattr(self, 'mask', None) if mask is None "
                                            "else mask\nif self.norm_first:"}))

exercise.mistake("mask-ignored-norm-first", "encoder-layer",
    "With norm_first=True the mask changes nothing. Hand it to the attention there too.",
    edit(Reference, {"(x), mask=mask": "(x)"}, "written otherwise"))

exercise.mistake("mask-inverted", "encoder-layer",
    "The mask works the wrong way round. True means that the query may attend, for the layer as for the "
    "attention: hand it over as it is.",
    edit(Reference, {"(x), mask=": "(x), mask=None if mask is None else ~",
                     "x, mask=mask": "x, mask=None if mask is None else ~mask"}))

exercise.mistake("mask-transposed", "encoder-layer",
    "The mask is transposed. Its rows are queries: hand it over as it is.",
    edit(Reference, {"x + self.attention(self.norm1(x), mask=mask)[0]":
                     "(x + self.attention(self.norm1(x), mask=mask if mask is None or mask.shape[-1] != "
                     "mask.shape[-2] else mask.transpose(-2, -1), )[0] )",
                     "x, mask=mask":
                     "x, mask=mask if mask is None or mask.shape[-1] != mask.shape[-2] else "
                     "mask.transpose(-2, -1),"}),
    edit(Reference, {"(x), mask=mask": "(x), mask=None if mask is None else mask.mT",
                     "x, mask=mask": "x, mask=None if mask is None else mask.mT"}, "always"))

exercise.mistake("mask-as-memory", "encoder-layer",
    "The mask is handed over in place of memory, the attention's second argument. Name it: mask=mask.",
    edit(Reference, {every("=mask"): ""}))

exercise.mistake("mask-needs-other-axes", "encoder-layer",
    "The mask is used as if it had other axes. It broadcasts to (batch, heads, queries, keys) as it is: "
    "add no axes, and expect none.",
    edit(Reference, {"(x), mask=mask": "(x), mask=None if mask is None else mask.unsqueeze(1)",
                     "x, mask=mask": "x, mask=None if mask is None else mask.unsqueeze(1)"}, "one axis more"),
    edit(Reference, {"(x), mask=mask": "(x), mask=None if mask is None else mask[:, None, None, :]",
                     "x, mask=mask": "x, mask=None if mask is None else mask[:, None, None, :]"},
         "two axes more"))

exercise.mistake("mask-or-none", "encoder-layer",
    "A tensor has no truth value: it cannot stand after if, nor beside or. Ask whether mask is None.",
    edit(Reference, {"(x), mask=mask": "(x), mask=mask or None", "x, mask=mask": "x, mask=mask or None"}))


exercise.mistake("always-causal", "encoder-layer",
    "Later tokens are hidden though no mask asks for it. The layer hides only what the mask hides.",
    edit(Reference, {every("=mask"): "=causal_mask(x.shape[1])"}),
    edit(Reference, {"x + self.attention(self.norm1(x), mask=mask)[0]":
                     "(x + self.attention(self.norm1(x), mask=causal_mask(x.shape[1]) if mask is None "
                     "else mask & causal_mask(x.shape[1]), )[0] )",
                     "x, mask=mask":
                     "x, mask=causal_mask(x.shape[1]) if mask is None else mask & causal_mask(x.shape[1])"},
         "beside the mask"),
    edit(Reference, {every("mask=mask"): "mask=causal_mask(x.shape[1]) if mask is None else mask"},
         "where there is no mask"))

exercise.mistake("empty-rows", "encoder-layer",
    "A token that may attend to nothing is handled in the layer: its result is set to 0, or left as it "
    "was. Let the attention deal with it, and treat all tokens alike.",
    edit(Reference, {"else": "    if mask is not None:\n"
                             "        seen = (mask.expand(x.shape[0], 1, x.shape[1], "
                             "x.shape[1]).any(-1).squeeze(1).unsqueeze(-1) if mask.dim() == 4 else "
                             "mask.any(-1)[..., None] )\n"
                             "        x = x * seen\n"
                             "else",
                     "return": "    if mask is not None:\n"
                               "        seen = (mask.expand(x.shape[0], 1, x.shape[1], "
                               "x.shape[1]).any(-1).squeeze(1).unsqueeze(-1) if mask.dim() == 4 else "
                               "mask.any(-1)[..., None] )\n"
                               "        x = x * seen\n"
                               "return"}))

exercise.mistake("attention-scale", "encoder-layer",
    "Your own attention scales its scores differently. Divide them by the root of a head's width, "
    "√(d_model / n_heads).",
    edit(PlainOther, {" / math.sqrt(q.shape[-1])": ""}, "none"),
    edit(PlainOther, {"q.shape": "x.shape"}, "d_model"))

exercise.mistake("attention-softmax-axis", "encoder-layer",
    "The softmax of your own attention does not run over the keys: the last axis of the scores.",
    edit(PlainOther, {"softmax(-1)": "softmax(-2)"}))

exercise.mistake("attention-heads-cut", "encoder-layer",
    "Your own attention cuts or joins its heads by a reshape alone, which mixes tokens and heads. Each "
    "head is a slice of every token: transpose after the one reshape, and before the other.",
    edit(PlainOther, {"-1, self.n_heads": "self.n_heads, -1",
                      "n_heads).transpose(1, 2": "n_heads"}, "reshape without transpose"),
    edit(PlainOther, {"-1, self.n_heads": "self.n_heads, -1", "n_heads).transpose(1, 2": "n_heads",
                      "transpose(1, 2).flatten(2)": "reshape(x.shape)"}, "and joined in the same way"),
    edit(PlainOther, {"transpose(1, 2).flatten(2)": "reshape(x.shape)"}, "joined without transpose"))

exercise.mistake("attention-output-projection", "encoder-layer",
    "o_proj of your own attention is not used. The joined heads go through it at the end.",
    edit(PlainOther, {"self.o_proj(out)": "out"}))

exercise.mistake("attention-empty-rows", "encoder-layer",
    "In your own attention a query that may attend to nothing gets NaN, or the mean of all. Its weights "
    "are 0, as in problem set 04.",
    edit(PlainOther, {"torch.inf": "1e9",
                      "torch.nan_to_num(scores.softmax(-1))": "scores.softmax(-1)"}, "the mean of all"),
    edit(PlainOther, {"torch.nan_to_num(scores.softmax(-1))": "scores.softmax(-1)"}, "NaN"))

exercise.mistake("norm-first-default", "pre-norm-post-norm",
    "norm_first is True where it is not given. Its default is False: norm(x + f(x)).",
    edit(Reference, {"False": "True"}))

exercise.mistake("queries-from-unnormed", "residual-from-normed-x",
    "With norm_first, the queries come from x as it is. Queries, keys and values all come from the "
    "normalized x.",
    edit(Reference, {"self.norm1(x)": "x, self.norm1(x)"}))

exercise.mistake("norm-places-mixed", "pre-norm-post-norm",
    "One branch has its norm in a different place from the others. norm_first decides for all of them: "
    "norm(x + f(x)), or x + f(norm(x)).",
    edit(Reference, {" self.norm2(": "", "up(x)": "up(self.norm2(x)"}, "feed-forward network, norm last"),
    edit(Reference, {NORM1: "x + self.attention(self.norm1(x), mask=mask)[0]"}, "attention, norm last"),
    edit(Reference, {"= x + self.down": "=self.norm2(x + self.down",
                     "self.norm2(x)": "x)"}, "feed-forward network, norm first"),
    edit(Reference, {"x + self.attention(self.norm1(x), mask=mask)[0]": NORM1}, "attention, norm first"))

exercise.built_in("changes-input",
    edit(Reference, {every("= x +"): "+=", "x = self.norm1(x +": "x +=", "mask)[0])": "mask)[0]",
                     "x = self.norm2": "x = self.norm1(x)\nx = self.norm2"}),
    edit(Reference, {every("= x +"): "+="}, "norm first only"))

exercise.built_in("no-gradient",
    edit(Reference, {"x), mask=mask)[0]": "x), mask=mask)[0].detach()",
                     "mask)[0])": "mask)[0].detach())"}, "branches without gradient"),
    edit(Reference, {"if self.norm_first:\n"
                     "    x = x + self.attention(self.norm1(x), mask=mask)[0]\n"
                     "    x = x + self.down(F.relu(self.up(self.norm2(x))))\n"
                     "else:\n"
                     "    x = self.norm1(x + self.attention(x, mask=mask)[0])\n"
                     "    x = self.norm2(x + self.down(F.relu(self.up(x))))":
                     "with torch.no_grad():\n"
                     "    if self.norm_first:\n"
                     "        x = x + self.attention(self.norm1(x), mask=mask)[0]\n"
                     "        x = x + self.down(F.relu(self.up(self.norm2(x))))\n"
                     "    else:\n"
                     "        x = self.norm1(x + self.attention(x, mask=mask)[0])\n"
                     "        x = self.norm2(x + self.down(F.relu(self.up(x))))"}, "all"))

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


class Ready(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout=0.0, batch_first=True,
                                                norm_first=norm_first)

    def forward(self, x, mask=None):
        return self.layer(x)


class ReadyMade(nn.TransformerEncoderLayer):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__(d_model, n_heads, d_ff, dropout=0.0, batch_first=True, norm_first=norm_first)

    def forward(self, x, mask=None):
        return super().forward(x)


class ReadyMadeLibrary(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        from allyouneed.nn import layers

        feed_forward = layers.FeedForward(d_model, d_ff)
        self.layer = layers.PostNormBlock(MultiHeadAttention(d_model, n_heads), feed_forward, nn.LayerNorm(d_model))

    def forward(self, x, mask=None):
        return self.layer(x, mask)


exercise.built_in("ready-made",
    full(Ready, "torch's class"),
    full(ReadyMade, "derived from torch's class"),
    full(ReadyMadeLibrary, "the library's"))

exercise.equal("a dropout of 0 changes nothing, wherever it stands", {
    "nn.ReLU(), nn.Dropout(0.0)": "nn.Dropout(0.0), nn.ReLU()", "self.dropout": "",
    "nn.Dropout(0.0), nn.Linear(d_ff, d_model)": "nn.Linear(d_ff, d_model), nn.Dropout(0.0)"})
exercise.equal("queries, keys and values come from the same tokens, and all heads have one width", {
    "memory is None": "True", "else memory": ("else mask", "else x"), "q_proj(x)": "q_proj(memory)",
    "k_proj(memory)": "k_proj(x)", "v_proj(memory)": "v_proj(x)", "q.shape[-1]": "k.shape[-1]", "//": "/"})
exercise.equal("any ε will do, also 0, where no token has nearly equal numbers", {
    ", eps=1e-6": "", "variance + 1e-5": "variance"})
exercise.equal("a sum and a maximum have no order, and a number takes the dtype of what it is compared with", {
    "self.down(torch.relu(self.up(x))), x": "x, self.down(torch.relu(self.up(x)))",
    "self.up(self.norm2(x)), torch.zeros((), dtype=x.dtype)":
        "torch.zeros((), dtype=x.dtype), self.up(self.norm2(x))", ", dtype=x.dtype": ""})
