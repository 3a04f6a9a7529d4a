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

"""Known mistakes of packages without a description, and each without one word."""

from pathlib import Path

import pytest

from urdf_tools.check.validator import validate

MANIFEST = """\
<package><name>pack</name><buildtool_depend>ament_cmake</buildtool_depend>
<exec_depend>sdf</exec_depend></package>
"""

PYTHON = """\
def generate_launch_description():
    share = get_package_share_directory('pack')
    return LaunchDescription([{}])
"""

INCLUDE = """\
IncludeLaunchDescription(PythonLaunchDescriptionSource(share + '/launch/b.launch.py')), """

STATES = "Node(package='joint_state_publisher', executable='joint_state_publisher'), "

GROUP = ("PushRosNamespace('robot'), Node(package='controller_manager', "
         "executable='ros2_control_node', parameters=[share + '/config/c.yaml'])")

GAZEBO = """\
IncludeLaunchDescription(FindPackageShare('ros_gz_sim') + '/launch/gz_sim.launch.py'),
Node(package='nav', executable='nav', name='nav', parameters=[{'use_sim_time': True}])"""

VIEW = """\
DeclareLaunchArgument('use_sim_time', default_value='true'),
Node(package='nav', executable='nav', parameters=[{'use_sim_time': sim}]),
Node(package='rviz2', executable='rviz2', parameters=[{}])"""

SDF = """\
Node(package='robot_state_publisher', executable='robot_state_publisher',
     parameters=[{'robot_description': open(share + '/a.sdf').read()}])"""

REMAPPED = ("Node(package='pointcloud_to_laserscan', executable='pointcloud_to_laserscan_node', "
            "remappings=[('/cmd_vel', 'b')])")

XML = '<launch><arg name="port"/><node pkg="a" exec="b">{}</node></launch>'


ASKED = """Node(package='c', executable='ros2_control_node', parameters=[{
    'robot_description': Command(['ros2 param get /robot_state_publisher robot_description'])}])"""


@pytest.mark.parametrize('files, said, correct', [
    ({'launch/a.launch.py': INCLUDE + STATES, 'launch/b.launch.py': STATES},
     "'joint_state_publisher' is started twice under the same name, as the included launch file "
     'starts it, too, in b.launch.py',
     {'launch/b.launch.py': STATES.replace('),', ", name='c'),")}),
    ({'launch/a.launch.xml': XML.format('<rename from="a" to="$(var port)"/>')},
     "'<rename>' is no element of <node>, with which launch refuses the file",
     {'launch/a.launch.xml': XML.format('<remap from="a" to="$(var port)"/>')}),
    ({'launch/a.launch.xml': XML.format('<param name="p" value="/$(port)"/>')},
     "'$(port)' is no substitution, with which launch refuses the file, but an argument",
     {'launch/a.launch.xml': XML.format('<param name="p" value="/$(var port)"/>')}),
    ({'launch/a.launch.py': REMAPPED},
     "'/cmd_vel' is remapped, and has no effect, as it is no topic of "
     'pointcloud_to_laserscan_node',
     {'launch/a.launch.py': REMAPPED.replace('cmd_vel', 'cloud_in')}),
    ({'launch/a.launch.py': GROUP,
      'config/c.yaml': 'arm:\n  controller_manager:\n    ros__parameters:\n      a: 9\n'},
     "'arm' is the namespace of these parameters, and the controller manager is started in "
     'the namespace robot', {'launch/a.launch.py': GROUP.replace('robot', 'arm')}),
    ({'launch/a.launch.py': GAZEBO},
     "'nav' has use_sim_time, and nothing bridges /clock from Gazebo, so that it has no time",
     {'launch/b.launch.py': "Node(package='ros_gz_bridge', executable='parameter_bridge')"}),
    ({'launch/a.launch.py': VIEW},
     "'rviz2' has no use_sim_time, which the other nodes have, so that it misses transforms of "
     'the simulation', {'launch/a.launch.py': VIEW.replace('[{}]', "[{'use_sim_time': sim}]")}),
    ({'launch/a.launch.py': SDF},
     "'robot_state_publisher' reads SDF only with sdformat_urdf, on which package.xml does "
     'not depend', {'package.xml': MANIFEST.replace('>sdf<', '>sdformat_urdf<')}),
    ({'launch/a.launch.py': ASKED},
     "'ros2 param get /robot_state_publisher robot_description' is run before "
     'robot_state_publisher is, and prints nothing', {'launch/a.launch.py': ASKED.replace(
         "Node(package='c'", "TimerAction(period=3.0, actions=[manager]), Node(package='c'")}),
    ({'launch/a.launch.py': "DeclareLaunchArgument('port', 'b'), Node(package='a', name=c)"},
     "'port' is declared, and nothing in the launch file uses it, so that it has no effect",
     {'launch/a.launch.py': "DeclareLaunchArgument('port', 'b'), Node(package='a', name="
      "LaunchConfiguration('port'))"}),
], ids=lambda value: value[:20] if isinstance(value, str) else '')
def test_each_is_reported_once_and_not_without_it(files, said, correct, tmp_path, monkeypatch):
    def write(texts):
        for path, text in texts.items():
            Path(path).parent.mkdir(exist_ok=True)
            Path(path).write_text(PYTHON.replace('{}', text) if path.endswith('.py') else text)

    def found():
        return [str(finding.message) for finding in validate('package.xml').findings]
    monkeypatch.chdir(tmp_path)
    write({'package.xml': MANIFEST, **files})
    assert found().count(said) == 1
    write(correct)
    assert said not in found()
    assert not any('Rule ' in each for each in found())


def test_a_file_that_is_none_of_parameters_has_no_types(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path('config').mkdir()
    Path('package.xml').write_text(MANIFEST)
    text = 'amcl:\n  ros__parameters:\n    z_hit: [0.5, 0.8]\n'
    Path('config/sweep.yaml').write_text(text)
    assert [finding.code for finding in validate('package.xml').findings] == ['parameter-type']
    Path('config/sweep.yaml').write_text(text + 'experiment:\n  paths: 3\n')
    assert validate('package.xml').findings == ()


AMCL = 'amcl:\n  ros__parameters:\n    alpha: 0.2\n    z_hit: 0.5\n    scan: [a]\n'


@pytest.mark.parametrize('path', ['package.xml', 'urdf/arm.urdf'])
@pytest.mark.parametrize('before, after, line, column, hint', [
    ('    z_hit', '   z_hit', 4, 4, 'Indent this line like the other lines of its block'),
    ('    z_hit', '\tz_hit', 4, 1, 'Indent this line with spaces, as YAML takes no tabs'),
    ('    z_hit', '      z_hit', 4, 12,
     'Indent this line like the line above, or quote the value if it has a colon'),
    ('z_hit:', 'z_hit', 4, 5, 'Write a colon and a space after the key'),
    ('[a]', '[a', 5, 11,
     'Close the bracket that opens here, and write commas between the values'),
    ('    z_hit', '<<<<<<< HEAD\n    z_hit', 4, 1,
     'Resolve the merge conflict that begins here'),
    ('[a]', '"a', 5, 11, 'Close the quote that opens here'),
    ('[a]', '@a', 5, 11, 'Correct it at this line')])
@pytest.mark.parametrize('tool', ['ament_cmake', 'catkin'])
def test_file_that_is_not_yaml(
        tool, before, after, line, column, hint, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in 'config', 'urdf', 'test/config':
        Path(folder).mkdir(parents=True)
    Path('package.xml').write_text(MANIFEST.replace('ament_cmake', tool))
    Path('urdf/arm.urdf').write_text('<robot name="arm"><link name="base"/></robot>')
    Path('config/amcl.yaml').write_text(AMCL)

    def found():
        return [(finding.file(''), finding.line, finding.column, finding.severity.name,
                 finding.hint) for finding in validate(path).findings
                if 'is not YAML' in str(finding.message)]
    assert not found()
    wrong = AMCL.replace(before, after)
    Path('config/amcl.yaml').write_text(wrong)
    assert found() == [('config/amcl.yaml', line, column, 'ERROR', hint)]
    # A template, a file of OpenCV and what tests read are not read by ROS.
    for text in f'{wrong}\n{{{{ more }}}}\n', '%YAML:1.0\n---\na: 1\n', 'a: 1\n---\nb: 1\n':
        Path('config/amcl.yaml').write_text(text)
        assert not found()
    Path('config/amcl.yaml').rename('config/x.txt')
    Path('test/config/a.yaml').write_text(wrong)
    assert not found()


def test_file_of_moveit_that_is_not_yaml_is_reported_once(tmp_path):
    (tmp_path / 'config').mkdir()
    (tmp_path / 'package.xml').write_text(MANIFEST)
    (tmp_path / 'arm.urdf').write_text('<robot name="arm"><link name="base"/></robot>')
    for name, text in {'arm.srdf': '<robot name="arm"/>', 'joint_limits.yaml': '- [a'}.items():
        (tmp_path / 'config' / name).write_text(text)
    robot, semantic = tmp_path / 'arm.urdf', tmp_path / 'config/arm.srdf'
    assert [finding.code for report in (validate(robot), validate(robot, srdf=str(semantic)))
            for finding in report.findings if 'not YAML' in str(finding.message)] == [
                'moveit-file-unreadable']


@pytest.mark.parametrize('wrong, problem, hint', [
    ('<license>a</licence>', 'mismatched tag',
     'Close the element on this line with the tag that opens it'),
    ('<license a>a</license>', 'not well-formed (invalid token)', 'Correct it at this line')])
def test_malformed_manifest_beside_a_robot(wrong, problem, hint, tmp_path):
    (tmp_path / 'urdf').mkdir()
    (tmp_path / 'urdf/arm.urdf').write_text('<robot name="arm"><link name="base"/></robot>')
    (tmp_path / 'package.xml').write_text(MANIFEST.replace('<exec', f'{wrong}\n<exec'))
    finding, = (each for each in validate(tmp_path / 'urdf/arm.urdf').findings
                if each.file('').endswith('package.xml'))
    assert (finding.line, finding.hint, finding.severity.name) == (2, hint, 'ERROR')
    assert str(finding.message) == ("'package.xml' is not well-formed XML, so that the package "
                                    f'cannot be built: {problem}')
