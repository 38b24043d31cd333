"""The rubric of DecoderLayer: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch
import torch.nn.functional as F
from allyouneed.attention import causal_mask, scaled_dot_product_attention
from allyouneed.check.compare import difference
from allyouneed.check.drivers import ask
from allyouneed.check.wire import decode
from allyouneed.layers import LayerNorm
from allyouneed.multihead import MultiHeadAttention, merge_heads, split_heads
from torch import nn

from coursegrader.rubric import Exercise

exercise = Exercise(
    "DecoderLayer",
    points={"norm last": 3, "norm first": 1, "masks": 1, "empty rows": 1},
    section="decoder-layer",
    driver="transformer_layer",
    compact=True,
    forbid=("TransformerDecoderLayer", "TransformerDecoder", "TransformerEncoderLayer", "TransformerEncoder", "Transformer",
            "transformer_encoder_layer_fwd"),
    properties=[{"rule": "finite"}],
    relations=[("a hidden token of memory", "another hidden token of memory",
                "Changing a token of memory that memory_mask hides from everyone changed the result.")],
    mistakes={
        "residual-missing-self": ("The residual connection around the self-attention is missing. Add its result to what went into it.", "residual-connection"),
        "residual-missing-cross": ("The residual connection around the cross-attention is missing. Add its result to what went into it.", "residual-connection"),
        "residual-missing-feed-forward": ("The residual connection around the feed-forward network is missing. Add its result to what went into it.", "residual-connection"),
        "norm-left-out-self": ("The norm of the self-attention's branch is not applied. Each of the three branches has one.", "layer-normalization"),
        "norm-left-out-cross": ("The norm of the cross-attention's branch is not applied. Each of the three branches has one.", "layer-normalization"),
        "norm-left-out-feed-forward": ("The norm of the feed-forward branch is not applied. Each of the three branches has one.", "layer-normalization"),
        "cross-first": ("The cross-attention comes before the self-attention. The order is self-attention, cross-attention, feed-forward network.", "order-of-sublayers"),
        "feed-forward-too-early": ("The feed-forward network comes too early. The order is self-attention, cross-attention, feed-forward network.", "order-of-sublayers"),
        "self-attention-left-out": ("The self-attention is not used. It comes first: the target attends to itself.", "decoder-layer"),
        "cross-attention-left-out": ("The cross-attention is not used. It comes second: the target attends to memory.", "cross-attention-in-decoder"),
        "feed-forward-left-out": ("The feed-forward network is not used. It comes last.", "feed-forward"),
        "cross-attends-to-x": ("The cross-attention takes its keys and values from x. They come from memory.", "cross-attention-in-decoder"),
        "values-from-x": ("The cross-attention compares with memory, but mixes other values. Keys and values both come from memory.", "cross-attention-in-decoder"),
        "queries-from-memory": ("The cross-attention's queries come from memory. x asks, memory answers: x is the first argument, memory the "
                                "second.", "cross-attention-in-decoder"),
        "memory-normed": ("The norm is applied to memory too. Only x is normalized: memory comes as it is, wherever the norm stands.", "cross-attention-in-decoder"),
        "self-attends-to-memory": ("The first attention takes its keys and values from memory. In it, x attends to itself.", "decoder-layer"),
        "memory-cut": ("Only a part of memory is used: as many tokens of it as the target has. Hand all of memory to the cross-attention: the "
                       "memory may have any length.", "cross-attention-in-decoder"),
        "memory-updated": ("memory is changed on the way, or the result is added to memory. It is only read.", "cross-attention-in-decoder"),
        "cross-reads-the-start": ("The cross-attention's queries come from the layer's input. They come from what the self-attention's branch has "
                                  "left.", "order-of-sublayers"),
        "feed-forward-reads-the-start": ("The feed-forward network does not read what the cross-attention's branch has left. It comes last: hand it that.", "order-of-sublayers"),
        "keys-from-unnormed": ("With norm_first, the self-attention's keys and values come from x as it is. Queries, keys and values all come from "
                               "the normalized x.", "residual-from-normed-x"),
        "attention-shared": ("One attention does both jobs. Make two: one attends to the target, the other to memory, each with its own weights.", "decoder-layer"),
        "attention-not-found": ("Two attentions are expected, but a different number was found. Keep two modules with q_proj, k_proj, v_proj "
                                "and o_proj as attributes: the MultiHeadAttention of the first cell, or your own.", "decoder-layer"),
        "target-mask-ignored": ("target_mask changes nothing. Hand it to the self-attention.", "target-mask"),
        "memory-mask-ignored": ("memory_mask changes nothing. Hand it to the cross-attention.", "memory-mask"),
        "masks-ignored": ("Neither mask changes anything. target_mask belongs to the self-attention, memory_mask to the cross-attention.", "target-mask"),
        "masks-ignored-norm-first": ("With norm_first=True a mask changes nothing. Hand target_mask to the self-attention and memory_mask to the "
                                     "cross-attention there too.", "target-mask"),
        "masks-exchanged": ("The masks are exchanged. target_mask belongs to the self-attention, memory_mask to the cross-attention.", "memory-mask"),
        "target-mask-on-memory": ("The cross-attention is given target_mask. Its own mask is memory_mask.", "memory-mask"),
        "memory-mask-on-target": ("The self-attention is given memory_mask. Its own mask is target_mask.", "target-mask"),
        "target-mask-inverted": ("target_mask works the wrong way round. True means that the query may attend: hand it over as it is.", "target-mask"),
        "memory-mask-inverted": ("memory_mask works the wrong way round. True means that the query may attend: hand it over as it is.", "memory-mask"),
        "masks-inverted": ("Both masks work the wrong way round. True means that the query may attend: hand them over as they are.", "target-mask"),
        "own-causal-mask": ("The layer hides later tokens by itself. It applies no mask of its own: the causal mask comes in target_mask.", "target-mask"),
        "causal-on-memory": ("The cross-attention hides a part of memory by itself. All of memory may be seen except what memory_mask hides: "
                             "no token of it is later.", "memory-mask"),
        "mask-transposed": ("A mask is transposed. Its rows are queries: hand it over as it is.", "target-mask"),
        "mask-as-memory": ("A mask is handed over in place of memory, the attention's second argument. Name it: mask=...", "target-mask"),
        "memory-mask-missing-axes": ("memory_mask is used as if it had other axes. It broadcasts to (batch, heads, target tokens, memory "
                                     "tokens) as it is: add no axes.", "memory-mask"),
        "target-mask-missing-axes": ("target_mask is used as if it had other axes. It broadcasts to (batch, heads, target tokens, target "
                                     "tokens) as it is: add no axes.", "target-mask"),
        "mask-or-none": ("A tensor has no truth value: it cannot stand after if, nor beside or. Ask whether the mask is None.", "target-mask"),
        "order-of-arguments": ("The arguments of forward stand in another order. It is x, memory, target_mask, memory_mask.", "decoder-layer"),
        "empty-rows": ("A token that may attend to nothing is handled in the layer: its result is set to 0, or left as it was. Let the attention "
                       "deal with it, and treat all tokens alike.", "memory-mask"),
        "residual-from-normed": ("With norm_first, the branch is added to the normalized x. Add it to x itself: the norm belongs to the branch "
                                 "alone.", "residual-from-normed-x"),
        "residuals-missing": ("Two or more residual connections are missing. Add each branch's result to what went into it.", "residual-connection"),
        "residual-from-the-start": ("A later branch is added to something older: the layer's input, or what an earlier branch has left. Add it to what the "
                                    "branch just before it has left.", "residual-stream"),
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
        "heads-ignored": ("The attention does not have n_heads heads. Hand n_heads to it.", "decoder-layer"),
        "sizes-exchanged": ("The attention is made with its sizes exchanged. d_model comes first, then n_heads.", "decoder-layer"),
        "attention-scale": ("Your own attention scales its scores differently. Divide them by the root of a head's width, √(d_model / n_heads).",
                            "decoder-layer"),
        "attention-softmax-axis": ("The softmax of your own attention does not run over the keys: the last axis of the scores.", "decoder-layer"),
        "attention-heads-cut": ("Your own attention cuts or joins its heads by a reshape alone, which mixes tokens and heads. Each head is a "
                                "slice of every token: transpose after the one reshape, and before the other.", "decoder-layer"),
        "attention-output-projection": ("o_proj of your own attention is not used. The joined heads go through it at the end.", "decoder-layer"),
        "attention-empty-rows": ("In your own attention a query that may attend to nothing gets NaN, or the mean of all. Its weights are 0, as in "
                                 "problem set 04.", "decoder-layer"),
        "attention-returns-two": ("The attention returns two values, its output and its weights. Use the first.", "decoder-layer"),
        "returns-two": ("The layer returns more than one value. Return the tensor alone.", "decoder-layer"),
        "extra-parameters": ("The layer has further parameters. It needs its two attentions, the two Linear layers and the norms, and nothing else.", "the-2017-figure"),
        "no-super-init": ("__init__ does not call super().__init__(). Do that first: only then can an nn.Module keep layers.", "decoder-layer"),
        "not-a-module": ("The class is not derived from nn.Module, so its layers cannot be trained. Write class DecoderLayer(nn.Module).", "decoder-layer"),
        "batch-and-tokens-exchanged": ("Items of the batch attend to each other: batch and tokens are exchanged. x is (batch, tokens, d_model), as "
                                       "the attention expects it.", "decoder-layer"),
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
        sizes = {f"{part}.{name}_proj": (d_model, d_model) for part in ("attention", "cross_attention") for name in "qkvo"}
        sizes |= {"up": (d_ff, d_model), "down": (d_model, d_ff)}
        shapes = {f"{name}.{kind}": size if kind == "weight" else size[:1] for name, size in sizes.items() for kind in ("weight", "bias")}
        shapes |= {f"{norm}.{kind}": (d_model,) for norm in ("norm1", "norm2", "norm3") for kind in ("weight", "bias")}
        arguments = (d_model, n_heads, d_ff) + ((norm_first,) if norm_first is not None and not keyword else ())
        return {"arguments": arguments, "keywords": {"norm_first": norm_first} if keyword else {}, "weights": drawn(shapes, dtype),
                "gradients": ["attention.v_proj.weight", "cross_attention.k_proj.weight", "up.weight", "norm3.bias"]} | more

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
    yield probe("two tokens", layer(4, 2, 6), x(1, 2, 4, scale=3.0), x(1, 2, 4), gradient=True, **group)
    sizes = make.pick((2, 3, 6), (3, 4, 6), (2, 5, 6))
    yield probe("two items", layer(6, 3, make.pick(10, 8, 9)), x(*sizes, scale=3.0), x(*sizes), **group)
    yield probe("memory of another length", layer(4, 2, 5), x(2, 3, 4, scale=3.0), x(2, make.pick(5, 4, 7), 4), edge=True, **group)
    yield probe("a short memory, by its name", layer(4, 2, 7, False, keyword=True), x(1, 4, 4, scale=3.0), memory=x(1, 1, 4), edge=True, **group)
    yield probe("as many items as tokens", layer(4, 2, 6), x(3, 3, 4, scale=3.0), x(3, 3, 4), edge=True, **group)
    yield probe("in training mode", layer(4, 2, 6, False, training=True), x(1, 3, 4, scale=3.0), x(1, 3, 4), **group)
    yield probe("float64", layer(4, 2, 6, dtype=torch.float64), x(1, 3, 4, dtype=torch.float64, scale=20.0),
                x(1, 2, 4, dtype=torch.float64), edge=True, gradient=True, **group)
    yield probe("large numbers", layer(4, 2, 6), x(1, 3, 4, scale=200.0), x(1, 3, 4, scale=50.0), long=True, **group)
    yield probe("not contiguous", layer(4, 2, 6), x(2, 3, 4, scale=3.0), x(2, 5, 4), long=True, strided=True, **group)
    yield probe("a long sequence", layer(4, 2, 6), x(1, 140, 4, scale=3.0), x(1, 135, 4), long=True, **group)

    group = {"group": "norm first"}
    yield probe("norm first, two tokens", layer(4, 2, 6, True), x(1, 2, 4, scale=3.0), x(1, 2, 4), gradient=True, **group)
    sizes = make.pick((2, 4, 6), (2, 5, 6), (3, 3, 6))
    yield probe("norm first, two items", layer(6, 2, make.pick(9, 10, 7), True, keyword=True), x(*sizes, scale=3.0), x(*sizes), **group)
    yield probe("norm first, memory of another length", layer(4, 2, 6, True, dtype=torch.float64),
                x(2, 3, 4, dtype=torch.float64, scale=20.0), x(2, 4, 4, dtype=torch.float64), edge=True, **group)

    group = {"group": "masks"}
    causal = torch.ones(3, 3, dtype=torch.bool).tril()
    yield probe("a causal target mask", layer(4, 2, 6), x(1, 3, 4, scale=3.0), x(1, 3, 4), target_mask=causal, **group)
    hidden = torch.tensor([True, False, True])[None, None, None]
    made = probe("a hidden token of memory", layer(4, 2, 6), x(1, 3, 4, scale=3.0), x(1, 3, 4), memory_mask=hidden, **group)
    yield made
    built, first, memory = decode(made["args"])
    memory[:, 1] = x(4)
    yield probe("another hidden token of memory", built, first, memory, memory_mask=hidden, long=True, **group)
    yield probe("both masks", layer(4, 2, 6), x(2, 3, 4, scale=3.0), x(2, 3, 4), target_mask=make.rand_mask(3, 3), memory_mask=make.rand_mask(2, 1, 3, 3), **group)
    yield probe("norm first, both masks", layer(4, 2, 6, True), x(1, 3, 4, scale=3.0), x(1, 3, 4), target_mask=causal, memory_mask=make.rand_mask(1, 1, 1, 3),
                gradient=True, **group)
    yield probe("both masks, not by their names", layer(4, 2, 6), x(2, 3, 4, scale=3.0), x(2, 3, 4), causal, make.rand_mask(3, 3), edge=True, **group)
    lengths = torch.arange(5) < torch.tensor([[5], [2]])
    yield probe("padding in a longer memory", layer(4, 2, 6), x(2, 3, 4, scale=3.0), x(2, 5, 4), target_mask=causal, memory_mask=lengths[:, None, None, :],
                edge=True, **group)
    yield probe("a mask for each head", layer(4, 2, 6, True), x(1, 3, 4, scale=3.0), x(1, 2, 4), target_mask=make.rand_mask(1, 2, 3, 3), long=True, **group)

    group = {"group": "empty rows", "edge": True, "gradient": True}
    empty = torch.tensor([[False, False, False], [True, True, False], [True, False, True]])
    yield probe("a target token that may attend to nothing", layer(4, 2, 6), x(1, 3, 4, scale=3.0), x(1, 3, 4), target_mask=empty, **group)
    nothing = torch.tensor([[1, 1, 0], [0, 0, 0]], dtype=torch.bool)[:, None, None, :]
    yield probe("norm first, an empty memory", layer(4, 2, 6, True), x(2, 3, 4, scale=3.0), x(2, 3, 4), memory_mask=nothing, **group)


@exercise.right
class Reference(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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


@exercise.alternative("Sequential and a closure for the branch, defined last to first")
class RightOne(nn.Module):
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


@exercise.alternative("the library's norm and feed-forward")
class RightTwo(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.attentions = nn.ModuleList(MultiHeadAttention(d_model, n_heads) for _ in range(2))
        from allyouneed.layers import FeedForward

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


@exercise.alternative("an attention class of its own, and direct calls of forward")
class RightThree(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()

        class Attention(nn.Module):
            def __init__(self):
                super().__init__()
                self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(d_model, d_model) for _ in range(4))

            def forward(self, x, source, mask):
                q, k, v = (split_heads(t, n_heads) for t in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
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


class SmallerEps(Reference):
    """The reference with a smaller ε."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        for part in self.modules():
            if isinstance(part, nn.LayerNorm):
                part.eps = 1e-6


@exercise.alternative("another eps, relu as a clamp")
class RightFour(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(self.up(self.norm3(x)).clamp(min=0))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(self.up(x).clamp(min=0)))
        return x


@exercise.alternative("norms before and after chosen by the flag")
class RightFive(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        def nothing(y):
            return y

        steps = ((self.norm1, lambda y: self.attention(y, None, target_mask)), (self.norm2, lambda y: self.cross(y, memory, memory_mask)),
                 (self.norm3, lambda y: (self.down(torch.relu(self.up(y))), None)))
        for norm, layer in steps:
            before, after = (norm, nothing) if self.norm_first else (nothing, norm)
            x = after(x + layer(before(x))[0])
        return x


@exercise.alternative("masks of all True where none are given")
class RightSix(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        B, T, S = x.shape[0], x.shape[1], memory.shape[1]
        if target_mask is None:
            target_mask = torch.ones(T, T, dtype=torch.bool)
        if memory_mask is None:
            memory_mask = torch.ones(B, 1, 1, S, dtype=torch.bool)
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.alternative("a ModuleDict, and dropout of 0")
class RightSeven(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.parts = nn.ModuleDict({"cross": MultiHeadAttention(d_model, n_heads), "self": MultiHeadAttention(d_model, n_heads),
                                    "ff": nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model), nn.Dropout(0.0))})
        for name in ("ff_norm", "cross_norm", "self_norm"):
            self.parts[name] = nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        p = self.parts
        for name, source, mask in (("self", None, target_mask), ("cross", memory, memory_mask), ("ff", None, None)):
            y = p[name + "_norm"](x) if self.norm_first else x
            y = x + (p["ff"](y) if name == "ff" else p[name](y, source, mask)[0])
            x = y if self.norm_first else p[name + "_norm"](y)
        return x


@exercise.wrong("residual-missing-self")
class ResidualMissingSelf(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-self", "norm last only")
class ResidualMissingSelf2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-self", "norm first only")
class ResidualMissingSelf3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-cross")
class ResidualMissingCross(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-cross", "norm last only")
class ResidualMissingCross2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-cross", "norm first only")
class ResidualMissingCross3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-feed-forward")
class ResidualMissingFeedForward(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-feed-forward", "norm last only")
class ResidualMissingFeedForward2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-missing-feed-forward", "norm first only")
class ResidualMissingFeedForward3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residuals-missing")
class ResidualsMissing(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.attention(self.norm1(x), mask=target_mask)[0]
            x = self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(self.attention(x, mask=target_mask)[0])
            x = self.norm2(self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residuals-missing", "norm last only")
class ResidualsMissing2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(self.attention(x, mask=target_mask)[0])
            x = self.norm2(self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residuals-missing", "norm first only")
class ResidualsMissing3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.attention(self.norm1(x), mask=target_mask)[0]
            x = self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residuals-missing", "two of three, attentions")
class ResidualsMissing4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.attention(self.norm1(x), mask=target_mask)[0]
            x = self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(self.attention(x, mask=target_mask)[0])
            x = self.norm2(self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-from-normed", "all")
class ResidualFromNormed(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.norm1(x)
            x = x + self.attention(x, mask=target_mask)[0]
            x = self.norm2(x)
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = self.norm3(x)
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-from-normed", "self")
class ResidualFromNormed2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.norm1(x)
            x = x + self.attention(x, mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-from-normed", "cross")
class ResidualFromNormed3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = self.norm2(x)
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-from-normed", "feed-forward")
class ResidualFromNormed4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = self.norm3(x)
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-from-the-start")
class ResidualFromTheStart(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            y = x + self.attention(self.norm1(x), mask=target_mask)[0]
            y = x + self.cross(self.norm2(y), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(y))))
        else:
            y = self.norm1(x + self.attention(x, mask=target_mask)[0])
            y = self.norm2(x + self.cross(y, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(y))))
        return x


@exercise.wrong("residual-from-the-start", "norm last only")
class ResidualFromTheStart2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            y = self.norm1(x + self.attention(x, mask=target_mask)[0])
            y = self.norm2(x + self.cross(y, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(y))))
        return x


@exercise.wrong("residual-from-the-start", "norm first only")
class ResidualFromTheStart3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            y = x + self.attention(self.norm1(x), mask=target_mask)[0]
            y = x + self.cross(self.norm2(y), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(y))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-from-the-start", "feed-forward")
class ResidualFromTheStart4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            y = x + self.attention(self.norm1(x), mask=target_mask)[0]
            y = y + self.cross(self.norm2(y), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(y))))
        else:
            y = self.norm1(x + self.attention(x, mask=target_mask)[0])
            y = self.norm2(y + self.cross(y, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(y))))
        return x


@exercise.wrong("residual-from-the-start", "cross")
class ResidualFromTheStart5(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            y = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(y), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            y = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(y, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-first-ignored")
class NormFirstIgnored(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-first-always")
class NormFirstAlways(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        return x


@exercise.wrong("norm-first-inverted")
class NormFirstInverted(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        else:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        return x


@exercise.wrong("norm-on-the-branch-only")
class NormOnTheBranchOnly(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.norm1(self.attention(x, mask=target_mask)[0])
            x = x + self.norm2(self.cross(x, memory, mask=memory_mask)[0])
            x = x + self.norm3(self.down(F.relu(self.up(x))))
        else:
            x = x + self.norm1(self.attention(x, mask=target_mask)[0])
            x = x + self.norm2(self.cross(x, memory, mask=memory_mask)[0])
            x = x + self.norm3(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-on-the-branch-only", "norm last only")
class NormOnTheBranchOnly2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = x + self.norm1(self.attention(x, mask=target_mask)[0])
            x = x + self.norm2(self.cross(x, memory, mask=memory_mask)[0])
            x = x + self.norm3(self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-on-the-branch-only", "norm first only")
class NormOnTheBranchOnly3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.norm1(self.attention(x, mask=target_mask)[0])
            x = x + self.norm2(self.cross(x, memory, mask=memory_mask)[0])
            x = x + self.norm3(self.down(F.relu(self.up(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-too-many", "after the first sum too")
class NormTooManyAfterFirst(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.norm1(x + self.attention(self.norm1(x), mask=target_mask)[0])
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-too-many", "after the second sum too")
class NormTooManyAfterSecond(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = self.norm2(x + self.cross(self.norm2(x), memory, mask=memory_mask)[0])
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-too-many", "after the first two sums too")
class NormTooManyAfterTwo(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.norm1(x + self.attention(self.norm1(x), mask=target_mask)[0])
            x = self.norm2(x + self.cross(self.norm2(x), memory, mask=memory_mask)[0])
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-too-many", "at the end")
class NormTooMany(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
            x = self.norm3(x)
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-too-many", "both sides")
class NormTooMany2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = self.norm1(x + self.attention(self.norm1(x), mask=target_mask)[0])
            x = self.norm2(x + self.cross(self.norm2(x), memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(self.norm3(x)))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-left-out-self")
class NormLeftOutSelf(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(x, mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = x + self.attention(x, mask=target_mask)[0]
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-left-out-self", "norm last only")
class NormLeftOutSelf2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = x + self.attention(x, mask=target_mask)[0]
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-left-out-self", "norm first only")
class NormLeftOutSelf3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(x, mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-left-out-cross")
class NormLeftOutCross(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-left-out-cross", "norm last only")
class NormLeftOutCross2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-left-out-cross", "norm first only")
class NormLeftOutCross3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-left-out-feed-forward")
class NormLeftOutFeedForward(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = x + self.down(F.relu(self.up(x)))
        return x


@exercise.wrong("norm-left-out-feed-forward", "norm last only")
class NormLeftOutFeedForward2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = x + self.down(F.relu(self.up(x)))
        return x


@exercise.wrong("norm-left-out-feed-forward", "norm first only")
class NormLeftOutFeedForward3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norms-left-out")
class NormsLeftOut(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(x, mask=target_mask)[0]
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = x + self.attention(x, mask=target_mask)[0]
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        return x


@exercise.wrong("norms-left-out", "norm last only")
class NormsLeftOut2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = x + self.attention(x, mask=target_mask)[0]
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        return x


@exercise.wrong("norms-left-out", "norm first only")
class NormsLeftOut3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(x, mask=target_mask)[0]
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "one of three used")
class NormShared(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm1(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm1(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm1(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm1(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "one of three used, norm last only")
class NormShared2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm1(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm1(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "one of three used, norm first only")
class NormShared3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm1(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm1(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "the attentions' norm")
class NormShared4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm1(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm1(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "the last norm, one unused")
class NormShared5(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "first and last")
class NormShared6(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm1(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm1(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "one made")
class NormShared7(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm1(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm1(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm1(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm1(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "two made")
class NormShared8(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norms-not-found", "none made")
class NormsNotFound(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(x, mask=target_mask)[0]
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        else:
            x = x + self.attention(x, mask=target_mask)[0]
            x = x + self.cross(x, memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(x)))
        return x


@exercise.wrong("norms-not-found", "four made")
class NormsNotFound2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.norm4 = nn.LayerNorm(d_model)

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


@exercise.wrong("norm-without-weights", "RMSNorm")
class NormWithoutWeights(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.RMSNorm(d_model), nn.RMSNorm(d_model), nn.RMSNorm(d_model)

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


@exercise.wrong("norm-wrong", "unbiased variance")
class NormWrong(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()

        class Norm(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.weight, self.bias = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

            def forward(self, x):
                return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + 1e-5).sqrt() * self.weight + self.bias

        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = Norm(d_model), Norm(d_model), Norm(d_model)

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


@exercise.wrong("cross-first")
class CrossFirst(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.cross(self.norm1(x), memory, mask=memory_mask)[0]
            x = x + self.attention(self.norm2(x), mask=target_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm2(x + self.attention(x, mask=target_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("cross-first", "norm last only")
class CrossFirst2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm2(x + self.attention(x, mask=target_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("cross-first", "norm first only")
class CrossFirst3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.cross(self.norm1(x), memory, mask=memory_mask)[0]
            x = x + self.attention(self.norm2(x), mask=target_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("feed-forward-too-early", "first")
class FeedForwardTooEarly(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.down(F.relu(self.up(self.norm1(x))))
            x = x + self.attention(self.norm2(x), mask=target_mask)[0]
            x = x + self.cross(self.norm3(x), memory, mask=memory_mask)[0]
        else:
            x = self.norm1(x + self.down(F.relu(self.up(x))))
            x = self.norm2(x + self.attention(x, mask=target_mask)[0])
            x = self.norm3(x + self.cross(x, memory, mask=memory_mask)[0])
        return x


@exercise.wrong("feed-forward-too-early", "second")
class FeedForwardTooEarly2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
            x = x + self.cross(self.norm3(x), memory, mask=memory_mask)[0]
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
            x = self.norm3(x + self.cross(x, memory, mask=memory_mask)[0])
        return x


@exercise.wrong("self-attention-left-out")
class SelfAttentionLeftOut(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.cross(self.norm1(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("cross-attention-left-out")
class CrossAttentionLeftOut(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm2(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("feed-forward-left-out")
class FeedForwardLeftOut(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
        return x


@exercise.wrong("cross-attends-to-x")
class CrossAttendsToX(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("cross-attends-to-x", "norm last only")
class CrossAttendsToX2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("cross-attends-to-x", "norm first only")
class CrossAttendsToX3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("cross-attends-to-x", "without a mask")
class CrossAttendsToX4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x))[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("cross-attends-to-x", "with the target's mask")
class CrossAttendsToX5(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), mask=target_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, mask=target_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("cross-attends-to-x", "the unnormed x")
class CrossAttendsToX6(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), x, memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("queries-from-memory")
class QueriesFromMemory(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(memory, self.norm2(x), mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(memory, x, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("queries-from-memory", "norm last only")
class QueriesFromMemory2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(memory, x, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("queries-from-memory", "norm first only")
class QueriesFromMemory3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(memory, self.norm2(x), mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("queries-from-memory", "and memory answers too")
class QueriesFromMemory4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(0 * self.norm2(x) + memory, memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(memory, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("values-from-x")
class ValuesFromX(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            y = self.norm2(x)
            q, k, v = (split_heads(t, self.cross.n_heads) for t in (self.cross.q_proj(y), self.cross.k_proj(memory), self.cross.v_proj(y)))
            x = x + self.cross.o_proj(merge_heads(scaled_dot_product_attention(q, k, v, memory_mask)[0]))
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            q, k, v = (split_heads(t, self.cross.n_heads) for t in (self.cross.q_proj(x), self.cross.k_proj(memory), self.cross.v_proj(x)))
            x = self.norm2(x + self.cross.o_proj(merge_heads(scaled_dot_product_attention(q, k, v, memory_mask)[0])))
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-normed")
class MemoryNormed(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), self.norm2(memory), mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-normed", "by the first norm")
class MemoryNormed2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), self.norm1(memory), mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-normed", "always")
class MemoryNormed3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), self.norm2(memory), mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, self.norm2(memory), mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("self-attends-to-memory")
class SelfAttendsToMemory(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), memory, mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, memory, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-updated", "added to memory")
class MemoryUpdated(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = memory + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(memory + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("cross-reads-the-start")
class CrossReadsTheStart(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            y = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = y + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            y = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(y + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("feed-forward-reads-the-start", "the self-attention's result")
class FeedForwardReadsTheStart(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            y = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = y + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            y = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(y + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("parallel-branches", "norm first only")
class ParallelBranches(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0] + self.cross(self.norm2(x), memory, mask=memory_mask)[0] + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("parallel-branches")
class ParallelBranches2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0] + self.cross(self.norm2(x), memory, mask=memory_mask)[0] + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0] + self.cross(x, memory, mask=memory_mask)[0] + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("parallel-branches", "norm first only, asked in the other order")
class ParallelBranches3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.down(F.relu(self.up(self.norm3(x)))) + self.cross(self.norm2(x), memory, mask=memory_mask)[0] + self.attention(self.norm1(x), mask=target_mask)[0]
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("keys-from-unnormed")
class KeysFromUnnormed(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), x, target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("attention-shared", "made once")
class AttentionShared(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.attention(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.attention(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("attention-shared", "made twice, used once")
class AttentionShared2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.attention(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.attention(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("attention-not-found", "torch's class")
class AttentionNotFound(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = nn.MultiheadAttention(d_model, n_heads, batch_first=True), nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            y = self.norm1(x)
            x = x + self.attention(y, y, y)[0]
            x = x + self.cross(self.norm2(x), memory, memory)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, x, x)[0])
            x = self.norm2(x + self.cross(x, memory, memory)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("attention-not-found", "three")
class AttentionNotFound2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.third = MultiHeadAttention(d_model, n_heads)

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


@exercise.wrong("target-mask-ignored")
class TargetMaskIgnored(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x))[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("target-mask-ignored", "norm last only")
class TargetMaskIgnored2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("masks-ignored-norm-first", "target_mask")
class TargetMaskIgnored3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x))[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-mask-ignored")
class MemoryMaskIgnored(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-mask-ignored", "norm last only")
class MemoryMaskIgnored2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("masks-ignored-norm-first", "memory_mask")
class MemoryMaskIgnored3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("masks-ignored")
class MasksIgnored(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x))[0]
            x = x + self.cross(self.norm2(x), memory)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x)[0])
            x = self.norm2(x + self.cross(x, memory)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("masks-exchanged")
class MasksExchanged(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=memory_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=target_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=memory_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=target_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("target-mask-on-memory")
class TargetMaskOnMemory(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=target_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=target_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-mask-on-target")
class MemoryMaskOnTarget(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=memory_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=memory_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("target-mask-inverted")
class TargetMaskInverted(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=None if target_mask is None else ~target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=None if target_mask is None else ~target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-mask-inverted")
class MemoryMaskInverted(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=None if memory_mask is None else ~memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=None if memory_mask is None else ~memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("masks-inverted")
class MasksInverted(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=None if target_mask is None else ~target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=None if memory_mask is None else ~memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=None if target_mask is None else ~target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=None if memory_mask is None else ~memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("own-causal-mask", "in place of the mask")
class OwnCausalMask(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=causal_mask(x.shape[1]))[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=causal_mask(x.shape[1]))[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("own-causal-mask", "beside the mask")
class OwnCausalMask2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=causal_mask(x.shape[1]) if target_mask is None else target_mask & causal_mask(x.shape[1]))[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=causal_mask(x.shape[1]) if target_mask is None else target_mask & causal_mask(x.shape[1]))[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("own-causal-mask", "where there is no mask")
class OwnCausalMask3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=causal_mask(x.shape[1]) if target_mask is None else target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=causal_mask(x.shape[1]) if target_mask is None else target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("causal-on-memory", "in place of the mask")
class CausalOnMemory(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril())[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril())[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("causal-on-memory", "beside the mask")
class CausalOnMemory2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril() if memory_mask is None else memory_mask & torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril())[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril() if memory_mask is None else memory_mask & torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril())[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("causal-on-memory", "where there is no mask")
class CausalOnMemory3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril() if memory_mask is None else memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril() if memory_mask is None else memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("causal-on-memory", "the target's mask beside its own")
class CausalOnMemory4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask if target_mask is None else target_mask if memory_mask is None else memory_mask & target_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask if target_mask is None else target_mask if memory_mask is None else memory_mask & target_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-transposed", "target")
class MaskTransposed(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=None if target_mask is None else target_mask.mT)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=None if target_mask is None else target_mask.mT)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-as-memory", "target")
class MaskAsMemory(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-as-memory", "memory")
class MaskAsMemory2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-mask-missing-axes", "two axes more")
class MemoryMaskMissingAxes(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=None if memory_mask is None else memory_mask[:, None, None, :])[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=None if memory_mask is None else memory_mask[:, None, None, :])[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-mask-missing-axes", "an axis more")
class MemoryMaskMissingAxes2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=None if memory_mask is None else memory_mask.unsqueeze(1))[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=None if memory_mask is None else memory_mask.unsqueeze(1))[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("target-mask-missing-axes", "an axis more")
class TargetMaskMissingAxes(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=None if target_mask is None else target_mask.unsqueeze(1))[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=None if target_mask is None else target_mask.unsqueeze(1))[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-or-none", "both")
class MaskOrNone(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask or None)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask or None)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask or None)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask or None)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-or-none", "target")
class MaskOrNone2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask or None)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask or None)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("mask-or-none", "memory")
class MaskOrNone3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask or None)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask or None)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("order-of-arguments", "memory first")
class OrderOfArguments(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, memory, x, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("order-of-arguments", "masks exchanged")
class OrderOfArguments2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, memory_mask=None, target_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("empty-rows")
class EmptyRows(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))

            if memory_mask is not None:
                x = x * memory_mask.any(-1).reshape(-1, memory_mask.shape[-2] if memory_mask.dim() > 1 else 1)[..., None]
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))

            if memory_mask is not None:
                x = x * memory_mask.any(-1).reshape(-1, memory_mask.shape[-2] if memory_mask.dim() > 1 else 1)[..., None]
        return x


@exercise.wrong("no-relu")
class NoRelu(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down((self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down((self.up(x))))
        return x


@exercise.wrong("another-activation", "gelu")
class AnotherActivation(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.gelu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.gelu(self.up(x))))
        return x


@exercise.wrong("another-activation", "tanh")
class AnotherActivation2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(torch.tanh(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(torch.tanh(self.up(x))))
        return x


@exercise.wrong("another-activation", "leaky_relu")
class AnotherActivation3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.leaky_relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.leaky_relu(self.up(x))))
        return x


@exercise.wrong("another-activation", "silu")
class AnotherActivation4(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.silu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.silu(self.up(x))))
        return x


@exercise.wrong("another-activation", "sigmoid")
class AnotherActivation5(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(torch.sigmoid(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(torch.sigmoid(self.up(x))))
        return x


@exercise.wrong("relu-misplaced", "after both")
class ReluMisplaced(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + F.relu(self.down(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + F.relu(self.down(self.up(x))))
        return x


@exercise.wrong("no-bias", "up")
class NoBias(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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


@exercise.wrong("no-bias", "down")
class NoBias2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model, bias=False)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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


@exercise.wrong("no-bias", "attention")
class NoBias3(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads, bias=False), MultiHeadAttention(d_model, n_heads, bias=False)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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


@exercise.wrong("dropout", "always")
class Dropout(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
            x = F.dropout(x, 0.1)
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
            x = F.dropout(x, 0.1)
        return x


@exercise.wrong("dropout", "in training")
class Dropout2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
            x = self.dropout(x)
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
            x = self.dropout(x)
        return x


@exercise.wrong("feed-forward-layers", "four times d_model")
class FeedForwardLayers(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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


@exercise.wrong("heads-ignored")
class HeadsIgnored(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, 1), MultiHeadAttention(d_model, 1)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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


@exercise.wrong("heads-ignored", "in the cross-attention")
class HeadsIgnored2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, 1)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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


@exercise.wrong("sizes-exchanged")
class SizesExchanged(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(n_heads, d_model), MultiHeadAttention(n_heads, d_model)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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


@exercise.wrong("attention-returns-two")
class AttentionReturnsTwo(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask))
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask))
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("returns-two")
class ReturnsTwo(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x, memory


@exercise.wrong("extra-parameters")
class ExtraParameters(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
            x = self.out(x)
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
            x = self.out(x)
        return x


@exercise.wrong("no-super-init")
class NoSuperInit(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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


@exercise.wrong("not-a-module")
class NotAModule:
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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

    def __call__(self, *arguments, **keywords):
        return self.forward(*arguments, **keywords)


@exercise.wrong("batch-and-tokens-exchanged")
class BatchAndTokensExchanged(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        x, memory = x.transpose(0, 1), memory.transpose(0, 1)
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x.transpose(0, 1)


@exercise.wrong("changes-input")
class ChangesInput(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x += self.attention(self.norm1(x), mask=target_mask)[0]
            x += self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x += self.down(F.relu(self.up(self.norm3(x))))
        else:
            x += self.attention(x, mask=target_mask)[0]
            x = self.norm1(x)
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("no-gradient", "cross-attention without gradient")
class NoGradient(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0].detach()
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0].detach())
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("no-gradient", "memory without gradient")
class NoGradient2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory.detach(), mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory.detach(), mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("returns-nothing")
class ReturnsNothing(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))


@exercise.wrong("timeout")
class Timeout(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        import time

        if self.norm_first:
            while x.mean() != 1:
                x = x * 1.0
                time.sleep(0.05)
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            while x.mean() != 1:
                x = x * 1.0
                time.sleep(0.05)
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("ready-made", "torch's class")
class ReadyMade(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.layer = nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout=0.0, batch_first=True, norm_first=norm_first)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        return self.layer(x, memory)


@exercise.wrong("ready-made", "the library's")
class ReadyMade2(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        from allyouneed.layers import DecoderLayer as Ready

        self.layer = Ready(d_model, n_heads, d_ff, norm_first)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        return self.layer(x, memory, target_mask, memory_mask)


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
        self.attention, self.cross = self.Attention(d_model, n_heads), self.Attention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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
        self.attention, self.cross = self.Attention(d_model, n_heads), self.Attention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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
        self.attention, self.cross = self.Attention(d_model, n_heads), self.Attention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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
        self.attention, self.cross = self.Attention(d_model, n_heads), self.Attention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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
        self.attention, self.cross = self.Attention(d_model, n_heads), self.Attention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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
        self.attention, self.cross = self.Attention(d_model, n_heads), self.Attention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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
        self.attention, self.cross = self.Attention(d_model, n_heads), self.Attention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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
        self.attention, self.cross = self.Attention(d_model, n_heads), self.Attention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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
        self.attention, self.cross = self.Attention(d_model, n_heads), self.Attention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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


@exercise.wrong("norm-first-default")
class Later10(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=True):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

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


@exercise.wrong("self-attends-to-memory", "with its mask")
class Later11(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), memory, mask=memory_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, memory, mask=memory_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-cut", "the memory's mask cut as well")
class Later12(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory[:, :x.shape[1]], mask=None if memory_mask is None else memory_mask[..., :x.shape[1]])[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory[:, :x.shape[1]], mask=None if memory_mask is None else memory_mask[..., :x.shape[1]])[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-cut")
class Later13(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory[:, :x.shape[1]], mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory[:, :x.shape[1]], mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("queries-from-memory", "memory alone")
class Later14(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("memory-normed", "norm last only")
class Later15(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, self.norm2(memory), mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-shared", "the queries of the cross-attention by the first norm, norm first only")
class Later16(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm1(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("residual-from-the-start", "feed-forward network, the self-attention's result")
class Later17(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            y = x + self.attention(self.norm1(x), mask=target_mask)[0]
            z = y + self.cross(self.norm2(y), memory, mask=memory_mask)[0]
            x = y + self.down(F.relu(self.up(self.norm3(z))))
        else:
            y = self.norm1(x + self.attention(x, mask=target_mask)[0])
            z = self.norm2(y + self.cross(y, memory, mask=memory_mask)[0])
            x = self.norm3(y + self.down(F.relu(self.up(z))))
        return x


@exercise.wrong("residual-from-the-start", "feed-forward network, the self-attention's result, norm last only")
class Later18(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            y = self.norm1(x + self.attention(x, mask=target_mask)[0])
            z = self.norm2(y + self.cross(y, memory, mask=memory_mask)[0])
            x = self.norm3(y + self.down(F.relu(self.up(z))))
        return x


@exercise.wrong("residual-from-the-start", "feed-forward network, the self-attention's result, norm first only")
class Later19(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            y = x + self.attention(self.norm1(x), mask=target_mask)[0]
            z = y + self.cross(self.norm2(y), memory, mask=memory_mask)[0]
            x = y + self.down(F.relu(self.up(self.norm3(z))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-places-mixed", "feed-forward network, norm last")
class Later20(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        return x


@exercise.wrong("norm-places-mixed", "cross-attention, norm last")
class Later21(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-places-mixed", "self-attention, norm last")
class Later22(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = x + self.cross(self.norm2(x), memory, mask=memory_mask)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("norm-places-mixed", "cross-attention, norm first")
class Later23(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x), mask=target_mask)[0]
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x


@exercise.wrong("masks-ignored-norm-first", "both")
class Later25(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.attention, self.cross = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        if self.norm_first:
            x = x + self.attention(self.norm1(x))[0]
            x = x + self.cross(self.norm2(x), memory)[0]
            x = x + self.down(F.relu(self.up(self.norm3(x))))
        else:
            x = self.norm1(x + self.attention(x, mask=target_mask)[0])
            x = self.norm2(x + self.cross(x, memory, mask=memory_mask)[0])
            x = self.norm3(x + self.down(F.relu(self.up(x))))
        return x
