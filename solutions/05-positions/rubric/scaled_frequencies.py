"""scaled_frequencies: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch

from coursegrader.rubric import Exercise, edit, every

exercise = Exercise(
    "scaled_frequencies",
    points={"three methods": 3, "other bases, lengths and factors": 1},
    section="scaled-rotary",
    any_float=True,
    properties=[{"rule": "finite"}],
)


@exercise.probes
def probes(make):
    core = {"group": "three methods"}
    width = make.pick(16, 24, 20)
    for method in ("linear", "ntk", "yarn"):
        yield make.probe(f"{method}, factor 4", width, 4, method, **core)
        yield make.probe(f"{method}, another width and factor", make.pick(32, 40, 28),
                         make.pick(8.0, 16.0, 6.0),
                         method, **core)
        yield make.probe(f"{method}, factor 2.5", make.pick(12, 10, 14), make.pick(2.5, 1.5, 3.5), method,
                         **core)
    yield make.probe("yarn, many pairs", make.pick(64, 96, 128), make.pick(4, 8, 2), "yarn", **core)
    yield make.probe("yarn, few turns", make.pick(24, 20, 28), make.pick(4, 3, 5), "yarn", 300.0,
                     make.pick(90, 70, 110),
                     **core)
    yield make.probe("yarn, just below the end of the ramp", make.pick(8, 12, 10), make.pick(8, 16, 12),
                     "yarn", original_length=make.pick(197, 198, 196), edge=True, **core)
    group = "other bases, lengths and factors"
    for method in ("linear", "ntk", "yarn"):
        yield make.probe(f"{method}, another base", make.pick(24, 16, 32), make.pick(3, 5, 7), method,
                         make.pick(500.0, 900.0, 1300.0), group=group)
    yield make.probe("yarn, another length", make.pick(24, 32, 20), 4, "yarn",
                     original_length=make.pick(300.0, 500.0, 700.0), group=group)
    yield make.probe("yarn, a base and a length", *make.pick((20, 3), (28, 5), (36, 2)), "yarn",
                     base=make.pick(100_000.0, 300_000.0, 500_000.0),
                     original_length=make.pick(512, 4096, 8192),
                     group=group, edge=True)
    for method in ("linear", "ntk", "yarn"):
        yield make.probe(f"{method}, factor 1", make.pick(8, 12, 10), 1, method, group=group, edge=True)
    yield make.probe("ntk, two pairs", 4, make.pick(4, 2, 3), "ntk", group=group, edge=True)
    yield make.probe("linear, one pair", 2, make.pick(4, 2, 3), "linear", group=group, edge=True)
    yield make.probe("yarn, one pair", 2, make.pick(4, 2, 3), "yarn", group=group, edge=True)


@exercise.right
def reference(width, factor, method, base=10000.0, original_length=2048):
    if method == "ntk":
        base = base * factor ** (width / (width - 2))
    theta = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    if method == "ntk":
        return theta
    if method == "linear":
        return theta / factor
    turns = original_length * theta / (2 * math.pi)
    keep = ((turns - 1) / (32 - 1)).clamp(0, 1)
    return (1 - keep) * theta / factor + keep * theta


@exercise.right("pair by pair")
def pair_by_pair(width, factor, method, base=10000.0, original_length=2048):
    result = []
    for j in range(width // 2):
        theta = base ** (-2 * j / width)
        if method == "linear":
            theta = theta / factor
        elif method == "ntk":
            theta = (base * factor ** (width / (width - 2))) ** (-2 * j / width)
        else:
            r = original_length * theta / (2 * math.pi)
            gamma = min(max((r - 1) / 31, 0.0), 1.0)
            theta = (1 - gamma) * theta / factor + gamma * theta
        result.append(theta)
    return torch.tensor(result)


@exercise.right("one division, whatever the method")
def one_division(width, factor, method, base=10000.0, original_length=2048):
    pairs = torch.arange(width // 2)
    theta = torch.exp(-math.log(base) * 2 * pairs / width)
    if method == "linear":
        divisor = torch.full((width // 2,), float(factor))
    elif method == "ntk":
        divisor = factor ** (2 * pairs / max(width - 2, 1))
    else:
        wavelength = 2 * torch.pi / theta
        gamma = torch.clip((original_length / wavelength - 1) / 31, min=0, max=1)
        divisor = 1 / (gamma + (1 - gamma) / factor)
    return theta / divisor


@exercise.right("three kinds of pairs")
def three_kinds(width, factor, method, base=10000.0, original_length=2048):
    def frequencies(base):
        return 1.0 / (base ** (torch.arange(0, width, 2).float() / width))

    if method == "linear":
        return frequencies(base) / factor
    if method == "ntk":
        return frequencies(base * factor ** (width / (width - 2)))
    theta = frequencies(base)
    turns = original_length * theta / (2 * torch.pi)
    share = (turns - 1) / 31
    mixed = (1 - share) * (theta / factor) + share * theta
    scaled = torch.where(turns > 32, theta, mixed)
    return torch.where(turns < 1, theta / factor, scaled)


exercise.also_right(
    edit(reference,
         {"(1 - keep) * theta / factor + keep * theta": "torch.lerp(theta / factor, theta, keep)"}, "lerp"),
    edit(pair_by_pair, {"torch.tensor(result)": "result"}, "a list"))


exercise.mistake("wrong-way", "scaled-rotary",
    "The frequencies grow with the factor. A longer text must fit into the angles of the old one, so they "
    "turn more slowly: divide by the factor.",
    edit(reference, {"return theta / factor": "return theta * factor"}, "linear"),
    edit(reference, {"return theta / factor": "return theta * factor",
                     "* theta / factor +": "* theta * factor +"}),
    edit(reference, {"* theta / factor +": "* theta * factor +"}, "yarn"))

exercise.mistake("base-the-wrong-way", "ntk-base",
    "With ntk, the base became smaller, and frequencies grow. A longer text needs slower turns, and so a "
    "larger base: multiply it.",
    edit(reference, {"base * factor ** (width": "base / factor ** (width"}),
    edit(reference, {"(width / (width - 2))": "(-width / (width - 2))"}, "a negative exponent"))

exercise.mistake("no-exponent", "ntk-base",
    "With ntk, the base is multiplied by the factor itself. Its exponent is width / (width − 2): then the "
    "slowest pair turns slower by just the factor.",
    edit(reference, {"factor ** (width / (width - 2))": "factor"}),
    edit(pair_by_pair, {"factor ** (width / (width - 2))": "factor"}, "pair by pair"),
    edit(reference, {"(width / (width - 2))": "(width // (width - 2))"}, "rounded to 1"))

exercise.mistake("another-exponent", "ntk-base",
    "With ntk, the factor has another exponent than width / (width − 2). Look at the brackets around it, "
    "too.",
    edit(reference, {"(width / (width - 2))": "(width / 2)"}, "half of the width"),
    edit(reference, {"(width / (width - 2))": "((width - 2) / width)"}, "upside down"),
    edit(reference, {"(width / (width - 2))": "(width / (width - 1))"}, "minus 1"),
    edit(reference, {"(width / (width - 2))": "width / (width - 2)"}, "no brackets"),
    edit(reference, {"(width / (width - 2))": "width / (width - 2)", ", dtype=torch.float64": ""},
         "no brackets, in float32"),
    edit(reference, {"(width / (width - 2))": "(width / width - 2)"}, "no inner brackets"),
    edit(reference, {"(width / (width - 2))": "(2 / (width - 2))"}, "2 for the width"),
    edit(reference, {"(width / (width - 2))": "(width / (width + 2))"}, "plus 2"),
    edit(reference, {"(width / (width - 2))": "(width // 2 / (width // 2 - 2))"}, "of the pairs"),
    edit(reference, {"base * factor ** (width / (width - 2))": "(base * factor) ** (width / (width - 2))"},
         "of the base, too"))

exercise.mistake("ntk-on-frequencies", "ntk-base",
    "With ntk, all frequencies are multiplied or divided by the factor's power. It belongs to the base: fast "
    "pairs hardly change then, and slow ones change most.",
    edit(reference, {"base = base * factor ** (width / (width - 2))": "pass",
                     'if method == "ntk":\n    return theta':
                     'if method == "ntk":\n    return theta * factor ** (width / (width - 2))'}),
    edit(pair_by_pair, {"(base * factor ** (width / (width - 2))) ** (-2 * j / width)":
                        "theta / factor ** (width / (width - 2))"}, "divided"))

exercise.mistake("ntk-divided-too", "ntk-base",
    "With ntk, the frequencies are divided by the factor as well. The new base does all of it.",
    edit(reference,
         {'if method == "ntk":\n    return theta': 'if method == "ntk":\n    return theta / factor'}))

exercise.mistake("ramp-turned", "yarn-ramp",
    "With yarn, the two ends are exchanged: fast pairs are slowed down, and slow ones stay. A pair that "
    "turns often within the old length has seen all its angles and stays as it is; one that does not finish "
    "a turn is divided by the factor.",
    edit(reference,
         {"(1 - keep) * theta / factor + keep * theta": "keep * theta / factor + (1 - keep) * theta"}),
    edit(pair_by_pair, {"(1 - gamma) * theta / factor + gamma * theta":
                        "gamma * theta / factor + (1 - gamma) * theta"}, "pair by pair"),
    edit(reference, {"(turns - 1) / (32 - 1)": "(32 - turns) / (32 - 1)"}, "from 32 downwards"))

exercise.mistake("ramp-not-clipped", "yarn-ramp",
    "With yarn, the share leaves the range from 0 to 1. Below 1 turn it is 0, above 32 turns it is 1.",
    edit(reference, {".clamp(0, 1)": ""}),
    edit(reference, {".clamp(0, 1)": ".clamp(min=0)"}, "above"),
    edit(reference, {".clamp(0, 1)": ".clamp(max=1)"}, "below"))

exercise.mistake("turns-clipped", "yarn-ramp",
    "With yarn, every pair is divided by the factor, or nearly so, even one that turns often. The share that "
    "stays undivided must rise from 0 to 1: subtract 1 from the turns and divide by 31 first, limit the "
    "result, and divide only the rest by the factor.",
    edit(reference, {"2 * math.pi)": "2 * math.pi)\nturns = turns.clamp(0, 1)"}),
    edit(reference, {"2 * math.pi)": "2 * math.pi)\nturns = turns.clamp(0, 1)", ".clamp(0, 1)": ""},
         "instead"),
    edit(reference, {"(1 - keep) * theta / factor + keep * theta":
                     "((1 - keep) * theta + keep * theta) / factor"}, "both parts divided"),
    edit(pair_by_pair, {'if method == "linear":': 'if method != "ntk":', 'elif method == "ntk":':
                        'elif method != "yarn":'}, "as if linear"))

exercise.mistake("turns-rounded", "yarn-ramp",
    "The turns are rounded to whole numbers. Keep the fraction: the share of the old frequency grows evenly "
    "with the turns.",
    edit(reference, {"turns = original_length * theta / (2 * math.pi)":
                     "turns = (original_length * theta / (2 * math.pi)).floor()"}),
    edit(reference, {"turns = original_length * theta / (2 * math.pi)":
                     "turns = (original_length * theta / (2 * math.pi)).round()"}, "to the nearest"))

exercise.mistake("radians-for-turns", "yarn-ramp",
    "With yarn, the number of turns is not right. It is the angle over the old length, in radians, divided "
    "by that of a full turn, 2π: look at this division and its brackets.",
    edit(reference, {" / (2 * math.pi)": ""}),
    edit(reference, {"(2 * math.pi)": "math.pi"}, "half turns"),
    edit(reference, {"(2 * math.pi)": "2 * math.pi"}, "no brackets"),
    edit(reference, {"(2 * math.pi)": "360"}, "degrees"))

exercise.mistake("wavelength-for-turns", "yarn-ramp",
    "With yarn, the wavelength stands where the number of turns is meant. Turns are the old length divided "
    "by the wavelength.",
    edit(reference, {"original_length * theta / (2 * math.pi)": "2 * math.pi / theta"}),
    edit(reference, {"original_length * theta / (2 * math.pi)": "2 * math.pi / (theta * original_length)"},
         "of the length"),
    edit(reference, {"original_length * theta": "original_length / theta"}, "divided"))

exercise.mistake("other-ends-of-the-ramp", "yarn-ramp",
    "With yarn, the ramp has other ends, or rises with something else. It rises evenly with the number of "
    "turns, from 0 at 1 turn to 1 at 32 turns.",
    edit(reference, {"(turns - 1) / (32 - 1)": "turns / 32"}, "from 0 turns"),
    edit(reference, {"(turns - 1) / (32 - 1)": "(turns - 1) / 32"}),
    edit(reference, {"(32 - 1)": "(32 + 1)"}, "33"),
    edit(reference, {"((turns - 1) / (32 - 1)).clamp(0, 1)": "(turns > 1).double()"}, "a step at 1"),
    edit(reference, {"((turns - 1) / (32 - 1)).clamp(0, 1)": "(turns > 32).double()"}, "a step at 32"),
    edit(reference, {"(turns - 1) / (32 - 1)": "turns.log() / math.log(32)"}, "in the logarithm"),
    edit(reference, {"(turns - 1) / (32 - 1)": "(1 - 1 / turns) / (1 - 1 / 32)"}, "in the wavelength"))

exercise.mistake("ramp-over-pairs", "yarn-ramp",
    "With yarn, the ramp runs along the numbers of the pairs. What counts is how often a pair turns within "
    "the old length.",
    edit(reference, {"((turns - 1) / (32 - 1)).clamp(0, 1)": "torch.linspace(1, 0, width // 2)"}),
    edit(reference, {"turns = original_length * theta / (2 * math.pi)": "turns = torch.arange(width // 2)"},
         "pairs for turns"))

exercise.mistake("length-is-fixed", "yarn-ramp",
    "With yarn, another original_length changes nothing. Use the argument.",
    edit(reference, {"turns = original_length": "turns = 2048"}),
    edit(pair_by_pair, {"r = original_length": "r = 2048"}, "pair by pair"))

exercise.mistake("turns-of-the-new-text", "yarn-ramp",
    "With yarn, the turns are not those of the old text: they are counted over the new length, or with "
    "frequencies that have been slowed down. Count the turns of the old frequencies within original_length.",
    edit(reference, {"turns = original_length": "turns = factor * original_length"}, "the new length"),
    edit(reference, {"* theta / (2 * math.pi)": "* theta / factor / (2 * math.pi)"}),
    edit(reference, {"* theta / (2 * math.pi)":
                     "* (base * factor ** (width / max(width - 2, 1))) ** "
                     "(-torch.arange(0, width, 2) / width) / (2 * math.pi)"}, "those of ntk"))

exercise.mistake("yarn-by-wavelengths", "yarn-ramp",
    "With yarn, the two frequencies are not mixed as a sum: the share of θ plus the rest of θ/factor. "
    "Wavelengths and factors mixed evenly give another result.",
    edit(reference, {"(1 - keep) * theta / factor + keep * theta": "theta / ((1 - keep) * factor + keep)"}),
    edit(reference, {"(1 - keep) * theta / factor + keep * theta": "theta / factor ** (1 - keep)"},
         "as powers"))

exercise.mistake("yarn-with-ntk", "yarn-ramp",
    "With yarn, slow pairs are slowed down by a new base. Divide them by the factor: yarn keeps the base.",
    edit(reference, {'if method == "ntk":\n    base': 'if method != "linear":\n    base'}),
    edit(reference, {"(1 - keep) * theta / factor + keep * theta":
                     "(1 - keep) * (base * factor ** (width / (width - 2))) ** "
                     "(-torch.arange(0, width, 2) / width) + keep * theta"}, "mixed"))

exercise.mistake("base-is-fixed", "scaled-rotary",
    "The base is 10,000 whatever is asked for. Use the argument.",
    edit(reference, {"theta = base **": "theta = 10000.0 **"}, "ntk, too"),
    edit(reference,
         {'if method == "ntk":\n    base = base': 'base = 10000.0\nif method == "ntk":\n    base = base'}),
    edit(reference, {"base = base": "base = 10000.0"}, "ntk alone"))

exercise.mistake("exponent-of-the-pairs", "wavelengths",
    "The frequencies themselves are not right, whatever the method: pair j has θ = base^(−2j/width), for j "
    "from 0 to width/2 − 1.",
    edit(reference, {"torch.arange(0, width, 2, dtype=torch.float64)": "torch.arange(width // 2)"},
         "j for 2j"),
    edit(reference, {"torch.arange(0, width, 2, dtype=torch.float64) / width":
                     "torch.arange(0, width, 2, dtype=torch.float64) / (width // 2)"}, "half of the width"),
    edit(reference, {"-torch": "torch"}, "no minus"),
    edit(reference, {"torch.arange(0, width, 2, dtype=torch.float64)":
                     "(torch.arange(0, width, 2, dtype=torch.float64) + 2)"}, "from 1"))

exercise.mistake("a-number-a-column", "scaled-rotary",
    "Each frequency comes twice, or there is one for each column. There is one for each pair: width/2 "
    "numbers.",
    edit(reference, {"torch.arange(0, width, 2, dtype=torch.float64)":
                     "torch.arange(0, width, 2, dtype=torch.float64).repeat_interleave(2)"}),
    edit(reference, {"arange(0, width, 2,": "arange(0, width, 1,"}, "columns for pairs"),
    edit(pair_by_pair, {"return torch.tensor(result)": "return torch.tensor(result + result)"},
         "twice in a row"))

exercise.mistake("methods-exchanged", "scaled-rotary",
    "A method's name leads to another method. linear divides every frequency, ntk changes the base, yarn "
    "divides slow pairs alone.",
    edit(reference, {'if method == "linear":': 'if method == "yarn":'}),
    edit(reference, {every('"ntk"'): '"linear"', 'if method == "linear":': 'if method == "ntk":'},
         "linear and ntk"))

exercise.mistake("unscaled", "scaled-rotary",
    "A method leaves the frequencies as they are, whatever the factor.",
    edit(reference, {"base = base * factor ** (width / (width - 2))": "pass"}, "ntk"),
    edit(reference, {"return theta / factor": "return theta"}, "linear"),
    edit(reference, {"(1 - keep) * theta / factor + keep * theta": "theta"}, "yarn"))

exercise.mistake("wavelengths-returned", "scaled-rotary",
    "Wavelengths or periods come back. Return the frequencies, in radians a position.",
    edit(one_division, {"return theta / divisor": "return 2 * torch.pi / (theta / divisor)"}),
    edit(one_division, {"return theta / divisor": "return divisor / theta"}, "without 2π"))

exercise.built_in("returns-nothing", edit(pair_by_pair,
                                          {"return torch.tensor(result)": "torch.tensor(result)"}))

exercise.equal("a clip at both ends does not mind which side of its own end a number comes from", {
    "turns > 32": "turns >= 32", "turns < 1": "turns <= 1"})

exercise.equal("float32 is exact enough, and whole numbers become floats when they meet frequencies", {
    ", dtype=torch.float64": "", ".float()": "", "float(factor)": "factor"})
exercise.equal("the width is even, so its last pair begins at width - 2 and its half is whole", {
    "width, 2": "width - 1, 2", "width // 2": "width / 2"})
exercise.equal("ntk has a width of 4 at least, so width - 2 is the larger, and max and min have no order", {
    "max(width - 2, 1)": ("max(1, width - 2)", "max(width - 2, 2)", "max(width - 2, 0)"),
    "max((r - 1) / 31, 0.0)": "max(0.0, (r - 1) / 31)",
    "min(max((r - 1) / 31, 0.0), 1.0)": "min(1.0, max((r - 1) / 31, 0.0))"})
