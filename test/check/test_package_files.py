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

"""The rules about files of the package: controllers of wheels in YAML, and worlds of Gazebo."""

import pytest

from urdf_tools.check.package_files import element_in
from urdf_tools.check.validator import validate

URDF = """\
<robot name="cart">
  <link name="base_link"/>
  <link name="a"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="b"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="left" type="continuous"><parent link="base_link"/><child link="a"/>
    <origin xyz="0 0.2 0"/><axis xyz="0 1 0"/></joint>
  <joint name="right" type="continuous"><parent link="base_link"/><child link="b"/>
    <origin xyz="0 -0.2 0"/><axis xyz="0 1 0"/></joint>
</robot>
"""

YAML = """\
drive:
  ros__parameters:
    left_wheel_names: [left]
    right_wheel_names: ['right']
    wheel_separation: 0.4
    wheel_radius: 0.1
"""

OF_DRIVE = ('diff-drive-axes-differ', 'diff-drive-wheels', 'moveit-controller-unknown-joint')


def found(package, urdf=URDF, **files):
    """Return line, file and message of what is found in a package with these YAML files."""
    for folder in ('urdf', 'config'):
        (package / folder).mkdir(exist_ok=True)
    (package / 'package.xml').write_text('<package><name>cart</name></package>')
    (package / 'urdf' / 'cart.urdf').write_text(urdf)
    for name, text in files.items():
        (package / 'config' / f'{name}.yaml').write_text(text)
    return [(each.line, each.trace.location.file.rpartition('/')[2], each.message)
            for each in validate(package / 'urdf' / 'cart.urdf').findings
            if each.code in OF_DRIVE and each.trace is not None]


def test_elements_share_the_text_of_their_file():
    """A file with thousands of elements took gigabytes."""
    text = '<package>\n' + '<depend>x</depend>' * 3
    first, second = (element_in('package.xml', text, text.index('<depend>') + start, 'depend')
                     for start in (0, 18))
    assert [(each.line, each.column) for each in (first, second)] == [(2, 1), (2, 19)]
    assert first.origin.tag.file is second.origin.tag.file


def test_good(tmp_path):
    assert found(tmp_path, drive=YAML) == []


@pytest.mark.parametrize('old, new, line, message', [
    ('[left]', '[lefd]', 3, "Controller 'drive' in drive.yaml has joint 'lefd', which does not "
     'exist'),
    ('0.4', '4.0', 5, "<wheel_separation> of controller 'drive' is '4.0', but joints "
     "'left', 'right' move wheels that are 0.4 m apart"),
    ('radius: 0.1', 'radius: 0.2', 6, "<wheel_radius> of controller 'drive' is '0.2', "
     "but joints 'left', 'right' move wheels that have a radius of 0.1 m")])
def test_parameters(tmp_path, old, new, line, message):
    assert old in YAML
    assert found(tmp_path, drive=YAML.replace(old, new)) == [(line, 'drive.yaml', message)]


def test_wheels_are_where_their_shapes_are(tmp_path):
    urdf = URDF
    for y in ('0.2', '-0.2'):
        urdf = urdf.replace(f'xyz="0 {y} 0"', f'xyz="0 {float(y) * 0.7} 0"').replace(
            '<collision><geometry>',
            f'<collision><origin xyz="0 {float(y) * 0.3} 0"/><geometry>', 1)
    assert found(tmp_path, urdf, drive=YAML) == []
    assert found(tmp_path, urdf.replace(' 0.06 ', ' 0 ').replace(' -0.06 ', ' 0 '), drive=YAML)


def test_joints(tmp_path):
    urdf = URDF.replace('"left" type="continuous"', '"left" type="fixed"')
    assert found(tmp_path, urdf, drive=YAML) == [
        (3, 'drive.yaml', "Controller 'drive' in drive.yaml has joint 'left', which is fixed")]
    urdf = URDF.replace('0.2 0"/><axis xyz="0 1 0"', '0.2 0"/><axis xyz="0 -1 0"', 1)
    assert found(tmp_path, urdf, drive=YAML) == [
        (2, 'drive.yaml', "The axes of joints 'left', 'right', the wheels of controller "
         "'drive', point in opposite directions (180 degrees)")]
    assert found(tmp_path, urdf, drive=f'{YAML}    right_wheel_radius_multiplier: -1.0\n') == []


def test_other_robots_and_templates(tmp_path):
    bad = YAML.replace('0.4', '4.0')
    assert found(tmp_path, first=bad, second=bad) == []
    named = (f'<gazebo><plugin><parameters>{tmp_path}/config/second.yaml</parameters></plugin>'
             '</gazebo>')
    assert [file for _, file, _ in found(
        tmp_path, URDF.replace('</robot>', named + '</robot>'))] == ['second.yaml']
    (tmp_path / 'config' / 'first.yaml').unlink()
    for text in (bad.replace('left', 'port').replace('right', 'starboard'), '{{ left_wheel }}: [',
                 'left_wheel: &a [*a]'):
        assert found(tmp_path, second=text) == []


RIHGT = (4, 'b.yaml', "Controller 'drive' in b.yaml has joint 'rihgt', which does not exist")


@pytest.mark.parametrize('right, expected', [
    ('right', []), ('r', []), ('rihgt', [RIHGT]), ('starboard', []), ('left1', [])])
def test_joints_in_several_files(tmp_path, right, expected):
    assert found(tmp_path, a=YAML, b=YAML.replace("'right'", right)) == expected
    assert found(tmp_path, b=YAML.replace('[left]', '[port]').replace("'right'", right)) == []


@pytest.mark.parametrize('name, expected', [
    ('drive.yaml', 0), ('driev.yaml', 1), ('../absent/drive.yaml', 0)])
def test_parameters_of_plugins(tmp_path, name, expected):
    named = (f'<gazebo><plugin filename="a.so"><parameters>{tmp_path}/config/{name}</parameters>'
             '</plugin></gazebo>')
    found(tmp_path, URDF.replace('</robot>', named + '</robot>'), drive=YAML)
    messages = [each.message for each in validate(tmp_path / 'urdf' / 'cart.urdf').findings
                if each.code == 'parameters-not-found']
    assert messages == [f"File '{tmp_path}/config/{name}' does not exist"] * expected


SENSOR = """
  <gazebo reference="a"><sensor name="eye" type="{}"/></gazebo>
</robot>
"""


@pytest.mark.parametrize('kind, plugin, expected', [
    ('camera', 'gz-sim-imu-system', ['sensors']), ('imu', 'libignition-gazebo-imu-system.so', []),
    ('navsat', 'gz-sim-imu-system', ['navsat']), ('camera', 'libgazebo_ros_init.so', []),
    ('ray', 'gz-sim-imu-system', [])])
def test_systems_of_sensors(tmp_path, kind, plugin, expected):
    (tmp_path / 'worlds').mkdir()
    (tmp_path / 'worlds' / 'garden.sdf').write_text(f'<plugin filename="{plugin}"/>')
    found(tmp_path, URDF.replace('</robot>', SENSOR.format(kind)))
    messages = [each.message for each in validate(tmp_path / 'urdf' / 'cart.urdf').findings
                if each.code == 'sensor-without-system']
    assert messages == [
        f"Sensor 'eye' is of type {kind}, but none of 1 worlds of the package loads "
        f'gz-sim-{system}-system' for system in expected]


@pytest.mark.parametrize('text, severity', [('run xacro on cart.urdf', 'INFO'), ('', 'WARN')])
def test_a_file_that_a_launch_file_expands(tmp_path, text, severity):
    (tmp_path / 'launch').mkdir()
    (tmp_path / 'launch' / 'cart.launch.py').write_text(text)
    found(tmp_path, URDF.replace('</robot>', '<gazebo><plugin filename="a" name="$(arg a)"/>'
                                 '</gazebo></robot>'))
    assert [each.severity.name for each in validate(tmp_path / 'urdf' / 'cart.urdf').findings
            if each.code == 'xacro-unexpanded'] == [severity]


def test_a_joint_to_the_world_of_gazebo_is_no_loop(tmp_path):
    found(tmp_path, URDF.replace('</robot>', '<gazebo><joint name="w" type="fixed"><parent>world'
                                 '</parent><child>base_link</child></joint></gazebo></robot>'))
    codes = {each.code for each in validate(tmp_path / 'urdf' / 'cart.urdf').findings}
    assert not {code for code in codes if code.startswith('loop-')}
