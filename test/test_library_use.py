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

import pickle

import numpy as np
import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE

import urdf_tools
from urdf_tools import CompositeInertia
from urdf_tools import ForwardKinematics
from urdf_tools import InverseDynamics
from urdf_tools import InverseKinematics
from urdf_tools import Jacobian
from urdf_tools import Joint
from urdf_tools import JointType
from urdf_tools import KinematicTree
from urdf_tools import load
from urdf_tools import loads
from urdf_tools import UnknownNameError
from urdf_tools import validates
from urdf_tools.meshes.facts import set_mesh_limits
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
ARM = loads(f"""<robot name="arm"><link name="base"/><link name="upper"/><link name="tool0"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="upper"/>{LIMIT}</joint>
<joint name="slide" type="prismatic"><parent link="upper"/><child link="tool0"/>{LIMIT}</joint>
</robot>""")
TREE = KinematicTree(ARM)


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
    (TypeError, lambda: ForwardKinematics(ARM, 'tool0'), "such as ['tool0'], not 'tool0'"),
    (TypeError, lambda: CompositeInertia(ARM, 'tool0'), "such as ['tool0']"),
    (TypeError, lambda: ForwardKinematics(ARM)({'turn': 1.0}),
     "an array of 2 real numbers, not {'turn': 1.0}; use tree.configuration({'turn': 0.5})"),
    (TypeError, lambda: Jacobian(ARM, 'tool0')(['turn', 'slide']), 'they are turn, slide'),
    (ValueError, lambda: ForwardKinematics(ARM)([1, 2, 3]),
     'positions have the shape (3,); expected (2,) or (B, 2), of turn, slide'),
    (TypeError, lambda: TREE.configuration([1, 2]), "a dict, such as {'turn': 0.5}, not [1, 2]"),
    (ValueError, lambda: Joint('j', 'fixd', 'a', 'b'), "Did you mean 'fixed'?")])
def test_wrong_arguments(kind, use, message):
    with pytest.raises(kind) as caught:
        use()
    assert message in str(caught.value)


def test_types_of_joints_as_text():
    assert Joint('j', 'fixed', 'a', 'b').type is JointType.FIXED
    assert Joint('j', 'fixed', 'a', 'b') == Joint('j', JointType.FIXED, 'a', 'b')


def test_names_are_still_a_mapping():
    assert ARM.links.get('tool') is None and 'tool' not in ARM.links
    assert TREE.variable_index == {'turn': 0, 'slide': 1}
    assert ARM.links._ipython_key_completions_() == ['base', 'upper', 'tool0']


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
