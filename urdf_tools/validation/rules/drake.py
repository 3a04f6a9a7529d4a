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

"""Rules about elements that only Drake reads."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.finding import Severity
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import RULES

ERROR = Severity.ERROR
rule = RULES.in_category('extensions')


@rule('frame-incomplete', ERROR, refuses('drake'), hint='Write <frame name="..." link="..."/>')
def frame_incomplete(description: Description) -> Iterator[Defect]:
    """Check that every <frame> of Drake has a name and a link."""
    for element in description.robot.findall('frame'):
        for name in ('name', 'link'):
            if not element.get(name):
                yield Defect(element, '{frame} has no {missing}', frame=element, missing=name)


@rule('loop-joint', ERROR, refuses('drake'),
      hint='Keep it for Isaac, and give Drake a file with a <drake:ball_constraint> in its place',
      evidence='isaac5 `UrdfParser.cpp:1360`; drake `detail_urdf_parser.cc:1523`')
def loop_joint(description: Description) -> Iterator[Defect]:
    """
    Check that there is no <loop_joint>, which Drake no longer supports.

    Isaac closes the loop; every other program ignores the element, and the loop stays open.
    """
    for element in description.robot.findall('loop_joint'):
        yield Defect(element, 'Drake refuses {joint}, and most programs ignore it', joint=element)
