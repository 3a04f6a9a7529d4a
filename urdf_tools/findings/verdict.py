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
"""What a program makes of a description, in a few words."""

from __future__ import annotations

from typing import NamedTuple

MAX_PARTS = 2
"""Most parts of a verdict that are told."""


class Verdict(NamedTuple):
    """
    What a program makes of a description.

    :ivar worst: how bad it is; verdicts are compared by it.
    :ivar parts: the worst first, each with ``{s}`` or ``{es}`` where its verb ends in the
        singular, such as ``drop{s} 2 joints``; only the first :data:`MAX_PARTS` are told.
    """

    worst: float = 0.0
    parts: tuple[str, ...] = ()

    def text(self, plural: bool = False) -> str:
        """
        Return it as the end of a sentence.

        :param plural: the subject of the sentence is several programs.
        """
        s, es = ('', '') if plural else ('s', 'es')
        return ', '.join(part.format(s=s, es=es) for part in self.parts[:MAX_PARTS]) or 'fine'
