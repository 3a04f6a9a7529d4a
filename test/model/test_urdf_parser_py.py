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

"""Robots from the objects of urdf_parser_py, and turned into them."""

from dataclasses import replace
import math
import subprocess
import sys

import numpy as np
import pytest
from support.corpus import corpus_robots
from support.descriptions import LIMIT
from support.descriptions import one_joint
from support.descriptions import robot
from urdf_parser_py import urdf

from urdf_tools import DescriptionError
from urdf_tools import from_urdf_parser_py
from urdf_tools import load
from urdf_tools import loads
from urdf_tools import to_urdf_parser_py
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.records import Capsule
from urdf_tools.model.robot import Calibration
from urdf_tools.model.robot import Limits
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import Safety


def what_is_held(model: Robot) -> Robot:
    """Return a robot without what urdf_parser_py cannot hold, as the docstring lists it."""
    def shapes(things):
        return tuple(replace(thing, name='') for thing in things
                     if not isinstance(thing.geometry, Capsule))

    def joint(each):
        limits, safety, edges = each.limits, each.safety, each.calibration
        if limits is not None:
            has_bounds = each.type in ('revolute', 'prismatic') or limits.lower or limits.upper
            bounds = (limits.lower, limits.upper) if has_bounds else (-math.inf, math.inf)
            limits = Limits(*bounds, limits.effort, limits.velocity)
        return replace(
            each, limits=limits,
            safety=safety and Safety(
                safety.k_velocity, safety.k_position, safety.soft_lower or 0.0,
                safety.soft_upper or 0.0),
            calibration=edges and Calibration(edges.rising or 0.0, edges.falling or 0.0))

    return replace(
        model, version='1.0', problems=(),
        links={name: replace(link, visuals=shapes(link.visuals),
                             collisions=shapes(link.collisions))
               for name, link in model.links.items()},
        joints={name: joint(each) for name, each in model.joints.items()})


@pytest.mark.parametrize('corpus_robot', corpus_robots())
def test_robots_come_back(corpus_robot):
    model = load(corpus_robot.path)
    back = from_urdf_parser_py(to_urdf_parser_py(model))
    assert replace(back, problems=()) == what_is_held(model)
    assert len(back.gazebo) == len(model.gazebo)


@pytest.mark.parametrize('corpus_robot', corpus_robots())
def test_the_values_are_those_that_urdf_parser_py_reads(corpus_robot, capfd):
    try:
        read = urdf.Robot.from_xml_file(corpus_robot.path)
    except Exception as error:  # It refuses what is not as it expects, with any exception.
        pytest.skip(f'urdf_parser_py cannot read it: {error}'.splitlines()[0])
    model = load(corpus_robot.path)
    made = to_urdf_parser_py(model)
    assert made.get_root() == read.get_root() == model.root
    assert made.parent_map == read.parent_map and made.child_map == read.child_map
    assert [*made.joint_map] == [*read.joint_map] and [*made.link_map] == [*read.link_map]
    assert replace(from_urdf_parser_py(read), problems=()) == what_is_held(model)
    for link in read.links:
        same = made.link_map[link.name]
        assert (link.inertial is None) == (same.inertial is None)
        for visual, other in zip(link.visuals, same.visuals, strict=True):
            assert type(visual.geometry) is type(other.geometry)
            assert visual.origin is None or visual.origin.rpy == other.origin.rpy
    for joint in read.joints:
        same = made.joint_map[joint.name]
        assert joint.type == same.type
        if joint.type not in ('fixed', 'floating'):
            assert (joint.axis or [1, 0, 0]) == same.axis
        if joint.limit is not None and joint.type in ('revolute', 'prismatic'):
            assert joint.limit.to_yaml() == same.limit.to_yaml()


def chain() -> urdf.Robot:
    """Return a robot that a program has made."""
    made = urdf.Robot('made')
    for name in ('base', 'tip'):
        link = urdf.Link(name, inertial=urdf.Inertial(
            2, urdf.Inertia(1, 0, 0, 1, 0, 1), urdf.Pose([0, 0, np.float64(0.1)])))
        # These are in the lists only.
        red = urdf.Material('red', urdf.Color(1, 0, 0, 1))
        link.visual = urdf.Visual(urdf.Box([1, 2, 3]), red)
        link.collisions.append(urdf.Collision(urdf.Mesh('package://p/m.stl', [1, 1, 2])))
        made.add_link(link)
    made.add_joint(urdf.Joint(
        'joint', 'base', 'tip', 'revolute', np.array([0.0, 0.0, 2.0]), urdf.Pose(rpy=[0, 0, 1.5]),
        urdf.JointLimit(3, 4, -1, 1), mimic=urdf.JointMimic('other', 2.0)))
    made.joints.append(urdf.Joint('other', 'base', 'loose', 'continuous'))
    made.links.append(urdf.Link('loose'))
    return made


def test_objects_that_a_program_has_made():
    model = from_urdf_parser_py(chain())
    assert [*model.links] == ['base', 'tip', 'loose'] and model.root == 'base'
    link = model.links['tip']
    assert link.inertial.origin == Pose((0.0, 0.0, 0.1))
    assert link.visuals[0].geometry.size == (1.0, 2.0, 3.0)
    assert model.materials['red'].rgba == (1.0, 0.0, 0.0, 1.0)
    assert link.collisions[0].geometry.scale == (1.0, 1.0, 2.0)
    joint = model.joints['joint']
    assert joint.axis == (0.0, 0.0, 1.0) and joint.limits == Limits(-1.0, 1.0, 3.0, 4.0)
    assert joint.mimic.joint == 'other'
    assert model.problems == ()


def test_the_objects_stay_as_they_are():
    read = urdf.Robot.from_xml_string(one_joint(LIMIT).replace(
        '</robot>', '<gazebo reference="a"><plugin name="p"><x>1</x></plugin></gazebo></robot>'))
    before = read.to_yaml()
    for _ in range(2):
        model = from_urdf_parser_py(read)
        assert model.gazebo[0].findtext('plugin/x') == '1'
    assert read.to_yaml() == before


@pytest.mark.parametrize('change, message', [
    (lambda made: made.links.pop(), "^The child link 'loose' of joint 'other' does not"),
    (lambda made: setattr(made.links[0], 'name', None), '^A link has no name'),
    (lambda made: setattr(made.joints[0], 'type', 'unknown'), "the unknown type 'unknown'"),
    (lambda made: setattr(made.joints[0].origin, 'xyz', [1, 2]), 'has 2 numbers, 3 expected')])
def test_objects_that_are_no_robot(change, message):
    made = chain()
    change(made)
    with pytest.raises(DescriptionError, match=message):
        from_urdf_parser_py(made)


def test_missing_values():
    model = loads(robot(
        '<link name="a"/><link name="b"/><link name="c"/><link name="d"/>'
        '<joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
        '<limit lower="-1" upper="1"/><safety_controller k_velocity="1"/></joint>'
        '<joint name="k" type="continuous"><parent link="a"/><child link="c"/>'
        '<limit effort="1" velocity="2"/></joint>'
        '<joint name="l" type="planar"><parent link="a"/><child link="d"/>'
        '<limit effort="1" velocity="2"/></joint>'))
    made = to_urdf_parser_py(model)
    assert [(limit.lower, limit.upper, limit.effort) for limit in (
        joint.limit for joint in made.joints)] == [(-1, 1, None), (0, 0, 1), (0, 0, 1)]
    assert made.joints[0].safety_controller.soft_lower_limit == 0
    back = from_urdf_parser_py(made)
    assert back.joints['k'].limits.upper == back.joints['l'].limits.upper == math.inf
    assert back == what_is_held(model)


def test_prefixes_that_are_not_declared():
    model = loads(robot('<link name="a"/><gazebo><x:y z:w="1"/></gazebo>'))
    back = from_urdf_parser_py(to_urdf_parser_py(model))
    assert back.gazebo[0].find('x:y').attrib == {'z:w': '1'}


def test_transmissions():
    model = loads(robot("""<link name="a"/>
        <transmission name="old" type="pr2/Simple">
          <joint name="j"/><actuator name="m"/><mechanicalReduction>2</mechanicalReduction>
        </transmission>
        <transmission name="new"><type>transmission_interface/Simple</type>
          <joint name="j"><hardwareInterface>x</hardwareInterface></joint><joint name="k"/>
          <actuator name="m"><mechanicalReduction>${r}</mechanicalReduction></actuator>
        </transmission><transmission/>"""))
    made = to_urdf_parser_py(model)
    old, new, _ = made.transmissions
    assert (old.type, old.joint, old.mechanicalReduction) == ('pr2/Simple', 'j', 2.0)
    assert new.joints[0].hardwareInterfaces == ['x']
    assert new.actuators[0].mechanicalReduction is None
    assert from_urdf_parser_py(made).transmissions == model.transmissions


@pytest.mark.parametrize('rpy', [
    (0.3, -0.4, 0.5), (math.pi, 0.0, 0.0), (0.1, math.pi / 2, 0.2), (-0.1, -math.pi / 2, 0.7),
    (1.0, math.pi / 2 - 1e-9, 2.0), (3.0, math.pi / 2 + 1e-6, -2.0), (7.0, 50.0, -1000.0)])
def test_a_pose_that_was_changed(rpy):
    """The angles that are written are of another pose now."""
    model = loads(one_joint('<origin rpy="0.1 0.2 0.3"/>', 'fixed'))
    written, = to_urdf_parser_py(model).joints
    assert written.origin.rpy == [0.1, 0.2, 0.3]
    quaternion = quaternion_from_rpy(*rpy)
    joint = replace(model.joints['j'], origin=Pose((1.0, 2.0, 3.0), quaternion))
    made, = to_urdf_parser_py(replace(model, joints={'j': joint})).joints
    assert made.origin.xyz == [1.0, 2.0, 3.0]
    np.testing.assert_allclose(
        quaternion_to_matrix(quaternion_from_rpy(*made.origin.rpy)),
        quaternion_to_matrix(quaternion), atol=2e-15)


def test_loading_a_robot_does_not_import_it():
    code = ('import sys, urdf_tools; urdf_tools.loads(sys.argv[1]); '
            'print([name for name in ("lxml", "yaml", "urdf_parser_py") if name in sys.modules])')
    result = subprocess.run(
        [sys.executable, '-c', code, one_joint(LIMIT)], capture_output=True, text=True, check=True)
    assert result.stdout == '[]\n'
