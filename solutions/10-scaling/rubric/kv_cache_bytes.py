"""kv_cache_bytes: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "kv_cache_bytes",
    points={"everything kept": 2, "a window": 1},
    section="cache-in-bytes",
)


@exercise.probes
def probes(make):
    kept, window, pick = {"group": "everything kept"}, {"group": "a window"}, make.pick
    yield make.probe("a few layers and tokens", *pick((2, 5, 3, 4), (2, 7, 3, 5), (3, 7, 2, 5)), **kept)
    yield make.probe("many layers", *pick((11, 6, 3, 7), (13, 5, 3, 8), (17, 6, 4, 9)), **kept)
    yield make.probe("many tokens", *pick((3, 190, 5, 16), (5, 170, 3, 12), (5, 230, 7, 24)), **kept)
    yield make.probe("numbers of four bytes", *pick((3, 10, 5, 7, 4), (4, 9, 3, 11, 4), (5, 13, 6, 7, 4)),
                     **kept)
    yield make.probe("numbers of one byte", *pick((4, 9, 5, 6, 1), (3, 11, 4, 10, 1), (5, 8, 3, 12, 1)),
                     **kept)
    yield make.probe("one head, one token", *pick((5, 1, 1, 6), (7, 1, 1, 9), (9, 1, 1, 5)), edge=True,
                     **kept)
    yield make.probe("no token yet", *pick((5, 0, 3, 6), (7, 0, 2, 9), (9, 0, 4, 5)), edge=True, **kept)
    yield make.probe("a model of 80 layers at a million tokens", 80, pick(1_000_000, 1_200_000, 900_000), 8,
                     128,
                     edge=True, **kept)
    yield make.probe("a whole library", *pick((97, 40_000_000_000_001, 7, 131), (101, 30_000_000_000_007, 9,
                     127),
                                              (89, 50_000_000_000_003, 11, 125)), edge=True, **kept)

    yield make.probe("a window shorter than the text", *pick((3, 20, 2, 5), (4, 22, 3, 5), (5, 24, 3, 7)),
                     window=pick(7, 9, 5), **window)
    yield make.probe("a window longer than the text", *pick((3, 6, 2, 5), (4, 7, 3, 5), (5, 8, 3, 7)),
                     window=pick(16, 18, 20), **window)
    yield make.probe("a window, one byte", *pick((4, 30, 3, 7, 1), (5, 28, 2, 9, 1), (6, 33, 5, 8, 1)),
                     window=pick(11, 12, 13), **window)
    yield make.probe("a window as long as the text", *pick((3, 8, 2, 5), (4, 9, 3, 5), (5, 7, 3, 8)),
                     window=pick(8, 9, 7), edge=True, **window)
    yield make.probe("a window of one", *pick((3, 9, 2, 5), (4, 8, 3, 5), (5, 7, 3, 8)), window=1, edge=True,
                     **window)


@exercise.right
def reference(n_layers, n_tokens, n_kv_heads, d_head, bytes_per_number=2, window=None):
    kept = n_tokens if window is None else min(n_tokens, window)
    return 2 * n_layers * kept * n_kv_heads * d_head * bytes_per_number


@exercise.right("layer by layer, keys and then values")
def layers(n_layers, n_tokens, n_kv_heads, d_head, bytes_per_number=2, window=None):
    total = 0
    for _ in range(n_layers):
        tokens = n_tokens
        if window is not None and window < n_tokens:
            tokens = window
        keys = n_kv_heads * tokens * d_head
        values = n_kv_heads * tokens * d_head
        total += (keys + values) * bytes_per_number
    return total


@exercise.right("torch counts empty tensors")
def tensors(n_layers, n_tokens, n_kv_heads, d_head, bytes_per_number=2, window=None):
    if n_tokens > 10**9:  # more than torch can count in bytes
        return n_tokens * tensors(n_layers, 1, n_kv_heads, d_head, bytes_per_number)
    keys = torch.empty(n_tokens, n_kv_heads, d_head, dtype=torch.int8, device="meta")
    if window is not None:
        keys = keys[-window:]
    values = torch.empty_like(keys)
    return n_layers * bytes_per_number * (keys.numel() + values.numel())


exercise.also_right(
    full("from math import prod\n"
         "tokens = min(n_tokens, window or n_tokens)\n"
         "return prod((n_layers, tokens, n_kv_heads, d_head, bytes_per_number, 2))", "math.prod"),
    full("per_token = 2 * n_kv_heads * d_head * bytes_per_number * n_layers\n"
         "if window is None:\n"
         "    window = n_tokens\n"
         "return per_token * sorted((window, n_tokens))[0]", "bytes of one token, the smaller of two"),
    full("def one_head(tokens):\n"
         "    return 2 * tokens * d_head * bytes_per_number\n"
         "\n"
         "return one_head(n_tokens if window is None or window >= n_tokens else window) * n_kv_heads * "
         "n_layers",
         "a helper for one head"))


exercise.mistake("keys-alone", "cache-in-bytes",
    "This is half of what it must be: only keys, or only values. Each token leaves a key and a value.",
    edit(reference, {"return 2 *": "return"}),
    edit(layers, {"(keys + values)": "keys"}, "layer by layer"))

exercise.mistake("window-ignored", "windows",
    "The window plays no part. Where a query sees the last window tokens alone, older keys and values "
    "are thrown away.",
    edit(reference, {"n_tokens if window is None else min(n_tokens, window)": "n_tokens"}))

exercise.mistake("whole-window-counted", "cache-in-bytes",
    "The whole window is counted, also where the text is shorter. What has not been read is not kept: "
    "take the smaller of the two.",
    edit(reference, {"min(n_tokens, window)": "window"}),
    full("return 2 * n_layers * (window or n_tokens) * n_kv_heads * d_head * bytes_per_number", "with or"))

exercise.mistake("larger-of-two", "cache-in-bytes",
    "The larger of text and window is taken. A window keeps less, not more: take the smaller.",
    edit(reference, {"min(n_tokens": "max(n_tokens"}))

exercise.mistake("window-of-one-more", "windows",
    "One token more or one fewer is kept than the window holds. The window counts the token itself: window "
    "tokens are kept.",
    edit(reference, {"min(n_tokens, window)": "min(n_tokens, window + 1)"}, "one more"),
    edit(reference, {"min(n_tokens, window)": "min(n_tokens, window - 1)"}, "one fewer"))

exercise.mistake("one-token-fewer", "cache-in-bytes",
    "One token fewer is counted than is kept, with a window and without. Every token that has been read "
    "leaves its key and its value, the last one too.",
    edit(reference, {"n_tokens if window is None else min(n_tokens, window)":
                     "(n_tokens if window is None else min(n_tokens, window)) - 1"}),
    edit(reference, {"n_tokens if window is None else min(n_tokens, window)":
                     "max(0, (n_tokens if window is None else min(n_tokens, window)) - 1)"}, "at least none"),
    edit(reference, {"n_tokens if window is None else min(n_tokens, window)":
                     "n_tokens - 1 if window is None else min(n_tokens - 1, window)"}, "of the text"),
    edit(reference, {"n_tokens if window is None else min(n_tokens, window)":
                     "n_tokens - 1 if window is None else min(n_tokens, window)"}, "without a window"))

exercise.mistake("window-in-keys-alone", "cache-in-bytes",
    "The window shortens only the keys or only the values. A token that nobody sees any more needs "
    "neither.",
    full("kept = n_tokens if window is None else min(n_tokens, window)\n"
         "return n_layers * (kept + n_tokens) * n_kv_heads * d_head * bytes_per_number"))

exercise.mistake("window-multiplied", "cache-in-bytes",
    "The window is a further factor, or is added or taken off. It does not count by itself: it limits "
    "how many tokens are kept.",
    edit(reference, {"min(n_tokens, window)": "n_tokens * window"}, "a product of tokens and window"),
    edit(reference, {"min(n_tokens, window)": "n_tokens + window"}, "a sum"),
    edit(reference, {"min(n_tokens, window)": "abs(n_tokens - window)"}, "a difference"),
    edit(reference, {"min(n_tokens, window)": "n_tokens - window"}, "what the window leaves out"),
    edit(reference, {"min(n_tokens, window)": "-(-n_tokens // window)"}, "the number of windows"),
    edit(reference, {"min(n_tokens, window)": "n_tokens // window"}, "the number of whole windows"))

exercise.mistake("none-compared", "windows",
    "window is None where there is no window, and None cannot be compared with a number. Ask first "
    "whether it is None: then all tokens are kept.",
    edit(reference, {"n_tokens if window is None else min(n_tokens, window)": "min(n_tokens, window)"}),
    edit(reference, {"n_tokens if window is None else min(n_tokens, window)": "min(window, n_tokens)"},
         "the window first"),
    edit(reference, {"n_tokens if window is None else": "n_tokens if n_tokens < window else"}, "less than"),
    edit(reference, {"n_tokens if window is None else": "window if n_tokens > window else"}, "more than"),
    edit(reference, {"n_tokens if window is None else": "n_tokens if n_tokens <= window else"}, "at most"),
    edit(reference, {"n_tokens if window is None else": "window if window < n_tokens else"},
         "a window less than"),
    edit(reference, {"n_tokens if window is None else min(n_tokens, window)": "n_tokens * window"},
         "multiplied"))

exercise.mistake("no-window-as-zero", "windows",
    "Without a window the result is 0 throughout. None means that a query sees everything, and "
    "everything is kept.",
    edit(reference, {"n_tokens if window is None else min(n_tokens, window)": "min(n_tokens, window or 0)"}),
    edit(reference, {"n_tokens if window is None": "0 if window is None"}, "with if"))

exercise.mistake("sum-over-steps", "cache-in-bytes",
    "What is kept after each token is added up. The cache holds each token once: what is asked for is "
    "its size after the last.",
    edit(reference, {"return 2 * n_layers * kept": "kept = sum(min(i, kept) for i in range(n_tokens + 1))\n"
                     "return 2 * n_layers * kept"}),
    edit(reference, {"min(n_tokens, window)": "sum(min(i, window) for i in range(n_tokens))"},
         "with a window alone"),
    edit(reference, {"min(n_tokens, window)": "sum(min(i + 1, window) for i in range(n_tokens))"},
         "with a window alone, the new token too"))

exercise.mistake("numbers-counted", "cache-in-bytes",
    "These are numbers, not bytes. Each number takes bytes_per_number bytes.",
    edit(reference, {" * bytes_per_number": ""}))

exercise.mistake("two-bytes-always", "cache-in-bytes",
    "Every number takes two bytes, or four, whatever bytes_per_number says. Multiply by it.",
    edit(reference, {"* bytes_per_number": "* 2"}),
    edit(reference, {"* bytes_per_number": "* 4"}, "four"),
    edit(reference, {"* bytes_per_number": "* 2 ** bytes_per_number"}, "a power"))

exercise.mistake("bits", "cache-in-bytes",
    "This is eight times too much or too little: a byte is 8 bits, and bytes are given and asked for.",
    edit(reference, {"return 2 ": "return 16 "}),
    edit(reference, {"* bytes_per_number": "* bytes_per_number // 8"}, "divided"))

exercise.mistake("layers-missing", "cache-in-bytes",
    "n_layers plays no part. Each layer has its own keys and values.",
    edit(reference, {" n_layers *": ""}),
    edit(layers, {"total += ": "total = "}, "the last layer alone"))

exercise.mistake("heads-missing", "cache-in-bytes",
    "n_kv_heads plays no part. Each head that has keys and values of its own keeps d_head numbers for "
    "each.",
    edit(reference, {" * n_kv_heads": ""}))

exercise.mistake("width-missing", "cache-in-bytes",
    "d_head plays no part. A key has d_head numbers, a value too.",
    edit(reference, {" * d_head": ""}))

exercise.mistake("tokens-missing", "cache-in-bytes",
    "The number of tokens plays no part. The cache grows with each token, until a window is full.",
    edit(reference, {" * kept": ""}))

exercise.mistake("query-heads", "cache-in-bytes",
    "More heads are counted than have keys and values: a group of 2, 4 or 8 query heads for each is "
    "assumed, or four matrices instead of two. Queries are not kept, nor is what a layer returns.",
    edit(reference, {"return 2 ": "return 4 "}, "twice as many"),
    edit(reference, {"return 2 ": "return 8 "}, "four times as many"),
    edit(reference, {"return 2 ": "return 10 "}, "keys, and queries and values of four times as many"),
    edit(reference, {"return 2 ": "return 6 "}, "queries of four times as many"),
    edit(reference, {"return 2 ": "return 3 "}, "queries, keys and values"))

exercise.mistake("pairs-of-tokens", "cache-in-bytes",
    "The count grows with the square of the tokens, or of a width. Scores belong to pairs of tokens, and "
    "are not kept; the cache holds one key and one value a token, and no matrix of weights.",
    edit(reference, {"* kept": "* kept ** 2"}),
    edit(reference, {"* d_head": "* d_head ** 2"}, "the width"),
    edit(reference, {"* n_kv_heads": "* n_kv_heads ** 2"}, "the heads"),
    edit(reference, {"kept * n_kv_heads * d_head": "(kept * n_kv_heads * d_head) ** 2"}, "all three"),
    edit(reference, {"n_kv_heads * d_head": "(n_kv_heads * d_head) ** 2"}, "the full width"))

exercise.mistake("width-divided", "cache-in-bytes",
    "The width is divided by the number of heads. d_head is the width of one head already.",
    edit(reference, {"* d_head": "* (d_head // n_kv_heads)"}),
    edit(reference, {"* d_head": "* (d_head / n_kv_heads)"}, "with /"))

exercise.mistake("added", "cache-in-bytes",
    "Something is added that must be multiplied: each layer keeps, for each token and head, d_head "
    "numbers twice.",
    edit(reference, {"n_kv_heads * d_head": "(n_kv_heads + d_head)"}),
    edit(reference, {"n_layers * kept": "(n_layers + kept)"}, "layers and tokens"),
    edit(reference, {"n_layers * kept": "n_layers + kept"}, "twice the layers, and the rest"),
    edit(reference, {"* bytes_per_number": "+ bytes_per_number"}, "the bytes"))

exercise.mistake("another-unit", "cache-in-bytes",
    "The number is given in another unit, such as megabytes or gigabytes. Return the bytes themselves, "
    "as an int.",
    edit(reference, {"* bytes_per_number": "* bytes_per_number / 1e9"}, "10⁹ bytes"),
    edit(reference, {"* bytes_per_number": "* bytes_per_number / 2**30"}, "gibibytes"),
    edit(reference, {"* bytes_per_number": "* bytes_per_number / 1e6"}, "10⁶ bytes"),
    edit(reference, {"* bytes_per_number": "* bytes_per_number / 2**20"}, "mebibytes"),
    edit(reference, {"* bytes_per_number": "* bytes_per_number // 1024"}, "1024 bytes, whole"),
    edit(reference, {"* bytes_per_number": "* bytes_per_number // 2**20"}, "mebibytes, whole"),
    edit(reference, {"* bytes_per_number": "* bytes_per_number // 10**9"}, "10⁹ bytes, whole"),
    edit(reference, {"* bytes_per_number": "* bytes_per_number / 1024"}, "1024 bytes"))

exercise.mistake("not-an-int", "cache-in-bytes",
    "The right number, but no int: a float, a text, or a tensor of floats. Multiply ints, and do not "
    "divide with /.",
    edit(reference, {"return 2 ": "return 2.0 "}),
    full("kept = n_tokens if window is None else min(n_tokens, window)\n"
         "return torch.tensor(2.0 * n_layers * kept * n_kv_heads * d_head * bytes_per_number)", "a tensor"),
    full("kept = n_tokens if window is None else min(n_tokens, window)\n"
         "return str(2 * n_layers * kept * n_kv_heads * d_head * bytes_per_number)", "a text"))

exercise.mistake("float-in-between", "cache-in-bytes",
    "Large numbers come out a little wrong: a float on the way keeps 16 digits only. Multiply ints alone.",
    full("kept = n_tokens if window is None else min(n_tokens, window)\n"
         "return int(2.0 * n_layers * kept * n_kv_heads * d_head * bytes_per_number)"),
    full("import math\n"
         "kept = min(n_tokens, window or math.inf)\n"
         "return int(2 * n_layers * float(kept) * n_kv_heads * d_head * bytes_per_number)",
             "infinity as no window"))

exercise.mistake("new-token-added", "cache-in-bytes",
    "One token more is counted than n_tokens says: the new one, or a start token. n_tokens is what has "
    "been read.",
    edit(reference, {"n_tokens if window is None else min(n_tokens, window)":
                     "n_tokens + 1 if window is None else min(n_tokens + 1, window)"}),
    edit(reference, {"n_tokens if window is None else min(n_tokens, window)":
                     "(n_tokens if window is None else min(n_tokens, window)) + 1"}, "to the window too"))

exercise.built_in("returns-nothing",
    full("print(2 * n_layers * n_tokens * n_kv_heads * d_head * bytes_per_number)"))

exercise.equal("the smaller of two is the same in either order, and of two that are equal it is either",
               {"min(n_tokens, window)": "min(window, n_tokens)", "window < n_tokens": "window <= n_tokens",
                "min(n_tokens, window or n_tokens)": "min(window or n_tokens, n_tokens)",
                "window >= n_tokens": "window > n_tokens"})
exercise.equal("a text of many tokens takes as many times the bytes of one, from whatever number on it is "
               "counted so",
               {"n_tokens > 10**9": ("n_tokens >= 10**9", "n_tokens > 10*9", "n_tokens > (9 ** 10)",
                                     "n_tokens > 11**9", "n_tokens > 9**9",
                                     "n_tokens > 10**10", "n_tokens > 10**8", "n_kv_heads > 10**9", "n_layers > 10**9",
                                     "False")})
exercise.equal("a product is the same in any order of its factors, and keys are as many as values",
               {"n_kv_heads, d_head, dtype": "d_head, n_kv_heads, dtype", "torch.empty_like(keys)": "keys",
                "n_layers, 1, n_kv_heads, d_head, bytes_per_number":
                ("1, n_layers, n_kv_heads, d_head, bytes_per_number", "n_layers, n_kv_heads, 1, d_head, "
                                                                      "bytes_per_number",
                 "n_layers, 1, d_head, n_kv_heads, bytes_per_number",
                 "n_layers, 1, n_kv_heads, bytes_per_number, d_head")})
exercise.equal("numbers are counted, whatever their kind and place",
               {", dtype=torch.int8": "", ', device="meta"': ""})
