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

"""Links with mass, and joints, as URDF text."""

INERTIAL = ('<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
            '</inertial>')


def link(name, *parts, inertial=INERTIAL):
    return f'<link name="{name}">{inertial}{"".join(parts)}</link>'


def joint(name, parent, child, kind='fixed', *parts, xyz='0 0 1'):
    return (f'<joint name="{name}" type="{kind}"><origin xyz="{xyz}"/><parent link="{parent}"/>'
            f'<child link="{child}"/>{"".join(parts)}</joint>')
