"""map_bert_weights: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "map_bert_weights",
    points={"names": 2, "other sizes and extras": 1},
    section="mapping-weights",
    driver="mapped_state",
    forbid=("map_bert", "_rename", "BERT_NAMES", "load_minilm", "bert_config"),
)


@exercise.probes
def probes(make):
    def state(n_layers, d, d_ff, vocab, places, segments, extras=False, dtype=torch.float32):
        def randn(*shape):
            return make.randn(
                *shape, scale=0.7 if n_layers < 10 else 0.25, dtype=dtype
            )  # small changes, so that each of many layers shows at the end

        sizes = {
            "attention.self.query": (d, d),
            "attention.self.key": (d, d),
            "attention.self.value": (d, d),
            "attention.output.dense": (d, d),
            "attention.output.LayerNorm": (d,),
            "intermediate.dense": (d_ff, d),
            "output.dense": (d, d_ff),
            "output.LayerNorm": (d,),
        }
        found = {
            "embeddings.word_embeddings.weight": randn(vocab, d),
            "embeddings.position_embeddings.weight": randn(places, d),
            "embeddings.token_type_embeddings.weight": randn(segments, d),
            "embeddings.LayerNorm.weight": randn(d) + 1.0,
            "embeddings.LayerNorm.bias": randn(d),
        }
        if extras:
            found = {"embeddings.position_ids": torch.arange(places)[None]} | found
        for layer in range(n_layers):
            for name, shape in sizes.items():
                found[f"encoder.layer.{layer}.{name}.weight"] = randn(*shape) + (
                    1.0 if len(shape) == 1 else 0.0
                )
                found[f"encoder.layer.{layer}.{name}.bias"] = randn(shape[0])
        if extras:
            found |= {"pooler.dense.weight": randn(d, d), "pooler.dense.bias": randn(d)}
        return found

    def probe(name, group, sizes, n_heads, batch=1, padded=False, edge=False, long=False, **more):
        ids = make.randint(0, sizes[3], (batch, sizes[4] - 1))
        real = torch.arange(sizes[4] - 1) < torch.tensor([[sizes[4] - 2]] * batch) if padded else None
        return make.probe(
            name, state(*sizes, **more), n_heads, ids, real, group=group, edge=edge, long=long
        )

    yield probe("one layer", "names", (1, 4, 6, 7, 5, 2), 2)
    yield probe(
        "two layers",
        "names",
        make.pick((2, 6, 8, 9, 4, 3), (2, 4, 7, 8, 5, 3), (2, 6, 10, 7, 5, 2)),
        2,
        batch=2,
        padded=True,
    )
    yield probe("a feed-forward width like d_model", "names", (2, 4, 4, 6, 3, 2), 1)
    group = "other sizes and extras"
    yield probe("a pooler and position_ids", group, (2, 4, 5, 6, 4, 2), 2, edge=True, extras=True)
    yield probe("many layers", group, (make.pick(13, 25, 26), 4, 3, 5, 3, 2), 2, edge=True)
    yield probe("float64", group, (1, 4, 3, 5, 3, 2), 2, edge=True, dtype=torch.float64)
    yield probe("three layers", group, (3, 4, 6, 7, 5, 2), make.pick(4, 2, 1), long=True, extras=True)


@exercise.right
def reference(state):
    inside = {
        "attention.self.query": "attention.q_proj",
        "attention.self.key": "attention.k_proj",
        "attention.self.value": "attention.v_proj",
        "attention.output.dense": "attention.o_proj",
        "attention.output.LayerNorm": "attention_norm",
        "intermediate.dense": "feed_forward.up_proj",
        "output.dense": "feed_forward.down_proj",
        "output.LayerNorm": "feed_forward_norm",
    }
    outside = {
        "embeddings.word_embeddings": "embedding",
        "embeddings.position_embeddings": "positions",
        "embeddings.token_type_embeddings": "segments",
        "embeddings.LayerNorm": "norm",
    }
    mapped = {}
    for name, value in state.items():
        part, _, kind = name.rpartition(".")
        if part in outside:
            mapped[f"{outside[part]}.{kind}"] = value
        elif part.startswith("encoder.layer."):
            number, _, rest = part.removeprefix("encoder.layer.").partition(".")
            mapped[f"layers.{number}.{inside[rest]}.{kind}"] = value
    return mapped


@exercise.right("replacements in order, the longer ones first")
def replacements_order(state):
    replacements = [
        ("embeddings.word_embeddings", "embedding"),
        ("embeddings.position_embeddings", "positions"),
        ("embeddings.token_type_embeddings", "segments"),
        ("embeddings.LayerNorm", "norm"),
        ("encoder.layer.", "layers."),
        ("attention.self.query", "attention.q_proj"),
        ("attention.self.key", "attention.k_proj"),
        ("attention.self.value", "attention.v_proj"),
        ("attention.output.dense", "attention.o_proj"),
        ("attention.output.LayerNorm", "attention_norm"),
        ("intermediate.dense", "feed_forward.up_proj"),
        ("output.dense", "feed_forward.down_proj"),
        ("output.LayerNorm", "feed_forward_norm"),
    ]
    result = {}
    for key, tensor in state.items():
        if "pooler" in key or key.endswith("position_ids"):
            continue
        for old, new in replacements:
            key = key.replace(old, new)
        result[key] = tensor
    return result


@exercise.right("a table of all names, layer by layer")
def table_names(state):
    n_layers = len([key for key in state if key.endswith("attention.self.query.weight")])
    out = {
        "embedding.weight": state["embeddings.word_embeddings.weight"],
        "positions.weight": state["embeddings.position_embeddings.weight"],
        "segments.weight": state["embeddings.token_type_embeddings.weight"],
        "norm.weight": state["embeddings.LayerNorm.weight"],
        "norm.bias": state["embeddings.LayerNorm.bias"],
    }
    for i in range(n_layers):
        theirs, ours = f"encoder.layer.{i}.", f"layers.{i}."
        for kind in ("weight", "bias"):
            for letter, word in zip("qkv", ("query", "key", "value")):
                out[ours + f"attention.{letter}_proj.{kind}"] = state[
                    theirs + f"attention.self.{word}.{kind}"
                ]
            out[ours + f"attention.o_proj.{kind}"] = state[theirs + f"attention.output.dense.{kind}"]
            out[ours + f"attention_norm.{kind}"] = state[theirs + f"attention.output.LayerNorm.{kind}"]
            out[ours + f"feed_forward.up_proj.{kind}"] = state[theirs + f"intermediate.dense.{kind}"]
            out[ours + f"feed_forward.down_proj.{kind}"] = state[theirs + f"output.dense.{kind}"]
            out[ours + f"feed_forward_norm.{kind}"] = state[theirs + f"output.LayerNorm.{kind}"]
    return out


@exercise.right("regular expressions, copies of the tensors")
def regular(state):
    rules = {
        r"^embeddings\.word_embeddings": "embedding",
        r"^embeddings\.position_embeddings": "positions",
        r"^embeddings\.token_type_embeddings": "segments",
        r"^embeddings\.LayerNorm": "norm",
        r"^encoder\.layer\.(\d+)\.attention\.self\.(q|k|v)(?:uery|ey|alue)": r"layers.\1.attention.\2_proj",
        r"^encoder\.layer\.(\d+)\.attention\.output\.dense": r"layers.\1.attention.o_proj",
        r"^encoder\.layer\.(\d+)\.attention\.output\.LayerNorm": r"layers.\1.attention_norm",
        r"^encoder\.layer\.(\d+)\.intermediate\.dense": r"layers.\1.feed_forward.up_proj",
        r"^encoder\.layer\.(\d+)\.output\.dense": r"layers.\1.feed_forward.down_proj",
        r"^encoder\.layer\.(\d+)\.output\.LayerNorm": r"layers.\1.feed_forward_norm",
    }
    import re

    new = {}
    for name, value in sorted(state.items()):
        for pattern, ours in rules.items():
            if re.search(pattern, name):
                new[re.sub(pattern, ours, name)] = value.clone()
                break
    return new


@exercise.right("parts of a name, an ordered dict")
def parts_name(state):
    from collections import OrderedDict
    mapped = OrderedDict()
    for name in state:
        parts = name.split(".")
        if parts[0] == "pooler" or parts[-1] == "position_ids":
            continue
        if parts[0] == "embeddings":
            new = [{"word": "embedding", "position": "positions", "token": "segments",
                    "LayerNorm": "norm"}[parts[1].split("_")[0]]]
        else:
            new, rest = ["layers", parts[2]], parts[3:-1]
            if rest[:2] == ["attention", "self"]:
                new += ["attention", rest[2][0] + "_proj"]
            elif rest[:2] == ["attention", "output"]:
                new += ["attention", "o_proj"] if rest[2] == "dense" else ["attention_norm"]
            elif rest[0] == "intermediate":
                new += ["feed_forward", "up_proj"]
            else:
                new += ["feed_forward", "down_proj"] if rest[1] == "dense" else ["feed_forward_norm"]
        mapped[".".join(new + parts[-1:])] = state[name]
    return mapped


@exercise.right("a chain of replacements")
def chain(state):
    pairs = {
        "embeddings.word_embeddings.": "embedding.",
        "embeddings.position_embeddings.": "positions.",
        "embeddings.token_type_embeddings.": "segments.",
        "embeddings.LayerNorm.": "norm.",
        "encoder.layer.": "layers.",
        "attention.self.query.": "attention.q_proj.",
        "attention.self.key.": "attention.k_proj.",
        "attention.self.value.": "attention.v_proj.",
        "attention.output.dense.": "attention.o_proj.",
        "attention.output.LayerNorm.": "attention_norm.",
        "intermediate.dense.": "feed_forward.up_proj.",
        "output.dense.": "feed_forward.down_proj.",
        "output.LayerNorm.": "feed_forward_norm.",
    }
    new = {}
    for name, tensor in state.items():
        if name.startswith("pooler") or name == "embeddings.position_ids":
            continue
        for old, ours in pairs.items():
            name = name.replace(old, ours)
        new[name] = tensor
    return new


@exercise.right("both sides written out")
def both_sides(state):
    layers = 1 + max((int(key.split(".")[2]) for key in state if key.startswith("encoder.")))
    new = {}
    for ours, theirs in (
        ("embedding", "word_embeddings"),
        ("positions", "position_embeddings"),
        ("segments", "token_type_embeddings"),
    ):
        new[ours + ".weight"] = state["embeddings." + theirs + ".weight"]
    for kind in ("weight", "bias"):
        new["norm." + kind] = state["embeddings.LayerNorm." + kind]
        for i in range(layers):
            t, o = f"encoder.layer.{i}.", f"layers.{i}."
            new[o + "attention.q_proj." + kind] = state[t + "attention.self.query." + kind]
            new[o + "attention.k_proj." + kind] = state[t + "attention.self.key." + kind]
            new[o + "attention.v_proj." + kind] = state[t + "attention.self.value." + kind]
            new[o + "attention.o_proj." + kind] = state[t + "attention.output.dense." + kind]
            new[o + "attention_norm." + kind] = state[t + "attention.output.LayerNorm." + kind]
            new[o + "feed_forward.up_proj." + kind] = state[t + "intermediate.dense." + kind]
            new[o + "feed_forward.down_proj." + kind] = state[t + "output.dense." + kind]
            new[o + "feed_forward_norm." + kind] = state[t + "output.LayerNorm." + kind]
    return new


@exercise.right("step by step, another way")
def plain_other(state):
    inner = {
        "attention.self.query": "attention.q_proj",
        "attention.self.key": "attention.k_proj",
        "attention.self.value": "attention.v_proj",
        "attention.output.dense": "attention.o_proj",
        "attention.output.LayerNorm": "attention_norm",
        "intermediate.dense": "feed_forward.up_proj",
        "output.dense": "feed_forward.down_proj",
        "output.LayerNorm": "feed_forward_norm",
    }
    outer = {
        "embeddings.word_embeddings": "embedding",
        "embeddings.position_embeddings": "positions",
        "embeddings.token_type_embeddings": "segments",
        "embeddings.LayerNorm": "norm",
    }
    numbers = list(dict.fromkeys((name.split(".")[2] for name in state if name.startswith("encoder"))))
    new = {}
    for n, number in enumerate(numbers):
        for name, value in reversed(state.items()):
            if name.startswith(f"encoder.layer.{number}."):
                part, kind = ".".join(name.split(".")[3:]).rsplit(".", 1)
                new[f"layers.{n}.{inner[part]}.{kind}"] = value
    for name, value in state.items():
        part, kind = name.rsplit(".", 1)
        if part in outer:
            new[f"{outer[part]}.{kind}"] = value
    return new


exercise.also_right(
    edit(plain_other, {"reversed(state.items())": "state.items()"}, "layer after layer"))


exercise.mistake("query-and-key", "mapping-weights",
    "Queries and keys are exchanged, or their biases alone: self.query belongs to q_proj, self.key to "
    "k_proj.",
    edit(reference, {'"attention.q_proj"': '"attention.k_proj"',
                     '"attention.k_proj"': '"attention.q_proj"'}, "parts"),
    edit(chain, {"new[":
                 'name = name.replace("q_proj.bias", "@").replace("k_proj.bias", "q_proj.bias")\n'
                 'name = name.replace("@", "k_proj.bias")\n'
                 "new["}, "the biases alone"))

exercise.mistake("key-and-value", "mapping-weights",
    "Keys and values are exchanged: self.key belongs to k_proj, self.value to v_proj.",
    edit(reference, {'"attention.k_proj"': '"attention.v_proj"',
                     '"attention.v_proj"': '"attention.k_proj"'}, "parts"))

exercise.mistake("query-and-value", "mapping-weights",
    "Queries and values are exchanged: self.query belongs to q_proj, self.value to v_proj.",
    edit(reference, {'"attention.q_proj"': '"attention.v_proj"',
                     '"attention.v_proj"': '"attention.q_proj"'}, "parts"))

exercise.mistake("output-and-value", "mapping-weights",
    "The output projection is mixed up with another projection: attention.output.dense belongs to o_proj.",
    edit(reference, {'"attention.v_proj"': '"attention.o_proj"',
                     '"attention.o_proj"': '"attention.v_proj"'}, "parts"),
    edit(reference, {'"attention.q_proj"': '"attention.o_proj"',
                     '"attention.o_proj"': '"attention.q_proj"'}, "with the queries"),
    edit(reference, {'"attention.k_proj"': '"attention.o_proj"',
                     '"attention.o_proj"': '"attention.k_proj"'}, "with the keys"))

exercise.mistake("norms", "two-norms-of-a-layer",
    "The two norms of a layer are exchanged. attention.output.LayerNorm stands after attention "
    "(attention_norm), output.LayerNorm after the feed-forward network (feed_forward_norm).",
    edit(reference, {'"attention_norm"': '"feed_forward_norm"',
                     '"feed_forward_norm"': '"attention_norm"'}, "parts"))

exercise.mistake("one-norm", "two-norms-of-a-layer",
    "Both norms of a layer get the same weights. attention.output.LayerNorm and output.LayerNorm are two: "
    "look at the whole name.",
    edit(both_sides, {'"output.LayerNorm."': '"attention.output.LayerNorm."'}, "the first"),
    edit(both_sides, {'"attention.output.LayerNorm."': '"output.LayerNorm."'}, "the second"))

exercise.mistake("weight-and-bias", "two-norms-of-a-layer",
    "The weight and the bias of a norm are exchanged. What ends in .weight or .bias keeps that ending.",
    edit(chain, {"new[":
                 'if "norm" in name:\n'
                 '    name = name.replace("weight", "@").replace("bias", "weight").replace("@", "bias")\n'
                 "new["}, "of all norms"),
    edit(chain, {"new[":
                 'if name.startswith("norm"):\n'
                 '    name = name.replace("weight", "@").replace("bias", "weight").replace("@", "bias")\n'
                 "new["}, "of the first norm"),
    edit(chain, {"new[":
                 'if "_norm" in name:\n'
                 '    name = name.replace("weight", "@").replace("bias", "weight").replace("@", "bias")\n'
                 "new["}, "of the norms in layers"))

exercise.mistake("layer-order", "mapping-weights",
    "The layers are in the wrong order. encoder.layer.0 is layers.0, and so on; numbers sorted as text put "
    "10 before 2.",
    edit(both_sides, {'f"layers.{i}."': 'f"layers.{layers - 1 - i}."'}, "the last first"),
    edit(both_sides, {'f"layers.{i}."': 'f"layers.{(i + 1) % layers}."'}, "one further"),
    edit(plain_other, {"list(dict.fromkeys((": "sorted({",
                       '"encoder"))))': '"encoder")})'}, "numbers sorted as text"))

exercise.mistake("one-layer", "mapping-weights", "All layers get the weights of one. Each layer has its own.",
    edit(both_sides, {'f"encoder.layer.{i}."': '"encoder.layer.0."'}, "the first"),
    edit(both_sides, {'f"encoder.layer.{i}."': 'f"encoder.layer.{layers - 1}."'}, "the last"))

exercise.mistake("transposed", "mapping-weights",
    "Matrices are transposed. Both sides use nn.Linear, whose weight is (outputs, inputs), and "
    "nn.Embedding: leave them as they are.",
    edit(chain, {"return new":
                 'return {name: value.T if value.dim() == 2 and "layers" in name else value for name, '
                 "value in new.items() }"}, "all"),
    edit(both_sides, {"return new":
                      'return {name: value.T if value.dim() == 2 and "attention" in name else value for '
                      "name, value in new.items() }"}, "square ones"),
    edit(reference, {"return mapped":
                     'return {name: value.T if name.endswith(("q_proj.weight", "k_proj.weight", '
                     '"v_proj.weight")) else value for name, value in mapped.items() }'},
         "queries, keys and values"),
    edit(chain, {"return new":
                 'return {name: value.T if "_proj.weight" in name and len(value) == value.shape[-1] '
                 "else value for name, value in new.items()}"}, "square ones, those of up_proj too"),
    edit(plain_other, {'[f"{outer[part]}.{kind}"] = value':
                       '[f"{outer[part]}.{kind}"] = value.T if value.dim() == 2 else value'},
         "the embeddings"))

exercise.mistake("extras-kept", "mapping-weights",
    "The pooler or position_ids are still there. Leave them out: this encoder has no place for them.",
    edit(chain, {' name.startswith("pooler") or': ""}, "the pooler"))

exercise.mistake("names-kept", "mapping-weights",
    "Names are still the published ones, in part or as a whole. Each must become the library's.",
    full("return dict(state)", "all"))

exercise.mistake("prefix", "mapping-weights",
    "Names have a prefix that the encoder does not know. Its own names have none: embedding.weight, "
    "layers.0 and so on.",
    edit(chain, {"[name]": '["model." + name]'}, "model"),
    edit(both_sides, {'f"layers.{i}."': 'f"encoder.layers.{i}."'}, "encoder"))

exercise.mistake("numbers-mixed", "mapping-weights",
    "With ten layers or more, layer 1 is taken for layer 10 or 11, or layers are lost. Replace whole parts "
    "of a name, with the dots around the number, and map as many layers as the state has.",
    edit(reference, {'number, _, rest = part.removeprefix("encoder.layer.").partition(".")':
                     'number, rest = name[14], part[16:] if part[15] == "." else part[17:]'}, "one digit"),
    edit(plain_other, {"reversed(state.items())": "state.items()",
                       'f"encoder.layer.{number}."': 'f"encoder.layer.{number}"'},
         "startswith without a dot"),
    edit(both_sides, {"(layers)": "(min(layers, 12))"}, "no more than twelve layers"))

exercise.mistake("fixed-layers", "mapping-weights",
    "Layers are missing. Map all that the state has: their number must not be written into the code.",
    edit(both_sides, {"(layers)": "(6)"}, "six"),
    edit(both_sides, {"(layers)": "(1)"}, "one"),
    edit(both_sides, {"1 + max": "max"}, "the last one is missing"),
    edit(reference, {'elif part.startswith("encoder.layer."):\n'
                     '    number, _, rest = part.removeprefix("encoder.layer.").partition(".")\n'
                     '    mapped[f"layers.{number}.{inside[rest]}.{kind}"] = value':
                     ""}, "none"),
    edit(both_sides, {"(layers)": "(min(layers, 6))"}, "no more than six"))

exercise.mistake("biases-lost", "mapping-weights",
    "Biases are missing. Each weight has one, except in the three embeddings.",
    edit(both_sides, {' "bias"': ""}))

exercise.mistake("part-lost", "mapping-weights",
    "A part of the encoder is missing: embeddings, a norm, or a matrix of the layers. Map each of them.",
    edit(both_sides, {'\n    ("embedding", "word_embeddings"),': ""}, "words"))

exercise.mistake("embeddings", "mapping-weights",
    "The embeddings are mixed up: word_embeddings belong to embedding, position_embeddings to positions, "
    "token_type_embeddings to segments.",
    edit(both_sides, {'"embedding"': '"positions"', '"positions"': '"embedding"'}, "words and positions"),
    edit(chain, {'"positions."': '"segments."', '"segments."': '"positions."'}, "replaced"))

exercise.mistake("up-and-down", "mapping-weights",
    "The two matrices of the feed-forward network are exchanged: intermediate.dense is up_proj, "
    "output.dense is down_proj.",
    edit(reference, {'"feed_forward.up_proj"': '"feed_forward.down_proj"',
                     '"feed_forward.down_proj"': '"feed_forward.up_proj"'}, "parts"))

exercise.mistake("dense-mixed", "mapping-weights",
    "attention.output.dense and output.dense are mixed up: the first is o_proj, the second down_proj. Look "
    "at the whole name.",
    edit(reference, {'"attention.o_proj"': '"feed_forward.down_proj"',
                     '"feed_forward.down_proj"': '"attention.o_proj"'}, "parts"),
    edit(chain, {'"layers."': '"layers.", "output.dense.": "feed_forward.down_proj."'},
         "the shorter name first"))

exercise.mistake("values-changed", "mapping-weights",
    "The numbers themselves are changed, or their dtype. Only the names change.",
    edit(reference, {"return mapped": "return {name: value / 2 for name, value in mapped.items()}"},
         "halved"),
    edit(reference, {"return mapped": "return {name: value.float() for name, value in mapped.items()}"},
         "always float32"))

exercise.mistake("not-a-dict", "mapping-weights", "Return a dict from the library's names to tensors.",
    edit(reference, {"return mapped": "return None"}, "nothing"),
    edit(chain, {"return new": "return list(new)"}, "names"))

exercise.mistake("no-tensors", "mapping-weights", "The values must stay tensors. Hand them on as they are.",
    edit(reference, {'[f"{outside[part]}.{kind}"] = value': '[f"{outside[part]}.{kind}"] = name'}, "names"))

exercise.built_in("changes-input",
    edit(chain, {"return": "state.clear()\nreturn"}, "popped"),
    edit(chain, {"for name":
                 'for name in [name for name in state if "pooler" in name or "position_ids" in name]:\n'
                 "    del state[name]\n"
                 "for name"}, "the extras deleted"))


def ready(state):
    import re
    from allyouneed.pretrained.weights import BERT_NAMES as table

    new = {}
    for name, value in state.items():
        for theirs, ours in table.items():
            if re.match(theirs, name) and "pooler" not in name:
                new[re.sub(theirs, ours, name)] = value
    return new


exercise.built_in("ready-made",
    full("from allyouneed.pretrained.weights import map_bert\n"
         "\n"
         'return {name: value for name, value in map_bert(state).items() if not name.startswith("pooler")}',
         "the library's"),
    full(ready, "the library's names"))

exercise.equal(
    "the order of the entries does not count, no two patterns meet one name, and values may be shared", {
    "sorted(state.items())": "state.items()", "break": "pass", "list(dict.fromkeys(": "dict.fromkeys(",
    ".clone()": ""})
exercise.equal("position_ids is the second and last part of its name", {"parts[-1] ==": "parts[1] =="})
exercise.equal("what a layer's names are looked up by begins in one way", {"parts[3:-1]": "parts[3:]"})
