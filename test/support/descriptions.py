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

"""Descriptions for the tests of the model."""

from __future__ import annotations

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'


def robot(content: str, version: str = '1.0') -> str:
    """Return a robot with the given elements."""
    return f'<robot name="r" version="{version}">\n{content}\n</robot>'


def links(*names: str) -> str:
    """Return bare links."""
    return ''.join(f'<link name="{name}"/>' for name in names)


def joint(name: str, parent: str, child: str, content: str = '', kind: str = 'fixed') -> str:
    """Return a joint."""
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="{child}"/>{content}</joint>')


def one_joint(content: str, kind: str = 'revolute', version: str = '1.0') -> str:
    """Return a robot of two links a and b with a joint j between them."""
    return robot(links('a', 'b') + joint('j', 'a', 'b', content, kind), version)


def one_link(content: str, version: str = '1.0') -> str:
    """Return a robot of one link a."""
    return robot(f'<link name="a">{content}</link>', version)
