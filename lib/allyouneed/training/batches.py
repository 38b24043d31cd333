"""Batches as a function of the step number: resumed runs and several processes see what one run would."""

import torch

from allyouneed.tensors import Ids, Tensor
from allyouneed.validate import check_integers

from .seeds import generator_for


class TextBatches:
    """Random windows of a long text: `batches(step)` is `(inputs, targets)`, `(B, T)`, targets one later.

    Arguments: `ids` `(N,)` int64; `batch_size` B, over all processes; `length` T; `seed`.
    Raises `ValueError` if the text is too short, `TypeError` if it is no integers. Never holds a copy of the
    text.

    >>> inputs, targets = TextBatches(torch.arange(100), batch_size=2, length=8)(step=0)
    >>> torch.equal(inputs + 1, targets)
    True
    """

    def __init__(self, ids, batch_size, length, seed=0):
        check_integers(batch_size=batch_size, length=length)
        if ids.is_floating_point():
            raise TypeError(
                f"ids must be integers, the numbers of the text's tokens, but they are {ids.dtype}"
            )
        if ids.dim() != 1 or len(ids) < length + 1:
            raise ValueError(
                f"need one axis of at least length + 1 = {length + 1} ids, got shape {tuple(ids.shape)}"
            )
        self.ids, self.batch_size, self.length, self.seed = ids, batch_size, length, seed

    def __call__(self, step: int, rank: int = 0, n_processes: int = 1) -> tuple[Ids, Ids]:
        """Return the batch of a step, or process `rank`'s equal share of it."""
        generator = generator_for(self.seed, step)
        # (B, 1)
        start = torch.randint(len(self.ids) - self.length, (self.batch_size, 1), generator=generator)
        window = self.ids[(share(start, rank, n_processes) + torch.arange(self.length + 1))]  # (B, T + 1)
        return window[:, :-1], window[:, 1:]


class ExampleBatches:
    """Shuffled examples, all once an epoch: `batches(step)` is a tuple, one `(B, ...)` tensor for each given.

    Arguments: `tensors`, each `(N, ...)` with the same N; `batch_size` B ≤ N, over all processes; `seed`. The
    N mod B examples that are left over wait for the next epoch, which is shuffled anew. Raises `ValueError`
    for bad sizes.

    >>> ExampleBatches([torch.arange(6)], batch_size=3).steps_per_epoch
    2
    """

    def __init__(self, tensors, batch_size, seed=0):
        tensors = tuple(tensors)
        sizes = {len(tensor) for tensor in tensors}
        check_integers(batch_size=batch_size)
        if len(sizes) != 1 or batch_size > min(sizes):
            raise ValueError(
                f"need tensors of one length ≥ batch_size = {batch_size}, got lengths {sorted(sizes)}"
            )
        self.tensors, self.batch_size, self.seed = tensors, batch_size, seed
        self.n_examples = sizes.pop()
        self.steps_per_epoch = self.n_examples // batch_size
        self._epoch, self._order = None, None

    def __call__(self, step: int, rank: int = 0, n_processes: int = 1) -> tuple[Tensor, ...]:
        """Return the batch of a step, or process `rank`'s equal share of it."""
        epoch, place = divmod(step, self.steps_per_epoch)
        if epoch != self._epoch:
            self._epoch = epoch
            self._order = torch.randperm(self.n_examples, generator=generator_for(self.seed, epoch))
        chosen = self._order[place * self.batch_size : (place + 1) * self.batch_size]
        chosen = share(chosen, rank, n_processes)
        return tuple(tensor[chosen] for tensor in self.tensors)


def share(batch: Tensor, rank: int, n_processes: int) -> Tensor:
    """Return process `rank`'s rows of a batch `(B, ...)`: `(B / n_processes, ...)`.

    Raises `ValueError` if B cannot be divided evenly: the mean of the processes' means would not be the
    batch's mean.
    """
    if len(batch) % n_processes:
        raise ValueError(f"a batch of {len(batch)} cannot be divided evenly among {n_processes} processes")
    size = len(batch) // n_processes
    return batch[rank * size : (rank + 1) * size]
