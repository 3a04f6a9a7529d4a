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

"""Find the defects of a robot description, and name the programs that each of them affects."""

import sys
from types import ModuleType
from typing import NoReturn


class _Package(ModuleType):
    """A package that says what to call in its place."""

    def __call__(self, *_arguments: object, **_options: object) -> NoReturn:
        """Raise the error for what is not a function."""
        raise TypeError(
            f"'{self.__name__}' is a package. Did you mean urdf_tools.validate('robot.urdf')?")


sys.modules[__name__].__class__ = _Package
