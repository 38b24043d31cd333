"""layer_costs: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch
from torch import nn

from coursegrader.rubric import Exercise, edit, every, full

KINDS = {"fully_connected": "a fully connected layer", "convolution": "a convolution",
         "recurrent": "a recurrent layer",
         "self_attention": "self-attention"}

GROUPS = {"parameters": "parameters", "sequential_steps": "sequential steps", "path_length": "path lengths"}

exercise = Exercise(
    "layer_costs",
    points={"parameters": 2, "sequential steps": 1, "path lengths": 2},
    section="path-length",
    driver="dict_entry",
)


@exercise.probes
def probes(make):
    def three(kind, *arguments, note, **keywords):
        for entry, group in GROUPS.items():
            edge = {"edge": True} if arguments[0] > 500 else {}
            yield make.probe(f"{group} of {KINDS[kind]}, {note}", kind, *arguments, group=group, **keywords,
                             **edge) | {"entry": entry}

    for kind in KINDS:
        yield from three(kind, *make.pick((5, 3), (6, 4), (8, 5)), note="short")
        yield from three(kind, *make.pick((4, 7), (5, 8), (3, 10)), note="wide")
        yield from three(kind, *make.pick((16, 5), (20, 6), (24, 7)), note="long")
        yield from three(kind, *make.pick((6, 6), (7, 7), (9, 9)), note="as long as wide")
        if kind == "convolution":
            yield from three(kind, *make.pick((10, 4, 4), (13, 5, 4), (16, 3, 6)), note="even division")
            yield from three(kind, *make.pick((11, 3, 4), (26, 4, 4), (22, 5, 6)), note="one token more")
            yield from three(kind, *make.pick((12, 5, 4), (18, 6, 5), (20, 4, 6)), note="one token less")
            yield from three(kind, *make.pick((7, 3, 2), (9, 4, 2), (8, 5, 2)), note="kernel 2")
            yield from three(kind, *make.pick((4, 5, 9), (5, 6, 11), (6, 4, 8)),
                             note="a kernel longer than the sequence")
            yield from three(kind, *make.pick((50, 4), (60, 5), (70, 3)), kernel=make.pick(5, 7, 5),
                             note="kernel by name")
            width = make.pick(70_000, 80_000, 75_000)  # 300 layers and one token more: too fine for float32
            yield make.probe("path lengths of a convolution, a kernel of many thousands", kind,
                             300 * width + 2, 3, width + 1, group="path lengths", edge=True) | {
                                 "entry": "path_length"}
        else:
            yield from three(kind, *make.pick((9, 4, 5), (11, 5, 7), (12, 7, 4)),
                             note="a kernel that plays no part")
        yield from three(kind, *make.pick((1000, 64), (1500, 48), (2000, 96)), note="large")


@exercise.right
def reference(kind, n, d, kernel=3):
    parameters = {"fully_connected": n**2 * d**2, "convolution": kernel * d**2, "recurrent": 2 * d**2,
                  "self_attention": 4 * d**2}
    path = math.ceil((n - 1) / (kernel - 1)) if kind == "convolution" else n if kind == "recurrent" else 1
    return {"parameters": parameters[kind], "sequential_steps": n if kind == "recurrent" else 1,
            "path_length": path}


@exercise.right("if and elif, ceiling by negative division")
def if_elif(kind, n, d, kernel=3):
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


@exercise.right("match, layers counted one by one")
def match_layers(kind, n, d, kernel=3):
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


@exercise.right("layers built on the meta device, and counted")
def layers_built(kind, n, d, kernel=3):
    with torch.device("meta"):
        layer = {"fully_connected": lambda: nn.Linear(n * d, n * d, bias=False),
                 "convolution": lambda: nn.Conv1d(d, d, kernel, bias=False),
                 "recurrent": lambda: nn.RNN(d, d, bias=False),
                 "self_attention": lambda: nn.MultiheadAttention(d, 1, bias=False)}[kind]()
    path = {"convolution": (n - 1 + kernel - 2) // (kernel - 1), "recurrent": n}.get(kind, 1)
    return {"parameters": sum(p.numel() for p in layer.parameters()),
            "sequential_steps": [1, n][kind == "recurrent"], "path_length": path}


@exercise.right("a table of functions")
def table_functions(kind, n, d, kernel=3):
    table = {
        "fully_connected": (lambda: n ** 2 * d ** 2, lambda: 1, lambda: 1),
        "convolution": (lambda: kernel * d ** 2, lambda: 1,
                        lambda: (n - 1) // (kernel - 1) + ((n - 1) % (kernel - 1) > 0)),
        "recurrent": (lambda: 2 * d ** 2, lambda: n, lambda: n),
        "self_attention": (lambda: 4 * d ** 2, lambda: 1, lambda: 1),
    }
    parameters, steps, path = (count() for count in table[kind])
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.right("tensors' sizes, one more key")
def tensors_sizes(kind, n, d, kernel=3):
    shapes = {"fully_connected": [(n * d, n * d)], "convolution": [(kernel, d, d)], "recurrent": [(d, d)] * 2,
              "self_attention": [(d, d)] * 4}
    result = {"kind": kind, "parameters": sum(math.prod(shape) for shape in shapes[kind]),
              "sequential_steps": 1, "path_length": 1}
    if kind == "recurrent":
        result.update(sequential_steps=n, path_length=n)
    if kind == "convolution":
        result["path_length"] = len(range(0, n - 1, kernel - 1))
    return result


@exercise.right("integer tensors")
def integer(kind, n, d, kernel=3):
    steps = torch.tensor(n if kind == "recurrent" else 1)
    factor = torch.tensor({"fully_connected": n * n, "convolution": kernel, "recurrent": 2,
                           "self_attention": 4}[kind])
    path = torch.tensor((n - 1) / (kernel - 1),
                        dtype=torch.float64).ceil().long() if kind == "convolution" else steps
    return {"parameters": factor * d * d, "sequential_steps": steps, "path_length": path}


@exercise.right("step by step")
def plain(kind, n, d, kernel=3):
    if kind == "fully_connected":
        parameters, steps, path = n * n * d * d, 1, 1
    elif kind == "convolution":
        parameters, steps, path = kernel * d * d, 1, math.ceil((n - 1) / (kernel - 1))
    elif kind == "recurrent":
        parameters, steps, path = 2 * d * d, n, n
    elif kind == "self_attention":
        parameters, steps, path = 4 * d * d, 1, 1
    return {"parameters": parameters, "sequential_steps": steps, "path_length": path}


@exercise.right("step by step, another way")
def plain_other(kind, n, d, kernel=3):
    if kind == "fully_connected":
        return {"parameters": n * n * d * d, "sequential_steps": 1, "path_length": 1}
    if kind == "convolution":
        return {
            "parameters": kernel * d * d,
            "sequential_steps": 1,
            "path_length": math.ceil((n - 1) / (kernel - 1)),
        }
    if kind == "recurrent":
        return {"parameters": 2 * d * d, "sequential_steps": n, "path_length": n}
    if kind == "self_attention":
        return {"parameters": 4 * d * d, "sequential_steps": 1, "path_length": 1}


exercise.mistake("steps-and-path-swapped", "sequential-steps",
    "sequential_steps and path_length have changed places. Steps are what one layer must do one after "
    "another; the path is how far the first input is from the last output.",
    edit(plain, {"d, 1, math": "d, math", "kernel - 1))": "kernel - 1)), 1"}))

exercise.mistake("fully-connected-per-token", "parameters-by-layer",
    "The fully connected layer is counted as if each token were treated alone or shared weights. It joins "
    "all n·d input numbers with all n·d output numbers, with a weight for each pair.",
    edit(plain, {" n * n *": ""}, "d*d"),
    edit(plain, {"n * n": "n"}, "n*d*d"),
    edit(plain, {"n * d * d": "n * d"}, "n*n*d"),
    edit(plain, {" n * d *": ""}, "n*d"),
    edit(plain, {"n * n": "2 * n"}, "2*n*d*d"))

exercise.mistake("all-like-fully-connected", "parameters-by-layer",
    "A layer that uses the same weights at every token is counted like a fully connected one. Its number "
    "of parameters does not depend on n.",
    edit(plain, {"kernel * d": "n * n * d", "path = 2": "path = n * n",
                 "path = 4": "path = n * n"}, "everything"),
    edit(plain, {"kernel * d": "n * n * d"}, "the convolution"),
    edit(plain, {"kernel * d": "kernel * n * n * d"}, "the convolution, times the kernel"),
    edit(plain, {"path = 2": "path = n * n"}, "the recurrent layer"),
    edit(plain, {"d * d, n": "n * n * d * d, n"}, "the recurrent layer, twice"),
    edit(plain, {"path = 4": "path = n * n"}, "self-attention"),
    edit(plain, {"4 * d * d": "4 * n * n * d * d"}, "self-attention, four times"))

exercise.mistake("weights-for-each-token", "parameters-by-layer",
    "The weights are counted once for each token. The same weights serve every token, so n plays no part.",
    edit(plain, {"d * d, n": "n * d * d, n"}, "the recurrent layer"),
    edit(plain, {"path = 2": "path = n"}, "the recurrent layer, one matrix a step"),
    edit(plain, {"path = 2": "path = (n + 1)"}, "the recurrent layer, an input matrix a step"),
    edit(plain, {"4 * d * d": "4 * n * d * d"}, "self-attention"),
    edit(plain, {"path = 4": "path = 3 * n"}, "self-attention without the output"),
    edit(plain, {"= kernel": "=n * kernel"}, "the convolution"),
    edit(plain, {"= kernel": "=(n - kernel + 1) * kernel"}, "the convolution, every place of the window"))

exercise.mistake("biases-counted", "parameters-by-layer",
    "Biases are counted. Count the numbers in the matrices only.",
    edit(plain, {"n * d * d": "n * d * d + n * d"}, "fully connected"),
    edit(plain, {"n * d * d": "n * d * d + d"}, "fully connected, d"),
    edit(plain, {"d, 1, math": "d + d, 1, math"}, "convolution"),
    edit(plain, {"d, n": "d + d, n"}, "recurrent"),
    edit(plain, {"d, n": "d + 2 * d, n"}, "recurrent, two as in torch"),
    edit(plain, {"4 * d * d": "4 * d * d + 4 * d"}, "self-attention"),
    edit(plain, {"4 * d * d": "4 * d * d + 3 * d"}, "self-attention without the output's"),
    edit(plain, {"n * d * d": "n * d * d + n * d", "d, 1, math": "d + d, 1, math", "d, n": "d + d, n",
                 "4 * d * d": "4 * d * d + 4 * d"}, "all"))

exercise.mistake("kernel-not-counted", "parameters-by-layer",
    "The convolution has the wrong number of d × d matrices, or each of them is counted as one number. "
    "There is one for each token of the kernel, however wide it is: kernel · d · d.",
    edit(plain, {" kernel *": ""}),
    edit(plain, {"kernel * d": "3 * d"}, "3 whatever is asked"),
    edit(plain, {"kernel * d": "2 * d"}, "2 d²"),
    edit(plain, {"kernel * d": "(kernel - 1) * d"}, "kernel − 1"),
    edit(plain, {"kernel * d * d": "kernel"}, "the kernel alone"))

exercise.mistake("depthwise", "parameters-by-layer",
    "The convolution is counted with one number for each channel and tap. Every output channel sees all d "
    "input channels: one d × d matrix for each tap.",
    edit(plain, {"kernel * d": "kernel"}),
    edit(plain, {"kernel * d": "kernel * d + d"}, "separable"))

exercise.mistake("kernel-squared", "parameters-by-layer",
    "The kernel is squared, as in a convolution over images. A sequence has one axis: kernel · d · d.",
    edit(plain, {"= kernel": "=kernel * kernel"}))

exercise.mistake("recurrent-one-matrix", "parameters-by-layer",
    "The recurrent layer is counted with one matrix. It has two: one for the input, one for the state.",
    edit(plain, {"2 * d * d": "d * d"}))

exercise.mistake("recurrent-too-many", "parameters-by-layer",
    "The recurrent layer has too many matrices. The plain one has two, for the input and the state: no "
    "gates, and no output matrix.",
    edit(plain, {"path = 2": "path = 3"}, "with an output matrix"),
    edit(plain, {"path = 2": "path = 8"}, "an LSTM"),
    edit(plain, {"path = 2": "path = 6"}, "a GRU"),
    edit(plain, {"path = 2": "path = 4"}, "four"))

exercise.mistake("attention-matrix-missing", "parameters-by-layer",
    "Self-attention is counted with too few matrices. There are four: for queries, keys, values, and the "
    "output.",
    edit(plain, {"path = 4": "path = 3"}, "no output matrix"),
    edit(plain, {"path = 4": "path = 2"}, "queries and keys only"),
    edit(plain, {"path = 4": "path = 1"}, "one"),
    edit(plain, {"4 * d * d": "0"}, "none"))

exercise.mistake("attention-scores-counted", "parameters-by-layer",
    "The scores of self-attention, n × n, are counted as parameters. They are computed anew for each "
    "sequence and are not learned.",
    edit(plain, {"4 * d * d": "n * n"}, "n*n"),
    edit(plain, {"4 * d * d": "n * n * d"}, "n*n*d"),
    edit(plain, {"4 * d * d": "4 * d * d + n * n"}, "4*d*d+n*n"),
    edit(plain, {"4 * d * d": "2 * n * n * d"}, "2*n*n*d"),
    edit(plain, {"4 * d * d": "4 * d * d + n * n * d"}, "4*d*d+n*n*d"),
    edit(plain, {"4 * d * d": "3 * d * d + n * n"}, "3*d*d+n*n"))

exercise.mistake("attention-too-many", "parameters-by-layer",
    "Self-attention has too many matrices. Count the four of the attention itself, without the "
    "feed-forward part.",
    edit(plain, {"path = 4": "path = 12"}, "a whole Transformer block"),
    edit(plain, {"path = 4": "path = 6"}, "6 d²"))

exercise.mistake("recurrent-in-one-step", "sequential-steps",
    "The recurrent layer is said to run in one step. Each of its states waits for the one before.",
    edit(plain, {"n, n": "1, n"}))

exercise.mistake("recurrent-step-missing", "sequential-steps",
    "The recurrent layer has the wrong number of steps. It does one for each of the n tokens.",
    edit(plain, {"n, n": "n - 1, n"}, "n − 1"),
    edit(plain, {"n, n": "n + 1, n"}, "n + 1"),
    edit(plain, {"n, n": "2 * n, n"}, "2 n"))

exercise.mistake("parallel-in-steps", "sequential-steps",
    "A layer that computes all tokens at once is said to need many steps one after another. Within one "
    "layer no token waits for another, except in a recurrent one.",
    edit(plain, {every("1,"): "n,"}, "all"),
    edit(plain, {"4 * d * d, 1": "4 * d * d, n"}, "self-attention"),
    edit(plain, {"4 * d * d, 1": "4 * d * d, n * n"}, "self-attention, each pair"),
    edit(plain, {"n * d * d, 1": "n * d * d, n"}, "fully connected"),
    edit(plain, {"1, math": "n, math"}, "convolution"),
    edit(plain, {"1, math": "n - kernel + 1, math"}, "convolution, every place of the window"),
    edit(plain, {"1, math": "kernel, math"}, "convolution, every tap"))

exercise.mistake("layers-as-steps", "sequential-steps",
    "The layers of a stack are counted as the steps of one layer. sequential_steps is about one layer.",
    edit(plain, {"kernel * d * d, 1": "(kernel * d * d",
                 "kernel - 1))": "kernel - 1)), math.ceil((n - 1) / (kernel - 1)))"}))

exercise.mistake("operations-as-steps", "sequential-steps",
    "Products of matrices inside one layer are counted as steps. sequential_steps says how long tokens "
    "wait for each other: 1 where none does.",
    edit(plain, {"4 * d * d, 1": "4 * d * d, 2"}, "self-attention"),
    edit(plain, {"4 * d * d, 1": "4 * d * d, 4"}, "self-attention, four products"))

exercise.mistake("parallel-in-no-step", "sequential-steps",
    "A layer that computes all tokens at once is said to take no step. Computing them together is one "
    "step: 1.",
    edit(plain, {every("1,"): "0,"}))

exercise.mistake("recurrent-short-path", "path-length",
    "The recurrent layer is said to join first input and last output in one step. The information passes "
    "through every state on the way.",
    edit(plain, {"n, n": "n, 1"}))

exercise.mistake("recurrent-path-off", "path-length",
    "The path of the recurrent layer is off by one. The first input enters the first state: counting this "
    "step, the last output is there after n steps.",
    edit(plain, {"n, n": "n, n - 1"}, "n − 1"),
    edit(plain, {"n, n": "n, n + 1"}, "n + 1"))

exercise.mistake("convolution-short-path", "path-length",
    "The convolution is said to join first input and last output in a fixed number of layers. One layer "
    "sees only as many tokens as its kernel is wide: the longer the sequence, the more layers must be "
    "stacked.",
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "1"}),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "2"}, "2"))

exercise.mistake("convolution-no-path-gain", "path-length",
    "The convolution is said to move one token per layer. A causal layer reaches kernel − 1 tokens further "
    "back.",
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "n"}, "n"),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "n - 1"}, "n − 1"),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "n - kernel"}, "n − kernel"),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "n - kernel + 1"}, "n − kernel + 1"))

exercise.mistake("convolution-path-per-kernel", "path-length",
    "The convolution's path is divided by the kernel. One layer sees as many tokens as its kernel is wide, "
    "its own included, so it reaches kernel − 1 tokens further back.",
    edit(plain, {"((n - 1) / (kernel - 1))": "(n / kernel)"}, "math.ceil(n / kernel)"),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "n // kernel"}, "n // kernel"),
    edit(plain, {"(kernel - 1))": "kernel)"}, "math.ceil((n - 1) / kernel)"),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "(n - 1) // kernel"}, "(n - 1) // kernel"),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "max(1, n // kernel)"}, "max(1, n // kernel)"),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "n // kernel + 1"}, "n // kernel + 1"))

exercise.mistake("convolution-path-from-n", "path-length",
    "For some sizes the convolution's path is one layer too long or too short. From the first to the last "
    "token there are n − 1 moves, not n: divide those by kernel − 1, round up, and add nothing.",
    edit(plain, {"(n - 1)": "n"}),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "n // (kernel - 1)"}, "and rounded down"))

exercise.mistake("convolution-path-rounded", "path-length",
    "The number of stacked convolutions is rounded the wrong way. The last layer must still reach the "
    "first token: round up, and add nothing where the division leaves no remainder.",
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "(n - 1) // (kernel - 1)"}, "down"),
    edit(plain, {"math.ceil((n - 1) /": "max(1, (n - 1) //"}, "down, at least 1"),
    edit(plain, {"math.ceil": "round"}, "to the nearest"),
    edit(plain, {"kernel - 1))": "kernel - 1)) + 1"}, "up and one more"))

exercise.mistake("convolution-dilated", "path-length",
    "The convolution's path is a logarithm. This holds for dilated convolutions, whose taps move apart "
    "from layer to layer. Here they stay side by side.",
    edit(plain, {"(n - 1) / (kernel - 1)": "math.log(n, kernel)"}, "math.ceil(math.log(n, kernel))"),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "int(math.log(n, kernel))"},
         "int(math.log(n, kernel))"),
    edit(plain, {"(n - 1) / (kernel - 1)": "math.log2(n)"}, "math.ceil(math.log2(n))"),
    edit(plain, {"((n - 1) / (kernel - 1))": "(math.log2((n - 1) / (kernel - 1) + 1))"},
         "math.ceil(math.log2((n - 1) / (kernel - 1) + 1))"),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "round(math.log(n, kernel))"},
         "round(math.log(n, kernel))"))

exercise.mistake("convolution-centred", "path-length",
    "The kernel is assumed to look to both sides. A causal convolution looks back with all its taps: "
    "kernel − 1 tokens per layer.",
    edit(plain, {"kernel - 1": "kernel // 2"}),
    edit(plain, {"(n - 1)": "2 * (n - 1)"}, "half the kernel"),
    edit(plain, {"(kernel - 1))": "max(1, (kernel - 1) // 2))"}, "half the kernel, rounded down"))

exercise.mistake("kernel-fixed", "path-length",
    "The path of the convolution is computed with a kernel of 3, whatever is asked. Use the argument.",
    edit(plain, {"(kernel - 1))": "2)"}))

exercise.mistake("direct-path-long", "path-length",
    "Self-attention or the fully connected layer is said to need a number of layers other than one. Both "
    "join every input with every output directly, in one layer.",
    edit(plain, {"4 * d * d, 1, 1": "4 * d * d, 1, n"}, "self-attention"),
    edit(plain, {"4 * d * d, 1, 1": "4 * d * d, 1, math.ceil(math.log2(n))"}, "self-attention, logarithm"),
    edit(plain, {"n * d * d, 1, 1": "n * d * d, 1, n"}, "fully connected"),
    edit(plain, {"4 * d * d, 1, 1": "4 * d * d, 1, 2"}, "self-attention, 2"),
    edit(plain, {"4 * d * d, 1, 1": "4 * d * d, 1, n - 1"}, "self-attention, n − 1"),
    edit(plain, {every("1, 1"): "1, 0"}, "none at all"))

exercise.mistake("not-int", "path-length",
    "The numbers are floats or tensors of floats. Counts are whole: use // or math.ceil, and return int.",
    edit(plain, {"math": "float(math", "kernel - 1))": "kernel - 1)))"}, "the path"),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "(n - 1) / (kernel - 1)"}, "the path, not rounded"),
    edit(plain, {"math.ceil((n - 1) / (kernel - 1))": "torch.ceil(torch.tensor((n - 1) / (kernel - 1)))"},
         "the path, a tensor"),
    edit(plain, {"math.ceil((n": "max(1,(n"}, "the path, at least 1"),
    edit(plain, {": parameters": ": float(parameters)", ": steps": ": float(steps)",
                 ": path": ": float(path)"}, "everything"),
    edit(plain, {": parameters": ": float(parameters)"}, "the parameters"),
    edit(plain, {": steps": ": float(steps)"}, "the steps"),
    edit(plain, {'"parameters": parameters, "sequential_steps": steps, "path_length": path':
                 'key: torch.tensor(float(value)) for key, value in (("parameters", parameters), '
                 '("sequential_steps", steps), ("path_length", path))'}, "tensors"))

exercise.mistake("not-a-dict", "path-length",
    "Return a dict with the keys parameters, sequential_steps and path_length.",
    edit(plain, {'{"parameters": parameters, "sequential_steps": steps, "path_length": path}':
                 "parameters, steps, path"}, "a tuple"),
    edit(plain, {'{"parameters": parameters, "sequential_steps": steps, "path_length": path}':
                 "[parameters, steps, path]"}, "a list"),
    edit(plain, {'return {"parameters": parameters, "sequential_steps": steps, "path_length": path}':
                 "return parameters"}, "the parameters alone"))

exercise.mistake("keys-otherwise", "path-length",
    "A key of the dict is missing or has another name. The keys are parameters, sequential_steps and "
    "path_length.",
    edit(plain, {'"parameters"': '"params"', '"sequential_steps"': '"steps"',
                 '"path_length"': '"path"'}, "all three"),
    edit(plain, {'"parameters": parameters,': ""}, "without parameters"),
    edit(plain, {' "sequential_steps": steps,': ""}, "without sequential_steps"),
    edit(plain, {', "path_length": path': ""}, "without path_length"))

exercise.mistake("no-kind-answered", "parameters-by-layer",
    "None comes back, whatever the kind. End the function with a return statement.",
    edit(plain, {"return": "counts ="}, "no return"))

exercise.mistake("default-changed", "path-length",
    "Where no kernel is given, a width other than 3 is used. Keep kernel=3 in the first line of the "
    "function.",
    edit(plain, {"kernel=3": "kernel=2"}, "2"),
    edit(plain, {"kernel=3": "kernel=5"}, "5"))

exercise.mistake("power-sign", "parameters-by-layer",
    "In Python the sign ^ is not a power: it is exclusive or. Write d**2 or d * d.",
    edit(plain, {"n * n": "n ^2", every("d * d"): "d ^2"}, "everywhere"),
    edit(plain, {"n * n * d * d": "(n^2) * (d^2)", "kernel * d * d": "kernel * (d^2)",
                 "d * d, n": "(d^2), n", "4 * d * d": "4 * (d^2)"}, "everywhere, with brackets"),
    edit(plain, {"n * n * d * d": "(n * d)^2"}, "the square of n · d"),
    edit(plain, {"n * n * d * d": "n ^2 * d^2"}, "fully connected"),
    edit(plain, {"n * n * d * d": "(n^2) * (d^2)"}, "fully connected, with brackets"))

exercise.mistake("kind-without-answer", "parameters-by-layer",
    "For one of the kinds None comes back: its name is spelt differently, or its branch has no return. The "
    "four are fully_connected, convolution, recurrent and self_attention.",
    edit(plain_other, {'"fully_connected"': '"fully connected"'}, "fully connected"),
    edit(plain_other, {'"convolution"': '"conv"'}, "convolution"),
    edit(plain_other, {'"recurrent"': '"rnn"'}, "recurrent"),
    edit(plain_other, {'"self_attention"': '"attention"'}, "self-attention"))

exercise.built_in("timeout",
    full("seen, layers = 1, 0\n"
         "while seen < n:\n"
         "    layers += 1\n"
         'return {"parameters": kernel * d * d, "sequential_steps": 1, "path_length": layers}',
         "a loop without end"))

exercise.equal("kind is one of four, and not one of the others here", {'kind == "self_attention"': "True"})
exercise.equal("factors may change places, and a remainder is 0 for 1 − n where it is for n − 1", {
    "d, d, kernel": "d, kernel, d", "(n - 1) % (kernel": "(1 - n) % (kernel"})
exercise.equal("only the three keys count, and a whole number may be an int or a tensor", {
    '"kind": kind': ('"kind": n', '"kind": kernel'), "torch.tensor(n if": "(n if", "torch.tensor({": "({"})
