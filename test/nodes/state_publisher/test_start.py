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


"""The state publisher publishes the static frames before it imports what only the rest needs."""

from pathlib import Path
import sys

from node_processes import Process
import pytest

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).resolve().parents[3] / 'scripts' / 'state_publisher'


@pytest.fixture
def lines(domain):
    """Return what the node logs, and Python about its imports, until the joint states."""
    # Python names each import on its standard error once the module has been executed.
    process = Process('state_publisher', [
        sys.executable, '-v', str(SCRIPT),
        '--ros-args', '-p', 'robot_description:=<robot name="tested"><link name="a"/></robot>'])
    process.wait_for_line("import 'urdf_tools.nodes.state_publisher.tf_pipeline'")
    yield [line.partition('#')[0].strip() for line in process.lines]
    process.close()


def test_static_frames_do_not_wait_for_the_rest(lines):
    [published] = [row for row, line in enumerate(lines) if "Robot 'tested'" in line]
    assert published < lines.index("import 'sensor_msgs.msg'")
    # What a publisher of diagnostics loads.
    assert "import 'diagnostic_msgs.diagnostic_msgs_s__rosidl_typesupport_c'" not in (
        lines[:published])


def test_the_rest_is_imported_once_others_can_discover_the_node(lines):
    # A node loads this for its first publisher, of /parameter_events.
    created = "import 'rcl_interfaces.rcl_interfaces_s__rosidl_typesupport_c'"
    assert lines.index(created) < lines.index("import 'urdf_tools.model.loader'")


def test_what_the_node_does_not_need_is_not_imported(lines):
    imported = {line for line in lines if line.startswith('import ')}
    assert "import 'urdf_tools.model.element_reader'" in imported
    assert not imported & {
        f"import '{name}'" for name in ('lxml.etree', 'urdf_parser_py', 'xml.dom.minidom')}


def test_launch_files_of_robot_state_publisher_change_only_the_package(nodes):
    node = nodes.start('robot_state_publisher', {
        'robot_description': '<robot name="tested"><link name="a"/></robot>'})
    node.wait_for_line(r"\[robot_state_publisher\]: Robot 'tested'")


@pytest.mark.parametrize(('name', 'value'), [
    ('diagnostic_updater.period', -1.0), ('static_period', -1.0), ('joint_timeout', -1.0),
    ('qos_overrides./tf.publisher.reliability', 'never'),
    ('qos_overrides./joint_states.subscription.reliability', 'never'),
    ('qos_overrides./joint_states.subscription.depth', -1)])
def test_nothing_is_published_before_all_parameters_are_checked(nodes, name, value):
    node = nodes.start('state_publisher', {
        'robot_description': '<robot name="tested"><link name="a"/></robot>', name: value})
    assert node.wait() == 1
    assert name in node.output or 'qos_overrides' in node.output
    assert "Robot 'tested'" not in node.output
