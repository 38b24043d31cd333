"""training_flops: probes, right versions, and each mistake with its message and its evidence."""


from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "training_flops",
    points={"six": 2},
    section="flops-6nd",
)


@exercise.probes
def probes(make):
    group = {"group": "six"}
    yield make.probe("a few parameters and tokens", *make.pick((10, 3), (11, 4), (13, 5)), **group)
    yield make.probe("more tokens than parameters", *make.pick((7, 120), (9, 130), (11, 150)), **group)
    yield make.probe("one token", make.pick(25, 35, 45), 1, **group)
    yield make.probe("no token", make.pick(25, 35, 45), 0, edge=True, **group)
    yield make.probe("a small GPT", *make.pick((124_439_808, 1_000_000), (354_823_168, 2_000_000),
                                               (774_030_080, 3_000_000)), edge=True, **group)
    yield make.probe("GPT-3", 174_604_259_328, 300_000_000_000, edge=True, **group)
    yield make.probe("an odd number of tokens", 174_604_259_328,
                     *make.pick((300_000_000_001,), (310_000_000_003,),
                                (330_000_000_007,)), edge=True, **group)


@exercise.right
def reference(n_parameters, n_tokens):
    return 6 * n_parameters * n_tokens


exercise.also_right(
    full("forward = 2 * n_parameters * n_tokens\nreturn forward + 2 * forward", "forward and backward"),
    full("per_token = n_parameters * (2 + 4)\nreturn int(n_tokens * per_token)", "per token"),
    full("from math import prod\nreturn prod((3, 2, n_tokens, n_parameters))", "math.prod"),
    full('return sum(2 * n_parameters * n_tokens for _ in ("forward", "gradient of inputs", "gradient of '
         'weights"))', "three passes"),
    full("FLOPS_PER_MULTIPLY_ADD = 2\n"
         "FORWARD, BACKWARD = 1, 2\n"
         "return FLOPS_PER_MULTIPLY_ADD * (FORWARD + BACKWARD) * int(n_parameters) * int(n_tokens)",
         "constants with names"))


exercise.mistake("forward-alone", "flops-6nd",
    "This is the forward pass alone, 2 operations for each parameter and token. The backward pass costs "
    "twice as much again.",
    edit(reference, {"return 6": "return 2"}, "2 * n_parameters * n_tokens"))

exercise.mistake("backward-alone", "flops-6nd",
    "Four operations for each parameter and token: this is the backward pass alone, or a backward pass "
    "that costs no more than the forward pass. Forward takes 2, and backward twice as much, 4.",
    edit(reference, {"return 6": "return 4"}, "4 * n_parameters * n_tokens"))

exercise.mistake("multiply-add-as-one", "flops-6nd",
    "A multiply-add counts as two operations here: one multiplication, one addition. This is half of what "
    "it must be.",
    edit(reference, {"return 6": "return 3"}, "3 * n_parameters * n_tokens"))

exercise.mistake("no-factor", "flops-6nd",
    "Parameters times tokens is not yet the number of operations. Each parameter is used in a multiply-add "
    "forward and in two backward, and a multiply-add counts 2.",
    edit(reference, {"return 6 *": "return"}, "n_parameters * n_tokens"))

exercise.mistake("recomputation", "flops-6nd",
    "This counts a second forward pass, as in training with recomputed activations. The usual rule has one "
    "forward and one backward pass.",
    edit(reference, {"return 6": "return 8"}, "8 * n_parameters * n_tokens"))

exercise.mistake("factor-12", "flops-6nd",
    "This is twice what it must be: the 6 already counts a multiply-add as two operations.",
    edit(reference, {"return 6": "return 12"}, "12 * n_parameters * n_tokens"))

exercise.mistake("tokens-ignored", "flops-6nd",
    "The number of tokens plays no part. Every token passes through all parameters.",
    edit(reference, {" * n_tokens": ""}, "6 * n_parameters"),
    full("return n_parameters", "n_parameters"),
    full("return 2 * n_parameters", "2 * n_parameters"))

exercise.mistake("parameters-ignored", "flops-6nd",
    "The number of parameters plays no part. Every parameter is used for each token.",
    edit(reference, {" n_parameters *": ""}, "6 * n_tokens"),
    full("return n_tokens", "n_tokens"),
    edit(reference, {"6 * n_parameters": "2"}, "2 * n_tokens"))

exercise.mistake("added", "flops-6nd",
    "Something is added that must be multiplied. Every token meets every parameter, several times.",
    full("return 6 * (n_parameters + n_tokens)", "6 * (n_parameters + n_tokens)"),
    edit(reference, {"* n_tokens": "+ n_tokens"}, "6 * n_parameters + n_tokens"),
    edit(reference, {"6 * n_parameters *": "n_parameters +"}, "n_parameters + n_tokens"),
    full("return 2 * n_parameters + 4 * n_tokens", "2 * n_parameters + 4 * n_tokens"),
    edit(reference, {"return 6 *": "return 6 +"}, "6 + n_parameters * n_tokens"))

exercise.mistake("squared", "flops-6nd",
    "Something is squared. The operations grow linearly with the parameters, and linearly with the tokens: "
    "multiply each by the other once, and by 6.",
    edit(reference, {"* n_tokens": "* n_tokens **2"}, "6 * n_parameters * n_tokens**2"),
    edit(reference, {"* n_tokens": "**2 * n_tokens"}, "6 * n_parameters**2 * n_tokens"),
    edit(reference, {"* n_tokens": "**2"}, "6 * n_parameters**2"),
    full("return 6 * n_tokens**2", "6 * n_tokens**2"),
    full("return (6 * n_parameters * n_tokens)**2", "(6 * n_parameters * n_tokens)**2"),
    edit(reference, {"return 6": "return 6 ** 2"}, "6 ** 2 * n_parameters * n_tokens"))

exercise.mistake("divided", "flops-6nd",
    "A quotient is taken. Every token meets every parameter, several times: multiply.",
    full("return 6 * n_parameters // max(n_tokens, 1)", "6 * n_parameters // max(n_tokens, 1)"),
    full("return 6 * n_tokens // n_parameters", "6 * n_tokens // n_parameters"),
    full("return n_parameters * n_tokens // 6", "n_parameters * n_tokens // 6"))

exercise.mistake("compute-optimal-tokens", "flops-6nd",
    "The tokens are taken as 20 for each parameter. n_tokens says how many there are.",
    full("return 120 * n_parameters**2", "120 * n_parameters**2"))

exercise.mistake("power-sign", "flops-6nd", "In Python the sign ^ is exclusive or. Multiply with *.",
    edit(reference, {"* n_tokens": "^ n_tokens"}, "6 * n_parameters ^ n_tokens"),
    edit(reference, {"return 6 *": "return 6 ^"}, "6 ^ n_parameters * n_tokens"))

exercise.mistake("not-an-int", "flops-6nd",
    "A count of operations is a whole number: return int. Write 6, not 6.0, and return no float, text or "
    "torch tensor of floats.",
    edit(reference, {"return 6": "return 6.0"}, "6.0 * n_parameters * n_tokens"),
    full("return torch.tensor(6.0 * n_parameters * n_tokens)", "torch.tensor(6.0 * n_parameters * n_tokens)"),
    full("return str(6 * n_parameters * n_tokens)", "str(6 * n_parameters * n_tokens)"),
    full('return f"{6 * n_parameters * n_tokens:.2e}"', "f'{6 * n_parameters * n_tokens:.2e}'"))

exercise.mistake("scaled-unit", "flops-6nd",
    "The number is given in another unit, such as 10¹² operations, or rounded. Return the operations "
    "themselves, as an int.",
    full("return 6 * n_parameters * n_tokens / 1e12", "6 * n_parameters * n_tokens / 1e12"),
    full("return 6 * n_parameters * n_tokens // 10**12", "6 * n_parameters * n_tokens // 10**12"),
    full("return 6 * n_parameters * n_tokens / 1e15", "6 * n_parameters * n_tokens / 1e15"),
    edit(reference, {"* n_tokens": "* n_tokens / 1e9"}, "6 * n_parameters * n_tokens / 1e9"))

exercise.mistake("another-factor", "flops-6nd",
    "The factor is wrong. Each parameter is used in one multiply-add forward and in two backward for each "
    "token, and a multiply-add counts 2.",
    edit(reference, {"return 6": "return 5"}, "5 * n_parameters * n_tokens"),
    edit(reference, {"return 6": "return 7"}, "7 * n_parameters * n_tokens"),
    edit(reference, {"return 6": "return 9"}, "9 * n_parameters * n_tokens"),
    edit(reference, {"return 6": "return 10"}, "10 * n_parameters * n_tokens"),
    edit(reference, {"return 6": "return 18"}, "18 * n_parameters * n_tokens"),
    edit(reference, {"return 6": "return 24"}, "24 * n_parameters * n_tokens"),
    edit(reference, {"return 6": "return 16"}, "16 * n_parameters * n_tokens"))

exercise.mistake("overflow", "flops-6nd",
    "Large numbers come out wrong: 64 bits are too few for them. Python's own int has no limit; a torch or "
    "numpy integer has.",
    full("return int(6 * torch.tensor(n_parameters) * n_tokens)",
         "int(6 * torch.tensor(n_parameters) * n_tokens)"))

exercise.mistake("float-in-between", "flops-6nd",
    "Large numbers come out a little wrong: a float on the way keeps 16 digits only. Multiply ints, such "
    "as 6, and not 6.0.",
    full("return int(6.0 * n_parameters * n_tokens)", "int(6.0 * n_parameters * n_tokens)"),
    full("return int(float(n_parameters) * n_tokens) * 6", "int(float(n_parameters) * n_tokens) * 6"))

exercise.built_in("returns-nothing",
    full("return print(6 * n_parameters * n_tokens)", "print(6 * n_parameters * n_tokens)"))

exercise.equal("what is given are ints, and so is their product",
    {"int(n_tokens * per_token)": "(n_tokens * per_token)", "int(n_parameters)": "n_parameters",
     "int(n_tokens)": "n_tokens"})
