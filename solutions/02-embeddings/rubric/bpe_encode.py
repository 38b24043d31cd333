"""bpe_encode: probes, right versions, and each mistake with its message and its evidence."""

from coursegrader.rubric import Exercise, edit, full

from ._shared import joined, merges_of, random_words, spell

exercise = Exercise(
    "bpe_encode",
    points={"in the order of the merges": 2, "every place": 1, "other characters": 1},
    section="bpe-encoding",
    forbid=("_encode", "encode_ordinary", "BytePairTokenizer", "PretrainedTokenizer",
            "tokenizers", "BPE"),
)


def _in_order(word, merges):
    symbols = list(word)
    for pair in merges:
        symbols = joined(symbols, pair)
    return symbols


def _by_rank(word, merges):
    symbols = list(word)
    while ranks := [merges.index(pair) for pair in zip(symbols, symbols[1:]) if pair in merges]:
        symbols = joined(symbols, merges[min(ranks)])
    return symbols


@exercise.probes
def probes(make):
    letters = make.pick("abcde", "dgkmt", "bfhpw")

    def probe(name, word, merges, group, **marks):
        """Both right ways must agree, or the question is not a fair one."""
        word, merges = (spell(word, letters),
                        [tuple(spell(part, letters) for part in pair.split()) for pair in merges])
        assert _in_order(word, merges) == _by_rank(word, merges), name
        return make.probe(name, word, merges, group=group, **marks)

    group = "in the order of the merges"
    yield probe("two merges, then a third", "abcde", ["a b", "c d", "ab cd"], group)
    yield probe("two pairs overlap, the left one first", "abc", ["a b", "b c"], group)
    yield probe("two pairs overlap, the right one first", "abc", ["b c", "a b"], group)
    yield probe("a longer token would fit", "abcd", ["c d", "a b", "ab c"], group)
    yield probe("a longer token that cannot be reached", make.pick("abcd", "abce", "dabc"),
                ["a b", "b c", "a bc"], group)
    yield probe("three merges deep", make.pick("eabcdde", "dabcdde", "eabcdee"),
                ["c d", "b cd", "d e", "a bcd"], group)
    yield probe("a pair in the other order", make.pick("bac", "bad", "bae"), ["a b", "c d"], group)
    yield probe("the same letters in another pair", make.pick("acbd", "acad", "dbac"), ["a b", "c d"], group)
    yield probe("the middle first", "abcd", ["b c", "a b", "c d", "bc d"], group)
    yield probe("each pair better than the one before it", "abcd", ["c d", "b c", "a b"], group)
    yield probe("a longer pair, learned later", "abcd", ["a b", "c d", "ab c"], group)
    yield probe("a longer pair to the right, learned later", "deabcde", ["d e", "b c", "a bc", "bc de"],
                group)
    yield probe("a whole word, learned late", *make.pick(
        ("abc", ["d e", "c d", "e d", "a b", "ab c"]), ("bca", ["d e", "a d", "e d", "c a", "b ca"]),
        ("cab", ["d e", "b d", "e d", "a b", "c ab"])), group)
    yield make.probe("a word of random letters", *_random_case(make, letters, 7, 12), group=group)
    yield make.probe("another word of random letters", *_random_case(make, letters, 9, 15), group=group)
    group = "every place"
    yield probe("three places", make.pick("abcabdab", "abdabeab", "abeabcab"), ["a b"], group)
    yield probe("five equal letters", "aaaaa", ["a a"], group)
    yield probe("five equal letters, two merges", "aaaaa", ["a a", "aa a"], group)
    yield probe("a symbol beside a pair", "abcbc", ["a b", "b c"], group)
    yield probe("two merges at two places", make.pick("abcdabc", "abceabc", "abcdeabc"), ["a b", "ab c"],
                group)
    group = "other characters"
    yield probe("characters that no merge knows", make.pick("xabyabz", "zabxyab", "yzababx"), ["a b"], group)
    yield probe("capitals and signs", make.pick("O'ab-AB", "AB-ab'O", "'ab--AB"), ["a b"], group)
    yield probe("no merges", make.pick("abc", "bca", "cab"), [], group)
    yield probe("a backslash", make.pick("ab\\ac", "b\\aca", "\\aab"), ["a b", "\\ a"], group, edge=True)
    yield probe("one character", "a", ["a b"], group, edge=True)
    yield probe("the empty word", "", ["a b"], group, edge=True)
    yield probe("the empty word, no merges", "", [], group, edge=True)
    yield make.probe("a long word", *_random_case(make, letters, 30, make.pick(150, 160, 140)),
                     group="every place", long=True)
    yield probe("a short pair, learned last", make.pick("abcd", "eabcd", "abcde"), ["a b", "ab c", "c d"],
                "in the order of the merges", edge=True)
    yield probe("spaces at both ends", make.pick(" abcab ", " cabab ", " abab "), ["a b"], group, edge=True)


def _random_case(make, letters, n_merges, length):
    """A random word, and merges that were learned from other words, on which both right ways agree."""
    while True:
        merges = merges_of(random_words(make, 30, letters, lengths=(3, 8)), n_merges)
        word = "".join(letters[i] for i in make.randint(0, len(letters), (length,)).tolist())
        if _in_order(word, merges) == _by_rank(word, merges) and len(_by_rank(word, merges)) < length - 3:
            return word, merges


@exercise.right
def reference(word, merges):
    ranks = {tuple(pair): rank for rank, pair in enumerate(merges)}
    symbols = list(word)
    while True:
        known = [pair for pair in zip(symbols, symbols[1:]) if pair in ranks]
        if not known:
            return symbols
        best = min(known, key=ranks.get)
        joined, i = ([], 0)
        while i < len(symbols):
            if tuple(symbols[i:i + 2]) == best:
                joined.append(symbols[i] + symbols[i + 1])
                i += 2
            else:
                joined.append(symbols[i])
                i += 1
        symbols = joined


@exercise.right("the merges one after another")
def merges_one(word, merges):
    symbols = list(word)
    for left, right in merges:
        i = 0
        while i < len(symbols) - 1:
            if symbols[i] == left and symbols[i + 1] == right:
                symbols[i : i + 2] = [left + right]
            i += 1
    return symbols


@exercise.right("one place at a time, the lowest rank first")
def one_place(word, merges):
    tokens = [c for c in word]
    while len(tokens) > 1:
        places = [(merges.index((a, b)), i) for i,
                  (a, b) in enumerate(zip(tokens[:-1], tokens[1:])) if (a, b) in merges]
        if not places:
            break
        _, i = min(places)
        tokens = tokens[:i] + [tokens[i] + tokens[i + 1]] + tokens[i + 2:]
    return tuple(tokens)


@exercise.right("spaced string and regular expressions")
def spaced(word, merges):
    import re
    separator = "\x00"
    text = separator + separator.join(word) + separator
    for a, b in merges:
        pattern = f"(?<={separator}){re.escape(a)}{separator}{re.escape(b)}(?={separator})"
        text = re.sub(pattern, (a + b).replace("\\", r"\\"), text)
    return [token for token in text.split(separator) if token]


@exercise.right("recursion")
def recursion(word, merges):
    def encode(symbols, rest):
        if not rest:
            return symbols
        (a, b), *later = rest
        out = []
        for s in symbols:
            if out and out[-1] == (a, "open") and s == b:
                out[-1] = a + b
            else:
                out.append((s, "open"))
        return encode([o[0] if isinstance(o, tuple) else o for o in out], later)

    return encode(list(word), list(merges))


@exercise.right("ranks with a default of infinity")
def ranks_default(word, merges):
    order = dict(zip(merges, range(len(merges))))
    parts = list(word)
    while len(parts) >= 2:
        pairs = {(parts[i], parts[i + 1]) for i in range(len(parts) - 1)}
        pair = min(pairs, key=lambda p: order.get(p, float("inf")))
        if pair not in order:
            break
        new, skip = [], False
        for i in range(len(parts)):
            if skip:
                skip = False
                continue
            if i + 1 < len(parts) and (parts[i], parts[i + 1]) == pair:
                new.append("".join(pair))
                skip = True
            else:
                new.append(parts[i])
        parts = new
    return parts


@exercise.right("cut positions")
def cut_positions(word, merges):
    cuts = list(range(len(word) + 1))
    for a, b in merges:
        k = 1
        while k < len(cuts) - 1:
            if word[cuts[k - 1]:cuts[k]] == a and word[cuts[k]:cuts[k + 1]] == b:
                del cuts[k]
            k += 1
    return [word[start:end] for start, end in zip(cuts, cuts[1:])]


def longest(word, merges):
    vocabulary = {a + b for a, b in merges}
    tokens, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start + 1 and word[start:end] not in vocabulary:
            end -= 1
        tokens.append(word[start:end])
        start = end
    return tokens


def longest_match(word, merges):
    vocabulary = {a + b for a, b in merges}
    tokens, end = [], len(word)
    while end > 0:
        start = min((s for s in range(end) if s == end - 1 or word[s:end] in vocabulary))
        tokens.insert(0, word[start:end])
        end = start
    return tokens


def longest_match_anywhere(word, merges):
    if not word:
        return []
    for token in sorted({a + b for a, b in merges}, key=lambda t: (-len(t), t)):
        if token in word:
            before, _, after = word.partition(token)
            return longest_match_anywhere(before, merges) + [token] + longest_match_anywhere(after, merges)
    return list(word)


def longest_match_first(word, merges):
    if not word:
        return []
    for token in sorted((a + b for a, b in merges), key=len, reverse=True):
        if token in word:
            before, _, after = word.partition(token)
            return longest_match_first(before, merges) + [token] + longest_match_first(after, merges)
    return list(word)


def longest_match_latest(word, merges):
    if not word:
        return []
    for a, b in reversed(merges):
        if a + b in word:
            before, _, after = word.partition(a + b)
            return longest_match_latest(before, merges) + [a + b] + longest_match_latest(after, merges)
    return list(word)


exercise.mistake("longest-match", "bpe-encoding",
    "Whole tokens are searched for in the word. Byte-pair encoding joins pairs instead, the one learned "
    "first before all others: start from characters.",
    full(longest, "from the left"),
    full(longest_match, "from the right"),
    full(longest_match_anywhere, "anywhere in the word"),
    full(longest_match_first, "the first learned of the longest"),
    full(longest_match_latest, "the latest learned token anywhere"))


def ignores(word, merges):
    symbols, i = list(word), 0
    while i < len(symbols) - 1:
        if (symbols[i], symbols[i + 1]) in merges:
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
        else:
            i += 1
    return symbols


def ignores_rank(word, merges):
    symbols, before = list(word), None
    while symbols != before:
        before, tokens, i = symbols, [], 0
        while i < len(symbols):
            step = 2 if tuple(symbols[i : i + 2]) in merges else 1
            tokens.append("".join(symbols[i : i + step]))
            i += step
        symbols = tokens
    return symbols


def ignores_rank_stack(word, merges):
    stack = []
    for c in word:
        stack.append(c)
        while len(stack) > 1 and (stack[-2], stack[-1]) in merges:
            last = stack.pop()
            stack[-1] += last
    return stack


def ignores_rank_only(word, merges):
    symbols, i = list(word), 0
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    while i < len(symbols) - 1:
        here = ranks.get((symbols[i], symbols[i + 1]), 10**9)
        if here < 10**9:
            if i + 2 < len(symbols) and ranks.get((symbols[i + 1], symbols[i + 2]), 10**9) < here:
                i += 1
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
            i = 0
        else:
            i += 1
    return symbols


exercise.mistake("ignores-rank", "bpe-encoding",
    "Pairs are not joined in the order of their ranks. Of all pairs in the word, join the one that was "
    "learned first, the one with the lowest rank.",
    full(ignores, "the first pair from the left, tried again at its place"),
    full(ignores_rank, "passes from the left"),
    edit(reference, {"best = min(known, key=ranks.get)": "best = known[0]"},
         "the first known pair, everywhere"),
    edit(reference, {"best = min(known, key=ranks.get)": "best = known[-1]"}, "the last pair from the left"),
    edit(reference, {", key=ranks.get": ""}, "the smallest pair"),
    full(ignores_rank_stack, "a stack"),
    full(ignores_rank_only, "only better than its right neighbour"))

exercise.mistake("first-not-joined", "bpe-encoding",
    "The pair that was learned first is never joined. Its rank is 0, and 0 counts as false: ask whether "
    "the pair is among the merges.",
    edit(merges_one, {"merges:": "merges[1:]:"}, "from the second on"))

exercise.mistake("pieces-do-not-join", "bpe-encoding",
    "The pieces do not join to the word: characters are missing, or stand twice. Each token reaches from one "
    "cut up to the next.",
    edit(cut_positions, {"[start:end]": "[start:end - 1]"}, "one character short"),
    edit(cut_positions, {"[start:end]": "[start:end + 1]"}, "one character long"),
    edit(cut_positions, {"[start:end]": "[start + 1:end]"}, "begins one late"),
    edit(cut_positions, {"[start:end]": "[start - 1:end]"}, "begins one early"),
    edit(cut_positions, {"[start:end]": "[:end]"}, "all from the word's start"),
    edit(cut_positions, {"[start:end]": "[start:]"}, "all to the word's end"),
    edit(cut_positions, {"[start:end]": "[start:start]"}, "empty"))

exercise.mistake("longest-pair-first", "bpe-encoding",
    "Of the pairs in the word the longest is joined first. The length does not matter: join the one that "
    "was learned first.",
    edit(reference, {"min(known, key=ranks.get)": 'max(known, key=lambda pair: len("".join(pair)))'},
         "the longest of the known"),
    edit(reference, {"ranks.get)": 'lambda pair: (-len("".join(pair)), ranks[pair]))'},
         "the longest of the known, the first learned of equals"))


exercise.mistake("sorted-by-length", "bpe-encoding",
    "The merges are sorted by length first. Take them in the order in which they were learned.",
    edit(merges_one, {"in merges": "in sorted(merges, key=lambda pair: len(pair[0] + pair[1]))"}))


def latest(word, merges):
    symbols, again = list(word), True
    while again:
        again = False
        for pair in merges[::-1]:
            for i in range(len(symbols) - 1):
                if (symbols[i], symbols[i + 1]) == pair:
                    symbols[i : i + 2] = [pair[0] + pair[1]]
                    again = True
                    break
            if again:
                break
    return symbols


exercise.mistake("latest-first", "bpe-encoding",
    "The pair that was learned last is joined first. Begin with the one that was learned first: the lowest "
    "rank.",
    edit(reference, {"min": "max"}, "the largest rank"),
    edit(merges_one, {"merges:": "reversed(merges):"}, "the merges backwards"),
    full(latest, "the merges backwards, until nothing changes"))

exercise.mistake("first-place-only", "bpe-encoding",
    "A pair is joined only at the first place where it stands. Join it everywhere in the word, from the "
    "left.",
    edit(merges_one, {"i += 1": "    break\ni += 1"}, "stops after the first place"))

exercise.mistake("from-the-right", "bpe-encoding",
    'Equal symbols are joined from the right: "aaa" becomes a, aa. Join from the left: aa, a.',
    edit(merges_one, {"i = 0": "i = len(symbols) - 2", "i < len(symbols) - 1": "i >= 0",
                      "i += 1": "i -= 1"}, "goes backwards"))


def overlap(word, merges):
    symbols = list(word)
    for a, b in merges:
        out, skip = [], False
        for i, s in enumerate(symbols):
            if symbols[i : i + 2] == [a, b]:
                out.append(a + b)
                skip = True
            elif skip:
                skip = False
            else:
                out.append(s)
        symbols = out
    return symbols


exercise.mistake("overlap", "bpe-encoding",
    'A symbol is used twice: "aaa" becomes aa, aa. After joining two symbols, go on after both.',
    full(overlap, "goes on by one"),
    full("symbols = list(word)\n"
         "for a, b in merges:\n"
         "    symbols = [a + b if symbols[i : i + 2] == [a, b] else symbols[i] for i in "
         "range(len(symbols))]\n"
         "return symbols", "keeps the second symbol"))

exercise.mistake("skips-behind-a-pair", "bpe-encoding",
    "After a joined pair one symbol is passed over: the list got shorter when the pair became one symbol, "
    "so go on by one.",
    edit(merges_one, {"i += 1": "    i += 1\ni += 1"}, "two steps after joining in place"))

exercise.mistake("list-shrinks", "bpe-encoding",
    "The list gets shorter with each join, but the loop runs to its old length, and the code stops with an "
    "error. Use while, or build a new list.",
    full("symbols = list(word)\n"
         "for pair in merges:\n"
         "    for i in range(len(symbols) - 1):\n"
         "        if (symbols[i], symbols[i + 1]) == pair:\n"
         '            symbols[i : i + 2] = ["".join(pair)]\n'
         "return symbols", "range of the old length"),
    full("symbols = list(word)\n"
         "for pair in merges:\n"
         "    for i in range(len(symbols) - 1):\n"
         "        if symbols[i] == pair[0] and symbols[i + 1] == pair[1]:\n"
         '            symbols[i : i + 2] = ["".join(pair)]\n'
         "return symbols", "range of the old length, left symbol first"))

exercise.mistake("past-the-end", "bpe-encoding",
    "The last symbol has no right neighbour: the code looks past the end of the word, and stops with an "
    "error.",
    full("symbols = list(word)\n"
         "for pair in merges:\n"
         "    for i in range(len(symbols)):\n"
         "        if (symbols[i], symbols[i + 1]) == pair:\n"
         '            symbols[i : i + 2] = ["".join(pair)]\n'
         "return symbols", "range of the whole length"),
    edit(merges_one, {"(symbols) - 1": "(symbols)"}, "while of the whole length"))

exercise.mistake("last-pair-not-joined", "bpe-encoding",
    "The last two symbols of a word are never joined. Look at where your loop ends.",
    edit(merges_one, {"(symbols) - 1": "(symbols) - 2"}, "one too short"))


def one_merge(word, merges):
    symbols = list(word)
    found = [
        (merges.index(pair), i) for i, pair in enumerate(zip(symbols, symbols[1:])) if pair in merges
    ]
    if found:
        i = min(found)[1]
        symbols = symbols[:i] + [symbols[i] + symbols[i + 1]] + symbols[i + 2 :]
    return symbols


exercise.mistake("one-merge", "bpe-encoding",
    "Only one merge is applied. Go on until no pair of the word is among the merges.",
    edit(reference, {"symbols = joined": "return joined"}, "returns after the first, by rank"),
    edit(merges_one, {"return": "    return symbols\nreturn"}, "returns in the loop"),
    full(one_merge, "one place, by rank"))


def single(word, merges):
    tokens, i = [], 0
    while i < len(word):
        if (word[i], word[i + 1 : i + 2]) in merges:
            tokens.append(word[i : i + 2])
            i += 2
        else:
            tokens.append(word[i])
            i += 1
    return tokens


exercise.mistake("single-pass", "bpe-encoding",
    'Joined symbols are not joined again. "ab" and "c" may be a pair too: go on until no pair of the word '
    "is among the merges.",
    full(single, "pairs of characters from the left"),
    edit(merges_one, {"right:": "right and (len(left + right) == 2):"},
         "pairs of characters in the order of the merges"))

exercise.mistake("nothing-joined", "bpe-encoding",
    "The word stays cut into characters. Join the pairs of the merges.",
    full("return list(word)", "the characters"))

exercise.mistake("whole-word", "bpe-encoding",
    "The whole word comes back as one token. Join only pairs that are among the merges, and stop when "
    "there are none.",
    full("return [word] if word else []", "the word"))

exercise.mistake("parts-exchanged", "bpe-encoding",
    "The two parts of a pair are exchanged. The pair (a, b) joins an a with a b to its right.",
    edit(merges_one, {"left, right": "right, left"}, "right, left"),
    edit(merges_one, {"left + right": "right + left"}, "joined as right + left"))

exercise.mistake("compares-text", "bpe-encoding",
    "Symbols are joined because their text together is that of a pair. (ab, c) and (a, bc) spell the same, "
    "but they are different pairs: compare both parts.",
    edit(merges_one, {"== left and": "+", "right:": "left + right:"}, "in order"))

exercise.mistake("pairs-not-joined", "bpe-encoding",
    "Joined symbols stay pairs. Join their two texts into one string.",
    edit(merges_one, {"left + right": "(left, right)"}, "a tuple in the list"))

exercise.mistake("lists-the-joins", "bpe-encoding",
    "The joins are returned, not the tokens. Return all symbols that the word holds at the end.",
    edit(merges_one, {"= list(word)": ", tokens = list(word), []",
                      "i += 1": "    tokens.append(left + right)\ni += 1",
                      "return symbols": "return tokens"}, "each join"),
    edit(merges_one, {"= list(word)": ", tokens = list(word), {}",
                      "i += 1": "    tokens[left + right] = 1\ni += 1",
                      "return symbols": "return list(tokens)"}, "each merge that occurs"))

exercise.mistake("any-neighbours", "bpe-encoding",
    "Symbols are joined because both occur in some merge. The two must be one pair of the merges, in this "
    "order.",
    edit(merges_one, {"and": "or", "[left + right]": "[symbols[i] + symbols[i + 1]]"}, "either part"),
    edit(merges_one, {"if": "if{", "== left and": ",", "== right": "} == {left, right}",
                      "[left + right]": "[symbols[i] + symbols[i + 1]]"}, "either order"),
    edit(merges_one, {"symbols[i] == left and symbols[i + 1] == right":
                      "sorted(symbols[i : i + 2]) == sorted([left, right])"},
         "either order, the letters exchanged"))


def inside(word, merges):
    text, before = " ".join(word), None
    while text != before:
        before = text
        for a, b in merges:
            if f"{a} {b}" in text:
                text = text.replace(f"{a} {b}", a + b)
                break
    return text.split(" ") if text else []


exercise.mistake("inside-symbols", "bpe-encoding",
    'A pair is also found inside longer symbols: the text "ab c" holds "b c", but the word does not. '
    "Compare whole symbols.",
    full('text = " ".join(word)\n'
         "for a, b in merges:\n"
         '    text = text.replace(a + " " + b, a + b)\n'
         "return text.split()", "replaces in a spaced string"),
    full(inside, "replaces in a spaced string until nothing changes"))


def loses(word, merges):
    symbols = list(word)
    for a, b in merges:
        out, i = [], 0
        while i < len(symbols) - 1:
            if symbols[i] == a and symbols[i + 1] == b:
                out.append(a + b)
                i += 2
            else:
                out.append(symbols[i])
                i += 1
        symbols = out
    return symbols


exercise.mistake("loses-characters", "bpe-encoding",
    "Characters get lost: the tokens no longer join to the word. Keep each symbol that is not joined.",
    edit(reference, {"(symbols)": "(symbols) - 1"}, "the last symbol"),
    full(loses, "the last symbol, in order"),
    edit(reference, {"symbols = list(word)":
                     "symbols = [c for c in word if any((c in a + b for a, b in merges))]"},
         "what no merge knows"),
    edit(reference, {"joined.append(symbols[i])": "pass"}, "what is not joined"),
    edit(reference, {"return symbols": "return [s for s in symbols if len(s) > 1]"},
         "what is not joined at the end"),
    edit(reference, {"symbols = list(word)": "symbols = [c for c in word.lower() if c.isalpha()]"},
         "all that is no letter"),
    edit(reference, {"list(word)": "list(word.strip())"}, "spaces at the ends"))

exercise.mistake("unknown-token", "bpe-encoding",
    "Characters are replaced: by another token where no merge knows them, or by lower-case letters. Keep "
    "them as they are: the tokens must join to the word.",
    edit(reference, {"return symbols":
                     'return [s if any((s in (a, b, a + b) for a, b in merges)) else "<unk>" for s in '
                     "symbols]"}, "<unk>"),
    edit(reference, {"return symbols":
                     'return [s if any((s in (a, b, a + b) for a, b in merges)) else "[UNK]" for s in '
                     "symbols]"}, "[UNK]"),
    edit(reference, {"return symbols":
                     'return [s if any((s in (a, b, a + b) for a, b in merges)) else "<UNK>" for s in '
                     "symbols]"}, "<UNK>"),
    edit(reference, {"return symbols":
                     'return [s if any((s in (a, b, a + b) for a, b in merges)) else "?" for s in symbols]'},
         "?"),
    edit(reference, {"return symbols":
                     'return [s if any((s in (a, b, a + b) for a, b in merges)) else "UNK" for s in '
                     "symbols]"}, "UNK"),
    edit(reference, {"return symbols":
                     'return [s if any((s in (a, b, a + b) for a, b in merges)) else "unk" for s in '
                     "symbols]"}, "unk"),
    edit(reference, {"return symbols":
                     "return [s if any((s in (a, b, a + b) for a, b in merges)) else None for s in symbols]"},
         "None"),
    edit(reference, {"(word)": "(word.lower())"}, "lower case"))

exercise.mistake("end-marker", "bpe-encoding",
    "The word gets a marker that it does not have. Here tokens are pieces of the word and nothing else: "
    "leave the marker out.",
    edit(reference, {"list(word)": '[*word, "</w>"]'}, "the symbol </w>"),
    edit(reference, {"list(word)": '[*word, "_"]'}, "the symbol _"),
    edit(reference, {"list(word)": '[*word, "</s>"]'}, "the symbol </s>"),
    edit(reference, {"list(word)": '[*word, "$"]'}, "the symbol $"),
    edit(reference, {"list(word)": '[*word, "#"]'}, "the symbol #"),
    edit(reference, {"list(word)": '[*word, "@"]'}, "the symbol @"),
    edit(reference, {"list(word)": '[*word, " "]'}, "the symbol ' '"),
    edit(reference, {"list(word)": '[*word, "▁"]'}, "the symbol ▁"),
    edit(reference, {"list(word)": '[*word, "Ġ"]'}, "the symbol Ġ"),
    edit(reference, {"list(word)": '[*word, "<end>"]'}, "the symbol <end>"),
    edit(reference, {"list(word)": '[*word, "<eow>"]'}, "the symbol <eow>"),
    edit(reference, {"list(word)": '["_", *word]'}, "the symbol _ before the word"),
    edit(reference, {"list(word)": '["▁", *word]'}, "the symbol ▁ before the word"),
    edit(reference, {"list(word)": '["Ġ", *word]'}, "the symbol Ġ before the word"),
    edit(reference, {"list(word)": '[" ", *word]'}, "the symbol ' ' before the word"),
    edit(reference, {"list(word)": '["^", *word]'}, "the symbol ^ before the word"),
    edit(reference, {"list(word)": '["<s>", *word]'}, "the symbol <s> before the word"),
    edit(reference, {"(word)": '(word + "</w>")'}, "the characters of </w>"),
    edit(reference, {"return symbols": 'return symbols[:-1] + [s + "</w>" for s in symbols[-1:]]'},
         "</w> sticks to the last token"),
    edit(reference, {"(word)": '(word + "</s>")'}, "the characters of </s>"),
    edit(reference, {"return symbols": 'return symbols[:-1] + [s + "</s>" for s in symbols[-1:]]'},
         "</s> sticks to the last token"),
    edit(reference, {"(word)": '(word + "<end>")'}, "the characters of <end>"),
    edit(reference, {"return symbols": 'return symbols[:-1] + [s + "<end>" for s in symbols[-1:]]'},
         "<end> sticks to the last token"),
    edit(reference, {"return symbols": 'return [s + "@@" for s in symbols[:-1]] + symbols[-1:]'},
         "@@ between the tokens"),
    edit(reference, {"return symbols": 'return symbols[:1] + ["@@" + s for s in symbols[1:]]'},
         "@@ before all but the first"),
    edit(reference, {"return symbols": 'return [s + "##" for s in symbols[:-1]] + symbols[-1:]'},
         "## between the tokens"),
    edit(reference, {"return symbols": 'return symbols[:1] + ["##" + s for s in symbols[1:]]'},
         "## before all but the first"))

exercise.mistake("wrong-form", "bpe-encoding",
    "The tokens are right, but their form is not. Return one list of strings.",
    edit(reference, {"return symbols": 'return " ".join(symbols)'}, "a string with spaces"),
    edit(reference, {"return symbols": 'return "".join(symbols)'}, "a joined string"),
    edit(reference, {"return symbols": "return [tuple(s) for s in symbols]"}, "tokens as tuples"),
    edit(reference, {"return symbols": "return [symbols]"}, "a list in a list"),
    edit(reference, {"return symbols": "return set(symbols)"}, "a set"),
    edit(reference, {"return symbols": "return symbols, ranks"}, "with the ranks"))

exercise.mistake("each-token-once", "bpe-encoding",
    "A token that stands in the word several times is returned once. Return a list with all tokens.",
    edit(reference, {"return symbols": "return list(dict.fromkeys(symbols))"}, "different tokens only"))

exercise.mistake("numbers", "bpe-encoding",
    "Numbers are returned in place of tokens. Return the pieces of the word, as strings.",
    edit(reference, {"return symbols":
                     "return [ranks.get((a, b), -1) for a, b in zip(symbols, symbols[1:])]"}, "ranks"),
    edit(reference, {"return symbols": "vocabulary = sorted({*word, *(a + b for a, b in merges)})\n"
                                       "return [vocabulary.index(s) for s in symbols]"},
         "places in the sorted vocabulary"),
    edit(reference, {"return symbols": "return len(symbols)"}, "how many tokens"))

exercise.mistake("backwards", "bpe-encoding",
    "The tokens come in the wrong order. Return them as they stand in the word, from left to right.",
    edit(reference, {"return symbols": "return symbols[::-1]"}, "inserted in front"))

exercise.mistake("empty-word", "bpe-encoding", 'The empty word has no tokens: return [] for "".',
    edit(reference, {"return symbols": 'return symbols or [""]'}, "one empty token"),
    edit(reference, {"return symbols": "return symbols or None"}, "None"),
    edit(reference, {"while True": "assert word[0]\nwhile True"}, "an error"),
    edit(reference, {"while True": "if len(word) < 2:\n"
                                   "    return word if not word else [word]\n"
                                   "while True"}, "the word itself"))


def one_symbol(word, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = list(word)
    while True:
        best = min(zip(symbols, symbols[1:]), key=lambda pair: ranks.get(pair, 10**9))
        if best not in ranks:
            return symbols
        i = list(zip(symbols, symbols[1:])).index(best)
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]


exercise.mistake("one-symbol-left", "bpe-encoding",
    "The code stops with an error when a word is one symbol, or empty: then there is no pair to choose from.",
    full(one_symbol, "min of no pairs"))


def no_merges(word, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = list(word)
    while True:
        i = min(((ranks[pair], i) for i, pair in enumerate(zip(symbols, symbols[1:])) if pair in ranks))[
            1
        ]
        symbols = symbols[:i] + [symbols[i] + symbols[i + 1]] + symbols[i + 2 :]
    return symbols


exercise.mistake("no-merges", "bpe-encoding",
    "An empty list of merges, or a word without a known pair, stops the code. Then the characters are the "
    "tokens.",
    full(no_merges, "min of nothing"),
    edit(reference, {"True:": "True:\n    last = max(ranks.values())"}, "min of no merges"),
    edit(reference, {"symbols = list": "first = merges[0]\nsymbols = list"}, "the first of no merges"))

exercise.mistake("changes-merges", "bpe-encoding",
    "The tokens are right, but the list merges has changed, and the next word needs it. Go through it "
    "without taking pairs out.",
    edit(merges_one, {"return": "while merges:\n"
                                "    merges.pop()\n"
                                "return"}, "uses the merges up"))


exercise.built_in("returns-nothing",
    edit(merges_one, {"return symbols": "symbols"}, "no return"))

exercise.built_in("ready-made",
    full("from allyouneed.text.bytepair import bpe_encode as encode\n"
         "return encode(word, merges)", "the library's own"),
    full("import allyouneed.text.bytepair as bytepair\n"
         "return bytepair._encode(word, {pair: rank for rank, pair in enumerate(merges)})",
         "the library's inner function"))

exercise.equal("merges come as a list of tuples, and tokens may go back in a list or a tuple", {
    "tuple(": "", "list(merges)": "merges"})
exercise.equal("one token alone has no neighbour, so nothing is found to join", {
    "> 1": (">= 1", "> 0")})
exercise.equal("zip ends with the shorter of the two", {
    "tokens[:-1]": "tokens[:]", "range(len(merges))": "range(len(merges) + 1)"})
exercise.equal("no symbol is the empty text that stands before the word's first cut", {"k = 1": "k = 0"})
