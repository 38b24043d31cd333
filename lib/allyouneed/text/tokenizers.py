"""From text to numbers and back: by character, by word, and by byte-pair.

Learning the byte-pairs is in `allyouneed.text.bytepair`, the pretrained models' own tokenizers in
`allyouneed.pretrained.tokenizer`.
"""

import re
from collections import Counter

import torch

from allyouneed.text.bytepair import _encode, bpe_train

__all__ = ["BytePairTokenizer", "CharTokenizer", "WordTokenizer"]


class _Tokenizer:
    """A list of tokens whose places are their ids, special first, and a rule that cuts text into tokens."""

    def __init__(self, tokens, specials=(), unknown=None):
        self.specials = tuple(dict.fromkeys((*specials, *([] if unknown is None else [unknown]))))
        plain = [token for token in dict.fromkeys(tokens) if token not in self.specials]
        self.tokens, self.unknown = [*self.specials, *plain], unknown
        self._specials = {token: number for number, token in enumerate(self.specials)}
        self._plain = {token: number for number, token in enumerate(plain, start=len(self.specials))}

    def __len__(self):
        return len(self.tokens)

    @property
    def vocab_size(self):
        return len(self.tokens)

    def id(self, token):
        """The number of one token, special or not. Raises ValueError where there is no such token."""
        if (number := self._specials.get(token, self._plain.get(token))) is None:
            raise ValueError(f"{token!r} is not among the {len(self)} tokens.")
        return number

    def encode(self, text):
        """Text to a list of ids. Special tokens are never read out of a text: ask for their `id`."""
        return [self._number(piece) for piece in self.split(text)]

    def _number(self, piece):
        number = self._plain.get(piece, self._specials.get(self.unknown))
        if number is None:
            raise ValueError(
                f"{piece!r} is not among the {len(self)} tokens: train on a text that holds "
                "it, or give unknown='<unk>'."
            )
        return number

    def decode(self, ids, skip_specials=True):
        """Ids (a list or tensor) to text. Special tokens but `unknown` are left out unless told otherwise."""
        ids = torch.as_tensor(ids).tolist()
        if any(not 0 <= number < len(self) for number in ids):
            raise ValueError(f"ids must be 0 to {len(self) - 1}, but they are {min(ids)} to {max(ids)}.")
        hidden = set(self.specials) - {self.unknown} if skip_specials else ()
        return self.join([self.tokens[number] for number in ids if self.tokens[number] not in hidden])


class CharTokenizer(_Tokenizer):
    """Every character is a token: a small vocabulary, long sequences.

    tokens: the characters. specials: names of extra tokens, which get ids 0, 1, ... in their order.
    unknown: the special token for characters not met before; without one they raise ValueError.

    >>> CharTokenizer.train("banana", specials=["<pad>"]).encode("nab")
    [3, 1, 2]
    """

    @classmethod
    def train(cls, text, specials=(), unknown=None):
        """Take the characters of a text, or of an iterable of texts, sorted."""
        return cls(sorted(set().union(*_texts(text))), specials, unknown)

    def split(self, text):
        return list(text)

    def join(self, tokens):
        return "".join(tokens)


class WordTokenizer(_Tokenizer):
    """Every word and every punctuation mark is a token; spaces are forgotten, rare words become `unknown`.

    tokens: the words. specials, unknown: as in `CharTokenizer`. Decoding puts one space between tokens.

    >>> tokenizer = WordTokenizer.train("to be, or not to be")
    >>> tokenizer.decode(tokenizer.encode("to be or to know"))
    'to be or to <unk>'
    """

    def __init__(self, tokens, specials=(), unknown="<unk>"):
        super().__init__(tokens, specials, unknown)

    @classmethod
    def train(cls, text, specials=(), unknown="<unk>", max_words=None, min_count=1):
        """Take the max_words most frequent words of a text, or an iterable of texts, the most frequent first.

        min_count: how often a word must occur. Raises ValueError where a number is not at least 1.
        """
        if min_count < 1 or (max_words is not None and max_words < 1):
            raise ValueError(f"min_count and max_words must be at least 1, got {min_count} and {max_words}.")
        counts = Counter(word for part in _texts(text) for word in cls.split(cls, part))
        words = sorted(
            (word for word in counts if counts[word] >= min_count), key=lambda word: (-counts[word], word)
        )
        return cls(words[:max_words], specials, unknown)

    def split(self, text):
        return re.findall(r"\w+|[^\w\s]", text)

    def join(self, tokens):
        return " ".join(tokens)


class BytePairTokenizer(_Tokenizer):
    """Tokens between character and word: one for a frequent word, several for a rare one. Decoding is exact.

    characters: the symbols to start from. merges: pairs from `bpe_train`. specials, unknown: as in
    `CharTokenizer`.
    Text is first cut into words that keep the space before them, and no token spans two words.

    >>> tokenizer = BytePairTokenizer.train("low lower lowest", n_merges=3)
    >>> [tokenizer.tokens[number] for number in tokenizer.encode("slow lower")]
    ['s', 'low', ' low', 'e', 'r']
    """

    def __init__(self, characters, merges, specials=(), unknown=None):
        self.merges = [tuple(pair) for pair in merges]
        super().__init__([*characters, *(left + right for left, right in self.merges)], specials, unknown)
        self._ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        self._known = {}  # words come again and again: cut each once

    @classmethod
    def train(cls, text, n_merges, specials=(), unknown=None):
        """Learn n_merges merges from a text, or from an iterable of texts."""
        counts = Counter(word for part in _texts(text) for word in cls._words(part))
        return cls(sorted(set().union(*counts)), bpe_train(counts, n_merges), specials, unknown)

    @staticmethod
    def _words(text):
        """Words, runs of signs, and white space; joined, they are the text again."""
        return re.findall(r" ?\w+| ?[^\w\s]+|\s+", text)

    def split(self, text):
        pieces = []
        for word in self._words(text):
            if word not in self._known:
                self._known[word] = _encode(word, self._ranks)
            pieces += self._known[word]
        return pieces

    def join(self, tokens):
        return "".join(tokens)


def _texts(text):
    return [text] if isinstance(text, str) else list(text)
