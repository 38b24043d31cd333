"""The rubric of layer_costs: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch
from torch import nn

from coursegrader.rubric import Exercise

KINDS = {"fully_connected": "a fully connected layer", "convolution": "a convolution", "recurrent": "a recurrent layer",
         "self_attention": "self-attention"}
GROUPS = {"parameters": "parameters", "sequential_steps": "sequential steps", "path_length": "path lengths"}

exercise = Exercise(
    "layer_costs",
    points={"parameters": 2, "sequential steps": 1, "path lengths": 2},
    section="path-length",
    driver="entry",
    mistakes={
        "steps-and-path-swapped": ("sequential_steps and path_length have changed places. Steps are what one layer must do one after another; the path "
                                   "is how far the first input is from the last output.", "sequential-steps"),
        "fully-connected-per-token": ("The fully connected layer is counted as if each token were treated alone or shared weights. It joins "
                                      "all n·d input numbers with all n·d output numbers, with a weight for each pair.", "parameters-by-layer"),
        "all-like-fully-connected": ("A layer that uses the same weights at every token is counted like a fully connected one. Its number of parameters "
                                     "does not depend on n.", "parameters-by-layer"),
        "weights-for-each-token": ("The weights are counted once for each token. The same weights serve every token, so n plays no part.",
                                   "parameters-by-layer"),
        "biases-counted": ("Biases are counted. Count the numbers in the matrices only.", "parameters-by-layer"),
        "kernel-not-counted": ("The convolution has the wrong number of d × d matrices, or each of them is counted as one number. There is one for each "
                               "token of the kernel, however wide it is: kernel · d · d.", "parameters-by-layer"),
        "depthwise": ("The convolution is counted with one number for each channel and tap. Every output channel sees all d input channels: "
                      "one d × d matrix for each tap.", "parameters-by-layer"),
        "kernel-squared": ("The kernel is squared, as in a convolution over images. A sequence has one axis: kernel · d · d.", "parameters-by-layer"),
        "recurrent-one-matrix": ("The recurrent layer is counted with one matrix. It has two: one for the input, one for the state.",
                                 "parameters-by-layer"),
        "recurrent-too-many": ("The recurrent layer has too many matrices. The plain one has two, for the input and the state: no gates, and no output "
                               "matrix.", "parameters-by-layer"),
        "attention-matrix-missing": ("Self-attention is counted with too few matrices. There are four: for queries, keys, values, and the output.",
                                     "parameters-by-layer"),
        "attention-scores-counted": ("The scores of self-attention, n × n, are counted as parameters. They are computed anew for each sequence and are "
                                     "not learned.", "parameters-by-layer"),
        "attention-too-many": ("Self-attention has too many matrices. Count the four of the attention itself, without the feed-forward part.",
                               "parameters-by-layer"),
        "recurrent-in-one-step": ("The recurrent layer is said to run in one step. Each of its states waits for the one before.", "sequential-steps"),
        "recurrent-step-missing": ("The recurrent layer has the wrong number of steps. It does one for each of the n tokens.", "sequential-steps"),
        "parallel-in-steps": ("A layer that computes all tokens at once is said to need many steps one after another. Within one layer no token "
                              "waits for another, except in a recurrent one.", "sequential-steps"),
        "layers-as-steps": ("The layers of a stack are counted as the steps of one layer. sequential_steps is about one layer.", "sequential-steps"),
        "operations-as-steps": ("Products of matrices inside one layer are counted as steps. sequential_steps says how long tokens wait for each other: "
                                "1 where none does.", "sequential-steps"),
        "parallel-in-no-step": ("A layer that computes all tokens at once is said to take no step. Computing them together is one step: 1.",
                                "sequential-steps"),
        "recurrent-short-path": ("The recurrent layer is said to join first input and last output in one step. The information passes through every "
                                 "state on the way.", "path-length"),
        "recurrent-path-off": ("The path of the recurrent layer is off by one. The first input enters the first state: counting this step, "
                               "the last output is there after n steps.", "path-length"),
        "convolution-short-path": ("The convolution is said to join first input and last output in a fixed number of layers. One layer sees only as many "
                                   "tokens as its kernel is wide: the longer the sequence, the more layers must be stacked.", "path-length"),
        "convolution-no-path-gain": ("The convolution is said to move one token per layer. A causal layer reaches kernel − 1 tokens further back.",
                                     "path-length"),
        "convolution-path-per-kernel": ("The convolution's path is divided by the kernel. One layer sees as many tokens as its kernel is wide, its own "
                                        "included, so it reaches kernel − 1 tokens further back.", "path-length"),
        "convolution-path-from-n": ("For some sizes the convolution's path is one layer too long or too short. From the first to the last token "
                                    "there are n − 1 moves, not n: divide those by kernel − 1, round up, and add nothing.", "path-length"),
        "convolution-path-rounded": ("The number of stacked convolutions is rounded the wrong way. The last layer must still reach the first token: "
                                     "round up, and add nothing where the division leaves no remainder.", "path-length"),
        "convolution-dilated": ("The convolution's path is a logarithm. This holds for dilated convolutions, whose taps move apart from layer to layer. "
                                "Here they stay side by side.", "path-length"),
        "convolution-centred": ("The kernel is assumed to look to both sides. A causal convolution looks back with all its taps: kernel − 1 "
                                "tokens per layer.", "path-length"),
        "kernel-fixed": ("The path of the convolution is computed with a kernel of 3, whatever is asked. Use the argument.", "path-length"),
        "direct-path-long": ("Self-attention or the fully connected layer is said to need a number of layers other than one. Both join every input "
                             "with every output directly, in one layer.", "path-length"),
        "default-changed": ("Where no kernel is given, a width other than 3 is used. Keep kernel=3 in the first line of the function.", "path-length"),
        "power-sign": ("In Python the sign ^ is not a power: it is exclusive or. Write d**2 or d * d.", "parameters-by-layer"),
        "no-kind-answered": ("None comes back, whatever the kind. End the function with a return statement.", "parameters-by-layer"),
        "kind-without-answer": ("For one of the kinds None comes back: its name is spelt differently, or its branch has no return. The four are "
                                "fully_connected, convolution, recurrent and self_attention.", "parameters-by-layer"),
        "not-int": ("The numbers are floats or tensors of floats. Counts are whole: use // or math.ceil, and return int.", "path-length"),
        "not-a-dict": ("Return a dict with the keys parameters, sequential_steps and path_length.", "path-length"),
        "keys-otherwise": ("A key of the dict is missing or has another name. The keys are parameters, sequential_steps and path_length.", "path-length"),
    },
)


@exercise.probes
def _(make):
    def three(kind, *arguments, note, **keywords):
        for entry, group in GROUPS.items():
            edge = {"edge": True} if arguments[0] > 500 else {}
            yield make.probe(f"{group} of {KINDS[kind]}, {note}", kind, *arguments, group=group, **keywords, **edge) | {"entry": entry}

    for kind in KINDS:
        yield from three(kind, *make.pick((5, 3), (6, 4), (8, 5)), note="short")
        yield from three(kind, *make.pick((4, 7), (5, 8), (3, 10)), note="wide")
        yield from three(kind, *make.pick((16, 5), (20, 6), (24, 7)), note="long")
        yield from three(kind, *make.pick((6, 6), (7, 7), (9, 9)), note="as long as wide")
        if kind == "convolution":
            yield from three(kind, *make.pick((10, 4, 4), (13, 5, 4), (16, 3, 6)), note="even division")
            yield from three(kind, *make.pick((11, 3, 4), (15, 4, 5), (18, 5, 6)), note="one token more")
            yield from three(kind, *make.pick((12, 5, 4), (18, 6, 5), (20, 4, 6)), note="one token less")
            yield from three(kind, *make.pick((7, 3, 2), (9, 4, 2), (8, 5, 2)), note="kernel 2")
            yield from three(kind, *make.pick((4, 5, 9), (5, 6, 11), (6, 4, 8)), note="a kernel longer than the sequence")
            yield from three(kind, *make.pick((50, 4), (60, 5), (70, 3)), kernel=make.pick(5, 7, 5), note="kernel by name")
        else:
            yield from three(kind, *make.pick((9, 4, 5), (11, 5, 7), (12, 7, 4)), note="a kernel that plays no part")
        yield from three(kind, *make.pick((1000, 64), (1500, 48), (2000, 96)), note="large")


@exercise.right
def reference(kind, n, d, kernel=3):
    parameters = {"fully_connected": n**2 * d**2, "convolution": kernel * d**2, "recurrent": 2 * d**2, "self_attention": 4 * d**2}
    path = math.ceil((n - 1) / (kernel - 1)) if kind == "convolution" else n if kind == "recurrent" else 1
    return {"parameters": parameters[kind], "sequential_steps": n if kind == "recurrent" else 1, "path_length": path}


@exercise.alternative("if and elif, ceiling by negative division")
def _(kind, n, d, kernel=3):
    steps = path = 1
    if kind == "fully_connected":
        params = (n * d) * (n * d)
    elif kind == "convolution":
        params = kernel * d * d
        path = -(-(n - 1) // (kernel - 1))
    elif kind == "recurrent":
        params = d * d + d * d
        steps = path = n
    elif kind == "self_attention":
        params = 4 * d * d
    else:
        raise ValueError(f"unknown kind {kind!r}")
    return dict(path_length=path, parameters=params, sequential_steps=steps)


@exercise.alternative("match, layers counted one by one")
def _(kind, n, d, kernel=3):
    match kind:
        case "fully_connected":
            found = n * n * d * d, 1, 1
        case "convolution":
            seen, layers = 1, 0
            while seen < n:
                seen, layers = seen + kernel - 1, layers + 1
            found = kernel * d * d, 1, layers
        case "recurrent":
            found = 2 * d * d, n, n
        case "self_attention":
            found = 4 * d * d, 1, 1
    return dict(zip(("parameters", "sequential_steps", "path_length"), found))


@exercise.alternative("layers built on the meta device, and counted")
def _(kind, n, d, kernel=3):
    with torch.device("meta"):
        layer = {"fully_connected": lambda: nn.Linear(n * d, n * d, bias=False),
                 "convolution": lambda: nn.Conv1d(d, d, kernel, bias=False),
                 "recurrent": lambda: nn.RNN(d, d, bias=False),
                 "self_attention": lambda: nn.MultiheadAttention(d, 1, bias=False)}[kind]()
    path = {"convolution": (n - 1 + kernel - 2) // (kernel - 1), "recurrent": n}.get(kind, 1)
    return {"parameters": sum(p.numel() for p in layer.parameters()), "sequential_steps": [1, n][kind == "recurrent"], "path_length": path}


@exercise.alternative("a table of functions")
def _(kind, n, d, kernel=3):
    table = {
        "fully_connected": (lambda: n ** 2 * d ** 2, lambda: 1, lambda: 1),
        "convolution": (lambda: kernel * d ** 2, lambda: 1, lambda: (n - 1) // (kernel - 1) + ((n - 1) % (kernel - 1) > 0)),
        "recurrent": (lambda: 2 * d ** 2, lambda: n, lambda: n),
        "self_attention": (lambda: 4 * d ** 2, lambda: 1, lambda: 1),
    }
    parameters, steps, path = (count() for count in table[kind])
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.alternative("tensors' sizes, one more key")
def _(kind, n, d, kernel=3):
    shapes = {"fully_connected": [(n * d, n * d)], "convolution": [(kernel, d, d)], "recurrent": [(d, d)] * 2, "self_attention": [(d, d)] * 4}
    result = {"kind": kind, "parameters": sum(math.prod(shape) for shape in shapes[kind]), "sequential_steps": 1, "path_length": 1}
    if kind == "recurrent":
        result.update(sequential_steps=n, path_length=n)
    if kind == "convolution":
        result["path_length"] = len(range(0, n - 1, kernel - 1))
    return result


@exercise.alternative("integer tensors")
def _(kind, n, d, kernel=3):
    steps = torch.tensor(n if kind == "recurrent" else 1)
    factor = torch.tensor({"fully_connected": n * n, "convolution": kernel, "recurrent": 2, "self_attention": 4}[kind])
    path = torch.tensor((n - 1) / (kernel - 1), dtype=torch.float64).ceil().long() if kind == "convolution" else steps
    return {"parameters": factor * d * d, "sequential_steps": steps, "path_length": path}


@exercise.wrong("steps-and-path-swapped")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, math.ceil((n - 1) / (kernel - 1)), 1
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("fully-connected-per-token", "d*d")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("fully-connected-per-token", "n*d*d")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("fully-connected-per-token", "n*n*d")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("fully-connected-per-token", "n*d")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("fully-connected-per-token", "2*n*d*d")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = 2 * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("all-like-fully-connected", "everything")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = n * n * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = n * n * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = n * n * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("all-like-fully-connected", "the convolution")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = n * n * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("all-like-fully-connected", "the convolution, times the kernel")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * n * n * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("all-like-fully-connected", "the recurrent layer")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = n * n * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("all-like-fully-connected", "the recurrent layer, twice")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * n * n * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("all-like-fully-connected", "self-attention")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = n * n * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("all-like-fully-connected", "self-attention, four times")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * n * n * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("weights-for-each-token", "the recurrent layer")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * n * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("weights-for-each-token", "the recurrent layer, one matrix a step")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = n * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("weights-for-each-token", "the recurrent layer, an input matrix a step")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = (n + 1) * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("weights-for-each-token", "self-attention")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * n * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("weights-for-each-token", "self-attention without the output")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 3 * n * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("weights-for-each-token", "the convolution")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = n * kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("weights-for-each-token", "the convolution, every place of the window")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = (n - kernel + 1) * kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("biases-counted", "fully connected")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d + n * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("biases-counted", "fully connected, d")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d + d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("biases-counted", "convolution")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d + d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("biases-counted", "recurrent")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d + d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("biases-counted", "recurrent, two as in torch")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d + 2 * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("biases-counted", "self-attention")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d + 4 * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("biases-counted", "self-attention without the output's")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d + 3 * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("biases-counted", "all")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d + n * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d + d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d + d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d + 4 * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("kernel-not-counted")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("kernel-not-counted", "3 whatever is asked")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = 3 * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("kernel-not-counted", "2 d²")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = 2 * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("kernel-not-counted", "kernel − 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = (kernel - 1) * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("depthwise")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("depthwise", "separable")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d + d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("kernel-not-counted", "the kernel alone")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("kernel-squared")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-one-matrix")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-too-many", "with an output matrix")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 3 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-too-many", "an LSTM")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 8 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-too-many", "a GRU")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 6 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-too-many", "four")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 4 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-matrix-missing", "no output matrix")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 3 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-matrix-missing", "queries and keys only")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 2 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-matrix-missing", "one")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 1 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-matrix-missing", "none")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 0, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-scores-counted", "n*n")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = n * n, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-scores-counted", "n*n*d")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = n * n * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-scores-counted", "4*d*d+n*n")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d + n * n, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-scores-counted", "2*n*n*d")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 2 * n * n * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-scores-counted", "4*d*d+n*n*d")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d + n * n * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-scores-counted", "3*d*d+n*n")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 3 * d * d + n * n, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-too-many", "a whole Transformer block")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 12 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("attention-too-many", "6 d²")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 6 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-in-one-step")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, 1, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-step-missing", "n − 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n - 1, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-step-missing", "n + 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n + 1, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-step-missing", "2 n")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, 2 * n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("parallel-in-steps", "all")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, n, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, n, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, n, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("parallel-in-steps", "self-attention")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, n, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("parallel-in-steps", "self-attention, each pair")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, n * n, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("parallel-in-steps", "fully connected")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, n, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("parallel-in-steps", "convolution")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, n, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("parallel-in-steps", "convolution, every place of the window")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, n - kernel + 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("layers-as-steps")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, math.ceil((n - 1) / (kernel - 1)), math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("parallel-in-steps", "convolution, every tap")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, kernel, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("operations-as-steps", "self-attention")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 2, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("operations-as-steps", "self-attention, four products")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 4, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("parallel-in-no-step")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 0, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 0, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 0, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-short-path")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, 1
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-path-off", "n − 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n - 1
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("recurrent-path-off", "n + 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n + 1
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-short-path")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, 1
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-short-path", "2")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, 2
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-no-path-gain", "n")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, n
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-no-path-gain", "n − 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, n - 1
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-no-path-gain", "n − kernel")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, n - kernel
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-no-path-gain", "n − kernel + 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, n - kernel + 1
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-per-kernel", "math.ceil(n / kernel)")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil(n / kernel)
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-per-kernel", "n // kernel")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, n // kernel
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-per-kernel", "math.ceil((n - 1) / kernel)")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / kernel)
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-per-kernel", "(n - 1) // kernel")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, (n - 1) // kernel
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-per-kernel", "max(1, n // kernel)")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, max(1, n // kernel)
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-per-kernel", "n // kernel + 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, n // kernel + 1
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-per-kernel", "math.ceil((n - kernel) / kernel) + 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - kernel) / kernel) + 1
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-from-n")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil(n / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-from-n", "and rounded down")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, n // (kernel - 1)
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-rounded", "down")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, (n - 1) // (kernel - 1)
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-rounded", "down, at least 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, max(1, (n - 1) // (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-from-n", "n − 1, rounded down, and one more")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, (n - 1) // (kernel - 1) + 1
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-rounded", "to the nearest")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, round((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-path-rounded", "up and one more")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1)) + 1
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-dilated", "math.ceil(math.log(n, kernel))")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil(math.log(n, kernel))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-dilated", "int(math.log(n, kernel))")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, int(math.log(n, kernel))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-dilated", "math.ceil(math.log2(n))")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil(math.log2(n))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-dilated", "math.ceil(math.log2((n - 1) / (kernel - 1) + 1))")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil(math.log2((n - 1) / (kernel - 1) + 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-dilated", "round(math.log(n, kernel))")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, round(math.log(n, kernel))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-centred")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel // 2))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-centred", "half the kernel")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil(2 * (n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("convolution-centred", "half the kernel, rounded down")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / max(1, (kernel - 1) // 2))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("kernel-fixed")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / 2)
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("direct-path-long", "self-attention")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, n
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("direct-path-long", "self-attention, logarithm")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, math.ceil(math.log2(n))
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("direct-path-long", "fully connected")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, n
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("direct-path-long", "self-attention, 2")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 2
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("direct-path-long", "self-attention, n − 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, n - 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("direct-path-long", "none at all")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 0
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 0
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("not-int", "the path")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, float(math.ceil((n - 1) / (kernel - 1)))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("not-int", "the path, not rounded")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, (n - 1) / (kernel - 1)
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("not-int", "the path, a tensor")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, torch.ceil(torch.tensor((n - 1) / (kernel - 1)))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("not-int", "the path, at least 1")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, max(1, (n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("not-int", "everything")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": float(parameters), "sequential_steps": float(steps), "path_length": float(path)}


@exercise.wrong("not-int", "the parameters")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": float(parameters), "sequential_steps": steps, "path_length": path}


@exercise.wrong("not-int", "the steps")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": float(steps), "path_length": path}


@exercise.wrong("not-int", "tensors")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {key: torch.tensor(float(value)) for key, value in (("parameters", parameters), ("sequential_steps", steps), ("path_length", path))}


@exercise.wrong("not-a-dict", "a tuple")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return parameters, steps, path


@exercise.wrong("not-a-dict", "a list")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return [parameters, steps, path]


@exercise.wrong("not-a-dict", "the parameters alone")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return parameters


@exercise.wrong("keys-otherwise", "all three")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"params": parameters, "steps": steps, "path": path}


@exercise.wrong("keys-otherwise", "without parameters")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"sequential_steps": steps, "path_length": path}


@exercise.wrong("keys-otherwise", "without sequential_steps")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "path_length": path}


@exercise.wrong("keys-otherwise", "without path_length")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps}


@exercise.wrong("no-kind-answered", "no return")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    counts = {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("timeout", "a loop without end")
def _(kind, n, d, kernel=3):
    seen, layers = 1, 0
    while seen < n:
        layers += 1
    return {"parameters": kernel * d * d, "sequential_steps": 1, "path_length": layers}


@exercise.wrong("default-changed", "2")
def _(kind, n, d, kernel=2):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("default-changed", "5")
def _(kind, n, d, kernel=5):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("power-sign", "everywhere")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n^2 * d^2, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d^2, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d^2, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d^2, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("power-sign", "everywhere, with brackets")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = (n^2) * (d^2), 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * (d^2), 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * (d^2), n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * (d^2), 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("power-sign", "the square of n · d")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = (n * d)^2, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("power-sign", "fully connected")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n^2 * d^2, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("power-sign", "fully connected, with brackets")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = (n^2) * (d^2), 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.wrong("kind-without-answer", "fully connected")
def _(kind, n, d, kernel=3):
    if kind == "fully connected":
        return {"parameters": n * n * d * d, "sequential_steps": 1, "path_length": 1}
    if kind == "convolution":
        return {"parameters": kernel * d * d, "sequential_steps": 1, "path_length": math.ceil((n - 1) / (kernel - 1))}
    if kind == "recurrent":
        return {"parameters": 2 * d * d, "sequential_steps": n, "path_length": n}
    if kind == "self_attention":
        return {"parameters": 4 * d * d, "sequential_steps": 1, "path_length": 1}


@exercise.wrong("kind-without-answer", "convolution")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        return {"parameters": n * n * d * d, "sequential_steps": 1, "path_length": 1}
    if kind == "conv":
        return {"parameters": kernel * d * d, "sequential_steps": 1, "path_length": math.ceil((n - 1) / (kernel - 1))}
    if kind == "recurrent":
        return {"parameters": 2 * d * d, "sequential_steps": n, "path_length": n}
    if kind == "self_attention":
        return {"parameters": 4 * d * d, "sequential_steps": 1, "path_length": 1}


@exercise.wrong("kind-without-answer", "recurrent")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        return {"parameters": n * n * d * d, "sequential_steps": 1, "path_length": 1}
    if kind == "convolution":
        return {"parameters": kernel * d * d, "sequential_steps": 1, "path_length": math.ceil((n - 1) / (kernel - 1))}
    if kind == "rnn":
        return {"parameters": 2 * d * d, "sequential_steps": n, "path_length": n}
    if kind == "self_attention":
        return {"parameters": 4 * d * d, "sequential_steps": 1, "path_length": 1}


@exercise.wrong("kind-without-answer", "self-attention")
def _(kind, n, d, kernel=3):
    if kind == "fully_connected":
        return {"parameters": n * n * d * d, "sequential_steps": 1, "path_length": 1}
    if kind == "convolution":
        return {"parameters": kernel * d * d, "sequential_steps": 1, "path_length": math.ceil((n - 1) / (kernel - 1))}
    if kind == "recurrent":
        return {"parameters": 2 * d * d, "sequential_steps": n, "path_length": n}
    if kind == "attention":
        return {"parameters": 4 * d * d, "sequential_steps": 1, "path_length": 1}
