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

A name is imported when it is first used, so a program pays only for what it needs.
"""

from importlib import import_module

_MODULES = {
    'CompositeInertia': 'urdf_tools.inertia',
    'DescriptionError': 'urdf_tools.model.errors',
    'ForwardKinematics': 'urdf_tools.kinematics',
    'ResourceResolver': 'urdf_tools.model.resources',
    'Robot': 'urdf_tools.model.robot',
    'SpatialInertia': 'urdf_tools.inertia',
    'load': 'urdf_tools.model.loader',
    'loads': 'urdf_tools.model.loader',
    'validate': 'urdf_tools.validation',
    'validates': 'urdf_tools.validation',
}

__all__ = list(_MODULES)


def __getattr__(name):
    if name not in _MODULES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(import_module(_MODULES[name]), name)


def __dir__():
    return sorted({*globals(), *_MODULES})
