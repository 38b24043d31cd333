"""The rubric of map_bert_weights: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

from ._shared import vary

exercise = Exercise(
    "map_bert_weights",
    points={"names": 2, "other sizes and extras": 1},
    section="mapping-weights",
    driver="mapped_state",
    compact=True,
    forbid=("map_bert", "_rename", "BERT_NAMES", "load_minilm", "bert_config"),
    mistakes={
        "query-and-key": ("Queries and keys are exchanged: self.query belongs to q_proj, self.key to k_proj.", "mapping-weights"),
        "key-and-value": ("Keys and values are exchanged: self.key belongs to k_proj, self.value to v_proj.", "mapping-weights"),
        "query-and-value": ("Queries and values are exchanged: self.query belongs to q_proj, self.value to v_proj.", "mapping-weights"),
        "output-and-value": ("The output projection is mixed up with another projection: attention.output.dense belongs to o_proj.", "mapping-weights"),
        "norms": ("The two norms of a layer are exchanged. attention.output.LayerNorm stands after attention (attention_norm), output.LayerNorm after the "
                  "feed-forward network (feed_forward_norm).", "two-norms-of-a-layer"),
        "one-norm": ("Both norms of a layer get the same weights. attention.output.LayerNorm and output.LayerNorm are two: look at the whole name.",
                     "two-norms-of-a-layer"),
        "weight-and-bias": ("The weight and the bias of a norm are exchanged. What ends in .weight or .bias keeps that ending.", "two-norms-of-a-layer"),
        "layer-order": ("The layers are in the wrong order. encoder.layer.0 is layers.0, and so on; numbers sorted as text put 10 before 2.", "mapping-weights"),
        "one-layer": ("All layers get the weights of one. Each layer has its own.", "mapping-weights"),
        "transposed": ("Matrices are transposed. Both sides use nn.Linear, whose weight is (outputs, inputs), and nn.Embedding: leave them as they are.",
                       "mapping-weights"),
        "extras-kept": ("The pooler or position_ids are still there. Leave them out: this encoder has no place for them.", "mapping-weights"),
        "names-kept": ("Names are still the published ones, in part or as a whole. Each must become the library's.", "mapping-weights"),
        "prefix": ("Names have a prefix that the encoder does not know. Its own names have none: embedding.weight, layers.0 and so on.", "mapping-weights"),
        "numbers-mixed": ("With ten layers or more, layer 1 is taken for layer 10 or 11, or layers are lost. Replace whole parts of a name, with the dots "
                          "around the number.", "mapping-weights"),
        "fixed-layers": ("Layers are missing. Map all that the state has: their number must not be written into the code.", "mapping-weights"),
        "biases-lost": ("Biases are missing. Each weight has one, except in the three embeddings.", "mapping-weights"),
        "part-lost": ("A part of the encoder is missing: embeddings, a norm, or a matrix of the layers. Map each of them.", "mapping-weights"),
        "embeddings": ("The embeddings are mixed up: word_embeddings belong to embedding, position_embeddings to positions, token_type_embeddings to "
                       "segments.", "mapping-weights"),
        "up-and-down": ("The two matrices of the feed-forward network are exchanged: intermediate.dense is up_proj, output.dense is down_proj.",
                        "mapping-weights"),
        "dense-mixed": ("attention.output.dense and output.dense are mixed up: the first is o_proj, the second down_proj. Look at the whole name.",
                        "mapping-weights"),
        "values-changed": ("The numbers themselves are changed, or their dtype. Only the names change.", "mapping-weights"),
        "not-a-dict": ("Return a dict from the library's names to tensors.", "mapping-weights"),
        "no-tensors": ("The values must stay tensors. Hand them on as they are.", "mapping-weights"),
    },
)


@exercise.probes
def _(make):
    def state(n_layers, d, d_ff, vocab, places, segments, extras=False):
        def randn(*shape):
            return make.randn(*shape, scale=0.7 if n_layers < 10 else 0.25)      # small changes, so that each of many layers shows at the end

        sizes = {"attention.self.query": (d, d), "attention.self.key": (d, d), "attention.self.value": (d, d), "attention.output.dense": (d, d),
                 "attention.output.LayerNorm": (d,), "intermediate.dense": (d_ff, d), "output.dense": (d, d_ff), "output.LayerNorm": (d,)}
        found = {"embeddings.word_embeddings.weight": randn(vocab, d), "embeddings.position_embeddings.weight": randn(places, d),
                 "embeddings.token_type_embeddings.weight": randn(segments, d), "embeddings.LayerNorm.weight": randn(d) + 1.0, "embeddings.LayerNorm.bias": randn(d)}
        if extras:
            found = {"embeddings.position_ids": torch.arange(places)[None]} | found
        for layer in range(n_layers):
            for name, shape in sizes.items():
                found[f"encoder.layer.{layer}.{name}.weight"] = randn(*shape) + (1.0 if len(shape) == 1 else 0.0)
                found[f"encoder.layer.{layer}.{name}.bias"] = randn(shape[0])
        if extras:
            found |= {"pooler.dense.weight": randn(d, d), "pooler.dense.bias": randn(d)}
        return found

    def probe(name, group, sizes, n_heads, batch=1, padded=False, edge=False, long=False, extras=False):
        ids = make.randint(0, sizes[3], (batch, sizes[4] - 1))
        real = torch.arange(sizes[4] - 1) < torch.tensor([[sizes[4] - 2]] * batch) if padded else None
        return make.probe(name, state(*sizes, extras=extras), n_heads, ids, real, group=group, edge=edge, long=long)

    yield probe("one layer", "names", (1, 4, 6, 7, 5, 2), 2)
    yield probe("two layers", "names", make.pick((2, 6, 8, 9, 4, 3), (2, 4, 7, 8, 5, 3), (2, 6, 10, 7, 5, 2)), 2, batch=2, padded=True)
    yield probe("a feed-forward width like d_model", "names", (2, 4, 4, 6, 3, 2), 1)
    group = "other sizes and extras"
    yield probe("a pooler and position_ids", group, (2, 4, 5, 6, 4, 2), 2, edge=True, extras=True)
    yield probe("twelve layers", group, (12, 4, 3, 5, 3, 2), 2, edge=True)
    yield probe("three layers", group, (3, 4, 6, 7, 5, 2), make.pick(4, 2, 1), long=True, extras=True)


@exercise.right
def reference(state):
    inside = {"attention.self.query": "attention.q_proj", "attention.self.key": "attention.k_proj", "attention.self.value": "attention.v_proj",
              "attention.output.dense": "attention.o_proj", "attention.output.LayerNorm": "attention_norm", "intermediate.dense": "feed_forward.up_proj",
              "output.dense": "feed_forward.down_proj", "output.LayerNorm": "feed_forward_norm"}
    outside = {"embeddings.word_embeddings": "embedding", "embeddings.position_embeddings": "positions",
               "embeddings.token_type_embeddings": "segments", "embeddings.LayerNorm": "norm"}
    mapped = {}
    for name, value in state.items():
        part, _, kind = name.rpartition(".")
        if part in outside:
            mapped[f"{outside[part]}.{kind}"] = value
        elif part.startswith("encoder.layer."):
            number, _, rest = part.removeprefix("encoder.layer.").partition(".")
            mapped[f"layers.{number}.{inside[rest]}.{kind}"] = value
    return mapped


@exercise.alternative("replacements in order, the longer ones first")
def _(state):
    replacements = [("embeddings.word_embeddings", "embedding"), ("embeddings.position_embeddings", "positions"),
                    ("embeddings.token_type_embeddings", "segments"), ("embeddings.LayerNorm", "norm"), ("encoder.layer.", "layers."),
                    ("attention.self.query", "attention.q_proj"), ("attention.self.key", "attention.k_proj"), ("attention.self.value", "attention.v_proj"),
                    ("attention.output.dense", "attention.o_proj"), ("attention.output.LayerNorm", "attention_norm"),
                    ("intermediate.dense", "feed_forward.up_proj"), ("output.dense", "feed_forward.down_proj"), ("output.LayerNorm", "feed_forward_norm")]
    result = {}
    for key, tensor in state.items():
        if "pooler" in key or key.endswith("position_ids"):
            continue
        for old, new in replacements:
            key = key.replace(old, new)
        result[key] = tensor
    return result


@exercise.alternative("a table of all names, layer by layer")
def _(state):
    n_layers = len([key for key in state if key.endswith("attention.self.query.weight")])
    out = {"embedding.weight": state["embeddings.word_embeddings.weight"], "positions.weight": state["embeddings.position_embeddings.weight"],
           "segments.weight": state["embeddings.token_type_embeddings.weight"], "norm.weight": state["embeddings.LayerNorm.weight"],
           "norm.bias": state["embeddings.LayerNorm.bias"]}
    for i in range(n_layers):
        theirs, ours = f"encoder.layer.{i}.", f"layers.{i}."
        for kind in ("weight", "bias"):
            for letter, word in zip("qkv", ("query", "key", "value")):
                out[ours + f"attention.{letter}_proj.{kind}"] = state[theirs + f"attention.self.{word}.{kind}"]
            out[ours + f"attention.o_proj.{kind}"] = state[theirs + f"attention.output.dense.{kind}"]
            out[ours + f"attention_norm.{kind}"] = state[theirs + f"attention.output.LayerNorm.{kind}"]
            out[ours + f"feed_forward.up_proj.{kind}"] = state[theirs + f"intermediate.dense.{kind}"]
            out[ours + f"feed_forward.down_proj.{kind}"] = state[theirs + f"output.dense.{kind}"]
            out[ours + f"feed_forward_norm.{kind}"] = state[theirs + f"output.LayerNorm.{kind}"]
    return out


@exercise.alternative("regular expressions, copies of the tensors")
def _(state):
    rules = {r"^embeddings\.word_embeddings": "embedding", r"^embeddings\.position_embeddings": "positions",
             r"^embeddings\.token_type_embeddings": "segments", r"^embeddings\.LayerNorm": "norm",
             r"^encoder\.layer\.(\d+)\.attention\.self\.(q|k|v)(?:uery|ey|alue)": r"layers.\1.attention.\2_proj",
             r"^encoder\.layer\.(\d+)\.attention\.output\.dense": r"layers.\1.attention.o_proj",
             r"^encoder\.layer\.(\d+)\.attention\.output\.LayerNorm": r"layers.\1.attention_norm",
             r"^encoder\.layer\.(\d+)\.intermediate\.dense": r"layers.\1.feed_forward.up_proj",
             r"^encoder\.layer\.(\d+)\.output\.dense": r"layers.\1.feed_forward.down_proj",
             r"^encoder\.layer\.(\d+)\.output\.LayerNorm": r"layers.\1.feed_forward_norm"}
    import re
    new = {}
    for name, value in sorted(state.items()):
        for pattern, ours in rules.items():
            if re.search(pattern, name):
                new[re.sub(pattern, ours, name)] = value.clone()
                break
    return new


@exercise.alternative("parts of a name, an ordered dict")
def _(state):
    from collections import OrderedDict
    mapped = OrderedDict()
    for name in state:
        parts = name.split(".")
        if parts[0] == "pooler" or parts[-1] == "position_ids":
            continue
        if parts[0] == "embeddings":
            new = [{"word": "embedding", "position": "positions", "token": "segments", "LayerNorm": "norm"}[parts[1].split("_")[0]]]
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


CHAIN = """
def map_bert_weights(state):
    pairs = {'embeddings.word_embeddings.': 'embedding.', 'embeddings.position_embeddings.': 'positions.',
             'embeddings.token_type_embeddings.': 'segments.', 'embeddings.LayerNorm.': 'norm.', 'encoder.layer.': 'layers.',
             'attention.self.query.': 'attention.q_proj.', 'attention.self.key.': 'attention.k_proj.', 'attention.self.value.': 'attention.v_proj.',
             'attention.output.dense.': 'attention.o_proj.', 'attention.output.LayerNorm.': 'attention_norm.',
             'intermediate.dense.': 'feed_forward.up_proj.', 'output.dense.': 'feed_forward.down_proj.', 'output.LayerNorm.': 'feed_forward_norm.'}
    new = {}
    for name, tensor in state.items():
        if name.startswith('pooler') or name == 'embeddings.position_ids':
            continue
        for old, ours in pairs.items():
            name = name.replace(old, ours)
        new[name] = tensor
    return new
"""
TABLE = """
def map_bert_weights(state):
    layers = 1 + max(int(key.split('.')[2]) for key in state if key.startswith('encoder.'))
    new = {}
    for ours, theirs in (('embedding', 'word_embeddings'), ('positions', 'position_embeddings'), ('segments', 'token_type_embeddings')):
        new[ours + '.weight'] = state['embeddings.' + theirs + '.weight']
    for kind in ('weight', 'bias'):
        new['norm.' + kind] = state['embeddings.LayerNorm.' + kind]
        for i in range(layers):
            t, o = f'encoder.layer.{i}.', f'layers.{i}.'
            new[o + 'attention.q_proj.' + kind] = state[t + 'attention.self.query.' + kind]
            new[o + 'attention.k_proj.' + kind] = state[t + 'attention.self.key.' + kind]
            new[o + 'attention.v_proj.' + kind] = state[t + 'attention.self.value.' + kind]
            new[o + 'attention.o_proj.' + kind] = state[t + 'attention.output.dense.' + kind]
            new[o + 'attention_norm.' + kind] = state[t + 'attention.output.LayerNorm.' + kind]
            new[o + 'feed_forward.up_proj.' + kind] = state[t + 'intermediate.dense.' + kind]
            new[o + 'feed_forward.down_proj.' + kind] = state[t + 'output.dense.' + kind]
            new[o + 'feed_forward_norm.' + kind] = state[t + 'output.LayerNorm.' + kind]
    return new
"""
vary(exercise, None, "a chain of replacements", base=CHAIN)
vary(exercise, None, "both sides written out", base=TABLE)


def wrong(mistake, label, *changes, base=None):
    vary(exercise, mistake, label, *changes, base=base)


def swap(mistake, first, second, label=""):
    """Exchange two of the library's names, in each of the three ways to write the map."""
    wrong(mistake, label or "parts", (f"'{first}'", "'@'"), (f"'{second}'", f"'{first}'"), ("'@'", f"'{second}'"))
    wrong(mistake, (label + " " if label else "") + "replaced", (f"'{first}.'", "'@'"), (f"'{second}.'", f"'{first}.'"), ("'@'", f"'{second}.'"), base=CHAIN)
    wrong(mistake, (label + " " if label else "") + "written out", (f"[o + '{first}.'", "[@"), (f"[o + '{second}.'", f"[o + '{first}.'"), ("[@", f"[o + '{second}.'"), base=TABLE)


swap("query-and-key", "attention.q_proj", "attention.k_proj")
swap("key-and-value", "attention.k_proj", "attention.v_proj")
swap("query-and-value", "attention.q_proj", "attention.v_proj")
swap("output-and-value", "attention.o_proj", "attention.v_proj")
swap("output-and-value", "attention.o_proj", "attention.q_proj", "with the queries")
swap("output-and-value", "attention.o_proj", "attention.k_proj", "with the keys")
swap("norms", "attention_norm", "feed_forward_norm")
wrong("one-norm", "the first", ("t + 'output.LayerNorm.'", "t + 'attention.output.LayerNorm.'"), base=TABLE)
wrong("one-norm", "the second", ("t + 'attention.output.LayerNorm.'", "t + 'output.LayerNorm.'"), base=TABLE)
wrong("weight-and-bias", "of all norms", ("        new[name] = tensor", "        if 'norm' in name:\n            name = name.replace('weight', '@').replace('bias', 'weight').replace('@', 'bias')\n        new[name] = tensor"), base=CHAIN)
wrong("weight-and-bias", "of the first norm", ("        new[name] = tensor", "        if name.startswith('norm'):\n            name = name.replace('weight', '@').replace('bias', 'weight').replace('@', 'bias')\n        new[name] = tensor"), base=CHAIN)
wrong("weight-and-bias", "of the norms in layers", ("        new[name] = tensor", "        if '_norm' in name:\n            name = name.replace('weight', '@').replace('bias', 'weight').replace('@', 'bias')\n        new[name] = tensor"), base=CHAIN)
wrong("layer-order", "the last first", ("f'layers.{i}.'", "f'layers.{layers - 1 - i}.'"), base=TABLE)
wrong("layer-order", "one further", ("f'layers.{i}.'", "f'layers.{(i + 1) % layers}.'"), base=TABLE)
wrong("one-layer", "the first", ("f'encoder.layer.{i}.'", "'encoder.layer.0.'"), base=TABLE)
wrong("one-layer", "the last", ("f'encoder.layer.{i}.'", "f'encoder.layer.{layers - 1}.'"), base=TABLE)
wrong("transposed", "all", ("    return new", "    return {name: value.T if value.dim() == 2 and 'layers' in name else value for name, value in new.items()}"), base=CHAIN)
wrong("transposed", "square ones", ("    return new", "    return {name: value.T if value.dim() == 2 and 'attention' in name else value for name, value in new.items()}"), base=TABLE)
wrong("transposed", "queries, keys and values", ("    return mapped", "    return {name: value.T if name.endswith(('q_proj.weight', 'k_proj.weight', 'v_proj.weight')) else value for name, value in mapped.items()}"))
wrong("extras-kept", "both", ("        if name.startswith('pooler') or name == 'embeddings.position_ids':\n            continue\n", ""), base=CHAIN)
wrong("extras-kept", "the pooler under its new name", ("'encoder.layer.': 'layers.'", "'encoder.layer.': 'layers.', 'pooler.dense.': 'pooler.'"), ("name.startswith('pooler') or ", ""), base=CHAIN)
wrong("extras-kept", "the pooler", ("name.startswith('pooler') or ", ""), base=CHAIN)
wrong("extras-kept", "position_ids", (" or name == 'embeddings.position_ids'", ""), base=CHAIN)
wrong("extras-kept", "both, by an else", ("    return mapped", "    return mapped | {name: value for name, value in state.items() if 'pooler' in name or 'position_ids' in name}"))
wrong("names-kept", "all", base="""
def map_bert_weights(state):
    return dict(state)
""")
wrong("names-kept", "all but the extras", base="""
def map_bert_weights(state):
    return {name: value for name, value in state.items() if not name.startswith('pooler') and 'position_ids' not in name}
""")
wrong("names-kept", "the embeddings", ("'embeddings.word_embeddings.': 'embedding.', 'embeddings.position_embeddings.': 'positions.', 'embeddings.token_type_embeddings.': 'segments.', 'embeddings.LayerNorm.': 'norm.', ", ""),
      base=" ".join(CHAIN.split("\n             ")))
wrong("names-kept", "the layers", ("'encoder.layer.': 'layers.',", ""), base=CHAIN)
wrong("names-kept", "the norms in layers", ("'attention.output.LayerNorm.': 'attention_norm.',", ""), (", 'output.LayerNorm.': 'feed_forward_norm.'", ""), base=CHAIN)
wrong("names-kept", "added to the old ones", ("    return mapped", "    return dict(state) | mapped"))
wrong("prefix", "bert", ("    return mapped", "    return {'bert.' + name: value for name, value in mapped.items()}"))
wrong("prefix", "model", ("        new[name] = tensor", "        new['model.' + name] = tensor"), base=CHAIN)
wrong("prefix", "encoder", ("f'layers.{i}.'", "f'encoder.layers.{i}.'"), base=TABLE)
wrong("numbers-mixed", "one digit", ("number, _, rest = part.removeprefix('encoder.layer.').partition('.')", "number, rest = (name[14], part[16:] if part[15] == '.' else part[17:])"))
wrong("numbers-mixed", "a search by startswith", base="""
def map_bert_weights(state):
    pairs = {'attention.self.query': 'attention.q_proj', 'attention.self.key': 'attention.k_proj', 'attention.self.value': 'attention.v_proj',
             'attention.output.dense': 'attention.o_proj', 'attention.output.LayerNorm': 'attention_norm', 'intermediate.dense': 'feed_forward.up_proj'}
    new = {'embedding.weight': state['embeddings.word_embeddings.weight'], 'positions.weight': state['embeddings.position_embeddings.weight'],
           'segments.weight': state['embeddings.token_type_embeddings.weight'], 'norm.weight': state['embeddings.LayerNorm.weight'], 'norm.bias': state['embeddings.LayerNorm.bias']}
    for name, value in state.items():
        if name.startswith('encoder.layer.'):
            i = name[len('encoder.layer.')]
            kind = name.split('.')[-1]
            for theirs, ours in pairs.items():
                if theirs in name:
                    new[f'layers.{i}.{ours}.{kind}'] = value
                    break
            else:
                new[f'layers.{i}.' + ('feed_forward.down_proj' if 'dense' in name else 'feed_forward_norm') + '.' + kind] = value
    return new
""")
wrong("numbers-mixed", "a pattern of one digit", base="""
def map_bert_weights(state):
    import re
    inner = {'attention.self.query': 'attention.q_proj', 'attention.self.key': 'attention.k_proj', 'attention.self.value': 'attention.v_proj',
             'attention.output.dense': 'attention.o_proj', 'attention.output.LayerNorm': 'attention_norm', 'intermediate.dense': 'feed_forward.up_proj',
             'output.dense': 'feed_forward.down_proj', 'output.LayerNorm': 'feed_forward_norm'}
    outer = {'embeddings.word_embeddings': 'embedding', 'embeddings.position_embeddings': 'positions', 'embeddings.token_type_embeddings': 'segments', 'embeddings.LayerNorm': 'norm'}
    new = {}
    for name, value in state.items():
        part, kind = name.rsplit('.', 1)
        found = re.match(r'encoder\\.layer\\.(\\d)\\.(.*)$', part)
        if found:
            new[f'layers.{found[1]}.{inner[found[2]]}.{kind}'] = value
        elif part in outer:
            new[f'{outer[part]}.{kind}'] = value
    return new
""")
wrong("fixed-layers", "six", ("range(layers)", "range(6)"), base=TABLE)
wrong("fixed-layers", "one", ("range(layers)", "range(1)"), base=TABLE)
wrong("fixed-layers", "the last one is missing", ("layers = 1 + max", "layers = max"), base=TABLE)
wrong("biases-lost", "", ("    return mapped", "    return {name: value for name, value in mapped.items() if name.endswith('weight')}"))
wrong("biases-lost", "written out", ("for kind in ('weight', 'bias')", "for kind in ('weight',)"), base=TABLE)
wrong("biases-lost", "of the first norm", ("    return mapped", "    mapped.pop('norm.bias')\n    return mapped"))
wrong("biases-lost", "of the matrices", ("    return new", "    return {name: value for name, value in new.items() if not name.endswith('proj.bias')}"), base=CHAIN)
wrong("part-lost", "segments", (", ('segments', 'token_type_embeddings')", ""), base=TABLE)
wrong("part-lost", "positions", ("('positions', 'position_embeddings'), ", ""), base=TABLE)
wrong("part-lost", "the first norm", ("        new['norm.' + kind] = state['embeddings.LayerNorm.' + kind]\n", ""), base=TABLE)
wrong("part-lost", "everything but the layers", ("        if part in outside:\n            mapped[f'{outside[part]}.{kind}'] = value\n        elif", "        if"))
wrong("fixed-layers", "none", ("        elif part.startswith('encoder.layer.'):\n            number, _, rest = part.removeprefix('encoder.layer.').partition('.')\n            mapped[f'layers.{number}.{inside[rest]}.{kind}'] = value\n", ""))
wrong("embeddings", "positions and segments", ("('positions', 'position_embeddings'), ('segments', 'token_type_embeddings')", "('segments', 'position_embeddings'), ('positions', 'token_type_embeddings')"), base=TABLE)
wrong("embeddings", "words and positions", ("('embedding', 'word_embeddings'), ('positions', 'position_embeddings')", "('positions', 'word_embeddings'), ('embedding', 'position_embeddings')"), base=TABLE)
wrong("embeddings", "replaced", ("'embeddings.position_embeddings.': 'positions.'", "'embeddings.position_embeddings.': 'segments.'"), ("'embeddings.token_type_embeddings.': 'segments.'", "'embeddings.token_type_embeddings.': 'positions.'"), base=CHAIN)
swap("up-and-down", "feed_forward.up_proj", "feed_forward.down_proj")
swap("dense-mixed", "attention.o_proj", "feed_forward.down_proj")
wrong("dense-mixed", "the shorter name first", ("'attention.self.query.': 'attention.q_proj.'", "'output.dense.': 'feed_forward.down_proj.', 'attention.self.query.': 'attention.q_proj.'"), (" 'output.dense.': 'feed_forward.down_proj.', 'output.LayerNorm.'", " 'output.LayerNorm.'"), base=" ".join(CHAIN.split("\n             ")))
wrong("values-changed", "half precision", ("    return mapped", "    return {name: value.bfloat16().float() for name, value in mapped.items()}"))
wrong("values-changed", "norms start at 1", ("    return new", "    return {name: torch.ones_like(value) if 'norm.weight' in name else value for name, value in new.items()}"), base=TABLE)
wrong("values-changed", "biases of 0", ("    return new", "    return {name: value * 0 if 'proj.bias' in name else value for name, value in new.items()}"), base=TABLE)
wrong("not-a-dict", "pairs", ("    return mapped", "    return list(mapped.items())"))
wrong("not-a-dict", "nothing", ("    return mapped", "    return None"))
wrong("not-a-dict", "names", ("    return new", "    return list(new)"), base=CHAIN)
wrong("no-tensors", "lists", ("    return mapped", "    return {name: value.tolist() for name, value in mapped.items()}"))
wrong("no-tensors", "names", ("mapped[f'{outside[part]}.{kind}'] = value", "mapped[f'{outside[part]}.{kind}'] = name"))
wrong("changes-input", "popped", ("        new[name] = tensor", "        new[name] = tensor\n    state.clear()"), base=CHAIN)
wrong("changes-input", "the extras deleted", ("    new = {}\n", "    new = {}\n    for name in [name for name in state if 'pooler' in name or 'position_ids' in name]:\n        del state[name]\n"), base=CHAIN)
wrong("ready-made", "the library's", base="""
def map_bert_weights(state):
    from allyouneed.weights import map_bert
    return {name: value for name, value in map_bert(state).items() if not name.startswith('pooler')}
""")
wrong("ready-made", "the library's names", base="""
def map_bert_weights(state):
    import re
    from allyouneed.weights import BERT_NAMES as table
    new = {}
    for name, value in state.items():
        for theirs, ours in table.items():
            if re.match(theirs, name) and 'pooler' not in name:
                new[re.sub(theirs, ours, name)] = value
    return new
""")
wrong("prefix", "encoder, of all names", ("    return mapped", "    return {'encoder.' + name: value for name, value in mapped.items()}"))
wrong("fixed-layers", "no more than six", ("range(layers)", "range(min(layers, 6))"), base=TABLE)
wrong("part-lost", "a matrix of the layers", ("            new[o + 'feed_forward.up_proj.' + kind] = state[t + 'intermediate.dense.' + kind]\n", ""), base=TABLE)
wrong("part-lost", "a norm of the layers", ("            new[o + 'feed_forward_norm.' + kind] = state[t + 'output.LayerNorm.' + kind]\n", ""), base=TABLE)
wrong("part-lost", "the output projection", ("            new[o + 'attention.o_proj.' + kind] = state[t + 'attention.output.dense.' + kind]\n", ""), base=TABLE)
wrong("names-kept", "of the embeddings' norm", ("'embeddings.LayerNorm.': 'norm.', ", ""), base=" ".join(CHAIN.split("\n             ")))
wrong("no-tensors", "numpy", ("    return mapped", "    return {name: value.numpy() for name, value in mapped.items()}"))
wrong("part-lost", "words", ("('embedding', 'word_embeddings'), ", ""), base=TABLE)
wrong("values-changed", "halved", ("    return mapped", "    return {name: value / 2 for name, value in mapped.items()}"))
FOUND = """
def map_bert_weights(state):
    inner = {'attention.self.query': 'attention.q_proj', 'attention.self.key': 'attention.k_proj', 'attention.self.value': 'attention.v_proj',
             'attention.output.dense': 'attention.o_proj', 'attention.output.LayerNorm': 'attention_norm', 'intermediate.dense': 'feed_forward.up_proj',
             'output.dense': 'feed_forward.down_proj', 'output.LayerNorm': 'feed_forward_norm'}
    outer = {'embeddings.word_embeddings': 'embedding', 'embeddings.position_embeddings': 'positions', 'embeddings.token_type_embeddings': 'segments',
             'embeddings.LayerNorm': 'norm'}
    numbers = list(dict.fromkeys(name.split('.')[2] for name in state if name.startswith('encoder')))
    new = {}
    for n, number in enumerate(numbers):
        for name, value in state.items():
            if name.startswith(f'encoder.layer.{number}.'):
                part, kind = '.'.join(name.split('.')[3:]).rsplit('.', 1)
                new[f'layers.{n}.{inner[part]}.{kind}'] = value
    for name, value in state.items():
        part, kind = name.rsplit('.', 1)
        if part in outer:
            new[f'{outer[part]}.{kind}'] = value
    return new
"""
vary(exercise, None, "layer after layer", base=FOUND)
wrong("numbers-mixed", "startswith without a dot", ("f'encoder.layer.{number}.'", "f'encoder.layer.{number}'"), base=FOUND)
wrong("numbers-mixed", "in, without a dot", ("name.startswith(f'encoder.layer.{number}.')", "f'layer.{number}' in name"), base=FOUND)
wrong("numbers-mixed", "startswith without a dot, the first one stays", ("f'encoder.layer.{number}.'", "f'encoder.layer.{number}'"),
      ("new[f'layers.{n}.{inner[part]}.{kind}'] = value", "new.setdefault(f'layers.{n}.{inner[part]}.{kind}', value)"), ("in state.items():\n            if", "in reversed(state.items()):\n            if"), base=FOUND)
wrong("layer-order", "numbers sorted as text", ("list(dict.fromkeys(name.split('.')[2] for name in state if name.startswith('encoder')))", "sorted({name.split('.')[2] for name in state if name.startswith('encoder')})"), base=FOUND)
wrong("transposed", "the embeddings", ("new[f'{outer[part]}.{kind}'] = value", "new[f'{outer[part]}.{kind}'] = value.T if value.dim() == 2 else value"), base=FOUND)
wrong("values-changed", "float64", ("    return mapped", "    return {name: value.double() for name, value in mapped.items()}"))
wrong("values-changed", "float64 in the layers", ("        new[name] = tensor", "        new[name] = tensor.double() if name.startswith('layers') else tensor"), base=CHAIN)
