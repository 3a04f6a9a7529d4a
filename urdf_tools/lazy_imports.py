# Copyright 2026 The urdf_tools authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""
Imports that wait until what they import is used: of names of a package, or of whole modules.

Other packages import at their top what a program needs late or never: rclpy imports numpy for a
field of two messages, which takes as long as most of the rest of a start, and PyYAML to read
values that somebody types; urdf_parser_py imports lxml and PyYAML to write files. Python itself
can postpone such imports from version 3.15 on (PEP 810). ``importlib.util.LazyLoader`` cannot: it
loads the module when a second one imports it.

Only programs may postpone modules, since those of a process are not a library's to change.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
import os
import sys
from threading import Lock
from types import ModuleType

# As in typing, whose import would take longer than all the rest here.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable  # noqa: I300
    from importlib.machinery import ModuleSpec

_lock = Lock()


def lazy_names(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """
    Return the functions ``__getattr__`` and ``__dir__`` of a package.

    It has the names that its stub ``__init__.pyi`` imports, as ``from MODULE import NAME as
    NAME``, and lists them in ``__all__``.

    :param package: its full name.
    """
    @cache
    def modules() -> dict[str, str]:
        folder, = sys.modules[package].__path__
        with open(os.path.join(folder, '__init__.pyi'), encoding='utf-8') as stub:
            imports = [line.split() for line in stub if line.startswith('from ')]
        return {name: module for _, module, _, name, *_ in imports}

    def get(name: str) -> object:
        if name == '__all__':
            return sorted(modules())
        if name not in modules():
            raise AttributeError(f'module {package!r} has no attribute {name!r}')
        return getattr(import_module(modules()[name]), name)

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules()})

    return get, list_names


def prepare_program(*names: str) -> None:
    """Postpone imports that a program needs late or never; see :func:`import_late`."""
    # Numpy's threads for large matrices, which no program here has, would spin for a while
    # when numpy is imported.
    os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
    import_late(*names)


def import_late(*names: str) -> None:
    """
    Import modules only when one of their attributes is first used.

    One that is imported already, or not installed, is left alone.

    :param names: full names of the modules.
    """
    for name in names:
        try:
            spec = None if name in sys.modules else find_spec(name)
        except ModuleNotFoundError:
            continue  # There is no package that the module could be in.
        if spec is not None:
            sys.modules[name] = _LazyModule(spec)


class _LazyModule(ModuleType):
    """Stands in for a module until it is used, and has the same attributes from then on."""

    def __init__(self, spec: ModuleSpec):
        super().__init__(spec.name)
        self.__spec__ = spec
        # The inspect module, which rclpy uses for each message that it logs, asks all modules.
        self.__file__ = spec.origin

    def __getattr__(self, name: str) -> object:
        with _lock:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
        module = import_module(self.__name__)
        self.__dict__.update(vars(module))
        return getattr(module, name)
