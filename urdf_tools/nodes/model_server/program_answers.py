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

"""The answers of the model server about programs: what each loses, and the model of Gazebo."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice


from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import as_texts
from urdf_tools.findings.report import headline
from urdf_tools.findings.rules import Faults
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.loader import loads
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.element import Element
from urdf_tools.nodes.model_server.requests import check_programs
from urdf_tools.nodes.model_server.requests import RequestError
from urdf_tools.nodes.model_server.requests import Server
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.gazebo import ALIASES
from urdf_tools.programs.gazebo import ConversionReport
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo import DEFAULT_RELEASE
from urdf_tools.programs.gazebo import Outcome
from urdf_tools.programs.gazebo import RELEASES
from urdf_tools.programs.models import accounts
from urdf_tools.programs.models import MODELS
from urdf_tools.programs.models import NEWEST
from urdf_tools.programs.summaries import verdict_of
from urdf_tools_interfaces.msg import Account as AccountMessage
from urdf_tools_interfaces.msg import AccountAmount
from urdf_tools_interfaces.msg import Argument
from urdf_tools_interfaces.msg import Finding as FindingMessage
from urdf_tools_interfaces.msg import Loss as LossMessage
from urdf_tools_interfaces.srv import ConvertToSdf
from urdf_tools_interfaces.srv import GetAccount

MAX_LOSSES = 200
"""Most losses of a program, or of a severity, in an answer."""

_NUMBERS = (
    'links', 'moving_joints', 'fixed_joints', 'mimic', 'position_limits', 'velocity_limits',
    'effort_limits', 'damping', 'friction', 'actuators')


def get_account(
        server: Server, request: GetAccount.Request, response: GetAccount.Response) -> None:
    """
    Report what programs lose of a robot.

    :raises RequestError: there is no description, it is of no robot, or a program is unknown.
    """
    text, loops_file = server.description(request)
    check_programs(request.programs, MODELS)
    try:
        document = read_document(text)
        faults = Faults()
        found = accounts(dict.fromkeys(request.programs or NEWEST), Source.of_document(
            document, _robot(document, loops_file)), Context(), faults, _account)
    except DescriptionError as error:
        raise RequestError(str(error)) from error
    lines = headline('', {name: verdict_of(account) for name, (account, _) in found.items()})
    response.message = '; '.join([
        *(line.strip() for line in lines), *(each.message for each in faults.findings())
    ]) or 'Nothing is lost'
    response.accounts = [message for _, message in found.values()]


def _robot(document: Document, loops_file: str) -> Robot | None:
    """Return the robot of a description, or None if the loader refuses it."""
    try:
        robot = build_robot(document)
    except DescriptionError:
        if document.root.tag != 'robot':
            raise
        return None
    if loops_file:
        from urdf_tools.model.loops_file import add_loops
        robot = add_loops(robot, loops_file)
    return robot


def _account(name: str, account: Account) -> AccountMessage:
    losses = account.worst_first
    return AccountMessage(
        program=name, version=account.version, loads=account.loads,
        base=account.base if account.loads and account.kept else '', merged=len(account.merged),
        amounts=[*_amounts(account)],
        causes=[_loss(each) for each in account.causes[:MAX_LOSSES]],
        losses=[_loss(each) for each in losses[:MAX_LOSSES]],
        losses_not_listed=max(0, len(losses) - MAX_LOSSES))


def _amounts(account: Account) -> Iterator[AccountAmount]:
    if account.source is None or account.kept is None:
        return
    for name, amount in (
            ('mass', account.amount('body').map(lambda body: body.mass)),
            *((name, account.amount(name)) for name in _NUMBERS),
            *((name, account.amount(name).map(lambda counts: sum(counts.values())))
              for name in ('visuals', 'collisions'))):
        yield AccountAmount(
            name=name, description=float(amount.source), program=float(amount.kept))


def _loss(loss: Loss) -> LossMessage:
    file, line, column = loss.location('')
    return LossMessage(
        kind=loss.of, impact=loss.impact.name.lower(), message=str(loss.message),
        hint=str(loss.hint), mass=float(loss.mass), harmless=loss.is_harmless,
        element='' if loss.element is None else loss.element.path, file=file, line=line or 0,
        column=column or 0, arguments=[
            Argument(name=name, value=text)
            for name, text in as_texts(loss.message.arguments).items()])


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
