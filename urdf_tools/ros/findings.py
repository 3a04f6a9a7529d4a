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

"""Findings as diagnostics and log messages of nodes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from diagnostic_msgs.msg import DiagnosticStatus
from rclpy.impl.rcutils_logger import RcutilsLogger

from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import as_texts
from urdf_tools.model.messages import printable
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import LimitedLog
from urdf_tools.ros.diagnostics import shown
from urdf_tools.ros.diagnostics import to_key_values

LEVELS = {Severity.INFO: Level.OK, Severity.WARN: Level.WARN, Severity.ERROR: Level.ERROR}
"""The level of a status with a finding of each severity."""


def to_status(
        finding: Finding, hardware: str,
        values: Mapping[str, object] = MappingProxyType({})) -> DiagnosticStatus:
    """
    Return a finding as a diagnostic status named by its code.

    :param hardware: what it is about, such as the name of a robot.
    :param values: what to report besides the hint, the arguments and the consequences; those that
        are empty are left out.
    """
    reported = {
        **values, 'Hint': finding.hint,
        **{f'argument {name}': text for name, text in as_texts(finding.arguments).items()},
        **{f'consequence {program}': text
           for program, text in sentences(finding.consequences).items()}}
    return DiagnosticStatus(
        level=bytes([LEVELS[finding.severity]]), name=finding.code,
        message=printable(finding.message), hardware_id=shown(hardware),
        values=to_key_values({key: value for key, value in reported.items() if value}))


def log_finding(logger: RcutilsLogger | LimitedLog, finding: Finding, where: str) -> None:
    """
    Log a finding as a compiler would.

    :param where: the file or topic, with line and column if there are any.
    """
    text = printable(f'{where}: {finding.message} [{finding.code}]')
    # An rclpy logger allows one severity for each line of code that calls it.
    if finding.severity is Severity.ERROR:
        logger.error(text)
    elif finding.severity is Severity.WARN:
        logger.warning(text)
    else:
        logger.info(text)
