"""The rubric of jacobian_norms: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

from ._shared import stride

exercise = Exercise(
    "jacobian_norms",
    points={"norms": 3, "other matrices": 1},
    section="jacobian-powers",
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "A norm"}],
    relations=[("a matrix", "its transpose", "W_h and its transpose must give the same norms, but they do not.")],
    mistakes={
        "norm-to-the-k": ("The norm of W_h is raised to the power k. That is only an upper bound. Compute the matrix W_h^k first, and then its norm.",
                          "jacobian-powers"),
        "elementwise-power": ("Each number of W_h is raised to the power k. W_h^k is a matrix product: W_h times W_h, k times in all.",
                              "jacobian-powers"),
        "spectral-radius": ("The largest eigenvalue is used. It says how the norms behave far out, but the spectral norm is the largest singular "
                            "value.", "jacobian-powers"),
        "frobenius": ("The Frobenius norm is used, the root of the sum of all squares. The spectral norm is the largest singular value: "
                      "in torch.linalg.matrix_norm it is ord=2.", "jacobian-powers"),
        "other-norm": ("Another norm of the matrix is used. The spectral norm is the largest singular value: in torch.linalg.matrix_norm it is "
                       "ord=2.", "jacobian-powers"),
        "smallest": ("The smallest singular value is used. The spectral norm is the largest.", "jacobian-powers"),
        "all-singular-values": ("All singular values come back for each power. Keep the largest one.", "jacobian-powers"),
        "root-missing": ("The norms come out squared. The eigenvalues of MᵀM are the squares of the singular values: take the root.",
                         "jacobian-powers"),
        "state-norms": ("The length of a state is measured. Measure the matrix: the spectral norm of W_h^k, the most that any "
                        "state, or any gradient, can grow.", "jacobian-powers"),
        "starts-at-identity": ("The powers start at W_h^0, the identity. Entry 0 belongs to W_h itself, the last entry to W_h^n.", "jacobian-powers"),
        "starts-late": ("The powers start at W_h². Entry 0 belongs to W_h itself: measure before you multiply again.", "jacobian-powers"),
        "one-too-many": ("There is one entry too many. n_steps entries are wanted, for W_h^1 to W_h^n.", "jacobian-powers"),
        "one-too-few": ("There is one entry too few. n_steps entries are wanted, for W_h^1 to W_h^n.", "jacobian-powers"),
        "squares-itself": ("The power is multiplied with itself at each step: W, W², W⁴, W⁸. Multiply it with W_h each time.", "jacobian-powers"),
        "same-power": ("Entries repeat: the same matrix is measured again and again. Multiply with W_h once more at each step, and keep the product.",
                       "jacobian-powers"),
        "sums-powers": ("Matrices are added up, W_h to itself or the powers. Multiply instead: each entry is the norm of one power alone.", "jacobian-powers"),
        "transposes-mixed": ("W_h and its transpose are multiplied with each other. W_h^k is a product of W_h alone.", "jacobian-powers"),
        "normalized": ("The matrix or the norms are divided by a norm, or a k-th root is taken. Nothing is normalized here: growing and shrinking is what we want to see.",
                       "jacobian-powers"),
        "with-tanh": ("A tanh is applied on the way. This is the linear network: the Jacobian over k steps is W_h^k.", "jacobian-powers"),
        "last-only": ("Only the norm of one power comes back. Return one for each k from 1 to n_steps.", "jacobian-powers"),
        "reversed": ("The norms come in the opposite order. Entry 0 belongs to k = 1.", "jacobian-powers"),
        "logarithm": ("The logarithms of the norms come back. Return the norms; a plot can have a logarithmic axis.", "jacobian-powers"),
        "returns-matrices": ("The powers come back, not their norms. Return one number for each.", "jacobian-powers"),
        "running-sum": ("The norms are added up or multiplied from step to step. Entry k − 1 is the norm of W_h^k alone.", "jacobian-powers"),
        "dtype-fixed": ("The numbers are right, but the result is float32 whatever W_h is. Give it W_h's dtype: torch.stack keeps it, and so does "
                        "W_h.new_zeros.", "jacobian-powers"),
        "identity-float32": ("The identity that the powers start from is float32 whatever W_h is. Give torch.eye the dtype of W_h, or start from W_h "
                             "itself.", "jacobian-powers"),
        "extra-axis": ("The result has one axis too many. It must have the shape (n_steps,).", "jacobian-powers"),
    },
)


@exercise.probes
def _(make):
    def matrix(H, dtype=torch.float32, scale=1.0):
        return make.randn(H, H, dtype=dtype, scale=scale / H**0.5)

    def probe(name, *args, group="norms", **marks):
        return make.probe(name, *args, group=group, **marks)

    yield probe("two by two", ((matrix(2) + 0.3) * 10).round() / 10 + torch.tensor([[1.0, 2.0], [0.0, 0.5]]), 3)
    W = matrix(make.pick(4, 5, 6), scale=1.3)
    yield probe("a matrix", W, make.pick(5, 6, 7))
    yield probe("its transpose", W.T.contiguous(), make.pick(5, 6, 7))
    yield probe("more steps than units", matrix(3, scale=1.5), make.pick(6, 7, 8))
    yield probe("more units than steps", matrix(make.pick(6, 7, 8)), 4)
    yield probe("as many steps as units", matrix(*[make.pick(4, 5, 3)]), make.pick(4, 5, 3))
    yield probe("float64", matrix(make.pick(5, 4, 3), dtype=torch.float64, scale=1.2), 6)
    yield probe("negative numbers", -matrix(make.pick(3, 4, 5), scale=1.4).abs(), 5)

    other = {"group": "other matrices", "edge": True}
    yield probe("one step", matrix(make.pick(4, 5, 3)), 1, **other)
    yield probe("one unit", torch.tensor([[make.pick(-0.8, -0.9, -1.1)]]), 5, **other)
    yield probe("a matrix whose square is zero", torch.tensor([[0.0, make.pick(2.0, 3.0, 4.0)], [0.0, 0.0]]), 4, **other)
    turn = torch.linalg.qr(make.randn(3, 3, dtype=torch.float64))[0].float()
    yield probe("a rotation or reflection", turn, 5, **other)
    yield stride(probe("not contiguous", matrix(4, scale=1.2), 4, **other))
    yield probe("many steps", matrix(make.pick(4, 5, 3), dtype=torch.float64, scale=1.1), make.pick(130, 131, 132), **other, long=True)


@exercise.right
def reference(W_h, n_steps):
    power, norms = torch.eye(W_h.shape[0], dtype=W_h.dtype), []
    for _ in range(n_steps):
        power = power @ W_h
        norms.append(torch.linalg.matrix_norm(power, ord=2))
    return torch.stack(norms)


@exercise.alternative("matrix_power, svdvals")
def _(W_h, n_steps):
    return torch.stack([torch.linalg.svdvals(torch.linalg.matrix_power(W_h, k))[0] for k in range(1, n_steps + 1)])


@exercise.alternative("root of the largest eigenvalue of MᵀM")
def _(W_h, n_steps):
    out, M = W_h.new_empty(n_steps), W_h
    for k in range(n_steps):
        out[k] = torch.linalg.eigvalsh(M.T @ M)[-1].clamp(min=0).sqrt()
        M = W_h @ M
    return out


@exercise.alternative("all powers in a batch")
def _(W_h, n_steps):
    powers = [W_h]
    while len(powers) < n_steps:
        powers.append(powers[-1] @ W_h)
    return torch.linalg.svd(torch.stack(powers)).S.amax(dim=-1)


@exercise.alternative("linalg.norm, numbers taken out, dtype named")
def _(W_h, n_steps):
    norms, M = [], W_h.clone()
    for k in range(1, n_steps + 1):
        norms.append(torch.linalg.norm(M, 2).item())
        M = M @ W_h
    return torch.tensor(norms, dtype=W_h.dtype)


@exercise.alternative("numpy")
def _(W_h, n_steps):
    import numpy as np

    W, P, norms = W_h.detach().numpy(), np.eye(len(W_h), dtype=W_h.detach().numpy().dtype), []
    for _ in range(n_steps):
        P = P @ W
        norms.append(np.linalg.norm(P, 2))
    return torch.from_numpy(np.array(norms, dtype=W.dtype))


@exercise.alternative("a list of numbers", convention=True)
def _(W_h, n_steps):
    M, norms = W_h, []
    for _ in range(n_steps):
        norms.append(float(torch.linalg.svdvals(M).max()))
        M = M @ W_h
    return norms


@exercise.alternative("the Jacobian from autograd")
def _(W_h, n_steps):
    norms = []
    for k in range(1, n_steps + 1):
        def run(h):
            for _ in range(k):
                h = h @ W_h
            return h
        J = torch.autograd.functional.jacobian(run, torch.zeros(W_h.shape[0], dtype=W_h.dtype))
        norms.append(torch.linalg.matrix_norm(J, 2))
    return torch.stack(norms)


@exercise.wrong("norm-to-the-k")
def _(W_h, n_steps):
    norm = torch.linalg.matrix_norm(W_h, ord=2)
    return torch.stack([norm ** k for k in range(1, n_steps + 1)])


@exercise.wrong("norm-to-the-k", "cumulative product")
def _(W_h, n_steps):
    return torch.cumprod(torch.linalg.matrix_norm(W_h, ord=2).repeat(n_steps), dim=0)


@exercise.wrong("elementwise-power")
def _(W_h, n_steps):
    return torch.stack([torch.linalg.matrix_norm(W_h ** k, ord=2) for k in range(1, n_steps + 1)])


@exercise.wrong("elementwise-power", "products number by number")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M * W_h
    return torch.stack(norms)


@exercise.wrong("spectral-radius", "of each power")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.eigvals(M).abs().max())
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("spectral-radius", "to the power k")
def _(W_h, n_steps):
    radius = torch.linalg.eigvals(W_h).abs().max()
    return torch.stack([radius ** k for k in range(1, n_steps + 1)])


@exercise.wrong("spectral-radius", "the largest real part")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.eigvals(M).real.max())
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("frobenius")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("frobenius", "torch.norm(M, 2)")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.norm(M, 2))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("frobenius", "to the power k")
def _(W_h, n_steps):
    return torch.stack([torch.linalg.norm(W_h) ** k for k in range(1, n_steps + 1)])


@exercise.wrong("other-norm", "the largest row sum")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=float("inf")))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("other-norm", "the largest column sum")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=1))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("other-norm", "the nuclear norm")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord="nuc"))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("other-norm", "the largest number")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(M.abs().max())
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("other-norm", "the determinant")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.det(M).abs())
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("other-norm", "the length of the longest column")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(M.norm(dim=0).max())
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("other-norm", "the length of the longest row")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(M.norm(dim=1).max())
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("other-norm", "the mean size of the numbers")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(M.abs().mean())
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("smallest")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.svdvals(M)[-1])
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("smallest", "ord=-2")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=-2))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("all-singular-values")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.svdvals(M))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("other-norm", "the mean singular value")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.svdvals(M).mean())
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("root-missing")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.eigvalsh(M.T @ M).max())
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("root-missing", "the norm squared")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2) ** 2)
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("state-norms", "from ones")
def _(W_h, n_steps):
    h, norms = torch.ones(W_h.shape[0], dtype=W_h.dtype), []
    for k in range(n_steps):
        h = h @ W_h
        norms.append(torch.linalg.vector_norm(h))
    return torch.stack(norms)


@exercise.wrong("state-norms", "from a random state")
def _(W_h, n_steps):
    h, norms = torch.randn(W_h.shape[0], dtype=W_h.dtype), []
    for k in range(n_steps):
        h = h @ W_h
        norms.append(torch.linalg.vector_norm(h))
    return torch.stack(norms)


@exercise.wrong("state-norms", "from a unit vector")
def _(W_h, n_steps):
    h, norms = torch.eye(W_h.shape[0], dtype=W_h.dtype)[0], []
    for k in range(n_steps):
        h = h @ W_h
        norms.append(torch.linalg.vector_norm(h))
    return torch.stack(norms)


@exercise.wrong("state-norms", "from equal numbers of length 1")
def _(W_h, n_steps):
    h, norms = torch.full((W_h.shape[0],), W_h.shape[0] ** -0.5, dtype=W_h.dtype), []
    for k in range(n_steps):
        h = h @ W_h
        norms.append(torch.linalg.vector_norm(h))
    return torch.stack(norms)


@exercise.wrong("state-norms", "from a random state in float32")
def _(W_h, n_steps):
    h, norms = torch.randn(W_h.shape[0]), []
    for k in range(n_steps):
        h = h @ W_h.float()
        norms.append(torch.linalg.vector_norm(h))
    return torch.stack(norms)


@exercise.wrong("state-norms", "from ones, W_h on the left")
def _(W_h, n_steps):
    h, norms = W_h.new_ones(len(W_h)), []
    for k in range(n_steps):
        h = W_h @ h
        norms.append(h.norm())
    return torch.stack(norms)


@exercise.wrong("state-norms", "from a random state of length 1")
def _(W_h, n_steps):
    h = torch.randn(len(W_h), dtype=W_h.dtype)
    h, norms = h / h.norm(), []
    for k in range(n_steps):
        h = h @ W_h
        norms.append(h.norm())
    return torch.stack(norms)


@exercise.wrong("state-norms", "from ones, with tanh")
def _(W_h, n_steps):
    h, norms = W_h.new_ones(len(W_h)), []
    for k in range(n_steps):
        h = torch.tanh(h @ W_h)
        norms.append(h.norm())
    return torch.stack(norms)


@exercise.wrong("starts-at-identity")
def _(W_h, n_steps):
    M, norms = torch.eye(len(W_h), dtype=W_h.dtype), []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("starts-at-identity", "matrix_power")
def _(W_h, n_steps):
    return torch.stack([torch.linalg.matrix_norm(torch.linalg.matrix_power(W_h, k), 2) for k in range(n_steps)])


@exercise.wrong("starts-late")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        M = M @ W_h
        norms.append(torch.linalg.matrix_norm(M, ord=2))
    return torch.stack(norms)


@exercise.wrong("one-too-many", "with W_h^0")
def _(W_h, n_steps):
    return torch.stack([torch.linalg.matrix_norm(torch.linalg.matrix_power(W_h, k), 2) for k in range(n_steps + 1)])


@exercise.wrong("one-too-many", "up to n + 1")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps + 1):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("one-too-few")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(1, n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("one-too-few", "and it starts late")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(1, n_steps):
        M = M @ W_h
        norms.append(torch.linalg.matrix_norm(M, ord=2))
    return torch.stack(norms)


@exercise.wrong("squares-itself")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ M
    return torch.stack(norms)


@exercise.wrong("squares-itself", "after the first")
def _(W_h, n_steps):
    M, norms = torch.eye(len(W_h), dtype=W_h.dtype), []
    for k in range(n_steps):
        M = M @ W_h if k == 0 else M @ M
        norms.append(torch.linalg.matrix_norm(M, ord=2))
    return torch.stack(norms)


@exercise.wrong("same-power", "of W_h")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
    return torch.stack(norms)


@exercise.wrong("same-power", "the square")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        M = W_h @ W_h
        norms.append(torch.linalg.matrix_norm(M, ord=2))
    return torch.stack(norms)


@exercise.wrong("same-power", "the first, then the square")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = W_h @ W_h
    return torch.stack(norms)


@exercise.wrong("same-power", "always the last")
def _(W_h, n_steps):
    M = torch.linalg.matrix_power(W_h, n_steps)
    return torch.linalg.matrix_norm(M, 2).repeat(n_steps)


@exercise.wrong("sums-powers", "the product is added")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M + M @ W_h
    return torch.stack(norms)


@exercise.wrong("sums-powers", "the sum of all powers")
def _(W_h, n_steps):
    S = W_h
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(S, ord=2))
        M = M @ W_h
        S = S + M
    return torch.stack(norms)


@exercise.wrong("sums-powers", "W_h is added each time")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M + W_h
    return torch.stack(norms)


@exercise.wrong("transposes-mixed", "M Wᵀ")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h.T
    return torch.stack(norms)


@exercise.wrong("transposes-mixed", "Wᵀ M")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = W_h.T @ M
    return torch.stack(norms)


@exercise.wrong("transposes-mixed", "powers of W Wᵀ")
def _(W_h, n_steps):
    M = W_h @ W_h.T
    return torch.stack([torch.linalg.matrix_norm(torch.linalg.matrix_power(M, k), 2) for k in range(1, n_steps + 1)])


@exercise.wrong("normalized", "the power, at each step")
def _(W_h, n_steps):
    M, norms = torch.eye(len(W_h), dtype=W_h.dtype), []
    for k in range(n_steps):
        M = M @ W_h
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M / norms[-1]
    return torch.stack(norms)


@exercise.wrong("normalized", "the norms, by the first")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return torch.stack(norms) / norms[0]


@exercise.wrong("normalized", "the k-th root")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2) ** (1 / (k + 1)))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("with-tanh")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = torch.tanh(M @ W_h)
    return torch.stack(norms)


@exercise.wrong("with-tanh", "from the first")
def _(W_h, n_steps):
    M, norms = torch.eye(len(W_h), dtype=W_h.dtype), []
    for k in range(n_steps):
        M = torch.tanh(M @ W_h)
        norms.append(torch.linalg.matrix_norm(M, ord=2))
    return torch.stack(norms)


@exercise.wrong("last-only", "a scalar")
def _(W_h, n_steps):
    return torch.linalg.matrix_norm(torch.linalg.matrix_power(W_h, n_steps), ord=2)


@exercise.wrong("last-only", "a scalar, the first")
def _(W_h, n_steps):
    return torch.linalg.matrix_norm(W_h, ord=2)


@exercise.wrong("last-only", "a float")
def _(W_h, n_steps):
    return float(torch.linalg.matrix_norm(torch.linalg.matrix_power(W_h, n_steps), ord=2))


@exercise.wrong("last-only", "a tensor with one entry")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return norms[-1].reshape(1)


@exercise.wrong("reversed")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return torch.stack(norms[::-1])


@exercise.wrong("logarithm")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return torch.stack(norms).log()


@exercise.wrong("logarithm", "base 10")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return torch.stack(norms).log10()


@exercise.wrong("returns-matrices")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(M)
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("running-sum", "added")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return torch.stack(norms).cumsum(0)


@exercise.wrong("running-sum", "multiplied")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return torch.stack(norms).cumprod(0)


@exercise.wrong("dtype-fixed", "a float32 buffer")
def _(W_h, n_steps):
    norms, M = torch.zeros(n_steps), W_h
    for k in range(n_steps):
        norms[k] = torch.linalg.matrix_norm(M, ord=2)
        M = M @ W_h
    return norms


@exercise.wrong("dtype-fixed", "float32 throughout")
def _(W_h, n_steps):
    M, norms = W_h.float(), []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h.float()
    return torch.stack(norms)


@exercise.wrong("extra-axis", "a row")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return torch.stack(norms).unsqueeze(0)


@exercise.wrong("extra-axis", "a column")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h
    return torch.stack(norms).unsqueeze(1)


@exercise.wrong("changes-input", "the power is kept in W_h")
def _(W_h, n_steps):
    W, norms = W_h.clone(), []
    for _ in range(n_steps):
        norms.append(torch.linalg.matrix_norm(W_h, ord=2))
        W_h.copy_(W_h @ W)
    return torch.stack(norms)


@exercise.wrong("returns-nothing", "no return")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ W_h


@exercise.wrong("state-norms", "from a random state, W_h on the left")
def _(W_h, n_steps):
    h, norms = torch.randn(W_h.shape[0], dtype=W_h.dtype), []
    for k in range(n_steps):
        h = W_h @ h
        norms.append(torch.linalg.vector_norm(h))
    return torch.stack(norms)


@exercise.wrong("state-norms", "from numbers between 0 and 1")
def _(W_h, n_steps):
    h, norms = torch.rand(W_h.shape[0], dtype=W_h.dtype), []
    for k in range(n_steps):
        h = h @ W_h
        norms.append(torch.linalg.vector_norm(h))
    return torch.stack(norms)


@exercise.wrong("spectral-radius", "eigvalsh, as if symmetric")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.eigvalsh(M).abs().max())
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("spectral-radius", "eigvalsh, the last")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.eigvalsh(M)[-1])
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("other-norm", "the determinant with its sign")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.det(M))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("other-norm", "the condition number")
def _(W_h, n_steps):
    M, norms = W_h, []
    for k in range(n_steps):
        norms.append(torch.linalg.cond(M))
        M = M @ W_h
    return torch.stack(norms)


@exercise.wrong("identity-float32")
def _(W_h, n_steps):
    power, norms = torch.eye(W_h.shape[0]), []
    for _ in range(n_steps):
        power = power @ W_h
        norms.append(torch.linalg.matrix_norm(power, ord=2))
    return torch.stack(norms)


@exercise.wrong("identity-float32", "W_h on the left")
def _(W_h, n_steps):
    power, norms = torch.eye(len(W_h)), []
    for _ in range(n_steps):
        power = W_h @ power
        norms.append(torch.linalg.svdvals(power)[0])
    return torch.stack(norms)
