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

"""No node runs with a number that is not finite or out of its range, or a prefix of no name."""

import math

import pytest
import rclpy
from rclpy.node import Node
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.process import StartError


@pytest.fixture
def node(domain):
    """Return a node in a context of its own."""
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=domain)
    node = Node('tested', context=context)
    yield node
    node.destroy_node()
    rclpy.shutdown(context=context)


def refused(node, value):
    return not node.set_parameters([rclpy.Parameter('number', value=value)])[0].successful


@pytest.mark.parametrize('value', [
    math.nan, math.inf, -math.inf, -1.0, -1e-300, 1e-300, 0.0999, 100.1, 1e300])
def test_numbers_out_of_range_are_refused(node, value):
    parameters = Parameters(node)
    assert parameters.declare(
        'number', 1.0, 'A number', minimum=0.0, maximum=100.0, smallest=0.1) == 1.0
    assert refused(node, value)
    assert parameters['number'] == 1.0
    with pytest.raises(StartError, match='Parameter other is refused: .*(between|at least)'):
        parameters.declare(
            'other', value, 'A number', minimum=0.0, maximum=100.0, smallest=0.1)


@pytest.mark.parametrize('value', [0.0, 0.1, 5.0, 100.0])
def test_numbers_in_range_are_taken(node, value):
    parameters = Parameters(node)
    parameters.declare('number', 1.0, 'A number', minimum=0.0, maximum=100.0, smallest=0.1)
    assert not refused(node, value)
    assert parameters['number'] == value


@pytest.mark.parametrize('value', [math.nan, math.inf, -math.inf])
def test_numbers_without_a_range_are_finite(node, value):
    parameters = Parameters(node)
    parameters.declare('number', 1.0, 'A number')
    assert refused(node, value)
    assert parameters['number'] == 1.0


@pytest.mark.parametrize('table', ['state_publisher', 'inertia_publisher', 'model_server'])
@pytest.mark.parametrize('text, reason', [
    ('x' * 200_000, f"'{'x' * 37}...'"), ('\x1b[2Ja', r"'\x1b[2Ja'"), ('a\nb', r"'a\nb'"),
    ('\u202ea', r"'\u202ea'")])
def test_a_prefix_of_frames_is_printable_and_short(node, table, text, reason):
    parameters = Parameters(node)
    given = {'max_request_size': {'default': 1000}} if table == 'model_server' else {}
    parameters.declare_table(table, **given)
    result, = node.set_parameters([rclpy.Parameter('frame_prefix', value=text)])
    assert (result.successful, parameters['frame_prefix']) == (False, '')
    assert result.reason == (
        f'frame_prefix is {reason}; it must be at most 255 characters that are all printable')
    result, = node.set_parameters([rclpy.Parameter('frame_prefix', value='ä' * 254 + '/')])
    assert result.successful


def test_a_refused_choice_is_not_repeated_in_full(node):
    parameters = Parameters(node)
    parameters.declare_table('inertia_publisher')
    result, = node.set_parameters([rclpy.Parameter('shape', value='x' * 200_000)])
    assert not result.successful and len(result.reason) < 200
