"""The rubric of bpe_train: reference, probes, mistakes with their messages, and the evidence that they are right."""

from collections import Counter, defaultdict

from coursegrader.rubric import Exercise

from ._shared import merges_of, random_words, spell, vary

exercise = Exercise(
    "bpe_train",
    compact=True,
    points={"the most frequent pair": 3, "repeated letters": 1, "equal counts": 1, "no pair left": 1},
    section="byte-pair-encoding",
    forbid=("BytePairTokenizer", "BpeTrainer", "train_from_iterator", "train_new_from_iterator"),
    mistakes={
        "ignores-counts": ("Every word counts once. A pair counts as often as its word occurs: add the word's count, not 1.", "counting-pairs"),
        "overlapping": ("Pairs are counted with overlaps: in \"aaa\" you count (a, a) twice, but it can be joined only once. After counting a pair, "
                        "do not count the same pair at the next position.", "counting-pairs"),
        "runs-count-once": ("A run of equal letters counts too little: \"aaaa\" holds (a, a) twice, since two pairs can be joined. Skip a pair only "
                            "if it overlaps one that was counted.", "counting-pairs"),
        "once-per-word": ("A pair that stands in a word twice counts once. Count every place where it can be joined, times the word's count.",
                          "counting-pairs"),
        "every-second-pair": ("Only every second pair of neighbours is counted: \"abc\" holds (a, b) and also (b, c). Go on by one symbol, except "
                              "where a pair would overlap itself.", "counting-pairs"),
        "across-words": ("Pairs are counted across the end of a word. Keep the words apart: a pair needs two symbols of the same word.",
                         "counting-pairs"),
        "overlap-across-words": ("The pair at the end of one word keeps the first pair of the next word from being counted. Forget it where a new word begins.",
                                 "counting-pairs"),
        "skips-after-double": ("After two equal letters the next pair is skipped, whatever it is: \"aab\" holds (a, a) and also (a, b). Skip only a pair "
                               "that equals the one before.", "counting-pairs"),
        "last-pair-not-counted": ("The last pair of each word is not counted: \"abc\" holds (a, b) and (b, c). Look at where your loop ends.",
                                  "counting-pairs"),
        "overwrites-count": ("A pair that stands in several words has the count of one of them. Add the counts of all words that hold it.", "counting-pairs"),
        "counts-carried-over": ("The counts of earlier steps are still in the sum. The words have changed: start from zero before you count again.",
                                "byte-pair-encoding"),
        "counts-text": ("The joined text of a pair is searched for in the word, and it also stands where other symbols meet. Count "
                        "neighbours in the list of symbols.", "counting-pairs"),
        "unordered-pairs": ("(a, b) and (b, a) are counted as one pair. The order matters: they join to different symbols.", "counting-pairs"),
        "tie-break": ("Where several pairs have the same count, a pair other than the smallest is taken. Of those with the largest "
                      "count, take the smallest as Python compares tuples: by the first symbol, then by the second.", "merge-ties"),
        "counts-once": ("The pairs are counted only at the start. After each merge the words hold other symbols: count again before the next.",
                        "byte-pair-encoding"),
        "words-not-joined": ("The chosen pair is never joined in the words, so it is chosen again and again. Replace it by one symbol before you "
                             "count again.", "byte-pair-encoding"),
        "first-place-only": ("The chosen pair is joined only at its first place in a word. Join it everywhere, from the left.", "byte-pair-encoding"),
        "joins-overlap": ("A symbol is used twice when a pair is joined: \"aaa\" becomes aa, aa. After joining two symbols, go on after both.",
                          "byte-pair-encoding"),
        "joins-from-the-right": ("Pairs are joined from the right: \"aaa\" becomes a, aa. Join from the left: aa, a.", "byte-pair-encoding"),
        "loses-symbols": ("Symbols get lost when a pair is joined: the end of the word is missing, or what stood beside the pair. All other "
                          "symbols stay as they are.", "byte-pair-encoding"),
        "list-shrinks": ("The list of symbols gets shorter with each join, but the loop runs to its old length, and the code stops with an error. "
                         "Use while, or build a new list.", "byte-pair-encoding"),
        "past-the-end": ("The last symbol has no right neighbour: the code looks past the end of the word, and stops with an error.", "byte-pair-encoding"),
        "changes-letters": ("Characters are changed, left out or never joined. Capitals, apostrophes and hyphens are symbols like any other.", "byte-pair-encoding"),
        "inside-symbols": ("The pair is also found inside longer symbols: after joining a and b, the text \"ab c\" holds \"b c\", but the word "
                           "does not. Compare whole symbols.", "byte-pair-encoding"),
        "end-marker": ("Words get a marker that they do not have. Here symbols are the word's characters and nothing else: leave the marker out.",
                       "byte-pair-encoding"),
        "rarest-first": ("The rarest pair is joined first. Take the pair with the largest count.", "byte-pair-encoding"),
        "word-piece-score": ("The pairs are ranked by their count divided by the counts of their parts, as WordPiece does. Byte-pair encoding ranks "
                             "them by the count alone.", "byte-pair-encoding"),
        "stops-at-one": ("Training ends when the largest count is 1. Go on until there are n_merges merges or no pair is left.", "merge-ties"),
        "stops-at-whole-word": ("Training ends as soon as one word is a single symbol. Go on while any word still has a pair.", "merge-ties"),
        "returns-early": ("The function returns after its first merge. Look at how far the return statement is indented.", "byte-pair-encoding"),
        "no-pair-left": ("The code stops with an error when no pair is left. Then every word is one symbol: return the merges found so far.",
                         "merge-ties"),
        "padded": ("When no pair is left the list is filled up. Return fewer merges then, and only real pairs.", "merge-ties"),
        "one-too-many": ("There is one merge too many. Stop when n_merges are found; for n_merges = 0 that is at once.", "merge-ties"),
        "one-too-few": ("There is one merge too few: n_merges are asked for, as long as there is a pair.", "merge-ties"),
        "joined-strings": ("The merges are returned as joined strings. \"abc\" may come from (a, bc) or (ab, c): return the pairs.",
                           "byte-pair-encoding"),
        "parts-exchanged": ("The parts of each pair come back in the wrong order: the left symbol first.", "byte-pair-encoding"),
        "changes-counts": ("The merges are right, but word_counts has changed. Keep the words in a list or dict of your own.", "byte-pair-encoding"),
        "wrong-form": ("The merges are right, but their form is not. Return one list of pairs, in the order of joining, without counts, ranks or words.",
                       "byte-pair-encoding"),
        "last-first": ("The merges are in the wrong order. Return them in the order of joining: the first one first.", "byte-pair-encoding"),
    },
)


@exercise.probes
def _(make):
    letters = make.pick("abcde", "dgkmt", "bfhpw")
    more = make.pick(0, 1, 2)

    def probe(name, counts, n_merges, group, **marks):
        return make.probe(name, {spell(word, letters): count for word, count in counts.items()}, n_merges, group=group, **marks)

    def random(n_words, n_letters, n_merges, weighted):
        """Words on which ties never matter, and where every word's count does, whether pairs are counted rightly or not."""
        while True:
            words = random_words(make, n_words, letters[:n_letters])
            right = merges_of(words, n_merges + 1)
            ways = [{"weight": False}] * weighted + [{"once": True}, {"overlap": True}, {}]
            if len(right) > n_merges and all(merges_of(words, n_merges, **way) == merges_of(words, n_merges, **way, tie=max) for way in ways) \
                    and merges_of(words, n_merges, weight=False) != right[:-1] == merges_of(words, n_merges, overlap=True):
                return words

    group = "the most frequent pair"
    counts = {"abc": 5 + more, "ab": 2, "bcd": 4}
    yield probe("one merge", counts, 1, group)
    yield probe("four merges", counts, 4, group)
    yield probe("some words, two merges", {"abd": 3, "bdc": 2, "cab": 2 + more, "ec": 20}, 2, group)
    yield make.probe("random words, two merges", random(make.pick(9, 10, 11), 4, 2, True), 2, group=group)
    yield make.probe("other random words, two merges", random(make.pick(12, 11, 10), 5, 2, True), 2, group=group)
    yield make.probe("random words, five merges", random(make.pick(12, 14, 13), 4, 5, False), 5, group=group)
    yield probe("words with equal ends", {"cda": 5 + more, "cba": 3, "ceda": 2, "ceba": 1}, 1, group)
    yield probe("a pair twice in a word", {"abcab": 3, "cd": 4, "ec": 1}, 1, group)
    yield probe("both orders of two letters", {"ab": 4, "ba": 3, "cd": 6}, 1, group)
    yield probe("neighbours of a symbol", {"ab": 6, "abc": 3, "bc": 5 + more, "cd": 2}, 3, group)
    yield probe("two places in a word", {"abab": 5 + more, "cd": 3}, 3, group)
    yield probe("a text twice in a word, its pair once", {"bc": 9 + more, "abdabc": 3, "ce": 5}, 2, group)
    group = "repeated letters"
    yield probe("a pair behind a double letter", {"aab": 3 + more, "ab": 2, "cd": 4 + more}, 1, group)
    yield probe("three equal letters", {"aaa": 3, "bc": 4 + more % 2}, 1, group)
    yield probe("four equal letters", {"aaaa": 3, "bc": 5}, 1, group)
    yield probe("five equal letters", {"aaaaa": 2 + more, "bc": 5 + 2 * more}, 1, group)
    yield probe("a repeated pair", {"ababab": 2, "cd": 3}, 2, group)
    yield probe("three equal letters, two merges", {"aaa": 5, "bc": 2 + more}, 2, group)
    group = "equal counts"
    yield probe("four pairs alike", {"bd": 4 + more, "ce": 4 + more, "ad": 4 + more, "bc": 4 + more}, 1, group)
    yield probe("joined symbols alike", {"abc": 3, "abd": 3, "bd": 6 + more, "ab": 1}, 3, group)
    yield probe("short and long symbols alike", {"cd": 9, "bcd": 3 + more, "ab": 3 + more}, 2, group)
    yield probe("pairs with one first symbol", {"ab": 9, "ce": 3 + more, "cd": 3 + more}, 3, group)
    group = "no pair left"
    yield probe("one short word", {"ab": 3 + more}, 5, group)
    yield probe("two short words", {"abc": 2, "ab": 3 + more}, 9, group)
    yield probe("a word that occurs once", {"ab": 1, "cd": 2 + more}, 3, group)
    yield probe("no merges wanted", {"ab": 2, "bc": 1}, 0, group, edge=True)
    yield probe("words of one letter", {"a": 3, "b": 2}, 4, group, edge=True)
    yield probe("no words", {}, 3, group, edge=True)
    yield probe("capitals and signs", {make.pick("A'b-cA'", "A'd-cA'", "A'b-eA'"): 5, "a'": 4, "-c": 3}, 3, "the most frequent pair", edge=True)
    yield make.probe("many words and merges", random_words(make, 60, letters, lengths=(2, 9)), make.pick(40, 44, 38),
                     group="the most frequent pair", long=True)


@exercise.right
def reference(word_counts, n_merges):
    words = [(list(word), count) for word, count in word_counts.items()]
    merges = []
    while len(merges) < n_merges:
        totals = Counter()
        for symbols, count in words:
            counted = {}
            for i, pair in enumerate(zip(symbols, symbols[1:])):
                if counted.get(pair, -2) < i - 1:
                    totals[pair] += count
                    counted[pair] = i
        if not totals:
            break
        best = min(totals, key=lambda pair: (-totals[pair], pair))
        merges.append(best)
        for number, (symbols, count) in enumerate(words):
            joined, i = [], 0
            while i < len(symbols):
                if tuple(symbols[i:i + 2]) == best:
                    joined.append(symbols[i] + symbols[i + 1])
                    i += 2
                else:
                    joined.append(symbols[i])
                    i += 1
            words[number] = (joined, count)
    return merges


@exercise.alternative("spaced strings and regular expressions")
def _(word_counts, n_merges):
    import re
    vocabulary = {" ".join(word): count for word, count in word_counts.items()}
    merges = []
    for _ in range(n_merges):
        candidates = {pair for text in vocabulary for pair in zip(text.split(), text.split()[1:])}
        totals = {}
        for left, right in candidates:
            pattern = re.compile(r"(?<!\S)" + re.escape(left + " " + right) + r"(?!\S)")
            totals[left, right] = sum(count * len(pattern.findall(text)) for text, count in vocabulary.items())
        if not totals:
            break
        best = sorted(totals, key=lambda pair: (-totals[pair], pair))[0]
        merges.append(best)
        pattern = re.compile(r"(?<!\S)" + re.escape(" ".join(best)) + r"(?!\S)")
        vocabulary = {pattern.sub("".join(best), text): count for text, count in vocabulary.items()}
    return merges


@exercise.alternative("counts by joining, lists of two")
def _(word_counts, n_merges):
    def join(symbols, pair):
        out = []
        for symbol in symbols:
            if out and not done and (out[-1], symbol) == pair:
                out[-1] += symbol
                done = True
            else:
                out.append(symbol)
                done = False
        return out

    def holds(symbols, pair):
        return len(symbols) - len(join(symbols, pair))

    words = {word: list(word) for word in word_counts}
    merges = []
    while len(merges) != n_merges:
        pairs = sorted({pair for symbols in words.values() for pair in zip(symbols, symbols[1:])})
        if len(pairs) == 0:
            return merges
        sizes = [sum(holds(words[word], pair) * word_counts[word] for word in words) for pair in pairs]
        best = pairs[sizes.index(max(sizes))]
        merges.append([best[0], best[1]])
        words = {word: join(symbols, best) for word, symbols in words.items()}
    return merges


@exercise.alternative("a loop with a position that skips")
def _(word_counts, n_merges):
    corpus = [[list(w), c] for w, c in word_counts.items()]
    merges = []
    for step in range(n_merges):
        stats = defaultdict(int)
        for symbols, c in corpus:
            i = 0
            while i < len(symbols) - 1:
                stats[symbols[i], symbols[i + 1]] += c
                if i + 2 < len(symbols) and symbols[i] == symbols[i + 1] == symbols[i + 2]:
                    i += 1
                    if i + 2 < len(symbols) and symbols[i + 1] != symbols[i + 2]:
                        stats[symbols[i + 1], symbols[i + 2]] += c
                        i += 1
                i += 1
        if not stats:
            break
        top = max(stats.values())
        best = min(p for p in stats if stats[p] == top)
        merges.append(best)
        for entry in corpus:
            old, new = entry[0], []
            while old:
                if len(old) > 1 and (old[0], old[1]) == best:
                    new.append(old[0] + old[1])
                    old = old[2:]
                else:
                    new.append(old[0])
                    old = old[1:]
            entry[0] = new
    return tuple(merges)


@exercise.alternative("deletes in place in its own lists")
def _(word_counts, n_merges):
    pieces = {w: [ch for ch in w] for w in word_counts}
    rules = []
    while n_merges > len(rules):
        totals = {}
        for w, p in pieces.items():
            previous = False
            for i in range(1, len(p)):
                same = i > 1 and p[i - 2] == p[i - 1] == p[i]
                if same and previous:
                    previous = False
                    continue
                totals[(p[i - 1], p[i])] = totals.get((p[i - 1], p[i]), 0) + word_counts[w]
                previous = True
        best = None
        for pair, n in totals.items():
            if best is None or n > totals[best] or (n == totals[best] and pair < best):
                best = pair
        if best is None:
            break
        rules.append(best)
        for p in pieces.values():
            i = 0
            while i + 1 < len(p):
                if p[i] == best[0] and p[i + 1] == best[1]:
                    p[i] = p[i] + p.pop(i + 1)
                i += 1
    return rules


@exercise.alternative("counts changed only where words change")
def _(word_counts, n_merges):
    def pairs(s):
        found, i = [], 0
        while i < len(s) - 1:
            run = i
            while run + 1 < len(s) and s[run + 1] == s[i]:
                run += 1
            found += [(s[i], s[i])] * ((run - i + 1) // 2)
            if run + 1 < len(s):
                found.append((s[run], s[run + 1]))
            i = run + 1
        return found

    words = {w: tuple(w) for w in word_counts}
    totals = Counter()
    for w, s in words.items():
        for pair in pairs(s):
            totals[pair] += word_counts[w]
    merges = []
    for _ in range(n_merges):
        totals = +totals
        if not totals:
            break
        a, b = min(totals.items(), key=lambda item: (-item[1], item[0]))[0]
        merges.append((a, b))
        for w, s in words.items():
            if a not in s or b not in s:
                continue
            new, i = (), 0
            while i < len(s):
                step = 2 if s[i:i + 2] == (a, b) else 1
                new += ("".join(s[i:i + step]),)
                i += step
            for pair in pairs(s):
                totals[pair] -= word_counts[w]
            for pair in pairs(new):
                totals[pair] += word_counts[w]
            words[w] = new
    return merges


# What follows differs from the reference in the lines that are told.
COUNT, BEST = "totals[pair] += count\n", "min(totals, key=lambda pair: (-totals[pair], pair))"
ONLY_NEW = ("if counted.get(pair, -2) < i - 1:", "if True:")
FIRST_SEEN = (BEST, "max(totals, key=totals.get)")
LARGEST = (BEST, "max(totals, key=lambda pair: (totals[pair], pair))")
WORDS = "[(list(word), count) for word, count in word_counts.items()]"
STOP = ("if not totals:\n            break", "pass")

vary(exercise, "ignores-counts", "adds 1", (COUNT, "totals[pair] += 1\n"))
vary(exercise, "ignores-counts", "adds 1, first seen", (COUNT, "totals[pair] += 1\n"), FIRST_SEEN)
vary(exercise, "ignores-counts", "adds 1, largest pair", (COUNT, "totals[pair] += 1\n"), LARGEST)
vary(exercise, "ignores-counts", "adds 1, with overlaps", (COUNT, "totals[pair] += 1\n"), ONLY_NEW)
vary(exercise, "ignores-counts", "adds 1, with overlaps, first seen", (COUNT, "totals[pair] += 1\n"), ONLY_NEW, FIRST_SEEN)
vary(exercise, "ignores-counts", "once a word", (COUNT, "totals[pair] = len({j for j, (s, c) in enumerate(words) if pair in zip(s, s[1:])})\n"))

vary(exercise, "overlapping", "every pair of neighbours", ONLY_NEW)
vary(exercise, "overlapping", "and first seen", ONLY_NEW, FIRST_SEEN)
vary(exercise, "overlapping", "and largest pair", ONLY_NEW, LARGEST)
vary(exercise, "overlapping", "and an error at the end", ONLY_NEW, STOP)
vary(exercise, "overlapping", "and first seen, with an error at the end", ONLY_NEW, FIRST_SEEN, STOP)

vary(exercise, "runs-count-once", "skips a pair equal to the one before",
     ("if counted.get(pair, -2) < i - 1:", "if i == 0 or pair != (symbols[i - 1], symbols[i]):"))
vary(exercise, "runs-count-once", "and first seen",
     ("if counted.get(pair, -2) < i - 1:", "if i == 0 or pair != (symbols[i - 1], symbols[i]):"), FIRST_SEEN)

vary(exercise, "once-per-word", "a set of pairs", ("enumerate(zip(symbols, symbols[1:]))", "enumerate(sorted(set(zip(symbols, symbols[1:]))))"), ONLY_NEW)
vary(exercise, "once-per-word", "and first seen", ("counted.get(pair, -2) < i - 1", "pair not in counted"), FIRST_SEEN)

PREVIOUS = """
def bpe_train(word_counts, n_merges):
    words = [(list(word), count) for word, count in word_counts.items()]
    merges = []
    while len(merges) < n_merges:
        totals = Counter()
        before = None
        for symbols, count in words:
            for pair in zip(symbols, symbols[1:]):
                if pair == before:
                    before = None
                else:
                    totals[pair] += count
                    before = pair
        if not totals:
            break
        best = min(totals, key=lambda pair: (-totals[pair], pair))
        merges.append(best)
        for number, (symbols, count) in enumerate(words):
            joined, i = [], 0
            while i < len(symbols):
                step = 2 if tuple(symbols[i:i + 2]) == best else 1
                joined.append(''.join(symbols[i:i + step]))
                i += step
            words[number] = (joined, count)
    return merges
"""
vary(exercise, None, "the pair before", ("        before = None\n        for symbols, count in words:", "        for symbols, count in words:\n            before = None"), base=PREVIOUS)
vary(exercise, "overlap-across-words", "the pair before, kept", base=PREVIOUS)
vary(exercise, "overlap-across-words", "the pair before, kept, first seen", FIRST_SEEN, base=PREVIOUS)
vary(exercise, "skips-after-double", "two steps behind equal letters", ("if counted.get(pair, -2) < i - 1:", "if i - 1 not in counted.values():"),
     ("counted[pair] = i", "counted.update({pair: i} if pair[0] == pair[1] else {})"))
vary(exercise, "skips-after-double", "two steps behind equal letters, first seen", ("if counted.get(pair, -2) < i - 1:", "if i - 1 not in counted.values():"),
     ("counted[pair] = i", "counted.update({pair: i} if pair[0] == pair[1] else {})"), FIRST_SEEN)
for label, *more in (("too short a range", ), ("too short a range, first seen", FIRST_SEEN), ("too short a range, with overlaps", ONLY_NEW),
                     ("too short a range, with overlaps, first seen", ONLY_NEW, FIRST_SEEN), ("too short a range, with an error at the end", STOP)):
    vary(exercise, "last-pair-not-counted", label, ("enumerate(zip(symbols, symbols[1:]))", "enumerate(zip(symbols[:-2], symbols[1:]))"), *more)
for label, *more in (("the last word", ), ("the last word, first seen", FIRST_SEEN)):
    vary(exercise, "overwrites-count", label, (COUNT, "totals[pair] = count\n"), *more)
vary(exercise, "overwrites-count", "the largest word", (COUNT, "totals[pair] = max(count, totals[pair])\n"))
for label, *more in (("never set to zero", ), ("never set to zero, first seen", FIRST_SEEN), ("never set to zero, with overlaps", ONLY_NEW),
                     ("never set to zero, with overlaps, first seen", ONLY_NEW, FIRST_SEEN)):
    vary(exercise, "counts-carried-over", label, ("totals = Counter()", "pass"), ("merges = []", "merges, totals = ([], Counter())"), *more)
vary(exercise, "counts-carried-over", "only the chosen pair is taken out", ("totals = Counter()", "pass"), ("merges = []", "merges, totals = ([], Counter())"),
     ("merges.append(best)", "merges.append(best)\n        del totals[best]"))
for label, *more in (("count of the joined text", ), ("count of the joined text, first seen", FIRST_SEEN)):
    vary(exercise, "counts-text", label, ("if counted.get(pair, -2) < i - 1:", "if pair not in counted:"),
         (COUNT, "totals[pair] += count * ''.join(symbols).count(''.join(pair))\n"), *more)
vary(exercise, "every-second-pair", "steps of two", ("zip(symbols, symbols[1:])", "zip(symbols[::2], symbols[1::2])"), ONLY_NEW)
vary(exercise, "every-second-pair", "skips after every pair",
     ("if counted.get(pair, -2) < i - 1:", "if max(counted.values(), default=-2) < i - 1:"))
vary(exercise, "every-second-pair", "steps of two, first seen", ("zip(symbols, symbols[1:])", "zip(symbols[::2], symbols[1::2])"), ONLY_NEW, FIRST_SEEN)

vary(exercise, "across-words", "one text, words repeated", (WORDS, "[([c for word, n in word_counts.items() for c in word * n], 1)]"))
vary(exercise, "across-words", "one text, first seen", (WORDS, "[([c for word, n in word_counts.items() for c in word * n], 1)]"), FIRST_SEEN)
vary(exercise, "across-words", "one text, each word once", (WORDS, "[(list(''.join(word_counts)), 1)]"))
vary(exercise, "across-words", "one text, each word once, first seen", (WORDS, "[(list(''.join(word_counts)), 1)]"), FIRST_SEEN)
vary(exercise, "across-words", "one text with spaces", (WORDS, "[(list(' '.join(' '.join([word] * n) for word, n in word_counts.items())), 1)]"))
vary(exercise, "across-words", "one text with spaces, each word once", (WORDS, "[(list(' '.join(word_counts)), 1)]"))
vary(exercise, "across-words", "one text with overlaps", (WORDS, "[([c for word, n in word_counts.items() for c in word * n], 1)]"), ONLY_NEW)
vary(exercise, "across-words", "one text with overlaps, first seen", (WORDS, "[([c for word, n in word_counts.items() for c in word * n], 1)]"),
     ONLY_NEW, FIRST_SEEN)

vary(exercise, "unordered-pairs", "sorted pairs", ("enumerate(zip(symbols, symbols[1:]))", "enumerate(tuple(sorted(p)) for p in zip(symbols, symbols[1:]))"))
vary(exercise, "unordered-pairs", "sorted pairs, joined either way",
     ("enumerate(zip(symbols, symbols[1:]))", "enumerate(tuple(sorted(p)) for p in zip(symbols, symbols[1:]))"),
     ("tuple(symbols[i:i + 2]) == best", "tuple(sorted(symbols[i:i + 2])) == best"))

vary(exercise, "tie-break", "first seen", FIRST_SEEN)
vary(exercise, "tie-break", "first seen, with an error at the end", FIRST_SEEN, STOP)
vary(exercise, "tie-break", "most_common", (BEST, "totals.most_common(1)[0][0]"), STOP)
vary(exercise, "tie-break", "largest pair", LARGEST)
vary(exercise, "tie-break", "largest pair, with an error at the end", LARGEST, STOP)
vary(exercise, "tie-break", "last seen", (BEST, "max(reversed(list(totals)), key=totals.get)"))
vary(exercise, "tie-break", "last seen, with an error at the end", (BEST, "max(reversed(list(totals)), key=totals.get)"), STOP)
vary(exercise, "tie-break", "smallest joined string", (BEST, "min(totals, key=lambda pair: (-totals[pair], ''.join(pair)))"))
vary(exercise, "tie-break", "longest joined string", (BEST, "min(totals, key=lambda pair: (-totals[pair], -len(''.join(pair)), pair))"))
vary(exercise, "tie-break", "shortest joined string, then the largest", (BEST, "max(totals, key=lambda pair: (totals[pair], -len(''.join(pair)), pair))"))
vary(exercise, "tie-break", "by the second symbol", (BEST, "min(totals, key=lambda pair: (-totals[pair], pair[::-1]))"))

ONCE = """
def bpe_train(word_counts, n_merges):
    totals = Counter()
    for text, times in word_counts.items():
        counted = {}
        for i, pair in enumerate(zip(text, text[1:])):
            if counted.get(pair, -2) < i - 1:
                totals[pair] += times
                counted[pair] = i
    return sorted(totals, key=lambda pair: (-totals[pair], pair))[:n_merges]
"""
vary(exercise, "counts-once", "sorted by count", base=ONCE)
vary(exercise, "counts-once", "most_common", ("sorted(totals, key=lambda pair: (-totals[pair], pair))[:n_merges]",
                                               "[pair for pair, count in totals.most_common(n_merges)]"), base=ONCE)
vary(exercise, "counts-once", "with overlaps", ("if counted.get(pair, -2) < i - 1:", "if True:"), base=ONCE)
vary(exercise, "counts-once", "most_common, with overlaps", ("if counted.get(pair, -2) < i - 1:", "if True:"),
     ("sorted(totals, key=lambda pair: (-totals[pair], pair))[:n_merges]", "[pair for pair, count in totals.most_common(n_merges)]"), base=ONCE)

vary(exercise, "words-not-joined", "the words stay", ("words[number] = (joined, count)", "pass"))
vary(exercise, "words-not-joined", "the words stay, first seen", ("words[number] = (joined, count)", "pass"), FIRST_SEEN)
vary(exercise, "words-not-joined", "the words stay, with overlaps", ("words[number] = (joined, count)", "pass"), ONLY_NEW)
vary(exercise, "words-not-joined", "the words stay, with overlaps, first seen", ("words[number] = (joined, count)", "pass"), ONLY_NEW, FIRST_SEEN)

vary(exercise, "first-place-only", "joins once a word", ("if tuple(symbols[i:i + 2]) == best:", "if tuple(symbols[i:i + 2]) == best and len(joined) == i:"))
vary(exercise, "first-place-only", "joins once a word, first seen",
     ("if tuple(symbols[i:i + 2]) == best:", "if tuple(symbols[i:i + 2]) == best and len(joined) == i:"), FIRST_SEEN)

vary(exercise, "joins-overlap", "goes on by one", ("i += 2", "i += 1"))
vary(exercise, "joins-overlap", "goes on by one, keeps the right symbol only in pairs of two",
     ("i += 2", "i += 1 if len(symbols) > 2 else 2"))
vary(exercise, "joins-overlap", "two equal symbols only", ("i += 2", "i += 1 if tuple(symbols[i + 1:i + 3]) == best else 2"))

vary(exercise, "joins-from-the-right", "goes backwards",
     ("joined, i = ([], 0)", "joined, i, symbols, turned = ([], 0, symbols[::-1], best[::-1])"), ("tuple(symbols[i:i + 2]) == best", "tuple(symbols[i:i + 2]) == turned"),
     ("symbols[i] + symbols[i + 1]", "symbols[i + 1] + symbols[i]"), ("words[number] = (joined, count)", "words[number] = (joined[::-1], count)"))
vary(exercise, "joins-from-the-right", "goes backwards, first seen",
     ("joined, i = ([], 0)", "joined, i, symbols, turned = ([], 0, symbols[::-1], best[::-1])"), ("tuple(symbols[i:i + 2]) == best", "tuple(symbols[i:i + 2]) == turned"),
     ("symbols[i] + symbols[i + 1]", "symbols[i + 1] + symbols[i]"), ("words[number] = (joined, count)", "words[number] = (joined[::-1], count)"), FIRST_SEEN)

vary(exercise, "loses-symbols", "the last symbol", ("while i < len(symbols):", "while i < len(symbols) - 1:"))
vary(exercise, "loses-symbols", "the last symbol, first seen", ("while i < len(symbols):", "while i < len(symbols) - 1:"), FIRST_SEEN)
vary(exercise, "loses-symbols", "all but the pairs", ("joined.append(symbols[i])", "pass"))
vary(exercise, "loses-symbols", "all that stands behind the pair", ("i += 2", "break"))
vary(exercise, "loses-symbols", "the symbol behind the pair", ("i += 2", "i += 3"))

IN_PLACE = ("joined, i = ([], 0)\n            while i < len(symbols):\n                if tuple(symbols[i:i + 2]) == best:\n"
            "                    joined.append(symbols[i] + symbols[i + 1])\n                    i += 2\n                else:\n"
            "                    joined.append(symbols[i])\n                    i += 1\n            words[number] = (joined, count)")
LOOP = "for i in range(len(symbols)%s):\n                if (symbols[i], symbols[i + 1]) == best:\n                    symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]"
vary(exercise, "list-shrinks", "range of the old length", (IN_PLACE, LOOP % " - 1"))
vary(exercise, "list-shrinks", "range of the old length, first seen", (IN_PLACE, LOOP % " - 1"), FIRST_SEEN)
vary(exercise, "list-shrinks", "range of the old length, with overlaps", (IN_PLACE, LOOP % " - 1"), ONLY_NEW)
vary(exercise, "past-the-end", "range of the whole length", (IN_PLACE, LOOP % ""))
vary(exercise, "past-the-end", "counts by range of the whole length", ("enumerate(zip(symbols, symbols[1:]))", "enumerate((symbols[j], symbols[j + 1]) for j in range(len(symbols)))"))
vary(exercise, "changes-letters", "lower case", ("list(word)", "list(word.lower())"))
vary(exercise, "changes-letters", "letters alone", ("list(word)", "[c for c in word if c.isalpha()]"))

SPACED = """
def bpe_train(word_counts, n_merges):
    texts = {' '.join(word): count for word, count in word_counts.items()}
    merges = []
    for _ in range(n_merges):
        totals = Counter()
        for text, count in texts.items():
            symbols = text.split()
            counted = {}
            for i, pair in enumerate(zip(symbols, symbols[1:])):
                if counted.get(pair, -2) < i - 1:
                    totals[pair] += count
                    counted[pair] = i
        if not totals:
            break
        best = min(totals, key=lambda pair: (-totals[pair], pair))
        merges.append(best)
        texts = {text.replace(' '.join(best), ''.join(best)): count for text, count in texts.items()}
    return merges
"""
REPLACED = "{text.replace(' '.join(best), ''.join(best)): count for text, count in texts.items()}"
vary(exercise, "changes-letters", "a regular expression that ends at a letter", ("merges = []", "import re\n    merges = []"),
     (REPLACED, "{re.sub('\\\\b' + re.escape(' '.join(best)) + '\\\\b', ''.join(best), text): count for text, count in texts.items()}"), base=SPACED)
vary(exercise, "inside-symbols", "replaces in a spaced string", base=SPACED)
vary(exercise, "inside-symbols", "replaces in a spaced string, first seen", FIRST_SEEN, base=SPACED)
vary(exercise, "inside-symbols", "replaces in a spaced string, with overlaps", ONLY_NEW, base=SPACED)
vary(exercise, "inside-symbols", "replaces in a spaced string, with overlaps, first seen", ONLY_NEW, FIRST_SEEN, base=SPACED)
vary(exercise, "inside-symbols", "counts in a spaced string too", ("if counted.get(pair, -2) < i - 1:", "if pair not in counted:"),
     ("totals[pair] += count", "totals[pair] += count * text.count(' '.join(pair))"), base=SPACED)

for marker in ("</w>", "_", "</s>", "$", "#", "@", " ", "▁", "Ġ", "<end>", "<eow>"):
    vary(exercise, "end-marker", f"the symbol {marker.strip() or repr(marker)}", ("list(word)", f"[*word, {marker!r}]"))
for marker in ("</w>", "_", "</s>", "$", "#", " ", "<end>"):
    vary(exercise, "end-marker", f"the symbol {marker.strip() or repr(marker)}, first seen", ("list(word)", f"[*word, {marker!r}]"), FIRST_SEEN)
    vary(exercise, "end-marker", f"the symbol {marker.strip() or repr(marker)}, with overlaps, first seen", ("list(word)", f"[*word, {marker!r}]"), ONLY_NEW, FIRST_SEEN)
for marker in ("</w>", "_"):
    vary(exercise, "end-marker", f"the symbol {marker}, largest pair", ("list(word)", f"[*word, {marker!r}]"), LARGEST)
    vary(exercise, "end-marker", f"the symbol {marker}, with overlaps", ("list(word)", f"[*word, {marker!r}]"), ONLY_NEW)
    vary(exercise, "end-marker", f"the symbol {marker}, with an error at the end, first seen", ("list(word)", f"[*word, {marker!r}]"), ONLY_NEW, FIRST_SEEN, STOP)
for marker in ("</w>", "</s>", "<end>"):
    vary(exercise, "end-marker", f"the characters of {marker}", ("list(word)", f"list(word + {marker!r})"))
for marker in ("_", "▁", "Ġ", " ", "^", "<s>", "##"):
    vary(exercise, "end-marker", f"the symbol {marker.strip() or repr(marker)} before the word", ("list(word)", f"[{marker!r}, *word]"))
vary(exercise, "end-marker", "</w> sticks to the last letter", ("list(word)", "[*word[:-1], word[-1] + '</w>']"))
vary(exercise, "end-marker", "_ sticks to the last letter", ("list(word)", "[*word[:-1], word[-1] + '_']"))
vary(exercise, "end-marker", "## before the letters inside a word", ("list(word)", "[c if j == 0 else '##' + c for j, c in enumerate(word)]"))

vary(exercise, "rarest-first", "the smallest count", (BEST, "min(totals, key=lambda pair: (totals[pair], pair))"))
vary(exercise, "rarest-first", "the smallest count, first seen", (BEST, "min(totals, key=totals.get)"))
vary(exercise, "rarest-first", "the smallest count, largest pair", (BEST, "max(totals, key=lambda pair: (-totals[pair], pair))"))
vary(exercise, "rarest-first", "most_common, the last", (BEST, "totals.most_common()[-1][0]"))

SCORE = ("best = min(", "single = Counter()\n        for symbols, count in words:\n            for s in symbols:\n                single[s] += count\n        best = min(")
vary(exercise, "word-piece-score", "count over counts", SCORE,
     ("key=lambda pair: (-totals[pair], pair)", "key=lambda pair: (-totals[pair] / (single[pair[0]] * single[pair[1]]), pair)"))
vary(exercise, "word-piece-score", "count over counts, first seen", SCORE,
     ("key=lambda pair: (-totals[pair], pair)", "key=lambda pair: -totals[pair] / (single[pair[0]] * single[pair[1]])"))

vary(exercise, "stops-at-one", "largest count below 2", ("if not totals:", "if not totals or max(totals.values()) < 2:"))
vary(exercise, "stops-at-one", "largest count below 2, with overlaps", ("if not totals:", "if not totals or max(totals.values()) < 2:"), ONLY_NEW)

vary(exercise, "stops-at-whole-word", "any word", ("if not totals:", "if not totals or any(len(symbols) == 1 for symbols, count in words):"))
vary(exercise, "stops-at-whole-word", "the first word", ("if not totals:", "if not totals or len(words[0][0]) == 1:"))
vary(exercise, "stops-at-whole-word", "any word, first seen", ("if not totals:", "if not totals or any(len(symbols) == 1 for symbols, count in words):"), FIRST_SEEN)
vary(exercise, "returns-early", "in the loop", ("\n    return merges", "\n        return merges\n    return merges"))
vary(exercise, "returns-early", "in the loop, first seen", ("\n    return merges", "\n        return merges\n    return merges"), FIRST_SEEN)
vary(exercise, "returns-early", "in the loop, nothing else", ("\n    return merges", "\n        return merges"), FIRST_SEEN, ONLY_NEW)
vary(exercise, "no-pair-left", "min of nothing", STOP)
vary(exercise, "no-pair-left", "max of nothing", STOP, (BEST, "min(pair for pair in totals if totals[pair] == max(totals.values()))"))
vary(exercise, "no-pair-left", "max of the counts of nothing", STOP, ("best = min(", "most = max(totals.values())\n        best = min("))
vary(exercise, "no-pair-left", "first of nothing", STOP, (BEST, "sorted(totals, key=lambda pair: (-totals[pair], pair))[0]"))
vary(exercise, "no-pair-left", "raises an error", ("break", "raise ValueError('no pair left')"))

vary(exercise, "padded", "with None", ("return merges", "return merges + [None] * (n_merges - len(merges))"))
vary(exercise, "padded", "with empty pairs", ("return merges", "return merges + [('', '')] * (n_merges - len(merges))"))
vary(exercise, "padded", "with empty tuples", ("return merges", "return merges + [()] * (n_merges - len(merges))"))
vary(exercise, "padded", "with the last pair", ("return merges", "return merges + merges[-1:] * (n_merges - len(merges))"))
vary(exercise, "padded", "with one None", ("return merges", "return merges + [None] * (n_merges > len(merges))"))
vary(exercise, "padded", "with pairs of None", ("return merges", "return merges + [(None, None)] * (n_merges - len(merges))"))

vary(exercise, "one-too-many", "<=", ("while len(merges) < n_merges:", "while len(merges) <= n_merges:"))
vary(exercise, "one-too-many", "<=, with overlaps, first seen", ("while len(merges) < n_merges:", "while len(merges) <= n_merges:"), ONLY_NEW, FIRST_SEEN)
vary(exercise, "one-too-many", "tests after the first merge", ("while len(merges) < n_merges:", "while n_merges > len(merges) or not merges:"))
vary(exercise, "one-too-few", "from 1", ("while len(merges) < n_merges:", "for _ in range(1, n_merges):"))
vary(exercise, "one-too-few", "the last is lost", ("return merges", "return merges[:-1]"))

vary(exercise, "joined-strings", "joined", ("return merges", "return [''.join(pair) for pair in merges]"))
vary(exercise, "joined-strings", "with a space", ("return merges", "return [' '.join(pair) for pair in merges]"))
vary(exercise, "joined-strings", "joined, first seen", FIRST_SEEN, ("return merges", "return [''.join(pair) for pair in merges]"))

vary(exercise, "wrong-form", "a dict of ranks", ("return merges", "return {pair: rank for rank, pair in enumerate(merges)}"))
vary(exercise, "wrong-form", "a dict of joined symbols", ("return merges", "return {pair: ''.join(pair) for pair in merges}"))
vary(exercise, "wrong-form", "a dict of counts", ("merges = []", "merges = {}"), ("merges.append(best)", "merges[best] = totals[best]"))
vary(exercise, "wrong-form", "words and counts", ("return merges", "return words"))
vary(exercise, "wrong-form", "with the words", ("return merges", "return (merges, words)"))
vary(exercise, "wrong-form", "with the counts", ("merges.append(best)", "merges.append((best, totals[best]))"))
vary(exercise, "wrong-form", "three parts", ("merges.append(best)", "merges.append((*best, ''.join(best)))"))
vary(exercise, "wrong-form", "the words alone", ("return merges", "return [symbols for symbols, count in words]"))
vary(exercise, "wrong-form", "a set", ("return merges", "return set(merges)"))
vary(exercise, "wrong-form", "the vocabulary", ("return merges", "return sorted({s for symbols, count in words for s in symbols})"))

vary(exercise, "last-first", "inserted in front", ("merges.append(best)", "merges.insert(0, best)"))
vary(exercise, "last-first", "sorted", ("return merges", "return sorted(merges)"))

vary(exercise, "parts-exchanged", "right, left", ("merges.append(best)", "merges.append((best[1], best[0]))"))
vary(exercise, "parts-exchanged", "right, left, first seen", ("merges.append(best)", "merges.append((best[1], best[0]))"), FIRST_SEEN)
vary(exercise, "changes-counts", "takes words out of the dict", ("return merges", "word_counts.popitem() if word_counts else None\n    return merges"))
vary(exercise, "returns-nothing", "no return", ("return merges", "merges"))


@exercise.wrong("ready-made", "the library's own")
def _(word_counts, n_merges):
    import allyouneed.bytepair
    return allyouneed.bytepair.bpe_train(word_counts, n_merges)


@exercise.wrong("ready-made", "the library's tokenizer")
def _(word_counts, n_merges):
    import allyouneed.tokenizers as ready
    text = " ".join(" ".join([word] * count) for word, count in word_counts.items())
    return ready.BytePairTokenizer.train(text, n_merges).merges


@exercise.wrong("timeout", "waits for a pair")
def _(word_counts, n_merges):
    merges = []
    while len(merges) < n_merges:
        pairs = [pair for word in word_counts for pair in zip(word, word[1:])]
        merges += sorted(pairs)[:0]
    return merges
