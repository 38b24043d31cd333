"""While it is tested, the library is held to the shapes in its signatures, with jaxtyping and beartype.

A call that is not as its signature says must be refused by the library itself, in its own words. Where it is
not, or where what comes back is something else, the test fails.
"""

import ast
import functools
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder, SourceFileLoader

active = False  # only while a test of the library runs: others do not pay for it


def install():
    """From now on, import `allyouneed` with all annotated functions `held`; none may be there yet."""
    loaded = [name for name in sys.modules if name.startswith("allyouneed.")]
    assert not loaded, f"too late to hold the signatures of {loaded}"
    sys.meta_path.insert(0, Finder())


def held(function):
    """The function, held to its signature while `active`."""
    checked = None

    @functools.wraps(function)
    def call(*arguments, **keywords):
        nonlocal checked
        if not active or sys.modules["torch"].compiler.is_compiling():
            return function(*arguments, **keywords)
        checked = checked or check(function)
        from jaxtyping import TypeCheckError

        try:
            return checked(*arguments, **keywords)
        except TypeCheckError:
            function(*arguments, **keywords)  # which should refuse it, and say why
            raise

    call.held = True
    return call


def check(function):
    from beartype import BeartypeConf, beartype
    from jaxtyping import jaxtyped

    # an integer is a float, as everywhere in Python
    return jaxtyped(function, typechecker=beartype(conf=BeartypeConf(is_pep484_tower=True)))


class Finder(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        # the checks look at the frames around what they call, and would find these
        if name.partition(".")[0] != "allyouneed" or name.startswith("allyouneed.check"):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if name == "allyouneed.tensors":
            import jaxtyping  # noqa: F401  before the names that it gives
        elif spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = Loader(spec.loader.name, spec.loader.path)
        return spec


class Loader(SourceFileLoader):
    """Reads a file with a decorator at each function that has an annotation; writes no bytecode."""

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        tree = Decorated().visit(ast.parse(self.get_data(path), path))
        return compile(tree, path, "exec", dont_inherit=True)


class Decorated(ast.NodeTransformer):
    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        given = node.args
        parts = *given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg
        if node.returns or any(part is not None and part.annotation for part in parts):
            decorator = ast.parse(f"__import__({__name__!r}).held", mode="eval").body
            for part in ast.walk(decorator):
                ast.copy_location(part, node)
            node.decorator_list.append(decorator)
        return node
