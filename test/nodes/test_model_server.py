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

"""The model server from outside: every service, with and without a model, and bad requests."""

import math
from pathlib import Path
import re
import signal

from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import Point32
from geometry_msgs.msg import Transform
from geometry_msgs.msg import Twist
from geometry_msgs.msg import Vector3
import numpy as np
import pytest
from rcl_interfaces.msg import Parameter
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.srv import SetParameters
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState
from shape_msgs.msg import SolidPrimitive
from urdf_tools import validates
from urdf_tools.findings.message import as_texts
from urdf_tools_interfaces.srv import ComputeInertia
from urdf_tools_interfaces.srv import ConvertToSdf
from urdf_tools_interfaces.srv import GetInertia
from urdf_tools_interfaces.srv import GetJacobian
from urdf_tools_interfaces.srv import GetLinkTransforms
from urdf_tools_interfaces.srv import ValidateModel

ROBOT = """
<robot name="crane">
  <link name="base">
    <inertial><mass value="2"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>
  </link>
  <link name="arm">
    <inertial><origin xyz="0.5 0 0"/><mass value="1"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial>
  </link>
  <link name="tool"/>
  <link name="finger"/>
  <link name="ball"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 1"/><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/>
  </joint>
  <joint name="mount" type="fixed">
    <origin xyz="1 0 0"/><parent link="arm"/><child link="tool"/>
  </joint>
  <joint name="grip" type="continuous">
    <parent link="tool"/><child link="finger"/><axis xyz="0 0 1"/><mimic joint="shoulder"/>
  </joint>
  <joint name="rope" type="floating"><parent link="tool"/><child link="ball"/></joint>
</robot>
"""
FACES = (
    ('0 0 0', '0 1 0', '1 0 0'), ('0 0 0', '1 0 0', '0 0 1'),
    ('0 0 0', '0 0 1', '0 1 0'), ('1 0 0', '0 1 0', '0 0 1'))
WAITING = 'Waiting for a robot description on /robot_description'
NAMES = {
    ComputeInertia: 'compute_inertia',
    GetInertia: 'get_inertia',
    GetJacobian: 'get_jacobian',
    GetLinkTransforms: 'get_link_transforms',
    ValidateModel: 'validate'}
CORNER = math.pi / 2


def stl(faces):
    """Return a mesh file."""
    return '\n'.join((
        'solid t',
        *('facet normal 0 0 0\nouter loop\nvertex {}\nvertex {}\nvertex {}\nendloop\nendfacet'
          .format(*face) for face in faces),
        'endsolid t'))


def state(**positions):
    return JointState(name=[*positions], position=[float(p) for p in positions.values()])


def poses(**positions):
    message = MultiDOFJointState(joint_names=[*positions])
    for x, y, z in positions.values():
        message.transforms.append(Transform(translation=Vector3(x=x, y=y, z=z)))
    return message


def primitive(kind, *dimensions):
    return SolidPrimitive(type=kind, dimensions=list(dimensions))


BOX = primitive(SolidPrimitive.BOX, 1.0, 2.0, 3.0)


def translations(response):
    return {transform.child_frame_id: xyz(transform.transform.translation)
            for transform in response.transforms}


def xyz(vector):
    return pytest.approx((vector.x, vector.y, vector.z), abs=1e-12)


@pytest.fixture(scope='module')
def meshes(tmp_path_factory):
    """Return a folder with a Gazebo model, and a mesh beside it that belongs to no model."""
    folder = tmp_path_factory.mktemp('meshes')
    (folder / 'models' / 'tetrahedron').mkdir(parents=True)
    (folder / 'models' / 'tetrahedron' / 'mesh.stl').write_text(stl(FACES))
    (folder / 'models' / 'tetrahedron' / 'open.stl').write_text(stl(FACES[1:]))
    (folder / 'secret.stl').write_text(stl(FACES))
    return folder


@pytest.fixture(scope='module')
def server(nodes, meshes):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv('GZ_SIM_RESOURCE_PATH', str(meshes / 'models'))
        return nodes.start(
            'model_server', {'diagnostic_updater.period': 0.05, 'joint_timeout': 0.0})


@pytest.fixture(scope='module')
def call(server, client):
    """Return a function that calls a service of the server by its type."""
    def call(kind, **fields):
        return client.call(kind, f'model_server/{NAMES[kind]}', **fields)
    return call


@pytest.fixture(scope='module')
def crane(call, client):
    """Give the server its model, after it has answered without one; return ``call``."""
    for kind in (GetLinkTransforms, GetInertia, GetJacobian, ValidateModel):
        response = call(kind)
        assert (response.success, response.message) == (False, WAITING)
    assert call(ComputeInertia, primitive=BOX, mass=1.0).success
    assert call(ValidateModel, description=ROBOT).success
    client.describe(ROBOT)
    client.status('model_server: Model', lambda status: status.level == DiagnosticStatus.OK)
    return call


def test_link_transforms_use_positions_given_received_or_zero(crane, client):
    response = crane(GetLinkTransforms)
    assert response.success
    assert response.message.startswith('Never received, so taken as zero: shoulder, rope/trans_x')
    assert {t.header.frame_id for t in response.transforms} == {'base'}
    assert [t.header.stamp.sec for t in response.transforms] == [0] * 5
    assert translations(response) == {
        'base': (0, 0, 0), 'arm': (0, 0, 1), 'tool': (1, 0, 1), 'finger': (1, 0, 1),
        'ball': (1, 0, 1)}

    message = state(shoulder=CORNER, stranger=1.0)
    message.header.stamp.sec = 5
    publisher = client.node.create_publisher(JointState, 'joint_states', qos_profile_sensor_data)
    client.status('model_server: Joint states', lambda status: any(
        value.key == 'Publishers' and value.value == '1' for value in status.values))
    publisher.publish(message)
    client.status('model_server: Joint states', lambda status: any(
        value.key == 'Messages' and value.value == '1' for value in status.values))
    received = crane(GetLinkTransforms, links=['finger', 'tool'])
    assert [t.child_frame_id for t in received.transforms] == ['finger', 'tool']
    assert received.transforms[0].header.stamp.sec == 5
    assert translations(received)['tool'] == (0, 1, 1)
    # The finger turns with the shoulder and mimics it, half a turn in all.
    rotation = received.transforms[0].transform.rotation
    assert (rotation.z, rotation.w) == pytest.approx((1.0, 0.0), abs=1e-12)

    given = crane(
        GetLinkTransforms, links=['ball', 'base'], frame_id='tool',
        joint_state=state(shoulder=-CORNER, grip=-CORNER),
        multi_dof_joint_state=poses(rope=(0.0, 0.0, -2.0)))
    assert given.message == ''
    assert {t.header.frame_id for t in given.transforms} == {'tool'}
    assert given.transforms[0].header.stamp.sec == 0
    assert translations(given) == {'ball': (0, 0, -2), 'base': (-1, 0, -1)}

    publisher = client.node.create_publisher(
        MultiDOFJointState, 'multi_dof_joint_states', qos_profile_sensor_data)
    message = poses(rope=(0.0, 0.0, -3.0), stranger=(0.0, 0.0, 0.0), shoulder=(0.0, 0.0, 0.0))
    message.joint_names.append('rope')
    message.transforms.append(Transform(translation=Vector3(x=math.nan)))
    message.header.stamp.sec = 6
    # Until the server has discovered the publisher, messages are lost.
    timer = client.node.create_timer(0.05, lambda: publisher.publish(message))
    client.status('model_server: Joint states', lambda status: {
        'Values skipped: not planar or floating', 'Values skipped: duplicate'}
        <= {value.key for value in status.values})
    client.node.destroy_timer(timer)
    hanging = crane(GetLinkTransforms, links=['ball'], frame_id='tool')
    assert (translations(hanging), hanging.message) == ({'ball': (0, 0, -3)}, '')
    assert hanging.transforms[0].header.stamp.sec == 6

    # A description that is refused changes nothing, and the next keeps the positions.
    client.describe(ROBOT[:-20])
    client.status('model_server: Model', lambda status: status.level == DiagnosticStatus.ERROR)
    assert translations(crane(GetLinkTransforms, links=['tool']))['tool'] == (0, 1, 1)
    client.describe(ROBOT.replace('name="crane"', 'name="other_crane"'))
    client.status('model_server: Model', lambda status: status.level == DiagnosticStatus.OK)
    assert translations(crane(GetLinkTransforms, links=['tool', 'ball'])) == {
        'tool': (0, 1, 1), 'ball': (0, 1, -2)}


def test_age_of_joint_states_and_limits_are_remarked_on(own_nodes, own_client):
    own_nodes.start('model_server', {'joint_timeout': 0.05})
    own_client.describe(ROBOT.replace('type="floating"', 'type="fixed"'))

    def ask(kind=GetInertia, **fields):
        return own_client.call(kind, f'model_server/{NAMES[kind]}', **fields)

    first = own_client.wait_for(
        lambda: (answer := ask()).success and answer, 'the description')
    assert (first.joint_state_age, first.stale) == (0.0, False)
    assert first.message == 'Never received, so taken as zero: shoulder'
    publisher = own_client.node.create_publisher(
        JointState, 'joint_states', qos_profile_sensor_data)
    timer = own_client.node.create_timer(0.01, lambda: publisher.publish(state(shoulder=3.5)))
    fresh = own_client.wait_for(
        lambda: not (answer := ask()).message.startswith('Never') and not answer.stale
        and answer, 'joint states')
    assert 0 < fresh.joint_state_age <= 0.05
    assert fresh.message == 'Positions outside limits: shoulder'
    own_client.node.destroy_timer(timer)
    for kind in (GetInertia, GetLinkTransforms, GetJacobian):
        stale = own_client.wait_for(
            lambda kind=kind: (answer := ask(kind)).stale and answer, 'staleness')
        assert stale.joint_state_age > 0.05
        assert re.match(r'Joint states are stale: a position is \d+\.\d s old; Positions outside',
                        stale.message)
    given = ask(joint_state=state(shoulder=0.0))
    assert (given.joint_state_age, given.stale, given.message) == (0.0, False, '')


@pytest.mark.parametrize('kind', [GetInertia, GetJacobian, GetLinkTransforms])
def test_position_of_a_mimic_joint_may_not_contradict_its_leader(crane, kind):
    assert crane(kind, joint_state=state(shoulder=0.5, grip=0.5)).success
    refused = crane(kind, joint_state=state(shoulder=0.5, grip=0.7))
    assert (refused.success, refused.message) == (
        False, "Joint 'grip' mimics 'shoulder', so its position is 0.5, but 0.7 was given; "
        "give only the position of 'shoulder'")


def test_velocity_of_a_mimic_joint_may_not_contradict_its_leader(crane):
    joints = state(shoulder=0.5, grip=0.5)
    joints.velocity = [2.0, 2.0]
    assert crane(GetJacobian, joint_state=joints).success
    joints.velocity = [2.0, 1.0]
    refused = crane(GetJacobian, joint_state=joints)
    assert not refused.success
    assert 'its velocity is 2, but 1 was given' in refused.message


def test_positions_that_overflow_are_refused(crane):
    refused = crane(
        GetLinkTransforms, joint_state=state(shoulder=0.785),
        multi_dof_joint_state=poses(rope=(1.7e308, 1.7e308, 1.7e308)))
    assert not refused.success
    assert 'too large' in refused.message


def test_frames_have_the_prefix(own_nodes, own_client):
    own_nodes.start('model_server', {'frame_prefix': 'left/'})
    own_client.describe(ROBOT)

    def ask(kind, **fields):
        return own_client.wait_for(
            lambda: (answer := own_client.call(kind, f'model_server/{NAMES[kind]}', **fields))
            .success and answer, 'an answer')

    poses = ask(GetLinkTransforms, links=['arm', 'left/tool'], frame_id='left/base').transforms
    assert [(t.header.frame_id, t.child_frame_id) for t in poses] == [
        ('left/base', 'left/arm'), ('left/base', 'left/tool')]
    assert ask(GetInertia, link='left/arm').inertia.header.frame_id == 'left/arm'
    assert ask(GetJacobian, link='arm').header.frame_id == 'left/arm'
    assert ask(GetJacobian, link='arm', reference_frame=1).header.frame_id == 'left/base'


def test_long_texts_are_refused(own_nodes, own_client):
    own_nodes.start('model_server', {'max_request_size': 1000})

    def ask(**fields):
        return own_client.call(ValidateModel, 'model_server/validate', **fields)

    text = '<robot name="r"><link name="a"/></robot>'
    refused = 'The request has 1001 bytes of text; the parameter max_request_size allows 1000'
    assert ask(description=text.ljust(1000)).success
    assert ask(description=text.ljust(1001)).message == refused
    assert not ask(description=text, ignore=['x' * 500] * 2).success
    assert own_client.call(ConvertToSdf, 'model_server/convert_to_sdf', description='x' * 999,
                           target='14').message == refused


def test_inertia_of_links_and_subtrees(crane):
    arm = crane(GetInertia, link='arm')
    inertia = arm.inertia.inertia
    assert (arm.success, arm.inertia.header.frame_id) == (True, 'arm')
    assert (inertia.m, xyz(inertia.com)) == (1.0, (0.5, 0, 0))
    assert (inertia.ixx, inertia.iyy, inertia.izz) == pytest.approx((0.1, 0.2, 0.25))
    assert xyz(arm.principal_moments) == (0.1, 0.2, 0.25)
    assert not arm.links_without_mass

    whole = crane(
        GetInertia, include_subtree=True, joint_state=state(shoulder=CORNER),
        multi_dof_joint_state=poses(rope=(0.0, 0.0, 0.0)))
    inertia = whole.inertia.inertia
    assert whole.inertia.header.frame_id == 'base'
    assert whole.links_without_mass == ['tool', 'finger', 'ball']
    assert (inertia.m, xyz(inertia.com)) == (3.0, (0, 0.5 / 3, 1 / 3))
    # Computed by hand: both bodies about x, and a reduced mass of 2/3 kg at their distance.
    assert inertia.ixx == pytest.approx(1 + 0.2 + 2 / 3 * (0.5 ** 2 + 1))

    seen_from_tool = crane(
        GetInertia, include_subtree=True, frame_id='tool', joint_state=state(shoulder=CORNER),
        multi_dof_joint_state=poses(rope=(0.0, 0.0, 0.0))).inertia
    assert seen_from_tool.header.frame_id == 'tool'
    assert xyz(seen_from_tool.inertia.com) == (0.5 / 3 - 1, 0, 1 / 3 - 1)
    assert seen_from_tool.inertia.iyy == pytest.approx(inertia.ixx)

    tool = crane(GetInertia, link='tool')
    assert (tool.success, tool.inertia.inertia.m) == (True, 0.0)
    assert tool.links_without_mass == ['tool']


def test_jacobian_and_twist(crane):
    """The tool is 1 m from the shoulder, and the ball moves with its rope."""
    at_corner = state(shoulder=CORNER)
    at_corner.velocity = [2.0]
    rope = poses(rope=(0.0, 0.0, 0.0))
    rope.twist = [Twist(linear=Vector3(z=0.5), angular=Vector3(x=3.0))]
    names = ['shoulder', *(f'rope/{part}_{axis}' for part in ('linear', 'angular')
                           for axis in 'xyz')]

    def jacobian(**fields):
        response = crane(
            GetJacobian, joint_state=at_corner, multi_dof_joint_state=rope, **fields)
        assert (response.success, response.message) == (True, '')
        assert response.velocity_names == names
        return response, np.array(response.jacobian).reshape(6, len(names))

    tool, columns = jacobian(link='tool', reference_frame=GetJacobian.Request.LOCAL_WORLD_ALIGNED)
    assert tool.header.frame_id == 'base'
    assert columns[:, 0] == pytest.approx([-1, 0, 0, 0, 0, 1], abs=1e-12)
    assert not columns[:, 1:].any()
    assert xyz(tool.twist.linear) == (-2, 0, 0)
    assert xyz(tool.twist.angular) == (0, 0, 2)

    ball, columns = jacobian(link='ball')
    assert ball.header.frame_id == 'ball'
    assert columns == pytest.approx(np.column_stack([[0, 1, 0, 0, 0, 1], np.eye(6)]), abs=1e-12)
    assert xyz(ball.twist.linear) == (0, 2, 0.5)
    assert xyz(ball.twist.angular) == (3, 0, 2)

    world, columns = jacobian(link='tool', reference_frame=GetJacobian.Request.WORLD)
    assert world.header.frame_id == 'base'
    assert columns[:, 0] == pytest.approx([0, 0, 0, 0, 0, 1], abs=1e-12)
    assert not crane(GetJacobian).jacobian[0]


def test_inertia_of_primitives(crane):
    box = crane(ComputeInertia, primitive=BOX, density=2.0)
    assert (box.success, box.volume, box.inertia.m) == (True, 6.0, 12.0)
    assert (box.inertia.ixx, box.inertia.iyy, box.inertia.izz) == pytest.approx((13, 10, 5))
    assert xyz(box.principal_moments) == (5, 10, 13)
    cylinder = crane(
        ComputeInertia, primitive=primitive(SolidPrimitive.CYLINDER, 2.0, 0.5), mass=3.0)
    assert cylinder.volume == pytest.approx(math.pi / 2)
    assert cylinder.inertia.izz == pytest.approx(3 * 0.5 ** 2 / 2)
    sphere = crane(ComputeInertia, primitive=primitive(SolidPrimitive.SPHERE, 0.5), mass=1.0)
    assert sphere.inertia.ixx == pytest.approx(0.1)
    cone = crane(ComputeInertia, primitive=primitive(SolidPrimitive.CONE, 2.0, 0.5), mass=10.0)
    assert cone.volume == pytest.approx(math.pi / 6)
    assert xyz(cone.inertia.com) == (0, 0, -0.5)
    assert cone.inertia.izz == pytest.approx(3 * 0.5 ** 2)
    prism = primitive(SolidPrimitive.PRISM, 2.0)
    prism.polygon.points = [Point32(x=x, y=y) for x, y in ((0., 0.), (3., 0.), (0., 3.))]
    prism = crane(ComputeInertia, primitive=prism, density=2.0)
    assert (prism.volume, prism.inertia.m) == pytest.approx((9, 18))
    assert xyz(prism.inertia.com) == (1, 1, 0)


def test_inertia_of_meshes_in_packages(crane, meshes):
    mesh = crane(ComputeInertia, mesh_resource='model://tetrahedron/mesh.stl', density=12.0)
    assert (mesh.success, mesh.message, mesh.convex_hull) == (True, '', False)
    assert (mesh.volume, mesh.inertia.m) == pytest.approx((1 / 6, 2))
    assert xyz(mesh.inertia.com) == (0.25, 0.25, 0.25)
    scaled = crane(
        ComputeInertia, mesh_resource='model://tetrahedron/mesh.stl', mass=1.0,
        mesh_scale=Vector3(x=2.0, y=1.0, z=1.0))
    assert xyz(scaled.inertia.com) == (0.5, 0.25, 0.25)
    pytest.importorskip('scipy')
    hull = crane(ComputeInertia, mesh_resource='model://tetrahedron/open.stl', density=12.0)
    assert (hull.success, hull.convex_hull) == (True, True)
    assert hull.message == 'The convex hull was used: the mesh is not closed'
    assert hull.inertia.m == pytest.approx(2)


def test_mesh_beyond_a_limit(crane, client):
    uri = 'model://tetrahedron/mesh.stl'
    for limits, words in (('triangles=3', 'more than 3 triangles (limit triangles)'), ('', '')):
        value = ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=limits)
        client.call(SetParameters, 'model_server/set_parameters', parameters=[
            Parameter(name='mesh_limits', value=value)])
        mesh = crane(ComputeInertia, mesh_resource=uri, density=12.0)
        assert mesh.success is not bool(words)
        assert words in mesh.message


def test_meshes_outside_of_packages_are_not_read(crane, meshes):
    for uri in ('model://tetrahedron/../../secret.stl', f'file://{meshes}/secret.stl',
                f'{meshes}/secret.stl', 'package://nowhere/mesh.stl', 'http://[/x.stl', '\x01'):
        refused = crane(ComputeInertia, mesh_resource=uri, mass=1.0)
        assert not refused.success and refused.inertia.m == 0.0
        assert refused.message.startswith('The inertia of the mesh cannot be computed: ')
        assert 'secret' not in refused.message.replace(uri, '')


BAD_REQUESTS = [
    (GetLinkTransforms, {'links': ['tol']}, "Link 'tol' does not exist. Did you mean 'tool'?"),
    (GetLinkTransforms, {'frame_id': 'x' * 100_000}, 'Link '),
    (GetInertia, {'link': 'Arm'}, "Link 'Arm' does not exist. Did you mean 'arm'?"),
    (GetInertia, {'frame_id': 'world'}, "Link 'world' does not exist"),
    (GetInertia, {'joint_state': state(sholder=1)},
     "Joint 'sholder' does not exist. Did you mean 'shoulder'?"),
    (GetInertia, {'joint_state': JointState(name=['shoulder'], position=[])},
     'There are 1 joint names but 0 positions'),
    (GetInertia, {'joint_state': JointState(name=['shoulder'] * 2, position=[0.0, 1.0])},
     "Joint 'shoulder' is given more than once"),
    (GetInertia, {'joint_state': state(shoulder=math.nan)},
     "The position of joint 'shoulder' is nan"),
    (GetInertia, {'joint_state': state(mount=1)},
     "Joint 'mount' is fixed and has no single position; it has none"),
    (GetInertia, {'joint_state': state(rope=1)},
     "Joint 'rope' is floating and has no single position; give its pose in"),
    (GetInertia, {'multi_dof_joint_state': poses(shoulder=(0.0, 0.0, 0.0))},
     "Joint 'shoulder' is revolute and takes no transform"),
    (GetInertia, {'multi_dof_joint_state': poses(rope=(0.0, math.inf, 0.0))},
     "The transform of joint 'rope' is not a valid pose"),
    (GetInertia, {'multi_dof_joint_state': MultiDOFJointState(joint_names=['rope'])},
     'There are 1 joint names but 0 transforms'),
    (GetJacobian, {'link': 'Arm'}, "Link 'Arm' does not exist. Did you mean 'arm'?"),
    (GetJacobian, {'reference_frame': 3}, 'Reference frame 3 is unknown'),
    (GetJacobian, {'joint_state': JointState(
        name=['shoulder'], position=[0.0], velocity=[1.0, 2.0])},
     'There are 1 joint names but 2 velocities'),
    (GetJacobian, {'joint_state': JointState(
        name=['shoulder'], position=[0.0], velocity=[math.inf])},
     "The velocity 'shoulder' is inf"),
    (ComputeInertia, {}, 'Give either a primitive or a mesh'),
    (ComputeInertia, {'primitive': BOX}, 'Give either a mass or a density'),
    (ComputeInertia, {'primitive': BOX, 'mass': 1.0, 'density': 1.0},
     'Give either a mass or a density'),
    (ComputeInertia, {'primitive': BOX, 'mass': math.nan}, 'The mass or density is nan'),
    (ComputeInertia, {'primitive': BOX, 'density': -1.0}, 'The mass or density is -1.0'),
    (ComputeInertia, {'primitive': primitive(6, 1.0), 'mass': 1.0},
     'Primitive type 6 is unknown'),
    (ComputeInertia, {'primitive': primitive(SolidPrimitive.PRISM, 1.0), 'mass': 1.0},
     'The primitive is invalid: the prism has no height, or its base fewer than three corners'),
    (ComputeInertia, {'primitive': primitive(SolidPrimitive.BOX, 1.0), 'mass': 1.0},
     'The primitive has 1 dimensions; 3 expected'),
    (ComputeInertia, {'primitive': primitive(SolidPrimitive.SPHERE, -1.0), 'mass': 1.0},
     'The primitive is invalid: the radius of the sphere is -1'),
    (ComputeInertia, {'primitive': primitive(SolidPrimitive.SPHERE, 1e-200), 'mass': 1.0},
     'The primitive is invalid: '),
    (ComputeInertia, {'primitive': BOX, 'density': 1e308},
     'The numbers in the request are too large')]


def test_bad_requests_are_answered(crane, server):
    for kind, fields, reason in BAD_REQUESTS:
        response = crane(kind, **fields)
        assert not response.success, (kind, fields)
        assert response.message.startswith(reason)
        assert len(response.message) < 300
    assert crane(ComputeInertia, primitive=BOX, mass=1.0).success
    assert 'Traceback' not in server.output


def test_models_are_validated(crane):
    current = crane(ValidateModel)
    findings = validates(ROBOT).findings
    assert [found.code for found in current.findings] == [found.code for found in findings]
    assert current.success
    for found, finding in zip(current.findings, findings):
        assert found.severity == finding.severity
        assert (found.message, found.hint, found.element, tuple(found.consumers)) == (
            finding.message, finding.hint, finding.element, finding.consumers)
        assert (found.line, found.column) == (finding.line or 0, finding.column or 0)
        assert {each.name: each.value for each in found.arguments} == as_texts(finding.arguments)
        assert [
            (each.program, each.impact, each.of, each.text) for each in found.consequences] == [
            (each.program, each.impact, each.of, each.text) for each in finding.consequences]

    good = (Path(__file__).parents[2] / 'urdf' / 'arm.urdf').read_text()
    bad = good.replace('<link ', '<link name="" ', 1).replace('<link name="" name', '<link nam')
    assert crane(ValidateModel, description=good, strict=True).valid
    errors = crane(ValidateModel, description=bad)
    assert errors.success and not errors.valid and errors.errors
    assert errors.message.startswith(f'Invalid: {errors.errors} error')
    ignored = crane(
        ValidateModel, description=bad,
        ignore=['program-refuses', *(found.code for found in errors.findings)])
    assert ignored.valid and not ignored.findings
    misspelt = crane(ValidateModel, description=good, ignore=['root-has-inertia', 'limt-inverted'])
    assert misspelt.message.endswith("unknown rules to ignore: 'limt-inverted'")

    warned = '<robot name="r"><link name="base" nme="x"/></robot>'
    lenient = crane(ValidateModel, description=warned)
    assert lenient.warnings and lenient.valid
    assert not crane(ValidateModel, description=warned, strict=True).valid
    asked = crane(ValidateModel, description=bad, programs=['drake'])
    assert {name for found in asked.findings for name in found.consumers} <= {'drake'}
    assert not asked.headline or asked.headline[0].startswith(('passes', 'fails'))
    unknown = crane(ValidateModel, description=bad, programs=['darke'])
    assert not unknown.success and "Program 'darke' is unknown" in unknown.message


@pytest.mark.parametrize('text', [
    '/etc/hostname', '<robot', '<a>' * 100_000, '<!DOCTYPE r [<!ENTITY a "b">]><robot>&a;</robot>',
    'x' * 9_000_000], ids=lambda text: text[:8])
def test_hostile_descriptions_give_findings(crane, text):
    response = crane(ValidateModel, description=text)
    assert response.success and not response.valid
    assert response.findings
    assert 'localhost' not in response.message


@pytest.mark.slow
def test_quick_requests_are_answered_beside_two_slow_ones(crane, client):
    text = f'<robot name="r">{"<link name=_a_/>" * 30_000}</robot>'.replace('_', '"')
    quick, *slow = (client.client(kind, f'model_server/{name}') for kind, name in (
        (GetLinkTransforms, 'get_link_transforms'), (ValidateModel, 'validate'),
        (ConvertToSdf, 'convert_to_sdf')))
    answers = [service.call_async(service.srv_type.Request(description=text)) for service in slow]
    beside = 0
    while not any(answer.done() for answer in answers):
        assert client.ask(quick).success
        beside += not any(answer.done() for answer in answers)
    client.wait_for(lambda: all(answer.done() for answer in answers), 'the slow answers')
    assert answers[0].result().errors == 29_999
    assert beside


@pytest.mark.slow
def test_a_long_request_does_not_delay_the_end(crane, client, server):
    service = client.client(ValidateModel, 'model_server/validate')
    text = f'<robot name="r">{"<link name=_a_/>" * 20_000}</robot>'.replace('_', '"')
    answer = service.call_async(ValidateModel.Request(description=text))
    client.wait_for(answer.done, 'the answer')
    assert answer.result().errors == 19_999
    client.status('model_server: Model', lambda status: status.level == DiagnosticStatus.OK)
    service.call_async(ValidateModel.Request(description=text))
    assert server.stop(signal.SIGTERM) == 0
    assert 'Traceback' not in server.output
    # Numbers that overflow are the server's answer; numpy's words about them help nobody.
    assert 'RuntimeWarning' not in server.output


def test_without_the_interfaces_the_error_says_how_to_build_them(nodes, tmp_path, monkeypatch):
    (tmp_path / 'urdf_tools_interfaces.py').write_text(
        'raise ModuleNotFoundError("No such module", name=__name__)')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv('PYTHONPATH', str(tmp_path), prepend=':')
    server = nodes.start('model_server')
    assert server.wait() == 1
    assert len(server.lines) == 1
    server.wait_for_line('FATAL.*colcon build --packages-select urdf_tools_interfaces')
