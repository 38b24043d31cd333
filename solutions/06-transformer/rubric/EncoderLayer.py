"""The rubric of EncoderLayer: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch
import torch.nn.functional as F
from allyouneed.attention import causal_mask, scaled_dot_product_attention
from allyouneed.check.compare import difference
from allyouneed.check.drivers import ask
from allyouneed.layers import LayerNorm
from allyouneed.multihead import MultiHeadAttention, merge_heads, split_heads
from torch import nn

from coursegrader.rubric import Exercise

exercise = Exercise(
    "EncoderLayer",
    points={"norm last": 3, "norm first": 1, "masks": 1, "empty rows": 1},
    section="encoder-layer",
    driver="transformer_layer",
    compact=True,
    forbid=("TransformerEncoderLayer", "TransformerEncoder", "TransformerDecoderLayer", "Transformer", "DecoderLayer",
            "transformer_encoder_layer_fwd"),
    properties=[{"rule": "finite"}],
    mistakes={
        "residual-missing-attention": ("The residual connection around the attention is missing. Add the attention's result to what went into it.", "residual-connection"),
        "residual-missing-feed-forward": ("The residual connection around the feed-forward network is missing. Add its result to what went into it.", "residual-connection"),
        "norm-left-out-attention": ("The norm of the attention's branch is not applied. Each branch has one.", "layer-normalization"),
        "norm-left-out-feed-forward": ("The norm of the feed-forward branch is not applied. Each branch has one.", "layer-normalization"),
        "order-swapped": ("The feed-forward network comes before the attention. The attention comes first: first look, then think.", "order-of-sublayers"),
        "feed-forward-reads-the-start": ("The feed-forward network reads the layer's input. It reads what the attention's branch has left.", "order-of-sublayers"),
        "attention-left-out": ("The attention is not used. The layer attends first, then comes the feed-forward network.", "encoder-layer"),
        "feed-forward-left-out": ("The feed-forward network is not used. It follows the attention.", "feed-forward"),
        "keys-from-unnormed": ("With norm_first, keys and values come from x as it is. Queries, keys and values all come from the normalized x.", "residual-from-normed-x"),
        "queries-from-unnormed": ("With norm_first, the queries come from x as it is. Queries, keys and values all come from the normalized x.", "residual-from-normed-x"),
        "attention-not-found": ("No attention was found, or more than one. The layer has one: the MultiHeadAttention of the first cell or your own, "
                                "with q_proj, k_proj, v_proj and o_proj, as an attribute.", "encoder-layer"),
        "mask-ignored": ("The mask changes nothing. Hand it to the attention.", "encoder-layer"),
        "mask-ignored-norm-first": ("With norm_first=True the mask changes nothing. Hand it to the attention there too.", "encoder-layer"),
        "mask-inverted": ("The mask works the wrong way round. True means that the query may attend, for the layer as for the attention: hand it "
                          "over as it is.", "encoder-layer"),
        "mask-transposed": ("The mask is transposed. Its rows are queries: hand it over as it is.", "encoder-layer"),
        "mask-as-memory": ("The mask is handed over in place of memory, the attention's second argument. Name it: mask=mask.", "encoder-layer"),
        "mask-needs-other-axes": ("The mask is used as if it had other axes. It broadcasts to (batch, heads, queries, keys) as it is: add no "
                                  "axes, and expect none.", "encoder-layer"),
        "mask-or-none": ("A tensor has no truth value: it cannot stand after if, nor beside or. Ask whether mask is None.", "encoder-layer"),
        "always-causal": ("Later tokens are hidden though no mask asks for it. The layer hides only what the mask hides.", "encoder-layer"),
        "empty-rows": ("A token that may attend to nothing is handled in the layer: its result is set to 0, or left as it was. Let the attention "
                       "deal with it, and treat all tokens alike.", "encoder-layer"),
        "residual-from-normed": ("With norm_first, the branch is added to the normalized x. Add it to x itself: the norm belongs to the branch "
                                 "alone.", "residual-from-normed-x"),
        "residuals-missing": ("The residual connections are missing. Each branch's result is added to what went into it.", "residual-connection"),
        "residual-from-the-start": ("A later branch is added to the layer's input. Add it to what the branch before it has left.", "residual-stream"),
        "norm-first-ignored": ("norm_first changes nothing: the norm always comes after the sum. With norm_first=True it is x + f(norm(x)).", "pre-norm-post-norm"),
        "norm-first-always": ("The norm always comes first. With norm_first=False, the default, it is norm(x + f(x)).", "pre-norm-post-norm"),
        "norm-first-default": ("norm_first is True where it is not given. Its default is False: norm(x + f(x)).", "pre-norm-post-norm"),
        "norm-places-mixed": ("One branch has its norm in a different place from the others. norm_first decides for all of them: norm(x + f(x)), or "
                              "x + f(norm(x)).", "pre-norm-post-norm"),
        "norm-first-inverted": ("norm_first works the wrong way round. False is norm(x + f(x)), True is x + f(norm(x)).", "pre-norm-post-norm"),
        "norm-on-the-branch-only": ("The norm is applied to the branch's result before the sum. With norm_first=False normalize the sum, norm(x + "
                                    "f(x)); with norm_first=True what goes into the branch.", "pre-norm-post-norm"),
        "norm-too-many": ("There is one normalization too many. Each branch has one: after its sum, or, with norm_first, before the branch and "
                          "nowhere else.", "pre-norm-post-norm"),
        "norms-left-out": ("The norms are made but not applied. Each branch has one.", "layer-normalization"),
        "norm-shared": ("Each branch has a norm of its own. Make as many as there are branches, and use each once: here one is used for several, or "
                        "one is missing.", "layer-normalization"),
        "norms-not-found": ("No norms were found, or their number is not that of the branches. Keep one nn.LayerNorm or one LayerNorm of "
                            "your own for each branch, as attributes or in an nn.ModuleList.", "layer-normalization"),
        "norm-wrong": ("A norm inside the layer, tried alone, is not layer normalization: it must bring each token to mean 0 and variance 1. Mend "
                       "LayerNorm first, or use nn.LayerNorm.", "layer-normalization"),
        "norm-without-weights": ("A norm lacks its weight or its bias. Layer normalization has both: no bias=False, no elementwise_affine=False.", "layer-normalization"),
        "feed-forward-layers": ("The feed-forward network is one nn.Linear from d_model to d_ff and one from d_ff back to d_model. What was "
                                "found as attributes or in an nn.ModuleList is not exactly these two.", "feed-forward"),
        "no-relu": ("There is no ReLU between the two Linear layers. Without it the two amount to a single one.", "feed-forward"),
        "another-activation": ("The activation between the two Linear layers is not ReLU. This layer uses ReLU.", "feed-forward"),
        "relu-misplaced": ("The ReLU stands in the wrong place. It comes between the two Linear layers, and nowhere else.", "feed-forward"),
        "no-bias": ("A Linear layer of the layer, in its feed-forward network or its attention, has no bias. All have one here.", "feed-forward"),
        "dropout": ("There is dropout: two calls with the same inputs give different results. This layer has none.", "feed-forward"),
        "parallel-branches": ("The branches all read the layer's input. They follow each other: each one reads what the one before it has left.", "order-of-sublayers"),
        "heads-ignored": ("The attention does not have n_heads heads. Hand n_heads to it.", "encoder-layer"),
        "sizes-exchanged": ("The attention is made with its sizes exchanged. d_model comes first, then n_heads.", "encoder-layer"),
        "attention-scale": ("Your own attention scales its scores differently. Divide them by the root of a head's width, √(d_model / n_heads).",
                            "encoder-layer"),
        "attention-softmax-axis": ("The softmax of your own attention does not run over the keys: the last axis of the scores.", "encoder-layer"),
        "attention-heads-cut": ("Your own attention cuts or joins its heads by a reshape alone, which mixes tokens and heads. Each head is a "
                                "slice of every token: transpose after the one reshape, and before the other.", "encoder-layer"),
        "attention-output-projection": ("o_proj of your own attention is not used. The joined heads go through it at the end.", "encoder-layer"),
        "attention-empty-rows": ("In your own attention a query that may attend to nothing gets NaN, or the mean of all. Its weights are 0, as in "
                                 "problem set 04.", "encoder-layer"),
        "attention-returns-two": ("The attention returns two values, its output and its weights. Use the first.", "encoder-layer"),
        "returns-two": ("The layer returns more than one value. Return the tensor alone.", "encoder-layer"),
        "extra-parameters": ("The layer has further parameters. It has its attention, the two Linear layers and the norms, and nothing else.", "the-2017-figure"),
        "no-super-init": ("__init__ does not call super().__init__(). Do that first: only then can an nn.Module keep layers.", "encoder-layer"),
        "not-a-module": ("The class is not derived from nn.Module, so its layers cannot be trained. Write class EncoderLayer(nn.Module).", "encoder-layer"),
        "batch-and-tokens-exchanged": ("Items of the batch attend to each other: batch and tokens are exchanged. x is (batch, tokens, d_model), as "
                                       "the attention expects it.", "encoder-layer"),
    },
)


@exercise.probes
def _(make):
    def drawn(shapes, dtype):
        """Weights for the parts, which the driver names; scores stay small, so that no key is left without weight."""
        def scale(name):
            if name.startswith("norm"):
                return 0.4 if name.endswith("weight") else 0.5
            return (3.0 if dtype == torch.float64 else 0.7) * (0.5 if "q_proj" in name or "k_proj" in name else 1.0)

        return {name: make.randn(*shape, dtype=dtype, scale=scale(name)) + (name.startswith("norm") and name.endswith("weight"))
                for name, shape in shapes.items()}

    def layer(d_model, n_heads, d_ff, norm_first=None, keyword=False, dtype=torch.float32, **more):
        """What the driver builds."""
        sizes = {f"attention.{name}_proj": (d_model, d_model) for name in "qkvo"} | {"up": (d_ff, d_model), "down": (d_model, d_ff)}
        shapes = {f"{name}.{kind}": size if kind == "weight" else size[:1] for name, size in sizes.items() for kind in ("weight", "bias")}
        shapes |= {f"{norm}.{kind}": (d_model,) for norm in ("norm1", "norm2") for kind in ("weight", "bias")}
        arguments = (d_model, n_heads, d_ff) + ((norm_first,) if norm_first is not None and not keyword else ())
        return {"arguments": arguments, "keywords": {"norm_first": norm_first} if keyword else {}, "weights": drawn(shapes, dtype),
                "gradients": ["attention.v_proj.weight", "up.weight", "norm1.weight", "norm2.bias"]} | more

    def probe(name, built, *inputs, group, **marks):
        """A probe on which another ε shows by no more than rounding does: no token on the way has nearly equal numbers."""
        while True:
            made = make.probe(name, built, *inputs, group=group, **marks)
            answers = [ask(candidate, "transformer_layer", made) for candidate in (Reference, SmallerEps)]
            if difference(*answers) is None:
                return made
            weights = built["weights"]
            built = built | {"weights": drawn({part: value.shape for part, value in weights.items()}, weights["up.weight"].dtype)}
            inputs = tuple(make.randn(*item.shape, dtype=item.dtype, scale=round(float(item.std()), 1)) if item.is_floating_point() else item for item in inputs)

    x = make.randn
    group = {"group": "norm last"}
    yield probe("two tokens", layer(4, 2, 6), x(1, 2, 4, scale=3.0), gradient=True, **group)
    yield probe("all sizes different", layer(6, 3, make.pick(10, 8, 9)), x(*make.pick((2, 4, 6), (4, 5, 6), (2, 5, 6)), scale=3.0), **group)
    yield probe("more tokens than d_ff", layer(4, 2, 3, False), x(1, make.pick(5, 7, 6), 4, scale=3.0), **group)
    yield probe("as many items as tokens", layer(4, 2, 5, False, keyword=True), x(3, 3, 4, scale=3.0), edge=True, **group)
    yield probe("in training mode", layer(4, 2, 6, training=True), x(1, 3, 4, scale=3.0), **group)
    yield probe("float64", layer(4, 2, 6, dtype=torch.float64), x(1, 3, 4, dtype=torch.float64, scale=20.0), edge=True,
                gradient=True, **group)
    yield probe("large numbers", layer(4, 2, 6), x(1, 3, 4, scale=200.0), long=True, **group)
    yield probe("not contiguous", layer(4, 2, 6), x(2, 3, 4, scale=3.0), long=True, strided=True, **group)
    yield probe("a long sequence", layer(4, 2, 6), x(1, 140, 4, scale=3.0), long=True, **group)

    group = {"group": "norm first"}
    yield probe("norm first, two tokens", layer(4, 2, 6, True), x(1, 2, 4, scale=3.0), gradient=True, **group)
    yield probe("norm first, all sizes different", layer(6, 2, make.pick(9, 10, 7), True, keyword=True), x(*make.pick((2, 5, 6), (3, 4, 6), (4, 3, 6)), scale=3.0),
                **group)
    yield probe("norm first, float64", layer(4, 2, 6, True, dtype=torch.float64), x(1, 3, 4, dtype=torch.float64, scale=20.0),
                edge=True, **group)

    group = {"group": "masks"}
    yield probe("a mask of queries and keys", layer(4, 2, 6), x(1, 3, 4, scale=3.0), mask=make.rand_mask(3, 3), **group)
    yield probe("norm first, a mask of queries and keys", layer(4, 2, 6, True), x(1, 3, 4, scale=3.0), mask=make.rand_mask(3, 3), gradient=True, **group)
    padded = torch.arange(4) < torch.tensor([[4], [2]])
    yield probe("a mask of padding", layer(4, 2, 6), x(2, 4, 4, scale=3.0), mask=padded[:, None, None, :], **group)
    yield probe("a mask for each item, not by its name", layer(4, 2, 6), x(2, 3, 4, scale=3.0), make.rand_mask(2, 1, 3, 3), edge=True, **group)
    yield probe("a mask for each head", layer(4, 2, 6, True), x(1, 3, 4, scale=3.0), mask=make.rand_mask(1, 2, 3, 3), long=True, **group)
    yield probe("a causal mask", layer(4, 2, 6), x(2, 4, 4, scale=3.0), mask=torch.ones(4, 4, dtype=torch.bool).tril(), long=True, **group)

    group = {"group": "empty rows", "edge": True, "gradient": True}
    empty = torch.tensor([[True, False, True], [False, False, False], [True, True, False]])
    yield probe("a token that may attend to nothing", layer(4, 2, 6), x(1, 3, 4, scale=3.0), mask=empty, **group)
    nothing = torch.tensor([[1, 1, 0], [0, 0, 0]], dtype=torch.bool)[:, None, None, :]
    yield probe("norm first, an item of padding alone", layer(4, 2, 6, True), x(2, 3, 4, scale=3.0), mask=nothing, **group)


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


@exercise.alternative("Sequential and a closure for the branch")
class RightOne(nn.Module):
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


@exercise.alternative("the library's norm and feed-forward, defined last to first")
class RightTwo(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.ff_norm = LayerNorm(d_model)
        from allyouneed.layers import FeedForward

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


@exercise.alternative("attention written in the layer")
class RightThree(nn.Module):
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
        q, k, v = (layer(x).reshape(B, T, self.h, -1).transpose(1, 2) for layer in (self.q_proj, self.k_proj, self.v_proj))
        scores = q @ k.transpose(2, 3) / math.sqrt(D // self.h)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(x.dtype).min)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask
        return self.o_proj((weights @ v).transpose(1, 2).reshape(B, T, D))

    def think(self, x):
        return self.linear2(self.linear1(x).clamp(min=0))


class SmallerEps(Reference):
    """The reference with a smaller ε."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        for part in self.modules():
            if isinstance(part, nn.LayerNorm):
                part.eps = 1e-6


@exercise.alternative("another eps, relu as a maximum, sums turned round")
class RightFour(nn.Module):
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


@exercise.alternative("direct calls of forward")
class RightFive(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.second, self.first = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention.forward(self.first.forward(x), mask=mask)[0]
            x = x + self.down.forward(self.up.forward(self.second.forward(x)).relu())
        else:
            x = self.first.forward(x + self.attention.forward(x, mask=mask)[0])
            x = self.second.forward(x + self.down.forward(self.up.forward(x).relu()))
        return x


@exercise.alternative("a ModuleDict, and dropout of 0")
class RightSix(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.parts = nn.ModuleDict({"ff": nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(0.0), nn.Linear(d_ff, d_model)),
                                    "look": MultiHeadAttention(d_model, n_heads), "b": nn.LayerNorm(d_model), "a": nn.LayerNorm(d_model)})
        self.dropout = nn.Dropout(0.0)

    def forward(self, x, mask=None):
        p = self.parts
        if self.norm_first:
            y = p["a"](x)
            x = x + self.dropout(p["look"](y, y, mask)[0])
            return x + self.dropout(p["ff"](p["b"](x)))
        x = p["a"](x + self.dropout(p["look"](x, x, mask)[0]))
        return p["b"](x + self.dropout(p["ff"](x)))


@exercise.alternative("a norm class of its own with other names")
class RightSeven(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()

        class Norm(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.shift, self.scale = nn.Parameter(torch.zeros(width)), nn.Parameter(torch.ones(width))

            def forward(self, x):
                variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
                return self.shift + self.scale * (x - mean) * (variance + 1e-5).rsqrt()

        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = Norm(d_model), Norm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.alternative("fast attention with torch's function")
class RightEight(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        def look(y):
            q, k, v = (split_heads(layer(y), self.attention.n_heads) for layer in (self.attention.q_proj, self.attention.k_proj, self.attention.v_proj))
            return self.attention.o_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0]))

        first, second = (self.norm1, self.norm2)
        before, after = ((first, nn.Identity()) if self.norm_first else (nn.Identity(), first))
        x = after(x + look(before(x)))
        before, after = ((second, nn.Identity()) if self.norm_first else (nn.Identity(), second))
        return after(x + self.down(F.relu(self.up(before(x)))))


@exercise.wrong("residual-missing-attention")
class ResidualMissingAttention(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-attention", "norm last only")
class ResidualMissingAttention2(nn.Module):
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
            x = self.norm1(self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-attention", "norm first only")
class ResidualMissingAttention3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-feed-forward")
class ResidualMissingFeedForward(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-feed-forward", "norm last only")
class ResidualMissingFeedForward2(nn.Module):
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
            x = self.norm2(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-feed-forward", "norm first only")
class ResidualMissingFeedForward3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residuals-missing")
class ResidualsMissing(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.attention(self.norm1(x), mask=mask)[0]
            x = self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(self.attention(x, mask=mask)[0])
            x = self.norm2(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residuals-missing", "norm last only")
class ResidualsMissing2(nn.Module):
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
            x = self.norm1(self.attention(x, mask=mask)[0])
            x = self.norm2(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residuals-missing", "norm first only")
class ResidualsMissing3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.attention(self.norm1(x), mask=mask)[0]
            x = self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-from-normed", "both branches")
class ResidualFromNormed(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm1(x)
            x = x + self.attention(x, mask=mask)[0]
            x = self.norm2(x)
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-from-normed", "attention")
class ResidualFromNormed2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm1(x)
            x = x + self.attention(x, mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-from-normed", "feed-forward")
class ResidualFromNormed3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = self.norm2(x)
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-from-the-start")
class ResidualFromTheStart(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            y = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(y))))
        else:
            y = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(y))))
        return x


@exercise.wrong("residual-from-the-start", "norm last only")
class ResidualFromTheStart2(nn.Module):
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
            y = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(y))))
        return x


@exercise.wrong("residual-from-the-start", "norm first only")
class ResidualFromTheStart3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            y = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(y))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-first-ignored")
class NormFirstIgnored(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-first-always")
class NormFirstAlways(nn.Module):
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
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        return x


@exercise.wrong("norm-first-inverted")
class NormFirstInverted(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        else:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        return x


@exercise.wrong("norm-on-the-branch-only")
class NormOnTheBranchOnly(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.norm1(self.attention(x, mask=mask)[0])
            x = x + self.norm2(self.down(F.relu(self.up(x))))
        else:
            x = x + self.norm1(self.attention(x, mask=mask)[0])
            x = x + self.norm2(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-on-the-branch-only", "norm last only")
class NormOnTheBranchOnly2(nn.Module):
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
            x = x + self.norm1(self.attention(x, mask=mask)[0])
            x = x + self.norm2(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-on-the-branch-only", "norm first only")
class NormOnTheBranchOnly3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.norm1(self.attention(x, mask=mask)[0])
            x = x + self.norm2(self.down(F.relu(self.up(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-too-many", "both sides")
class NormTooMany(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm1(x + self.attention(self.norm1(x), mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(self.norm2(x)))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-too-many", "after the first sum too")
class NormTooManyAfterFirst(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm1(x + self.attention(self.norm1(x), mask=mask)[0])
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-too-many", "at the end")
class NormTooMany2(nn.Module):
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
            x = self.norm2(x)
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-too-many", "at the end, the first again")
class NormTooMany3(nn.Module):
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
            x = self.norm1(x)
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-too-many", "both sides, always")
class NormTooMany4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm1(x + self.attention(self.norm1(x), mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(self.norm2(x)))))
        else:
            x = self.norm1(x + self.attention(self.norm1(x), mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(self.norm2(x)))))
        return x


@exercise.wrong("norm-too-many", "input normalized too, norm last")
class NormTooMany5(nn.Module):
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
            x = self.norm1(x)
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-left-out-attention")
class NormLeftOutAttention(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(x, mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = x + self.attention(x, mask=mask)[0]
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-left-out-attention", "norm last only")
class NormLeftOutAttention2(nn.Module):
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
            x = x + self.attention(x, mask=mask)[0]
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-left-out-attention", "norm first only")
class NormLeftOutAttention3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(x, mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-left-out-feed-forward")
class NormLeftOutFeedForward(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = x + self.down(F.relu(self.up(x)))
        return x


@exercise.wrong("norm-left-out-feed-forward", "norm last only")
class NormLeftOutFeedForward2(nn.Module):
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
            x = x + self.down(F.relu(self.up(x)))
        return x


@exercise.wrong("norm-left-out-feed-forward", "norm first only")
class NormLeftOutFeedForward3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norms-left-out")
class NormsLeftOut(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(x, mask=mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = x + self.attention(x, mask=mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        return x


@exercise.wrong("norms-left-out", "norm last only")
class NormsLeftOut2(nn.Module):
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
            x = x + self.attention(x, mask=mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        return x


@exercise.wrong("norms-left-out", "norm first only")
class NormsLeftOut3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(x, mask=mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "made twice, used once")
class NormShared(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm1(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm1(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "made twice, used once, norm last only")
class NormShared2(nn.Module):
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
            x = self.norm1(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "made twice, used once, norm first only")
class NormShared3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm1(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "made once")
class NormShared4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm1(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm1(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norms-not-found", "none made")
class NormsNotFound(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(x, mask=mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = x + self.attention(x, mask=mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        return x


@exercise.wrong("norms-not-found", "three made")
class NormsNotFound2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-without-weights", "neither")
class NormsNotFound3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model, elementwise_affine=False), nn.LayerNorm(d_model, elementwise_affine=False)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-wrong", "batch normalization")
class NormWrong(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.BatchNorm1d(d_model), nn.BatchNorm1d(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("order-swapped")
class OrderSwapped(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.down(F.relu(self.up(self.norm1(x))))
            x = x + self.attention(self.norm2(x), mask=mask)[0]
        else:
            x = self.norm1(x + self.down(F.relu(self.up(x))))
            x = self.norm2(x + self.attention(x, mask=mask)[0])
        return x


@exercise.wrong("order-swapped", "norm last only")
class OrderSwapped2(nn.Module):
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
            x = self.norm1(x + self.down(F.relu(self.up(x))))
            x = self.norm2(x + self.attention(x, mask=mask)[0])
        return x


@exercise.wrong("order-swapped", "norm first only")
class OrderSwapped3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.down(F.relu(self.up(self.norm1(x))))
            x = x + self.attention(self.norm2(x), mask=mask)[0]
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("parallel-branches")
class ParallelBranches(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0] + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0] + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("parallel-branches", "norm first only")
class ParallelBranches2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0] + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("parallel-branches", "one norm for both, norm first only")
class ParallelBranches3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            x = x + self.attention(y, mask=mask)[0] + self.down(F.relu(self.up(y)))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("parallel-branches", "norm first only, the feed-forward network asked first")
class ParallelBranches4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.down(F.relu(self.up(self.norm2(x)))) + self.attention(self.norm1(x), mask=mask)[0]
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("feed-forward-reads-the-start", "norm last only")
class FeedForwardReadsTheStart(nn.Module):
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
            y = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(y + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("feed-forward-reads-the-start")
class FeedForwardReadsTheStart2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            x = x + self.attention(y, mask=mask)[0]
            x = x + self.down(F.relu(self.up(y)))
        else:
            y = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(y + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("attention-left-out")
class AttentionLeftOut(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.down(F.relu(self.up(self.norm2(self.norm1(x)))))
        else:
            x = self.norm2(self.norm1(x) + self.down(F.relu(self.up(self.norm1(x)))))
        return x


@exercise.wrong("feed-forward-left-out")
class FeedForwardLeftOut(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.norm2(x)
        else:
            x = self.norm2(self.norm1(x + self.attention(x, mask=mask)[0]))
        return x


@exercise.wrong("feed-forward-left-out", "one norm")
class FeedForwardLeftOut2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
        return x


@exercise.wrong("keys-from-unnormed")
class KeysFromUnnormed(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), x, mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("no-relu")
class NoRelu(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down((self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down((self.up(x))))
        return x


@exercise.wrong("another-activation", "gelu")
class AnotherActivation(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.gelu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.gelu(self.up(x))))
        return x


@exercise.wrong("another-activation", "tanh")
class AnotherActivation2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(torch.tanh(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(torch.tanh(self.up(x))))
        return x


@exercise.wrong("another-activation", "leaky_relu")
class AnotherActivation3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.leaky_relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.leaky_relu(self.up(x))))
        return x


@exercise.wrong("another-activation", "silu")
class AnotherActivation4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.silu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.silu(self.up(x))))
        return x


@exercise.wrong("another-activation", "sigmoid")
class AnotherActivation5(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(torch.sigmoid(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(torch.sigmoid(self.up(x))))
        return x


@exercise.wrong("another-activation", "relu6")
class AnotherActivation6(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu6(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu6(self.up(x))))
        return x


@exercise.wrong("another-activation", "elu")
class AnotherActivation7(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.elu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.elu(self.up(x))))
        return x


@exercise.wrong("another-activation", "softplus")
class AnotherActivation8(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.softplus(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.softplus(self.up(x))))
        return x


@exercise.wrong("another-activation", "gelu, tanh form")
class AnotherActivation9(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.gelu(self.up(x), approximate="tanh")))
        return x


@exercise.wrong("relu-misplaced", "after both")
class ReluMisplaced(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + F.relu(self.down(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + F.relu(self.down(self.up(x))))
        return x


@exercise.wrong("relu-misplaced", "twice")
class ReluMisplaced2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + F.relu(self.down(F.relu(self.up(self.norm2(x)))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + F.relu(self.down(F.relu(self.up(x)))))
        return x


@exercise.wrong("relu-misplaced", "before both")
class ReluMisplaced3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(self.up(F.relu(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(self.up(F.relu(x))))
        return x


@exercise.wrong("relu-misplaced", "on the sum")
class ReluMisplaced4(nn.Module):
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
            x = F.relu(x)
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(F.relu(x + self.down(F.relu(self.up(x)))))
        return x


@exercise.wrong("no-bias", "up")
class NoBias(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("no-bias", "down")
class NoBias2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model, bias=False)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("no-bias", "attention")
class NoBias3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads, bias=False)
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


@exercise.wrong("dropout", "always")
class Dropout(nn.Module):
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
            x = F.dropout(x, 0.1)
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
            x = F.dropout(x, 0.1)
        return x


@exercise.wrong("dropout", "in training")
class Dropout2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
            x = self.dropout(x)
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
            x = self.dropout(x)
        return x


@exercise.wrong("feed-forward-layers", "four times d_model")
class FeedForwardLayers(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("feed-forward-layers", "a gate more")
class FeedForwardLayers4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.gate = nn.Linear(d_model, d_ff)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.silu(self.gate(x)) * self.up(x)))
        return x


@exercise.wrong("heads-ignored", "one head")
class HeadsIgnored(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, 1)
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


@exercise.wrong("heads-ignored", "as many heads as numbers")
class HeadsIgnored2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, d_model)
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


@exercise.wrong("sizes-exchanged")
class SizesExchanged(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(n_heads, d_model)
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


@exercise.wrong("attention-returns-two")
class AttentionReturnsTwo(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask))
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("returns-two")
class ReturnsTwo(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            attended, weights = self.attention(self.norm1(x), mask=mask)
            x = x + attended
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            attended, weights = self.attention(x, mask=mask)
            x = self.norm1(x + attended)
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x, weights


@exercise.wrong("attention-not-found", "torch's class")
class AttentionNotFound(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            x = x + self.attention(y, y, y)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, x, x)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("attention-not-found", "two of them")
class AttentionNotFound2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.second = MultiHeadAttention(d_model, n_heads)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("extra-parameters", "one Linear layer more")
class ExtraParameters(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
            x = self.out(x)
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
            x = self.out(x)
        return x


@exercise.wrong("no-super-init")
class NoSuperInit(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
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


@exercise.wrong("not-a-module")
class NotAModule:
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
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

    def __call__(self, *arguments, **keywords):
        return self.forward(*arguments, **keywords)


@exercise.wrong("batch-and-tokens-exchanged")
class BatchAndTokensExchanged(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        x = x.transpose(0, 1)
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x.transpose(0, 1)


@exercise.wrong("mask-ignored")
class MaskIgnored(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x))[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-ignored", "norm last only")
class MaskIgnored2(nn.Module):
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
            x = self.norm1(x + self.attention(x)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-ignored-norm-first", "written otherwise")
class MaskIgnored3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x))[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-inverted")
class MaskInverted(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=None if mask is None else ~mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=None if mask is None else ~mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-transposed")
class MaskTransposed(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask if mask is None or mask.shape[-1] != mask.shape[-2] else mask.transpose(-2, -1))[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask if mask is None or mask.shape[-1] != mask.shape[-2] else mask.transpose(-2, -1))[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-transposed", "always")
class MaskTransposed2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=None if mask is None else mask.mT)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=None if mask is None else mask.mT)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-as-memory")
class MaskAsMemory(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-needs-other-axes", "one axis more")
class MaskNeedsOtherAxes(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=None if mask is None else mask.unsqueeze(1))[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=None if mask is None else mask.unsqueeze(1))[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-needs-other-axes", "two axes more")
class MaskNeedsOtherAxes2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=None if mask is None else mask[:, None, None, :])[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=None if mask is None else mask[:, None, None, :])[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-or-none")
class MaskOrNone(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask or None)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask or None)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("always-causal")
class AlwaysCausal(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=causal_mask(x.shape[1]))[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=causal_mask(x.shape[1]))[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("always-causal", "beside the mask")
class AlwaysCausal2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=causal_mask(x.shape[1]) if mask is None else mask & causal_mask(x.shape[1]))[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=causal_mask(x.shape[1]) if mask is None else mask & causal_mask(x.shape[1]))[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("always-causal", "where there is no mask")
class AlwaysCausal3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=causal_mask(x.shape[1]) if mask is None else mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=causal_mask(x.shape[1]) if mask is None else mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("empty-rows")
class EmptyRows(nn.Module):
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

            if mask is not None:
                seen = mask.expand(x.shape[0], 1, x.shape[1], x.shape[1]).any(-1).squeeze(1).unsqueeze(-1) if mask.dim() == 4 else mask.any(-1)[..., None]
                x = x * seen
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))

            if mask is not None:
                seen = mask.expand(x.shape[0], 1, x.shape[1], x.shape[1]).any(-1).squeeze(1).unsqueeze(-1) if mask.dim() == 4 else mask.any(-1)[..., None]
                x = x * seen
        return x


@exercise.wrong("changes-input")
class ChangesInput(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x += self.attention(self.norm1(x), mask=mask)[0]
            x += self.down(F.relu(self.up(self.norm2(x))))
        else:
            x += self.attention(x, mask=mask)[0]
            x = self.norm1(x)
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("changes-input", "norm first only")
class ChangesInput2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x += self.attention(self.norm1(x), mask=mask)[0]
            x += self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("no-gradient", "branches without gradient")
class NoGradient(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0].detach()
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0].detach())
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("no-gradient", "all")
class NoGradient2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        with torch.no_grad():
            if self.norm_first:
                x = x + self.attention(self.norm1(x), mask=mask)[0]
                x = x + self.down(F.relu(self.up(self.norm2(x))))
            else:
                x = self.norm1(x + self.attention(x, mask=mask)[0])
                x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("returns-nothing")
class ReturnsNothing(nn.Module):
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


@exercise.wrong("timeout")
class Timeout(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        import time

        if self.norm_first:
            while x.mean() != 1:
                x = x * 1.0
                time.sleep(0.05)
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            while x.mean() != 1:
                x = x * 1.0
                time.sleep(0.05)
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("ready-made", "torch's class")
class ReadyMade(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout=0.0, batch_first=True, norm_first=norm_first)

    def forward(self, x, mask=None):
        return self.layer(x)


@exercise.wrong("ready-made", "derived from torch's class")
class ReadyMade2(nn.TransformerEncoderLayer):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__(d_model, n_heads, d_ff, dropout=0.0, batch_first=True, norm_first=norm_first)

    def forward(self, x, mask=None):
        return super().forward(x)


@exercise.wrong("ready-made", "the library's")
class ReadyMade3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        from allyouneed import layers

        self.layer = layers.EncoderLayer(d_model, n_heads, d_ff, norm_first)

    def forward(self, x, mask=None):
        return self.layer(x, mask)


@exercise.wrong("attention-scale", "none")
class Later1(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.q_proj, self.k_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.v_proj, self.o_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x, memory=None, mask=None):
            memory = x if memory is None else memory
            q, k, v = (t.reshape(len(t), -1, self.n_heads, t.shape[-1] // self.n_heads).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
            scores = q @ k.transpose(-2, -1)
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


@exercise.wrong("attention-scale", "d_model")
class Later2(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.q_proj, self.k_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.v_proj, self.o_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x, memory=None, mask=None):
            memory = x if memory is None else memory
            q, k, v = (t.reshape(len(t), -1, self.n_heads, t.shape[-1] // self.n_heads).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
            scores = q @ k.transpose(-2, -1) / math.sqrt(x.shape[-1])
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


@exercise.wrong("attention-softmax-axis")
class Later3(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.q_proj, self.k_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.v_proj, self.o_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x, memory=None, mask=None):
            memory = x if memory is None else memory
            q, k, v = (t.reshape(len(t), -1, self.n_heads, t.shape[-1] // self.n_heads).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -torch.inf)
            weights = torch.nan_to_num(scores.softmax(-2))
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


@exercise.wrong("attention-heads-cut", "reshape without transpose")
class Later4(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.q_proj, self.k_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.v_proj, self.o_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x, memory=None, mask=None):
            memory = x if memory is None else memory
            q, k, v = (t.reshape(len(t), self.n_heads, -1, t.shape[-1] // self.n_heads) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
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


@exercise.wrong("attention-heads-cut", "and joined in the same way")
class Later5(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.q_proj, self.k_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.v_proj, self.o_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x, memory=None, mask=None):
            memory = x if memory is None else memory
            q, k, v = (t.reshape(len(t), self.n_heads, -1, t.shape[-1] // self.n_heads) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -torch.inf)
            weights = torch.nan_to_num(scores.softmax(-1))
            out = (weights @ v).reshape(x.shape)
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


@exercise.wrong("attention-heads-cut", "joined without transpose")
class Later6(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.q_proj, self.k_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.v_proj, self.o_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x, memory=None, mask=None):
            memory = x if memory is None else memory
            q, k, v = (t.reshape(len(t), -1, self.n_heads, t.shape[-1] // self.n_heads).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -torch.inf)
            weights = torch.nan_to_num(scores.softmax(-1))
            out = (weights @ v).reshape(x.shape)
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


@exercise.wrong("attention-output-projection")
class Later7(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.q_proj, self.k_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.v_proj, self.o_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x, memory=None, mask=None):
            memory = x if memory is None else memory
            q, k, v = (t.reshape(len(t), -1, self.n_heads, t.shape[-1] // self.n_heads).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -torch.inf)
            weights = torch.nan_to_num(scores.softmax(-1))
            out = (weights @ v).transpose(1, 2).flatten(2)
            return out, weights

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


@exercise.wrong("attention-empty-rows", "the mean of all")
class Later8(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.q_proj, self.k_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.v_proj, self.o_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x, memory=None, mask=None):
            memory = x if memory is None else memory
            q, k, v = (t.reshape(len(t), -1, self.n_heads, t.shape[-1] // self.n_heads).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -1e9)
            weights = scores.softmax(-1)
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


@exercise.wrong("attention-empty-rows", "NaN")
class Later9(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d_model, n_heads):
            super().__init__()
            self.n_heads = n_heads
            self.q_proj, self.k_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
            self.v_proj, self.o_proj = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

        def forward(self, x, memory=None, mask=None):
            memory = x if memory is None else memory
            q, k, v = (t.reshape(len(t), -1, self.n_heads, t.shape[-1] // self.n_heads).transpose(1, 2) for t in (self.q_proj(x), self.k_proj(memory), self.v_proj(memory)))
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -torch.inf)
            weights = scores.softmax(-1)
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


@exercise.wrong("norm-first-default")
class Later10(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=True):
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


@exercise.wrong("queries-from-unnormed")
class Later12(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(x, self.norm1(x), mask=mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-too-many", "before each branch too, norm last")
class Later13(nn.Module):
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
            x = self.norm1(x + self.attention(self.norm1(x), mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(self.norm2(x)))))
        return x


@exercise.wrong("norm-places-mixed", "feed-forward network, norm last")
class Later14(nn.Module):
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
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        return x


@exercise.wrong("norm-places-mixed", "attention, norm last")
class Later15(nn.Module):
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
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-places-mixed", "feed-forward network, norm first")
class Later16(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=mask)[0]
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-places-mixed", "attention, norm first")
class Later17(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-on-the-branch-only", "of the feed-forward network, norm last")
class Later18(nn.Module):
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
            x = x + self.norm2(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-on-the-branch-only", "of the attention, norm last")
class Later19(nn.Module):
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
            x = x + self.norm1(self.attention(x, mask=mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("batch-and-tokens-exchanged", "without the mask")
class Later20(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x).transpose(0, 1))[0].transpose(0, 1)
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x.transpose(0, 1))[0].transpose(0, 1))
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x
