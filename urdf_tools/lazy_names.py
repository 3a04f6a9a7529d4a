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
"""Names of a package that are imported when they are first used."""

from importlib import import_module
import sys

# As in typing, whose import would take longer than all the rest here.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable  # noqa: I300
    from collections.abc import Mapping
    from collections.abc import Sequence


def lazy_names(
        package: str, names: 'Mapping[str, Sequence[str]]'
        ) -> 'tuple[Callable[[str], object], Callable[[], list[str]]]':
    """
    Return the functions ``__getattr__`` and ``__dir__`` of a package.

    :param package: its full name.
    :param names: full name of a module to the names that the package has from it.
    """
    modules = {name: module for module, of_module in names.items() for name in of_module}

    def get(name: str) -> object:
        if name not in modules:
            raise AttributeError(f'module {package!r} has no attribute {name!r}')
        return getattr(import_module(modules[name]), name)

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules})

    return get, list_names
