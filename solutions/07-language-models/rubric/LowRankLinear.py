"""The rubric of LowRankLinear: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise

from ._shared import vary

exercise = Exercise(
    "LowRankLinear",
    points={"formula": 2, "start": 1, "what trains": 1},
    section="low-rank-adapters",
    driver="low_rank",
    forbid=("add_low_rank",),
    mistakes={
        "no-scale": ("The change is not scaled. Multiply B A x by alpha / rank.", "alpha-over-rank"),
        "alpha-only": ("The change is multiplied by alpha alone. The scale is alpha / rank.", "alpha-over-rank"),
        "rank-only": ("The change is divided by the rank, but alpha is missing. The scale is alpha / rank.", "alpha-over-rank"),
        "scale-inverted": ("The scale is rank / alpha. It is alpha / rank.", "alpha-over-rank"),
        "scale-root": ("The scale is alpha over the root of the rank. It is alpha / rank.", "alpha-over-rank"),
        "scale-whole": ("The scale is rounded to a whole number. Use /, not //.", "alpha-over-rank"),
        "scale-twice": ("The scale is applied twice. Multiply by alpha / rank once.", "alpha-over-rank"),
        "scale-product": ("The scale is alpha times rank. It is alpha / rank.", "alpha-over-rank"),
        "scales-base": ("The base is scaled too. Only the change B A x is multiplied by alpha / rank.", "alpha-over-rank"),
        "base-missing": ("The frozen layer's output is missing. The result is the base's output plus the change.", "low-rank-adapters"),
        "change-missing": ("The two factors do not reach the output, or not as they are now. Compute the change in forward, and add it.",
                           "low-rank-adapters"),
        "change-subtracted": ("The change is subtracted. Add it.", "low-rank-adapters"),
        "bias-lost": ("The bias of the linear layer is lost. The base keeps it.", "frozen-base"),
        "bias-twice": ("The bias is added twice, or scaled. It belongs to the linear layer alone: B A x has none.", "frozen-base"),
        "bias-needed": ("It fails for a linear layer without bias. Then linear.bias is None: call the layer itself.", "frozen-base"),
        "activation": ("There is an activation function between the factors or after them. The change is linear: B A x.", "low-rank-adapters"),
        "none-zero": ("No factor is zero at the start, so the layer begins with a changed output. Start one of the two with zeros.", "zero-start"),
        "both-zero": ("Both factors are zero at the start. Then neither gets a gradient, ever. Start one with zeros, the other with random numbers.",
                      "zero-start"),
        "constant-factor": ("One factor is zero, but the other holds one number throughout. Then all its rows stay alike, and the rank is 1. Draw random "
                            "numbers.", "zero-start"),
        "base-trains": ("The linear layer's own weights still train. Freeze them: requires_grad_(False), or keep them as buffers.", "frozen-base"),
        "bias-trains": ("The linear layer's bias still trains. Freeze all of the layer.", "frozen-base"),
        "factor-bias": ("The factors have biases that train. Only the two factors train: make them without bias.", "low-rank-adapters"),
        "scale-trains": ("A single number trains beside the factors: alpha is a constant.", "alpha-over-rank"),
        "something-else-trains": ("Something trains beside the two factors: a further matrix, a gain or a bias of your own. Only A and B train.",
                                  "low-rank-adapters"),
        "factor-dtype": ("The factors have a different dtype from the layer that comes in, so a call fails or changes the dtype. Make them "
                         "like its weight.",
                         "low-rank-adapters"),
        "another-base": ("The base is not the layer that came in: its numbers are different. Keep that layer, or copies of its weight and "
                         "bias.", "frozen-base"),
        "one-factor": ("One of the factors is missing, or does not train. There are two, (rank, inputs) and (outputs, rank), and both train.",
                       "low-rank-adapters"),
        "nothing-trains": ("No factor is a parameter that trains. Make both an nn.Parameter (or a layer without bias), and freeze only the base.",
                           "low-rank-adapters"),
        "full-matrix": ("The change is one full matrix, or the factors have other sizes than (rank, inputs) and (outputs, rank). Make two thin "
                        "matrices.", "low-rank-adapters"),
        "base-without-gradient": ("The output is right, but the inputs get no gradient through the base. Freeze its weights; do not detach its output or "
                                  "compute it under no_grad: earlier layers need the gradient.", "frozen-base"),
        "base-not-saved": ("The base's weights are plain tensors: they are not saved, cast or moved with the module. Keep the layer itself, or register "
                           "buffers.", "frozen-base"),
        "no-super-init": ("__init__ does not call super().__init__(). Do that first.", "low-rank-adapters"),
        "not-a-module": ("The class is not derived from nn.Module. Write class LowRankLinear(nn.Module).", "low-rank-adapters"),
        "factors-exchanged": ("The product of the factors does not fit: x has the inputs as its last axis, so A comes first, then B: (x Aᵀ) Bᵀ.",
                              "low-rank-adapters"),
        "fixed-axes": ("It works for inputs of two axes only. Any number of axes may stand in front of the last one.", "low-rank-adapters"),
    },
)


@exercise.probes
def _(make):
    def layer(n_inputs, n_outputs, rank, alpha, bias=True, fill=True, ask="output", keywords=False, dtype=torch.float32):
        def randn(*shape):
            return make.randn(*shape, dtype=dtype)

        return {"weight": randn(n_outputs, n_inputs), "bias": randn(n_outputs) if bias else None, "rank": rank, "alpha": alpha, "keywords": keywords,
                "inner": randn(rank, n_inputs) if fill else None, "outer": randn(n_outputs, rank) if fill else None, "ask": ask}

    group = "formula"
    yield make.probe("rank 2, alpha 3", layer(4, 3, 2, 3.0), make.randn(1, 4), group=group, gradient=True)
    sizes = make.pick((5, 4, 2), (6, 5, 3), (7, 4, 3))
    yield make.probe("more inputs than outputs", layer(*sizes, make.pick(5, 7, 8)), make.randn(2, sizes[0]), group=group, gradient=True)
    sizes = make.pick((4, 6, 3), (5, 7, 2), (3, 5, 2))
    yield make.probe("more outputs than inputs", layer(*sizes, make.pick(16.0, 10.0, 5.0), keywords=True), make.randn(3, sizes[0]), group=group)
    yield make.probe("without bias", layer(5, 3, 2, make.pick(8, 6, 10), bias=False), make.randn(2, 5), group=group, edge=True)
    yield make.probe("rank 1", layer(4, 3, 1, make.pick(2.5, 3.5, 4.5)), make.randn(2, 4), group=group, edge=True)
    yield make.probe("three axes", layer(5, 3, 2, 4.0), make.randn(2, 1, 5), group=group, edge=True)
    yield make.probe("one axis", layer(5, 3, 2, 4.0), make.randn(5), group=group, edge=True)
    yield make.probe("float64", layer(4, 3, 2, 3.0, dtype=torch.float64), make.randn(2, 4, dtype=torch.float64), group=group, edge=True, gradient=True)
    yield make.probe("not contiguous", layer(4, 3, 2, 5.0), make.randn(3, 4), group=group, strided=True, edge=True)
    yield make.probe("many inputs", layer(150, 3, 2, 5.0), make.randn(2, 150), group=group, long=True)
    group = "start"
    yield make.probe("the output at the start", layer(5, 4, 2, 3.0, fill=False), make.randn(2, 5), group=group, edge=True)
    yield make.probe("how the factors start", layer(6, 5, 3, 3.0, fill=False, ask="start"), group=group)
    group = "what trains"
    yield make.probe("which parameters train", layer(5, 4, 2, 3.0, fill=False, ask="trains"), group=group)
    yield make.probe("which parameters train, without bias", layer(*make.pick((6, 4, 3), (7, 4, 2), (5, 6, 2)), 3.0, bias=False, fill=False, ask="trains"), group=group)


@exercise.right
class Reference(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear.requires_grad_(False)
        self.scale = alpha / rank
        self.A = nn.Parameter(torch.randn(rank, linear.in_features) / linear.in_features ** 0.5)
        self.B = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, x):
        return self.linear(x) + self.scale * (x @ self.A.T @ self.B.T)


@exercise.alternative("two layers without bias")
class RightOne(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        for parameter in linear.parameters():
            parameter.requires_grad = False
        self.base = linear
        self.down = nn.Linear(linear.in_features, rank, bias=False)
        self.up = nn.Linear(rank, linear.out_features, bias=False)
        nn.init.zeros_(self.up.weight)
        self.alpha, self.rank = alpha, rank

    def forward(self, x):
        return self.base(x) + self.up(self.down(x)) * (self.alpha / self.rank)


@exercise.alternative("buffers, and the merged matrix")
class RightTwo(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.register_buffer("weight", linear.weight.detach().clone())
        self.register_buffer("bias", None if linear.bias is None else linear.bias.detach().clone())
        out, inp = linear.weight.shape
        self.left = nn.Parameter(torch.zeros(out, rank))
        self.right = nn.Parameter(torch.empty(rank, inp).uniform_(-0.1, 0.1))
        self.factor = float(alpha) / rank

    def forward(self, x):
        return F.linear(x, self.weight + self.factor * (self.left @ self.right), self.bias)


@exercise.alternative("the factor of the inputs is zero, both the other way round")
class RightThree(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.inner = linear
        self.inner.weight.requires_grad = False
        if self.inner.bias is not None:
            self.inner.bias.requires_grad = False
        self.U = nn.Parameter(torch.zeros(linear.in_features, rank))
        self.V = nn.Parameter(torch.randn(rank, linear.out_features) * 0.02)
        self.register_buffer("scale", torch.tensor(alpha / rank, dtype=torch.float64), persistent=False)

    def forward(self, x):
        return self.inner(x) + torch.einsum("...i,ir,ro->...o", x, self.U, self.V) * self.scale.to(x.dtype)


@exercise.alternative("a ParameterDict, scaled in the middle")
class RightFour(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.frozen = nn.Linear(linear.in_features, linear.out_features, bias=linear.bias is not None)
        self.frozen.load_state_dict(linear.state_dict())
        self.frozen.requires_grad_(False)
        self.factors = nn.ParameterDict({"A": nn.Parameter(torch.empty(rank, linear.in_features)), "B": nn.Parameter(torch.zeros(linear.out_features, rank))})
        nn.init.kaiming_uniform_(self.factors["A"], a=5 ** 0.5)
        self.rank, self.alpha = rank, alpha

    def forward(self, x):
        inner = F.linear(x, self.factors["A"]) / self.rank * self.alpha
        return self.frozen(x) + F.linear(inner, self.factors["B"])


@exercise.alternative("a subclass of nn.Linear")
class RightFive(nn.Linear):
    def __init__(self, linear, rank, alpha):
        super().__init__(linear.in_features, linear.out_features, linear.bias is not None)
        self.load_state_dict(linear.state_dict())
        for parameter in self.parameters():
            parameter.requires_grad_(False)
        self.a = nn.Parameter(torch.nn.init.xavier_normal_(torch.empty(linear.in_features, rank)))
        self.b = nn.Parameter(torch.zeros(rank, linear.out_features))
        self.scaling = alpha / rank

    def forward(self, x):
        return super().forward(x) + x @ self.a @ self.b * self.scaling


TEXT = """
class LowRankLinear(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear
        self.linear.requires_grad_(False)
        self.alpha, self.rank = alpha, rank
        self.A = nn.Parameter(torch.randn(rank, linear.in_features) * 0.01)
        self.B = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, x):
        base = self.linear(x)
        scale = self.alpha / self.rank
        change = x @ self.A.T @ self.B.T
        return base + scale * change
"""
LAYERS = """
class LowRankLinear(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        for p in linear.parameters():
            p.requires_grad = False
        self.base = linear
        self.down = nn.Linear(linear.in_features, rank, bias=False)
        self.up = nn.Linear(rank, linear.out_features, bias=False)
        nn.init.zeros_(self.up.weight)
        self.scaling = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scaling * self.up(self.down(x))
"""
BUFFERS = """
class LowRankLinear(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.register_buffer('W', linear.weight.detach().clone())
        self.register_buffer('b', linear.bias.detach().clone() if linear.bias is not None else None)
        self.U = nn.Parameter(torch.randn(linear.in_features, rank))
        self.V = nn.Parameter(torch.zeros(rank, linear.out_features))
        self.s = alpha / rank

    def forward(self, x):
        W = self.W + self.s * (self.U @ self.V).T
        return F.linear(x, W, self.b)
"""
vary(exercise, None, "step by step", base=TEXT)
vary(exercise, None, "two layers again", base=LAYERS)
vary(exercise, None, "merged in forward", base=BUFFERS)
SCALE = "scale = self.alpha / self.rank"
FREEZE = "        for p in linear.parameters():\n            p.requires_grad = False\n"


def wrong(mistake, label, *changes, base=TEXT):
    vary(exercise, mistake, label, *changes, base=base)


def scale(mistake, text):
    wrong(mistake, "", (SCALE, f"scale = {text.replace('alpha', 'self.alpha').replace('rank', 'self.rank')}"))
    wrong(mistake, "in layers", ("self.scaling = alpha / rank", f"self.scaling = {text}"), base=LAYERS)
    wrong(mistake, "merged", ("self.s = alpha / rank", f"self.s = {text}"), base=BUFFERS)


scale("no-scale", "1")
scale("alpha-only", "alpha")
scale("rank-only", "1 / rank")
scale("scale-inverted", "rank / alpha")
scale("scale-root", "alpha / rank ** 0.5")
scale("scale-whole", "alpha // rank")
scale("scale-twice", "(alpha / rank) ** 2")
scale("scale-product", "alpha * rank")
wrong("scales-base", "", ("base + scale * change", "scale * (base + change)"))
wrong("base-missing", "", ("base + scale * change", "scale * change"))
wrong("base-missing", "in layers", ("self.base(x) + ", ""), base=LAYERS)
wrong("change-missing", "", ("base + scale * change", "base"))
wrong("change-missing", "computed once", ("        self.s = alpha / rank\n", "        self.s = alpha / rank\n        self.register_buffer('D', (self.U @ self.V).T.detach())\n"), ("(self.U @ self.V).T\n", "self.D\n"), base=BUFFERS)
wrong("change-missing", "detached", ("change = x @ self.A.T @ self.B.T", "change = 0 * (x @ self.A.T @ self.B.T)"))
wrong("change-subtracted", "", ("base + scale", "base - scale"))
wrong("bias-lost", "", ("base = self.linear(x)", "base = x @ self.linear.weight.T"))
wrong("bias-lost", "merged", ("F.linear(x, W, self.b)", "F.linear(x, W)"), base=BUFFERS)
wrong("bias-lost", "a copy without bias", ("self.base = linear", "self.base = nn.Linear(linear.in_features, linear.out_features, bias=False)\n        self.base.weight = linear.weight"), base=LAYERS)
wrong("bias-twice", "", ("return base + scale * change", "return base + scale * change + (self.linear.bias if self.linear.bias is not None else 0)"))
wrong("bias-needed", "", ("base = self.linear(x)", "base = x @ self.linear.weight.T + self.linear.bias"))
wrong("bias-needed", "a copy of the bias", ("linear.bias.detach().clone() if linear.bias is not None else None", "linear.bias.detach().clone()"), base=BUFFERS)
wrong("bias-needed", "frozen one by one", ("self.linear.requires_grad_(False)", "self.linear.weight.requires_grad = False\n        self.linear.bias.requires_grad = False"))
wrong("activation", "relu", ("change = x @ self.A.T @ self.B.T", "change = F.relu(x @ self.A.T) @ self.B.T"))
wrong("activation", "gelu in layers", ("self.up(self.down(x))", "self.up(F.gelu(self.down(x)))"), base=LAYERS)
wrong("activation", "tanh in layers", ("self.up(self.down(x))", "self.up(torch.tanh(self.down(x)))"), base=LAYERS)
wrong("none-zero", "", ("torch.zeros(linear.out_features, rank)", "torch.randn(linear.out_features, rank)"))
wrong("none-zero", "in layers", ("nn.init.zeros_(self.up.weight)\n", "\n"), base=LAYERS)
wrong("none-zero", "small numbers", ("torch.zeros(linear.out_features, rank)", "torch.randn(linear.out_features, rank) * 0.01"), ("* 0.01)\n        self.B", ")\n        self.B"))
wrong("none-zero", "one and a random one", ("torch.zeros(rank, linear.out_features)", "torch.ones(rank, linear.out_features)"), base=BUFFERS)
wrong("both-zero", "", ("torch.randn(rank, linear.in_features) * 0.01", "torch.zeros(rank, linear.in_features)"))
wrong("both-zero", "in layers", ("nn.init.zeros_(self.up.weight)", "nn.init.zeros_(self.up.weight)\n        nn.init.zeros_(self.down.weight)"), base=LAYERS)
wrong("constant-factor", "", ("torch.randn(rank, linear.in_features) * 0.01", "torch.ones(rank, linear.in_features)"))
wrong("constant-factor", "in layers", ("nn.init.zeros_(self.up.weight)", "nn.init.zeros_(self.up.weight)\n        nn.init.constant_(self.down.weight, 0.1)"), base=LAYERS)
wrong("base-trains", "", ("        self.linear.requires_grad_(False)\n", ""))
wrong("base-trains", "in layers", (FREEZE, ""), base=LAYERS)
wrong("base-trains", "parameters anew", ("self.register_buffer('W', linear.weight.detach().clone())", "self.W = nn.Parameter(linear.weight.detach().clone())"),
      ("self.register_buffer('b', linear.bias.detach().clone() if linear.bias is not None else None)", "self.b = nn.Parameter(linear.bias.detach().clone()) if linear.bias is not None else None"), base=BUFFERS)
wrong("base-trains", "an attribute of the module", ("self.linear.requires_grad_(False)", "self.linear.requires_grad = False"))
wrong("base-trains", "the weight alone", ("self.linear.requires_grad_(False)", "self.linear.bias is None or self.linear.bias.requires_grad_(False)"))
wrong("bias-trains", "", ("self.linear.requires_grad_(False)", "self.linear.weight.requires_grad_(False)"))
wrong("bias-trains", "a parameter anew", ("self.register_buffer('b', linear.bias.detach().clone() if linear.bias is not None else None)", "self.b = nn.Parameter(linear.bias.detach().clone()) if linear.bias is not None else None"), base=BUFFERS)
wrong("factor-bias", "both", ("linear.in_features, rank, bias=False", "linear.in_features, rank"), ("rank, linear.out_features, bias=False", "rank, linear.out_features"), base=LAYERS)
wrong("factor-bias", "the first", ("linear.in_features, rank, bias=False", "linear.in_features, rank"), base=LAYERS)
wrong("factor-bias", "the second", ("rank, linear.out_features, bias=False", "rank, linear.out_features"), base=LAYERS)
wrong("factor-bias", "the second, zero as well", ("rank, linear.out_features, bias=False", "rank, linear.out_features"), ("nn.init.zeros_(self.up.weight)", "nn.init.zeros_(self.up.weight)\n        nn.init.zeros_(self.up.bias)"), base=LAYERS)
wrong("factor-bias", "both, zero as well", ("linear.in_features, rank, bias=False", "linear.in_features, rank"), ("rank, linear.out_features, bias=False", "rank, linear.out_features"), ("nn.init.zeros_(self.up.weight)", "nn.init.zeros_(self.up.weight)\n        nn.init.zeros_(self.up.bias)\n        nn.init.zeros_(self.down.bias)"), base=LAYERS)
wrong("scale-trains", "", ("self.alpha, self.rank = alpha, rank", "self.alpha, self.rank = nn.Parameter(torch.tensor(float(alpha))), rank"))
wrong("scale-trains", "in layers", ("self.scaling = alpha / rank", "self.scaling = nn.Parameter(torch.tensor([alpha / rank]))"), base=LAYERS)
wrong("one-factor", "A is frozen", ("self.B =", "self.A.requires_grad_(False)\n        self.B ="))
wrong("one-factor", "A is a buffer", ("self.A = nn.Parameter(torch.randn(rank, linear.in_features) * 0.01)", "self.register_buffer('A', torch.randn(rank, linear.in_features) * 0.01)"))
wrong("one-factor", "B is a buffer", ("self.B = nn.Parameter(torch.zeros(linear.out_features, rank))", "self.register_buffer('B', torch.zeros(linear.out_features, rank))"))
wrong("one-factor", "B is a plain tensor", ("self.B = nn.Parameter(torch.zeros(linear.out_features, rank))", "self.B = torch.zeros(linear.out_features, rank, requires_grad=True)"))
wrong("nothing-trains", "plain tensors", ("nn.Parameter(torch.randn(rank, linear.in_features) * 0.01)", "torch.randn(rank, linear.in_features, requires_grad=True)"), ("nn.Parameter(torch.zeros(linear.out_features, rank))", "torch.zeros(linear.out_features, rank, requires_grad=True)"))
wrong("nothing-trains", "all frozen", ("nn.init.zeros_(self.up.weight)", "nn.init.zeros_(self.up.weight)\n        for p in self.parameters():\n            p.requires_grad_(False)"), base=LAYERS)
wrong("nothing-trains", "buffers", ("self.U = nn.Parameter(torch.randn(linear.in_features, rank))", "self.register_buffer('U', torch.randn(linear.in_features, rank))"), ("self.V = nn.Parameter(torch.zeros(rank, linear.out_features))", "self.register_buffer('V', torch.zeros(rank, linear.out_features))"), base=BUFFERS)
wrong("full-matrix", "", ("self.A = nn.Parameter(torch.randn(rank, linear.in_features) * 0.01)\n", "self.B = nn.Parameter(torch.zeros(linear.out_features, linear.in_features))\n"), ("        self.B = nn.Parameter(torch.zeros(linear.out_features, rank))\n", ""), ("x @ self.A.T @ self.B.T", "x @ self.B.T"))
wrong("base-without-gradient", "no_grad", ("base = self.linear(x)", "with torch.no_grad():\n            base = self.linear(x)"))
wrong("base-without-gradient", "detach", ("self.base(x) +", "self.base(x).detach() +"), base=LAYERS)
wrong("base-without-gradient", "the input is detached", ("base = self.linear(x)", "base = self.linear(x.detach())"))
wrong("base-not-saved", "", ("self.register_buffer('W', linear.weight.detach().clone())", "self.W = linear.weight.detach().clone()"), ("self.register_buffer('b', linear.bias.detach().clone() if linear.bias is not None else None)", "self.b = linear.bias.detach().clone() if linear.bias is not None else None"), base=BUFFERS)
wrong("base-not-saved", "the layer in a list", ("self.base = linear", "self.base = [linear]"), ("self.base(x)", "self.base[0](x)"), base=LAYERS)
wrong("no-super-init", "", ("        super().__init__()\n", ""))
wrong("no-super-init", "in layers", ("        super().__init__()\n", ""), base=LAYERS)
wrong("not-a-module", "", ("(nn.Module)", ""), ("        super().__init__()\n", ""), ("    def forward", "    def __call__"))
wrong("factors-exchanged", "", ("x @ self.A.T @ self.B.T", "x @ self.B.T @ self.A.T"))
wrong("factors-exchanged", "not transposed", ("x @ self.A.T @ self.B.T", "x @ self.A @ self.B"))
wrong("factors-exchanged", "A B", ("x @ self.A.T @ self.B.T", "x @ (self.A @ self.B).T"))
wrong("factors-exchanged", "the product is not transposed", ("x @ self.A.T @ self.B.T", "x @ (self.B @ self.A)"))
wrong("fixed-axes", "", ("change = x @ self.A.T @ self.B.T", "change = torch.einsum('bi,ri,or->bo', x, self.A, self.B)"))
wrong("fixed-axes", "matrices from the left", ("change = x @ self.A.T @ self.B.T", "change = (self.B @ (self.A @ x.t())).t()"))
wrong("no-gradient", "", ("change = x @ self.A.T @ self.B.T", "change = x @ self.A.T.detach() @ self.B.T.detach()"))
wrong("no-gradient", "the factors' data", ("change = x @ self.A.T @ self.B.T", "change = x @ (self.B.data @ self.A.data).T"))
wrong("ready-made", "the library's", base='''
class LowRankLinear(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        from allyouneed.lowrank import LowRankLinear as Theirs
        self.inner = Theirs(linear, rank, alpha)

    def forward(self, x):
        return self.inner(x)
''')
wrong("ready-made", "add_low_rank", base='''
class LowRankLinear(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        from allyouneed import lowrank
        self.inner = lowrank.add_low_rank(nn.ModuleDict({'layer': linear}), rank, alpha, names=('layer',))

    def forward(self, x):
        return self.inner['layer'](x)
''')
for kind in ("torch.sigmoid", "F.silu", "F.leaky_relu", "F.elu", "F.softplus"):
    wrong("activation", kind, ("change = x @ self.A.T @ self.B.T", f"change = {kind}(x @ self.A.T) @ self.B.T"))
wrong("activation", "after both factors", ("change = x @ self.A.T @ self.B.T", "change = F.relu(x @ self.A.T @ self.B.T)"))
wrong("activation", "tanh after both factors", ("change = x @ self.A.T @ self.B.T", "change = torch.tanh(x @ self.A.T @ self.B.T)"))
wrong("full-matrix", "beside a factor", ("torch.zeros(linear.out_features, rank)", "torch.zeros(linear.out_features, linear.in_features)"), ("x @ self.A.T @ self.B.T", "x @ self.B.T"))
wrong("something-else-trains", "a matrix between the factors", ("        self.B =", "        self.M = nn.Parameter(torch.eye(rank))\n        self.B ="), ("self.A.T @ self.B.T", "self.A.T @ self.M @ self.B.T"))
wrong("something-else-trains", "a bias of the outputs", ("        self.B =", "        self.bias = nn.Parameter(torch.zeros(linear.out_features))\n        self.B ="), ("base + scale * change", "base + scale * change + self.bias"))
wrong("something-else-trains", "a gain of the inputs", ("        self.B =", "        self.gain = nn.Parameter(torch.ones(linear.in_features))\n        self.B ="), ("change = x @", "change = (x * self.gain) @"))
wrong("factor-dtype", "float64", ("        self.B = nn.Parameter(torch.zeros(linear.out_features, rank))", "        self.A = nn.Parameter(self.A.detach().double())\n        self.B = nn.Parameter(torch.zeros(linear.out_features, rank).double())"))
wrong("factor-dtype", "half precision", ("torch.zeros(linear.out_features, rank)", "torch.zeros(linear.out_features, rank, dtype=torch.bfloat16)"), ("self.B.T", "self.B.T.to(x.dtype)"))
wrong("another-base", "a fresh layer", ("self.linear = linear", "self.linear = nn.Linear(linear.in_features, linear.out_features, bias=linear.bias is not None)"))
wrong("another-base", "a fresh layer, after the factors", ("self.base = linear", "self.base = nn.Linear(linear.in_features, linear.out_features, linear.bias is not None).requires_grad_(False)"), base=LAYERS)
wrong("another-base", "the weight times 1.01", ("self.alpha, self.rank = alpha, rank", "self.alpha, self.rank = alpha, rank\n        self.linear.weight.data = self.linear.weight.data * 1.01"))
wrong("bias-twice", "scaled", ("change = x @ self.A.T @ self.B.T", "change = F.linear(x @ self.A.T, self.B, self.linear.bias)"), ("base = self.linear(x)", "base = x @ self.linear.weight.T"))
wrong("bias-twice", "scaled, beside the base's", ("change = x @ self.A.T @ self.B.T", "change = F.linear(x @ self.A.T, self.B, self.linear.bias)"))
