"""average_checkpoints: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "average_checkpoints",
    points={"weights": 2, "counters, names and types": 2},
    section="average-of-checkpoints",
    driver="made_arguments",
    forbid=("AveragedModel", "get_ema_multi_avg_fn", "get_swa_multi_avg_fn"),
)


@exercise.probes
def probes(make):
    def state(shapes, counter=None, dtype=torch.float32):
        made = {name: make.randn(*shape, dtype=dtype) for name, shape in shapes.items()}
        return made | ({} if counter is None else {"norm.seen": torch.tensor(counter)})

    def probe(name, states, *weights, group="weights", **marks):
        return make.probe(name, states, *weights, group=group, **marks)

    layer = {"up.weight": make.pick((3, 2), (2, 4), (4, 3)), "up.bias": make.pick((3,), (2,), (4,))}
    yield probe("two states of one layer", [state(layer) for _ in range(2)])
    yield probe("five states", [state(layer | {"down.weight": (2, 3)}) for _ in range(5)])
    yield probe("three states of three numbers", [state({"weight": (3,)}) for _ in range(3)])
    shares = make.pick([0.5, 0.3, 0.2], [0.2, 0.7, 0.1], [0.1, 0.5, 0.4])
    yield probe("weights that sum to 1", [state(layer) for _ in range(3)], shares)
    yield probe("weights that do not sum to 1", [state(layer) for _ in range(3)],
                make.pick([1, 2, 5], [3, 1, 4]))
    yield probe("a weight of 0", [state(layer) for _ in range(4)], [0.0, 2.0, 0.0, 1.0])
    rest = {"group": "counters, names and types"}
    yield probe("a counter", [state(layer, n) for n in make.pick((10, 20, 70), (30, 40, 90))], **rest)
    yield probe("a counter that fell back, and weights",
                [state(layer, n) for n in make.pick((7, 40, 3), (9, 50, 2))], [1, 1, 2], **rest)
    yield probe("a counter, and the last weight is 0",
                [state(layer, n) for n in make.pick((20, 30, 50), (10, 50, 60))], [1, 3, 0], **rest)
    kinds = [state(layer) | {"mask": make.rand_mask(3), "order": make.randint(0, 9, (4,)).int()}
             for _ in range(3)]
    yield probe("a mask and whole numbers of 32 bits", kinds, **rest)
    # sums beyond the range of 16 bits; each mean is a number of 16 bits
    large = [make.randint(250, 290, (2, 3)) * 64 for _ in range(4)]
    yield probe("float16, large numbers", [{"weight": value.half()} for value in large], **rest)
    # sums and means on the way that 16 bits would round; the mean of all is a number of 16 bits
    close = [make.randint(1100, 1700, (4, 6)) * 2 for _ in range(6)]
    last = make.randint(150, 210, (4, 6)) * 14
    close.append(last - (sum(close) + last) % 14)
    yield probe("float16, seven states", [{"weight": value.half()} for value in close], **rest)
    yield probe("float64", [state(layer, dtype=torch.float64) for _ in range(3)], edge=True, **rest)
    yield probe("two types in one state", [state(layer) | {"scale": make.randn(2, dtype=torch.float64)}
                                           for _ in range(2)], edge=True, **rest)
    turned = state(layer)
    yield probe("names in another order", [state(layer), dict(reversed(turned.items()))], edge=True, **rest)
    yield probe("one state", [state(layer, 5)], edge=True, **rest)
    yield probe("a single number without an axis",
                [state({"weight": (2,)}) | {"scale": make.randn(1)[0]} for _ in range(3)], edge=True)
    yield probe("weights above 1 that are no whole numbers", [state(layer) for _ in range(3)],
                make.pick([1.5, 1.0, 2.75], [1.25, 3.5, 1.0], [2.5, 1.0, 1.75]), edge=True)
    whole, other = state(layer), state(layer)
    less = {name: value for name, value in other.items() if name != "up.bias"}
    for name, states in (("a name is missing in the second", [whole, less]),
                         ("a name is missing in the first", [less, whole]),
                         ("a name is missing in the last of three", [whole, state(layer), less]),
                         ("a name is missing in the second of three", [whole, less, state(layer)]),
                         ("a name too many in the second of three", [less, whole, dict(less)]),
                         ("a name is another one", [whole, less | {"bias": other["up.bias"]}])):
        yield probe(name, states, edge=True, **rest) | {"refuses": True}


@exercise.right
def reference(states, weights=None):
    states = list(states)
    weights = [1.0] * len(states) if weights is None else list(weights)
    if any(state.keys() != states[0].keys() for state in states):
        raise ValueError("the states do not have the same names")
    mean = {}
    for name, last in states[-1].items():
        if last.is_floating_point():
            total = sum(weight * state[name].double() for weight, state in zip(weights, states))
            mean[name] = (total / sum(weights)).to(last.dtype)
        else:
            mean[name] = last.clone()
    return mean


@exercise.right("stacked")
def stacked(states, weights=None):
    names = set(states[0])
    for state in states[1:]:
        if set(state) != names:
            raise ValueError("other names")
    share = torch.ones(len(states)) if weights is None else torch.tensor(weights, dtype=torch.float32)
    share = share / share.sum()
    result = {}
    for name in names:
        values = [state[name] for state in states]
        if torch.is_floating_point(values[0]):
            kind = torch.promote_types(values[0].dtype, torch.float32)
            together = torch.stack(values).to(kind)
            result[name] = torch.einsum("n...,n->...", together, share.to(kind)).to(values[0].dtype)
        else:
            result[name] = values[-1]
    return result


@exercise.right("a running mean")
def running(states, weights=None):
    from collections import OrderedDict

    weights = weights or [1] * len(states)
    mean, seen = OrderedDict(), 0
    for weight, state in zip(weights, states):
        if mean and set(mean) ^ set(state):
            raise ValueError(sorted(set(mean) ^ set(state)))
        seen += weight
        for name, value in state.items():
            if value.dtype.is_floating_point:
                value = value.to(torch.float64)
                before = mean.get(name, value)
                mean[name] = before + (value - before) * (weight / (seen or 1))
            else:
                mean[name] = value
    return {name: value.to(states[0][name].dtype) for name, value in mean.items()}


@exercise.right("added up in place, in tensors of its own")
def own_sums(states, weights=None):
    first, n = states[0], len(states)
    if not all(sorted(first) == sorted(state) for state in states):
        raise ValueError("names differ")
    if weights is None:
        weights = [1 / n for _ in range(n)]
    scale = 1 / sum(weights)
    sums = {k: torch.zeros(v.shape, dtype=torch.float64) for k, v in first.items() if v.is_floating_point()}
    for w, state in zip(weights, states):
        for k in sums:
            sums[k].add_(state[k].double(), alpha=w * scale)
    out = {k: v.clone() for k, v in states[-1].items()}
    for k in sums:
        out[k] = sums[k].type_as(first[k])
    return out


exercise.also_right(
    edit(reference, {".double()": ".float()"}, "summed as float32"),
    edit(reference, {"last.clone()": "states[-1][name]"}, "integers as they are"))


exercise.mistake("summed", "average-of-checkpoints",
    "The states are added up. Divide by the number of states, or by the sum of the weights.",
    edit(reference, {" / sum(weights)": ""}),
    edit(own_sums, {"[1 / n for _ in range(n)]": "[1] * n", "1 / sum(weights)": "1"}, "added in place"),
    edit(own_sums, {", alpha=w * scale": ""}, "and the weights have no effect"))

exercise.mistake("weights-not-divided", "average-of-checkpoints",
    "The weights are not divided by their sum. They need not sum to 1.",
    edit(own_sums, {"1 / sum(weights)": "1"}),
    edit(reference, {"sum(weights)).to": "len(states)).to"}, "divided by the number of states"),
    edit(stacked, {"share = share / share.sum()": "share = share.softmax(0)"}, "a softmax"),
    edit(stacked, {"share / share.sum()": "share * share.sum()"}, "times their sum"),
    edit(own_sums, {"1 / sum(weights)": "sum(weights)"}, "times their sum, added in place"))

exercise.mistake("weights-ignored", "average-of-checkpoints",
    "The weights have no effect, or belong to other states. Weight number i belongs to state number i.",
    edit(reference, {"weight * ": "", "sum(weights)).to": "len(states)).to"}),
    edit(reference, {"zip(weights,": "zip(weights[::-1],"}, "in reverse order"))

exercise.mistake("weights-rounded", "average-of-checkpoints",
    "The weights are cut or rounded to whole numbers. They may be any numbers: keep the fractions.",
    edit(reference, {"list(weights)": "[max(int(weight), 1) if weight else 0 for weight in weights]"}),
    edit(reference, {"list(weights)": "[round(weight) or weight for weight in weights]"}, "rounded"))

exercise.mistake("halved-each-time", "average-of-checkpoints",
    "The last states count most: a mean of a mean and the next state. All states count alike unless weights "
    "are given.",
    edit(running, {"(weight / (seen or 1))": "0.5"}),
    edit(running, {"(weight / (seen or 1))": "0.1"}, "a slow copy"))

exercise.mistake("running-mean-wrong-way", "average-of-checkpoints",
    "A running mean moves away from the new state, or does not make room for it. It takes a step towards the "
    "new state: add a share of the new number minus the mean before.",
    edit(running, {"value - before": "before - value"}),
    edit(running, {"(value - before) *": "value *"}, "the new number's share added"))

exercise.mistake("not-all-states", "average-of-checkpoints",
    "Not all states are averaged. Each of them counts, the first and the last as well.",
    edit(reference, {"zip(weights, states)": "list(zip(weights, states))[1:]"}, "without the first"),
    edit(reference, {"zip(weights, states)": "list(zip(weights, states))[-2:]"}, "the last two"),
    edit(reference, {"total = sum(weight * state[name].double() for weight, state in zip(weights, states))\n"
                     "mean[name] = (total / sum(weights)).to(last.dtype)": "mean[name] = last.clone()"},
         "the last alone"),
    edit(running, {"before + (value - before) * (weight / (seen or 1))": "before"}, "the first alone"),
    edit(reference, {"/ sum(weights)": "/ 5"}, "divided by five"))

exercise.mistake("one-number", "average-of-checkpoints",
    "The numbers of an entry are averaged with each other. Average each number over the states alone.",
    edit(stacked, {'torch.einsum("n...,n->...", together, share.to(kind))': "together.mean()"}),
    edit(stacked, {'torch.einsum("n...,n->...", together, share.to(kind))': "together.mean(-1)"},
         "the last axis"))

exercise.mistake("counter-averaged", "counters-are-kept",
    "A counter or a mask is averaged, or made a float. What holds no floats comes from the last state.",
    edit(reference, {"last.is_floating_point()": "True"}, "cast back"),
    edit(reference, {"last.is_floating_point()": "True", ".to(last.dtype)": ".float()"}, "as a float"),
    edit(reference, {"last.clone()": "sum(state[name] for state in states)"}, "summed"),
    edit(reference, {"last.clone()": "last.float()"}, "the last, as a float"),
    edit(reference, {"last.is_floating_point()": "last.dtype != torch.int64"}, "but for 64 bits"))

exercise.mistake("counter-of-another-state", "counters-are-kept",
    "A counter or a mask comes from another state than the last, or is missing. Keep the last state's.",
    edit(reference, {"last.clone()": "states[0][name].clone()"}),
    edit(reference, {"mean[name] = last.clone()": "pass"}, "left out"),
    edit(reference, {"last.clone()": "torch.stack([s[name] for s in states]).amax(0)"}, "the largest"))

exercise.mistake("weight-0-dropped", "counters-are-kept",
    "States of weight 0 are dropped before anything else. Counters are those of the last state, and names "
    "are compared, whatever the weights: drop none.",
    edit(reference, {"if any(": "states, weights = zip(*[(s, w) for s, w in zip(states, weights) if w > 0])\n"
                                "if any("}))

exercise.mistake("summed-in-16-bits", "average-of-checkpoints",
    "Numbers of 16 bits are added as such: sums overflow or lose their last bits. Add as float32 or float64, "
    "and cast the mean back.",
    edit(reference, {".double()": ""}),
    edit(own_sums, {", dtype=torch.float64)": ", dtype=v.dtype)", ".double()": ""}, "weighted first"),
    edit(running, {"value = value.to(torch.float64)": ""}, "a running mean"),
    edit(reference, {"weight * state[name].double()": "weight / sum(weights) * state[name]",
                     " / sum(weights)).to": ").to"}, "shares of each"))

exercise.mistake("some-floats-kept", "counters-are-kept",
    "Some entries with floating-point numbers are not averaged. float16, float64 and single numbers are "
    "weights too: ask whether a tensor holds floats, not which or how many.",
    edit(reference, {"last.is_floating_point()": "last.dtype == torch.float32"}),
    edit(reference, {"last.is_floating_point()": "last.is_floating_point() and last.dim()"},
         "those without an axis"))

exercise.mistake("dtype-lost", "average-of-checkpoints",
    "An entry does not have the dtype that it has in the states. Cast the mean back.",
    edit(reference, {".to(last.dtype)": ""}),
    edit(reference, {".to(last.dtype)": ".float()"}, "always float32"),
    edit(reference, {".to(last.dtype)": ".to(next(iter(states[-1].values())).dtype)"}, "the first entry's"))

exercise.mistake("names-not-compared", "average-of-checkpoints",
    "States of different models are averaged, or stop with another error. Where the names differ in any "
    "state, raise ValueError.",
    edit(reference, {'if any(state.keys() != states[0].keys() for state in states):\n'
                     '    raise ValueError("the states do not have the same names")': ""}, "KeyError"),
    edit(reference, {'if any(state.keys() != states[0].keys() for state in states):\n'
                     '    raise ValueError("the states do not have the same names")':
                     "names = [name for state in states for name in state]",
                     "states[-1].items()": "((name, states[-1][name]) for name in names)"},
         "KeyError, the names of all"),
    edit(reference, {"state.keys() != states[0].keys()": "len(state) != len(states[0])"}, "numbers of names"),
    edit(reference, {"state.keys() != states[0].keys() for state in states":
                     "name not in states[0] for state in states for name in state"}, "one way round"),
    edit(reference, {"state.keys() != states[0].keys() for state in states":
                     "name not in state for state in states for name in states[0]"}, "the other way round"),
    edit(reference, {"in states):": "in states[:2]):"}, "the first two alone"),
    edit(reference, {"raise ValueError": "raise KeyError"}, "KeyError, on purpose"),
    edit(reference, {'if any(state.keys() != states[0].keys() for state in states):\n'
                     '    raise ValueError("the states do not have the same names")':
                     "assert all(state.keys() == states[0].keys() for state in states)"}, "an assertion"),
    edit(reference, {'raise ValueError("the states do not have the same names")':
                     "states = [{name: state[name] for name in set.intersection(*map(set, states))}\n"
                     "          for state in states]"}, "common names"),
    edit(reference, {"in states):": "in states[-1:]):", "zip(weights, states))":
                     "zip(weights, states) if name in state)"}, "the first and the last alone"),
    edit(reference, {"state.keys() != states[0].keys() for state in states":
                     "name not in state for state in states for name in states[0]",
                     "states[-1].items()": "((name, states[-1][name]) for name in states[0])"},
         "those of the first alone, and averaged"))

exercise.mistake("order-of-names", "average-of-checkpoints",
    "The order of the names decides. Look entries up by their names; states may hold them in any order.",
    edit(reference, {"state.keys() != states[0].keys()": "list(state) != list(states[0])"}),
    edit(reference, {"state[name].double()": "list(state.values())[list(states[-1]).index(name)].double()"},
         "by place"))

exercise.mistake("kind-of-result", "average-of-checkpoints",
    "The result is not one dict of tensors by name.",
    edit(reference, {"return mean": "return list(mean.values())"}, "a list"),
    edit(reference, {"return mean": "return list(mean.items())"}, "pairs"),
    edit(reference, {".to(last.dtype)": ".to(last.dtype).tolist()"}, "numbers"))

exercise.built_in("changes-input",
    full("if any(state.keys() != states[0].keys() for state in states):\n"
         "    raise ValueError\n"
         "weights = weights or [1] * len(states)\n"
         "mean, last = states[0], states[-1]\n"
         "for name in mean:\n"
         "    if mean[name].is_floating_point():\n"
         "        total = sum(w * state[name].double() for w, state in zip(weights, states)) / sum(weights)\n"
         "        mean[name] = total.to(last[name].dtype)\n"
         "    else:\n"
         "        mean[name] = last[name]\n"
         "return mean", "the first state's dict"),
    edit(reference, {"return mean": "for name in mean:\n    states[0][name].copy_(mean[name])\n"
                                    "return states[0]"},
         "the first state's tensors"))

exercise.built_in("returns-nothing", edit(reference, {"return mean": "mean"}))

exercise.equal("states are a list, weights too, and neither is changed", {
    "states = list(states)": ("pass", "states = states"), "list(weights)": "weights"})
exercise.equal("only the weights' shares count", {"[1.0]": "[2.0]", "[1]": "[2]",
    "1 / n": ("1 * n", "(n / 1)", "1", "2 / n")})
exercise.equal("a tensor that nobody writes into may be the state's own", {".clone()": ""})
exercise.equal("all states have the same names and types, or are refused", {
    "states[0]": "states[(-1)]", "states[-1]": "states[0]", "values[0]": "values[(-1)]"})
exercise.equal("a state has the names that it has, and weights are floats", {
    "states[1:]": ("states[:]", "states[0:]"), ", dtype=torch.float32)": ")", "if mean": "if seen"})
exercise.equal("0 divided by any number is 0", {"(seen or 1)": "(seen or 2)"})
exercise.equal("the order of two types does not change the wider of them", {
    "values[0].dtype, torch.float32": "torch.float32, values[0].dtype"})
exercise.equal("sums in float32 are good enough, and torch adds shares of 16 bits in 32", {
    ", dtype=torch.float64)": ")", ".double()": "", "torch.promote_types(values[0].dtype, torch.float32)":
    "values[0].dtype"})
