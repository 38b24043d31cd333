"""attention_flops: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "attention_flops",
    points={"scores and sums": 2},
    section="attention-flops",
)


@exercise.probes
def probes(make):
    group = {"group": "scores and sums"}
    yield make.probe("a few layers and tokens", *make.pick((2, 3, 5), (3, 4, 7), (2, 5, 9)),
                     **group)
    yield make.probe("more tokens", *make.pick((3, 10, 4), (2, 11, 6), (3, 13, 8)), **group)
    yield make.probe("more layers", *make.pick((7, 5, 6), (9, 6, 5), (11, 7, 4)), **group)
    yield make.probe("wide, and many tokens", *make.pick((2, 40_000, 64), (3, 50_000, 72), (3, 70_000, 80)),
                     **group)
    yield make.probe("one token", *make.pick((3, 1, 8), (4, 1, 6), (5, 1, 12)), edge=True, **group)
    yield make.probe("one layer", *make.pick((1, 6, 8), (1, 7, 9), (1, 9, 10)), edge=True, **group)
    yield make.probe("tens of millions of tokens",
                     *make.pick((3, 50_000_001, 77), (5, 40_000_003, 63),
                                (7, 30_000_001, 91)), edge=True, **group)
    yield make.probe("GPT-3 at two million tokens or more", 96, make.pick(2_000_000, 3_000_000, 2_500_000), 12288,
                     edge=True, **group)


@exercise.right
def reference(n_layers, n, d_model):
    return 4 * n_layers * n**2 * d_model


@exercise.right("head by head")
def head_head(n_layers, n, d_model):
    total = 0
    for _ in range(n_layers):
        for product in ("scores", "sums"):
            total += n * n * d_model + n * n * d_model
    return total


@exercise.right("torch's own counter")
def torch_counter(n_layers, n, d_model):
    from torch.utils.flop_counter import FlopCounterMode
    counting = FlopCounterMode(display=False)
    with counting:
        tokens = torch.empty(n, d_model, device="meta")
        (tokens @ tokens.T) @ tokens
    return n_layers * counting.get_total_flops()


exercise.also_right(
    full("scores = 2 * n * n * d_model\n"
         "mixed = 2 * n * n * d_model\n"
         "return n_layers * (scores + mixed)", "two products"),
    full("multiply_adds = sum(2 * (n * d_model * n) for _ in range(n_layers))\n"
         "return 2 * multiply_adds", "a sum over layers"),
    full("return int(n_layers * d_model * 4 * pow(n, 2))", "pow"),
    full("def product(rows, inner, columns):\n"
         "    return 2 * rows * inner * columns\n"
         "\n"
         "return n_layers * (product(n, d_model, n) + product(n, n, d_model))",
         "a helper for a matrix product"))


exercise.mistake("half", "attention-flops",
    "This is half of what it must be. There are two products, QKᵀ and weights · V, with n² · d_model "
    "multiply-adds each; a multiply-add counts 2; and nothing is saved for a causal mask.",
    edit(reference, {"return 4": "return 2"}, "2 * n_layers * n**2 * d_model"))

exercise.mistake("quarter", "attention-flops",
    "This is a quarter of what it must be. There are two products, QKᵀ and weights · V, and each of their "
    "multiply-adds counts 2.",
    edit(reference, {"4 * n_layers": "n_layers"}, "n_layers * n**2 * d_model"))

exercise.mistake("linear-in-n", "attention-flops",
    "The count grows linearly with n. Every query meets every key: n² pairs.",
    edit(reference, {"n**2 *": "n *"}, "4 * n_layers * n * d_model"),
    edit(reference, {"4 * n_layers * n**2": "2 * n_layers * n"}, "2 * n_layers * n * d_model"),
    edit(reference, {"4 * n_layers * n**2": "n_layers * n"}, "n_layers * n * d_model"),
    edit(reference, {"n**2 *": "2 * n *"}, "4 * n_layers * 2 * n * d_model"))

exercise.mistake("cubic-in-n", "attention-flops",
    "The count grows with n³. Every query meets every key: n² pairs, with d_model multiply-adds each.",
    edit(reference, {"n**2 *": "n**3 *"}, "4 * n_layers * n**3 * d_model"),
    edit(reference, {"2 * d_model": "3"}, "4 * n_layers * n**3"),
    full("return 2 * n_layers * n**3 * d_model", "2 * n_layers * n**3 * d_model"))

exercise.mistake("quadratic-in-width", "attention-flops",
    "The count grows with d_model². That belongs to the projections, which are not counted. A score takes "
    "one multiply-add for each of the d_model columns.",
    edit(reference, {"n**2 * d_model": "n* d_model**2"}, "4 * n_layers * n * d_model**2"),
    edit(reference, {"2 * d_model": "2 * d_model **2"}, "4 * n_layers * n**2 * d_model**2"),
    full("return 8 * n_layers * n * d_model**2", "8 * n_layers * n * d_model**2"),
    full("return 2 * n_layers * n * d_model**2", "2 * n_layers * n * d_model**2"),
    full("return 2 * n_layers * n**2 * d_model**2", "2 * n_layers * n**2 * d_model**2"))

exercise.mistake("projections-counted", "attention-flops",
    "The projections are counted as well. Only QKᵀ and weights · V are asked for.",
    full("return n_layers * (8 * n * d_model**2 + 4 * n**2 * d_model)",
         "n_layers * (8 * n * d_model**2 + 4 * n**2 * d_model)"),
    full("return n_layers * (4 * n * d_model**2 + 2 * n**2 * d_model)",
         "n_layers * (4 * n * d_model**2 + 2 * n**2 * d_model)"),
    full("return n_layers * (6 * n * d_model**2 + 4 * n**2 * d_model)",
         "n_layers * (6 * n * d_model**2 + 4 * n**2 * d_model)"),
    full("return n_layers * (24 * n * d_model**2 + 4 * n**2 * d_model)",
         "n_layers * (24 * n * d_model**2 + 4 * n**2 * d_model)"),
    full("return n_layers * (4 * n * d_model**2 + 4 * n**2 * d_model)",
         "n_layers * (4 * n * d_model**2 + 4 * n**2 * d_model)"))

exercise.mistake("width-missing", "attention-flops",
    "d_model plays no part. A score is a product over all columns of queries and keys: d_model "
    "multiply-adds over all heads.",
    edit(reference, {" * d_model": ""}, "4 * n_layers * n**2"),
    full("return 2 * n_layers * n**2", "2 * n_layers * n**2"),
    full("return n_layers * n**2", "n_layers * n**2"))

exercise.mistake("layers-missing", "attention-flops",
    "n_layers plays no part. Every layer has its own attention: multiply by n_layers.",
    edit(reference, {" * n_layers": ""}, "4 * n**2 * d_model"),
    edit(reference, {"4 * n_layers": "2"}, "2 * n**2 * d_model"),
    edit(reference, {" 4 * n_layers *": ""}, "n**2 * d_model"))

exercise.mistake("layers-squared", "attention-flops",
    "The count does not grow in proportion to n_layers. Every layer costs the same: multiply by n_layers "
    "once.",
    edit(reference, {"* n**2": "**2 * n**2"}, "4 * n_layers**2 * n**2 * d_model"))

exercise.mistake("training", "attention-flops",
    "This is a forward and a backward pass. The forward pass alone is asked for.",
    edit(reference, {"return 4": "return 12"}, "12 * n_layers * n**2 * d_model"))

exercise.mistake("double", "attention-flops",
    "This is twice what it must be: 2 for the two products, and 2 for a multiply-add, make 4.",
    edit(reference, {"return 4": "return 8"}, "8 * n_layers * n**2 * d_model"))

exercise.mistake("softmax-counted", "attention-flops",
    "The softmax, or the scaling, is counted too. Only QKᵀ and weights · V are asked for.",
    full("return n_layers * (4 * n**2 * d_model + n**2)", "n_layers * (4 * n**2 * d_model + n**2)"),
    full("return n_layers * (4 * n**2 * d_model + 2 * n**2)", "n_layers * (4 * n**2 * d_model + 2 * n**2)"),
    full("return n_layers * (4 * n**2 * d_model + 3 * n**2)", "n_layers * (4 * n**2 * d_model + 3 * n**2)"),
    full("return n_layers * (4 * n**2 * d_model + 5 * n**2)", "n_layers * (4 * n**2 * d_model + 5 * n**2)"),
    full("return n_layers * (4 * n**2 * d_model + 4 * n**2)", "n_layers * (4 * n**2 * d_model + 4 * n**2)"))

exercise.mistake("added", "attention-flops",
    "Factors are added where they must be multiplied. Every layer, every pair and every column counts: "
    "multiply all of them.",
    edit(reference, {"n**2 * d_model": "(n**2 + d_model)"}, "4 * n_layers * (n**2 + d_model)"),
    full("return 4 * (n_layers + n**2 + d_model)", "4 * (n_layers + n**2 + d_model)"),
    edit(reference, {"* n**2": "+ n**2"}, "4 * n_layers + n**2 * d_model"),
    edit(reference, {"4 * n_layers": "4 + n_layers"}, "4 + n_layers * n**2 * d_model"),
    edit(reference, {"4 * n_layers": "n_layers + 4"}, "n_layers + 4 * n**2 * d_model"))

exercise.mistake("pairs-of-different-tokens", "attention-flops",
    "The pairs are counted without those of a token with itself, or each pair once. Every query meets "
    "every key, itself included: n².",
    edit(reference, {"n**2 *": "n* (n - 1) *"}, "4 * n_layers * n * (n - 1) * d_model"),
    full("return 4 * n_layers * n * (n - 1) // 2 * d_model", "4 * n_layers * n * (n - 1) // 2 * d_model"))

exercise.mistake("causal-pairs", "attention-flops",
    "Only the pairs that a causal mask leaves are counted. Nothing is to be saved for it: all n² pairs "
    "count.",
    full("return 2 * n_layers * (n * (n + 1)) * d_model", "2 * n_layers * (n * (n + 1)) * d_model"))

exercise.mistake("additions-n-minus-one", "attention-flops",
    "The additions of a product are counted exactly, one fewer than the multiplications. A multiply-add "
    "counts 2 throughout.",
    full("return n_layers * (n * n * (2 * d_model - 1) + n * d_model * (2 * n - 1))",
         "n_layers * (n * n * (2 * d_model - 1) + n * d_model * (2 * n - 1))"))

exercise.mistake("arguments-mixed", "attention-flops",
    "n and d_model, or n_layers, have changed places. The order is n_layers, n, d_model.",
    edit(reference, {"n_layers * n": "n * n_layers"}, "4 * n * n_layers**2 * d_model"))

exercise.mistake("power-sign", "attention-flops",
    "In Python the sign ^ is not a power: it is exclusive or. Write n**2 or n * n.",
    edit(reference, {"n**2 *": "n^2 *"}, "4 * n_layers * n^2 * d_model"),
    edit(reference, {"n**2 *": "(n^2) *"}, "4 * n_layers * (n^2) * d_model"))

exercise.mistake("not-an-int", "attention-flops",
    "A count of operations is a whole number: return an int, neither a float nor a tensor of floats. Write "
    "4, not 4.0, and do not divide with /.",
    edit(reference, {"return 4": "return 4.0"}, "4.0 * n_layers * n**2 * d_model"),
    full("return torch.tensor(4.0 * n_layers * n**2 * d_model)",
         "torch.tensor(4.0 * n_layers * n**2 * d_model)"))

exercise.mistake("scaled-unit", "attention-flops",
    "The number is given in another unit, such as 10⁹ operations. Return the operations themselves.",
    edit(reference, {"2 * d_model": "2 * d_model / 1e9"}, "4 * n_layers * n**2 * d_model / 1e9"),
    full("return 4 * n_layers * n**2 * d_model // 10**9", "4 * n_layers * n**2 * d_model // 10**9"),
    edit(reference, {"2 * d_model": "2 * d_model / 1e12"}, "4 * n_layers * n**2 * d_model / 1e12"))

exercise.mistake("six", "attention-flops",
    "The rule of 6 operations for each parameter and token is about parameters. These two products have "
    "none.",
    edit(reference, {"return 4": "return 6"}, "6 * n_layers * n**2 * d_model"),
    edit(reference, {"4 * n_layers * n**2": "6 * n_layers * n"}, "6 * n_layers * n * d_model"),
    full("return 6 * n_layers * n * d_model**2", "6 * n_layers * n * d_model**2"))

exercise.mistake("float-in-between", "attention-flops",
    "Large numbers come out a little wrong: a float on the way keeps 16 digits only. Multiply ints alone: "
    "n * n, no math.pow, no 4.0.",
    full("return int(4.0 * n_layers * n * n * d_model)", "int(4.0 * n_layers * n * n * d_model)"))

exercise.mistake("overflow", "attention-flops",
    "The largest counts come out wrong: they pass 9.2 · 10¹⁸, the end of int64 in numpy and torch. Multiply "
    "Python's own ints, which have no end.",
    full("import numpy as np\n"
         "return int(4 * np.int64(n_layers) * np.int64(n)**2 * np.int64(d_model))", "numpy"),
    full("return 4 * torch.tensor(n_layers) * torch.tensor(n)**2 * torch.tensor(d_model)", "torch"))

exercise.mistake("heads-of-one-width", "attention-flops",
    "A width of the heads is assumed, such as 64. d_model is all heads together, whatever their number.",
    full("heads = d_model // 64\nreturn n_layers * heads * 4 * n * n * 64", "64"),
    full("heads = max(1, d_model // 64)\n"
         "return n_layers * heads * (2 * n * 64 * n + 2 * n * n * 64)", "64, at least one head"))

exercise.mistake("one-product-halved", "attention-flops",
    "The two products are counted differently: one with 2 for a multiply-add, the other with 1. Both cost "
    "the same.",
    edit(reference, {"return 4": "return 3"}, "3 * n_layers * n**2 * d_model"))

exercise.mistake("second-product-by-width", "attention-flops",
    "The second product is counted as n · d_model². weights · V multiplies (n, n) by (n, d_model): n² · "
    "d_model multiply-adds, as many as QKᵀ.",
    full("return 2 * n_layers * n * d_model * (n + d_model)", "2 * n_layers * n * d_model * (n + d_model)"),
    full("return n_layers * (n * n * d_model + n * d_model * d_model)", "without the 2 of a multiply-add"))

exercise.mistake("nothing-added", "attention-flops",
    "The count is 0 throughout. Add both products to the total, one after the other, in every layer.",
    edit(head_head, {"total += n * n * d_model + n * n * d_model": "pass"}))

exercise.built_in("returns-nothing",
    full("return print(4 * n_layers * n**2 * d_model)", "print(4 * n_layers * n**2 * d_model)"))

exercise.equal("a matrix product takes as many operations whichever of its three sizes is which, ints are "
    "ints, and a table may be shown",
    {"int(n_layers * d_model * 4 * pow(n, 2))": "(n_layers * d_model * 4 * pow(n, 2))",
     "FlopCounterMode(display=False)": ("FlopCounterMode()", "FlopCounterMode(display=True)"),
     "product(n, d_model, n)": ("product(d_model, n, n)", "product(n, n, d_model)"),
     "product(n, n, d_model)": "product(n, d_model, n)"})
