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

"""The parameters of the joint state source: those of joint_state_publisher, and a few more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rclpy.node import Node
from rclpy.parameter import Parameter

from urdf_tools.model.robot import Mimic
from urdf_tools.nodes.joint_state_source.joint_source import Options
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.process import StartError


def declare_options(node: Node, parameters: Parameters) -> Options:
    """
    Declare and read the parameters that decide the positions of joints.

    :param node: created with ``automatically_declare_parameters_from_overrides``.
    :raises StartError: one of them is refused.
    """
    def declare(name: str, default: Any, description: str) -> Any:
        return parameters.declare(name, default, description, read_only=True)

    try:
        return Options(
            defaults=(
                declare('publish_default_positions', True, 'Whether to publish positions'),
                declare('publish_default_velocities', False, 'Whether to publish velocities'),
                declare('publish_default_efforts', False, 'Whether to publish efforts')),
            use_mimic_tags=declare('use_mimic_tags', True, 'Whether to follow <mimic>'),
            use_smallest_joint_limits=declare(
                'use_smallest_joint_limits', True, 'Whether soft limits narrow the ranges'),
            zeros=_zeros(node),
            dependent_joints=_dependent_joints(node),
            delta=declare(
                'delta', 0.0, 'Step of each joint per message (rad, m); 0 is no motion'),
            sweep_period=declare(
                'sweep_period', 0.0,
                'Period (s) in which each joint sweeps its range and back; 0 is no motion'))
    except ValueError as error:
        raise StartError(str(error)) from error


def _zeros(node: Node) -> dict[str, float]:
    return {name: _number(parameter)
            for name, parameter in node.get_parameters_by_prefix('zeros').items()}


def _dependent_joints(node: Node) -> dict[str, Mimic]:
    given: dict[str, dict[str, Parameter[Any]]] = {}
    for key, parameter in node.get_parameters_by_prefix('dependent_joints').items():
        joint, _, field = key.rpartition('.')
        given.setdefault(joint, {})[field] = parameter
    return {joint: _mimic(joint, fields) for joint, fields in given.items()}


def _mimic(joint: str, fields: Mapping[str, Parameter[Any]]) -> Mimic:
    unknown = fields.keys() - {'parent', 'factor', 'offset'}
    if unknown:
        raise ValueError(
            f'dependent_joints.{joint}.{min(unknown)} is unknown; use parent, factor and offset')
    if 'parent' not in fields or not isinstance(fields['parent'].value, str):
        raise ValueError(f'dependent_joints.{joint}.parent must name the joint to follow')
    return Mimic(
        fields['parent'].value,
        **{attribute: _number(fields[field])
           for field, attribute in (('factor', 'multiplier'), ('offset', 'offset'))
           if field in fields})


def _number(parameter: Parameter[Any]) -> float:
    if isinstance(parameter.value, bool) or not isinstance(parameter.value, (int, float)):
        raise ValueError(f'{parameter.name} must be a number')
    return float(parameter.value)
