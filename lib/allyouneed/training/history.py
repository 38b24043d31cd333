"""What happened in a run, step by step, and its picture."""

from dataclasses import asdict, dataclass, field


@dataclass
class History:
    """Numbers of a run, step by step; a step counts from 1: after how many updates.

    `train` and `valid` are lists of `(step, loss)`, `rate` of `(step, share of the learning rate)`; `seconds`
    of work so far, over all its parts if it was resumed.

    >>> History(train=[(1, 2.5), (2, 1.5)]).train[-1]
    (2, 1.5)
    """

    train: list = field(default_factory=list)
    valid: list = field(default_factory=list)
    rate: list = field(default_factory=list)
    seconds: float = 0.0

    def to_dict(self):
        """Plain lists and numbers, for a checkpoint or JSON; `History(**history.to_dict())` inverts it."""
        return asdict(self)

    def best(self):
        """`(step, loss)` of the lowest validation loss. Raises `ValueError` if nothing was evaluated."""
        if not self.valid:
            raise ValueError("nothing was evaluated: give train(..., evaluate=...)")
        return min(self.valid, key=lambda point: point[1])

    def plot(self, axes=None, unit="nats per token"):
        """Draw training loss (thin) and validation loss (dots) against steps. Returns the matplotlib `Axes`.

        Arguments: `axes`, where to draw (a new figure if None); `unit` of the loss, for the label.
        """
        import matplotlib.pyplot as plt

        axes = axes or plt.subplots(figsize=(6, 3.5), layout="constrained")[1]
        if self.train:
            axes.plot(*zip(*self.train, strict=True), color="#0072B2", linewidth=1, label="training")
        if self.valid:
            axes.plot(*zip(*self.valid, strict=True), "o-", color="#D55E00", markersize=4, label="validation")
        axes.set(xlabel="step (updates)", ylabel=f"loss ({unit})")
        if self.train or self.valid:
            axes.legend(frameon=False)
        return axes
