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

"""Parameters of a node: declared with ranges, checked before and applied after each change."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
import json
from math import isfinite
from pathlib import Path
from typing import Any

from rcl_interfaces.msg import FloatingPointRange
from rcl_interfaces.msg import IntegerRange
from rcl_interfaces.msg import ParameterDescriptor
from rcl_interfaces.msg import SetParametersResult
from rclpy.exceptions import InvalidParameterTypeException
from rclpy.exceptions import InvalidParameterValueException
from rclpy.node import Node
from rclpy.parameter import Parameter

from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.ros.process import StartError

Check = Callable[[Any], object]

_TABLES: Mapping[str, Mapping[str, Mapping[str, Any]]] = json.loads(
    Path(__file__).with_name('parameters.json').read_bytes())
"""The parameters of nodes, of the diagnostics, and those that nodes share."""


class Parameters:
    """
    The parameters of a node; ``parameters['name']`` is the present value.

    :param on_change: called with the names of the parameters that were set, once they have their
        new values. It is too late to refuse one: refuse in ``check``.
    """

    def __init__(self, node: Node, on_change: Callable[[set[str]], None] = lambda names: None):
        self._node = node
        self._on_change = on_change
        self._values: dict[str, Any] = {}
        self._checks: dict[str, Check] = {}
        self._refusal = ''
        node.add_on_set_parameters_callback(self._check)
        node.add_post_set_parameters_callback(self._apply)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def declare(
            self, name: str, default: Any, description: str, *,
            minimum: float | None = None, maximum: float | None = None, smallest: float = 0.0,
            read_only: bool = False, check: Check | None = None, source: str = '') -> Any:
        """
        Declare a parameter and return its value.

        :param default: determines the type.
        :param minimum: lower end of the range of a number; needs ``maximum``.
        :param maximum: upper end of the range of a number; needs ``minimum``.
        :param smallest: smallest value other than 0 of a number for which 0 means something else.
        :param check: raises ValueError with the reason if a value is refused, at start-up and at
            each change.
        :param source: what gives the default, in messages; empty for the parameter itself.
        :raises StartError: the value given at start-up is refused.
        """
        descriptor = ParameterDescriptor(description=description, read_only=read_only)
        if minimum is not None and maximum is not None:
            if isinstance(default, int):
                descriptor.integer_range.append(IntegerRange(
                    from_value=int(minimum), to_value=int(maximum)))
            else:
                descriptor.floating_point_range.append(FloatingPointRange(
                    from_value=float(minimum), to_value=float(maximum)))
        if smallest:
            check = _checks_smallest(name, smallest)
        if check is not None:
            self._checks[name] = check
        if self._node.has_parameter(name):
            # Parameters that a node declares from its overrides have neither type nor range.
            self._node.undeclare_parameter(name)
        self._refusal = ''
        try:
            value = self._node.declare_parameter(name, default, descriptor).value
        except InvalidParameterTypeException as error:
            raise StartError(_wrong_type(name, default)) from error
        except InvalidParameterValueException as error:
            reason = self._refusal or f'it must be between {minimum} and {maximum}'
            raise StartError(f'{source or f"Parameter {name}"} is refused: {reason}') from error
        self._values[name] = value
        return value

    def declare_table(self, table: str, **given: Mapping[str, Any]) -> None:
        """
        Declare the parameters of a table in ``parameters.json``, in their order.

        :param given: what is not in the table, or overrides it, by the name of the parameter.
        :raises StartError: a value given at start-up is refused.
        """
        for name, options in _TABLES[table].items():
            self.declare(name, **{
                **{key: value for key, value in options.items() if key not in _CHECKS},
                **{'check': _CHECKS[key](name, options[key]) for key in {*options} & {*_CHECKS}},
                **given.get(name, {})})

    def declare_loops_file(self) -> str:
        """Declare the parameter for a file of loops, and return its value."""
        self.declare_table('loops')
        return str(self['loops_file'])

    def _check(self, parameters: list[Parameter[Any]]) -> SetParametersResult:
        for parameter in parameters:
            check = self._checks.get(parameter.name)
            try:
                check_finite(parameter)
                if check is not None:
                    check(parameter.value)
            except ValueError as error:
                self._refusal = str(error)
                return SetParametersResult(successful=False, reason=self._refusal)
        return SetParametersResult(successful=True)

    def _apply(self, parameters: list[Parameter[Any]]) -> None:
        changed = {p.name: p.value for p in parameters if p.name in self._values}
        self._values.update(changed)
        if changed:
            self._on_change(set(changed))


def one_of(name: str, choices: Collection[str]) -> Check:
    """Return a check that the value of a parameter is one of some texts."""
    def check(value: str) -> None:
        if value not in choices:
            raise ValueError(f'{name} must be one of {", ".join(choices)}, not {quote(value)}')
    return check


def _prefix(name: str, longest: int) -> Check:
    """Return a check that the value of a parameter may be part of a name."""
    def check(value: str) -> None:
        if len(value) > longest or not value.isprintable():
            raise ValueError(f'{name} is {quote(value)}; it must be at most {longest} characters '
                             'that are all printable')
    return check


_CHECKS: Mapping[str, Callable[[str, Any], Check]] = {'choices': one_of, 'longest': _prefix}
"""The checks of a parameter by what a table has for it."""

_OF_RCLCPP = 'qos_overrides./parameter_events.'
"""Beginning of parameters that nodes in C++ have, so that a dump of one has them, too."""


def warn_of_unknown(node: Node, families: Sequence[str] = ()) -> None:
    """
    Log the given parameters that a node does not have; to be called once it has declared all.

    It is a warning if the name resembles one that the node has. Others may be meant for other
    nodes, since a file may give parameters to all of them, so they are only listed.

    :param families: beginnings of names that only the user knows.
    """
    given: Iterable[str] = getattr(node, '_parameter_overrides', ())
    # What a node declares without knowing it, from what is given, has no description; neither has
    # the one parameter that rclpy declares for each node.
    known = [name for name in node.get_parameters_by_prefix('')
             if name not in given or name == 'use_sim_time'
             or node.describe_parameter(name).description]
    others = []
    for name in given:
        if name in known or name.startswith((_OF_RCLCPP, *families)):
            continue
        advice = did_you_mean(name, known, 0.8)
        if advice:
            node.get_logger().warning(f'There is no parameter {quote(name)}. {advice}')
        else:
            others.append(name)
    if others:
        node.get_logger().info(printable(
            f'Parameters that this node does not have: {name_list(others)}'))


def check_finite(parameter: Parameter[Any]) -> None:
    """Raise ValueError if the value of a parameter is a number, but not a finite one."""
    if isinstance(parameter.value, float) and not isfinite(parameter.value):
        raise ValueError(f'{parameter.name} is {parameter.value}, not a finite number')


def _checks_smallest(name: str, smallest: float) -> Check:
    def check(value: float) -> None:
        if 0.0 < value < smallest:
            raise ValueError(f'{name} is {value}; it must be 0 or at least {smallest}')
    return check


def _wrong_type(name: str, default: Any) -> str:
    kind = Parameter.Type.from_parameter_value(default)
    text = f'Parameter {name} must be of type {kind.name.lower()}'
    if kind is Parameter.Type.DOUBLE:
        text += ', which is written with a decimal point, such as 50.0'
    elif kind is Parameter.Type.STRING:
        text += '; in a launch file, wrap it in ParameterValue(..., value_type=str)'
    return text
