"""The rubric of LayerNorm: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise

exercise = Exercise(
    "LayerNorm",
    points={"normalization": 2, "epsilon": 1, "parameters": 1},
    section="layer-normalization",
    driver="module_again",
    compact=True,
    forbid=("layer_norm", "native_layer_norm", "group_norm", "native_group_norm", "GroupNorm", "instance_norm"),
    properties=[{"rule": "finite"}],
    relations=[("a batch", "the same batch, another first item",
                "Changing another item of the batch changed this one's result; each token is normalized by itself.", 1)],
    mistakes={
        "unbiased-variance": ("The variance is divided by d − 1. Layer normalization divides by d: torch's var and std do that only with "
                              "correction=0.", "unbiased-or-not"),
        "unbiased-and-eps-outside": ("Two things: the standard deviation is divided by d − 1, and eps is added outside the root. Divide the "
                                     "variance by d, and add eps to it before the root.", "epsilon-inside"),
        "eps-outside-root": ("eps is added to the standard deviation, outside the root. Add it to the variance, then take the root.", "epsilon-inside"),
        "eps-squared": ("eps enters as its square. Add eps itself to the variance.", "epsilon-inside"),
        "no-eps": ("eps is left out, so a token whose numbers are all equal divides 0 by 0. Add eps to the variance.", "epsilon-inside"),
        "eps-as-floor": ("eps is used as a smallest value. It must always be added to the variance.", "epsilon-inside"),
        "eps-fixed": ("A number is written in place of eps. Use the eps that the constructor was given.", "epsilon-inside"),
        "no-root": ("The difference is divided by the variance. Divide by its square root.", "layer-normalization"),
        "mean-absolute-deviation": ("The spread is measured by absolute differences. Take the mean of the squared differences, then the root.", "layer-normalization"),
        "not-centred": ("The mean is not subtracted from the numbers. Subtract it before you divide.", "layer-normalization"),
        "variance-not-centred": ("The mean of the squares is used as the variance. The variance is the mean of the squared differences from the "
                                 "mean.", "layer-normalization"),
        "not-scaled": ("Nothing is divided by the standard deviation. The result of a token must have variance 1 before weight and bias.", "layer-normalization"),
        "sum-not-mean": ("The squared differences are summed. Their mean, the sum divided by d, is the variance.", "layer-normalization"),
        "norm-of-vector": ("The token is divided by its length, not by its standard deviation. The length is √d times as large.", "layer-normalization"),
        "over-the-batch": ("Means and variances run over the batch or over the tokens. Each token is normalized over its own d numbers: dim=-1.", "batch-or-layer"),
        "over-tokens-and-features": ("Tokens share one mean and variance. Each token has its own, over its d numbers alone: dim=-1.", "batch-or-layer"),
        "axis-counted-from-the-front": ("The axis is counted from the front, which is right for one number of axes only. The features are the last "
                                        "axis: dim=-1.", "batch-or-layer"),
        "no-affine": ("weight and bias are not applied. Multiply by weight, then add bias.", "layer-normalization"),
        "weight-left-out": ("weight is not applied. Multiply by it before you add bias.", "layer-normalization"),
        "bias-left-out": ("bias is not applied. Add it at the end.", "layer-normalization"),
        "bias-before-weight": ("bias is added before the multiplication. Multiply by weight first, then add bias.", "layer-normalization"),
        "weight-and-bias-exchanged": ("weight and bias are exchanged: weight multiplies, bias is added.", "layer-normalization"),
        "affine-first": ("weight and bias are applied before the normalization, which takes their effect back. Apply them at the end.", "layer-normalization"),
        "starting-values": ("A fresh layer starts with the wrong values. weight starts as ones and bias as zeros, so that it begins as plain "
                            "normalization.", "layer-normalization"),
        "no-parameter": ("There is no parameter called weight or bias. Make both with nn.Parameter, and keep them as self.weight and self.bias: "
                         "only then are they trained.", "layer-normalization"),
        "parameter-shape": ("weight or bias has the wrong shape. Each holds d_model numbers: shape (d_model,).", "layer-normalization"),
        "frozen": ("weight and bias do not train. Leave requires_grad as nn.Parameter sets it.", "layer-normalization"),
        "not-a-module": ("The class is not derived from nn.Module, so nothing in it can be trained. Write class LayerNorm(nn.Module).", "layer-normalization"),
        "no-super-init": ("__init__ does not call super().__init__(). Do that first: only then can an nn.Module keep parameters.", "layer-normalization"),
        "keeps-statistics": ("The layer keeps the mean and the variance of an earlier call. Find both anew in each call, from the x that was "
                             "handed over.", "layer-normalization"),
        "summed-over-features": ("The features are summed with weight. Multiply each feature by its own entry of weight, without a sum: the "
                                 "result is as wide as x.", "layer-normalization"),
        "parentheses": ("Parentheses are missing: x - mean / root divides the mean alone. The whole difference is divided.", "layer-normalization"),
        "divided-by-weight": ("The numbers are divided by weight. Multiply by weight, and keep it out of the parentheses around the divisor.",
                              "layer-normalization"),
        "times-the-root": ("The difference is multiplied by the standard deviation. Divide by it.", "layer-normalization"),
        "divided-by-the-length": ("The sums are divided by the number of tokens. Divide them by d, the size of the last axis.", "batch-or-layer"),
        "keepdim": ("The mean or the variance has lost its axis, so it does not line up with x. Keep the axis: keepdim=True.", "layer-normalization"),
        "statistics-detached": ("The values are right, but mean and variance are cut off from the gradient. Let it flow through them: no detach and "
                                "no no_grad.", "layer-normalization"),
        "dtype-fixed": ("float64 inputs do not give float64 results: some tensor is made or cast as float32.", "layer-normalization"),
        "fixed-shape": ("The code expects a fixed number of axes. x may have any: work on the last one, and leave the others alone.", "batch-or-layer"),
    },
)


@exercise.probes
def _(make):
    x = make.randn

    def layer(d_model, *arguments, dtype=torch.float32, **keywords):
        return {"arguments": (d_model, *arguments), "keywords": keywords, "gradients": ["weight", "bias"],
                "weights": {"weight": 1 + x(d_model, dtype=dtype, scale=0.5), "bias": x(d_model, dtype=dtype)}}

    def shifted(*shape, scale=2.0, dtype=torch.float32):
        return x(*shape, scale=scale, dtype=dtype) + 1.5

    def probe(name, built, given, group="normalization", **marks):
        return make.probe(name, built, given, group=group, **marks)

    yield probe("two tokens", layer(3), shifted(1, 2, 3))
    yield probe("all sizes different", layer(4), shifted(*make.pick((2, 3, 4), (3, 5, 4), (5, 2, 4))), gradient=True)
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
    yield probe("float64", layer(4, dtype=torch.float64), shifted(1, 3, 4, dtype=torch.float64), edge=True, gradient=True)
    yield probe("a layer that was called before", layer(4) | {"earlier": shifted(2, 3, 4)}, shifted(2, 3, 4), edge=True)
    yield probe("not contiguous", layer(4), shifted(2, 3, 4), long=True, strided=True)

    group = {"group": "epsilon"}
    yield probe("a large eps", layer(4, make.pick(0.5, 0.7, 0.3)), shifted(1, 2, 4), **group)
    yield probe("an eps by its name", layer(5, eps=make.pick(25.0, 30.0, 20.0)), shifted(2, 2, 5), **group)
    yield probe("tiny differences", layer(4), x(1, 2, 4, scale=2e-3), **group)
    yield probe("equal numbers", layer(4), torch.full((1, 2, 4), 2.0), edge=True, gradient=True, **group)

    group = {"group": "parameters"}
    yield make.probe("what a fresh layer's parameters hold", {"arguments": (4,), "starts": ["weight", "bias"]}, **group)
    yield make.probe("a fresh layer's parameters", {"arguments": (make.pick(4, 6, 5),), "shapes": ["weight", "bias"]}, edge=True, **group)


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


@exercise.alternative("var without correction")
class RightOne(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mu = x.mean(-1, keepdim=True)
        var = x.var(-1, unbiased=False, keepdim=True)
        return self.weight * (x - mu) / (var + self.eps) ** 0.5 + self.bias


@exercise.alternative("var_mean and rsqrt")
class RightTwo(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return torch.addcmul(self.bias, self.weight, (x - mean) * torch.rsqrt(variance + self.eps))


@exercise.alternative("sums divided by the width, in float64")
class RightThree(nn.Module):
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


@exercise.alternative("unsqueeze in place of keepdim")
class RightFour(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(-1).unsqueeze(-1)
        spread = centred.pow(2).mean(-1).add(self.eps).sqrt()[..., None]
        return centred.div(spread).mul(self.weight).add(self.bias)


@exercise.alternative("a loop over tokens")
class RightFive(nn.Module):
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


@exercise.alternative("std without correction, squared again")
class RightSix(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = (centred * centred).mean(dim=-1, keepdim=True)
        scale = self.weight / (variance + self.eps).sqrt()
        return centred * scale + self.bias


@exercise.alternative("features first, by transposition")
class RightSeven(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        y = x.movedim(-1, 0)
        y = (y - y.mean(0)) / (y.var(0, correction=0) + self.eps).sqrt()
        return y.movedim(0, -1) * self.weight + self.bias


@exercise.alternative("centred by a matrix, with einsum")
class RightEight(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        d = x.shape[-1]
        centre = torch.eye(d, dtype=x.dtype) - 1 / d
        centred = x @ centre
        variance = torch.einsum("...d,...d->...", centred, centred) / d
        return centred / torch.sqrt(variance[..., None] + self.eps) * self.weight + self.bias


@exercise.alternative("root mean square of the centred numbers")
class RightNine(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(keepdim=True, dim=-1)
        return F.rms_norm(centred, self.weight.shape, None, self.eps) * self.weight + self.bias


@exercise.alternative("register_parameter, and d_model kept")
class RightTen(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.d_model, self.eps = d_model, eps
        self.register_parameter("weight", nn.Parameter(torch.full((d_model,), 1.0)))
        self.register_parameter("bias", nn.Parameter(torch.empty(d_model)))
        nn.init.zeros_(self.bias)

    def forward(self, x):
        mean = torch.mean(x, dim=-1, keepdim=True)
        var = torch.mean((x - mean) ** 2, dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(var + self.eps) * self.weight + self.bias


@exercise.wrong("unbiased-variance")
class UnbiasedVariance(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("unbiased-and-eps-outside")
class UnbiasedAndEpsOutside(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        return (x - mean) / (x.std(dim=-1, keepdim=True) + self.eps) * self.weight + self.bias


@exercise.wrong("unbiased-and-eps-outside", "root of var")
class UnbiasedAndEpsOutside2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        return (x - mean) / (x.var(dim=-1, keepdim=True).sqrt() + self.eps) * self.weight + self.bias


@exercise.wrong("eps-outside-root")
class EpsOutsideRoot(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / (torch.sqrt(variance) + self.eps) * self.weight + self.bias


@exercise.wrong("eps-outside-root", "std without correction")
class EpsOutsideRoot2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        return (x - mean) / (x.std(dim=-1, correction=0, keepdim=True) + self.eps) * self.weight + self.bias


@exercise.wrong("eps-squared")
class EpsSquared(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps ** 2) * self.weight + self.bias


@exercise.wrong("no-eps")
class NoEps(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance) * self.weight + self.bias


@exercise.wrong("unbiased-variance", "and no eps")
class UnbiasedVariance4(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        return (x - mean) / x.std(dim=-1, keepdim=True) * self.weight + self.bias


@exercise.wrong("eps-as-floor")
class EpsAsFloor(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance.clamp(min=self.eps)) * self.weight + self.bias


@exercise.wrong("eps-as-floor", "of the root")
class EpsAsFloor2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance).clamp(min=self.eps) * self.weight + self.bias


@exercise.wrong("eps-fixed")
class EpsFixed(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + 1e-5) * self.weight + self.bias


@exercise.wrong("eps-fixed", "another number")
class EpsFixed2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + 1e-6) * self.weight + self.bias


@exercise.wrong("eps-fixed", "a smaller one")
class EpsFixed3(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + 1e-8) * self.weight + self.bias


@exercise.wrong("no-root")
class NoRoot(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / (variance + self.eps) * self.weight + self.bias


@exercise.wrong("no-root", "and unbiased")
class NoRoot2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        return (x - mean) / (x.var(dim=-1, keepdim=True) + self.eps) * self.weight + self.bias


@exercise.wrong("mean-absolute-deviation")
class MeanAbsoluteDeviation(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        spread = (x - mean).abs().mean(dim=-1, keepdim=True)
        return (x - mean) / (spread + self.eps) * self.weight + self.bias


@exercise.wrong("mean-absolute-deviation", "with a root")
class MeanAbsoluteDeviation2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        spread = (x - mean).abs().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(spread + self.eps) * self.weight + self.bias


@exercise.wrong("not-centred")
class NotCentred(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return x / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("not-centred", "root mean square norm")
class NotCentred2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + self.eps) * self.weight + self.bias


@exercise.wrong("variance-not-centred")
class VarianceNotCentred(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + self.eps) * self.weight + self.bias


@exercise.wrong("not-scaled")
class NotScaled(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return (x - x.mean(dim=-1, keepdim=True)) * self.weight + self.bias


@exercise.wrong("sum-not-mean")
class SumNotMean(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().sum(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("norm-of-vector")
class NormOfVector(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        return (x - mean) / ((x - mean).norm(dim=-1, keepdim=True) + self.eps) * self.weight + self.bias


@exercise.wrong("norm-of-vector", "normalize")
class NormOfVector2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return F.normalize(x - x.mean(dim=-1, keepdim=True), dim=-1) * self.weight + self.bias


@exercise.wrong("norm-of-vector", "not centred either")
class NormOfVector3(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return x / (x.norm(dim=-1, keepdim=True) + self.eps) * self.weight + self.bias


@exercise.wrong("over-the-batch", "the first axis")
class OverTheBatch(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=0, keepdim=True)
        variance = (x - mean).square().mean(dim=0, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("over-the-batch", "the tokens")
class OverTheBatch2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-2, keepdim=True)
        variance = (x - mean).square().mean(dim=-2, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("over-the-batch", "batch normalization")
class OverTheBatch3(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=tuple(range(x.dim() - 1)), keepdim=True)
        variance = (x - mean).square().mean(dim=tuple(range(x.dim() - 1)), keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("over-the-batch", "batch normalization of flat rows")
class OverTheBatch4(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        flat = (flat - flat.mean(0)) / torch.sqrt(flat.var(0, correction=0) + self.eps)
        return flat.reshape(x.shape) * self.weight + self.bias


@exercise.wrong("over-tokens-and-features", "the whole tensor")
class OverTokensAndFeatures(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return (x - x.mean()) / torch.sqrt(x.var(correction=0) + self.eps) * self.weight + self.bias


@exercise.wrong("over-tokens-and-features", "the whole tensor, unbiased")
class OverTokensAndFeatures2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean()
        return (x - mean) / torch.sqrt(x.var() + self.eps) * self.weight + self.bias


@exercise.wrong("over-tokens-and-features", "a whole sequence")
class OverTokensAndFeatures3(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=(-2, -1), keepdim=True)
        variance = (x - mean).square().mean(dim=(-2, -1), keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("over-tokens-and-features", "all axes but the first")
class OverTokensAndFeatures4(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        axes = tuple(range(1, x.dim()))
        mean = x.mean(dim=axes, keepdim=True)
        variance = (x - mean).square().mean(dim=axes, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("axis-counted-from-the-front")
class AxisCountedFromTheFront(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=2, keepdim=True)
        variance = (x - mean).square().mean(dim=2, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("over-the-batch", "axis one")
class OverTheBatch5(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=1, keepdim=True)
        variance = (x - mean).square().mean(dim=1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("no-affine")
class NoAffine(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps)


@exercise.wrong("weight-left-out")
class WeightLeftOut(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) + self.bias


@exercise.wrong("bias-left-out")
class BiasLeftOut(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight


@exercise.wrong("bias-before-weight")
class BiasBeforeWeight(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return self.weight * ((x - mean) / torch.sqrt(variance + self.eps) + self.bias)


@exercise.wrong("weight-and-bias-exchanged")
class WeightAndBiasExchanged(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.bias + self.weight


@exercise.wrong("affine-first")
class AffineFirst(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        x = x * self.weight + self.bias
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps)


@exercise.wrong("starting-values", "exchanged")
class StartingValues(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(d_model))
        self.bias = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("starting-values", "both zeros")
class StartingValues2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("starting-values", "both ones")
class StartingValues3(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("starting-values", "random weight")
class StartingValues4(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.randn(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("starting-values", "random bias")
class StartingValues5(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.randn(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("starting-values", "all random")
class StartingValues6(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.randn(d_model))
        self.bias = nn.Parameter(torch.randn(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("no-parameter", "plain tensors")
class NoParameter(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = torch.ones(d_model)
        self.bias = torch.zeros(d_model)

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("no-parameter", "no bias")
class NoParameter3(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight


@exercise.wrong("parameter-shape", "one number")
class ParameterShape(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(1))
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("parameter-shape", "two axes")
class ParameterShape2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(1, d_model))
        self.bias = nn.Parameter(torch.zeros(1, d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("parameter-shape", "three axes")
class ParameterShape3(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(1, 1, d_model))
        self.bias = nn.Parameter(torch.zeros(1, 1, d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("frozen")
class Frozen(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model), requires_grad=False)
        self.bias = nn.Parameter(torch.zeros(d_model), requires_grad=False)

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("not-a-module")
class NotAModule:
    def __init__(self, d_model, eps=1e-5):
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias

    def __call__(self, x):
        return self.forward(x)


@exercise.wrong("no-super-init")
class NoSuperInit(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("keepdim", "of both")
class Keepdim(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1)
        variance = (x - mean).square().mean(dim=-1)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("keepdim", "of the variance")
class Keepdim2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("keepdim", "of the mean")
class Keepdim3(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1)
        variance = x.var(dim=-1, correction=0, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("statistics-detached")
class StatisticsDetached(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.detach().mean(dim=-1, keepdim=True)
        variance = (x.detach() - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("statistics-detached", "the variance alone")
class StatisticsDetached3(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance.detach() + self.eps) * self.weight + self.bias


@exercise.wrong("statistics-detached", "the mean alone")
class StatisticsDetached4(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean.detach()) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("no-gradient")
class NoGradient(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.detach().mean(dim=-1, keepdim=True)
        variance = (x.detach() - mean).square().mean(dim=-1, keepdim=True)
        return (x.detach() - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("changes-input")
class ChangesInput(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        x -= x.mean(dim=-1, keepdim=True)
        variance = x.square().mean(dim=-1, keepdim=True)
        return x / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("dtype-fixed")
class DtypeFixed(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        x = x.float()
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight.float() + self.bias.float()


@exercise.wrong("fixed-shape", "three axes unpacked")
class FixedShape(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        B, T, D = x.shape
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("ready-made")
class ReadyMade(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


@exercise.wrong("ready-made", "nn.LayerNorm inside")
class ReadyMade2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps=eps)
        self.weight, self.bias = self.norm.weight, self.norm.bias

    def forward(self, x):
        return self.norm(x)


@exercise.wrong("ready-made", "derived from nn.LayerNorm")
class ReadyMade3(nn.LayerNorm):
    def __init__(self, d_model, eps=1e-5):
        super().__init__(d_model, eps=eps)

    def forward(self, x):
        return super().forward(x)


@exercise.wrong("ready-made", "native_layer_norm")
class ReadyMade4(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return torch.native_layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)[0]


@exercise.wrong("ready-made", "the library's")
class ReadyMade5(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        from allyouneed.layers import LayerNorm as Ready

        layer = Ready(len(self.weight), self.eps)
        layer.weight, layer.bias = self.weight, self.bias
        return layer(x)


@exercise.wrong("returns-nothing")
class ReturnsNothing(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        y = (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("timeout")
class Timeout(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        import time

        while x.mean() != 0:
            x = x * 1.0
            time.sleep(0.05)
        return x


@exercise.wrong("keeps-statistics")
class KeepsStatistics(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        if not hasattr(self, "mean"):
            self.mean = x.mean(dim=-1, keepdim=True)
            self.variance = x.var(dim=-1, keepdim=True, correction=0)
        return (x - self.mean) / torch.sqrt(self.variance + self.eps) * self.weight + self.bias


@exercise.wrong("keeps-statistics", "a running mean")
class KeepsStatistics2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        if hasattr(self, "kept"):
            mean, variance = 0.9 * self.kept[0] + 0.1 * mean, 0.9 * self.kept[1] + 0.1 * variance
        self.kept = mean.detach(), variance.detach()
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("summed-over-features")
class SummedOverFeatures(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        y = (x - mean) / torch.sqrt(variance + self.eps)
        return torch.einsum("...d,d->...", y, self.weight).unsqueeze(-1) + self.bias


@exercise.wrong("summed-over-features", "a matrix product, the axis lost")
class SummedOverFeatures2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) @ self.weight[:, None] + self.bias.sum()


@exercise.wrong("parentheses")
class Parentheses(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return x - mean / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("parentheses", "and eps outside")
class Parentheses2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return x - mean / (torch.sqrt(variance) + self.eps) * self.weight + self.bias


@exercise.wrong("divided-by-weight")
class DividedByWeight(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) / (torch.sqrt(variance + self.eps) * self.weight) + self.bias


@exercise.wrong("times-the-root")
class TimesTheRoot(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return (x - mean) * torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("divided-by-the-length")
class DividedByTheLength(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        d = x.shape[1]
        mean = x.sum(dim=-1, keepdim=True) / d
        variance = (x - mean).square().sum(dim=-1, keepdim=True) / d
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("divided-by-the-length", "the variance alone")
class DividedByTheLength2(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().sum(dim=-1, keepdim=True) / x.size(1)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


@exercise.wrong("over-the-batch", "nn.BatchNorm1d")
class OverTheBatch6(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.norm = nn.BatchNorm1d(d_model, eps=eps, affine=False)

    def forward(self, x):
        flat = self.norm(x.reshape(-1, x.shape[-1]))
        return flat.reshape(x.shape) * self.weight + self.bias
