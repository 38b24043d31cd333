"""truncated_states: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

from ._shared import READY_MADE, stride

exercise = Exercise(
    "truncated_states",
    points={"gradients of whole pieces": 3, "a shorter last piece": 1, "one piece, or a piece a token": 1},
    section="truncated-back-propagation",
    forbid=READY_MADE,
    properties=[{"rule": "finite"}],
)


@exercise.probes
def probes(make):
    def probe(name, sizes, window, group, dtype=torch.float32, **marks):
        B, T, D, H = sizes
        strided = marks.pop("strided", False)
        made = make.probe(name, make.randn(B, T, D, dtype=dtype), make.randn(B, H, dtype=dtype),
                          make.randn(D, H, dtype=dtype, scale=0.6), make.randn(H, H, dtype=dtype, scale=0.6),
                          make.randn(H, dtype=dtype, scale=0.6), window, group=group, gradient=True, **marks)
        return stride(made) if strided else made

    group = "gradients of whole pieces"
    yield probe("four tokens, pieces of two", (2, 4, 3, make.pick(2, 3, 4)), 2, group)
    yield probe("nine tokens, pieces of three", (2, 9, make.pick(3, 4, 2), 5), 3, group)
    yield probe("eight tokens, pieces of four", (make.pick(3, 2, 4), 8, 2, 4), 4, group)
    yield probe("eight tokens, pieces of two", (3, 8, 4, make.pick(2, 3, 5)), 2, group)
    yield probe("float64", (2, make.pick(6, 9, 12), 3, 4), 3, group, dtype=torch.float64)
    yield probe("all sizes equal", (4, 4, 4, 4), 2, group)
    yield probe("batch 1", (1, 6, make.pick(3, 2, 4), 2), make.pick(3, 2, 3), group, edge=True)
    yield probe("one number at each step", (1, 4, 1, 1), 2, group, edge=True)
    yield probe("not contiguous", (2, 6, 3, 5), 3, group, edge=True, strided=True)
    yield probe("a long text", (1, make.pick(140, 150, 160), 2, 3), 10, group, edge=True, long=True)
    group = "a shorter last piece"
    yield probe("five tokens, pieces of two", (2, 5, 3, make.pick(4, 2, 3)), 2, group)
    yield probe("eight tokens, pieces of three", (2, 8, make.pick(4, 3, 2), 3), 3, group)
    yield probe("seven tokens, pieces of five", (make.pick(3, 2, 4), 7, 2, 3), 5, group)
    group = "one piece, or a piece a token"
    yield probe("as many tokens as a piece", (2, make.pick(4, 5, 3), 3, 2), make.pick(4, 5, 3), group,
                edge=True)
    yield probe("fewer tokens than a piece", (2, make.pick(3, 4, 5), 2, 4), 8, group, edge=True)
    yield probe("a piece a token", (3, make.pick(4, 5, 3), 2, 3), 1, group, edge=True)
    yield probe("one token", (2, 1, 3, 4), make.pick(1, 2, 3), group, edge=True)


@exercise.right
def reference(x, h0, W, U, b, window):
    states, h = [], h0
    for t in range(x.shape[1]):
        if t > 0 and t % window == 0:
            h = h.detach()
        h = torch.tanh(x[:, t] @ W + h @ U + b)
        states.append(h)
    return torch.stack(states, dim=1)


@exercise.right("piece by piece, with rnn_forward")
def pieces(x, h0, W, U, b, window):
    parts, h = [], h0
    for start in range(0, x.shape[1], window):
        part = rnn_forward(x[:, start : start + window], h, W, U, b)
        parts.append(part)
        h = part[:, -1].detach()
    return torch.cat(parts, dim=1)


@exercise.right("split, and a loop in a loop")
def split(x, h0, W, U, b, window):
    states, start = [], h0
    for piece in x.split(window, dim=1):
        h = start
        for token in piece.unbind(dim=1):
            h = torch.tanh(token @ W + h @ U + b)
            states.append(h)
        start = h.detach()
    return torch.stack(states, dim=1)


@exercise.right("a counter")
def counter(x, h0, W, U, b, window):
    B, T, _ = x.shape
    h, left, outputs = h0, window, []
    for t in range(T):
        if left == 0:
            h, left = h.data, window
        h = (x[:, t] @ W + b + h @ U).tanh()
        left -= 1
        outputs.append(h.unsqueeze(1))
    return torch.cat(outputs, dim=1)


exercise.also_right(
    edit(reference, {"if t > 0 and t % window == 0:\n    h = h.detach()": "",
                     "h @ U": "(h.detach() if t and not t % window else h) @ U"}, "cut inside the sum"),
    edit(reference, {"h = h.detach()": "h = torch.zeros_like(h) + h.clone().detach()"}, "a clone, detached"),
    edit(reference, {"states.append(h)": "states.append(h)\nif (t + 1) % window == 0:\n    h = h.detach()",
                     "if t > 0 and t % window == 0:\n    h = h.detach()": ""}, "cut at the end of a piece"))

CUT = "if t > 0 and t % window == 0:\n    h = h.detach()"

exercise.mistake("not-cut", "truncated-back-propagation",
    "The states are right, but nothing is cut: the gradient goes back through all steps. Where a new piece "
    "begins, take the state out of the graph, and go on from its values.",
    edit(reference, {CUT: ""}),
    full("return rnn_forward(x, h0, W, U, b)", "rnn_forward"),
    edit(pieces, {".detach()": ""}, "in pieces"),
    edit(pieces, {".detach()": ".clone()"}, "a clone"),
    edit(reference, {"h = h.detach()": "h.detach()"}, "the detached state is not kept"))

exercise.mistake("cut-everywhere", "truncated-back-propagation",
    "The gradient is cut at every token, or at every one from the second piece on. Inside a piece it must "
    "flow: cut only where a new piece begins.",
    edit(reference, {"if t > 0 and t % window == 0:": "if t > 0:"}),
    edit(reference, {CUT: "", "h @ U": "h.detach() @ U"}, "the first state too"),
    edit(split, {"token @ W + h @ U": "token @ W + h.detach() @ U"}, "inside the pieces"),
    edit(reference, {"if t > 0 and t % window == 0:": "if t >= window:"}, "from the second piece on"))

exercise.mistake("outputs-cut", "truncated-back-propagation",
    "States that come back have lost their own gradient: all of them, those of whole pieces, or one of each "
    "piece. Only the way into the next piece is cut: return each state as the step made it, and go on from a "
    "detached one. "
    "(detach_() works in place, and takes the stored state out of the graph too.)",
    edit(pieces, {"part[:, -1].detach()": "part[:, -1]", "parts.append(part)":
                  "part = part.detach()\nparts.append(part)"},
         "all of them"),
    edit(reference, {CUT: "", "states.append(h)":
                     "if (t + 1) % window == 0:\n    h = h.detach()\nstates.append(h)"},
         "the last of each piece"),
    edit(reference, {"h = h.detach()": "h = h.detach()\nstates[-1] = h"}, "the one before the cut"),
    edit(reference, {"h = h.detach()": "h.detach_()"}, "in place"),
    edit(reference, {"states, h = [], h0":
                     "states = []\nx, h, W, U, b = (v.detach() for v in (x, h0, W, U, b))"},
         "everything from the beginning"),
    edit(reference, {CUT: "", "return torch.stack(states, dim=1)":
                     "return torch.stack([s.detach() if t % window == window - 1 else s "
                     "for t, s in enumerate(states)], dim=1)"},
         "the last of each piece, and the way not cut"),
    edit(reference, {"states.append(h)": "states.append(h.detach() if t and t % window == 0 else h)"},
         "the first of each later piece"),
    edit(pieces, {"parts.append(part)": "parts.append(part.detach() if start else part)"},
         "all pieces but the first"),
    edit(pieces, {"part = rnn_forward": "with torch.set_grad_enabled(start + window >= x.shape[1]):\n"
                                        "    part = rnn_forward"}, "all pieces but the last"))

exercise.mistake("one-late-or-early", "truncated-back-propagation",
    "The cut stands at another token: pieces begin at 0, window, 2·window, ... Count the tokens from 0, and "
    "cut before the step that reads the first token of a new piece.",
    edit(reference, {"t > 0 and t % window == 0": "t > 0 and (t + 1) % window == 0"}, "one early"),
    edit(reference, {"t > 0 and t % window == 0": "t > 1 and (t - 1) % window == 0"}, "one late"),
    edit(counter, {"left == 0": "left < 0"}, "one token more in each piece"),
    edit(reference, {"t % window == 0": "t % window == window - 1 and t < x.shape[1]"},
         "at the last of a piece"),
    edit(reference, {"t > 0 and t % window == 0": "t % window == 1 % window"}, "at the second of each piece"),
    edit(reference, {"t % window == 0": "t % (2 * window) == 0"}, "every second one"),
    edit(reference, {"t % window == 0": "t % max(1, window - 1) == 0"}, "one token fewer in each piece"),
    edit(reference, {"t % window == 0": "t % window in (0, window - 1)"},
         "before and behind the last of a piece"),
    edit(counter, {"left == 0": "left == 1"}, "the counter ends at 1"))

exercise.mistake("pieces-counted-from-end", "truncated-back-propagation",
    "The pieces are counted from the end, or made equally long. The first piece starts at token 0 and each "
    "has window tokens; only the last may be shorter.",
    edit(reference, {"t % window == 0": "(x.shape[1] - t) % window == 0"}, "from the end"),
    edit(split, {"x.split(window, dim=1)": "x.chunk(-(-x.shape[1] // window), dim=1)"}, "equal pieces"))

exercise.mistake("window-as-number", "truncated-back-propagation",
    "window is taken for the number of pieces. It is how many tokens each piece has.",
    edit(split, {"x.split(window, dim=1)": "x.chunk(window, dim=1)"}),
    edit(reference, {"t % window == 0": "t % max(1, x.shape[1] // window) == 0"}, "by their length"))

exercise.mistake("each-state-looks-back", "truncated-back-propagation",
    "Each state has a way back of its own, about window tokens long wherever it stands. Pieces are fixed: "
    "they begin at 0, window, 2·window, ..., and a state goes back to the beginning of its piece only.",
    full("states = [h0]\n"
         "for t in range(x.shape[1]):\n"
         "    states.append(torch.tanh(x[:, t] @ W + states[-1] @ U + b))\n"
         "out = []\n"
         "for t in range(x.shape[1]):\n"
         "    start = max(0, t - window + 1)\n"
         "    h = states[start].detach() if start else h0\n"
         "    for s in range(start, t + 1):\n"
         "        h = torch.tanh(x[:, s] @ W + h @ U + b)\n"
         "    out.append(h)\n"
         "return torch.stack(out, dim=1)"),
    full("whole = rnn_forward(x, h0, W, U, b).detach()\n"
         "out = []\n"
         "for t in range(x.shape[1]):\n"
         "    start = max(0, t - window)\n"
         "    begin = whole[:, start - 1] if start else h0\n"
         "    out.append(rnn_forward(x[:, start : t + 1], begin, W, U, b)[:, -1])\n"
         "return torch.stack(out, dim=1)", "one token more"))

exercise.mistake("one-cut", "truncated-back-propagation",
    "There is one cut only. Every piece but the first begins with one.",
    edit(reference, {"t > 0 and t % window == 0": "t == window"}, "the first"),
    edit(reference, {"t > 0 and t % window == 0": "t == (x.shape[1] - 1) // window * window and t > 0"},
         "the last"),
    edit(reference, {"t > 0 and t % window == 0": "t > 0 and t == x.shape[1] - window"},
         "window tokens before the end"))

exercise.mistake("h0-cut", "truncated-back-propagation",
    "h0 is cut off. The first piece begins with h0 itself, and its gradient reaches h0; only the states "
    "between two pieces are cut.",
    edit(reference, {"t > 0 and t % window == 0": "t % window == 0"}),
    edit(pieces, {"parts, h = [], h0": "parts, h = [], h0.detach()"}, "before the loop"),
    edit(reference, {"states, h = [], h0": "states, h = [], h0.detach()", CUT: ""}, "and nothing else"))

exercise.mistake("state-lost", "state-carried",
    "The state is lost between two pieces: they start from zeros, or from h0 again. The values are carried "
    "over; only the gradient is not.",
    edit(reference, {"h = h.detach()": "h = torch.zeros_like(h)"}, "zeros"),
    edit(reference, {"h = h.detach()": "h = h0"}, "h0"),
    edit(pieces, {"h = part[:, -1].detach()": ""}, "h0, in pieces"),
    edit(reference, {"h = h.detach()": "h = h0.detach()"}, "h0 detached"))

exercise.mistake("first-state-of-piece", "state-carried",
    "The next piece goes on from another state of the piece before, such as its first. It must go on from "
    "the last one.",
    edit(pieces, {"part[:, -1]": "part[:, 0]"}),
    edit(pieces, {"part[:, -1]": "part[:, -2 if part.shape[1] > 1 else -1]"}, "the last but one"))

exercise.mistake("another-step", "unrolled-in-time",
    "The states are not those of rnn_forward, whatever is cut. A step is tanh(x W + h U + b), and h is the "
    "state of the step before.",
    edit(reference, {" + b": ""}, "no b"),
    edit(reference, {"h @ U": "h @ U.T"}, "U transposed"),
    edit(reference, {"torch.tanh": ""}, "no tanh"),
    edit(reference, {"h @ U": "h0 @ U"}, "h0 at each step"))

exercise.mistake("inputs-cut", "truncated-back-propagation",
    "Some of the gradient no longer reaches the inputs, W, U or b. Cut the state alone, on its way from one "
    "piece to the next.",
    edit(reference, {"x[:, t]": "x[:, t].detach()"}, "the tokens"),
    edit(reference, {"h @ U": "h @ U.detach()"}, "U"),
    edit(reference, {"@ W": "@ W.detach()"}, "W"),
    edit(reference, {"+ b)": "+ b.detach())"}, "b"),
    edit(reference, {"x[:, t] @ W + h @ U + b": "x[:, t] @ W.detach() + h @ U.detach() + b.detach()"},
         "all weights"),
    edit(reference, {"h = h.detach()": "h, x = h.detach(), x.detach()"},
         "the tokens from the second piece on"),
    edit(reference, {"h = h.detach()": "h, U = h.detach(), U.detach()"}, "U from the second piece on"),
    edit(reference, {"h = h.detach()": "h, W, U, b = (item.detach() for item in (h, W, U, b))"},
         "all weights from the second piece on"),
    edit(reference, {"h = h.detach()": "h, U, W, b = h.detach(), U.detach(), W.detach(), b.detach()"},
         "the weights from the second piece on"))

exercise.mistake("last-piece-lost", "truncated-back-propagation",
    "The last tokens are missing where they do not fill a whole piece. The last piece may be shorter: return "
    "T states.",
    edit(pieces, {"range(0, x.shape[1], window)": "range(0, x.shape[1] // window * window, window)"}))

exercise.mistake("pieces-stacked", "unrolled-in-time",
    "The pieces come back side by side, or only one state a piece does. Return all T states in one tensor "
    "(B, T, H).",
    edit(pieces, {"torch.cat(parts, dim=1)": "parts"}, "a list of pieces"),
    edit(pieces, {"parts.append(part)": "parts.append(part[:, -1:])"}, "the last of each piece"),
    edit(pieces, {"torch.cat(parts, dim=1)": "torch.cat(parts)"}, "along the batch"),
    edit(pieces, {"torch.cat(parts, dim=1)": "part"}, "the last piece"),
    edit(reference, {", dim=1": ""}, "time first"))

exercise.built_in("ready-made",
    full("cell = torch.nn.RNNCell(W.shape[0], W.shape[1])\n"
         "h, out = h0, []\n"
         "for t in range(x.shape[1]):\n"
         "    h = cell(x[:, t].float(), h.float())\n"
         "    out.append(h)\n"
         "return torch.stack(out, 1)", "nn.RNNCell"))

exercise.built_in("returns-nothing",
    edit(reference, {"return torch.stack(states, dim=1)": "torch.stack(states, dim=1)"}))

exercise.equal("nothing writes into the detached values, so a copy or a sum with 0 is needless", {
    "torch.zeros_like(h) + ": "", ".clone()": ""})
