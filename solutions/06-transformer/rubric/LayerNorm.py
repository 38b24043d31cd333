"""LayerNorm: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise, Relation, edit, every, full

exercise = Exercise(
    "LayerNorm",
    points={"normalization": 2, "epsilon": 1, "parameters": 1},
    section="layer-normalization",
    driver="module",
    forbid=("layer_norm", "native_layer_norm", "group_norm", "native_group_norm", "GroupNorm",
            "instance_norm"),
    properties=[{"rule": "finite"}],
    relations=[
        Relation("a batch", "the same batch, another first item",
                 "Changing another item of the batch changed this one's result; each token is normalized by "
                 "itself.", 1)],
)


@exercise.probes
def probes(make):
    x = make.randn

    def layer(d_model, *arguments, dtype=torch.float32, **keywords):
        return {"arguments": (d_model, *arguments), "keywords": keywords, "gradients": ["weight", "bias"],
                "weights": {"weight": 1 + x(d_model, dtype=dtype, scale=0.5),
                            "bias": x(d_model, dtype=dtype)}}

    def shifted(*shape, scale=2.0, dtype=torch.float32):
        return x(*shape, scale=scale, dtype=dtype) + 1.5

    def probe(name, built, given, group="normalization", **marks):
        return make.probe(name, built, given, group=group, **marks)

    yield probe("two tokens", layer(3), shifted(1, 2, 3))
    yield probe("all sizes different", layer(4), shifted(*make.pick((2, 3, 4), (3, 5, 4), (5, 2, 4))),
                gradient=True)
    built, batch = layer(5), shifted(2, 3, 5)
    other = torch.cat((shifted(1, 3, 5), batch[1:]))
    yield probe("a batch", built, batch)
    yield probe("the same batch, another first item", built, other, long=True)
    yield probe("as many tokens as features", layer(4), shifted(4, 4, 4), edge=True)
    yield probe("one token alone", layer(make.pick(5, 7, 6)), shifted(make.pick(5, 7, 6)), edge=True)
    yield probe("a matrix", layer(4), shifted(make.pick(3, 5, 2), 4), edge=True)
    yield probe("four axes", layer(3), shifted(2, make.pick(2, 3, 4), 4, 3), edge=True)
    yield probe("many tokens", layer(4), shifted(2, 150, 4), long=True)
    yield probe("large numbers", layer(4), shifted(1, 2, 4, scale=3e4), long=True)
    yield probe("float64", layer(4, dtype=torch.float64), shifted(1, 3, 4, dtype=torch.float64) + 1000,
                edge=True,
                gradient=True)
    yield probe("a layer that was called before", layer(4) | {"earlier": ((shifted(2, 3, 4),), {})},
                shifted(2, 3, 4), edge=True)
    yield probe("not contiguous", layer(4), shifted(2, 3, 4), long=True, strided=True)

    group = {"group": "epsilon"}
    yield probe("a large eps", layer(4, make.pick(0.5, 0.7, 0.3)), shifted(1, 2, 4), **group)
    yield probe("an eps by its name", layer(5, eps=make.pick(25.0, 30.0, 20.0)), shifted(2, 2, 5), **group)
    yield probe("tiny differences", layer(4), x(1, 2, 4, scale=2e-3), **group)
    yield probe("equal numbers", layer(4), torch.full((1, 2, 4), 2.0**-5), edge=True, gradient=True, **group)

    group = {"group": "parameters"}
    yield make.probe("what a fresh layer's parameters hold",
                     {"arguments": (4,), "starts": ["weight", "bias"]}, **group)
    yield make.probe("a fresh layer's parameters",
                     {"arguments": (make.pick(4, 6, 5),), "shapes": ["weight", "bias"]}, edge=True, **group)


@exercise.right
class Reference(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.right("var without correction")
class VarWithout(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mu = x.mean(-1, keepdim=True)
        var = x.var(-1, unbiased=False, keepdim=True)
        return self.weight * (x - mu) / (var + self.eps) ** 0.5 + self.bias


@exercise.right("var_mean and rsqrt")
class Var_mean(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return torch.addcmul(self.bias, self.weight, (x - mean) * torch.rsqrt(variance + self.eps))


@exercise.right("sums divided by the width, in float64")
class SumsDivided(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        d = x.shape[-1]
        y = x.double()
        y = y - y.sum(-1, keepdim=True) / d
        y = y / ((y * y).sum(-1, keepdim=True) / d + self.eps).sqrt()
        return (y * self.weight.double() + self.bias.double()).to(x.dtype)


@exercise.right("unsqueeze in place of keepdim")
class Unsqueeze(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(-1).unsqueeze(-1)
        spread = centred.pow(2).mean(-1).add(self.eps).sqrt()[..., None]
        return centred.div(spread).mul(self.weight).add(self.bias)


@exercise.right("a loop over tokens")
class Loop(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        rows = []
        for row in x.reshape(-1, x.shape[-1]):
            centred = row - row.mean()
            rows.append(centred / torch.sqrt((centred ** 2).mean() + self.eps) * self.weight + self.bias)
        return torch.stack(rows).reshape(x.shape)


@exercise.right("features first, by transposition")
class Features(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        y = x.movedim(-1, 0)
        y = (y - y.mean(0)) / (y.var(0, correction=0) + self.eps).sqrt()
        return y.movedim(0, -1) * self.weight + self.bias


@exercise.right("root mean square of the centred numbers")
class Root(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(keepdim=True, dim=-1)
        return F.rms_norm(centred, self.weight.shape, None, self.eps) * self.weight + self.bias


@exercise.right("register_parameter, and d_model kept")
class Register_parameterD_model(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.d_model, self.eps = d_model, eps
        self.register_parameter("weight", nn.Parameter(torch.full((d_model,), 1.0)))
        self.register_parameter("bias", nn.Parameter(torch.ones(d_model)))
        nn.init.zeros_(self.bias)

    def forward(self, x):
        mean = torch.mean(x, dim=-1, keepdim=True)
        var = torch.mean((x - mean) ** 2, dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(var + self.eps) * self.weight + self.bias


VARIANCE = "variance = (x - mean).square().mean(dim=-1, keepdim=True)"
RMS_NORM = "F.rms_norm(centred, self.weight.shape, None,"

exercise.also_right(
    edit(Reference, {"return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias":
                     "gain = self.weight / torch.sqrt(variance + self.eps)\n"
                     "return gain * x + (self.bias - mean * gain)"}, "a gain and a shift for each token"),
    edit(Reference, {"mean = x": "centred = x - x", "(x - mean).square()": "(centred * centred)",
                     "return": "scale = self.weight / (variance + self.eps).sqrt()\nreturn",
                     "(x - mean) / torch.sqrt(variance + self.eps) * self.weight": "centred * scale"},
         "std without correction, squared again"),
    edit(Root, {"centred = x - x.mean(keepdim=True, dim=-1)":
                "d = x.shape[-1]\n"
                "centre = torch.eye(d, dtype=x.dtype) - 1 / d\n"
                "centred = x @ centre\n"
                'variance = torch.einsum("...d,...d->...", centred, centred) / d',
                RMS_NORM: "centred / torch.sqrt(variance[..., None] +"}, "centred by a matrix, with einsum"))

exercise.mistake("unbiased-variance", "unbiased-or-not",
    "The variance is divided by d − 1. Layer normalization divides by d: torch's var and std do that only "
    "with correction=0.",
    edit(Reference, {"(x - mean).square().mean": "x.var"}),
    edit(Reference, {VARIANCE: "",
                     "torch.sqrt(variance + self.eps)": "x.std(dim=-1, keepdim=True)"}, "and no eps"))

exercise.mistake("unbiased-and-eps-outside", "epsilon-inside",
    "Two things: the standard deviation is divided by d − 1, and eps is added outside the root. Divide the "
    "variance by d, and add eps to it before the root.",
    edit(Reference, {VARIANCE: "", "torch.sqrt(variance": "(x.std(dim=-1, keepdim=True)"}),
    edit(Reference, {VARIANCE: "",
                     "torch.sqrt(variance": "(x.var(dim=-1, keepdim=True).sqrt()"}, "root of var"))

exercise.mistake("eps-outside-root", "epsilon-inside",
    "eps is added to the standard deviation, outside the root. Add it to the variance, then take the root.",
    edit(Reference, {"torch.sqrt(variance": "(torch.sqrt(variance)"}),
    edit(Reference, {VARIANCE: "",
                     "torch.sqrt(variance": "(x.std(dim=-1, correction=0, keepdim=True)"},
         "std without correction"))

exercise.mistake("eps-squared", "epsilon-inside", "eps enters as its square. Add eps itself to the variance.",
    edit(Reference, {"eps)": "eps ** 2)"}))

exercise.mistake("no-eps", "epsilon-inside",
    "eps is left out, so a token whose numbers are all equal divides 0 by 0. Add eps to the variance.",
    edit(Reference, {" + self.eps": ""}))

exercise.mistake("eps-as-floor", "epsilon-inside",
    "eps is used as a smallest value. It must always be added to the variance.",
    edit(Reference, {"+ self.eps": ".clamp(min=self.eps)"}),
    edit(Reference, {"variance +": "variance ).clamp(min="}, "of the root"))

exercise.mistake("eps-fixed", "epsilon-inside",
    "A number is written in place of eps. Use the eps that the constructor was given.",
    edit(Reference, {"+ self.eps": "+ 1e-5"}),
    edit(Reference, {"+ self.eps": "+ 1e-6"}, "another number"),
    edit(Reference, {"+ self.eps": "+ 1e-8"}, "a smaller one"))

exercise.mistake("eps-default", "epsilon-inside",
    "A layer that is made without eps has another eps than 1e-5. Leave the default in __init__'s first line "
    "as it was.",
    edit(Reference, {"eps=1e-5": "eps=1e-6"}),
    edit(VarWithout, {"eps=1e-5": "eps=1e-12"}, "smaller"),
    edit(Reference, {"eps=1e-5": "eps=1e-3"}, "larger"))

exercise.mistake("no-root", "layer-normalization",
    "The difference is divided by the variance. Divide by its square root.",
    edit(Reference, {" torch.sqrt": ""}),
    edit(Reference, {VARIANCE: "", "torch.sqrt(variance": "(x.var(dim=-1, keepdim=True)"}, "and unbiased"))

exercise.mistake("mean-absolute-deviation", "layer-normalization",
    "The spread is measured by absolute differences. Take the mean of the squared differences, then the "
    "root.",
    edit(Reference, {every("variance"): "spread", "square": "abs", " torch.sqrt": ""}),
    edit(Reference, {every("variance"): "spread", "square": "abs"}, "with a root"))

exercise.mistake("not-centred", "layer-normalization",
    "The mean is not subtracted from the numbers. Subtract it before you divide.",
    edit(Reference, {"(x - mean) /": "x /"}),
    edit(Root, {"centred = x - x.mean(keepdim=True, dim=-1)": "",
                RMS_NORM: "x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) +"}, "root mean square norm"))

exercise.mistake("variance-not-centred", "layer-normalization",
    "The mean of the squares is used as the variance. The variance is the mean of the squared differences "
    "from the mean.",
    edit(Reference, {VARIANCE: "", "variance +": "x.square().mean(dim=-1, keepdim=True) +"}))

exercise.mistake("not-scaled", "layer-normalization",
    "Nothing is divided by the standard deviation. The result of a token must have variance 1 before "
    "weight and bias.",
    edit(Root, {"centred = x - x.mean(keepdim=True, dim=-1)": "",
                "F.rms_norm(centred, self.weight.shape, None, self.eps)":
                "(x - x.mean(dim=-1, keepdim=True))"}))

exercise.mistake("sum-not-mean", "layer-normalization",
    "The squared differences are summed. Their mean, the sum divided by d, is the variance.",
    edit(Reference, {"().mean": "().sum"}))

exercise.mistake("norm-of-vector", "layer-normalization",
    "The token is divided by its length, not by its standard deviation. The length is √d times as large.",
    edit(Reference, {VARIANCE: "", "torch.sqrt(variance": "((x - mean).norm(dim=-1, keepdim=True)"}),
    edit(Root, {"centred = x - x.mean(keepdim=True, dim=-1)": "",
                "rms_norm(centred, self.weight.shape, None, self.eps)":
                "normalize(x - x.mean(dim=-1, keepdim=True), dim=-1)"}, "normalize"),
    edit(Root, {"centred = x - x.mean(keepdim=True, dim=-1)": "",
                RMS_NORM: "x / (x.norm(dim=-1, keepdim=True) +"}, "not centred either"))

exercise.mistake("over-the-batch", "batch-or-layer",
    "Means and variances run over the batch or over the tokens. Each token is normalized over its own d "
    "numbers: dim=-1.",
    edit(Reference, {every("-1"): "0"}, "the first axis"),
    edit(Reference, {every("1"): "2"}, "the tokens"),
    edit(Reference, {"x.mean(dim=-1": "x.mean(dim=tuple(range(x.dim() - 1))",
                     "().mean(dim=-1": "().mean(dim=tuple(range(x.dim() - 1))"}, "batch normalization"),
    edit(Features, {"y = x.movedim(-1, 0)": "flat = x.reshape(-1, x.shape[-1])",
                    "y = (y - y.mean(0)) / (y": "flat = (flat - flat.mean(0)) / torch.sqrt(flat",
                    ".sqrt()": "",
                    "y.movedim(0, -1)": "flat.reshape(x.shape)"}, "batch normalization of flat rows"),
    edit(Reference, {every("-1"): "1"}, "axis one"),
    edit(Root, {"def forward": "    self.norm = nn.BatchNorm1d(d_model, eps=eps, affine=False)\ndef forward",
                "centred = x - x.mean(keepdim=True, dim=-1)": "flat = self.norm(x.reshape(-1, x.shape[-1]))",
                "F.rms_norm(centred, self.weight.shape, None, self.eps)": "flat.reshape(x.shape)"},
         "nn.BatchNorm1d"))

exercise.mistake("over-tokens-and-features", "batch-or-layer",
    "Tokens share one mean and variance. Each token has its own, over its d numbers alone: dim=-1.",
    edit(Root, {"centred = x - x.mean(keepdim=True, dim=-1)": "",
                RMS_NORM: "(x - x.mean()) / torch.sqrt(x.var(correction=0) +"}, "the whole tensor"),
    edit(Reference, {"x.mean(dim=-1, keepdim=True)": "x.mean()", VARIANCE: "",
                     "variance +": "x.var() +"}, "the whole tensor, unbiased"),
    edit(Reference, {"x.mean(dim=-1": "x.mean(dim=(-2, -1)",
                     "().mean(dim=-1": "().mean(dim=(-2, -1)"}, "a whole sequence"),
    edit(Reference, {"mean =": "axes = tuple(range(1, x.dim()))\nmean =",
                     every("-1"): "axes"}, "all axes but the first"))

exercise.mistake("axis-counted-from-the-front", "batch-or-layer",
    "The axis is counted from the front, which is right for one number of axes only. The features are the "
    "last axis: dim=-1.",
    edit(Reference, {every("-1"): "2"}))

exercise.mistake("no-affine", "layer-normalization",
    "weight and bias are not applied. Multiply by weight, then add bias.",
    edit(Reference, {" * self.weight + self.bias": ""}))

exercise.mistake("weight-left-out", "layer-normalization",
    "weight is not applied. Multiply by it before you add bias.",
    edit(Reference, {" * self.weight": ""}))

exercise.mistake("bias-left-out", "layer-normalization", "bias is not applied. Add it at the end.",
    edit(Reference, {" + self.bias": ""}))

exercise.mistake("bias-before-weight", "layer-normalization",
    "bias is added before the multiplication. Multiply by weight first, then add bias.",
    edit(Reference, {"return": "return self.weight * (", "* self.weight + self.bias": "+ self.bias)"}))

exercise.mistake("weight-and-bias-exchanged", "layer-normalization",
    "weight and bias are exchanged: weight multiplies, bias is added.",
    edit(Reference, {"weight + self.bias": "bias + self.weight"}))

exercise.mistake("affine-first", "layer-normalization",
    "weight and bias are applied before the normalization, which takes their effect back. Apply them at "
    "the end.",
    edit(Reference, {"mean =": "x = x * self.weight + self.bias\nmean =", " * self.weight + self.bias": ""}))

exercise.mistake("starting-values", "layer-normalization",
    "A fresh layer starts with the wrong values. weight starts as ones and bias as zeros, so that it "
    "begins as plain normalization.",
    edit(Reference, {"ones": "zeros", "zeros": "ones"}, "exchanged"),
    edit(Reference, {"ones": "zeros"}, "both zeros"),
    edit(Reference, {"zeros": "ones"}, "both ones"),
    edit(Reference, {"ones": "randn"}, "random weight"),
    edit(Reference, {"zeros": "randn"}, "random bias"),
    edit(Reference, {"ones": "randn", "zeros": "randn"}, "all random"))

exercise.mistake("no-parameter", "layer-normalization",
    "weight or bias is no parameter of the layer. Make both with nn.Parameter, and keep them as "
    "self.weight and self.bias: a plain tensor, a buffer or another name is not trained.",
    edit(Reference, {every("nn.Parameter("): "", every("d_model))"): "d_model)"}, "plain tensors"),
    edit(Reference, {"nn.Parameter(torch.ones(d_model))": "torch.ones(d_model)"}, "weight a plain tensor"),
    edit(VarWithout, {"nn.Parameter(torch.zeros(d_model))": "torch.zeros(d_model)"}, "bias a plain tensor"),
    edit(Reference, {"self.weight = nn.Parameter(torch.ones(d_model))":
                     'self.register_buffer("weight", torch.ones(d_model))'}, "weight a buffer"),
    edit(Reference, {"self.weight = nn.Parameter(torch.ones(d_model))": "self.gain = torch.ones(d_model)",
                     "* self.weight": "* self.gain"}, "a plain tensor of another name"),
    edit(Reference, {"self.bias = nn.Parameter(torch.zeros(d_model))": "", " + self.bias": ""}, "no bias"))

exercise.mistake("one-plus-weight", "layer-normalization",
    "1 is added to weight before it multiplies. weight starts as ones: multiply by it as it is.",
    edit(Reference, {"* self.weight": "* (1 + self.weight)"}),
    edit(VarWithout, {"self.weight * (x - mu)": "(1 + self.weight) * (x - mu)",
                      "torch.ones": "torch.zeros"}, "which starts as zeros"))

exercise.mistake("parameter-shape", "layer-normalization",
    "weight or bias has the wrong shape. Each holds d_model numbers: shape (d_model,).",
    edit(Reference, {every("(d_model"): "(1"}, "one number"),
    edit(Reference, {"ones(d_model)": "ones(1, d_model)", "zeros(d_model)": "zeros(1, d_model)"}, "two axes"),
    edit(Reference, {"ones(d_model)": "ones(1, 1, d_model)",
                     "zeros(d_model)": "zeros(1, 1, d_model)"}, "three axes"))

exercise.mistake("frozen", "layer-normalization",
    "weight and bias do not train. Leave requires_grad as nn.Parameter sets it.",
    edit(Reference, {"ones(d_model)": "ones(d_model), requires_grad=False",
                     "zeros(d_model)": "zeros(d_model), requires_grad=False"}))


exercise.mistake("not-a-module", "layer-normalization",
    "The class is not derived from nn.Module, so nothing in it can be trained. Write class "
    "LayerNorm(nn.Module).",
    edit(Reference, {"(nn.Module)": "", "super().__init__()": "",
                     "def __init__": "def __call__(self, *inputs, **keywords):\n"
                                     "    return self.forward(*inputs, **keywords)\n\n"
                                     "def __init__"}))

exercise.mistake("no-super-init", "layer-normalization",
    "__init__ does not call super().__init__(). Do that first: only then can an nn.Module keep parameters.",
    edit(Reference, {"super().__init__()": ""}))

exercise.mistake("keepdim", "layer-normalization",
    "The mean or the variance has lost its axis, so it does not line up with x. Keep the axis: keepdim=True.",
    edit(Reference, {every(", keepdim=True"): ""}, "of both"),
    edit(Reference, {"().mean(dim=-1, keepdim=True)": "().mean(dim=-1)"}, "of the variance"),
    edit(Reference, {"x.mean(dim=-1, keepdim=True)": "x.mean(dim=-1)",
                     "(x - mean).square().mean(dim=-1,": "x.var(dim=-1, correction=0,"}, "of the mean"))

exercise.mistake("statistics-detached", "layer-normalization",
    "The values are right, but mean and variance are cut off from the gradient. Let it flow through them: "
    "no detach and no no_grad.",
    edit(Reference, {"x.mean": "x.detach().mean", "(x - mean).": "(x.detach() - mean)."}),
    edit(Reference, {"variance +": "variance.detach() +"}, "the variance alone"),
    edit(Reference, {"(x - mean) /": "(x - mean.detach()) /"}, "the mean alone"))

exercise.mistake("dtype-fixed", "layer-normalization",
    "float64 inputs do not give float64 results: some tensor is made or cast as float32.",
    edit(Reference, {"mean =": "x = x.float()\nmean =", "+ self.bias": ".float() + self.bias.float()"}))

exercise.mistake("float32-inside", "layer-normalization",
    "float64 inputs are computed with in float32, which loses digits where numbers lie far from 0. Keep "
    "x's dtype.",
    edit(Reference, {"mean =": "given = x.dtype\nx = x.float()\nmean =",
                     "(x - mean) / torch.sqrt(variance + self.eps)":
                     "((x - mean) / torch.sqrt(variance + self.eps)).to(given)"}))

exercise.mistake("fixed-shape", "batch-or-layer",
    "The code expects a fixed number of axes. x may have any: work on the last one, and leave the others "
    "alone.",
    edit(Reference, {"mean =": "B, T, D = x.shape\nmean ="}, "three axes unpacked"))

exercise.mistake("keeps-statistics", "layer-normalization",
    "The layer keeps the mean and the variance of an earlier call. Find both anew in each call, from the x "
    "that was handed over.",
    edit(Reference, {"mean = x.mean(dim=-1, keepdim=True)\n"
                     "variance = (x - mean).square().mean(dim=-1, keepdim=True)":
                     'if not hasattr(self, "mean"):\n'
                     "    self.mean = x.mean(dim=-1, keepdim=True)\n"
                     "    self.variance = x.var(dim=-1, keepdim=True, correction=0)",
                     "mean) / torch.sqrt(": "self.mean) / torch.sqrt(self."}),
    edit(Reference, {"return": 'if hasattr(self, "kept"):\n'
                               "    mean, variance = 0.9 * self.kept[0] + 0.1 * mean, 0.9 * self.kept[1] "
                               "+ 0.1 * variance\n"
                               "self.kept = mean.detach(), variance.detach()\n"
                               "return"}, "a running mean"))

exercise.mistake("summed-over-features", "layer-normalization",
    "The features are summed with weight. Multiply each feature by its own entry of weight, without a sum: "
    "the result is as wide as x.",
    edit(Reference, {"return": "y = (x - mean) / torch.sqrt(variance + self.eps)\nreturn",
                     "(x - mean) / torch.sqrt(variance + self.eps) * self.weight":
                     'torch.einsum("...d,d->...", y, self.weight).unsqueeze(-1)'}),
    edit(Reference, {"* self.weight + self.bias": "@ self.weight[:, None] + self.bias.sum()"},
         "a matrix product, the axis lost"))

exercise.mistake("parentheses", "layer-normalization",
    "Parentheses are missing: x - mean / root divides the mean alone. The whole difference is divided.",
    edit(Reference, {"(x - mean) /": "x - mean /"}),
    edit(Reference, {"(x - mean) /": "x - mean / (", "variance +": "variance) +"}, "and eps outside"))

exercise.mistake("divided-by-weight", "layer-normalization",
    "The numbers are divided by weight. Multiply by weight, and keep it out of the parentheses around the "
    "divisor.",
    edit(Reference, {"/ torch": "/(torch", "weight +": "weight) +"}))

exercise.mistake("times-the-root", "layer-normalization",
    "The difference is multiplied by the standard deviation. Divide by it.",
    edit(Reference, {"/ torch": "* torch"}))

exercise.mistake("divided-by-the-length", "batch-or-layer",
    "The sums are divided by the number of tokens. Divide them by d, the size of the last axis.",
    edit(Reference, {"mean =": "d = x.shape[1]\nmean =",
                     "x.mean(dim=-1, keepdim=True)": "x.sum(dim=-1, keepdim=True) / d",
                     "().mean(dim=-1, keepdim=True)": "().sum(dim=-1, keepdim=True) / d"}),
    edit(Reference, {"().mean(dim=-1, keepdim=True)": "().sum(dim=-1, keepdim=True) / x.size(1)"},
         "the variance alone"))

exercise.built_in("no-gradient",
    edit(Reference, {"x.mean": "x.detach().mean", "(x - mean).": "(x.detach() - mean).",
                     "(x - mean) /": "(x.detach() - mean) /"}))

exercise.built_in("changes-input",
    edit(Reference, {"mean = x": "x -= x", "(x - mean).": "x.", "(x - mean) /": "x /"}))


class ReadyMade(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps=eps)
        self.weight, self.bias = self.norm.weight, self.norm.bias

    def forward(self, x):
        return self.norm(x)


class ReadyMadeDerived(nn.LayerNorm):
    def __init__(self, d_model, eps=1e-5):
        super().__init__(d_model, eps=eps)

    def forward(self, x):
        return super().forward(x)


exercise.built_in("ready-made",
    edit(Var_mean, {"variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)": "",
                    "torch.addcmul(self.bias, self.weight, (x - mean) * torch.rsqrt(variance + self.eps))":
                    "F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)"}),
    full(ReadyMade, "nn.LayerNorm inside"),
    full(ReadyMadeDerived, "derived from nn.LayerNorm"),
    edit(VarWithout, {"mu = x.mean(-1, keepdim=True)\n"
                      "var = x.var(-1, unbiased=False, keepdim=True)\n"
                      "return self.weight * (x - mu) / (var + self.eps) ** 0.5 + self.bias":
                      "return torch.native_layer_norm(x, self.weight.shape, self.weight, self.bias, "
                      "self.eps)[0]"}, "native_layer_norm"),
    edit(Root, {"centred = x - x.mean(keepdim=True, dim=-1)\n"
                "return F.rms_norm(centred, self.weight.shape, None, self.eps) * self.weight + self.bias":
                "from allyouneed.nn.layers import LayerNorm as Ready\n"
                "layer = Ready(len(self.weight), self.eps)\n"
                "layer.weight, layer.bias = self.weight, self.bias\n"
                "return layer(x)"}, "the library's"))

exercise.built_in("returns-nothing",
    edit(Reference, {"return": "y ="}))

exercise.built_in("timeout",
    edit(Root, {"centred = x - x.mean(keepdim=True, dim=-1)\n"
                "return F.rms_norm(centred, self.weight.shape, None, self.eps) * self.weight + self.bias":
                "import time\n"
                "while x.mean() != 0:\n"
                "    x = x * 1.0\n"
                "    time.sleep(0.05)\n"
                "return x"}))

exercise.equal("a square has no sign, factors have no order, and rows in one line are folded again", {
    "(x - mean)": "(mean - x)", "stack": "cat",
    "self.weight, (x - mean) * torch.rsqrt(variance + self.eps)":
    "(x - mean) * torch.rsqrt(variance + self.eps), self.weight"})
exercise.equal("float32 is exact enough, the width that is kept is not read, and a bias of ones is set to 0", {
    ".double()": "", "= d_model, eps": "= eps, eps", "torch.ones(d_model)": "torch.zeros(d_model)"})
