"""Byte-pair encoding: start from characters, and join the most frequent neighbours again and again."""

import heapq
from collections import Counter, defaultdict

__all__ = ["bpe_encode", "bpe_train"]


def bpe_train(word_counts, n_merges) -> list[tuple[str, str]]:
    """Learn which neighbouring symbols to join, the most frequent pair first.

    word_counts: dict from word to how often it occurs. Symbols start as characters; no pair spans two words.
    A pair is counted without overlaps from the left ("aaa" holds (a, a) once), times the word's count; ties
    go to the smallest pair.
    Returns a list of at most n_merges pairs of strings, in the order they were joined; fewer when no pair is
    left.
    Raises ValueError where n_merges is negative. Paper: Sennrich, Haddow and Birch 2016 (after Gage 1994).

    >>> bpe_train({"low": 5, "lower": 2, "newest": 6}, n_merges=2)
    [('w', 'e'), ('l', 'o')]
    """
    if n_merges < 0:
        raise ValueError(f"n_merges must not be negative, got {n_merges}.")
    words = [(list(word), count) for word, count in dict(word_counts).items()]
    totals, where = Counter(), defaultdict(set)  # pair to its count; pair to the words that hold it
    for index, (symbols, count) in enumerate(words):
        for pair, times in _pairs(symbols).items():
            totals[pair] += times * count
            where[pair].add(index)
    # Finding the largest count anew for each merge would look at all pairs: a heap gives it at once. Counts
    # change, so each change adds an entry, and an entry that no longer tells the truth is thrown away when it
    # comes up.
    heap = [(-total, pair) for pair, total in totals.items()]
    heapq.heapify(heap)
    merges = []
    while heap and len(merges) < n_merges:
        total, best = heapq.heappop(heap)
        if -total != totals[best] or total == 0:
            continue
        merges.append(best)
        changes = Counter()
        for index in list(where[best]):  # only words that hold the pair change
            symbols, count = words[index]
            joined = _join(symbols, best)
            before, after = _pairs(symbols), _pairs(joined)
            for pair in before.keys() | after.keys():
                changes[pair] += (after[pair] - before[pair]) * count
                (where[pair].add if pair in after else where[pair].discard)(index)
            words[index] = (joined, count)
        for pair, change in changes.items():
            if change:
                totals[pair] += change
                heapq.heappush(heap, (-totals[pair], pair))
    return merges


def bpe_encode(word, merges) -> list[str]:
    """Cut a word into tokens: join the pair learned first, wherever it stands, until no learned pair is left.

    merges: the list of pairs that `bpe_train` returned. Returns strings that join to the word; "" gives [].

    >>> bpe_encode("lowest", [("w", "e"), ("l", "o"), ("lo", "we")])
    ['lowe', 's', 't']
    """
    return _encode(word, {tuple(pair): rank for rank, pair in reversed(list(enumerate(merges)))})


def _encode(word, ranks):
    """`bpe_encode` with the merges as a dict from pair to rank, so that many words can share it."""
    symbols = list(word)
    while len(symbols) > 1:
        best = min(zip(symbols, symbols[1:]), key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        symbols = _join(symbols, best)
    return symbols


def _pairs(symbols):
    """Count neighbours, equal ones without overlap: a a a a holds (a, a) twice."""
    counts, overlaps = Counter(), False
    for index, pair in enumerate(zip(symbols, symbols[1:])):
        overlaps = not overlaps and index > 0 and pair[0] == pair[1] == symbols[index - 1]
        counts[pair] += not overlaps
    return counts


def _join(symbols, pair):
    """Replace every occurrence of the pair, from the left, by one symbol."""
    joined, index = [], 0
    while index < len(symbols):
        found = tuple(symbols[index : index + 2]) == pair
        joined.append(symbols[index] + symbols[index + 1] if found else symbols[index])
        index += 2 if found else 1
    return joined
