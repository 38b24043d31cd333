"""Opening a GGUF file: one file that holds a model's weights, its settings and its tokenizer."""

from typing import Any

import numpy as np

__all__ = ["open_gguf"]


def open_gguf(path) -> Any:
    """The package `gguf`'s reader of a file: it has `fields` (settings) and `tensors` (weights, in blocks).

    Raises ModuleNotFoundError where the package is missing, FileNotFoundError where the file is, ValueError
    where it is no whole GGUF file.
    """
    try:
        from gguf import GGUFReader
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "reading a GGUF file needs the package gguf: pip install --no-deps gguf==0.19.0"
        ) from error

    class Reader(GGUFReader):
        @property
        def data(self):
            """The file's bytes, a plain array: it is cut often, and each cut of a np.memmap is slow."""
            return self.bytes

        @data.setter
        def data(self, mapped):
            self.bytes = mapped.view(np.ndarray)

    try:
        return Reader(str(path))
    except FileNotFoundError:
        raise
    except Exception as error:  # the reader stops wherever the bytes make no sense
        raise ValueError(
            f"{path} is not a GGUF file that can be read: copy it again, or give another. ({error})"
        ) from error
