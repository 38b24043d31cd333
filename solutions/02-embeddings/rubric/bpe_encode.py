"""The rubric of bpe_encode: reference, probes, mistakes with their messages, and the evidence that they are right."""

from coursegrader.rubric import Exercise

from ._shared import joined, merges_of, random_words, spell, vary

exercise = Exercise(
    "bpe_encode",
    compact=True,
    points={"in the order of the merges": 2, "every place": 1, "other characters": 1},
    section="bpe-encoding",
    forbid=("_encode", "encode_ordinary", "BytePairTokenizer", "PretrainedTokenizer"),
    mistakes={
        "longest-match": ("Whole tokens are searched for in the word. Byte-pair encoding joins pairs instead, the one learned first before all others: "
                          "start from characters.", "bpe-encoding"),
        "ignores-rank": ("Pairs are not joined in the order of their ranks. Of all pairs in the word, join the one that was learned first, the one with "
                         "the lowest rank.", "bpe-encoding"),
        "first-not-joined": ("The pair that was learned first is never joined. Its rank is 0, and 0 counts as false: ask whether the pair is among the merges.",
                             "bpe-encoding"),
        "longest-pair-first": ("Of the pairs in the word the longest is joined first. The length does not matter: join the one that was learned first.",
                               "bpe-encoding"),
        "latest-first": ("The pair that was learned last is joined first. Begin with the one that was learned first: the lowest rank.", "bpe-encoding"),
        "first-place-only": ("A pair is joined only at the first place where it stands. Join it everywhere in the word, from the left.",
                             "bpe-encoding"),
        "from-the-right": ("Equal symbols are joined from the right: \"aaa\" becomes a, aa. Join from the left: aa, a.", "bpe-encoding"),
        "overlap": ("A symbol is used twice: \"aaa\" becomes aa, aa. After joining two symbols, go on after both.", "bpe-encoding"),
        "skips-behind-a-pair": ("After a joined pair one symbol is passed over: the list got shorter when the pair became one symbol, so go "
                                "on by one.",
                                "bpe-encoding"),
        "list-shrinks": ("The list gets shorter with each join, but the loop runs to its old length, and the code stops with an error. Use "
                         "while, or build a new list.", "bpe-encoding"),
        "past-the-end": ("The last symbol has no right neighbour: the code looks past the end of the word, and stops with an error.", "bpe-encoding"),
        "last-pair-not-joined": ("The last two symbols of a word are never joined. Look at where your loop ends.", "bpe-encoding"),
        "one-merge": ("Only one merge is applied. Go on until no pair of the word is among the merges.", "bpe-encoding"),
        "single-pass": ("Joined symbols are not joined again. \"ab\" and \"c\" may be a pair too: go on until no pair of the word is among the merges.",
                        "bpe-encoding"),
        "whole-word": ("The whole word comes back as one token. Join only pairs that are among the merges, and stop when there are none.", "bpe-encoding"),
        "parts-exchanged": ("The two parts of a pair are exchanged. The pair (a, b) joins an a with a b to its right.", "bpe-encoding"),
        "compares-text": ("Symbols are joined because their text together is that of a pair. (ab, c) and (a, bc) spell the same, but they are different "
                          "pairs: compare both parts.", "bpe-encoding"),
        "pairs-not-joined": ("Joined symbols stay pairs. Join their two texts into one string.", "bpe-encoding"),
        "lists-the-joins": ("The joins are returned, not the tokens. Return all symbols that the word holds at the end.", "bpe-encoding"),
        "nothing-joined": ("The word stays cut into characters. Join the pairs of the merges.", "bpe-encoding"),
        "any-neighbours": ("Symbols are joined because both occur in some merge. The two must be one pair of the merges, in this order.", "bpe-encoding"),
        "inside-symbols": ("A pair is also found inside longer symbols: the text \"ab c\" holds \"b c\", but the word does not. Compare whole symbols.",
                           "bpe-encoding"),
        "loses-characters": ("Characters get lost: the tokens no longer join to the word. Keep each symbol that is not joined.", "bpe-encoding"),
        "unknown-token": ("Characters are replaced: by another token where no merge knows them, or by lower-case letters. Keep them as they "
                          "are: the tokens must join to the word.",
                          "bpe-encoding"),
        "end-marker": ("The word gets a marker that it does not have. Here tokens are pieces of the word and nothing else: leave the marker out.",
                       "bpe-encoding"),
        "wrong-form": ("The tokens are right, but their form is not. Return one list of strings.", "bpe-encoding"),
        "each-token-once": ("A token that stands in the word several times is returned once. Return a list with all tokens.", "bpe-encoding"),
        "changes-merges": ("The tokens are right, but the list merges has changed, and the next word needs it. Go through it without taking pairs out.",
                           "bpe-encoding"),
        "numbers": ("Numbers are returned in place of tokens. Return the pieces of the word, as strings.", "bpe-encoding"),
        "backwards": ("The tokens come in the wrong order. Return them as they stand in the word, from left to right.", "bpe-encoding"),
        "empty-word": ("The empty word has no tokens: return [] for \"\".", "bpe-encoding"),
        "one-symbol-left": ("The code stops with an error when a word is one symbol, or empty: then there is no pair to choose from.", "bpe-encoding"),
        "no-merges": ("An empty list of merges, or a word without a known pair, stops the code. Then the characters are the tokens.", "bpe-encoding"),
    },
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
def _(make):
    letters = make.pick("abcde", "dgkmt", "bfhpw")

    def probe(name, word, merges, group, **marks):
        """Both right ways must agree, or the question is not a fair one."""
        word, merges = spell(word, letters), [tuple(spell(part, letters) for part in pair.split()) for pair in merges]
        assert _in_order(word, merges) == _by_rank(word, merges), name
        return make.probe(name, word, merges, group=group, **marks)

    group = "in the order of the merges"
    yield probe("two merges, then a third", "abcde", ["a b", "c d", "ab cd"], group)
    yield probe("two pairs overlap, the left one first", "abc", ["a b", "b c"], group)
    yield probe("two pairs overlap, the right one first", "abc", ["b c", "a b"], group)
    yield probe("a longer token would fit", "abcd", ["c d", "a b", "ab c"], group)
    yield probe("a longer token that cannot be reached", make.pick("abcd", "abce", "dabc"), ["a b", "b c", "a bc"], group)
    yield probe("three merges deep", make.pick("eabcdde", "dabcdde", "eabcdee"), ["c d", "b cd", "d e", "a bcd"], group)
    yield probe("a pair in the other order", make.pick("bac", "bad", "bae"), ["a b", "c d"], group)
    yield probe("the same letters in another pair", make.pick("acbd", "acad", "dbac"), ["a b", "c d"], group)
    yield probe("the middle first", "abcd", ["b c", "a b", "c d", "bc d"], group)
    yield probe("each pair better than the one before it", "abcd", ["c d", "b c", "a b"], group)
    yield probe("a longer pair, learned later", "abcd", ["a b", "c d", "ab c"], group)
    yield probe("a longer pair to the right, learned later", "deabcde", ["d e", "b c", "a bc", "bc de"], group)
    yield make.probe("a word of random letters", *_random_case(make, letters, 7, 12), group=group)
    yield make.probe("another word of random letters", *_random_case(make, letters, 9, 15), group=group)
    group = "every place"
    yield probe("three places", make.pick("abcabdab", "abdabeab", "abeabcab"), ["a b"], group)
    yield probe("five equal letters", "aaaaa", ["a a"], group)
    yield probe("five equal letters, two merges", "aaaaa", ["a a", "aa a"], group)
    yield probe("a symbol beside a pair", "abcbc", ["a b", "b c"], group)
    yield probe("two merges at two places", make.pick("abcdabc", "abceabc", "abcdeabc"), ["a b", "ab c"], group)
    group = "other characters"
    yield probe("characters that no merge knows", make.pick("xabyabz", "zabxyab", "yzababx"), ["a b"], group)
    yield probe("capitals and signs", make.pick("O'ab-AB", "AB-ab'O", "'ab--AB"), ["a b"], group)
    yield probe("no merges", make.pick("abc", "bca", "cab"), [], group)
    yield probe("one character", "a", ["a b"], group, edge=True)
    yield probe("the empty word", "", ["a b"], group, edge=True)
    yield probe("the empty word, no merges", "", [], group, edge=True)
    yield make.probe("a long word", *_random_case(make, letters, 30, make.pick(150, 160, 140)), group="every place", long=True)


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


IN_ORDER = """
def bpe_encode(word, merges):
    symbols = list(word)
    for left, right in merges:
        i = 0
        while i < len(symbols) - 1:
            if symbols[i] == left and symbols[i + 1] == right:
                symbols[i:i + 2] = [left + right]
            i += 1
    return symbols
"""
vary(exercise, None, "the merges one after another", base=IN_ORDER)


@exercise.alternative("one place at a time, the lowest rank first")
def _(word, merges):
    tokens = [c for c in word]
    while len(tokens) > 1:
        places = [(merges.index((a, b)), i) for i, (a, b) in enumerate(zip(tokens[:-1], tokens[1:])) if (a, b) in merges]
        if not places:
            break
        _, i = min(places)
        tokens = tokens[:i] + [tokens[i] + tokens[i + 1]] + tokens[i + 2:]
    return tuple(tokens)


@exercise.alternative("spaced string and regular expressions")
def _(word, merges):
    import re
    separator = "\x00"
    text = separator + separator.join(word) + separator
    for a, b in merges:
        pattern = f"(?<={separator}){re.escape(a)}{separator}{re.escape(b)}(?={separator})"
        text = re.sub(pattern, (a + b).replace("\\", r"\\"), text)
    return [token for token in text.split(separator) if token]


@exercise.alternative("recursion")
def _(word, merges):
    def encode(symbols, rest):
        if not rest:
            return symbols
        (a, b), *later = rest
        out = []
        for s in symbols:
            if out and out[-1] == (a, "open") and s == b:
                out[-1] = a + b
            else:
                out = [o[0] if isinstance(o, tuple) else o for o in out]
                out.append((s, "open"))
        return encode([o[0] if isinstance(o, tuple) else o for o in out], later)

    return encode(list(word), list(merges))


@exercise.alternative("ranks with a default of infinity")
def _(word, merges):
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


@exercise.alternative("cut positions")
def _(word, merges):
    if not word:
        return []
    cuts = list(range(len(word) + 1))
    for a, b in merges:
        k = 1
        while k < len(cuts) - 1:
            if word[cuts[k - 1]:cuts[k]] == a and word[cuts[k]:cuts[k + 1]] == b:
                del cuts[k]
            k += 1
    return [word[start:end] for start, end in zip(cuts, cuts[1:])]


LONGEST = """
def bpe_encode(word, merges):
    vocabulary = {a + b for a, b in merges}
    tokens, start = [], 0
    while start < len(word):
        end = len(word)
        while end > start + 1 and word[start:end] not in vocabulary:
            end -= 1
        tokens.append(word[start:end])
        start = end
    return tokens
"""
LEFTMOST = """
def bpe_encode(word, merges):
    symbols, i = list(word), 0
    while i < len(symbols) - 1:
        if (symbols[i], symbols[i + 1]) in merges:
            symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]
            i = 0
        else:
            i += 1
    return symbols
"""
ONE_PASS = """
def bpe_encode(word, merges):
    tokens, i = [], 0
    while i < len(word):
        if (word[i], word[i + 1:i + 2]) in merges:
            tokens.append(word[i:i + 2])
            i += 2
        else:
            tokens.append(word[i])
            i += 1
    return tokens
"""
SPACED = """
def bpe_encode(word, merges):
    text = ' '.join(word)
    for a, b in merges:
        text = text.replace(a + ' ' + b, a + b)
    return text.split()
"""
vary(exercise, "longest-match", "from the left", base=LONGEST)
vary(exercise, "longest-match", "from the right", base="""
def bpe_encode(word, merges):
    vocabulary = {a + b for a, b in merges}
    tokens, end = [], len(word)
    while end > 0:
        start = min(s for s in range(end) if s == end - 1 or word[s:end] in vocabulary)
        tokens.insert(0, word[start:end])
        end = start
    return tokens
""")
vary(exercise, "longest-match", "anywhere in the word", base="""
def bpe_encode(word, merges):
    if not word:
        return []
    for token in sorted({a + b for a, b in merges}, key=lambda t: (-len(t), t)):
        if token in word:
            before, _, after = word.partition(token)
            return bpe_encode(before, merges) + [token] + bpe_encode(after, merges)
    return list(word)
""")
vary(exercise, "longest-match", "the first learned of the longest", base="""
def bpe_encode(word, merges):
    if not word:
        return []
    for token in sorted((a + b for a, b in merges), key=len, reverse=True):
        if token in word:
            before, _, after = word.partition(token)
            return bpe_encode(before, merges) + [token] + bpe_encode(after, merges)
    return list(word)
""")
vary(exercise, "longest-match", "the latest learned token anywhere", base="""
def bpe_encode(word, merges):
    if not word:
        return []
    for a, b in reversed(merges):
        if a + b in word:
            before, _, after = word.partition(a + b)
            return bpe_encode(before, merges) + [a + b] + bpe_encode(after, merges)
    return list(word)
""")
vary(exercise, "ignores-rank", "the first pair from the left, from the start again", base=LEFTMOST)
vary(exercise, "ignores-rank", "the first pair from the left, tried again at its place", ("            i = 0\n", ""), base=LEFTMOST)
vary(exercise, "ignores-rank", "passes from the left", base="""
def bpe_encode(word, merges):
    symbols, before = list(word), None
    while symbols != before:
        before, tokens, i = symbols, [], 0
        while i < len(symbols):
            step = 2 if tuple(symbols[i:i + 2]) in merges else 1
            tokens.append(''.join(symbols[i:i + step]))
            i += step
        symbols = tokens
    return symbols
""")
vary(exercise, "ignores-rank", "the first known pair, everywhere", ("min(known, key=ranks.get)", "known[0]"))
vary(exercise, "ignores-rank", "the last pair from the left", ("min(known, key=ranks.get)", "known[-1]"))
vary(exercise, "ignores-rank", "the smallest pair", ("min(known, key=ranks.get)", "min(known)"))
vary(exercise, "ignores-rank", "a stack", base="""
def bpe_encode(word, merges):
    stack = []
    for c in word:
        stack.append(c)
        while len(stack) > 1 and (stack[-2], stack[-1]) in merges:
            last = stack.pop()
            stack[-1] += last
    return stack
""")
vary(exercise, "ignores-rank", "only better than its right neighbour", base="""
def bpe_encode(word, merges):
    symbols, i = list(word), 0
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    while i < len(symbols) - 1:
        here = ranks.get((symbols[i], symbols[i + 1]), 10 ** 9)
        if here < 10 ** 9:
            if i + 2 < len(symbols) and ranks.get((symbols[i + 1], symbols[i + 2]), 10 ** 9) < here:
                i += 1
            symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]
            i = 0
        else:
            i += 1
    return symbols
""")
vary(exercise, "first-not-joined", "rank 0 is false", ("if pair in ranks]", "if ranks.get(pair)]"))
vary(exercise, "first-not-joined", "from the second on", ("in merges:", "in merges[1:]:"), base=IN_ORDER)
vary(exercise, "longest-pair-first", "the longest of the known", ("min(known, key=ranks.get)", "max(known, key=lambda pair: len(''.join(pair)))"))
vary(exercise, "longest-pair-first", "the longest of the known, the first learned of equals", ("min(known, key=ranks.get)", "min(known, key=lambda pair: (-len(''.join(pair)), ranks[pair]))"))
vary(exercise, "latest-first", "the largest rank", ("min(known, key=ranks.get)", "max(known, key=ranks.get)"))
vary(exercise, "latest-first", "the merges backwards", ("in merges:", "in reversed(merges):"), base=IN_ORDER)
vary(exercise, "latest-first", "the merges backwards, until nothing changes", base="""
def bpe_encode(word, merges):
    symbols, again = list(word), True
    while again:
        again = False
        for pair in merges[::-1]:
            for i in range(len(symbols) - 1):
                if (symbols[i], symbols[i + 1]) == pair:
                    symbols[i:i + 2] = [pair[0] + pair[1]]
                    again = True
                    break
            if again:
                break
    return symbols
""")
vary(exercise, "first-place-only", "stops after the first place", ("[left + right]\n", "[left + right]\n                break\n"), base=IN_ORDER)
vary(exercise, "first-place-only", "index of the first symbol", base="""
def bpe_encode(word, merges):
    symbols = list(word)
    for pair in merges:
        pairs = list(zip(symbols, symbols[1:]))
        if pair in pairs:
            i = pairs.index(pair)
            symbols = symbols[:i] + [''.join(pair)] + symbols[i + 2:]
    return symbols
""")
vary(exercise, "first-place-only", "each place once in the ranks", ("symbols = joined", "symbols = joined\n        ranks.pop(best)"),
     ("if tuple(symbols[i:i + 2]) == best:", "if tuple(symbols[i:i + 2]) == best and len(joined) == i:"))
vary(exercise, "from-the-right", "goes backwards", ("i = 0", "i = len(symbols) - 2"), ("while i < len(symbols) - 1:", "while i >= 0:"),
     ("symbols[i] == left and symbols[i + 1] == right", "symbols[i:i + 2] == [left, right]"), ("i += 1", "i -= 1"), base=IN_ORDER)
vary(exercise, "from-the-right", "the last place first", base="""
def bpe_encode(word, merges):
    symbols = list(word)
    while True:
        found = [(-merges.index(pair), i) for i, pair in enumerate(zip(symbols, symbols[1:])) if pair in merges]
        if not found:
            return symbols
        i = max(found)[1]
        symbols = symbols[:i] + [symbols[i] + symbols[i + 1]] + symbols[i + 2:]
""")
vary(exercise, "overlap", "goes on by one", base="""
def bpe_encode(word, merges):
    symbols = list(word)
    for a, b in merges:
        out, skip = [], False
        for i, s in enumerate(symbols):
            if symbols[i:i + 2] == [a, b]:
                out.append(a + b)
                skip = True
            elif skip:
                skip = False
            else:
                out.append(s)
        symbols = out
    return symbols
""")
vary(exercise, "overlap", "keeps the second symbol", base="""
def bpe_encode(word, merges):
    symbols = list(word)
    for a, b in merges:
        symbols = [a + b if symbols[i:i + 2] == [a, b] else symbols[i] for i in range(len(symbols))]
    return symbols
""")
vary(exercise, "skips-behind-a-pair", "two steps after joining in place", ("[left + right]\n            i += 1", "[left + right]\n                i += 1\n            i += 1"), base=IN_ORDER)
SHRINKS = """
def bpe_encode(word, merges):
    symbols = list(word)
    for pair in merges:
        for i in range(len(symbols) - 1):
            if (symbols[i], symbols[i + 1]) == pair:
                symbols[i:i + 2] = [''.join(pair)]
    return symbols
"""
vary(exercise, "list-shrinks", "range of the old length", base=SHRINKS)
vary(exercise, "list-shrinks", "range of the old length, left symbol first", ("(symbols[i], symbols[i + 1]) == pair", "symbols[i] == pair[0] and symbols[i + 1] == pair[1]"), base=SHRINKS)
vary(exercise, "list-shrinks", "range of the old length, until nothing is left", base="""
def bpe_encode(word, merges):
    symbols = list(word)
    while True:
        known = [pair for pair in zip(symbols, symbols[1:]) if pair in merges]
        if not known:
            return symbols
        best = min(known, key=merges.index)
        for i in range(len(symbols) - 1):
            if (symbols[i], symbols[i + 1]) == best:
                symbols[i] += symbols.pop(i + 1)
""")
vary(exercise, "past-the-end", "range of the whole length", ("len(symbols) - 1", "len(symbols)"), base=SHRINKS)
vary(exercise, "past-the-end", "while of the whole length", ("len(symbols) - 1", "len(symbols)"), base=IN_ORDER)
vary(exercise, "last-pair-not-joined", "one too short", ("len(symbols) - 1", "len(symbols) - 2"), base=IN_ORDER)
vary(exercise, "one-merge", "returns after the first, by rank", ("symbols = joined", "return joined"))
vary(exercise, "one-merge", "returns in the loop", ("    return symbols", "        return symbols\n    return symbols"), base=IN_ORDER)
vary(exercise, "one-merge", "one place, by rank", base="""
def bpe_encode(word, merges):
    symbols = list(word)
    found = [(merges.index(pair), i) for i, pair in enumerate(zip(symbols, symbols[1:])) if pair in merges]
    if found:
        i = min(found)[1]
        symbols = symbols[:i] + [symbols[i] + symbols[i + 1]] + symbols[i + 2:]
    return symbols
""")
vary(exercise, "single-pass", "pairs of characters from the left", base=ONE_PASS)
vary(exercise, "single-pass", "pairs of characters in the order of the merges", ("symbols[i] == left and symbols[i + 1] == right",
     "symbols[i] == left and symbols[i + 1] == right and len(left + right) == 2"), base=IN_ORDER)
vary(exercise, "nothing-joined", "the characters", base="def bpe_encode(word, merges):\n    return list(word)\n")
vary(exercise, "whole-word", "joins what is not among the merges", base="""
def bpe_encode(word, merges):
    symbols = list(word)
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    while len(symbols) > 1:
        i = min(range(len(symbols) - 1), key=lambda i: ranks.get((symbols[i], symbols[i + 1]), 10 ** 9))
        symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]
    return symbols
""")
vary(exercise, "parts-exchanged", "right, left", ("for left, right in", "for right, left in"), base=IN_ORDER)
vary(exercise, "parts-exchanged", "joined as right + left", ("[left + right]", "[right + left]"), base=IN_ORDER)
vary(exercise, "compares-text", "in order", ("symbols[i] == left and symbols[i + 1] == right", "symbols[i] + symbols[i + 1] == left + right"), base=IN_ORDER)
vary(exercise, "compares-text", "by rank", base="""
def bpe_encode(word, merges):
    ranks = {a + b: rank for rank, (a, b) in reversed(list(enumerate(merges)))}
    symbols = list(word)
    while True:
        found = [(ranks[a + b], i) for i, (a, b) in enumerate(zip(symbols, symbols[1:])) if a + b in ranks]
        if not found:
            return symbols
        i = min(found)[1]
        symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]
""")
vary(exercise, "pairs-not-joined", "a tuple in the list", ("[left + right]", "[(left, right)]"), base=IN_ORDER)
vary(exercise, "lists-the-joins", "each join", ("symbols = list(word)", "symbols, tokens = list(word), []"), ("[left + right]\n", "[left + right]\n                tokens.append(left + right)\n"),
     ("return symbols", "return tokens"), base=IN_ORDER)
vary(exercise, "lists-the-joins", "each merge that occurs", ("symbols = list(word)", "symbols, tokens = list(word), {}"), ("[left + right]\n", "[left + right]\n                tokens[left + right] = 1\n"),
     ("return symbols", "return list(tokens)"), base=IN_ORDER)
vary(exercise, "whole-word", "the word", base="def bpe_encode(word, merges):\n    return [word] if word else []\n")
vary(exercise, "any-neighbours", "either part", ("symbols[i] == left and symbols[i + 1] == right", "symbols[i] == left or symbols[i + 1] == right"),
     ("[left + right]", "[symbols[i] + symbols[i + 1]]"), base=IN_ORDER)
vary(exercise, "any-neighbours", "either order", ("symbols[i] == left and symbols[i + 1] == right", "{symbols[i], symbols[i + 1]} == {left, right}"),
     ("[left + right]", "[symbols[i] + symbols[i + 1]]"), base=IN_ORDER)
vary(exercise, "any-neighbours", "either order, the letters exchanged", ("symbols[i] == left and symbols[i + 1] == right",
                                                                            "sorted(symbols[i:i + 2]) == sorted([left, right])"), base=IN_ORDER)
vary(exercise, "inside-symbols", "replaces in a spaced string", base=SPACED)
vary(exercise, "inside-symbols", "replaces in a spaced string until nothing changes", base="""
def bpe_encode(word, merges):
    text, before = ' '.join(word), None
    while text != before:
        before = text
        for a, b in merges:
            if f'{a} {b}' in text:
                text = text.replace(f'{a} {b}', a + b)
                break
    return text.split(' ') if text else []
""")
vary(exercise, "loses-characters", "the last symbol", ("while i < len(symbols):", "while i < len(symbols) - 1:"))
vary(exercise, "loses-characters", "the last symbol, in order", base="""
def bpe_encode(word, merges):
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
""")
vary(exercise, "loses-characters", "what no merge knows", ("list(word)", "[c for c in word if any(c in a + b for a, b in merges)]"))
vary(exercise, "loses-characters", "what is not joined", ("joined.append(symbols[i])", "pass"))
vary(exercise, "loses-characters", "what is not joined at the end",
     ("return symbols", "return [s for s in symbols if len(s) > 1]"))
vary(exercise, "loses-characters", "all that is no letter", ("list(word)", "[c for c in word.lower() if c.isalpha()]"))
for unknown in ("<unk>", "[UNK]", "<UNK>", "?", "UNK", "unk", None):
    vary(exercise, "unknown-token", f"{unknown}", ("return symbols", f"return [s if any(s in (a, b, a + b) for a, b in merges) else {unknown!r} for s in symbols]"))
vary(exercise, "unknown-token", "lower case", ("list(word)", "list(word.lower())"))
for marker in ("</w>", "_", "</s>", "$", "#", "@", " ", "▁", "Ġ", "<end>", "<eow>"):
    vary(exercise, "end-marker", f"the symbol {marker.strip() or repr(marker)}", ("list(word)", f"[*word, {marker!r}]"))
for marker in ("_", "▁", "Ġ", " ", "^", "<s>"):
    vary(exercise, "end-marker", f"the symbol {marker.strip() or repr(marker)} before the word", ("list(word)", f"[{marker!r}, *word]"))
for marker in ("</w>", "</s>", "<end>"):
    vary(exercise, "end-marker", f"the characters of {marker}", ("list(word)", f"list(word + {marker!r})"))
    vary(exercise, "end-marker", f"{marker} sticks to the last token", ("return symbols", f"return symbols[:-1] + [s + {marker!r} for s in symbols[-1:]]"))
for marker in ("@@", "##"):
    vary(exercise, "end-marker", f"{marker} between the tokens", ("return symbols", f"return [s + {marker!r} for s in symbols[:-1]] + symbols[-1:]"))
    vary(exercise, "end-marker", f"{marker} before all but the first", ("return symbols", f"return symbols[:1] + [{marker!r} + s for s in symbols[1:]]"))
vary(exercise, "wrong-form", "a string with spaces", ("return symbols", "return ' '.join(symbols)"))
vary(exercise, "wrong-form", "a joined string", ("return symbols", "return ''.join(symbols)"))
vary(exercise, "wrong-form", "tokens as tuples", ("return symbols", "return [tuple(s) for s in symbols]"))
vary(exercise, "wrong-form", "a list in a list", ("return symbols", "return [symbols]"))
vary(exercise, "wrong-form", "a set", ("return symbols", "return set(symbols)"))
vary(exercise, "each-token-once", "different tokens only", ("return symbols", "return list(dict.fromkeys(symbols))"))
vary(exercise, "wrong-form", "with the ranks", ("return symbols", "return (symbols, ranks)"))
vary(exercise, "numbers", "ranks", ("return symbols", "return [ranks.get((a, b), -1) for a, b in zip(symbols, symbols[1:])]"))
vary(exercise, "numbers", "places in the sorted vocabulary",
     ("return symbols", "vocabulary = sorted({*word, *(a + b for a, b in merges)})\n            return [vocabulary.index(s) for s in symbols]"))
vary(exercise, "numbers", "how many tokens", ("return symbols", "return len(symbols)"))
vary(exercise, "backwards", "inserted in front", ("return symbols", "return symbols[::-1]"))
vary(exercise, "empty-word", "one empty token", ("return symbols", "return symbols or ['']"))
vary(exercise, "empty-word", "None", ("return symbols", "return symbols or None"))
vary(exercise, "empty-word", "an error", ("symbols = list(word)", "symbols = list(word)\n    assert word[0]"))
vary(exercise, "empty-word", "the word itself", ("symbols = list(word)", "symbols = list(word)\n    if len(word) < 2:\n        return word if not word else [word]"))
vary(exercise, "one-symbol-left", "min of no pairs", base="""
def bpe_encode(word, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = list(word)
    while True:
        best = min(zip(symbols, symbols[1:]), key=lambda pair: ranks.get(pair, 10 ** 9))
        if best not in ranks:
            return symbols
        i = list(zip(symbols, symbols[1:])).index(best)
        symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]
""")
vary(exercise, "no-merges", "min of nothing", base="""
def bpe_encode(word, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = list(word)
    while True:
        i = min((ranks[pair], i) for i, pair in enumerate(zip(symbols, symbols[1:])) if pair in ranks)[1]
        symbols = symbols[:i] + [symbols[i] + symbols[i + 1]] + symbols[i + 2:]
    return symbols
""")
vary(exercise, "no-merges", "min of no merges", ("known = [", "last = max(ranks.values())\n        known = ["))
vary(exercise, "no-merges", "the first of no merges", ("symbols = list(word)", "first = merges[0]\n    symbols = list(word)"))
vary(exercise, "changes-merges", "uses the merges up", ("    return symbols", "    while merges:\n        merges.pop()\n    return symbols"), base=IN_ORDER)
vary(exercise, "returns-nothing", "no return", ("    return symbols", "    symbols"), base=IN_ORDER)


@exercise.wrong("ready-made", "the library's own")
def _(word, merges):
    from allyouneed.tokenizers import bpe_encode as encode
    return encode(word, merges)


@exercise.wrong("ready-made", "the library's inner function")
def _(word, merges):
    import allyouneed.bytepair as bytepair
    return bytepair._encode(word, {pair: rank for rank, pair in enumerate(merges)})
