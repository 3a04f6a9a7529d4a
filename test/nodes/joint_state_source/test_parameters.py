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

"""Parameters of the joint state source."""

import pytest
import rclpy
from rclpy.node import Node
from rclpy.parameter import Parameter
from urdf_tools.model.robot import Mimic
from urdf_tools.nodes.joint_state_source import declare_options
from urdf_tools.nodes.joint_state_source import Options
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.process import StartError


@pytest.fixture(scope='module')
def context():
    context = rclpy.Context()
    rclpy.init(context=context)
    yield context
    rclpy.shutdown(context=context)


@pytest.fixture
def options(context):
    """Return what reads the options of a node with these parameters."""
    nodes = []

    def read(**parameters):
        overrides = [Parameter(name.replace('__', '.'), value=value)
                     for name, value in parameters.items()]
        nodes.append(Node(
            'node', context=context, parameter_overrides=overrides,
            automatically_declare_parameters_from_overrides=True))
        return declare_options(nodes[-1], Parameters(nodes[-1]))
    yield read
    for node in nodes:
        node.destroy_node()


def test_defaults_are_those_of_joint_state_publisher(options):
    assert options() == Options(
        defaults=(True, False, False), use_mimic_tags=True, use_smallest_joint_limits=True,
        zeros={}, dependent_joints={}, delta=0.0, sweep_period=0.0)


def test_parameters_below_a_prefix_are_read_by_joint(options):
    given = options(
        publish_default_velocities=True, use_mimic_tags=False, delta=0.5, zeros__a=1,
        **{'zeros__left.arm/joint 1': 0.5, 'dependent_joints__b.c__parent': 'a',
           'dependent_joints__b.c__factor': -2, 'dependent_joints__d__parent': 'a',
           'dependent_joints__d__offset': 0.1})
    assert given == Options(
        defaults=(True, True, False), use_mimic_tags=False, delta=0.5,
        zeros={'a': 1.0, 'left.arm/joint 1': 0.5},
        dependent_joints={'b.c': Mimic('a', -2.0), 'd': Mimic('a', 1.0, 0.1)})


@pytest.mark.parametrize('parameters, reason', [
    ({'zeros__a': 'up'}, 'zeros.a must be a number'),
    ({'zeros__a': True}, 'zeros.a must be a number'),
    ({'zeros__a': float('nan')}, 'zeros.a is nan, not a finite number'),
    ({'dependent_joints__a__factor': 1.0},
     'dependent_joints.a.parent must name the joint to follow'),
    ({'dependent_joints__a__parent': 1},
     'dependent_joints.a.parent must name the joint to follow'),
    ({'dependent_joints__a__parent': 'b', 'dependent_joints__a__multiplier': 1.0},
     'dependent_joints.a.multiplier is unknown; use parent, factor and offset'),
    ({'dependent_joints__a__parent': 'b', 'dependent_joints__a__offset': 'x'},
     'dependent_joints.a.offset must be a number'),
    ({'zeros__a': float('inf')}, 'zeros.a is inf, not a finite number'),
    ({'dependent_joints__a__parent': 'b', 'dependent_joints__a__factor': float('nan')},
     'dependent_joints.a.factor is nan, not a finite number'),
    ({'delta': float('nan')}, 'Parameter delta is refused: delta is nan, not a finite number'),
    ({'delta': float('inf')}, 'Parameter delta is refused: delta is inf, not a finite number'),
    ({'delta': 1}, 'Parameter delta must be of type double')])
def test_bad_parameters_are_refused_in_one_sentence(options, parameters, reason):
    with pytest.raises(StartError) as refusal:
        options(**parameters)
    assert str(refusal.value).startswith(reason)
