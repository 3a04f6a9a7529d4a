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

"""The answer of the model server about Gazebo: the model in SDFormat, and what is lost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from urdf_tools.findings.finding import Severity
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import loads
from urdf_tools.model.messages import quote
from urdf_tools.model.xml.element import Element
from urdf_tools.nodes.model_server.account_answer import MAX_LOSSES
from urdf_tools.nodes.model_server.requests import RequestError
from urdf_tools.nodes.model_server.requests import Server
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.gazebo import ALIASES
from urdf_tools.programs.gazebo import ConversionReport
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo import DEFAULT_RELEASE
from urdf_tools.programs.gazebo import Outcome
from urdf_tools.programs.gazebo import RELEASES
from urdf_tools_interfaces.msg import Finding as FindingMessage
from urdf_tools_interfaces.srv import ConvertToSdf

_SEVERITIES = {Outcome.DROPPED: Severity.WARN, Outcome.IGNORED: Severity.INFO}


def convert_to_sdf(
        server: Server, request: ConvertToSdf.Request, response: ConvertToSdf.Response) -> None:
    """
    Convert a description to SDFormat.

    :raises RequestError: there is none, it is of no robot, or the target is unknown.
    """
    text, loops_file = server.description(request)
    name = request.target or DEFAULT_RELEASE
    if name not in (*RELEASES, *ALIASES):
        raise RequestError(f'Target {quote(name)} is unknown; it is one of {", ".join(RELEASES)}')
    try:
        report = ConversionReport(
            convert(loads(text), name, request.preserve_fixed_joints, Context(),
                    keeps_loops=True, loops_file=loops_file))
    except DescriptionError as error:
        raise RequestError(str(error)) from error
    conversion = report.conversion
    response.message = f'{conversion.headline} ({conversion.release.library})'
    response.loads = not conversion.load_errors
    response.sdf = conversion.text
    response.links_lumped = len(conversion.merged)
    for name in ('links', 'moving_joints', 'sensors', 'plugins'):
        setattr(response, name, conversion.amounts[name].source)
        setattr(response, f'{name}_arriving', conversion.amounts[name].kept)
    for outcome in Outcome:
        setattr(response, outcome.value, report.counts[outcome])
    errors = [_message(Severity.ERROR, 'gazebo-refuses', error.message, error.hint, error.element)
              for error in islice(conversion.load_errors, MAX_LOSSES) if error.element is not None]
    response.losses = [*errors, *_losses(report, Outcome.DROPPED),
                       *_losses(report, Outcome.IGNORED)]


def _losses(report: ConversionReport, outcome: Outcome) -> Iterator[FindingMessage]:
    entries = ((entry, below) for entry, below in report.losses if entry.outcome is outcome)
    for entry, below in islice(entries, MAX_LOSSES):
        more = f' with {below} below it' if below else ''
        yield _message(
            _SEVERITIES[outcome], f'gazebo-{outcome.value}',
            f'{outcome.value.capitalize()}{more}: {entry.reason}', entry.hint, entry.element,
            entry.path)


def _message(severity: Severity, code: str, message: str, hint: str, element: Element,
             path: str = '') -> FindingMessage:
    return FindingMessage(
        severity=severity, code=code, message=message, hint=hint, element=path or element.path,
        line=element.line or 0, column=element.column or 0, consumers=['gazebo'])
