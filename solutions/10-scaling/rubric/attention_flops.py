"""The rubric of attention_flops: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "attention_flops",
    points={"scores and sums": 2},
    section="attention-flops",
    driver="counted_call",
    mistakes={
        "half": ("This is half of what it must be. There are two products, QKᵀ and weights · V, with n² · d_model multiply-adds each; a multiply-add counts 2; and "
                 "nothing is saved for a causal mask.", "attention-flops"),
        "quarter": ("This is a quarter of what it must be. There are two products, QKᵀ and weights · V, and each of their multiply-adds counts 2.", "attention-flops"),
        "linear-in-n": ("The count grows linearly with n. Every query meets every key: n² pairs.", "attention-flops"),
        "cubic-in-n": ("The count grows with n³. Every query meets every key: n² pairs, with d_model multiply-adds each.", "attention-flops"),
        "quadratic-in-width": ("The count grows with d_model². That belongs to the projections, which are not counted. A score takes one multiply-add for each of "
                               "the d_model columns.", "attention-flops"),
        "projections-counted": ("The projections are counted as well. Only QKᵀ and weights · V are asked for.", "attention-flops"),
        "width-missing": ("d_model plays no part. A score is a product over all columns of queries and keys: d_model multiply-adds over all heads.",
                          "attention-flops"),
        "layers-missing": ("n_layers plays no part. Every layer has its own attention: multiply by n_layers.", "attention-flops"),
        "layers-squared": ("The count does not grow in proportion to n_layers. Every layer costs the same: multiply by n_layers once.", "attention-flops"),
        "training": ("This is a forward and a backward pass. The forward pass alone is asked for.", "attention-flops"),
        "double": ("This is twice what it must be: 2 for the two products, and 2 for a multiply-add, make 4.", "attention-flops"),
        "softmax-counted": ("The softmax, or the scaling, is counted too. Only QKᵀ and weights · V are asked for.", "attention-flops"),
        "added": ("Factors are added where they must be multiplied. Every layer, every pair and every column counts: multiply all of them.", "attention-flops"),
        "pairs-of-different-tokens": ("The pairs are counted without those of a token with itself, or each pair once. Every query meets every key, itself included: n².",
                                      "attention-flops"),
        "causal-pairs": ("Only the pairs that a causal mask leaves are counted. Nothing is to be saved for it: all n² pairs count.", "attention-flops"),
        "additions-n-minus-one": ("The additions of a product are counted exactly, one fewer than the multiplications. A multiply-add counts 2 throughout.", "attention-flops"),
        "arguments-mixed": ("n and d_model, or n_layers, have changed places. The order is n_layers, n, d_model.", "attention-flops"),
        "power-sign": ("In Python the sign ^ is not a power: it is exclusive or. Write n**2 or n * n.", "attention-flops"),
        "not-an-int": ("A count of operations is a whole number: return an int, neither a float nor a tensor of floats. Write 4, not 4.0, and do not divide "
                       "with /.", "attention-flops"),
        "scaled-unit": ("The number is given in another unit, such as 10⁹ operations. Return the operations themselves.", "attention-flops"),
        "float-in-between": ("Large numbers come out a little wrong: a float on the way keeps 16 digits only. Multiply ints alone: n * n, no math.pow, no 4.0.",
                             "attention-flops"),
        "heads-of-one-width": ("A width of the heads is assumed, such as 64. d_model is all heads together, whatever their number.", "attention-flops"),
        "one-product-halved": ("The two products are counted differently: one with 2 for a multiply-add, the other with 1. Both cost the same.", "attention-flops"),
        "second-product-by-width": ("The second product is counted as n · d_model². weights · V multiplies (n, n) by (n, d_model): n² · d_model multiply-adds, as many as QKᵀ.",
                                    "attention-flops"),
        "six": ("The rule of 6 operations for each parameter and token is about parameters. These two products have none.", "attention-flops"),
    },
)


@exercise.probes
def _(make):
    group = {"group": "scores and sums"}
    yield make.probe("two layers, three tokens, width five", *make.pick((2, 3, 5), (3, 4, 7), (2, 5, 9)), **group)
    yield make.probe("more tokens", *make.pick((3, 10, 4), (2, 11, 6), (3, 13, 8)), **group)
    yield make.probe("more layers", *make.pick((7, 5, 6), (9, 6, 5), (11, 7, 4)), **group)
    yield make.probe("wide", *make.pick((2, 4, 64), (3, 5, 48), (3, 7, 80)), **group)
    yield make.probe("one token", *make.pick((3, 1, 8), (4, 1, 6), (5, 1, 12)), edge=True, **group)
    yield make.probe("one layer", *make.pick((1, 6, 8), (1, 7, 9), (1, 9, 10)), edge=True, **group)
    yield make.probe("tens of millions of tokens", *make.pick((3, 50_000_001, 77), (5, 40_000_003, 63), (7, 30_000_001, 91)), edge=True, **group)
    yield make.probe("GPT-3 at a million tokens", 96, make.pick(1_000_000, 2_000_000, 1_500_000), 12288, edge=True, **group)


@exercise.right
def reference(n_layers, n, d_model):
    return 4 * n_layers * n**2 * d_model


@exercise.alternative("two products")
def version_1(n_layers, n, d_model):
    scores = 2 * n * n * d_model
    mixed = 2 * n * n * d_model
    return n_layers * (scores + mixed)


@exercise.alternative("a sum over layers")
def version_2(n_layers, n, d_model):
    multiply_adds = sum(2 * (n * d_model * n) for _ in range(n_layers))
    return 2 * multiply_adds


@exercise.alternative("pow")
def version_3(n_layers, n, d_model):
    return int(n_layers * d_model * 4 * pow(n, 2))


@exercise.alternative("a helper for a matrix product")
def version_4(n_layers, n, d_model):
    def product(rows, inner, columns):
        return 2 * rows * inner * columns

    return n_layers * (product(n, d_model, n) + product(n, n, d_model))


@exercise.alternative("head by head")
def version_5(n_layers, n, d_model):
    total = 0
    for _ in range(n_layers):
        for product in ("scores", "sums"):
            total += n * n * d_model + n * n * d_model
    return total


@exercise.alternative("torch's own counter")
def version_77(n_layers, n, d_model):
    from torch.utils.flop_counter import FlopCounterMode
    counting = FlopCounterMode(display=False)
    with counting:
        tokens = torch.empty(n, d_model, device="meta")
        (tokens @ tokens.T) @ tokens
    return n_layers * counting.get_total_flops()


@exercise.wrong("half", "2 * n_layers * n**2 * d_model")
def version_6(n_layers, n, d_model):
    return 2 * n_layers * n**2 * d_model


@exercise.wrong("half", "n_layers * (n * n * d_model + n * n * d_model)")
def version_7(n_layers, n, d_model):
    return n_layers * (n * n * d_model + n * n * d_model)


@exercise.wrong("half", "4 * n_layers * n**2 * d_model // 2")
def version_8(n_layers, n, d_model):
    return 4 * n_layers * n**2 * d_model // 2


@exercise.wrong("quarter", "n_layers * n**2 * d_model")
def version_9(n_layers, n, d_model):
    return n_layers * n**2 * d_model


@exercise.wrong("quarter", "d_model * n * n * n_layers")
def version_10(n_layers, n, d_model):
    return d_model * n * n * n_layers


@exercise.wrong("linear-in-n", "4 * n_layers * n * d_model")
def version_11(n_layers, n, d_model):
    return 4 * n_layers * n * d_model


@exercise.wrong("linear-in-n", "2 * n_layers * n * d_model")
def version_12(n_layers, n, d_model):
    return 2 * n_layers * n * d_model


@exercise.wrong("linear-in-n", "n_layers * n * d_model")
def version_13(n_layers, n, d_model):
    return n_layers * n * d_model


@exercise.wrong("linear-in-n", "4 * n_layers * 2 * n * d_model")
def version_14(n_layers, n, d_model):
    return 4 * n_layers * 2 * n * d_model


@exercise.wrong("linear-in-n", "8 * n_layers * n * d_model")
def version_15(n_layers, n, d_model):
    return 8 * n_layers * n * d_model


@exercise.wrong("cubic-in-n", "4 * n_layers * n**3 * d_model")
def version_16(n_layers, n, d_model):
    return 4 * n_layers * n**3 * d_model


@exercise.wrong("cubic-in-n", "4 * n_layers * n**3")
def version_17(n_layers, n, d_model):
    return 4 * n_layers * n**3


@exercise.wrong("cubic-in-n", "2 * n_layers * n**3 * d_model")
def version_18(n_layers, n, d_model):
    return 2 * n_layers * n**3 * d_model


@exercise.wrong("quadratic-in-width", "4 * n_layers * n * d_model**2")
def version_19(n_layers, n, d_model):
    return 4 * n_layers * n * d_model**2


@exercise.wrong("quadratic-in-width", "4 * n_layers * n**2 * d_model**2")
def version_20(n_layers, n, d_model):
    return 4 * n_layers * n**2 * d_model**2


@exercise.wrong("quadratic-in-width", "8 * n_layers * n * d_model**2")
def version_21(n_layers, n, d_model):
    return 8 * n_layers * n * d_model**2


@exercise.wrong("quadratic-in-width", "2 * n_layers * n * d_model**2")
def version_22(n_layers, n, d_model):
    return 2 * n_layers * n * d_model**2


@exercise.wrong("quadratic-in-width", "2 * n_layers * n**2 * d_model**2")
def version_23(n_layers, n, d_model):
    return 2 * n_layers * n**2 * d_model**2


@exercise.wrong("projections-counted", "n_layers * (8 * n * d_model**2 + 4 * n**2 * d_model)")
def version_24(n_layers, n, d_model):
    return n_layers * (8 * n * d_model**2 + 4 * n**2 * d_model)


@exercise.wrong("projections-counted", "n_layers * (4 * n * d_model**2 + 2 * n**2 * d_model)")
def version_25(n_layers, n, d_model):
    return n_layers * (4 * n * d_model**2 + 2 * n**2 * d_model)


@exercise.wrong("projections-counted", "n_layers * (6 * n * d_model**2 + 4 * n**2 * d_model)")
def version_26(n_layers, n, d_model):
    return n_layers * (6 * n * d_model**2 + 4 * n**2 * d_model)


@exercise.wrong("projections-counted", "n_layers * (24 * n * d_model**2 + 4 * n**2 * d_model)")
def version_27(n_layers, n, d_model):
    return n_layers * (24 * n * d_model**2 + 4 * n**2 * d_model)


@exercise.wrong("projections-counted", "n_layers * (4 * n * d_model**2 + 4 * n**2 * d_model)")
def version_28(n_layers, n, d_model):
    return n_layers * (4 * n * d_model**2 + 4 * n**2 * d_model)


@exercise.wrong("width-missing", "4 * n_layers * n**2")
def version_29(n_layers, n, d_model):
    return 4 * n_layers * n**2


@exercise.wrong("width-missing", "2 * n_layers * n**2")
def version_30(n_layers, n, d_model):
    return 2 * n_layers * n**2


@exercise.wrong("width-missing", "n_layers * n**2")
def version_31(n_layers, n, d_model):
    return n_layers * n**2


@exercise.wrong("layers-missing", "4 * n**2 * d_model")
def version_32(n_layers, n, d_model):
    return 4 * n**2 * d_model


@exercise.wrong("layers-missing", "2 * n**2 * d_model")
def version_33(n_layers, n, d_model):
    return 2 * n**2 * d_model


@exercise.wrong("layers-missing", "n**2 * d_model")
def version_34(n_layers, n, d_model):
    return n**2 * d_model


@exercise.wrong("layers-squared", "4 * n_layers**2 * n**2 * d_model")
def version_35(n_layers, n, d_model):
    return 4 * n_layers**2 * n**2 * d_model


@exercise.wrong("layers-squared", "(2 * n_layers * n)**2 * d_model")
def version_36(n_layers, n, d_model):
    return (2 * n_layers * n)**2 * d_model


@exercise.wrong("training", "12 * n_layers * n**2 * d_model")
def version_37(n_layers, n, d_model):
    return 12 * n_layers * n**2 * d_model


@exercise.wrong("training", "3 * 4 * n_layers * n * n * d_model")
def version_38(n_layers, n, d_model):
    return 3 * 4 * n_layers * n * n * d_model


@exercise.wrong("double", "8 * n_layers * n**2 * d_model")
def version_39(n_layers, n, d_model):
    return 8 * n_layers * n**2 * d_model


@exercise.wrong("softmax-counted", "n_layers * (4 * n**2 * d_model + n**2)")
def version_40(n_layers, n, d_model):
    return n_layers * (4 * n**2 * d_model + n**2)


@exercise.wrong("softmax-counted", "n_layers * (4 * n**2 * d_model + 2 * n**2)")
def version_41(n_layers, n, d_model):
    return n_layers * (4 * n**2 * d_model + 2 * n**2)


@exercise.wrong("softmax-counted", "n_layers * (4 * n**2 * d_model + 3 * n**2)")
def version_42(n_layers, n, d_model):
    return n_layers * (4 * n**2 * d_model + 3 * n**2)


@exercise.wrong("softmax-counted", "n_layers * (4 * n**2 * d_model + 5 * n**2)")
def version_43(n_layers, n, d_model):
    return n_layers * (4 * n**2 * d_model + 5 * n**2)


@exercise.wrong("softmax-counted", "n_layers * (4 * n**2 * d_model + 4 * n**2)")
def version_44(n_layers, n, d_model):
    return n_layers * (4 * n**2 * d_model + 4 * n**2)


@exercise.wrong("added", "4 * n_layers * (n**2 + d_model)")
def version_45(n_layers, n, d_model):
    return 4 * n_layers * (n**2 + d_model)


@exercise.wrong("added", "4 * (n_layers + n**2 + d_model)")
def version_46(n_layers, n, d_model):
    return 4 * (n_layers + n**2 + d_model)


@exercise.wrong("added", "4 * n_layers + n**2 * d_model")
def version_47(n_layers, n, d_model):
    return 4 * n_layers + n**2 * d_model


@exercise.wrong("added", "4 + n_layers * n**2 * d_model")
def version_48(n_layers, n, d_model):
    return 4 + n_layers * n**2 * d_model


@exercise.wrong("added", "n_layers + 4 * n**2 * d_model")
def version_49(n_layers, n, d_model):
    return n_layers + 4 * n**2 * d_model


@exercise.wrong("pairs-of-different-tokens", "4 * n_layers * n * (n - 1) * d_model")
def version_50(n_layers, n, d_model):
    return 4 * n_layers * n * (n - 1) * d_model


@exercise.wrong("pairs-of-different-tokens", "4 * n_layers * n * (n - 1) // 2 * d_model")
def version_51(n_layers, n, d_model):
    return 4 * n_layers * n * (n - 1) // 2 * d_model


@exercise.wrong("causal-pairs", "4 * n_layers * n * (n + 1) // 2 * d_model")
def version_52(n_layers, n, d_model):
    return 4 * n_layers * n * (n + 1) // 2 * d_model


@exercise.wrong("causal-pairs", "2 * n_layers * (n * (n + 1)) * d_model")
def version_53(n_layers, n, d_model):
    return 2 * n_layers * (n * (n + 1)) * d_model


@exercise.wrong("causal-pairs", "4 * n_layers * sum(range(n + 1)) * d_model")
def version_54(n_layers, n, d_model):
    return 4 * n_layers * sum(range(n + 1)) * d_model


@exercise.wrong("additions-n-minus-one", "n_layers * (n * n * (2 * d_model - 1) + n * d_model * (2 * n - 1))")
def version_55(n_layers, n, d_model):
    return n_layers * (n * n * (2 * d_model - 1) + n * d_model * (2 * n - 1))


@exercise.wrong("arguments-mixed", "4 * n * n_layers**2 * d_model")
def version_56(n_layers, n, d_model):
    return 4 * n * n_layers**2 * d_model


@exercise.wrong("power-sign", "4 * n_layers * n^2 * d_model")
def version_57(n_layers, n, d_model):
    return 4 * n_layers * n^2 * d_model


@exercise.wrong("power-sign", "4 * n_layers * (n^2) * d_model")
def version_58(n_layers, n, d_model):
    return 4 * n_layers * (n^2) * d_model


@exercise.wrong("not-an-int", "4.0 * n_layers * n**2 * d_model")
def version_59(n_layers, n, d_model):
    return 4.0 * n_layers * n**2 * d_model


@exercise.wrong("not-an-int", "n_layers * n**2 * d_model / 0.25")
def version_60(n_layers, n, d_model):
    return n_layers * n**2 * d_model / 0.25


@exercise.wrong("not-an-int", "float(4 * n_layers * n**2 * d_model)")
def version_61(n_layers, n, d_model):
    return float(4 * n_layers * n**2 * d_model)


@exercise.wrong("not-an-int", "torch.tensor(4.0 * n_layers * n**2 * d_model)")
def version_62(n_layers, n, d_model):
    return torch.tensor(4.0 * n_layers * n**2 * d_model)


@exercise.wrong("scaled-unit", "4 * n_layers * n**2 * d_model / 1e9")
def version_63(n_layers, n, d_model):
    return 4 * n_layers * n**2 * d_model / 1e9


@exercise.wrong("scaled-unit", "4 * n_layers * n**2 * d_model // 10**9")
def version_64(n_layers, n, d_model):
    return 4 * n_layers * n**2 * d_model // 10**9


@exercise.wrong("scaled-unit", "4 * n_layers * n**2 * d_model / 1e12")
def version_65(n_layers, n, d_model):
    return 4 * n_layers * n**2 * d_model / 1e12


@exercise.wrong("six", "6 * n_layers * n**2 * d_model")
def version_66(n_layers, n, d_model):
    return 6 * n_layers * n**2 * d_model


@exercise.wrong("six", "6 * n_layers * n * d_model")
def version_67(n_layers, n, d_model):
    return 6 * n_layers * n * d_model


@exercise.wrong("six", "6 * n_layers * n * d_model**2")
def version_68(n_layers, n, d_model):
    return 6 * n_layers * n * d_model**2


@exercise.wrong("float-in-between", "int(4 * n_layers * math.pow(n, 2) * d_model)")
def version_70(n_layers, n, d_model):
    import math
    return int(4 * n_layers * math.pow(n, 2) * d_model)


@exercise.wrong("float-in-between", "int(4.0 * n_layers * n * n * d_model)")
def version_71(n_layers, n, d_model):
    return int(4.0 * n_layers * n * n * d_model)


@exercise.wrong("float-in-between", "round(4e0 * d_model * n_layers * n**2)")
def version_72(n_layers, n, d_model):
    return round(4e0 * d_model * n_layers * n**2)


@exercise.wrong("heads-of-one-width", "64")
def version_73(n_layers, n, d_model):
    heads = d_model // 64
    return n_layers * heads * 4 * n * n * 64


@exercise.wrong("heads-of-one-width", "64, at least one head")
def version_74(n_layers, n, d_model):
    heads = max(1, d_model // 64)
    return n_layers * heads * (2 * n * 64 * n + 2 * n * n * 64)


@exercise.wrong("one-product-halved", "the scores twice, the sums once")
def version_75(n_layers, n, d_model):
    return n_layers * (2 * n * n * d_model + n * n * d_model)


@exercise.wrong("one-product-halved", "3 * n_layers * n**2 * d_model")
def version_76(n_layers, n, d_model):
    return 3 * n_layers * n**2 * d_model


@exercise.wrong("second-product-by-width", "2 * n * n * d_model + 2 * n * d_model**2")
def version_78(n_layers, n, d_model):
    return n_layers * (2 * n * n * d_model + 2 * n * d_model**2)


@exercise.wrong("second-product-by-width", "the scores, then n by d_model by d_model")
def version_79(n_layers, n, d_model):
    scores = 2 * n * d_model * n
    sums = 2 * n * d_model * d_model
    return (scores + sums) * n_layers


@exercise.wrong("second-product-by-width", "2 * n_layers * n * d_model * (n + d_model)")
def version_80(n_layers, n, d_model):
    return 2 * n_layers * n * d_model * (n + d_model)


@exercise.wrong("second-product-by-width", "without the 2 of a multiply-add")
def version_81(n_layers, n, d_model):
    return n_layers * (n * n * d_model + n * d_model * d_model)


@exercise.wrong("returns-nothing", "print(4 * n_layers * n**2 * d_model)")
def version_69(n_layers, n, d_model):
    return print(4 * n_layers * n**2 * d_model)
