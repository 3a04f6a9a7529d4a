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
"""The rule about wheels and odometry."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from statistics import fmean

import numpy as np

from urdf_tools.doctor.graph import ODOMETRY
from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.wheel_drive import DriveFit
from urdf_tools.doctor.wheel_drive import fit_drive
from urdf_tools.doctor.wheel_drive import Value
from urdf_tools.doctor.wheel_drive import Wheel
from urdf_tools.doctor.wheel_drive import wheels_of
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Name
from urdf_tools.types import Array

rule = GRAPH_RULES.in_category('joints')

MODELLED, CONFIGURED = 0.15, 0.05
"""
Shares by which an estimate may differ from the model and from the parameters of a controller.

Wheels of models are as wide as their tyres, and touch the ground somewhere.
"""

_SURE, _SMALL = 5.0, 0.01
"""Standard errors, and a radius in m, from which a wheel turns the wrong way."""


@rule('wheel-odometry', Severity.WARN,
      fix='Correct the radius and separation of the wheels in the parameters of the controller, '
          'or in the model',
      example='The controller has the diameter of the wheels as their wheel_radius.')
def wheel_odometry(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that the wheels of a differential drive roll as the robot moves by its odometry.

    Sign, radius and separation are fitted to the motion, if that determines them: a robot that
    only drives straight on tells nothing about the separation of its wheels. They are compared
    with the model and the parameters of the controller; with more than two wheels, which slip,
    the separation only with the latter.
    """
    for robot in seen.robots:
        wheels = wheels_of(robot.text)
        for joints in seen.joints_of(robot) if wheels else ():
            if not all(wheel.joint in joints.columns for wheel in wheels) or not (
                    np.isfinite(joints.positions).all() and len(joints.received) > 1):
                continue
            for odometry, _ in odometry_of(seen, robot):
                fit = fit_drive(wheels, joints, odometry)
                if fit is not None:
                    yield from _defects(seen, wheels, fit, joints, odometry)


def odometry_of(seen: Observation,
                robot: ObservedRobot) -> Iterator[tuple[StampedTrack, Array]]:
    """Yield the odometry of a robot that has poses, and these."""
    frames = {'', *map(robot.frame, robot.robot.links)}
    for track in seen.stamped:
        if track.kind == ODOMETRY and track.child in frames and track.values is not None and (
                np.isfinite(track.values).all()):
            yield track, track.values


def _defects(seen: Observation, wheels: tuple[Wheel, ...], fit: DriveFit, joints: JointTrack,
             odometry: StampedTrack) -> Iterator[GraphDefect]:
    reversed_sides = [is_left for is_left, side in ((True, fit.left), (False, fit.right))
                      if side.value < -max(_SMALL, _SURE * side.error)]
    if reversed_sides:
        names = [wheel.joint for wheel in wheels if (wheel.side > 0) in reversed_sides]
        yield defect_of(
            joints, 'According to {odometry}, the wheels of {joints} from {nodes} turn '
            'backwards as the robot drives forwards', joints=tuple(map(Name, names)),
            subject=names[0] if len(names) == 1 else '', odometry=odometry.topic,
            hint='Invert the sign in the driver, or the axis of the joint in the model; see how '
            'the wires of the motor are connected')
        return
    radii = [wheel.radius for wheel in wheels if not np.isnan(wheel.radius)]
    yield from _compared(seen, odometry, 'radius', fit.radius,
                         float(np.mean(radii)) if radii else None)
    if fit.radius.is_known and fit.separation.is_known and fit.separation.value < 0:
        yield defect_of(
            odometry, '{nodes} turns to the right as the wheels turn the robot to the left',
            hint='Interchange the left and right wheels in the parameters of {nodes}')
    elif fit.radius.is_known:
        yield from _compared(seen, odometry, 'separation', fit.separation,
                             abs(wheels[0].side - wheels[1].side) if len(wheels) == 2 else None)


def _compared(seen: Observation, odometry: StampedTrack, what: str, found: Value,
              modelled: float | None) -> Iterator[GraphDefect]:
    """Yield a defect if an estimate differs from the model or from a parameter."""
    references: list[tuple[str, float | None, float]] = [
        (node, _configured(parameters.numbers, what), CONFIGURED)
        for node, parameters in seen.parameters.items()
        if node == odometry.publisher or seen.recorded]
    for node, reference, share in (*references, ('', modelled, MODELLED)):
        if reference and found.is_known and abs(found.value - reference) > max(
                3 * found.error, share * reference):
            yield defect_of(
                odometry, 'According to {nodes} and the joint states, the {what} of the wheels is '
                '{value:.4g} ± {error:.2g} m, but ' + (
                    '{configured} has {reference:.4g} m' if node else
                    'the model has {reference:.4g} m'), subject=what, what=what, value=found.value,
                error=found.error, reference=reference, **({'configured': node} if node else {}))


def _configured(numbers: Mapping[str, float], what: str) -> float:
    """Return the radius or separation of wheels that a controller uses, or 0."""
    factors = ['wheel_separation_multiplier'] if what == 'separation' else [
        'left_wheel_radius_multiplier', 'right_wheel_radius_multiplier']
    return numbers.get(f'wheel_{what}', numbers.get(f'wheels.{what}', 0.0)) * fmean(
        numbers.get(factor, 1.0) for factor in factors)
