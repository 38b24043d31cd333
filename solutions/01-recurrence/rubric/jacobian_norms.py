"""jacobian_norms: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, Relation, edit, full

from ._shared import stride

exercise = Exercise(
    "jacobian_norms",
    points={"norms": 3, "other matrices": 1},
    section="jacobian-powers",
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "A norm"}],
    relations=[
        Relation("a matrix", "its transpose",
                 "U and its transpose must give the same norms, but they do not.")],
)


@exercise.probes
def probes(make):
    def matrix(H, dtype=torch.float32, scale=1.0):
        return make.randn(H, H, dtype=dtype, scale=scale / H**0.5)

    def probe(name, *args, group="norms", **marks):
        return make.probe(name, *args, group=group, **marks)

    yield probe("two by two", ((matrix(2) + 0.3) * 10).round() / 10 + torch.tensor([[1.0, 2.0], [0.0, 0.5]]),
                3)
    U = matrix(make.pick(4, 5, 6), scale=1.3)
    yield probe("a matrix", U, make.pick(5, 6, 7))
    yield probe("its transpose", U.T.contiguous(), make.pick(5, 6, 7))
    yield probe("more steps than units", matrix(3, scale=1.5), make.pick(6, 7, 8))
    yield probe("more units than steps", matrix(make.pick(6, 7, 8)), 4)
    yield probe("as many steps as units", matrix(*[make.pick(4, 5, 3)]), make.pick(4, 5, 3))
    yield probe("float64", matrix(make.pick(5, 4, 3), dtype=torch.float64, scale=1.2), 6)
    yield probe("negative numbers", -matrix(make.pick(3, 4, 5), scale=1.4).abs(), 5)

    other = {"group": "other matrices", "edge": True}
    yield probe("one step", matrix(make.pick(4, 5, 3)), 1, **other)
    yield probe("one unit", torch.tensor([[make.pick(-0.8, -0.9, -1.1)]]), 5, **other)
    yield probe("a matrix whose square is zero", torch.tensor([[0.0, make.pick(2.0, 3.0, 4.0)], [0.0, 0.0]]),
                4, **other)
    turn = torch.linalg.qr(make.randn(3, 3, dtype=torch.float64))[0].float()
    yield probe("a rotation or reflection", turn, 5, **other)
    yield stride(probe("not contiguous", matrix(4, scale=1.2), 4, **other))
    yield probe("many steps", matrix(make.pick(4, 5, 3), dtype=torch.float64, scale=1.1),
                make.pick(65, 66, 67), **other, long=True)


@exercise.right
def reference(U, n_steps):
    power, norms = torch.eye(U.shape[0], dtype=U.dtype), []
    for _ in range(n_steps):
        power = power @ U
        norms.append(torch.linalg.matrix_norm(power, ord=2))
    return torch.stack(norms)


@exercise.right("matrix_power, svdvals")
def matrix_power_svdvals(U, n_steps):
    return torch.stack([torch.linalg.svdvals(torch.linalg.matrix_power(U, k))[0]
                        for k in range(1, n_steps + 1)])


@exercise.right("root of the largest eigenvalue of MᵀM")
def root(U, n_steps):
    out, M = U.new_empty(n_steps), U
    for k in range(n_steps):
        out[k] = torch.linalg.eigvalsh(M.T @ M)[-1].clamp(min=0).sqrt()
        M = U @ M
    return out


@exercise.right("linalg.norm, numbers taken out, dtype named")
def linalg_norm(U, n_steps):
    norms, M = [], U.clone()
    for k in range(1, n_steps + 1):
        norms.append(torch.linalg.norm(M, 2).item())
        M = M @ U
    return torch.tensor(norms, dtype=U.dtype)


@exercise.right("numpy")
def by_numpy(U, n_steps):
    import numpy as np

    A, P, norms = U.detach().numpy(), np.eye(len(U), dtype=U.detach().numpy().dtype), []
    for _ in range(n_steps):
        P = P @ A
        norms.append(np.linalg.norm(P, 2))
    return torch.from_numpy(np.array(norms, dtype=A.dtype))


@exercise.right("a list of numbers", convention=True)
def list_numbers(U, n_steps):
    M, norms = U, []
    for _ in range(n_steps):
        norms.append(float(torch.linalg.svdvals(M).max()))
        M = M @ U
    return norms


@exercise.right("the Jacobian from autograd")
def jacobian_autograd(U, n_steps):
    norms = []
    for k in range(1, n_steps + 1):
        def run(h):
            for _ in range(k):
                h = h @ U
            return h
        J = torch.autograd.functional.jacobian(run, torch.zeros(U.shape[0], dtype=U.dtype))
        norms.append(torch.linalg.matrix_norm(J, 2))
    return torch.stack(norms)


@exercise.right("step by step")
def plain(U, n_steps):
    M, norms = U, []
    for k in range(n_steps):
        norms.append(torch.linalg.matrix_norm(M, ord=2))
        M = M @ U
    return torch.stack(norms)


@exercise.right("step by step, another way")
def plain_other(U, n_steps):
    M, norms = torch.eye(len(U), dtype=U.dtype), []
    for k in range(n_steps):
        M = M @ U
        norms.append(torch.linalg.matrix_norm(M, ord=2))
    return torch.stack(norms)


exercise.also_right(
    full("powers = [U]\n"
         "while len(powers) < n_steps:\n"
         "    powers.append(powers[-1] @ U)\n"
         "return torch.linalg.svd(torch.stack(powers)).S.amax(dim=-1)", "all powers in a batch"))


exercise.mistake("norm-to-the-k", "jacobian-powers",
    "The norm of U is raised to the power k. That is only an upper bound. Compute the matrix U^k "
    "first, and then its norm.",
    full("return torch.cumprod(torch.linalg.matrix_norm(U, ord=2).repeat(n_steps), dim=0)"))

exercise.mistake("elementwise-power", "jacobian-powers",
    "Each number of U is raised to the power k. U^k is a matrix product: U times U, k times in all.",
    full("return torch.stack([torch.linalg.matrix_norm(U ** k, ord=2) for k in range(1, n_steps + 1)])"))

exercise.mistake("spectral-radius", "jacobian-powers",
    "The largest eigenvalue is used. It says how the norms behave far out, but the spectral norm is the "
    "largest singular value.",
    edit(plain, {"matrix_norm(M, ord=2)": "eigvals(M).abs().max()"}, "of each power"),
    edit(plain, {"matrix_norm(M, ord=2)": "eigvals(M).real.max()"}, "the largest real part"),
    edit(linalg_norm, {"norm(M, 2).item": "eigvalsh(M).abs().max"}, "eigvalsh, as if symmetric"),
    edit(plain, {"matrix_norm(M, ord=2)": "eigvalsh(M)[-1]"}, "eigvalsh, the last"))

exercise.mistake("frobenius", "jacobian-powers",
    "The Frobenius norm is used, the root of the sum of all squares. The spectral norm is the largest "
    "singular value: in torch.linalg.matrix_norm it is ord=2.",
    edit(plain, {", ord=2": ""}),
    full("return torch.stack([torch.linalg.norm(U) ** k for k in range(1, n_steps + 1)])",
         "to the power k"))

exercise.mistake("other-norm", "jacobian-powers",
    "Another norm of the matrix is used. The spectral norm is the largest singular value: in "
    "torch.linalg.matrix_norm it is ord=2.",
    edit(plain, {"ord=2))": 'ord=float("inf")))'}, "the largest row sum"),
    edit(plain, {"ord=2": "ord=1"}, "the largest column sum"),
    edit(plain, {"ord=2": 'ord="nuc"'}, "the nuclear norm"),
    edit(plain, {"torch.linalg.matrix_norm(M, ord=2)": "M.abs().max()"}, "the largest number"),
    edit(plain, {"torch.linalg.matrix_norm(M, ord=2)": "M.norm(dim=0).max()"},
         "the length of the longest column"),
    edit(plain, {"torch.linalg.matrix_norm(M, ord=2)": "M.norm(dim=1).max()"},
         "the length of the longest row"),
    edit(plain, {"torch.linalg.matrix_norm(M, ord=2)": "M.abs().mean()"}, "the mean size of the numbers"),
    edit(plain, {"matrix_norm(M, ord=2)": "svdvals(M).mean()"}, "the mean singular value"),
    edit(plain, {"matrix_norm(M, ord=2)": "cond(M)"}, "the condition number"))

exercise.mistake("smallest", "jacobian-powers",
    "The smallest singular value is used. The spectral norm is the largest.",
    edit(plain, {"matrix_norm(M, ord=2)": "svdvals(M)[-1]"}))

exercise.mistake("all-singular-values", "jacobian-powers",
    "All singular values come back for each power. Keep the largest one.",
    edit(plain, {"matrix_norm(M, ord=2)": "svdvals(M)"}))

exercise.mistake("root-missing", "jacobian-powers",
    "The norms come out squared. The eigenvalues of MᵀM are the squares of the singular values: take the "
    "root.",
    edit(plain, {"matrix_norm(M, ord=2)": "eigvalsh(M.T @ M).max()"}))

exercise.mistake("state-norms", "jacobian-powers",
    "The length of a state is measured. Measure the matrix: the spectral norm of U^k, the most that any "
    "state, or any gradient, can grow.",
    edit(plain_other, {"M, norms": "h, norms", "eye(len(U)": "ones(U.shape[0]", "M = M": "h = h",
                       "matrix_norm(M, ord=2)": "vector_norm(h)"}, "from ones"),
    edit(plain_other, {"M, norms": "h, norms", "eye(len(U)": "randn(U.shape[0]", "M = M": "h = h",
                       "matrix_norm(M, ord=2)": "vector_norm(h)"}, "from a random state"),
    edit(plain_other, {"M, norms": "h, norms", "len(U)": "U.shape[0]", "dtype)": "dtype)[0]",
                       "M = M": "h = h", "matrix_norm(M, ord=2)": "vector_norm(h)"}, "from a unit vector"),
    full("h, norms = torch.full((U.shape[0],), U.shape[0] ** -0.5, dtype=U.dtype), []\n"
         "for k in range(n_steps):\n"
         "    h = h @ U\n"
         "    norms.append(torch.linalg.vector_norm(h))\n"
         "return torch.stack(norms)", "from equal numbers of length 1"),
    full("h, norms = torch.randn(U.shape[0]), []\n"
         "for k in range(n_steps):\n"
         "    h = h @ U.float()\n"
         "    norms.append(torch.linalg.vector_norm(h))\n"
         "return torch.stack(norms)", "from a random state in float32"),
    full("h, norms = U.new_ones(len(U)), []\n"
         "for k in range(n_steps):\n"
         "    h = U @ h\n"
         "    norms.append(h.norm())\n"
         "return torch.stack(norms)", "from ones, U on the left"),
    full("h = torch.randn(len(U), dtype=U.dtype)\n"
         "h, norms = h / h.norm(), []\n"
         "for k in range(n_steps):\n"
         "    h = h @ U\n"
         "    norms.append(h.norm())\n"
         "return torch.stack(norms)", "from a random state of length 1"),
    full("h, norms = U.new_ones(len(U)), []\n"
         "for k in range(n_steps):\n"
         "    h = torch.tanh(h @ U)\n"
         "    norms.append(h.norm())\n"
         "return torch.stack(norms)", "from ones, with tanh"),
    full("h, norms = torch.randn(U.shape[0], dtype=U.dtype), []\n"
         "for k in range(n_steps):\n"
         "    h = U @ h\n"
         "    norms.append(torch.linalg.vector_norm(h))\n"
         "return torch.stack(norms)", "from a random state, U on the left"),
    edit(reference, {"power, norms": "h, norms", "eye": "rand", "_ in": "k in", "power = power": "h = h",
                     "matrix_norm(power, ord=2)": "vector_norm(h)"}, "from numbers between 0 and 1"))

exercise.mistake("starts-at-identity", "jacobian-powers",
    "The powers start at U^0, the identity. Entry 0 belongs to U itself, the last entry to U^n.",
    edit(plain_other, {"M = M": "norms.append(torch.linalg.matrix_norm(M, ord=2))\nM = M",
                       "norms.append(torch.linalg.matrix_norm(M, ord=2))": ""}))

exercise.mistake("starts-late", "jacobian-powers",
    "The powers start at U². Entry 0 belongs to U itself: measure before you multiply again.",
    edit(plain, {"norms.": "M = M @ U\nnorms.", "M = M @ U": ""}))

exercise.mistake("one-too-many", "jacobian-powers",
    "There is one entry too many. n_steps entries are wanted, for U^1 to U^n.",
    edit(matrix_power_svdvals, {"1, n_steps": "n_steps"}, "with U^0"),
    edit(plain, {"(n_steps)": "(n_steps + 1)"}, "up to n + 1"))

exercise.mistake("one-too-few", "jacobian-powers",
    "There is one entry too few. n_steps entries are wanted, for U^1 to U^n.",
    edit(plain, {"(n_steps)": "(1, n_steps)"}),
    edit(plain, {"(n_steps)": "(1, n_steps)", "norms.": "M = M @ U\nnorms.",
                 "M = M @ U": ""}, "and it starts late"))

exercise.mistake("squares-itself", "jacobian-powers",
    "The power is multiplied with itself at each step: U, U², U⁴, U⁸. Multiply it with U each time.",
    edit(plain, {"M @ U": "M @ M"}))

exercise.mistake("same-power", "jacobian-powers",
    "Entries repeat: the same matrix is measured again and again. Multiply with U once more at each "
    "step, and keep the product.",
    edit(plain, {"M = M @ U": ""}, "of U"),
    edit(plain, {"norms.": "M = U @ U\nnorms.", "M = M @ U": ""}, "the square"),
    edit(plain, {"M = M": "M = U"}, "the first, then the square"),
    full("M = torch.linalg.matrix_power(U, n_steps)\n"
         "return torch.linalg.matrix_norm(M, 2).repeat(n_steps)", "always the last"))

exercise.mistake("sums-powers", "jacobian-powers",
    "Matrices are added up, U to itself or the powers. Multiply instead: each entry is the norm of one "
    "power alone.",
    edit(plain, {"M = M": "M = M + M"}, "the product is added"),
    edit(plain, {"M, norms": "S = U\nM, norms", "M, ord": "S, ord",
                 "@ U": "@ U\nS = S + M"}, "the sum of all powers"),
    edit(plain, {"M @ U": "M + U"}, "U is added each time"))

exercise.mistake("transposes-mixed", "jacobian-powers",
    "U and its transpose are multiplied with each other. U^k is a product of U alone.",
    edit(plain, {"M @ U": "M @ U.T"}, "M Uᵀ"),
    edit(plain, {"M @ U": "U.T @ M"}, "Uᵀ M"),
    edit(matrix_power_svdvals, {"return": "M = U @ U.T\nreturn", "svdvals": "matrix_norm",
                                "U, k))[0]": "M, k), 2)"}, "powers of U Uᵀ"))

exercise.mistake("normalized", "jacobian-powers",
    "The matrix or the norms are divided by a norm, or a k-th root is taken. Nothing is normalized here: "
    "growing and shrinking is what we want to see.",
    edit(plain_other, {"return": "    M = M / norms[-1]\nreturn"}, "the power, at each step"),
    edit(plain, {"(norms)": "(norms) / norms[0]"}, "the norms, by the first"),
    edit(plain, {"ord=2))": "ord=2)** (1 / (k + 1)))"}, "the k-th root"))

exercise.mistake("with-tanh", "jacobian-powers",
    "A tanh is applied on the way. This is the linear network: the Jacobian over k steps is U^k.",
    edit(plain, {"M @ U": "torch.tanh(M @ U)"}),
    edit(plain_other, {"M @ U": "torch.tanh(M @ U)"}, "from the first"))

exercise.mistake("last-only", "jacobian-powers",
    "Only the norm of one power comes back. Return one for each k from 1 to n_steps.",
    full("return torch.linalg.matrix_norm(torch.linalg.matrix_power(U, n_steps), ord=2)", "a scalar"),
    full("return torch.linalg.matrix_norm(U, ord=2)", "a scalar, the first"),
    full("return float(torch.linalg.matrix_norm(torch.linalg.matrix_power(U, n_steps), ord=2))", "a float"),
    edit(plain, {"torch.stack(norms)": "norms[-1].reshape(1)"}, "a tensor with one entry"))

exercise.mistake("reversed", "jacobian-powers",
    "The norms come in the opposite order. Entry 0 belongs to k = 1.",
    edit(plain, {"(norms)": "(norms[::-1])"}))

exercise.mistake("logarithm", "jacobian-powers",
    "The logarithms of the norms come back. Return the norms; a plot can have a logarithmic axis.",
    edit(plain, {"(norms)": "(norms).log()"}),
    edit(plain, {"(norms)": "(norms).log10()"}, "base 10"))

exercise.mistake("returns-matrices", "jacobian-powers",
    "The powers come back, not their norms. Return one number for each.",
    edit(plain, {"(torch.linalg.matrix_norm(M, ord=2))": "(M)"}))

exercise.mistake("running-sum", "jacobian-powers",
    "The norms are added up or multiplied from step to step. Entry k − 1 is the norm of U^k alone.",
    edit(plain, {"(norms)": "(norms).cumsum(0)"}, "added"),
    edit(plain, {"(norms)": "(norms).cumprod(0)"}, "multiplied"))

exercise.mistake("dtype-fixed", "jacobian-powers",
    "The numbers are right, but the result is float32 whatever U is. Give it U's dtype: torch.stack "
    "keeps it, and so does U.new_zeros.",
    full("norms, M = torch.zeros(n_steps), U\n"
         "for k in range(n_steps):\n"
         "    norms[k] = torch.linalg.matrix_norm(M, ord=2)\n"
         "    M = M @ U\n"
         "return norms", "a float32 buffer"),
    edit(plain, {"U, []": "U.float(), []", "M @ U": "M @ U.float()"}, "float32 throughout"))

exercise.mistake("extra-axis", "jacobian-powers",
    "The result has one axis too many. It must have the shape (n_steps,).",
    edit(plain, {"(norms)": "(norms).unsqueeze(0)"}, "a row"),
    edit(plain, {"(norms)": "(norms).unsqueeze(1)"}, "a column"))

exercise.mistake("identity-float32", "jacobian-powers",
    "The identity that the powers start from is float32 whatever U is. Give torch.eye the dtype of U, "
    "or start from U itself.",
    edit(reference, {", dtype=U.dtype": ""}),
    edit(reference, {"U.shape[0], dtype=U.dtype": "len(U)", "power @ U": "U @ power",
                     "matrix_norm(power, ord=2)": "svdvals(power)[0]"}, "U on the left"))

exercise.built_in("changes-input",
    edit(plain, {"M, norms = U": "A, norms = U.clone()", "k in": "_ in", "M, ord": "U, ord",
                 "M = M @ U": "U.copy_(U @ A)"}, "the power is kept in U"))

exercise.built_in("returns-nothing",
    edit(plain, {"return torch.stack(norms)": ""}, "no return"))

exercise.equal("U is square, commutes with its powers, and has the norm of its transpose", {
    "power @ U": "U @ power", "M @ U": "U @ M", "U @ M": "M @ U", "P @ A": "A @ P", "h @ U": "U @ h",
    "powers[-1] @ U": "U @ powers[-1]", "M.T @ M": "M @ M.T", "U.shape[0]": ("U.shape[1]", "U.shape[-1]")})
exercise.equal("a list or an array of norms stands for the tensor, as in one of the right versions", {
    "torch.stack(norms)": "norms", "return torch.stack([": "return ([", "torch.from_numpy": "",
    "torch.tensor(norms, dtype=U.dtype)": "norms", ".item()": "", "float(torch": "torch"})
exercise.equal("MᵀM has no largest eigenvalue below 0, and rounding moves it by a tiny share of itself", {
    ".clamp(min=0)": ("", ".clamp(min=-1)")})
exercise.equal("NumPy keeps the powers' dtype, and the last line gives a wider one that of U", {
    ", dtype=U.detach().numpy().dtype": "", ", dtype=A.dtype": "", "A.dtype": "P.dtype"})
exercise.equal("a measurement needs no gradient, no power is written into, a linear map has one Jacobian", {
    ".detach()": "", ".clone()": "", "torch.zeros(U": "torch.ones(U"})
