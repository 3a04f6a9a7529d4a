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

"""Cases of the rules about what gravity does to the robot."""

from support.validation_cases import Case
from support.validation_cases import example
from urdf_tools.check.rule_examples import CONTEXTS
from urdf_tools.findings.finding import Severity

ARM = CONTEXTS['a robot whose arm weighs 2 kg'].replace(
    '</robot>',
    '<gazebo reference="shoulder"><springStiffness>9</springStiffness></gazebo></robot>')

LIMIT = '<limit lower="{}" upper="{}" effort="{}" velocity="1"/>'

CASES = (
    example(
        'effort-below-gravity', 6,
        "'shoulder' takes 9.81 N m to hold what it carries against gravity at zero, and has an "
        'effort of 5'),
    Case(
        'effort-below-gravity', CONTEXTS['a robot whose arm weighs 2 kg'],
        LIMIT.format(1, 1.5, 5), LIMIT.format(1.2, 1.5, 5), 6,
        "'shoulder' takes 5.3 N m to hold what it carries against gravity at shoulder 1, and has "
        'an effort of 5'),
    Case(
        'effort-below-gravity', ARM, LIMIT.format(-1, 1, 5), LIMIT.format(-1, 1, 10), 6,
        "'shoulder' takes 9.81 N m to hold what it carries against gravity at zero, and has an "
        'effort of 5', Severity.INFO),
    example(
        'tips-over', 1,
        'The centre of mass of the robot, 1 kg, is 0.5 m outside its wheels at zero, where it '
        'falls over'),
    example(
        'below-ground', 1, "The collision of link 'base' begins 0.01 m below the ground"))
