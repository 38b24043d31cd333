"""The rubric of lstm_step: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise

from ._shared import READY_MADE, faded, gate_weights, rounded, stride

GATES = "fioc"

exercise = Exercise(
    "lstm_step",
    points={"step": 4, "gradients": 1, "large inputs": 1},
    section="lstm-gates",
    forbid=READY_MADE,
    driver="nested",
    compact=True,
    properties=[{"rule": "finite", "part": 0}, {"rule": "finite", "part": 1}],
    relations=[("no way from the state", "no way from the state, another state",
                "With every U at 0 the old h must not matter, but it changed the new h.", 0)],
    mistakes={
        "candidate-sigmoid": ("The candidate goes through a sigmoid. It must go through tanh, so that the cell can be written to in both "
                              "directions, up and down.", "lstm-candidate"),
        "candidate-linear": ("The candidate goes through no non-linearity, or the wrong one. It must go through tanh.", "lstm-candidate"),
        "h-from-old-c": ("The new h is made from the old cell state. Compute the new c first, and then h = o · tanh of the new c.", "lstm-cell-state"),
        "forget-input-swapped": ("Forget and input gate are swapped. f multiplies the old cell state, i multiplies the candidate.", "lstm-gates"),
        "forget-output-swapped": ("Forget and output gate are swapped. f multiplies the old cell state, o multiplies tanh of the new one.",
                                  "lstm-gates"),
        "input-output-swapped": ("Input and output gate are swapped. i multiplies the candidate, o multiplies tanh of the new cell state.",
                                 "lstm-gates"),
        "gates-rotated": ("Each of the three gates stands in another's place. f multiplies the old cell state, i the candidate, o the tanh "
                          "of the new cell state. Take the weights by their names.", "lstm-gates"),
        "candidate-swapped": ("The candidate is made with a gate's weights, and that gate with the candidate's. W_c, U_c and b_c belong to the candidate, "
                              "the one with the tanh. (torch stores the four in the order i, f, g, o, where g is the candidate.)", "lstm-candidate"),
        "weights-shared": ("Two or more of the gates use the same weights. Each has its own: W_f, U_f, b_f for f, and so on.", "lstm-gates"),
        "no-tanh-on-cell": ("The tanh around the new cell state is missing. h = o · tanh(c), with the new c.", "lstm-cell-state"),
        "other-squash-on-cell": ("The new cell state goes through a sigmoid on its way to h. It must go through tanh.", "lstm-cell-state"),
        "cell-squashed": ("The cell state that comes back has gone through tanh. Only h sees the tanh; c stays as it is, so that it can keep its "
                          "value for long.", "lstm-cell-state"),
        "gates-tanh": ("A gate goes through tanh. The three gates go through a sigmoid, since they let through a share between 0 and 1.", "lstm-gates"),
        "gates-linear": ("A gate goes through no sigmoid, or through another function instead. The three gates must be shares between 0 and "
                         "1: use a sigmoid.", "lstm-gates"),
        "gates-softmax": ("A softmax takes the place of the sigmoid. The gates do not compete: each number is a share of its own.", "lstm-gates"),
        "forget-inverted": ("The forget gate works the wrong way round: 1 means keep. Multiply the old cell state with f itself.", "lstm-cell-state"),
        "coupled-gates": ("The candidate is weighted with 1 − f (or the old cell with 1 − i). That is a variant with coupled gates; here the input "
                          "gate i has weights of its own.", "lstm-gates"),
        "no-forget-gate": ("The forget gate is not used: the old cell state is kept whole. Multiply it with f.", "lstm-cell-state"),
        "old-cell-lost": ("The old cell state has no effect on the new one. Keep its share: f · c, and add the candidate's share.", "lstm-cell-state"),
        "no-input-gate": ("The input gate does not multiply the candidate: the whole candidate is added. Multiply it with i.", "lstm-gates"),
        "nothing-written": ("The candidate is never added to the cell state. Add i · candidate to what the forget gate keeps.", "lstm-cell-state"),
        "no-output-gate": ("The output gate is not used: h is the tanh of the cell state. Multiply it with o.", "lstm-gates"),
        "multiplied": ("What is kept and what is written are multiplied. They must be added.", "lstm-cell-state"),
        "subtracted": ("What is written is subtracted. It must be added to what is kept.", "lstm-cell-state"),
        "h-from-candidate": ("h is made from the candidate, or from what is written alone. It shows the whole new cell state: o · tanh(c).", "lstm-cell-state"),
        "peephole": ("The gates look at the cell state as well. These peepholes are a variant; here the gates see x and h only.", "lstm-gates"),
        "gates-from-cell": ("A gate or the candidate reads the cell state c instead of h. U multiplies the old h.", "lstm-gates"),
        "output-gate-late": ("The output gate is computed from the tanh of the new cell state. All gates read the old h.", "lstm-gates"),
        "u-transposed": ("The matrices U are transposed. States are rows: multiply h with U from the right, as it is. (torch's own "
                         "layers, and F.linear, store the transposed matrices.)", "lstm-gates"),
        "w-transposed": ("The matrices W are transposed. Inputs are rows of width D and W is (D, H): multiply them as they are.", "lstm-gates"),
        "both-transposed": ("Both W and U are transposed. x and h are rows: multiply them with the matrices as they are. (torch's own layers, and "
                            "F.linear, store the transposed matrices.)", "lstm-gates"),
        "w-and-u-swapped": ("W and U are swapped: W belongs to the input x, U to the state h.", "lstm-gates"),
        "state-unused": ("The old h does not enter a gate or the candidate. Each of the four adds h U to x W.", "lstm-gates"),
        "input-unused": ("The input x does not enter a gate or the candidate. Each of the four adds x W to h U.", "lstm-gates"),
        "bias-missing": ("A bias is missing. Each of the three gates and the candidate has one.", "lstm-gates"),
        "forget-bias-added": ("A constant is added inside the forget gate. Starting with a large b_f is good practice, but then it is part of b_f: the step "
                              "adds nothing else.", "lstm-gates"),
        "order-of-results": ("The cell state comes first. Return h first, then c.", "lstm-cell-state"),
        "returns-h-only": ("Only one tensor comes back. Return two: the new h and the new c.", "lstm-cell-state"),
        "nested-result": ("Something other than the pair (h, c) comes back. Return exactly two tensors. (torch's nn.LSTM returns outputs and "
                          "a pair.)",
                          "lstm-cell-state"),
        "old-c-returned": ("The old cell state comes back. Return the new one, which the next step starts from.", "lstm-cell-state"),
        "old-h-returned": ("The old h comes back. Return the new one.", "lstm-cell-state"),
        "keys-by-order": ("The weights are taken from the dict by their order. A dict is read by its keys: params[\"W_f\"] and so on.", "lstm-gates"),
        "sigmoid-overflows": ("Large inputs give nan, since a hand-written sigmoid or tanh divides infinity by infinity. Use torch.sigmoid and "
                              "torch.tanh.", "lstm-gates"),
        "tanh-around-product": ("The tanh stands around the whole product. First tanh of the new cell state, then times o: h = o · tanh(c).",
                                "lstm-cell-state"),
        "forget-on-everything": ("The forget gate multiplies what is written as well. It multiplies the old cell state alone; then add i · ĉ.",
                                 "lstm-cell-state"),
        "gates-as-matrices": ("A gate is multiplied as a matrix, with @. Gates act number by number: f * c. Only the products with W and U are matrix products.",
                              "lstm-gates"),
        "candidate-gated": ("A gate multiplies h inside the candidate. This is what the reset gate of a GRU does; the candidate of an LSTM sees the "
                            "whole old h.", "lstm-candidate"),
        "bias-twice": ("The biases are added twice. Each gate and the candidate has one. (torch's nn.LSTM has two each.)", "lstm-gates"),
        "squash-in-parts": ("The sigmoid or the tanh is applied to a part of the sum. Add x W, h U and the bias first, then apply it once to the whole.",
                            "lstm-gates"),
        "sigmoid-sign": ("The hand-written sigmoid has the wrong sign, so gates open where they should shut. It is 1 / (1 + exp(-a)); "
                         "torch.sigmoid is safer.", "lstm-gates"),
        "matrix-on-the-left": ("A matrix stands on the left of x or h. Both are rows: multiply them with it from the right, x @ W and h @ U.", "lstm-gates"),
        "squeezed": ("An axis of size 1 has disappeared. Leave out squeeze(): h and c are (B, H), also for B = 1.", "lstm-gates"),
    },
)


@exercise.probes
def _(make):
    def arguments(B, D, H, dtype=torch.float32, scale=1.0, backwards=False):
        return (make.randn(B, D, dtype=dtype, scale=scale), make.randn(B, H, dtype=dtype), make.randn(B, H, dtype=dtype, scale=1.5),
                gate_weights(make, GATES, D, H, dtype, backwards=backwards))

    def probe(name, *args, group="step", **marks):
        return make.probe(name, *args, group=group, **marks)

    yield probe("one number each", *[rounded(item) for item in arguments(1, 1, 1)])
    yield probe("two items", *arguments(2, *make.pick((3, 4), (4, 3), (5, 4))))
    yield probe("more units than inputs", *arguments(*make.pick((3, 2, 5), (4, 3, 6), (2, 3, 5))))
    yield probe("as many inputs as units", *arguments(2, *make.pick((3, 3), (4, 4), (5, 5))))
    yield probe("all sizes equal", *arguments(*make.pick((3, 3, 3), (4, 4, 4), (2, 2, 2))))
    yield probe("float64", *arguments(*make.pick((2, 4, 3), (3, 2, 4), (2, 5, 3)), dtype=torch.float64))
    x, h, c, params = arguments(2, 3, make.pick(2, 4, 5))
    yield probe("no way from the state", x, h, c, faded(make, params, "U"))
    yield probe("no way from the state, another state", x, make.randn(*h.shape), c, faded(make, params, "U"))

    yield probe("batch 1", *arguments(1, *make.pick((3, 2), (4, 3), (2, 4))), edge=True)
    yield probe("keys in another order", *arguments(2, 3, 4, backwards=True), edge=True)
    yield stride(probe("not contiguous", *arguments(2, 3, 4), edge=True))
    yield probe("a large batch", *arguments(make.pick(130, 140, 150), 2, 3), edge=True, long=True)

    graded = {"group": "gradients", "gradient": True, "edge": True}
    yield probe("gradients", *arguments(*make.pick((2, 3, 2), (3, 2, 4), (2, 4, 3))), **graded)
    yield probe("gradients, float64", *arguments(*make.pick((3, 2, 2), (2, 3, 3), (3, 2, 3)), dtype=torch.float64), **graded)
    yield probe("inputs of several hundred", *arguments(*make.pick((3, 2, 4), (4, 3, 2), (2, 4, 5)), scale=400.0), group="large inputs", edge=True)


@exercise.right
def reference(x, h, c, params):
    def total(gate):
        return x @ params[f"W_{gate}"] + h @ params[f"U_{gate}"] + params[f"b_{gate}"]

    f, i, o = torch.sigmoid(total("f")), torch.sigmoid(total("i")), torch.sigmoid(total("o"))
    c = f * c + i * torch.tanh(total("c"))
    return o * torch.tanh(c), c


@exercise.alternative("line by line")
def _(x, h, c, params):
    f = torch.sigmoid(x @ params["W_f"] + h @ params["U_f"] + params["b_f"])
    i = torch.sigmoid(x @ params["W_i"] + h @ params["U_i"] + params["b_i"])
    o = torch.sigmoid(x @ params["W_o"] + h @ params["U_o"] + params["b_o"])
    c_hat = torch.tanh(x @ params["W_c"] + h @ params["U_c"] + params["b_c"])
    c_new = f * c + i * c_hat
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.alternative("all gates side by side, chunk")
def _(x, h, c, params):
    W = torch.cat([params["W_" + g] for g in "ifco"], dim=1)
    U = torch.cat([params["U_" + g] for g in "ifco"], dim=1)
    b = torch.cat([params["b_" + g] for g in "ifco"])
    i, f, g, o = (x @ W + h @ U + b).chunk(4, dim=-1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return [o.sigmoid() * c.tanh(), c]


@exercise.alternative("input and state side by side")
def _(x, h, c, params):
    xh = torch.cat((x, h), dim=-1)
    out = {}
    for gate, squash in (("f", torch.sigmoid), ("i", torch.sigmoid), ("o", torch.sigmoid), ("c", torch.tanh)):
        out[gate] = squash(xh @ torch.cat((params[f"W_{gate}"], params[f"U_{gate}"])) + params[f"b_{gate}"])
    new = torch.addcmul(out["i"] * out["c"], out["f"], c)
    return out["o"] * new.tanh(), new


@exercise.alternative("F.linear, nn.Sigmoid")
def _(x, h, c, params):
    sigma, tanh = nn.Sigmoid(), nn.Tanh()

    def both(name):
        return F.linear(x, params["W_" + name].T, params["b_" + name]) + F.linear(h, params["U_" + name].T)

    next_c = sigma(both("f")).mul(c).add(sigma(both("i")).mul(tanh(both("c"))))
    return sigma(both("o")).mul(tanh(next_c)), next_c


@exercise.alternative("sigmoid from tanh, einsum")
def _(x, h, c, params):
    def squash(a):
        return 0.5 * (torch.tanh(a / 2) + 1)

    a = {g: torch.einsum("bd,dh->bh", x, params[f"W_{g}"]) + torch.einsum("bk,kh->bh", h, params[f"U_{g}"]) + params[f"b_{g}"]
         for g in ("f", "i", "o", "c")}
    c = c * squash(a["f"]) + torch.tanh(a["c"]) * squash(a["i"])
    return torch.tanh(c) * squash(a["o"]), c


@exercise.alternative("item by item, sigmoid by hand")
def _(x, h, c, params):
    hs, cs = [], []
    for row in range(x.shape[0]):
        a = {g: x[row] @ params[f"W_{g}"] + h[row] @ params[f"U_{g}"] + params[f"b_{g}"] for g in "fioc"}
        s = {g: torch.exp(F.logsigmoid(a[g])) for g in "fio"}
        cs.append(s["f"] * c[row] + s["i"] * torch.tanh(a["c"]))
        hs.append(s["o"] * torch.tanh(cs[-1]))
    return torch.stack(hs), torch.stack(cs)


@exercise.wrong("candidate-sigmoid")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.sigmoid(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("candidate-sigmoid", "all four side by side")
def _(x, h, c, params):
    W, U, b = (torch.cat([params[f"{kind}_{g}"] for g in "fioc"], dim=-1) for kind in "WUb")
    f, i, o, g = torch.sigmoid(x @ W + h @ U + b).chunk(4, dim=1)
    c = f * c + i * g
    return o * torch.tanh(c), c


@exercise.wrong("candidate-linear")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = a("c")
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("candidate-linear", "ReLU")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.relu(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("h-from-old-c")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c)
    return h_new, c_new


@exercise.wrong("forget-input-swapped")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = i * c + f * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("forget-input-swapped", "the weights exchanged")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("i"))
    i = torch.sigmoid(a("f"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("forget-output-swapped")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("o"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("f"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("input-output-swapped")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("o"))
    o = torch.sigmoid(a("i"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-rotated", "o, f, i")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("o"))
    i = torch.sigmoid(a("f"))
    o = torch.sigmoid(a("i"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-rotated", "i, o, f")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("i"))
    i = torch.sigmoid(a("o"))
    o = torch.sigmoid(a("f"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("candidate-swapped", "with f")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("c"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("f"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("candidate-swapped", "with i")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("c"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("i"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("candidate-swapped", "with o")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("c"))
    g = torch.tanh(a("o"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("candidate-swapped", "unpacked in the order i, f, o, c of a list in the order i, f, c, o")
def _(x, h, c, params):
    i, f, o, g = (x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g] for g in ("i", "f", "c", "o"))
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@exercise.wrong("candidate-swapped", "weights by position, f, i, c, o read as f, i, o, c, with the candidate's names")
def _(x, h, c, params):
    a = [x @ params[f"W_{g}"] + h @ params[f"U_{g}"] + params[f"b_{g}"] for g in "icof"]
    f, i, o = (torch.sigmoid(part) for part in a[:3])
    c = f * c + i * torch.tanh(a[3])
    return o * torch.tanh(c), c


@exercise.wrong("weights-shared", "every gate with the weights of f")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("f"))
    o = torch.sigmoid(a("f"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("weights-shared", "everything with the weights of f")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("f"))
    o = torch.sigmoid(a("f"))
    g = torch.tanh(a("f"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("weights-shared", "i with the weights of f")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("f"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("weights-shared", "o with the weights of f")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("f"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("weights-shared", "o with the weights of i")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("i"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("weights-shared", "f with the weights of i")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("i"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("weights-shared", "the candidate with the weights of i")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("i"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("weights-shared", "one W for all")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_f"] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("weights-shared", "one U for all")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_f"] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("no-tanh-on-cell")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * c_new
    return h_new, c_new


@exercise.wrong("other-squash-on-cell", "sigmoid")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.sigmoid(c_new)
    return h_new, c_new


@exercise.wrong("cell-squashed")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = torch.tanh(f * c + i * g)
    h_new = o * c_new
    return h_new, c_new


@exercise.wrong("cell-squashed", "tanh twice")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = torch.tanh(f * c + i * g)
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("cell-squashed", "only what comes back")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, torch.tanh(c_new)


@exercise.wrong("gates-tanh", "all three")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.tanh(a("f"))
    i = torch.tanh(a("i"))
    o = torch.tanh(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-tanh", "the output gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.tanh(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-tanh", "the input gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.tanh(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-tanh", "the forget gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.tanh(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-linear", "all three")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = a("f")
    i = a("i")
    o = a("o")
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-linear", "the output gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = a("o")
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-linear", "the forget gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = a("f")
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-linear", "the input gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = a("i")
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-linear", "ReLU")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.relu(a("f"))
    i = torch.relu(a("i"))
    o = torch.relu(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-softmax")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.softmax(a("f"), dim=-1)
    i = torch.softmax(a("i"), dim=-1)
    o = torch.softmax(a("o"), dim=-1)
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("forget-inverted")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = (1 - f) * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("coupled-gates", "1 − f")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + (1 - f) * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("coupled-gates", "1 − i")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = (1 - i) * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("no-forget-gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("old-cell-lost")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("old-cell-lost", "the forget gate is added")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("no-input-gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("nothing-written")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    o = torch.sigmoid(a("o"))
    c_new = f * c
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("nothing-written", "the input gate is added")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    c_new = f * c + i
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("no-output-gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("multiplied")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = (f * c) * (i * g)
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("subtracted")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c - i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("h-from-candidate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * g
    return h_new, c_new


@exercise.wrong("h-from-candidate", "tanh of what is written")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(i * g)
    return h_new, c_new


@exercise.wrong("peephole", "all three gates")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f") + c)
    i = torch.sigmoid(a("i") + c)
    o = torch.sigmoid(a("o") + c)
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("peephole", "the output gate sees the new c")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, g = torch.sigmoid(a("f") + c), torch.sigmoid(a("i") + c), torch.tanh(a("c"))
    c = f * c + i * g
    o = torch.sigmoid(a("o") + c)
    return o * torch.tanh(c), c


@exercise.wrong("peephole", "everything")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g] + c

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-from-cell")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + c @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("gates-from-cell", "the output gate reads the new cell")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    c = torch.sigmoid(a("f")) * c + torch.sigmoid(a("i")) * torch.tanh(a("c"))
    o = torch.sigmoid(x @ params["W_o"] + c @ params["U_o"] + params["b_o"])
    return o * torch.tanh(c), c


@exercise.wrong("output-gate-late", "from tanh of the new cell")
def _(x, h, c, params):
    def a(g, h):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    c = torch.sigmoid(a("f", h)) * c + torch.sigmoid(a("i", h)) * torch.tanh(a("c", h))
    h = torch.tanh(c)
    return torch.sigmoid(a("o", h)) * h, c


@exercise.wrong("u-transposed")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g].T + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("w-transposed")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g].T + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("both-transposed")
def _(x, h, c, params):
    def a(g):
        return F.linear(x, params["W_" + g]) + F.linear(h, params["U_" + g], params["b_" + g])

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("w-and-u-swapped")
def _(x, h, c, params):
    def a(g):
        return h @ params["W_" + g] + x @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("state-unused")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("state-unused", "in the candidate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(x @ params["W_c"] + params["b_c"])
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("input-unused")
def _(x, h, c, params):
    def a(g):
        return h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("bias-missing", "all")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("bias-missing", "forget gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(x @ params["W_f"] + h @ params["U_f"])
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("bias-missing", "input gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(x @ params["W_i"] + h @ params["U_i"])
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("bias-missing", "output gate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(x @ params["W_o"] + h @ params["U_o"])
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("bias-missing", "the candidate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(x @ params["W_c"] + h @ params["U_c"])
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("forget-bias-added")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f") + 1.0)
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("order-of-results")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return c_new, h_new


@exercise.wrong("returns-h-only")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new


@exercise.wrong("returns-h-only", "c only")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    return c_new


@exercise.wrong("nested-result")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, (h_new, c_new)


@exercise.wrong("nested-result", "with the gates")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new, o


@exercise.wrong("old-c-returned")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c


@exercise.wrong("old-h-returned")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    return h, c_new


@exercise.wrong("keys-by-order")
def _(x, h, c, params):
    W_f, U_f, b_f, W_i, U_i, b_i, W_o, U_o, b_o, W_c, U_c, b_c = params.values()
    f = torch.sigmoid(x @ W_f + h @ U_f + b_f)
    i = torch.sigmoid(x @ W_i + h @ U_i + b_i)
    o = torch.sigmoid(x @ W_o + h @ U_o + b_o)
    c = f * c + i * torch.tanh(x @ W_c + h @ U_c + b_c)
    return o * torch.tanh(c), c


@exercise.wrong("sigmoid-overflows")
def _(x, h, c, params):
    def sigmoid(a):
        return torch.exp(a) / (1 + torch.exp(a))

    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = sigmoid(a("f"))
    i = sigmoid(a("i"))
    o = sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("sigmoid-overflows", "tanh by hand")
def _(x, h, c, params):
    def tanh(a):
        return (torch.exp(a) - torch.exp(-a)) / (torch.exp(a) + torch.exp(-a))

    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * tanh(c_new)
    return h_new, c_new


@exercise.wrong("sigmoid-overflows", "both by hand")
def _(x, h, c, params):
    def sigmoid(a):
        return torch.exp(a) / (torch.exp(a) + 1)

    def tanh(a):
        return (torch.exp(2 * a) - 1) / (torch.exp(2 * a) + 1)

    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = sigmoid(a("f"))
    i = sigmoid(a("i"))
    o = sigmoid(a("o"))
    g = tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * tanh(c_new)
    return h_new, c_new


@exercise.wrong("squeezed")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new.squeeze(), c_new.squeeze()


@exercise.wrong("squeezed", "the batch axis")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new.squeeze(0), c_new.squeeze(0)


@exercise.wrong("changes-input", "the cell state in place")
def _(x, h, c, params):
    a = {g: x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g] for g in "fioc"}
    c *= torch.sigmoid(a["f"])
    c += torch.sigmoid(a["i"]) * torch.tanh(a["c"])
    return torch.sigmoid(a["o"]) * torch.tanh(c), c


@exercise.wrong("changes-input", "weights taken out of the dict")
def _(x, h, c, params):
    a = {g: x @ params.pop("W_" + g) + h @ params.pop("U_" + g) + params.pop("b_" + g) for g in "fioc"}
    c = torch.sigmoid(a["f"]) * c + torch.sigmoid(a["i"]) * torch.tanh(a["c"])
    return torch.sigmoid(a["o"]) * torch.tanh(c), c


@exercise.wrong("no-gradient", "the cell state detached")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c.detach() + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.wrong("no-gradient", "the results detached")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new.detach(), c_new.detach()


@exercise.wrong("ready-made", "nn.LSTMCell with the weights filled in")
def _(x, h, c, params):
    cell = nn.LSTMCell(x.shape[1], h.shape[1])
    with torch.no_grad():
        cell.weight_ih.copy_(torch.cat([params["W_" + g].T for g in "ifco"]))
        cell.weight_hh.copy_(torch.cat([params["U_" + g].T for g in "ifco"]))
        cell.bias_ih.copy_(torch.cat([params["b_" + g] for g in "ifco"]))
        cell.bias_hh.zero_()
    return cell(x, (h, c))


@exercise.wrong("ready-made", "torch.lstm_cell")
def _(x, h, c, params):
    W, U, b = (torch.cat([params[f"{kind}_{g}"] for g in "ifco"], dim=-1) for kind in "WUb")
    return torch.lstm_cell(x, (h, c), W.T, U.T, b, torch.zeros_like(b))


@exercise.wrong("timeout", "a loop without end")
def _(x, h, c, params):
    while True:
        h = torch.tanh(h)


@exercise.wrong("returns-nothing", "no return")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)


@exercise.wrong("candidate-swapped", "side by side in one order, taken apart in torch's")
def _(x, h, c, params):
    W, U, b = (torch.cat([params[f"{kind}_{g}"] for g in "fioc"], dim=-1) for kind in "WUb")
    i, f, g, o = (x @ W + h @ U + b).chunk(4, dim=-1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@exercise.wrong("nested-result", "a dict")
def _(x, h, c, params):
    f, i, o, g = (x @ params["W_" + k] + h @ params["U_" + k] + params["b_" + k] for k in "fioc")
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return {"h": torch.sigmoid(o) * torch.tanh(c), "c": c}


@exercise.wrong("tanh-around-product")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i * g
    return torch.tanh(o * c_new), c_new


@exercise.wrong("no-input-gate", "i is added")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i + g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("old-cell-lost", "f · h in place of f · c")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * h + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("forget-on-everything", "f · (c + i · ĉ)")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * (c + i * g)
    return o * torch.tanh(c_new), c_new


@exercise.wrong("gates-as-matrices", "in the cell state")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f @ c + i @ g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("gates-as-matrices", "everywhere")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f @ c + i @ g
    return o @ torch.tanh(c_new), c_new


@exercise.wrong("gates-as-matrices", "in h")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i * g
    return o @ torch.tanh(c_new), c_new


@exercise.wrong("gates-as-matrices", "transposed until the sizes fit")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f @ c.T @ c + i @ g.T @ g
    return o @ torch.tanh(c_new).T @ torch.tanh(c_new), c_new


@exercise.wrong("candidate-gated", "o · h")
def _(x, h, c, params):
    f, i, o = (torch.sigmoid(x @ params["W_" + k] + h @ params["U_" + k] + params["b_" + k]) for k in "fio")
    g = torch.tanh(x @ params["W_c"] + (o * h) @ params["U_c"] + params["b_c"])
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("candidate-gated", "f · h")
def _(x, h, c, params):
    f, i, o = (torch.sigmoid(x @ params["W_" + k] + h @ params["U_" + k] + params["b_" + k]) for k in "fio")
    g = torch.tanh(x @ params["W_c"] + (f * h) @ params["U_c"] + params["b_c"])
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("candidate-gated", "i · h")
def _(x, h, c, params):
    f, i, o = (torch.sigmoid(x @ params["W_" + k] + h @ params["U_" + k] + params["b_" + k]) for k in "fio")
    g = torch.tanh(x @ params["W_c"] + (i * h) @ params["U_c"] + params["b_c"])
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("weights-shared", "b_f for all three gates")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_c" if g == "c" else "b_f"]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("weights-shared", "b_f for all four")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_f"]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("gates-from-cell", "the candidate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(x @ params["W_c"] + c @ params["U_c"] + params["b_c"])
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("gates-from-cell", "the candidate too")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + c @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("input-unused", "in the candidate")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(h @ params["U_c"] + params["b_c"])
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("state-unused", "in the gates")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(x @ params["W_c"] + h @ params["U_c"] + params["b_c"])
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("bias-twice")
def _(x, h, c, params):
    def a(g):
        return (x @ params["W_" + g] + params["b_" + g]) + (h @ params["U_" + g] + params["b_" + g])

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("squash-in-parts", "the biases outside")
def _(x, h, c, params):
    def a(g, squash):
        return squash(x @ params["W_" + g] + h @ params["U_" + g]) + params["b_" + g]

    f, i, o, g = a("f", torch.sigmoid), a("i", torch.sigmoid), a("o", torch.sigmoid), a("c", torch.tanh)
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("squash-in-parts", "each product alone")
def _(x, h, c, params):
    def a(g, squash):
        return squash(x @ params["W_" + g]) + squash(h @ params["U_" + g]) + params["b_" + g]

    f, i, o, g = a("f", torch.sigmoid), a("i", torch.sigmoid), a("o", torch.sigmoid), a("c", torch.tanh)
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("squash-in-parts", "the bias with the input")
def _(x, h, c, params):
    def a(g, squash):
        return squash(x @ params["W_" + g] + params["b_" + g]) + squash(h @ params["U_" + g])

    f, i, o, g = a("f", torch.sigmoid), a("i", torch.sigmoid), a("o", torch.sigmoid), a("c", torch.tanh)
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("squash-in-parts", "the biases of the gates outside")
def _(x, h, c, params):
    f, i, o = (torch.sigmoid(x @ params["W_" + k] + h @ params["U_" + k]) + params["b_" + k] for k in "fio")
    g = torch.tanh(x @ params["W_c"] + h @ params["U_c"] + params["b_c"])
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("sigmoid-sign")
def _(x, h, c, params):
    f, i, o = (1 / (1 + torch.exp(x @ params["W_" + k] + h @ params["U_" + k] + params["b_" + k])) for k in "fio")
    g = torch.tanh(x @ params["W_c"] + h @ params["U_c"] + params["b_c"])
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("matrix-on-the-left")
def _(x, h, c, params):
    def a(g):
        return params["W_" + g] @ x + params["U_" + g] @ h + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("matrix-on-the-left", "U alone")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + params["U_" + g] @ h + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.wrong("nested-result", "stacked")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i * g
    return torch.stack((o * torch.tanh(c_new), c_new))


@exercise.wrong("nested-result", "side by side")
def _(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i * g
    return torch.cat((o * torch.tanh(c_new), c_new), dim=1)


@exercise.wrong("squash-in-parts", "each product of the gates alone")
def _(x, h, c, params):
    f, i, o = (torch.sigmoid(x @ params["W_" + k]) + torch.sigmoid(h @ params["U_" + k]) + params["b_" + k] for k in "fio")
    g = torch.tanh(x @ params["W_c"] + h @ params["U_c"] + params["b_c"])
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new
