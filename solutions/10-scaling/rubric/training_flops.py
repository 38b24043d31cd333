"""The rubric of training_flops: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "training_flops",
    points={"six": 2},
    section="flops-6nd",
    mistakes={
        "forward-alone": ("This is the forward pass alone, 2 operations for each parameter and token. The backward pass costs twice as much again.", "flops-6nd"),
        "backward-alone": ("Four operations for each parameter and token: this is the backward pass alone, or a backward pass that costs no more than the forward pass. "
                           "Forward takes 2, and backward twice as much, 4.", "flops-6nd"),
        "multiply-add-as-one": ("A multiply-add counts as two operations here: one multiplication, one addition. This is half of what it must be.", "flops-6nd"),
        "no-factor": ("Parameters times tokens is not yet the number of operations. Each parameter is used in a multiply-add forward and in two backward, and a "
                      "multiply-add counts 2.", "flops-6nd"),
        "recomputation": ("This counts a second forward pass, as in training with recomputed activations. The usual rule has one forward and one backward pass.",
                          "flops-6nd"),
        "factor-12": ("This is twice what it must be: the 6 already counts a multiply-add as two operations.", "flops-6nd"),
        "tokens-ignored": ("The number of tokens plays no part. Every token passes through all parameters.", "flops-6nd"),
        "parameters-ignored": ("The number of parameters plays no part. Every parameter is used for each token.", "flops-6nd"),
        "added": ("Something is added that must be multiplied. Every token meets every parameter, several times.", "flops-6nd"),
        "squared": ("Something is squared. The operations grow linearly with the parameters, and linearly with the tokens: multiply each by the other once, "
                    "and by 6.", "flops-6nd"),
        "divided": ("A quotient is taken. Every token meets every parameter, several times: multiply.", "flops-6nd"),
        "compute-optimal-tokens": ("The tokens are taken as 20 for each parameter. n_tokens says how many there are.", "flops-6nd"),
        "power-sign": ("In Python the sign ^ is exclusive or. Multiply with *.", "flops-6nd"),
        "not-an-int": ("A count of operations is a whole number: return int. Write 6, not 6.0, and return no float, text or torch tensor of floats.",
                       "flops-6nd"),
        "scaled-unit": ("The number is given in another unit, such as 10¹² operations, or rounded. Return the operations themselves, as an int.", "flops-6nd"),
        "another-factor": ("The factor is wrong. Each parameter is used in one multiply-add forward and in two backward for each token, and a multiply-add counts 2.",
                           "flops-6nd"),
        "float-in-between": ("Large numbers come out a little wrong: a float on the way keeps 16 digits only. Multiply ints, such as 6, and not 6.0.", "flops-6nd"),
        "overflow": ("Large numbers come out wrong: 64 bits are too few for them. Python's own int has no limit; a torch or numpy integer has.", "flops-6nd"),
    },
)


@exercise.probes
def _(make):
    group = {"group": "six"}
    yield make.probe("ten parameters, three tokens", *make.pick((10, 3), (11, 4), (13, 5)), **group)
    yield make.probe("more tokens than parameters", *make.pick((7, 120), (9, 130), (11, 150)), **group)
    yield make.probe("one token", make.pick(25, 35, 45), 1, **group)
    yield make.probe("no token", make.pick(25, 35, 45), 0, edge=True, **group)
    yield make.probe("a small GPT", *make.pick((124_439_808, 1_000_000), (354_823_168, 2_000_000), (774_030_080, 3_000_000)), edge=True, **group)
    yield make.probe("GPT-3", 174_604_259_328, 300_000_000_000, edge=True, **group)
    yield make.probe("an odd number of tokens", 174_604_259_328, *make.pick((300_000_000_001,), (310_000_000_003,), (330_000_000_007,)), edge=True, **group)


@exercise.right
def reference(n_parameters, n_tokens):
    return 6 * n_parameters * n_tokens


@exercise.alternative("forward and backward")
def version_1(n_parameters, n_tokens):
    forward = 2 * n_parameters * n_tokens
    return forward + 2 * forward


@exercise.alternative("per token")
def version_2(n_parameters, n_tokens):
    per_token = n_parameters * (2 + 4)
    return int(n_tokens * per_token)


@exercise.alternative("math.prod")
def version_3(n_parameters, n_tokens):
    from math import prod
    return prod((3, 2, n_tokens, n_parameters))


@exercise.alternative("three passes")
def version_4(n_parameters, n_tokens):
    return sum(2 * n_parameters * n_tokens for _ in ("forward", "gradient of inputs", "gradient of weights"))


@exercise.alternative("constants with names")
def version_5(n_parameters, n_tokens):
    FLOPS_PER_MULTIPLY_ADD = 2
    FORWARD, BACKWARD = 1, 2
    return FLOPS_PER_MULTIPLY_ADD * (FORWARD + BACKWARD) * int(n_parameters) * int(n_tokens)


@exercise.wrong("forward-alone", "2 * n_parameters * n_tokens")
def version_6(n_parameters, n_tokens):
    return 2 * n_parameters * n_tokens


@exercise.wrong("forward-alone", "n_parameters * n_tokens * 2")
def version_7(n_parameters, n_tokens):
    return n_parameters * n_tokens * 2


@exercise.wrong("forward-alone", "n_parameters * n_tokens + n_tokens * n_parameters")
def version_8(n_parameters, n_tokens):
    return n_parameters * n_tokens + n_tokens * n_parameters


@exercise.wrong("backward-alone", "4 * n_parameters * n_tokens")
def version_9(n_parameters, n_tokens):
    return 4 * n_parameters * n_tokens


@exercise.wrong("backward-alone", "2 * (2 * n_parameters * n_tokens)")
def version_10(n_parameters, n_tokens):
    return 2 * (2 * n_parameters * n_tokens)


@exercise.wrong("multiply-add-as-one", "3 * n_parameters * n_tokens")
def version_11(n_parameters, n_tokens):
    return 3 * n_parameters * n_tokens


@exercise.wrong("multiply-add-as-one", "n_parameters * n_tokens * (1 + 2)")
def version_12(n_parameters, n_tokens):
    return n_parameters * n_tokens * (1 + 2)


@exercise.wrong("no-factor", "n_parameters * n_tokens")
def version_13(n_parameters, n_tokens):
    return n_parameters * n_tokens


@exercise.wrong("no-factor", "n_tokens * n_parameters")
def version_14(n_parameters, n_tokens):
    return n_tokens * n_parameters


@exercise.wrong("recomputation", "8 * n_parameters * n_tokens")
def version_15(n_parameters, n_tokens):
    return 8 * n_parameters * n_tokens


@exercise.wrong("recomputation", "2 * n_parameters * n_tokens * 4")
def version_16(n_parameters, n_tokens):
    return 2 * n_parameters * n_tokens * 4


@exercise.wrong("factor-12", "12 * n_parameters * n_tokens")
def version_17(n_parameters, n_tokens):
    return 12 * n_parameters * n_tokens


@exercise.wrong("tokens-ignored", "6 * n_parameters")
def version_18(n_parameters, n_tokens):
    return 6 * n_parameters


@exercise.wrong("tokens-ignored", "n_parameters")
def version_19(n_parameters, n_tokens):
    return n_parameters


@exercise.wrong("tokens-ignored", "2 * n_parameters")
def version_20(n_parameters, n_tokens):
    return 2 * n_parameters


@exercise.wrong("parameters-ignored", "6 * n_tokens")
def version_21(n_parameters, n_tokens):
    return 6 * n_tokens


@exercise.wrong("parameters-ignored", "n_tokens")
def version_22(n_parameters, n_tokens):
    return n_tokens


@exercise.wrong("parameters-ignored", "2 * n_tokens")
def version_23(n_parameters, n_tokens):
    return 2 * n_tokens


@exercise.wrong("added", "6 * (n_parameters + n_tokens)")
def version_24(n_parameters, n_tokens):
    return 6 * (n_parameters + n_tokens)


@exercise.wrong("added", "6 * n_parameters + n_tokens")
def version_25(n_parameters, n_tokens):
    return 6 * n_parameters + n_tokens


@exercise.wrong("added", "n_parameters + n_tokens")
def version_26(n_parameters, n_tokens):
    return n_parameters + n_tokens


@exercise.wrong("added", "2 * n_parameters + 4 * n_tokens")
def version_27(n_parameters, n_tokens):
    return 2 * n_parameters + 4 * n_tokens


@exercise.wrong("added", "6 + n_parameters * n_tokens")
def version_28(n_parameters, n_tokens):
    return 6 + n_parameters * n_tokens


@exercise.wrong("squared", "6 * n_parameters * n_tokens**2")
def version_29(n_parameters, n_tokens):
    return 6 * n_parameters * n_tokens**2


@exercise.wrong("squared", "6 * n_parameters**2 * n_tokens")
def version_30(n_parameters, n_tokens):
    return 6 * n_parameters**2 * n_tokens


@exercise.wrong("squared", "6 * n_parameters**2")
def version_31(n_parameters, n_tokens):
    return 6 * n_parameters**2


@exercise.wrong("squared", "6 * n_tokens**2")
def version_32(n_parameters, n_tokens):
    return 6 * n_tokens**2


@exercise.wrong("squared", "(6 * n_parameters * n_tokens)**2")
def version_33(n_parameters, n_tokens):
    return (6 * n_parameters * n_tokens)**2


@exercise.wrong("squared", "6 ** 2 * n_parameters * n_tokens")
def version_34(n_parameters, n_tokens):
    return 6 ** 2 * n_parameters * n_tokens


@exercise.wrong("divided", "6 * n_parameters // max(n_tokens, 1)")
def version_35(n_parameters, n_tokens):
    return 6 * n_parameters // max(n_tokens, 1)


@exercise.wrong("divided", "6 * n_tokens // n_parameters")
def version_36(n_parameters, n_tokens):
    return 6 * n_tokens // n_parameters


@exercise.wrong("divided", "n_parameters * n_tokens // 6")
def version_37(n_parameters, n_tokens):
    return n_parameters * n_tokens // 6


@exercise.wrong("compute-optimal-tokens", "6 * n_parameters * 20 * n_parameters")
def version_38(n_parameters, n_tokens):
    return 6 * n_parameters * 20 * n_parameters


@exercise.wrong("compute-optimal-tokens", "6 * n_parameters * max(n_tokens, 20 * n_parameters)")
def version_39(n_parameters, n_tokens):
    return 6 * n_parameters * max(n_tokens, 20 * n_parameters)


@exercise.wrong("compute-optimal-tokens", "120 * n_parameters**2")
def version_40(n_parameters, n_tokens):
    return 120 * n_parameters**2


@exercise.wrong("power-sign", "6 * n_parameters ^ n_tokens")
def version_41(n_parameters, n_tokens):
    return 6 * n_parameters ^ n_tokens


@exercise.wrong("power-sign", "6 ^ n_parameters * n_tokens")
def version_42(n_parameters, n_tokens):
    return 6 ^ n_parameters * n_tokens


@exercise.wrong("not-an-int", "6.0 * n_parameters * n_tokens")
def version_43(n_parameters, n_tokens):
    return 6.0 * n_parameters * n_tokens


@exercise.wrong("not-an-int", "float(6 * n_parameters * n_tokens)")
def version_44(n_parameters, n_tokens):
    return float(6 * n_parameters * n_tokens)


@exercise.wrong("not-an-int", "torch.tensor(6.0 * n_parameters * n_tokens)")
def version_45(n_parameters, n_tokens):
    return torch.tensor(6.0 * n_parameters * n_tokens)


@exercise.wrong("not-an-int", "str(6 * n_parameters * n_tokens)")
def version_46(n_parameters, n_tokens):
    return str(6 * n_parameters * n_tokens)


@exercise.wrong("not-an-int", "f'{6 * n_parameters * n_tokens:.2e}'")
def version_47(n_parameters, n_tokens):
    return f"{6 * n_parameters * n_tokens:.2e}"


@exercise.wrong("scaled-unit", "6 * n_parameters * n_tokens / 1e12")
def version_48(n_parameters, n_tokens):
    return 6 * n_parameters * n_tokens / 1e12


@exercise.wrong("scaled-unit", "6 * n_parameters * n_tokens // 10**12")
def version_49(n_parameters, n_tokens):
    return 6 * n_parameters * n_tokens // 10**12


@exercise.wrong("scaled-unit", "6 * n_parameters * n_tokens / 1e15")
def version_50(n_parameters, n_tokens):
    return 6 * n_parameters * n_tokens / 1e15


@exercise.wrong("scaled-unit", "6 * n_parameters * n_tokens / 1e9")
def version_51(n_parameters, n_tokens):
    return 6 * n_parameters * n_tokens / 1e9


@exercise.wrong("another-factor", "5 * n_parameters * n_tokens")
def version_52(n_parameters, n_tokens):
    return 5 * n_parameters * n_tokens


@exercise.wrong("another-factor", "7 * n_parameters * n_tokens")
def version_53(n_parameters, n_tokens):
    return 7 * n_parameters * n_tokens


@exercise.wrong("another-factor", "9 * n_parameters * n_tokens")
def version_54(n_parameters, n_tokens):
    return 9 * n_parameters * n_tokens


@exercise.wrong("another-factor", "10 * n_parameters * n_tokens")
def version_55(n_parameters, n_tokens):
    return 10 * n_parameters * n_tokens


@exercise.wrong("another-factor", "18 * n_parameters * n_tokens")
def version_56(n_parameters, n_tokens):
    return 18 * n_parameters * n_tokens


@exercise.wrong("another-factor", "24 * n_parameters * n_tokens")
def version_57(n_parameters, n_tokens):
    return 24 * n_parameters * n_tokens


@exercise.wrong("another-factor", "16 * n_parameters * n_tokens")
def version_58(n_parameters, n_tokens):
    return 16 * n_parameters * n_tokens


@exercise.wrong("overflow", "6 * torch.tensor(n_parameters) * torch.tensor(n_tokens)")
def version_59(n_parameters, n_tokens):
    return 6 * torch.tensor(n_parameters) * torch.tensor(n_tokens)


@exercise.wrong("overflow", "int(6 * torch.tensor(n_parameters) * n_tokens)")
def version_60(n_parameters, n_tokens):
    return int(6 * torch.tensor(n_parameters) * n_tokens)


@exercise.wrong("overflow", "int(torch.tensor([6, n_parameters, n_tokens]).prod())")
def version_61(n_parameters, n_tokens):
    return int(torch.tensor([6, n_parameters, n_tokens]).prod())


@exercise.wrong("overflow", "(6 * torch.tensor(n_parameters) * n_tokens).item()")
def version_62(n_parameters, n_tokens):
    return (6 * torch.tensor(n_parameters) * n_tokens).item()


@exercise.wrong("backward-alone", "as much as forward")
def version_64(n_parameters, n_tokens):
    fwd = 2 * n_parameters * n_tokens
    bwd = fwd
    return fwd + bwd


@exercise.wrong("float-in-between", "int(6.0 * n_parameters * n_tokens)")
def version_65(n_parameters, n_tokens):
    return int(6.0 * n_parameters * n_tokens)


@exercise.wrong("float-in-between", "round(6e0 * n_tokens * n_parameters)")
def version_66(n_parameters, n_tokens):
    return round(6e0 * n_tokens * n_parameters)


@exercise.wrong("float-in-between", "int(float(n_parameters) * n_tokens) * 6")
def version_67(n_parameters, n_tokens):
    return int(float(n_parameters) * n_tokens) * 6


@exercise.wrong("returns-nothing", "print(6 * n_parameters * n_tokens)")
def version_63(n_parameters, n_tokens):
    return print(6 * n_parameters * n_tokens)
