"""DINO: a student learns to agree with a slowly moving average of itself; no labels."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn

from allyouneed.models.common import parameter_count
from allyouneed.models.vit import Vit, VitConfig
from allyouneed.nn.attention import fused_attention
from allyouneed.tensors import Float, Images, Number, Tensor
from allyouneed.validate import check_positive, check_share

__all__ = ["DINO_CONFIGS", "Dino", "DinoConfig", "distillation_loss", "published_count", "teacher_update"]


@dataclass(frozen=True)
class DinoConfig:
    """A `VitConfig`, whose n_classes is the number of outputs to agree on, and how the teacher is made.

    momentum: how much of the teacher stays at each update. The teacher's low temperature sharpens its
    outputs, and its moving center keeps one output from winning always: each alone would let the two agree on
    nothing useful.
    Raises TypeError where vit is no `VitConfig`, ValueError where a momentum is not in [0, 1] or a
    temperature not positive.

    >>> vit = VitConfig(28, 7, channels=1, d_model=24, n_layers=1, n_heads=2, d_ff=48, n_classes=64)
    >>> DinoConfig(vit).momentum
    0.996
    """

    vit: VitConfig
    momentum: float = 0.996
    student_temperature: float = 0.1
    teacher_temperature: float = 0.04
    center_momentum: float = 0.9

    def __post_init__(self):
        if not isinstance(self.vit, VitConfig):
            raise TypeError(f"DinoConfig: vit must be a VitConfig, got {type(self.vit).__name__}.")
        check_share(self, "momentum", "center_momentum", whole=True)
        check_positive(self, "student_temperature", "teacher_temperature")


DINO_CONFIGS = {
    "dino-vit-s/16": DinoConfig(
        VitConfig(224, 16, 3, d_model=384, n_layers=12, n_heads=6, d_ff=1536, n_classes=65536)
    ),
    "dino-vit-s/8": DinoConfig(
        VitConfig(224, 8, 3, d_model=384, n_layers=12, n_heads=6, d_ff=1536, n_classes=65536)
    ),
    "dino-vit-b/16": DinoConfig(
        VitConfig(224, 16, 3, d_model=768, n_layers=12, n_heads=12, d_ff=3072, n_classes=65536)
    ),
    "dino-vit-b/8": DinoConfig(
        VitConfig(224, 8, 3, d_model=768, n_layers=12, n_heads=12, d_ff=3072, n_classes=65536)
    ),
}


def published_count(config: DinoConfig) -> int:
    """How many parameters the published model of this shape has: one network, without the head of training.

    (The paper's head is three layers and a normalized matrix where ours is one matrix; it is thrown away
    after training.)

    >>> published_count(DINO_CONFIGS["dino-vit-s/16"])
    21665664
    """
    return parameter_count(Vit, config.vit) - (config.vit.d_model + 1) * config.vit.n_classes


@torch.no_grad()
def teacher_update(teacher: nn.Module, student: nn.Module, momentum: float) -> nn.Module:
    """teacher ← momentum · teacher + (1 - momentum) · student, each parameter in place; returns the teacher.

    momentum in [0, 1]. Papers: Tarvainen and Valpola 2017; Caron and others 2021.

    >>> teacher, student = nn.Linear(2, 2), nn.Linear(2, 2)
    >>> torch.equal(teacher_update(teacher, student, momentum=0.0).weight, student.weight)
    True
    """
    for slow, fast in zip(teacher.parameters(), student.parameters(), strict=True):
        slow.mul_(momentum).add_(fast, alpha=1 - momentum)
    return teacher


def distillation_loss(
    student: Float[Tensor, "*L D"],
    teacher: Float[Tensor, "*L D"],
    center: Float[Tensor, " D"],
    student_temp: float,
    teacher_temp: float,
) -> Number:
    """Cross-entropy of the student's prediction against the teacher's centred and sharpened
    one, mean over leading axes.

    -Σ softmax((teacher - center) / teacher_temp) · log softmax(student / student_temp);
    logits (..., D), center (D,). No gradient reaches the teacher or the center.
    Paper: Caron and others 2021.

    >>> student, teacher, center = torch.zeros(3, 4), torch.ones(3, 4), torch.zeros(4)
    >>> round(distillation_loss(student, teacher, center, 0.1, 0.04).item(), 4)
    1.3863
    """
    targets = ((teacher - center) / teacher_temp).softmax(dim=-1).detach()
    return -(targets * (student / student_temp).log_softmax(dim=-1)).sum(dim=-1).mean()


class Dino(nn.Module):
    """Two Vision Transformers of one shape: the student trains, the teacher follows by `update` at each step.

    config: a `DinoConfig`. attend: the attention in every layer, (q, k, v, mask) -> (output, weights).
    generator: where the starting weights are drawn from. After training, `model.teacher` is the one to use:
    its class token's attention marks the object. Paper: Caron and others 2021.

    >>> vit = VitConfig(28, 7, channels=1, d_model=24, n_layers=1, n_heads=2, d_ff=48, n_classes=64)
    >>> loss = Dino(DinoConfig(vit))([torch.zeros(3, 1, 28, 28), torch.ones(3, 1, 28, 28)])
    """

    center: Tensor  # (n_classes,)

    def __init__(self, config, attend=fused_attention, generator=None):
        super().__init__()
        self.config = config
        self.student = Vit(config.vit, attend, generator)
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.register_buffer("center", torch.zeros(config.vit.n_classes))

    def forward(self, views: Sequence[Images], teacher_views: int = 2) -> Number:
        """views: two or more changed copies (B, C, H, W); the teacher sees the first `teacher_views`.

        Returns the mean loss over pairs of different views, and in training moves the center.
        Raises ValueError where there are fewer than two views, or teacher_views is not 1 to their
        number.
        """
        if len(views) < 2 or not 1 <= teacher_views <= len(views):
            raise ValueError(
                f"Dino compares views: give at least 2, and 1 to {len(views)} "
                f"teacher_views, got {teacher_views}."
            )
        seen = [self.student(view) for view in views]  # V times (B, n_classes)
        with torch.no_grad():
            targets = [self.teacher(view) for view in views[:teacher_views]]
        losses = [
            distillation_loss(
                student,
                teacher,
                self.center,
                self.config.student_temperature,
                self.config.teacher_temperature,
            )
            for i, teacher in enumerate(targets)
            for j, student in enumerate(seen)
            if i != j
        ]
        if self.training:
            self.center = torch.lerp(
                torch.cat(targets).mean(dim=0).to(self.center), self.center, self.config.center_momentum
            )
        return torch.stack(losses).mean()

    def update(self) -> None:
        """Move the teacher towards the student: call it after each optimizer step."""
        teacher_update(self.teacher, self.student, self.config.momentum)
