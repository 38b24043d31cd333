"""bpe_train: probes, right versions, and each mistake with its message and its evidence."""

from collections import Counter, defaultdict

from coursegrader.rubric import Exercise, edit, full

from ._shared import merges_of, random_words, spell

exercise = Exercise(
    "bpe_train",
    points={"the most frequent pair": 3, "repeated letters": 1, "equal counts": 1, "no pair left": 1},
    section="byte-pair-encoding",
    forbid=("BytePairTokenizer", "BpeTrainer", "train_from_iterator", "train_new_from_iterator",
            "tokenizers"),
)


@exercise.probes
def probes(make):
    letters = make.pick("abcde", "dgkmt", "bfhpw")
    more = make.pick(0, 1, 2)

    def probe(name, counts, n_merges, group, **marks):
        return make.probe(name, {spell(word, letters): count for word, count in counts.items()}, n_merges,
                          group=group, **marks)

    def random(n_words, n_letters, n_merges, weighted):
        """Words on which ties never matter, and where every word's count does, whether pairs are counted
        rightly or not."""
        while True:
            words = random_words(make, n_words, letters[:n_letters])
            right = merges_of(words, n_merges + 1)
            ways = [{"weight": False}] * weighted + [{"once": True}, {"overlap": True}, {}]
            if len(right) > n_merges and all(
                    merges_of(words, n_merges, **way) == merges_of(words, n_merges, **way, tie=max)
                    for way in ways) and (
                    merges_of(words, n_merges, weight=False) != right[:-1]
                    == merges_of(words, n_merges, overlap=True)):
                return words

    group = "the most frequent pair"
    counts = {"abc": 5 + more, "ab": 2, "bcd": 4}
    yield probe("one merge", counts, 1, group)
    yield probe("four merges", counts, 4, group)
    yield probe("some words, two merges", {"abd": 3, "bdc": 2, "cab": 2 + more, "ec": 20}, 2, group)
    yield make.probe("random words, two merges", random(make.pick(9, 10, 11), 4, 2, True), 2, group=group)
    yield make.probe("other random words, two merges", random(make.pick(12, 11, 10), 5, 2, True), 2,
                     group=group)
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
    yield probe("a double letter near the same letter", {"babb": 4 + more, "bb": 2, "cd": 5 + more}, 1, group)
    group = "equal counts"
    yield probe("four pairs alike", {"bd": 4 + more, "ce": 4 + more, "ad": 4 + more, "bc": 4 + more}, 1,
                group)
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
    yield probe("capitals and signs", {make.pick("A'b-cA'", "A'd-cA'", "A'b-eA'"): 5, "a'": 4, "-c": 3}, 3,
                "the most frequent pair", edge=True)
    yield make.probe("many words and merges", random_words(make, 60, letters, lengths=(2, 9)),
                     make.pick(40, 44, 38),
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


@exercise.right("spaced strings and regular expressions")
def spaced(word_counts, n_merges):
    import re
    vocabulary = {" ".join(word): count for word, count in word_counts.items()}
    merges = []
    for _ in range(n_merges):
        candidates = {pair for text in vocabulary for pair in zip(text.split(), text.split()[1:])}
        totals = {}
        for left, right in candidates:
            pattern = re.compile(r"(?<!\S)" + re.escape(left + " " + right) + r"(?!\S)")
            totals[left, right] = sum(count * len(pattern.findall(text)) for text,
                                      count in vocabulary.items())
        if not totals:
            break
        best = sorted(totals, key=lambda pair: (-totals[pair], pair))[0]
        merges.append(best)
        pattern = re.compile(r"(?<!\S)" + re.escape(" ".join(best)) + r"(?!\S)")
        vocabulary = {pattern.sub("".join(best), text): count for text, count in vocabulary.items()}
    return merges


@exercise.right("counts by joining, lists of two")
def counts_joining(word_counts, n_merges):
    def join(symbols, pair):
        out = []
        for symbol in symbols:
            if out and (out[-1], symbol) == pair:
                out[-1] += symbol
            else:
                out.append(symbol)
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


@exercise.right("a loop with a position that skips")
def loop(word_counts, n_merges):
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


@exercise.right("deletes in place in its own lists")
def deletes(word_counts, n_merges):
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


@exercise.right("counts changed only where words change")
def counts_changed(word_counts, n_merges):
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


@exercise.right("the pair before")
def pair_before(word_counts, n_merges):
    words = [(list(word), count) for word, count in word_counts.items()]
    merges = []
    while len(merges) < n_merges:
        totals = Counter()
        for symbols, count in words:
            before = None
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
                step = 2 if tuple(symbols[i : i + 2]) == best else 1
                joined.append("".join(symbols[i : i + step]))
                i += step
            words[number] = joined, count
    return merges


FIRST_SEEN = {"min(totals, key=lambda pair: (-totals[pair], pair))": "max(totals, key=totals.get)"}
EVERY_PAIR_OF_NEIGHBOURS = {"if counted.get(pair, -2) < i - 1:": "if True:"}
WORDS_STAY = {"words[number] = (joined, count)": "pass"}
JOIN = (
    "joined, i = [], 0\n"
    "while i < len(symbols):\n"
    "    if tuple(symbols[i:i + 2]) == best:\n"
    "        joined.append(symbols[i] + symbols[i + 1])\n"
    "        i += 2\n"
    "    else:\n"
    "        joined.append(symbols[i])\n"
    "        i += 1\n"
    "words[number] = (joined, count)"
)
IN_PLACE = {JOIN: "for i in range(len(symbols) - 1):\n"
                  "    if (symbols[i], symbols[i + 1]) == best:\n"
                  "        symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]"}
SPACED = {JOIN: 'text = " ".join(symbols).replace(" ".join(best), "".join(best))\n'
                "words[number] = (text.split(), count)"}
MIN = "min(totals, key=lambda pair: (-totals[pair], pair))"

exercise.mistake("ignores-counts", "counting-pairs",
    "Every word counts once. A pair counts as often as its word occurs: add the word's count, not 1.",
    edit(reference, {"+= count": "+= 1"}, "adds 1"),
    edit(reference, FIRST_SEEN | {"+= count": "+= 1"}, "adds 1, first seen"),
    edit(reference, {"+= count": "+= 1", "min": "max", "-totals": "totals"}, "adds 1, largest pair"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | {"+= count": "+= 1"}, "adds 1, with overlaps"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"+= count": "+= 1"},
         "adds 1, with overlaps, first seen"),
    edit(reference, {"totals[pair] += count":
                     "totals[pair] = len({j for j, (s, c) in enumerate(words) if pair in zip(s, s[1:])})"},
         "once a word"))

exercise.mistake("overlapping", "counting-pairs",
    'Pairs are counted with overlaps: in "aaa" you count (a, a) twice, but it can be joined only once. '
    "After counting a pair, do not count the same pair at the next position.",
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS, "every pair of neighbours"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN, "and first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | {"min": "max", "-totals": "totals"}, "and largest pair"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | {"if not totals:\n    break": "pass"},
         "and an error at the end"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"if not totals:\n    break": "pass"},
         "and first seen, with an error at the end"))

exercise.mistake("runs-count-once", "counting-pairs",
    'A run of equal letters counts too little: "aaaa" holds (a, a) twice, since two pairs can be joined. '
    "Skip a pair only if it overlaps one that was counted.",
    edit(reference, {"if counted.get(pair, -2) < i - 1:":
                     "if i == 0 or pair != (symbols[i - 1], symbols[i]):"},
         "skips a pair equal to the one before"),
    edit(reference, FIRST_SEEN | {"if counted.get(pair, -2) < i - 1:":
                                  "if i == 0 or pair != (symbols[i - 1], symbols[i]):"}, "and first seen"))

exercise.mistake("run-misjudged", "counting-pairs",
    "Whether a pair overlaps the one before it is decided by other symbols than the three in question: it does "
    "where three symbols side by side are equal.",
    edit(loop, {"symbols[i] == symbols[i + 1] ==": "symbols[i - 1] == symbols[i + 1] =="}))

exercise.mistake("once-per-word", "counting-pairs",
    "A pair that stands in a word twice counts once. Count every place where it can be joined, times the "
    "word's count.",
    edit(reference, {"(zip(symbols, symbols[1:]))": "(sorted(set(zip(symbols, symbols[1:]))))"},
         "a set of pairs"),
    edit(reference, FIRST_SEEN | {"if counted.get(pair, -2) < i - 1:": "if pair not in counted:"},
         "and first seen"))

exercise.mistake("overlap-across-words", "counting-pairs",
    "The pair at the end of one word keeps the first pair of the next word from being counted. Forget it "
    "where a new word begins.",
    edit(pair_before, {"Counter()": "Counter()\nbefore = None",
                       "for symbols, count in words:\n    before = None": "for symbols, count in words:"},
         "the pair before, kept"),
    edit(pair_before, {"Counter()": "Counter()\nbefore = None",
                       "for symbols, count in words:\n    before = None": "for symbols, count in words:",
                       MIN: "max(totals, key=totals.get)"}, "the pair before, kept, first seen"))

exercise.mistake("skips-after-double", "counting-pairs",
    'After two equal letters the next pair is skipped, whatever it is: "aab" holds (a, a) and also (a, b). '
    "Skip only a pair that equals the one before.",
    edit(reference, {"counted.get(pair, -2) < i - 1": "i - 1 not in counted.values()",
                     "counted[pair] = i": "counted.update({pair: i} if pair[0] == pair[1] else {})"},
         "two steps behind equal letters"),
    edit(reference, FIRST_SEEN | {"counted.get(pair, -2) < i - 1": "i - 1 not in counted.values()",
                                  "counted[pair] = i":
                                  "counted.update({pair: i} if pair[0] == pair[1] else {})"},
         "two steps behind equal letters, first seen"))

exercise.mistake("last-pair-not-counted", "counting-pairs",
    'The last pair of each word is not counted: "abc" holds (a, b) and (b, c). Look at where your loop ends.',
    edit(reference, {", symbols": "[:-2], symbols"}, "too short a range"),
    edit(reference, FIRST_SEEN | {", symbols": "[:-2], symbols"}, "too short a range, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | {", symbols": "[:-2], symbols"},
         "too short a range, with overlaps"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {", symbols": "[:-2], symbols"},
         "too short a range, with overlaps, first seen"),
    edit(reference, {", symbols": "[:-2], symbols",
                     "if not totals:\n    break": "pass"}, "too short a range, with an error at the end"))

exercise.mistake("overwrites-count", "counting-pairs",
    "A pair that stands in several words has the count of one of them. Add the counts of all words that "
    "hold it.",
    edit(reference, {"+= count": "= count"}, "the last word"),
    edit(reference, FIRST_SEEN | {"+= count": "= count"}, "the last word, first seen"),
    edit(reference, {"+= count": "= max(count, totals[pair])"}, "the largest word"))

exercise.mistake("counts-carried-over", "byte-pair-encoding",
    "The counts of earlier steps are still in the sum. The words have changed: start from zero before you "
    "count again.",
    edit(reference, {"merges = []": "merges, totals = [], Counter()",
                     "totals = Counter()": "pass"}, "never set to zero"),
    edit(reference, FIRST_SEEN | {"merges = []": "merges, totals = [], Counter()",
                                  "totals = Counter()": "pass"}, "never set to zero, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | {"merges = []": "merges, totals = [], Counter()",
                                                "totals = Counter()": "pass"},
         "never set to zero, with overlaps"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"merges = []": "merges, totals = [], Counter()",
                                                             "totals = Counter()": "pass"},
         "never set to zero, with overlaps, first seen"),
    edit(reference, {"merges = []": "merges, totals = [], Counter()", "totals = Counter()": "pass",
                     "for number": "del totals[best]\nfor number"}, "only the chosen pair is taken out"),
    edit(reference, {"merges = []": "merges, sums = [], Counter()",
                     "best = min(totals, key=lambda pair: (-totals[pair], pair))":
                     "sums.update(totals)\nbest = min(totals, key=lambda pair: (-sums[pair], pair))"},
         "of the pairs that there are"),
    edit(reference, {"merges = []": "merges, sums = [], Counter()",
                     "best = min(totals, key=lambda pair: (-totals[pair], pair))":
                     "sums.update(totals)\nbest = min(sums, key=lambda pair: (-sums[pair], pair))"},
         "until no pair is left"))

exercise.mistake("counts-text", "counting-pairs",
    "The joined text of a pair is searched for in the word, and it also stands where other symbols meet. "
    "Count neighbours in the list of symbols.",
    edit(reference, {"if counted.get(pair, -2) < i - 1:": "if pair not in counted:",
                     "+= count": '+= count * "".join(symbols).count("".join(pair))'},
         "count of the joined text"),
    edit(reference, FIRST_SEEN | {"if counted.get(pair, -2) < i - 1:": "if pair not in counted:",
                                  "+= count": '+= count * "".join(symbols).count("".join(pair))'},
         "count of the joined text, first seen"))

exercise.mistake("every-second-pair", "counting-pairs",
    'Only every second pair of neighbours is counted: "abc" holds (a, b) and also (b, c). Go on by one '
    "symbol, except where a pair would overlap itself.",
    edit(reference, {"counted.get(pair, -2)": "max(counted.values(), default= -2)"},
         "skips after every pair"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {", symbols[1:]": "[::2], symbols[1::2]"},
         "steps of two, first seen"))

exercise.mistake("across-words", "counting-pairs",
    "Pairs are counted across the end of a word. Keep the words apart: a pair needs two symbols of the "
    "same word.",
    edit(reference, {"(list(word), count) for word, count": "([c for word, n",
                     "items()]": "items()for c in word * n], 1)]"}, "one text, words repeated"),
    edit(reference, FIRST_SEEN | {"(list(word), count) for word, count": "([c for word, n",
                                  "items()]": "items()for c in word * n], 1)]"}, "one text, first seen"),
    edit(reference, {"word), count) for word, count in word_counts.items()": '"".join(word_counts)), 1)'},
         "one text, each word once"),
    edit(reference, FIRST_SEEN | {"word), count) for word, count in word_counts.items()":
                                  '"".join(word_counts)), 1)'}, "one text, each word once, first seen"),
    edit(reference, {"(word), count": '(" ".join((" ".join([word] * n', "word, count": "word, n",
                     "items()": "items()))), 1)"}, "one text with spaces"),
    edit(reference, {"word), count) for word, count in word_counts.items()": '" ".join(word_counts)), 1)'},
         "one text with spaces, each word once"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | {"(list(word), count) for word, count": "([c for word, n",
                                                "items()]": "items()for c in word * n], 1)]"},
         "one text with overlaps"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"(list(word), count) for word, count":
                                                             "([c for word, n",
                                                             "items()]": "items()for c in word * n], 1)]"},
         "one text with overlaps, first seen"))

exercise.mistake("unordered-pairs", "counting-pairs",
    "(a, b) and (b, a) are counted as one pair. The order matters: they join to different symbols.",
    edit(reference, {"zip": "(tuple(sorted(p)) for p in zip", "1:])):": "1:]))):"}, "sorted pairs"),
    edit(reference, {"zip": "(tuple(sorted(p)) for p in zip", "1:])):": "1:]))):",
                     "(symbols[i:i + 2])": "(sorted(symbols[i : i + 2]))"},
         "sorted pairs, joined either way"))

exercise.mistake("tie-break", "merge-ties",
    "Where several pairs have the same count, a pair other than the smallest is taken. Of those with the "
    "largest count, take the smallest as Python compares tuples: by the first symbol, then by the second.",
    edit(reference, FIRST_SEEN, "first seen"),
    edit(reference, FIRST_SEEN | {"if not totals:\n    break": "pass"},
         "first seen, with an error at the end"),
    edit(reference, {"if not totals:\n"
                     "    break\n"
                     "best = min(totals, key=lambda pair: (-totals[pair], pair))":
                     "pass\n"
                     "best = totals.most_common(1)[0][0]"}, "most_common"),
    edit(reference, {"min": "max", "-totals": "totals"}, "largest pair"),
    edit(reference, {"if not totals:\n    break": "pass", "min": "max",
                     "-totals": "totals"}, "largest pair, with an error at the end"),
    edit(reference, {MIN: "max(reversed(list(totals)), key=totals.get)"}, "last seen"),
    edit(reference, {"if not totals:\n    break": "pass",
                     MIN: "max(reversed(list(totals)), key=totals.get)"},
         "last seen, with an error at the end"),
    edit(reference, {"pair))": '"".join(pair)))'}, "smallest joined string"),
    edit(reference, {"pair))": '-len("".join(pair)), pair))'}, "longest joined string"),
    edit(reference, {"min": "max", "-totals": "totals",
                     "pair))": '-len("".join(pair)), pair))'}, "shortest joined string, then the largest"),
    edit(reference, {"[pair], pair": "[pair], pair[::-1]"}, "by the second symbol"))


BY_COUNT = {"if not totals:\n    break":
            "return sorted(totals, key=lambda pair: (-totals[pair], pair))[:n_merges]"}
MOST_COMMON = {"if not totals:\n    break": "return [pair for pair, count in totals.most_common(n_merges)]"}
exercise.mistake("counts-once", "byte-pair-encoding",
    "The pairs are counted only at the start. After each merge the words hold other symbols: count again "
    "before the next.",
    edit(reference, BY_COUNT, "sorted by count"),
    edit(reference, MOST_COMMON, "most_common"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | BY_COUNT, "with overlaps"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | MOST_COMMON, "most_common, with overlaps"))

exercise.mistake("words-not-joined", "byte-pair-encoding",
    "The chosen pair is never joined in the words, so it is chosen again and again. Replace it by one "
    "symbol before you count again.",
    edit(reference, WORDS_STAY, "the words stay"),
    edit(reference, FIRST_SEEN | WORDS_STAY, "the words stay, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | WORDS_STAY, "the words stay, with overlaps"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | WORDS_STAY,
         "the words stay, with overlaps, first seen"))

exercise.mistake("first-place-only", "byte-pair-encoding",
    "The chosen pair is joined only at its first place in a word. Join it everywhere, from the left.",
    edit(reference, {"best:": "best and len(joined) == i:"}, "joins once a word"),
    edit(reference, FIRST_SEEN | {"best:": "best and len(joined) == i:"}, "joins once a word, first seen"))

exercise.mistake("joins-overlap", "byte-pair-encoding",
    'A symbol is used twice when a pair is joined: "aaa" becomes aa, aa. After joining two symbols, go on '
    "after both.",
    edit(reference, {"i += 2": "i += 1"}, "goes on by one"),
    edit(reference, {"i += 2": "i += 1 if len(symbols) > 2 else 2"},
         "goes on by one, keeps the right symbol only in pairs of two"),
    edit(reference, {"i += 2": "i += 1 if tuple(symbols[i + 1 : i + 3]) == best else 2"},
         "two equal symbols only"))

exercise.mistake("joins-from-the-right", "byte-pair-encoding",
    'Pairs are joined from the right: "aaa" becomes a, aa. Join from the left: aa, a.',
    edit(reference, {"i = [], 0": "i , symbols, turned = [], 0, symbols[::-1], best[::-1]",
                     "best:": "turned:", "[i] + symbols[i + 1]": "[i+ 1] + symbols[i]",
                     "(joined, count)": "joined[::-1], count"}, "goes backwards"),
    edit(reference, FIRST_SEEN | {"i = [], 0": "i , symbols, turned = [], 0, symbols[::-1], best[::-1]",
                                  "best:": "turned:", "[i] + symbols[i + 1]": "[i+ 1] + symbols[i]",
                                  "(joined, count)": "joined[::-1], count"}, "goes backwards, first seen"))

exercise.mistake("loses-symbols", "byte-pair-encoding",
    "Symbols get lost when a pair is joined: the end of the word is missing, or what stood beside the "
    "pair. All other symbols stay as they are.",
    edit(reference, {"(symbols)": "(symbols) - 1"}, "the last symbol"),
    edit(reference, FIRST_SEEN | {"(symbols)": "(symbols) - 1"}, "the last symbol, first seen"),
    edit(reference, {"joined.append(symbols[i])": "pass"}, "all but the pairs"),
    edit(reference, {"i += 2": "break"}, "all that stands behind the pair"),
    edit(reference, {"i += 2": "i += 3"}, "the symbol behind the pair"))


exercise.mistake("list-shrinks", "byte-pair-encoding",
    "The list of symbols gets shorter with each join, but the loop runs to its old length, and the code "
    "stops with an error. Use while, or build a new list.",
    edit(reference, IN_PLACE, "range of the old length"),
    edit(reference, FIRST_SEEN | IN_PLACE, "range of the old length, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | IN_PLACE, "range of the old length, with overlaps"))


exercise.mistake("past-the-end", "byte-pair-encoding",
    "The last symbol has no right neighbour: the code looks past the end of the word, and stops with an "
    "error.",
    edit(reference, {JOIN: IN_PLACE[JOIN].replace(" - 1):", "):")}, "range of the whole length"),
    edit(reference, {"zip(symbols, symbols[1:])":
                     "((symbols[j], symbols[j + 1]) for j in range(len(symbols)))"},
         "counts by range of the whole length"))


exercise.mistake("changes-letters", "byte-pair-encoding",
    "Characters are changed, left out or never joined. Capitals, apostrophes and hyphens are symbols like "
    "any other.",
    edit(reference, {"(word)": "(word.lower())"}, "lower case"),
    edit(reference, {"list(word)": "[c for c in word if c.isalpha()]"}, "letters alone"),
    edit(reference, {JOIN: "import re\n"
                           'pattern = "\\\\b" + re.escape(" ".join(best)) + "\\\\b"\n'
                           'text = re.sub(pattern, "".join(best), " ".join(symbols))\n'
                           "words[number] = (text.split(), count)"},
         "a regular expression that ends at a letter"))


exercise.mistake("inside-symbols", "byte-pair-encoding",
    'The pair is also found inside longer symbols: after joining a and b, the text "ab c" holds "b c", but '
    "the word does not. Compare whole symbols.",
    edit(reference, SPACED, "replaces in a spaced string"),
    edit(reference, FIRST_SEEN | SPACED, "replaces in a spaced string, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | SPACED, "replaces in a spaced string, with overlaps"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | SPACED,
         "replaces in a spaced string, with overlaps, first seen"),
    edit(reference, SPACED | {"if counted.get(pair, -2) < i - 1:": "if pair not in counted:",
                              "+= count": '+= count * " ".join(symbols).count(" ".join(pair))'},
         "counts in a spaced string too"))

exercise.mistake("end-marker", "byte-pair-encoding",
    "Words get a marker that they do not have. Here symbols are the word's characters and nothing else: "
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
    edit(reference, FIRST_SEEN | {"list(word)": '[*word, "</w>"]'}, "the symbol </w>, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"list(word)": '[*word, "</w>"]'},
         "the symbol </w>, with overlaps, first seen"),
    edit(reference, FIRST_SEEN | {"list(word)": '[*word, "_"]'}, "the symbol _, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"list(word)": '[*word, "_"]'},
         "the symbol _, with overlaps, first seen"),
    edit(reference, FIRST_SEEN | {"list(word)": '[*word, "</s>"]'}, "the symbol </s>, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"list(word)": '[*word, "</s>"]'},
         "the symbol </s>, with overlaps, first seen"),
    edit(reference, FIRST_SEEN | {"list(word)": '[*word, "$"]'}, "the symbol $, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"list(word)": '[*word, "$"]'},
         "the symbol $, with overlaps, first seen"),
    edit(reference, FIRST_SEEN | {"list(word)": '[*word, "#"]'}, "the symbol #, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"list(word)": '[*word, "#"]'},
         "the symbol #, with overlaps, first seen"),
    edit(reference, FIRST_SEEN | {"list(word)": '[*word, " "]'}, "the symbol ' ', first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"list(word)": '[*word, " "]'},
         "the symbol ' ', with overlaps, first seen"),
    edit(reference, FIRST_SEEN | {"list(word)": '[*word, "<end>"]'}, "the symbol <end>, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"list(word)": '[*word, "<end>"]'},
         "the symbol <end>, with overlaps, first seen"),
    edit(reference, {"list(word)": '[*word, "</w>"]', "min": "max",
                     "-totals": "totals"}, "the symbol </w>, largest pair"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | {"list(word)": '[*word, "</w>"]'},
         "the symbol </w>, with overlaps"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"list(word)": '[*word, "</w>"]',
                                                             "if not totals:\n    break": "pass"},
         "the symbol </w>, with an error at the end, first seen"),
    edit(reference, {"list(word)": '[*word, "_"]', "min": "max",
                     "-totals": "totals"}, "the symbol _, largest pair"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | {"list(word)": '[*word, "_"]'}, "the symbol _, with overlaps"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"list(word)": '[*word, "_"]',
                                                             "if not totals:\n    break": "pass"},
         "the symbol _, with an error at the end, first seen"),
    edit(reference, {"(word)": '(word + "</w>")'}, "the characters of </w>"),
    edit(reference, {"(word)": '(word + "</s>")'}, "the characters of </s>"),
    edit(reference, {"(word)": '(word + "<end>")'}, "the characters of <end>"),
    edit(reference, {"list(word)": '["_", *word]'}, "the symbol _ before the word"),
    edit(reference, {"list(word)": '["▁", *word]'}, "the symbol ▁ before the word"),
    edit(reference, {"list(word)": '["Ġ", *word]'}, "the symbol Ġ before the word"),
    edit(reference, {"list(word)": '[" ", *word]'}, "the symbol ' ' before the word"),
    edit(reference, {"list(word)": '["^", *word]'}, "the symbol ^ before the word"),
    edit(reference, {"list(word)": '["<s>", *word]'}, "the symbol <s> before the word"),
    edit(reference, {"list(word)": '["##", *word]'}, "the symbol ## before the word"),
    edit(reference, {"list(word)": '[*word[:-1], word[-1] + "</w>"]'}, "</w> sticks to the last letter"),
    edit(reference, {"list(word)": '[*word[:-1], word[-1] + "_"]'}, "_ sticks to the last letter"),
    edit(reference, {"list(word)": '[c if j == 0 else "##" + c for j, c in enumerate(word)]'},
         "## before the letters inside a word"))

exercise.mistake("rarest-first", "byte-pair-encoding",
    "The rarest pair is joined first. Take the pair with the largest count.",
    edit(reference, {"-totals": "totals"}, "the smallest count"),
    edit(reference, {"lambda pair: (-totals[pair], pair))": "totals.get)"}, "the smallest count, first seen"),
    edit(reference, {"min": "max"}, "the smallest count, largest pair"),
    edit(reference, {"best = min(totals, key=lambda pair: (-totals[pair], pair))":
                     "best = totals.most_common()[-1][0]"}, "most_common, the last"))

exercise.mistake("word-piece-score", "byte-pair-encoding",
    "The pairs are ranked by their count divided by the counts of their parts, as WordPiece does. "
    "Byte-pair encoding ranks them by the count alone.",
    edit(reference, {"best =": "single = Counter()\n"
                               "for symbols, count in words:\n"
                               "    for s in symbols:\n"
                               "        single[s] += count\n"
                               "best =",
                     "[pair],": "[pair] / (single[pair[0]] * single[pair[1]]),"}, "count over counts"),
    edit(reference, {"best =": "single = Counter()\n"
                               "for symbols, count in words:\n"
                               "    for s in symbols:\n"
                               "        single[s] += count\n"
                               "best =",
                     "(-totals[pair], pair)": "-totals[pair] / (single[pair[0]] * single[pair[1]])"},
         "count over counts, first seen"))

exercise.mistake("stops-at-one", "merge-ties",
    "Training ends when the largest count is 1. Go on until there are n_merges merges or no pair is left.",
    edit(reference, {"totals:": "totals or max(totals.values()) < 2:"}, "largest count below 2"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | {"totals:": "totals or max(totals.values()) < 2:"},
         "largest count below 2, with overlaps"))

exercise.mistake("stops-at-whole-word", "merge-ties",
    "Training ends as soon as one word is a single symbol. Go on while any word still has a pair.",
    edit(reference, {"if not totals:":
                     "if not totals or any((len(symbols) == 1 for symbols, count in words)):"}, "any word"),
    edit(reference, {"totals:": "totals or len(words[0][0]) == 1:"}, "the first word"),
    edit(reference, FIRST_SEEN | {"if not totals:":
                                  "if not totals or any((len(symbols) == 1 for symbols, count in words)):"},
         "any word, first seen"))

exercise.mistake("returns-early", "byte-pair-encoding",
    "The function returns after its first merge. Look at how far the return statement is indented.",
    edit(reference, {"return": "    return merges\nreturn"}, "in the loop"),
    edit(reference, FIRST_SEEN | {"return": "    return merges\nreturn"}, "in the loop, first seen"),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"return merges": "    return merges"},
         "in the loop, nothing else"))

exercise.mistake("no-pair-left", "merge-ties",
    "The code stops with an error when no pair is left. Then every word is one symbol: return the merges "
    "found so far.",
    edit(reference, {"if not totals:\n    break": "pass"}, "min of nothing"),
    edit(reference, {"if not totals:\n    break": "pass\nmost = max(totals.values())"},
         "max of the counts of nothing"),
    edit(reference, {"if not totals:\n    break": "pass", "min": "sorted",
                     "pair))": "pair))[0]"}, "first of nothing"),
    edit(reference, {"break": 'raise ValueError("no pair left")'}, "raises an error"))

exercise.mistake("padded", "merge-ties",
    "When no pair is left the list is filled up. Return fewer merges then, and only real pairs.",
    edit(reference, {"return merges": "return merges + [None] * (n_merges - len(merges))"}, "with None"),
    edit(reference, {"return merges": 'return merges + [("", "")] * (n_merges - len(merges))'},
         "with empty pairs"),
    edit(reference, {"return merges": "return merges + [()] * (n_merges - len(merges))"},
         "with empty tuples"),
    edit(reference, {"return merges": "return merges + merges[-1:] * (n_merges - len(merges))"},
         "with the last pair"),
    edit(reference, {"return merges": "return merges + [None] * (n_merges > len(merges))"}, "with one None"),
    edit(reference, {"return merges": "return merges + [(None, None)] * (n_merges - len(merges))"},
         "with pairs of None"))

exercise.mistake("one-too-many", "merge-ties",
    "There is one merge too many. Stop when n_merges are found; for n_merges = 0 that is at once.",
    edit(reference, {"< n_merges": "<= n_merges"}, "<="),
    edit(reference, EVERY_PAIR_OF_NEIGHBOURS | FIRST_SEEN | {"< n_merges": "<= n_merges"},
         "<=, with overlaps, first seen"),
    edit(reference, {"len(merges) < n_merges": "n_merges > len(merges) or not merges"},
         "tests after the first merge"))

exercise.mistake("one-too-few", "merge-ties",
    "There is one merge too few: n_merges are asked for, as long as there is a pair.",
    edit(reference, {"while len(merges) < n_merges:": "for _ in range(1, n_merges):"}, "from 1"),
    edit(reference, {"return merges": "return merges[:-1]"}, "the last is lost"))

exercise.mistake("joined-strings", "byte-pair-encoding",
    'The merges are returned as joined strings. "abc" may come from (a, bc) or (ab, c): return the pairs.',
    edit(reference, {"return merges": 'return ["".join(pair) for pair in merges]'}, "joined"),
    edit(reference, {"return merges": 'return [" ".join(pair) for pair in merges]'}, "with a space"),
    edit(reference, FIRST_SEEN | {"return merges": 'return ["".join(pair) for pair in merges]'},
         "joined, first seen"))

exercise.mistake("wrong-form", "byte-pair-encoding",
    "The merges are right, but their form is not. Return one list of pairs, in the order of joining, "
    "without counts, ranks or words.",
    edit(reference, {"return merges": "return {pair: rank for rank, pair in enumerate(merges)}"},
         "a dict of ranks"),
    edit(reference, {"return merges": 'return {pair: "".join(pair) for pair in merges}'},
         "a dict of joined symbols"),
    edit(reference, {"merges = []": "merges = {}",
                     "merges.append(best)": "merges[best] = totals[best]"}, "a dict of counts"),
    edit(reference, {"return merges": "return words"}, "words and counts"),
    edit(reference, {"return merges": "return merges, words"}, "with the words"),
    edit(reference, {"(best)": "((best, totals[best]))"}, "with the counts"),
    edit(reference, {"(best)": '((*best, "".join(best)))'}, "three parts"),
    edit(reference, {"return merges": "return [symbols for symbols, count in words]"}, "the words alone"),
    edit(reference, {"return merges": "return set(merges)"}, "a set"),
    edit(reference, {"return merges": "return sorted({s for symbols, count in words for s in symbols})"},
         "the vocabulary"))

exercise.mistake("last-first", "byte-pair-encoding",
    "The merges are in the wrong order. Return them in the order of joining: the first one first.",
    edit(reference, {"append(best)": "insert(0,best)"}, "inserted in front"),
    edit(reference, {"return merges": "return sorted(merges)"}, "sorted"))

exercise.mistake("parts-exchanged", "byte-pair-encoding",
    "The parts of each pair come back in the wrong order: the left symbol first.",
    edit(reference, {"(best)": "((best[1], best[0]))"}, "right, left"),
    edit(reference, FIRST_SEEN | {"(best)": "((best[1], best[0]))"}, "right, left, first seen"))

exercise.mistake("changes-counts", "byte-pair-encoding",
    "The merges are right, but word_counts has changed. Keep the words in a list or dict of your own.",
    edit(reference, {"return": "word_counts.popitem() if word_counts else None\nreturn"},
         "takes words out of the dict"))


exercise.built_in("returns-nothing",
    edit(reference, {"return merges": "merges"}, "no return"))

exercise.built_in("ready-made",
    full("import allyouneed.text.bytepair\n"
         "return allyouneed.text.bytepair.bpe_train(word_counts, n_merges)", "the library's own"),
    full("import allyouneed.text.bytepair as ready\n"
         'text = " ".join(" ".join([word] * count) for word, count in word_counts.items())\n'
         "return ready.BytePairTokenizer.train(text, n_merges).merges", "the library's tokenizer"))

exercise.built_in("timeout",
    full("merges = []\n"
         "while len(merges) < n_merges:\n"
         "    pairs = [pair for word in word_counts for pair in zip(word, word[1:])]\n"
         "    merges += sorted(pairs)[:0]\n"
         "return merges", "waits for a pair"))

exercise.equal("a word is a row of characters like a list of them, and merges may come back in a list", {
    "list(word)": "word", "list(w)": "w", "tuple(merges)": "merges", "pairs(s)": "pairs(w)"})
exercise.equal("one number added to the counts of all pairs changes no order", {
    "len(symbols) -": ("-", "len(pair) -"), "p[i], 0)": ("p[i], 1)", "p[i], -1)")})
exercise.equal("nothing is counted before a word's first pair, so it cannot overlap", {
    "-2": "-3", "previous = False": "previous = True", "i > 1 and": ("", "i >= 1 and", "i > 0 and")})
exercise.equal("no pair is compared with itself", {"pair < best": "pair <= best"})
exercise.equal("a word that lacks the pair comes out as it was", {
    "a not in s or b not in s": ("False", "a not in s and b not in s", "b not in s", "a not in s",
                                 "b not in s or b not in s", "a not in w or b not in s",
                                 "a not in s or a not in s", "a not in s or b not in w"),
    "continue": "pass"})
exercise.equal("one symbol makes half a pair, rounded down to none, and two of a run are equal", {
    "i < len(s) - 1": ("i <= len(s) - 1", "i < len(s)", "i < len(s) - 0"),
    "(s[i], s[i])": ("(s[i + 1], s[i])", "(s[i], s[i + 1])")})
