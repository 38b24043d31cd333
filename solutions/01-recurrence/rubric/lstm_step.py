"""lstm_step: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F
from torch import nn

from coursegrader.rubric import Exercise, Relation, edit, every, full

from ._shared import READY_MADE, faded, gate_weights, rounded, stride

GATES = "fioc"

exercise = Exercise(
    "lstm_step",
    points={"step": 4, "gradients": 1, "large inputs": 1},
    section="lstm-gates",
    forbid=READY_MADE,
    properties=[{"rule": "finite", "part": 0}, {"rule": "finite", "part": 1}],
    relations=[
        Relation("no way from the state", "no way from the state, another state",
                 "With every U at 0 the old h must not matter, but it changed the new h.", 0)],
)


@exercise.probes
def probes(make):
    def arguments(B, D, H, dtype=torch.float32, scale=1.0, backwards=False):
        return (make.randn(B, D, dtype=dtype, scale=scale), make.randn(B, H, dtype=dtype),
                make.randn(B, H, dtype=dtype, scale=1.5),
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
    yield probe("gradients, float64", *arguments(*make.pick((3, 2, 2), (2, 3, 3), (3, 2, 3)),
                                                 dtype=torch.float64), **graded)
    yield probe("inputs of several hundred",
                *arguments(*make.pick((3, 2, 4), (4, 3, 2), (2, 4, 5)),
                           scale=400.0), group="large inputs", edge=True)


@exercise.right
def reference(x, h, c, params):
    def total(gate):
        return x @ params[f"W_{gate}"] + h @ params[f"U_{gate}"] + params[f"b_{gate}"]

    f, i, o = torch.sigmoid(total("f")), torch.sigmoid(total("i")), torch.sigmoid(total("o"))
    c = f * c + i * torch.tanh(total("c"))
    return o * torch.tanh(c), c


@exercise.right("line by line")
def line(x, h, c, params):
    f = torch.sigmoid(x @ params["W_f"] + h @ params["U_f"] + params["b_f"])
    i = torch.sigmoid(x @ params["W_i"] + h @ params["U_i"] + params["b_i"])
    o = torch.sigmoid(x @ params["W_o"] + h @ params["U_o"] + params["b_o"])
    c_hat = torch.tanh(x @ params["W_c"] + h @ params["U_c"] + params["b_c"])
    c_new = f * c + i * c_hat
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.right("all gates side by side, chunk")
def gates(x, h, c, params):
    W = torch.cat([params["W_" + g] for g in "ifco"], dim=1)
    U = torch.cat([params["U_" + g] for g in "ifco"], dim=1)
    b = torch.cat([params["b_" + g] for g in "ifco"])
    i, f, g, o = (x @ W + h @ U + b).chunk(4, dim=-1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return [o.sigmoid() * c.tanh(), c]


@exercise.right("input and state side by side")
def input_state(x, h, c, params):
    xh = torch.cat((x, h), dim=-1)
    out = {}
    for gate, squash in (("f", torch.sigmoid), ("i", torch.sigmoid), ("o", torch.sigmoid), ("c", torch.tanh)):
        out[gate] = squash(xh @ torch.cat((params[f"W_{gate}"], params[f"U_{gate}"])) + params[f"b_{gate}"])
    new = torch.addcmul(out["i"] * out["c"], out["f"], c)
    return out["o"] * new.tanh(), new


@exercise.right("F.linear, nn.Sigmoid")
def f_linear(x, h, c, params):
    sigma, tanh = nn.Sigmoid(), nn.Tanh()

    def both(name):
        return F.linear(x, params["W_" + name].T, params["b_" + name]) + F.linear(h, params["U_" + name].T)

    next_c = sigma(both("f")).mul(c).add(sigma(both("i")).mul(tanh(both("c"))))
    return sigma(both("o")).mul(tanh(next_c)), next_c


@exercise.right("sigmoid from tanh, einsum")
def sigmoid_tanh(x, h, c, params):
    def squash(a):
        return 0.5 * (torch.tanh(a / 2) + 1)

    a = {g: torch.einsum("bd,dh->bh", x, params[f"W_{g}"]) + torch.einsum("bk,kh->bh", h, params[f"U_{g}"])
         + params[f"b_{g}"]
         for g in ("f", "i", "o", "c")}
    c = c * squash(a["f"]) + torch.tanh(a["c"]) * squash(a["i"])
    return torch.tanh(c) * squash(a["o"]), c


@exercise.right("item by item, sigmoid by hand")
def item(x, h, c, params):
    hs, cs = [], []
    for row in range(x.shape[0]):
        a = {g: x[row] @ params[f"W_{g}"] + h[row] @ params[f"U_{g}"] + params[f"b_{g}"] for g in "fioc"}
        s = {g: torch.exp(F.logsigmoid(a[g])) for g in "fio"}
        cs.append(s["f"] * c[row] + s["i"] * torch.tanh(a["c"]))
        hs.append(s["o"] * torch.tanh(cs[-1]))
    return torch.stack(hs), torch.stack(cs)


@exercise.right("step by step")
def plain(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f = torch.sigmoid(a("f"))
    i = torch.sigmoid(a("i"))
    o = torch.sigmoid(a("o"))
    g = torch.tanh(a("c"))
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


@exercise.right("step by step, another way")
def plain_other(x, h, c, params):
    def a(g):
        return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]

    f, i, o, g = torch.sigmoid(a("f")), torch.sigmoid(a("i")), torch.sigmoid(a("o")), torch.tanh(a("c"))
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


@exercise.right("step by step, 3")
def plain_3(x, h, c, params):
    f, i, o = (torch.sigmoid(x @ params["W_" + k] + h @ params["U_" + k] + params["b_" + k]) for k in "fio")
    g = torch.tanh(x @ params["W_c"] + h @ params["U_c"] + params["b_c"])
    c_new = f * c + i * g
    return o * torch.tanh(c_new), c_new


exercise.mistake("candidate-sigmoid", "lstm-candidate",
    "The candidate goes through a sigmoid. It must go through tanh, so that the cell can be written to in "
    "both directions, up and down.",
    edit(plain, {"tanh(a": "sigmoid(a"}))

exercise.mistake("candidate-linear", "lstm-candidate",
    "The candidate goes through no non-linearity, or the wrong one. It must go through tanh.",
    edit(plain, {'torch.tanh(a("c"))': 'a("c")'}),
    edit(plain, {"tanh(a": "relu(a"}, "ReLU"))

exercise.mistake("h-from-old-c", "lstm-cell-state",
    "The new h is made from the old cell state. Compute the new c first, and then h = o · tanh of the new c.",
    edit(plain, {"(c_new)": "(c)"}))

exercise.mistake("forget-input-swapped", "lstm-gates",
    "Forget and input gate are swapped. f multiplies the old cell state, i multiplies the candidate.",
    edit(plain, {"f * c + i": "i * c + f"}))

exercise.mistake("forget-output-swapped", "lstm-gates",
    "Forget and output gate are swapped. f multiplies the old cell state, o multiplies tanh of the new one.",
    edit(plain, {'a("f")': 'a("o")', 'a("o")': 'a("f")'}))

exercise.mistake("input-output-swapped", "lstm-gates",
    "Input and output gate are swapped. i multiplies the candidate, o multiplies tanh of the new cell state.",
    edit(plain, {'a("i")': 'a("o")', 'a("o")': 'a("i")'}))

exercise.mistake("gates-rotated", "lstm-gates",
    "Each of the three gates stands in another's place. f multiplies the old cell state, i the candidate, "
    "o the tanh of the new cell state. Take the weights by their names.",
    edit(plain, {'a("f")': 'a("o")', 'a("i")': 'a("f")', 'a("o")': 'a("i")'}, "o, f, i"),
    edit(plain, {'a("f")': 'a("i")', 'a("i")': 'a("o")', 'a("o")': 'a("f")'}, "i, o, f"))

exercise.mistake("candidate-swapped", "lstm-candidate",
    "The candidate is made with a gate's weights, and that gate with the candidate's. W_c, U_c and b_c "
    "belong to the candidate, the one with the tanh. (torch stores the four in the order i, f, g, o, where "
    "g is the candidate.)",
    edit(plain, {'a("f")': 'a("c")', 'a("c")': 'a("f")'}, "with f"),
    edit(plain, {'a("i")': 'a("c")', 'a("c")': 'a("i")'}, "with i"),
    edit(plain, {'a("o")': 'a("c")', 'a("c")': 'a("o")'}, "with o"),
    full('a = [x @ params[f"W_{g}"] + h @ params[f"U_{g}"] + params[f"b_{g}"] for g in "icof"]\n'
         "f, i, o = (torch.sigmoid(part) for part in a[:3])\n"
         "c = f * c + i * torch.tanh(a[3])\n"
         "return o * torch.tanh(c), c",
         "weights by position, f, i, c, o read as f, i, o, c, with the candidate's names"),
    full('W, U, b = (torch.cat([params[f"{kind}_{g}"] for g in "fioc"], dim=-1) for kind in "WUb")\n'
         "i, f, g, o = (x @ W + h @ U + b).chunk(4, dim=-1)\n"
         "c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)\n"
         "return torch.sigmoid(o) * torch.tanh(c), c", "side by side in one order, taken apart in torch's"))

exercise.mistake("weights-shared", "lstm-gates",
    "Two or more of the gates use the same weights. Each has its own: W_f, U_f, b_f for f, and so on.",
    edit(plain, {'a("i")': 'a("f")', 'a("o")': 'a("f")'}, "every gate with the weights of f"),
    edit(plain, {'a("i")': 'a("f")', 'a("o")': 'a("f")',
                 'a("c")': 'a("f")'}, "everything with the weights of f"),
    edit(plain, {'a("i")': 'a("f")'}, "i with the weights of f"),
    edit(plain, {'a("o")': 'a("f")'}, "o with the weights of f"),
    edit(plain, {'a("o")': 'a("i")'}, "o with the weights of i"),
    edit(plain, {'a("f")': 'a("i")'}, "f with the weights of i"),
    edit(plain, {'a("c")': 'a("i")'}, "the candidate with the weights of i"),
    edit(plain, {'"W_" + g': '"W_f"'}, "one W for all"),
    edit(plain, {'"U_" + g': '"U_f"'}, "one U for all"),
    edit(plain_other, {'"b_" + g': '"b_c" if g == "c" else "b_f"'}, "b_f for all three gates"),
    edit(plain_other, {'"b_" + g': '"b_f"'}, "b_f for all four"))

exercise.mistake("no-tanh-on-cell", "lstm-cell-state",
    "The tanh around the new cell state is missing. h = o · tanh(c), with the new c.",
    edit(plain, {"torch.tanh(c_new)": "c_new"}))

exercise.mistake("other-squash-on-cell", "lstm-cell-state",
    "The new cell state goes through a sigmoid on its way to h. It must go through tanh.",
    edit(plain, {"tanh(c_new)": "sigmoid(c_new)"}, "sigmoid"))

exercise.mistake("cell-squashed", "lstm-cell-state",
    "The cell state that comes back has gone through tanh. Only h sees the tanh; c stays as it is, so that "
    "it can keep its value for long.",
    edit(plain, {", c_new": ", torch.tanh(c_new)"}),
    edit(plain, {"f * c + i * g": "torch.tanh(f * c + i * g)"}, "tanh twice"))

exercise.mistake("gates-tanh", "lstm-gates",
    "A gate goes through tanh. The three gates go through a sigmoid, since they let through a share "
    "between 0 and 1.",
    edit(plain, {every("sigmoid"): "tanh"}, "all three"),
    edit(plain, {'sigmoid(a("o"))': 'tanh(a("o"))'}, "the output gate"),
    edit(plain, {'sigmoid(a("i"))': 'tanh(a("i"))'}, "the input gate"),
    edit(plain, {'sigmoid(a("f"))': 'tanh(a("f"))'}, "the forget gate"))

exercise.mistake("gates-linear", "lstm-gates",
    "A gate goes through no sigmoid, or through another function instead. The three gates must be shares "
    "between 0 and 1: use a sigmoid.",
    edit(plain, {'torch.sigmoid(a("f"))': 'a("f")', 'torch.sigmoid(a("i"))': 'a("i")',
                 'torch.sigmoid(a("o"))': 'a("o")'}, "all three"),
    edit(plain, {'torch.sigmoid(a("o"))': 'a("o")'}, "the output gate"),
    edit(plain, {'torch.sigmoid(a("f"))': 'a("f")'}, "the forget gate"),
    edit(plain, {'torch.sigmoid(a("i"))': 'a("i")'}, "the input gate"),
    edit(plain, {every("sigmoid"): "relu"}, "ReLU"))

exercise.mistake("gates-softmax", "lstm-gates",
    "A softmax takes the place of the sigmoid. The gates do not compete: each number is a share of its own.",
    edit(plain, {every("sigmoid"): "softmax", 'a("f")': 'a("f"), dim=-1', 'a("i")': 'a("i"), dim=-1',
                 'a("o")': 'a("o"), dim=-1'}))

exercise.mistake("forget-inverted", "lstm-cell-state",
    "The forget gate works the wrong way round: 1 means keep. Multiply the old cell state with f itself.",
    edit(plain, {"f * c": "(1 - f) * c"}))

exercise.mistake("coupled-gates", "lstm-gates",
    "The candidate is weighted with 1 − f (or the old cell with 1 − i). That is a variant with coupled "
    "gates; here the input gate i has weights of its own.",
    edit(plain, {'i = torch.sigmoid(a("i"))': "", "i * g": "(1 - f) * g"}, "1 − f"),
    edit(plain, {'f = torch.sigmoid(a("f"))': "", "f * c": "(1 - i) * c"}, "1 − i"))

exercise.mistake("no-forget-gate", "lstm-cell-state",
    "The forget gate is not used: the old cell state is kept whole. Multiply it with f.",
    edit(plain, {'f = torch.sigmoid(a("f"))': "", "f * c": "c"}))

exercise.mistake("old-cell-lost", "lstm-cell-state",
    "The old cell state has no effect on the new one. Keep its share: f · c, and add the candidate's share.",
    edit(plain, {'f = torch.sigmoid(a("f"))': "", " f * c +": ""}),
    edit(plain, {"f * c": "f"}, "the forget gate is added"),
    edit(plain_other, {"c + i": "h + i"}, "f · h in place of f · c"))

exercise.mistake("no-input-gate", "lstm-gates",
    "The input gate does not multiply the candidate: the whole candidate is added. Multiply it with i.",
    edit(plain, {'i = torch.sigmoid(a("i"))': "", "i * g": "g"}),
    edit(plain_other, {"i * g": "i + g"}, "i is added"))

exercise.mistake("nothing-written", "lstm-cell-state",
    "The candidate is never added to the cell state. Add i · candidate to what the forget gate keeps.",
    edit(plain, {'i = torch.sigmoid(a("i"))': "", 'g = torch.tanh(a("c"))': "", " + i * g": ""}),
    edit(plain, {'g = torch.tanh(a("c"))': "", "i * g": "i"}, "the input gate is added"))

exercise.mistake("no-output-gate", "lstm-gates",
    "The output gate is not used: h is the tanh of the cell state. Multiply it with o.",
    edit(plain, {'o = torch.sigmoid(a("o"))': "", "o * torch": "torch"}))

exercise.mistake("multiplied", "lstm-cell-state",
    "What is kept and what is written are multiplied. They must be added.",
    edit(plain, {"f * c + i * g": "(f * c) * (i * g)"}))

exercise.mistake("subtracted", "lstm-cell-state",
    "What is written is subtracted. It must be added to what is kept.",
    edit(plain, {"c + i": "c - i"}))

exercise.mistake("h-from-candidate", "lstm-cell-state",
    "h is made from the candidate, or from what is written alone. It shows the whole new cell state: o · "
    "tanh(c).",
    edit(plain, {"torch.tanh(c_new)": "g"}),
    edit(plain, {"(c_new)": "(i * g)"}, "tanh of what is written"))

exercise.mistake("peephole", "lstm-gates",
    "The gates look at the cell state as well. These peepholes are a variant; here the gates see x and h "
    "only.",
    edit(plain, {'a("f")': 'a("f") + c', 'a("i")': 'a("i") + c', 'a("o")': 'a("o") + c'}, "all three gates"),
    edit(plain_other, {"i, o": "i", 'a("f")': 'a("f") + c', '), torch.sigmoid(a("o")': "+ c",
                       every("c_new"): "c",
                       "i * g": 'i * g\no = torch.sigmoid(a("o") + c)'}, "the output gate sees the new c"),
    edit(plain, {'["b_" + g]': '["b_" + g] + c'}, "everything"))

exercise.mistake("gates-from-cell", "lstm-gates",
    "A gate or the candidate reads the cell state c instead of h. U multiplies the old h.",
    edit(plain, {"h @ params": "c @ params"}),
    full("def a(g):\n"
         '    return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]\n'
         "\n"
         'c = torch.sigmoid(a("f")) * c + torch.sigmoid(a("i")) * torch.tanh(a("c"))\n'
         'o = torch.sigmoid(x @ params["W_o"] + c @ params["U_o"] + params["b_o"])\n'
         "return o * torch.tanh(c), c", "the output gate reads the new cell"),
    edit(plain_other, {"g = torch": "g =(torch",
                       'a("c")': 'x @ params["W_c"] + c @ params["U_c"] + params["b_c"])'}, "the candidate"))

exercise.mistake("output-gate-late", "lstm-gates",
    "The output gate is computed from the tanh of the new cell state. All gates read the old h.",
    full("def a(g, h):\n"
         '    return x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]\n'
         "\n"
         'c = torch.sigmoid(a("f", h)) * c + torch.sigmoid(a("i", h)) * torch.tanh(a("c", h))\n'
         "h = torch.tanh(c)\n"
         'return torch.sigmoid(a("o", h)) * h, c', "from tanh of the new cell"))

exercise.mistake("u-transposed", "lstm-gates",
    "The matrices U are transposed. States are rows: multiply h with U from the right, as it is. (torch's "
    "own layers, and F.linear, store the transposed matrices.)",
    edit(plain, {'["U_" + g]': '["U_" + g].T'}))

exercise.mistake("w-transposed", "lstm-gates",
    "The matrices W are transposed. Inputs are rows of width D and W is (D, H): multiply them as they are.",
    edit(plain, {'["W_" + g]': '["W_" + g].T'}))

exercise.mistake("both-transposed", "lstm-gates",
    "Both W and U are transposed. x and h are rows: multiply them with the matrices as they are. (torch's "
    "own layers, and F.linear, store the transposed matrices.)",
    edit(plain, {'x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g]':
                 'F.linear(x, params["W_" + g]) + F.linear(h, params["U_" + g], params["b_" + g])'}))

exercise.mistake("w-and-u-swapped", "lstm-gates",
    "W and U are swapped: W belongs to the input x, U to the state h.",
    edit(plain, {"return x": "return h", "h @ params": "x @ params"}))

exercise.mistake("state-unused", "lstm-gates",
    "The old h does not enter a gate or the candidate. Each of the four adds h U to x W.",
    edit(plain, {' h @ params["U_" + g] +': ""}),
    edit(plain, {'(a("c"))': '(x @ params["W_c"] + params["b_c"])'}, "in the candidate"),
    edit(plain_other, {' h @ params["U_" + g] +': "", "g = torch": "g =(torch",
                       'a("c")': 'x @ params["W_c"] + h @ params["U_c"] + params["b_c"])'}, "in the gates"))

exercise.mistake("input-unused", "lstm-gates",
    "The input x does not enter a gate or the candidate. Each of the four adds x W to h U.",
    edit(plain, {' x @ params["W_" + g] +': ""}),
    edit(plain_other, {"g = torch": "g =(torch",
                       'a("c")': 'h @ params["U_c"] + params["b_c"])'}, "in the candidate"))

exercise.mistake("bias-missing", "lstm-gates",
    "A bias is missing. Each of the three gates and the candidate has one.",
    edit(plain, {' + params["b_" + g]': ""}, "all"),
    edit(plain, {'(a("f"))': '(x @ params["W_f"] + h @ params["U_f"])'}, "forget gate"),
    edit(plain, {'(a("i"))': '(x @ params["W_i"] + h @ params["U_i"])'}, "input gate"),
    edit(plain, {'(a("o"))': '(x @ params["W_o"] + h @ params["U_o"])'}, "output gate"),
    edit(plain, {'(a("c"))': '(x @ params["W_c"] + h @ params["U_c"])'}, "the candidate"))

exercise.mistake("forget-bias-added", "lstm-gates",
    "A constant is added inside the forget gate. Starting with a large b_f is good practice, but then it "
    "is part of b_f: the step adds nothing else.",
    edit(plain, {'a("f")': 'a("f") + 1.0'}))

exercise.mistake("order-of-results", "lstm-cell-state", "The cell state comes first. Return h first, then c.",
    edit(plain, {"h_new, c_new": "c_new, h_new"}))

exercise.mistake("returns-h-only", "lstm-cell-state",
    "Only one tensor comes back. Return two: the new h and the new c.",
    edit(plain, {", c_new": ""}),
    edit(plain, {'o = torch.sigmoid(a("o"))': "", "h_new = o * torch.tanh(c_new)": "",
                 " h_new,": ""}, "c only"))

exercise.mistake("nested-result", "lstm-cell-state",
    "Something other than the pair (h, c) comes back. Return exactly two tensors. (torch's nn.LSTM returns "
    "outputs and a pair.)",
    edit(plain, {", c_new": ", (h_new, c_new)"}),
    edit(plain, {", c_new": ", c_new, o"}, "with the gates"),
    full('f, i, o, g = (x @ params["W_" + k] + h @ params["U_" + k] + params["b_" + k] for k in "fioc")\n'
         "c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)\n"
         'return {"h": torch.sigmoid(o) * torch.tanh(c), "c": c}', "a dict"),
    edit(plain_other, {"return o": "return torch.stack((o", ", c_new": ", c_new))"}, "stacked"),
    edit(plain_other, {"return o": "return torch.cat((o", ", c_new": ", c_new), dim=1)"}, "side by side"))

exercise.mistake("old-c-returned", "lstm-cell-state",
    "The old cell state comes back. Return the new one, which the next step starts from.",
    edit(plain, {", c_new": ", c"}))

exercise.mistake("old-h-returned", "lstm-cell-state", "The old h comes back. Return the new one.",
    edit(plain, {'o = torch.sigmoid(a("o"))': "", "h_new = o * torch.tanh(c_new)": "", "h_new,": "h,"}))

exercise.mistake("keys-by-order", "lstm-gates",
    'The weights are taken from the dict by their order. A dict is read by its keys: params["W_f"] and so '
    "on.",
    full("W_f, U_f, b_f, W_i, U_i, b_i, W_o, U_o, b_o, W_c, U_c, b_c = params.values()\n"
         "f = torch.sigmoid(x @ W_f + h @ U_f + b_f)\n"
         "i = torch.sigmoid(x @ W_i + h @ U_i + b_i)\n"
         "o = torch.sigmoid(x @ W_o + h @ U_o + b_o)\n"
         "c = f * c + i * torch.tanh(x @ W_c + h @ U_c + b_c)\n"
         "return o * torch.tanh(c), c"))

exercise.mistake("sigmoid-overflows", "lstm-gates",
    "Large inputs give nan, since a hand-written sigmoid or tanh divides infinity by infinity. Use "
    "torch.sigmoid and torch.tanh.",
    edit(plain, {"def a": "def sigmoid(a):\n"
                          "    return torch.exp(a) / (1 + torch.exp(a))\n"
                          "def a",
                 every("torch.sigmoid"): "sigmoid"}),
    edit(plain, {"def a": "def tanh(a):\n"
                          "    return (torch.exp(a) - torch.exp(-a)) / (torch.exp(a) + torch.exp(-a))\n"
                          "def a",
                 every("torch.tanh"): "tanh"}, "tanh by hand"),
    edit(plain, {"def a": "def sigmoid(a):\n"
                          "    return torch.exp(a) / (torch.exp(a) + 1)\n"
                          "def tanh(a):\n"
                          "    return (torch.exp(2 * a) - 1) / (torch.exp(2 * a) + 1)\n"
                          "def a",
                 every("torch."): ""}, "both by hand"))

exercise.mistake("squeezed", "lstm-gates",
    "An axis of size 1 has disappeared. Leave out squeeze(): h and c are (B, H), also for B = 1.",
    edit(plain, {", c_new": ".squeeze(), c_new.squeeze()"}),
    edit(plain, {", c_new": ".squeeze(0), c_new.squeeze(0)"}, "the batch axis"))

exercise.mistake("tanh-around-product", "lstm-cell-state",
    "The tanh stands around the whole product. First tanh of the new cell state, then times o: h = o · "
    "tanh(c).",
    edit(plain_other, {"o * torch.tanh(c_new)": "torch.tanh(o *c_new)"}))

exercise.mistake("forget-on-everything", "lstm-cell-state",
    "The forget gate multiplies what is written as well. It multiplies the old cell state alone; then add "
    "i · ĉ.",
    edit(plain_other, {"c + i * g": "(c + i * g)"}, "f · (c + i · ĉ)"))

exercise.mistake("gates-as-matrices", "lstm-gates",
    "A gate is multiplied as a matrix, with @. Gates act number by number: f * c. Only the products with W "
    "and U are matrix products.",
    edit(plain_other, {"f * c + i * g": "f @ c + i @ g"}, "in the cell state"),
    edit(plain_other, {"f * c + i * g": "f @ c + i @ g", "o * torch": "o @ torch"}, "everywhere"),
    edit(plain_other, {"o * torch": "o @ torch"}, "in h"),
    edit(plain_other, {"f * c + i * g": "f @ c.T @ c + i @ g.T @ g",
                       "o * torch": "o @ torch.tanh(c_new).T @ torch"}, "transposed until the sizes fit"))

exercise.mistake("candidate-gated", "lstm-candidate",
    "A gate multiplies h inside the candidate. This is what the reset gate of a GRU does; the candidate of "
    "an LSTM sees the whole old h.",
    edit(plain_3, {'["W_c"] + h': '["W_c"] + (o * h)'}, "o · h"),
    edit(plain_3, {'["W_c"] + h': '["W_c"] + (f * h)'}, "f · h"),
    edit(plain_3, {'["W_c"] + h': '["W_c"] + (i * h)'}, "i · h"))

exercise.mistake("bias-twice", "lstm-gates",
    "The biases are added twice. Each gate and the candidate has one. (torch's nn.LSTM has two each.)",
    edit(plain_other, {"return x": "return(x", "h @ params": 'params["b_" + g]) + (h @ params',
                       '["b_" + g]': '["b_" + g])'}))

exercise.mistake("squash-in-parts", "lstm-gates",
    "The sigmoid or the tanh is applied to a part of the sum. Add x W, h U and the bias first, then apply "
    "it once to the whole.",
    full("def a(g, squash):\n"
         '    return squash(x @ params["W_" + g] + h @ params["U_" + g]) + params["b_" + g]\n'
         "\n"
         'f, i, o, g = a("f", torch.sigmoid), a("i", torch.sigmoid), a("o", torch.sigmoid), a("c", '
         "torch.tanh)\n"
         "c_new = f * c + i * g\n"
         "return o * torch.tanh(c_new), c_new", "the biases outside"),
    full("def a(g, squash):\n"
         '    return squash(x @ params["W_" + g]) + squash(h @ params["U_" + g]) + params["b_" + g]\n'
         "\n"
         'f, i, o, g = a("f", torch.sigmoid), a("i", torch.sigmoid), a("o", torch.sigmoid), a("c", '
         "torch.tanh)\n"
         "c_new = f * c + i * g\n"
         "return o * torch.tanh(c_new), c_new", "each product alone"),
    full("def a(g, squash):\n"
         '    return squash(x @ params["W_" + g] + params["b_" + g]) + squash(h @ params["U_" + g])\n'
         "\n"
         'f, i, o, g = a("f", torch.sigmoid), a("i", torch.sigmoid), a("o", torch.sigmoid), a("c", '
         "torch.tanh)\n"
         "c_new = f * c + i * g\n"
         "return o * torch.tanh(c_new), c_new", "the bias with the input"),
    edit(plain_3, {'+ params["b_" + k])': ') + params["b_" + k]'}, "the biases of the gates outside"),
    edit(plain_3, {"k] + h": "k] ) + torch.sigmoid( h", '["U_" + k]': '["U_" + k])',
                   ") for": "for"}, "each product of the gates alone"))

exercise.mistake("sigmoid-sign", "lstm-gates",
    "The hand-written sigmoid has the wrong sign, so gates open where they should shut. It is 1 / (1 + "
    "exp(-a)); torch.sigmoid is safer.",
    edit(plain_3, {"torch.sigmoid": "1 / (1 + torch.exp", "for": ") for"}))

exercise.mistake("matrix-on-the-left", "lstm-gates",
    "A matrix stands on the left of x or h. Both are rows: multiply them with it from the right, x @ W and "
    "h @ U.",
    edit(plain_other, {'x @ params["W_" + g] + h @ params["U_" + g]':
                       'params["W_" + g] @ x + params["U_" + g] @ h'}),
    edit(plain_other, {'h @ params["U_" + g]': 'params["U_" + g] @ h'}, "U alone"))

exercise.built_in("changes-input",
    full('a = {g: x @ params["W_" + g] + h @ params["U_" + g] + params["b_" + g] for g in "fioc"}\n'
         'c *= torch.sigmoid(a["f"])\n'
         'c += torch.sigmoid(a["i"]) * torch.tanh(a["c"])\n'
         'return torch.sigmoid(a["o"]) * torch.tanh(c), c', "the cell state in place"),
    edit(sigmoid_tanh, {'[f"b_{g}"]': '.pop("b_" + g)'}, "weights taken out of the dict"))

exercise.built_in("no-gradient",
    edit(plain, {"c + i": "c.detach() + i"}, "the cell state detached"),
    edit(plain, {", c_new": ".detach(), c_new.detach()"}, "the results detached"))


def ready(x, h, c, params):
    cell = nn.LSTMCell(x.shape[1], h.shape[1])
    with torch.no_grad():
        cell.weight_ih.copy_(torch.cat([params["W_" + g].T for g in "ifco"]))
        cell.weight_hh.copy_(torch.cat([params["U_" + g].T for g in "ifco"]))
        cell.bias_ih.copy_(torch.cat([params["b_" + g] for g in "ifco"]))
        cell.bias_hh.zero_()
    return cell(x, (h, c))


exercise.built_in("ready-made",
    full(ready, "nn.LSTMCell with the weights filled in"),
    full('W, U, b = (torch.cat([params[f"{kind}_{g}"] for g in "ifco"], dim=-1) for kind in "WUb")\n'
         "return torch.lstm_cell(x, (h, c), W.T, U.T, b, torch.zeros_like(b))", "torch.lstm_cell"))

exercise.built_in("timeout",
    full("while True:\n    h = torch.tanh(h)", "a loop without end"))

exercise.built_in("returns-nothing",
    edit(plain, {"return h_new, c_new": ""}, "no return"))

exercise.equal("there is a state for each sequence, and a product has its factors in either order", {
    "x.shape[0]": "h.shape[0]", 'out["f"], c': 'c, out["f"]'})
