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
The URDF toolset for ROS 2, as a library.

Its names are those that ``__init__.pyi`` imports, for editors and type checkers. Here a name is
imported when it is first used, so a program loads only what it needs.
"""

from typing import Any

from lazy_loader import attach_stub

_load, __dir__, __all__ = attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    """Return a public name, imported when it is first used."""
    if name in __all__:
        return _load(name)
    from urdf_tools.model.spelling import UnknownAttributeError
    raise UnknownAttributeError('urdf_tools', name, tuple(__all__))
