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
"""Wrong names and arguments of the library, and what a notebook shows."""

from importlib import import_module
import inspect
from pathlib import Path
import pickle
import re

import numpy as np
import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE

import urdf_tools
from urdf_tools import Box
from urdf_tools import Collision
from urdf_tools import CompositeInertia
from urdf_tools import Cylinder
from urdf_tools import DescriptionError
from urdf_tools import Dynamics
from urdf_tools import ForwardKinematics
from urdf_tools import Inertial
from urdf_tools import InverseDynamics
from urdf_tools import InverseKinematics
from urdf_tools import Jacobian
from urdf_tools import Joint
from urdf_tools import JointType
from urdf_tools import KinematicTree
from urdf_tools import Limits
from urdf_tools import Link
from urdf_tools import load
from urdf_tools import loads
from urdf_tools import MassMatrix
from urdf_tools import Material
from urdf_tools import Mesh
from urdf_tools import Mimic
from urdf_tools import Pose
from urdf_tools import SpatialInertia
from urdf_tools import Sphere
from urdf_tools import UnknownNameError
from urdf_tools import validate
from urdf_tools import validates
from urdf_tools import Visual
from urdf_tools.cli.options import VERBS
from urdf_tools.meshes.facts import set_mesh_limits
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.model.spelling import other_names

INF = float('inf')
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
ARM = loads(f"""<robot name="arm"><link name="base"/><link name="upper"/><link name="tool0"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="upper"/>{LIMIT}</joint>
<joint name="slide" type="prismatic"><parent link="upper"/><child link="tool0"/>{LIMIT}</joint>
</robot>""")
TREE = KinematicTree(ARM)


@pytest.mark.parametrize('name, meant', [
    ('mesh_dir', 'robot.meshes(resources=...)'), ('mappings', 'arguments'),
    ('argument', 'arguments'), ('prefix', "arguments={'prefix': ...}")])
def test_unknown_arguments_of_load(name, meant):
    with pytest.raises(TypeError) as caught:
        load('robot.urdf', **{name: 'x'})
    assert str(caught.value) == f"load() takes no '{name}'. Did you mean {meant}?"


def test_a_robot_has_no_length_and_is_true():
    assert ARM
    with pytest.raises(TypeError, match=re.escape('Did you mean len(robot.links) or len(')):
        len(ARM)


def test_a_robot_has_no_items_and_a_package_is_no_function():
    for name, said in ('turn', 'joints'), ('base', 'links'):
        with pytest.raises(TypeError, match=re.escape(f"Did you mean robot.{said}['{name}']?")):
            ARM[name]
    with pytest.raises(TypeError, match=r"Did you mean urdf_tools.validate\('robot.urdf'\)"):
        import_module('urdf_tools.check')('robot.urdf')


def test_meshes_in_a_folder_that_is_given_for_a_package(tmp_path):
    (tmp_path / 'part.stl').write_bytes(binary_stl(CORNERS[CUBE]))
    robot = loads('<robot name="one"><link name="base"><visual><geometry>'
                  '<mesh filename="package://my_robot/part.stl"/></geometry></visual></link>'
                  '</robot>')
    assert [mesh.path for mesh in robot.meshes()] == [None]
    resources = urdf_tools.ResourceResolver(packages={'my_robot': tmp_path})
    assert [mesh.path for mesh in robot.meshes(resources)] == [tmp_path / 'part.stl']


@pytest.mark.parametrize('use, message', [
    (lambda: ForwardKinematics(ARM, ['tool']), "Link 'tool' does not exist. Did you mean 'tool0'?"
                                               ' Known are base, upper, tool0'),
    (lambda: ForwardKinematics(ARM).transform('tool', 'base', [0, 0]), "Did you mean 'tool0'?"),
    (lambda: Jacobian(ARM, 'tol0'), "Did you mean 'tool0'?"),
    (lambda: CompositeInertia(ARM, ['upperr']), "Did you mean 'upper'?"),
    (lambda: CompositeInertia(ARM, frame='bas'), "Did you mean 'base'?"),
    (lambda: InverseKinematics(ARM, 'tool'), "Did you mean 'tool0'?"),
    (lambda: InverseKinematics(ARM, {'tool0': 'pose'})({'tool': np.eye(4)}), 'to bring to a pose'),
    (lambda: InverseKinematics(ARM, {'tool0': 'pose', 'upper': 'pose'})({'upper': np.eye(4)}),
     "'tool0'"),
    (lambda: InverseDynamics(ARM)([0, 0], external={'tol0': [0] * 6}), "Did you mean 'tool0'?"),
    (lambda: TREE.configuration({'trun': 1}), "Variable 'trun' does not exist. Did you mean"),
    (lambda: TREE.velocity_index['turns'], "Did you mean 'turn'?"),
    (lambda: ARM.links['tool'], "Did you mean 'tool0'?"),
    (lambda: ARM.joints['Turn'], "Joint 'Turn' does not exist. Did you mean 'turn'?"),
    (lambda: ARM.materials['red'], "Material 'red' does not exist. There is no material"),
    (lambda: ARM.path('tool', 'base'), "Did you mean 'tool0'?"),
    (lambda: ARM.subtree('tool'), "Did you mean 'tool0'?"),
    (lambda: ARM.parent_joint['base'], "Link with a parent 'base' does not exist")])
def test_wrong_names(use, message):
    with pytest.raises(KeyError) as caught:
        use()
    assert message in str(caught.value)
    assert isinstance(caught.value, UnknownNameError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize('kind, use, message', [
    (TypeError, lambda: KinematicTree('arm.urdf'), "not of 'arm.urdf'; load one first"),
    (TypeError, lambda: ForwardKinematics('arm.urdf'), 'load one first'),
    (TypeError, lambda: CompositeInertia(None), 'not of None; load one first'),
    (TypeError, lambda: Jacobian(ARM, 'tool0')(['turn', 'slide']),
     "or a dict such as {'turn': 0.5}, not ['turn', 'slide']; the variables are turn, slide"),
    (ValueError, lambda: ForwardKinematics(ARM)([1, 2, 3]),
     'positions have the shape (3,); expected (2,) or (B, 2), of turn, slide'),
    (TypeError, lambda: TREE.configuration('turn'), "a dict such as {'turn': 0.5}, not 'turn'"),
    (TypeError, lambda: ARM.joints['turn'].with_limit(uper=1), 'uper'),
    (ValueError, lambda: Joint('j', 'fixd', 'a', 'b'), "Did you mean 'fixed'?")])
def test_wrong_arguments(kind, use, message):
    with pytest.raises(kind) as caught:
        use()
    assert message in str(caught.value)


@pytest.mark.parametrize('use, message', [
    (lambda: ARM.linkz, "Robot has no attribute 'linkz'. Did you mean 'links'?"),
    (lambda: ARM.qwertz, "Robot has no attribute 'qwertz'"),
    (lambda: ARM.joints['turn'].limit.uper, "no attribute 'uper'. Did you mean 'upper'?"),
    (lambda: TREE.variable_nams, "Did you mean 'variable_names'?"),
    (lambda: urdf_tools.vallidate, "urdf_tools has no attribute 'vallidate'. Did you mean")])
def test_wrong_attributes(use, message):
    with pytest.raises(AttributeError) as caught:
        use()
    assert str(caught.value).startswith(message) or message in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_other_names_lead_to_what_there_is():
    """Each name that another library has for something is not taken, and what is named works."""
    robot = ARM.replace(
        Joint('turn', 'revolute', 'base', 'upper', limits=Limits(-1, 1, 1, 1),
              dynamics=Dynamics(0.1), mimic=Mimic('slide')),
        Link('base', Inertial(1.0), (Visual(Box((1, 1, 1)), Pose()),)))
    report = validates(robot.document)
    samples = {
        'Robot': robot, 'Joint': robot.joints['turn'], 'Link': robot.links['base'],
        'Inertial': Inertial(1.0), 'Pose': Pose(), 'Material': Material('red'), 'Mesh': Mesh('a'),
        'Box': Box((1, 1, 1)), 'Sphere': Sphere(1), 'Cylinder': Cylinder(1, 1),
        'KinematicTree': TREE, 'Limits': Limits(-1, 1), 'Visual': Visual(Box((1, 1, 1))),
        'Collision': Collision(Box((1, 1, 1))), 'Report': report, 'Finding': report.findings[0],
        'CompositeInertia': CompositeInertia(ARM), 'SpatialInertia': SpatialInertia.zero(),
        'InverseKinematics': InverseKinematics(ARM, 'tool0'), 'Jacobian': Jacobian(ARM, 'tool0'),
        'MassMatrix': MassMatrix(ARM), 'InverseDynamics': InverseDynamics(ARM),
        'ForwardKinematics': ForwardKinematics(ARM), 'urdf_tools': urdf_tools}
    known = {'urdf_tools': urdf_tools, 'robot': robot, 'link': 'tool0', 'target': np.eye(4),
             'q': {}}
    taken = inspect.signature(load).parameters
    for owner, names in other_names().items():
        for other, ours in names.items():
            expression = ours.replace('[...]', '[0]').replace('=...', '=None')
            if owner == 'load':
                assert other not in taken
                assert ours in taken or eval(expression, known) is not None
            elif ours.startswith('urdf-tools '):
                assert ours.removeprefix('urdf-tools ') in VERBS, ours
            else:
                found = getattr(samples[owner], other, None)
                assert found is None or inspect.ismodule(found), (owner, other)
                if not re.match(r'(urdf_tools|robot)\.', ours):
                    expression = f'sample.{expression}'
                eval(expression, {**known, 'sample': samples[owner]})


@pytest.mark.parametrize('use, message', [
    (lambda: urdf_tools.Robot.load, "no attribute 'load'. Did you mean 'urdf_tools.load'?"),
    (lambda: Pose.from_matix, "Pose has no attribute 'from_matix'"),
    (lambda: TREE.lower, "Did you mean 'position_lower'?"),
    (lambda: TREE.random, "Did you mean 'random_configuration()'?"),
    (lambda: ARM.inertia, "Did you mean 'urdf_tools.CompositeInertia'?"),
    (lambda: urdf_tools.ik, "Did you mean 'InverseKinematics'?"),
    (lambda: urdf_tools.diff, "Did you mean 'urdf-tools diff'?"),
    (lambda: InverseKinematics(ARM, 'tool0').solve, 'InverseKinematics(robot, link)(target)'),
    (lambda: validates(ARM.document).errors, "'at_least(urdf_tools.Severity.ERROR)'")])
def test_what_is_meant_by_names_of_other_libraries(use, message):
    with pytest.raises(AttributeError, match=re.escape(message)):
        use()


def test_a_robot_is_validated_by_its_document():
    with pytest.raises(TypeError, match=re.escape('Did you mean validates(robot.document)?')):
        validate(ARM)
    assert validates(ARM.document).robot == 'arm'


def test_random_configurations_need_no_generator():
    lower, upper = TREE.ranges()
    assert ((lower <= TREE.random_configuration()) & (TREE.random_configuration() <= upper)).all()
    assert TREE.random_configuration(count=3).shape == (3, 2)


def test_robots_answer_by_name():
    assert ARM.link_names == ('base', 'upper', 'tool0') and ARM.joint_names == ('turn', 'slide')
    assert ARM.actuated_joint_names == ('turn', 'slide') and ARM.nq == ARM.nv == 2
    assert ARM.links[0] is ARM.links['base'] and ARM.joints[-1] is ARM.joints['slide']
    with pytest.raises(IndexError):
        ARM.links[3]
    assert not [name for name in dir(ARM) if name.startswith('_')]
    assert ARM.mass == 0 and loads(ARM.to_xml()) == ARM


def test_poses_by_name_and_by_index():
    by_array = ForwardKinematics(ARM)([np.pi / 2, 0.3])
    for q in ({'turn': np.pi / 2, 'slide': 0.3}, [np.pi / 2, 0.3]):
        poses = ARM.fk(q)
        np.testing.assert_array_equal(poses['tool0'], by_array[2])
        np.testing.assert_array_equal(poses[-1], by_array[2])
        np.testing.assert_array_equal(ForwardKinematics(ARM, 'tool0')(q), by_array[2:])
    for q in ({'turn': 90, 'slide': 0.3}, [90, 0.3], [[90, 0.3]]):
        poses = ARM.fk(q, degrees=True)
        np.testing.assert_allclose(poses['tool0'].squeeze(), by_array[2], atol=1e-15)
    np.testing.assert_array_equal(
        ARM.get_transform('tool0', 'upper', {'slide': 0.3})[:3, 3], (0.3, 0, 0))
    np.testing.assert_array_equal(ARM.get_transform('tool0', q={'slide': 0.3})[:3, 3], (0.3, 0, 0))
    with pytest.raises(KeyError, match="Did you mean 'turn'"):
        ARM.fk({'trun': 1})


def test_limits_of_a_joint(tmp_path):
    robot = ARM.replace(ARM.joints['turn'].with_limit(upper=0.5, effort=None))
    assert robot.joints['turn'].limit == Limits(-1, 0.5, None, 1)
    assert robot.joints['slide'] == ARM.joints['slide']
    joint = Joint('j', 'continuous', 'a', 'b')
    assert joint.limit is None and joint.with_limit(effort=3).limit == Limits(-INF, INF, 3)
    robot.save(tmp_path / 'made.urdf')
    assert load(tmp_path / 'made.urdf') == robot
    assert robot.to_xml() == (tmp_path / 'made.urdf').read_text()


def test_a_missing_file_is_both_errors(tmp_path):
    for kind in (FileNotFoundError, OSError, DescriptionError):
        with pytest.raises(kind, match='Cannot read .*gone.urdf') as caught:
            load(tmp_path / 'gone.urdf')
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(DescriptionError) as caught:
        load(tmp_path)
    assert not isinstance(caught.value, FileNotFoundError)


def test_arguments_of_plain_types(tmp_path):
    path = tmp_path / 'arm.xacro'
    path.write_text("""<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="hand" default="false"/><xacro:arg name="length" default="1"/>
<xacro:arg name="side" default=""/><link name="a"/>
<xacro:if value="$(arg hand)"><link name="$(arg side)hand"/><joint name="j" type="fixed">
<parent link="a"/><child link="$(arg side)hand"/><origin xyz="${2 * $(arg length)} 0 0"/></joint>
</xacro:if></robot>""")
    robot = load(path, arguments={'hand': True, 'length': 0.25, 'side': Path('left')})
    assert robot.joints['j'].child == 'lefthand' and robot.joints['j'].origin.xyz == (0.5, 0, 0)
    assert load(path, arguments={'hand': False}).link_names == ('a',)
    assert validate(path, arguments={'hand': False, 'length': 2}).valid
    with pytest.raises(TypeError, match='side'):
        load(path, arguments={'side': ['left']})


def test_types_of_joints_as_text():
    assert Joint('j', 'fixed', 'a', 'b').type is JointType.FIXED
    assert Joint('j', 'fixed', 'a', 'b') == Joint('j', JointType.FIXED, 'a', 'b')


def test_names_are_still_a_mapping():
    assert ARM.links.get('tool') is None and 'tool' not in ARM.links
    assert TREE.variable_index == {'turn': 0, 'slide': 1}
    assert ARM.links._ipython_key_completions_() == ['base', 'upper', 'tool0']


@pytest.mark.slow
def test_texts_fit_on_a_line(corpus_robot):
    robot = corpus_robot.robot
    tree = KinematicTree(robot)
    for value in (robot, tree, ForwardKinematics(tree), Jacobian(tree, robot.root), robot.links,
                  robot.joints, tree.variable_index, validates(robot.document.data)):
        assert '\n' not in repr(value) and len(repr(value)) < 200
    assert str(len(robot.links)) in repr(robot)


def test_meshes(tmp_path):
    (tmp_path / 'box.stl').write_bytes(binary_stl(CORNERS[CUBE] - 0.5))
    (tmp_path / 'arm.urdf').write_text(
        '<robot name="r"><link name="a"><visual><origin xyz="0 0 5"/><geometry>'
        '<mesh filename="box.stl" scale="2 1 1"/></geometry></visual><collision><geometry>'
        '<mesh filename="gone.stl"/></geometry></collision></link></robot>')
    box, gone = load(tmp_path / 'arm.urdf').meshes()
    assert (box.link, box.path, box.error) == ('a', tmp_path / 'box.stl', '')
    np.testing.assert_allclose(box.vertices.min(axis=0), (-1, -0.5, 4.5))
    np.testing.assert_allclose(box.vertices.max(axis=0), (1, 0.5, 5.5))
    assert (box.vertices.shape, box.faces.shape) == ((8, 3), (12, 3))
    assert gone.path is None and 'gone.stl' in gone.error
    with pytest.raises(FileNotFoundError, match=r'gone\.stl'):
        gone.vertices


def test_meshes_are_read_within_limits(tmp_path):
    (tmp_path / 'box.stl').write_bytes(binary_stl(CORNERS[CUBE]))
    (tmp_path / 'text.ply').write_text('ply')
    shapes = ''.join(f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
                     for name in ('box.stl', 'text.ply'))
    (tmp_path / 'arm.urdf').write_text(f'<robot name="r"><link name="a">{shapes}</link></robot>')
    large, unknown = load(tmp_path / 'arm.urdf').meshes()
    try:
        set_mesh_limits(MeshLimits(triangles=10))
        with pytest.raises(MeshError, match='more than 10 triangles'):
            large.vertices
    finally:
        set_mesh_limits(MeshLimits())
    assert len(large.faces) == 12
    with pytest.raises(MeshError, match=r"format '\.ply'"):
        unknown.faces


def test_units_of_meshes(tmp_path):
    (tmp_path / 'm.dae').write_text("""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>
<unit name="mm" meter="0.001"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="f" count="9">
0 0 0 1000 0 0 0 2000 0</float_array><technique_common><accessor source="#f" count="3" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/>
</vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p>
</triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s">
<node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>""")
    (tmp_path / 'arm.urdf').write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="m.dae"/></geometry>'
        '</visual></link></robot>')
    mesh, = load(tmp_path / 'arm.urdf').meshes()
    np.testing.assert_allclose(mesh.vertices.max(axis=0), (1, 2, 0))


def test_exported_names_have_these():
    assert {'JointType', 'Pose', 'Visual', 'Collision', 'Mesh', 'Box', 'Constraint',
            'InverseKinematicsResult'} <= {*urdf_tools.__all__}
