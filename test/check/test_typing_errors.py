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

"""Typing errors in launch files, parameters and packages that are nothing but wrong names."""

import pytest

from urdf_tools.check.validator import validate

FILES = {
    'package.xml': """\
<package><name>bot_pkg</name><buildtool_depend>ament_cmake</buildtool_depend>
<exec_depend>any</exec_depend><exec_depend>robot_state_publisher</exec_depend>
<exec_depend>xacro</exec_depend><exec_depend>diff_drive_controller</exec_depend></package>
""",
    'urdf/bot.urdf.xacro': """\
<robot name="bot" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="use_sim" default="false"/>
  <xacro:if value="$(arg use_sim)"><gazebo/></xacro:if>
  <link name="base"/>
</robot>
""",
    'config/controllers.yaml': """\
controller_manager:
  ros__parameters:
    diff_drive:
      type: diff_drive_controller/DiffDriveController
    states:
      type: joint_state_broadcaster/JointStateBroadcaster
diff_drive:
  ros__parameters:
    wheel_radius: 0.1
""",
    'launch/bot.launch.py': """\
def generate_launch_description():
    share = get_package_share_directory('bot_pkg')
    path = os.path.join(share, 'urdf', 'bot.urdf.xacro')
    return LaunchDescription([
        DeclareLaunchArgument('use_sim', default_value='false'),
        Node(package='robot_state_publisher', executable='robot_state_publisher', parameters=[{
            'robot_description': Command(['xacro ', path, ' use_sim:=', LaunchConfiguration(
                'use_sim')])}]),
    ])
""",
}

LAUNCH, PARAMETERS = 'launch/bot.launch.py', 'config/controllers.yaml'

INCLUDING = [(LAUNCH, '    return LaunchDescription([\n', """\
    return LaunchDescription([
        IncludeLaunchDescription(FindPackageShare('any') + '/launch/any.launch.py'),
""")]


def found(folder, *changes):
    """Return what known-mistake says of a package whose files are changed."""
    files = {**FILES}
    for file, before, after in changes:
        assert before in files.get(file, before)
        files[file] = files.get(file, before).replace(before, after)
    for name, text in files.items():
        path = folder / 'bot_pkg' / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
    return [f'{finding.message}. {finding.hint}' for finding in validate(
        folder / 'bot_pkg/urdf/bot.urdf.xacro').findings if finding.code == 'known-mistake']


def test_names_that_are_right(tmp_path):
    assert found(tmp_path) == []


@pytest.mark.parametrize('changes, said', [
    ([(LAUNCH, "'use_sim')]", "'use_siim')]")],
     "'use_siim' is no argument that a launch file of the package declares, so that the launch "
     "ends, as this launch configuration does not exist. Did you mean 'use_sim'?"),
    ([(LAUNCH, "'use_sim')]", "'use_siim')]"), *INCLUDING],
     "'use_siim' is no argument that a launch file of the package declares, so that the launch "
     "ends, as this launch configuration does not exist. Did you mean 'use_sim'?"),
    ([(LAUNCH, ' use_sim:=', ' use_simm:=')],
     "'use_simm' has no effect, as no <xacro:arg> has this name in bot.urdf.xacro. "
     "Did you mean 'use_sim'?"),
    ([(LAUNCH, ' use_sim:=', ' wheels:=')],
     "'wheels' has no effect, as no <xacro:arg> has this name in bot.urdf.xacro. "
     'Leave it out, or write an <xacro:arg> and use it'),
    ([(LAUNCH, 'bot.urdf.xacro', 'bot.urdf.xarco')],
     "'urdf/bot.urdf.xarco' does not exist in bot_pkg. Did you mean 'urdf/bot.urdf.xacro'?"),
    ([(LAUNCH, 'bot.urdf.xacro', 'bto.urdf.xacro')],
     "'urdf/bto.urdf.xacro' does not exist in bot_pkg. Did you mean 'urdf/bot.urdf.xacro'?"),
    ([(PARAMETERS, 'diff_drive:\n  ros', 'diff_drv:\n  ros')],
     "'diff_drv' has parameters here, and is no controller, and no node that a launch file "
     "names. Did you mean 'diff_drive'?"),
    ([(LAUNCH, "'bot_pkg'", "'bot_pgk'")],
     "'bot_pgk' is used by launch files, and package.xml does not depend on it. "
     "Did you mean 'bot_pkg'?"),
    ([(LAUNCH, "'bot_pkg'", "'other'")],
     "'other' is used by launch files, and package.xml does not depend on it. "
     'Write an <exec_depend>, so that rosdep installs it')])
def test_name_that_is_wrong(tmp_path, changes, said):
    assert said in found(tmp_path, *changes)


@pytest.mark.parametrize('changes', [
    # The file that is included may declare it, and the argument that is declared is used.
    [(LAUNCH, "'use_sim')]", "'use_siim'), LaunchConfiguration('use_sim')]"), *INCLUDING],
    [(LAUNCH, "'use_sim')]", "'port')]"), *INCLUDING],
    # A part of the description that is not included now may take it.
    [(LAUNCH, ' use_sim:=', ' wheels:='),
     ('urdf/wheels.xacro', '', '<robot><xacro:arg name="wheels"/></robot>')],
    [(LAUNCH, ' use_sim:=', ' wheels:='), (LAUNCH, 'bot.urdf.xacro', 'other.urdf.xacro')],
    # A block that a node has, or beside one of its controller, is no typing error.
    [(PARAMETERS, 'diff_drive:\n  ros', 'diff_drv:\n  ros'),
     (LAUNCH, '    ])', "        Node(package='any', executable='any', name='diff_drv')])")],
    [(PARAMETERS, 'wheel_radius: 0.1\n', 'wheel_radius: 0.1\ndiff_drv:\n  ros__parameters:\n'
      '    a: 1\n')],
    [(PARAMETERS, 'diff_drive:\n  ros', 'state:\n  ros')]], ids=range(7))
def test_name_that_may_be_right(tmp_path, changes):
    assert not [each for each in found(tmp_path, *changes) if any(
        words in each for words in ('is no argument', 'has no effect', 'has parameters here'))]
