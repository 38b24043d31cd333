"""What the rubrics of this problem set share: words for byte-pair encoding."""

from collections import Counter

import torch


def spell(text, letters):
    """Write "abcde" with other letters that are in the same order."""
    return text.translate(str.maketrans("abcde", letters))


def merges_of(word_counts, n_merges, weight=True, overlap=False, once=False, tie=min):
    """Byte-pair training with a choice of rights and wrongs, to see which words tell them apart."""
    words, merges = [(list(word), count if weight else 1) for word, count in word_counts.items()], []
    while len(merges) < n_merges:
        totals = Counter()
        for symbols, count in words:
            totals += {pair: times * count for pair, times in _pairs(symbols, overlap, once).items()}
        if not totals:
            break
        best = tie(pair for pair in totals if totals[pair] == max(totals.values()))
        merges.append(best)
        words = [(joined(symbols, best), count) for symbols, count in words]
    return merges


def _pairs(symbols, overlap, once):
    counts, last = Counter(), {}
    for index, pair in enumerate(zip(symbols, symbols[1:])):
        if overlap or last.get(pair, -2) < index - 1:
            counts[pair] += 1
            last[pair] = index
    return Counter(dict.fromkeys(counts, 1)) if once else counts


def joined(symbols, pair):
    """The symbols with every occurrence of the pair joined, from the left."""
    result, index = [], 0
    while index < len(symbols):
        width = 2 if tuple(symbols[index:index + 2]) == pair else 1
        result.append("".join(symbols[index:index + width]))
        index += width
    return result


def random_words(make, n_words, letters, lengths=(2, 6)):
    """A dict of different random words with different counts, in random order."""
    words = {}
    while len(words) < n_words:
        length = int(make.randint(*lengths, (1,)))
        words["".join(letters[i] for i in make.randint(0, len(letters), (length,)).tolist())] = 0
    counts = (torch.randperm(4 * n_words, generator=make.generator)[:n_words] + 2).tolist()
    return dict(zip(words, counts))
