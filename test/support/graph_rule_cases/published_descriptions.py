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

"""Cases of the rules about who publishes the robot description, and who receives it."""

from functools import partial

from support.graph_records import Case
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import MODEL
from support.graph_records import robot

from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.graph import STRING
from urdf_tools.findings.finding import Severity

TEXT = MODEL.format(name='arm')
LINK = '<robot name="r"><link name="base"/></robot>'
SHORTER = TEXT.replace('<link name="tool"/>', '')
SHORTER = SHORTER[:SHORTER.index('<joint name="slide"')] + '</robot>'
STIFFER = TEXT.replace('upper="1.2"', 'upper="1.1"')

case = partial(Case, topic='/robot_description')


def with_viewer(records: GraphRecords, qos: Qos = LATCHED) -> GraphRecords:
    return records.subscriber('/viewer', '/robot_description', STRING, qos)


CASES = (
    case(
        'description-not-published',
        lambda: GraphRecords().node('/driver'), robot,
        'No node publishes a robot description', nodes=()),
    case(
        'description-not-published',
        lambda: with_viewer(GraphRecords()), lambda: with_viewer(robot()),
        'No node publishes a description for /viewer', {'published': []}, ('/viewer',)),
    case(
        'description-not-published',
        lambda: with_viewer(robot(namespace='/left')), lambda: with_viewer(robot()),
        'No node publishes a description for /viewer; there is one on /left/robot_description',
        {'published': ['/left/robot_description']}, ('/viewer',)),
    case(
        'description-not-published',
        lambda: GraphRecords().publisher('/late', '/robot_description', STRING, LATCHED), robot,
        '/late advertised a description, but did not publish it', nodes=('/late',),
        severity=Severity.WARN),
    case(
        'description-unreadable',
        lambda: GraphRecords().description('/launched', 'robot urdf'),
        lambda: GraphRecords().description('/launched', LINK),
        'The text from /launched is not a robot description: The description is not well-formed '
        'XML: syntax error',
        {'error': 'The description is not well-formed XML: syntax error'}, ('/launched',)),
    case(
        'description-unreadable',
        lambda: GraphRecords().description('/launched', '/opt/robot.urdf.xacro\n'),
        lambda: GraphRecords().description('/launched', LINK),
        "/launched publishes the path '/opt/robot.urdf.xacro' instead of the description in that "
        'file', {'path': '/opt/robot.urdf.xacro'}, ('/launched',),
        hint='Let the launch file expand it: ParameterValue(Command(["xacro ", path]), '
             'value_type=str); "urdf-tools check" tells whether the file is sound'),
    case(
        'description-several-publishers',
        lambda: robot().description('/second', STIFFER),
        lambda: robot().description('/second', TEXT),
        'The description has 2 publishers, in /second and /state_publisher', {'number': 2},
        ('/second', '/state_publisher'), also=('description-differs',)),
    case(
        'description-differs',
        lambda: robot().description('/second', STIFFER),
        lambda: robot().description('/second', TEXT),
        'The description from /second is not the one from /state_publisher: '
        "joint 'turn' differs in its limits",
        {'publisher': '/second', 'other': '/state_publisher', 'joint': 'turn', 'field': 'limits'},
        ('/state_publisher', '/second'), also=('description-several-publishers',)),
    case(
        'description-volatile',
        lambda: with_viewer(robot(description_qos=Qos())), lambda: with_viewer(robot()),
        '/state_publisher publishes the description with volatile durability; /viewer will never '
        'receive it', {'subscribers': ['/viewer']}, ('/state_publisher',)),
    case(
        'description-volatile',
        lambda: GraphRecords().description('/publisher', LINK, '/arm_description', Qos()),
        lambda: GraphRecords().description('/publisher', LINK, '/arm_description'),
        '/publisher publishes the description with volatile durability', {'subscribers': []},
        ('/publisher',), topic='/arm_description'),
    case(
        'description-subscriber-volatile',
        lambda: with_viewer(robot(), Qos()), lambda: with_viewer(robot()),
        '/viewer subscribes with volatile durability, and misses a description that was published '
        'before it started', nodes=('/viewer',)),
    case(
        'description-parameter-differs',
        lambda: robot().node('/move_group', robot_description=SHORTER),
        lambda: robot().node('/move_group', robot_description=TEXT),
        'Parameter robot_description of /move_group is not the published description: '
        "it has no link 'tool'", {'link': 'tool'}, ('/move_group',)),
    case(
        'description-parameter-differs',
        lambda: robot().node('/move_group', robot_description='robot'),
        lambda: robot().node('/webots', robot_description='/opt/ros/robot.urdf'),
        'Parameter robot_description of /move_group is not a robot description: The description '
        'is not well-formed XML: syntax error',
        {'error': 'The description is not well-formed XML: syntax error'}, ('/move_group',)))
