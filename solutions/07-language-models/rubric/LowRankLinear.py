"""LowRankLinear: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "LowRankLinear",
    points={"formula": 2, "start": 1, "what trains": 1},
    section="low-rank-adapters",
    driver="low_rank",
    forbid=("add_low_rank",),
)


@exercise.probes
def probes(make):
    def layer(n_inputs, n_outputs, rank, alpha, bias=True, fill=True, ask="output", keywords=False,
              dtype=torch.float32):
        def randn(*shape):
            return make.randn(*shape, dtype=dtype)

        return {"weight": randn(n_outputs, n_inputs), "bias": randn(n_outputs) if bias else None,
                "rank": rank, "alpha": alpha, "keywords": keywords,
                "inner": randn(rank, n_inputs) if fill else None,
                "outer": randn(n_outputs, rank) if fill else None, "ask": ask}

    group = "formula"
    yield make.probe("rank 2, alpha 3", layer(4, 3, 2, 3.0), make.randn(1, 4), group=group, gradient=True)
    sizes = make.pick((5, 4, 2), (6, 5, 3), (7, 4, 3))
    yield make.probe("more inputs than outputs", layer(*sizes, make.pick(5, 7, 8)), make.randn(2, sizes[0]),
                     group=group, gradient=True)
    sizes = make.pick((4, 6, 3), (5, 7, 2), (3, 5, 2))
    yield make.probe("more outputs than inputs", layer(*sizes, make.pick(16.0, 10.0, 5.0), keywords=True),
                     make.randn(3, sizes[0]), group=group)
    yield make.probe("without bias", layer(5, 3, 2, make.pick(8, 6, 10), bias=False), make.randn(2, 5),
                     group=group, edge=True)
    yield make.probe("rank 1", layer(4, 3, 1, make.pick(2.5, 3.5, 4.5)), make.randn(2, 4), group=group,
                     edge=True)
    yield make.probe("three axes", layer(5, 3, 2, 4.0), make.randn(2, 1, 5), group=group, edge=True)
    yield make.probe("one axis", layer(5, 3, 2, 4.0), make.randn(5), group=group, edge=True)
    yield make.probe("float64", layer(4, 3, 2, 3.0, dtype=torch.float64),
                     make.randn(2, 4, dtype=torch.float64), group=group, edge=True, gradient=True)
    yield make.probe("not contiguous", layer(4, 3, 2, 5.0), make.randn(3, 4), group=group, strided=True,
                     edge=True)
    yield make.probe("many inputs", layer(150, 3, 2, 5.0), make.randn(2, 150), group=group, long=True)
    group = "start"
    yield make.probe("the output at the start", layer(5, 4, 2, 3.0, fill=False), make.randn(2, 5),
                     group=group, edge=True)
    yield make.probe("how the factors start", layer(6, 5, 3, 3.0, fill=False, ask="start"), group=group)
    group = "what trains"
    yield make.probe("which parameters train", layer(5, 4, 2, 3.0, fill=False, ask="trains"), group=group)
    yield make.probe("which parameters train, without bias",
                     layer(*make.pick((6, 4, 3), (7, 4, 2), (5, 6, 2)), 3.0, bias=False, fill=False,
                           ask="trains"), group=group)
    yield make.probe("which parameters train, float64",
                     layer(5, 4, 2, 3.0, fill=False, ask="trains", dtype=torch.float64), group=group,
                     edge=True)
    yield make.probe("in training mode", layer(5, 4, 2, 3.0, ask="modes"), make.randn(12, 5), group=group,
                     edge=True)


@exercise.right
class Reference(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear.requires_grad_(False)
        self.scale = alpha / rank
        self.A = nn.Parameter(torch.randn(rank, linear.in_features) / linear.in_features ** 0.5)
        self.B = nn.Parameter(torch.zeros(linear.out_features, rank))
        self.to(linear.weight.dtype)

    def forward(self, x):
        return self.linear(x) + self.scale * (x @ self.A.T @ self.B.T)


@exercise.right("buffers, and the merged matrix")
class Buffers(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.register_buffer("weight", linear.weight.detach().clone())
        self.register_buffer("bias", None if linear.bias is None else linear.bias.detach().clone())
        out, inp = linear.weight.shape
        self.left = nn.Parameter(torch.zeros(out, rank))
        self.right = nn.Parameter(torch.empty(rank, inp).uniform_(-0.1, 0.1))
        self.factor = float(alpha) / rank
        self.to(linear.weight.dtype)

    def forward(self, x):
        return F.linear(x, self.weight + self.factor * (self.left @ self.right), self.bias)


@exercise.right("the factor of the inputs is zero, both the other way round")
class Factor(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.inner = linear
        self.inner.weight.requires_grad = False
        if self.inner.bias is not None:
            self.inner.bias.requires_grad = False
        self.U = nn.Parameter(torch.zeros(linear.in_features, rank))
        self.V = nn.Parameter(torch.randn(rank, linear.out_features) * 0.02)
        self.register_buffer("scale", torch.tensor(alpha / rank, dtype=torch.float64), persistent=False)
        self.to(linear.weight.dtype)

    def forward(self, x):
        return self.inner(x) + torch.einsum("...i,ir,ro->...o", x, self.U, self.V) * self.scale.to(x.dtype)


@exercise.right("a ParameterDict, scaled in the middle")
class Parameterdict(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.frozen = nn.Linear(linear.in_features, linear.out_features, bias=linear.bias is not None)
        self.frozen.load_state_dict(linear.state_dict())
        self.frozen.requires_grad_(False)
        self.factors = nn.ParameterDict({"A": nn.Parameter(torch.empty(rank, linear.in_features)),
                                         "B": nn.Parameter(torch.zeros(linear.out_features, rank))})
        nn.init.kaiming_uniform_(self.factors["A"], a=5 ** 0.5)
        self.rank, self.alpha = rank, alpha
        self.to(linear.weight.dtype)

    def forward(self, x):
        inner = F.linear(x, self.factors["A"]) / self.rank * self.alpha
        return self.frozen(x) + F.linear(inner, self.factors["B"])


@exercise.right("a subclass of nn.Linear")
class Subclass(nn.Linear):
    def __init__(self, linear, rank, alpha):
        super().__init__(linear.in_features, linear.out_features, linear.bias is not None)
        self.load_state_dict(linear.state_dict())
        for parameter in self.parameters():
            parameter.requires_grad_(False)
        self.a = nn.Parameter(torch.nn.init.xavier_normal_(torch.empty(linear.in_features, rank)))
        self.b = nn.Parameter(torch.zeros(rank, linear.out_features))
        self.scaling = alpha / rank
        self.to(linear.weight.dtype)

    def forward(self, x):
        return super().forward(x) + x @ self.a @ self.b * self.scaling


@exercise.right("step by step")
class Steps(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear
        self.linear.requires_grad_(False)
        self.alpha, self.rank = alpha, rank
        self.A = nn.Parameter(torch.randn(rank, linear.in_features) * 0.01)
        self.B = nn.Parameter(torch.zeros(linear.out_features, rank))
        self.to(linear.weight.dtype)

    def forward(self, x):
        base = self.linear(x)
        scale = self.alpha / self.rank
        change = x @ self.A.T @ self.B.T
        return base + scale * change


@exercise.right("two layers again")
class TwoLayers(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        for p in linear.parameters():
            p.requires_grad = False
        self.base = linear
        self.down = nn.Linear(linear.in_features, rank, bias=False)
        self.up = nn.Linear(rank, linear.out_features, bias=False)
        nn.init.zeros_(self.up.weight)
        self.scaling = alpha / rank
        self.to(linear.weight.dtype)

    def forward(self, x):
        return self.base(x) + self.scaling * self.up(self.down(x))


@exercise.right("merged in forward")
class Merged(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.register_buffer("W", linear.weight.detach().clone())
        self.register_buffer("b", linear.bias.detach().clone() if linear.bias is not None else None)
        self.U = nn.Parameter(torch.randn(linear.in_features, rank))
        self.V = nn.Parameter(torch.zeros(rank, linear.out_features))
        self.s = alpha / rank
        self.to(linear.weight.dtype)

    def forward(self, x):
        W = self.W + self.s * (self.U @ self.V).T
        return F.linear(x, W, self.b)


exercise.also_right(
    edit(TwoLayers, {every("p"): "parameter", "scaling = alpha /": "alpha, self.rank = alpha,",
                     " self.scaling *": "",
                     "(self.down(x))": "(self.down(x)) * (self.alpha / self.rank)"},
         "two layers without bias"))


exercise.mistake("no-scale", "alpha-over-rank", "The change is not scaled. Multiply B A x by alpha / rank.",
    edit(Steps, {"scale = self.alpha / self.rank": "scale = 1"}))

exercise.mistake("alpha-only", "alpha-over-rank",
    "The change is multiplied by alpha alone. The scale is alpha / rank.",
    edit(Steps, {" / self.rank": ""}))

exercise.mistake("rank-only", "alpha-over-rank",
    "The change is divided by the rank, but alpha is missing. The scale is alpha / rank.",
    edit(Steps, {"self.alpha /": "1 /"}))

exercise.mistake("scale-inverted", "alpha-over-rank", "The scale is rank / alpha. It is alpha / rank.",
    edit(Steps, {"alpha / self.rank": "rank / self.alpha"}))

exercise.mistake("scale-root", "alpha-over-rank",
    "The scale is alpha over the root of the rank. It is alpha / rank.",
    edit(Steps, {"/ self.rank": "/ self.rank **0.5"}))

exercise.mistake("scale-whole", "alpha-over-rank", "The scale is rounded to a whole number. Use /, not //.",
    edit(Steps, {"/ self": "// self"}),
    edit(Merged, {"/ rank": "// rank"}, "merged"))

exercise.mistake("scale-twice", "alpha-over-rank",
    "The scale is applied twice. Multiply by alpha / rank once.",
    edit(Steps, {"self.alpha / self.rank": "(self.alpha / self.rank) ** 2"}))

exercise.mistake("scale-product", "alpha-over-rank", "The scale is alpha times rank. It is alpha / rank.",
    edit(Steps, {"/ self": "* self"}))

exercise.mistake("scales-base", "alpha-over-rank",
    "The base is scaled too. Only the change B A x is multiplied by alpha / rank.",
    edit(Steps, {"base + scale * change": "scale * (base + change)"}))

exercise.mistake("base-missing", "low-rank-adapters",
    "The frozen layer's output is missing. The result is the base's output plus the change.",
    edit(Steps, {" base +": ""}))

exercise.mistake("change-missing", "low-rank-adapters",
    "The two factors do not reach the output, or not as they are now. Compute the change in forward, and "
    "add it.",
    edit(Steps, {" + scale * change": ""}))

exercise.mistake("change-computed-once", "low-rank-adapters",
    "The product of the two factors is computed in __init__ and stays what it was at the start, while they "
    "train. Compute it in forward.",
    edit(Steps, {"self.to(linear.weight.dtype)":
                 "self.to(linear.weight.dtype)\nself.change = self.B @ self.A",
                 "x @ self.A.T @ self.B.T": "x @ self.change.T"}),
    edit(Steps, {"self.to(linear.weight.dtype)": "self.change = self.B @ self.A",
                 "x @ self.A.T @ self.B.T": "x @ self.change.T"}, "in float32"))

exercise.mistake("dropout", "low-rank-adapters",
    "In training mode, the output is left to chance: there is a dropout. y = W x + b + (alpha / rank) B A x "
    "has none, so leave it out.",
    edit(Steps, {"self.alpha,": "self.drop = nn.Dropout(0.1)\nself.alpha,",
                 "x @ self.A.T": "self.drop(x) @ self.A.T"}))

exercise.mistake("change-subtracted", "low-rank-adapters", "The change is subtracted. Add it.",
    edit(Steps, {"base +": "base -"}))

exercise.mistake("bias-lost", "frozen-base", "The bias of the linear layer is lost. The base keeps it.",
    edit(Steps, {"self.linear(x)": "x @ self.linear.weight.T"}))

exercise.mistake("bias-twice", "frozen-base",
    "The bias is added twice, or scaled. It belongs to the linear layer alone: B A x has none.",
    edit(Steps, {"* change": "* change + (self.linear.bias if self.linear.bias is not None else 0)"}),
    edit(Steps, {"self.linear(x)": "x @ self.linear.weight.T",
                 "x @ self.A.T @ self.B.T": "F.linear(x @ self.A.T, self.B, self.linear.bias)"}, "scaled"),
    edit(Steps, {"x @ self.A.T @ self.B.T": "F.linear(x @ self.A.T, self.B, self.linear.bias)"},
         "scaled, beside the base's"))

exercise.mistake("bias-needed", "frozen-base",
    "It fails for a linear layer without bias. Then linear.bias is None: call the layer itself.",
    edit(Steps, {"self.linear(x)": "x @ self.linear.weight.T + self.linear.bias"}),
    edit(Merged, {" if linear.bias is not None else None": ""}, "a copy of the bias"),
    edit(Steps, {"self.alpha,": "self.linear.bias.requires_grad = False\nself.alpha,"}, "frozen one by one"))

exercise.mistake("activation", "low-rank-adapters",
    "There is an activation function between the factors or after them. The change is linear: B A x.",
    edit(Steps, {"x @ self.A.T": "F.relu(x @ self.A.T)"}, "relu"),
    edit(TwoLayers, {"(self.down(x))": "(F.gelu(self.down(x)))"}, "gelu in layers"),
    edit(TwoLayers, {"(self.down(x))": "(torch.tanh(self.down(x)))"}, "tanh in layers"),
    edit(Steps, {"x @ self.A.T": "torch.sigmoid(x @ self.A.T)"}, "torch.sigmoid"),
    edit(Steps, {"x @ self.A.T": "F.silu(x @ self.A.T)"}, "F.silu"),
    edit(Steps, {"x @ self.A.T": "F.leaky_relu(x @ self.A.T)"}, "F.leaky_relu"),
    edit(Steps, {"x @ self.A.T": "F.elu(x @ self.A.T)"}, "F.elu"),
    edit(Steps, {"x @ self.A.T": "F.softplus(x @ self.A.T)"}, "F.softplus"),
    edit(Steps, {"x @ self": "F.relu(x @ self", "B.T": "B.T)"}, "after both factors"),
    edit(Steps, {"x @ self": "torch.tanh(x @ self", "B.T": "B.T)"}, "tanh after both factors"))

exercise.mistake("none-zero", "zero-start",
    "No factor is zero at the start, so the layer begins with a changed output. Start one of the two with "
    "zeros.",
    edit(Steps, {"zeros": "randn"}),
    edit(TwoLayers, {"nn.init.zeros_(self.up.weight)": ""}, "in layers"),
    edit(Merged, {"zeros": "ones"}, "one and a random one"))

exercise.mistake("both-zero", "zero-start",
    "Both factors are zero at the start. Then neither gets a gradient, ever. Start one with zeros, the "
    "other with random numbers.",
    edit(Steps, {"randn": "zeros", " * 0.01": ""}))

exercise.mistake("constant-factor", "zero-start",
    "One factor is zero, but the other holds one number throughout. Then all its rows stay alike, and the "
    "rank is 1. Draw random numbers.",
    edit(Steps, {"randn": "ones", " * 0.01": ""}))

exercise.mistake("base-trains", "frozen-base",
    "The linear layer's own weights still train. Freeze them: requires_grad_(False), or keep them as "
    "buffers.",
    edit(Steps, {"self.linear.requires_grad_(False)": ""}),
    edit(Merged, {'register_buffer("W",': "W = nn.Parameter(", 'register_buffer("b",': "b = nn.Parameter(",
                  "if": ") if", "None)": "None"}, "parameters anew"),
    edit(Steps, {".linear.": ".linear.bias is None or self.linear.bias."}, "the weight alone"))

exercise.mistake("bias-trains", "frozen-base",
    "The linear layer's bias still trains. Freeze all of the layer.",
    edit(Steps, {".linear.": ".linear.weight."}),
    edit(Merged, {'register_buffer("b",': "b = nn.Parameter(", "if": ") if",
                  "None)": "None"}, "a parameter anew"))

exercise.mistake("factor-bias", "low-rank-adapters",
    "The factors have biases that train. Only the two factors train: make them without bias.",
    edit(TwoLayers, {every(", bias=False"): ""}, "both"),
    edit(TwoLayers, {"rank, bias=False": "rank"}, "the first"),
    edit(TwoLayers, {"out_features, bias=False": "out_features"}, "the second"),
    edit(TwoLayers, {"out_features, bias=False": "out_features",
                     "weight)": "weight)\nnn.init.zeros_(self.up.bias)"}, "the second, zero as well"),
    edit(TwoLayers, {every(", bias=False"): "",
                     "weight)": "weight)\n"
                                "nn.init.zeros_(self.up.bias)\n"
                                "nn.init.zeros_(self.down.bias)"}, "both, zero as well"))

exercise.mistake("scale-trains", "alpha-over-rank",
    "A single number trains beside the factors: alpha is a constant.",
    edit(Steps, {"= alpha": "= nn.Parameter(torch.tensor(float(alpha)))"}),
    edit(TwoLayers, {"alpha / rank": "nn.Parameter(torch.tensor([alpha / rank]))"}, "in layers"))

exercise.mistake("one-factor", "low-rank-adapters",
    "One of the factors is missing, or does not train. There are two, (rank, inputs) and (outputs, rank), "
    "and both train.",
    edit(Steps, {"self.B =": "self.A.requires_grad_(False)\nself.B ="}, "A is frozen"),
    edit(Steps, {"B = nn.Parameter(": 'register_buffer("B",'}, "B is a buffer"))

exercise.mistake("nothing-trains", "low-rank-adapters",
    "No factor is a parameter that trains. Make both an nn.Parameter (or a layer without bias), and freeze "
    "only the base.",
    edit(TwoLayers, {"weight)": "weight)\n"
                                "for p in self.parameters():\n"
                                "    p.requires_grad_(False)"}, "all frozen"))

exercise.mistake("full-matrix", "low-rank-adapters",
    "The change is one full matrix, or the factors have other sizes than (rank, inputs) and (outputs, "
    "rank). Make two thin matrices.",
    edit(Steps, {"self.A = nn.Parameter(torch.randn(rank, linear.in_features) * 0.01)": "",
                 "rank)": "linear.in_features)", "A.T @ self.": ""}),
    edit(Steps, {"rank)": "linear.in_features)"}, "beside a factor"))

exercise.mistake("base-without-gradient", "frozen-base",
    "The output is right, but the inputs get no gradient through the base. Freeze its weights; do not "
    "detach its output or compute it under no_grad: earlier layers need the gradient.",
    edit(TwoLayers, {"base(x)": "base(x).detach()"}, "detach"))

exercise.mistake("base-not-saved", "frozen-base",
    "The base's weights are plain tensors: they are not saved, cast or moved with the module. Keep the "
    "layer itself, or register buffers.",
    edit(Merged, {'register_buffer("W",': "W =", "clone())": "clone()", 'register_buffer("b",': "b =",
                  "None)": "None"}),
    edit(TwoLayers, {"= linear": "= [linear]", "base(x)": "base[0](x)"}, "the layer in a list"))

exercise.mistake("no-super-init", "low-rank-adapters",
    "__init__ does not call super().__init__(). Do that first.",
    edit(Steps, {"super().__init__()": ""}))

exercise.mistake("not-a-module", "low-rank-adapters",
    "The class is not derived from nn.Module. Write class LowRankLinear(nn.Module).",
    edit(Steps, {"(nn.Module)": ""}))

exercise.mistake("factors-exchanged", "low-rank-adapters",
    "The product of the factors does not fit: x has the inputs as its last axis, so A comes first, then B: "
    "(x Aᵀ) Bᵀ.",
    edit(Steps, {"A.T": "B.T", "B.T": "A.T"}),
    edit(Steps, {every(".T"): ""}, "not transposed"),
    edit(Steps, {"self.A.T @ self.B": "(self.A @ self.B)"}, "A B"),
    edit(Steps, {"self.A.T @ self.B.T": "(self.B @ self.A)"}, "the product is not transposed"))

exercise.mistake("fixed-axes", "low-rank-adapters",
    "It works for inputs of two axes only. Any number of axes may stand in front of the last one.",
    edit(Steps, {"x @ self.A.T @ self.B.T": 'torch.einsum("bi,ri,or->bo", x, self.A, self.B)'}),
    edit(Steps, {"x @ self.A.T @ self.B.T": "(self.B @ (self.A @ x.t())).t()"}, "matrices from the left"))

exercise.mistake("something-else-trains", "low-rank-adapters",
    "Something trains beside the two factors: a further matrix, a gain or a bias of your own. Only A and B "
    "train.",
    edit(Steps, {"self.B =": "self.M = nn.Parameter(torch.eye(rank))\nself.B ="},
         "a matrix between the factors"),
    edit(Steps, {"self.B =": "self.bias = nn.Parameter(torch.zeros(linear.out_features))\nself.B =",
                 "* change": "* change + self.bias"}, "a bias of the outputs"))

exercise.mistake("factor-dtype", "low-rank-adapters",
    "The factors do not have the dtype of the layer that comes in. Give them that of its weight.",
    edit(Steps, {"self.to(linear.weight.dtype)": ""}),
    edit(Steps, {"self.to(linear.weight.dtype)": "",
                 "x @ self.A.T @ self.B.T": "x @ self.A.T.to(x.dtype) @ self.B.T.to(x.dtype)"},
         "cast in forward"),
    edit(Steps, {"rank)": "rank, dtype=torch.bfloat16)", "self.to(linear.weight.dtype)": ""},
         "half precision"))

exercise.mistake("another-base", "frozen-base",
    "The base is not the layer that came in: its numbers are different. Keep that layer, or copies of its "
    "weight and bias.",
    edit(Steps, {"self.A =": "self.linear.weight.data = self.linear.weight.data * 1.01\nself.A ="},
         "the weight times 1.01"))

exercise.built_in("no-gradient",
    edit(Steps, {"A.T": "A.T.detach()", "B.T": "B.T.detach()"}))


class Ready(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        from allyouneed.nn.lowrank import LowRankLinear as Theirs

        self.inner = Theirs(linear, rank, alpha)

    def forward(self, x):
        return self.inner(x)


class ReadyMade(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        from allyouneed.nn import lowrank

        self.inner = lowrank.add_low_rank(nn.ModuleDict({"layer": linear}), rank, alpha, names=("layer",))

    def forward(self, x):
        return self.inner["layer"](x)


exercise.built_in("ready-made",
    full(Ready, "the library's"),
    full(ReadyMade, "add_low_rank"))

exercise.equal("the factor that does not start at 0 may start anywhere", {
    "/ linear.in_features ** 0.5": ("* linear.in_features ** 0.5", "", "/ linear.in_features * 0.5",
    "/ (0.5 ** linear.in_features)", "/ linear.in_features", "/ linear.in_features ** 1.0",
    "/ linear.in_features ** 0.0"),
    "torch.randn(rank, linear.in_features) / linear.in_features ** 0.5":
    "(linear.in_features ** 0.5) / torch.randn(rank, linear.in_features)",
    "-0.1, 0.1": ("-0.2, 0.1", "0.0, 0.1", "-0.1, 0.2", "-0.1, 0.0", "-0.1, 1.0"),
    "* 0.02": ("/ 0.02", "", "* 0.04", "* 1.0"), "* 0.01": ("/ 0.01", "", "* 0.02", "* 1.0"),
    'nn.init.kaiming_uniform_(self.factors["A"], a=5 ** 0.5)': "pass", ", a=5 ** 0.5": "",
    "5 ** 0.5": ("5 * 0.5", "0.5 ** 5", "5", "6 ** 0.5", "4 ** 0.5", "5 ** 1.0", "5 ** 0.0")})
exercise.equal(
    "what is no parameter of the layer is not trained, copied or shared, and its factor may be kept or not", {
    ".detach().clone()": (".detach()", ".clone()"), "float(alpha)": "alpha",
    ", persistent=False": ("", ", persistent=True"), ", dtype=torch.float64": ""})
