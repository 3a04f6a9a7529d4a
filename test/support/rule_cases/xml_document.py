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

"""Cases of the rules about the text as XML and about the outermost element."""

from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import LINK
from support.validation_cases import LINKS
from support.validation_cases import REVOLUTE
from support.validation_cases import ROBOT
from support.validation_cases import VISUAL
from support.validation_cases import WHOLE

from urdf_tools.findings.finding import Severity

WARN = Severity.WARN

CASES = (
    example('root-not-robot', 1, 'The root element is <launch>, a launch file, not <robot>'),
    example('xacro-unexpanded', 2, "'${prefix}base_link' has not been expanded by xacro", WARN),
    Case(
        'xacro-unexpanded', REVOLUTE,
        '<origin xyz="0 0 ${z}"/>',
        '<origin xyz="0 0 1"/>',
        5, "'0 0 ${z}' has not been expanded by xacro"),
    Case(
        'xacro-unexpanded', LINKS,
        '<joint name="j" type="${kind}"><parent link="base_link"/><child link="tip"/></joint>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        4, "'${kind}' has not been expanded by xacro"),
    Case(
        'xacro-unexpanded', VISUAL,
        '<geometry><sphere radius="${r}"/></geometry>',
        '<geometry><sphere radius="1"/></geometry>',
        4, "'${r}' has not been expanded by xacro"),
    Case(
        'xacro-unexpanded', LINK,
        '<xacro:box/>',
        '<inertial/>',
        3, '<xacro:box> has not been expanded by xacro'),
    Case(
        'xacro-unexpanded', LINKS,
        '<xacro:include filename="arm.xacro"/>',
        '<material name="red"/>',
        4, "<xacro:include> of 'arm.xacro' is left over from xacro, and ignored"),
    Case(
        'xacro-unexpanded', ROBOT,
        '<xacro:macro name="leg"/>',
        '<link name="base_link"/>',
        2, '<xacro:macro> is left over from xacro, and URDF does not define it'),
    Case(
        'xacro-unexpanded', LINKS,
        '<gazebo reference="${link}"/>',
        '<gazebo reference="tip"/>',
        4, "'${link}' has not been expanded by xacro", WARN),
    example('xml-unbound-prefix', 4, "The namespace prefix 'sensor' is not declared"),
    Case(
        'xml-unbound-prefix', WHOLE,
        '<robot name="r">\n'
        '<link name="base_link" my:colour="red"/>\n'
        '</robot>',
        '<robot name="r">\n'
        '<link name="base_link" my:colour="red" xmlns:my="http://example.org"/>\n'
        '</robot>',
        2, "The namespace prefix 'my' is not declared"),
    example('robot-no-name', 1, 'The robot has no name'),
    Case(
        'robot-no-name', WHOLE,
        '<robot name=""><link name="base_link"/></robot>',
        '<robot name="r"><link name="base_link"/></robot>',
        1, 'The robot has no name', effects={}, unaffected=('urdf_parser_py',)),
    example('version-malformed', 1, "Version '1' is not written as MAJOR.MINOR"),
    example('version-unsupported', 1, 'Version 1.3 of URDF does not exist'),
    example('version-recent', 1, 'Many readers do not support version 1.1 of URDF'),
    Case(
        'version-recent', WHOLE,
        '<robot name="r" version="1.2"><link name="base_link"/></robot>',
        '<robot name="r" version="1.0"><link name="base_link"/></robot>',
        1, 'Many readers do not support version 1.2 of URDF'),
    example('xml-malformed', 2, 'The description is not well-formed XML: mismatched tag'),
    example(
        'xml-forgiven', 4,
        'The description is not well-formed XML: not well-formed (invalid token)'),
    example(
        'xml-entity', 1,
        'The description declares XML entities or similar in its <!DOCTYPE>, which is not '
        'allowed'),
    example(
        'macro-call-without-prefix', 3,
        'xacro leaves <arm> as it is, because it has no prefix'),
    Case(
        'xml-too-large', WHOLE,
        '<a>' * 200,
        '<a>' * 9 + '</a>' * 9,
        1, 'Elements are nested deeper than 128'),
    example('suppression-unknown', 4, "Rule 'no-joint' does not exist"),
    example('suppression-unused', 4, 'No axis-zero finding to ignore here'),
)
