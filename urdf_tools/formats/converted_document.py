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

"""Documents that were converted to URDF from another format."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from typing import TYPE_CHECKING

from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document

if TYPE_CHECKING:
    from urdf_tools.findings.losses import Loss


@dataclass(frozen=True)
class ConvertedDocument(Document):
    """
    The URDF that a document of another format became.

    Its text is the URDF. Its elements have their sources in the other document, as those that
    xacro has expanded do.

    :param format: the other format, such as ``SDF``.
    :param losses: what URDF cannot say, at elements of the other document.
    :param commands: name of each joint that actuators move to what they command of it:
        ``position``, ``velocity`` or ``effort``.
    :param is_free: whether its base moves freely in the world.
    :param is_expanded: whether the document of the other format was made by xacro.
    """

    format: str = ''
    losses: Sequence[Loss] = ()
    commands: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_expanded: bool = False
    is_free: bool = False


def losses_of(robot: Robot) -> Sequence[Loss]:
    """Return what a robot lost when it was converted to URDF; nothing if it was not."""
    document = robot.document
    return document.losses if isinstance(document, ConvertedDocument) else ()
