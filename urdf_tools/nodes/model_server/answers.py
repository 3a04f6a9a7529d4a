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

"""
The answers of the model server.

Each takes what requests are answered with, a request, and the response to fill. Only this module
needs urdf_tools_interfaces. A request that cannot be answered raises RequestError.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
import math
from typing import Any

from geometry_msgs.msg import Inertia
from geometry_msgs.msg import Twist
import numpy as np
from shape_msgs.msg import SolidPrimitive

from urdf_tools.check.rules import RULES
from urdf_tools.check.validator import validates
from urdf_tools.dynamics import CompositeInertia
from urdf_tools.dynamics import solid
from urdf_tools.dynamics import SpatialInertia
from urdf_tools.dynamics.shapes import mesh_solid
from urdf_tools.dynamics.shapes import prism
from urdf_tools.dynamics.solids import cone
from urdf_tools.findings.consequences import CONSUMERS
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.message import as_texts
from urdf_tools.findings.report import headline
from urdf_tools.findings.rules import Faults
from urdf_tools.formats.loader import loads
from urdf_tools.formats.loader import read_description
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import Jacobian
from urdf_tools.kinematics import ReferenceFrame
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.loader import with_loops_file
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.records import Box
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document
from urdf_tools.nodes.model_server.requests import check_programs
from urdf_tools.nodes.model_server.requests import free_velocities
from urdf_tools.nodes.model_server.requests import given_variables
from urdf_tools.nodes.model_server.requests import given_velocities
from urdf_tools.nodes.model_server.requests import Server
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.gazebo import ALIASES
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo import DEFAULT_RELEASE
from urdf_tools.programs.gazebo import RELEASES
from urdf_tools.programs.models import accounts
from urdf_tools.programs.models import judged
from urdf_tools.programs.models import MODELS
from urdf_tools.programs.models import NEWEST
from urdf_tools.programs.robot_parts import COUNTS
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.summaries import verdict_of
from urdf_tools.ros.conversions import from_vector
from urdf_tools.ros.conversions import to_inertia
from urdf_tools.ros.conversions import to_quaternion
from urdf_tools.ros.conversions import to_time
from urdf_tools.ros.conversions import to_transform_stamped
from urdf_tools.ros.conversions import to_vector
from urdf_tools.ros.live_robot import Configuration
from urdf_tools.ros.live_robot import LiveRobot
from urdf_tools.ros.live_robot import TOLERANCE
from urdf_tools.ros.request_size import RequestError
from urdf_tools.types import Array
from urdf_tools_interfaces.msg import Account as AccountMessage
from urdf_tools_interfaces.msg import AccountAmount
from urdf_tools_interfaces.msg import Argument
from urdf_tools_interfaces.msg import Consequence
from urdf_tools_interfaces.msg import Finding as FindingMessage
from urdf_tools_interfaces.msg import Loss as LossMessage
from urdf_tools_interfaces.srv import ComputeInertia
from urdf_tools_interfaces.srv import ConvertToSdf
from urdf_tools_interfaces.srv import GetAccount
from urdf_tools_interfaces.srv import GetInertia
from urdf_tools_interfaces.srv import GetJacobian
from urdf_tools_interfaces.srv import GetLinkTransforms
from urdf_tools_interfaces.srv import ValidateModel

_PRIMITIVES: dict[int, tuple[int, Callable[..., SpatialInertia]]] = {
    SolidPrimitive.BOX: (3, lambda polygon, x, y, z: solid(Box((x, y, z)))),
    SolidPrimitive.SPHERE: (1, lambda polygon, radius: solid(Sphere(radius))),
    SolidPrimitive.CYLINDER: (2, lambda polygon, height, radius: solid(Cylinder(radius, height))),
    SolidPrimitive.CONE: (2, lambda polygon, height, radius: cone(radius, height)),
    SolidPrimitive.PRISM: (1, prism)}

_REFERENCE_FRAMES = {getattr(GetJacobian.Request, frame.name): frame for frame in ReferenceFrame}


def validate(
        server: Server, request: ValidateModel.Request, response: ValidateModel.Response) -> None:
    """
    Validate a description.

    :raises RequestError: none is given and the server has none, or a program is unknown.
    """
    check_programs(request.programs, CONSUMERS)
    text, loops_file = server.description(request)
    report = validates(text, ignore=request.ignore, consumers=request.programs,
                       loops_file=loops_file or None)
    response.headline = report.headline(Severity.WARN if request.strict else Severity.ERROR)
    response.findings = [to_finding(finding) for finding in report.findings]
    response.errors = report.counts[Severity.ERROR]
    response.warnings = report.counts[Severity.WARN]
    response.infos = report.counts[Severity.INFO]
    response.valid = report.valid and not (request.strict and response.warnings)
    codes = tuple(quote(code) for code in request.ignore if code not in RULES)
    response.message = report.outcome() + (
        f'; unknown rules to ignore: {name_list(codes)}' if codes else '')


def to_finding(finding: Finding) -> FindingMessage:
    """Return the message of a finding; line and column are 0 where not in the description."""
    is_inside = finding.trace is None
    return FindingMessage(
        severity=finding.severity, code=finding.code, message=finding.message,
        hint=finding.hint, element=finding.element, line=is_inside and finding.line or 0,
        column=is_inside and finding.column or 0, consumers=finding.consumers,
        arguments=[Argument(name=name, value=text)
                   for name, text in as_texts(finding.arguments).items()],
        consequences=[
            Consequence(program=each.program, impact=each.impact, of=each.of, text=each.text,
                        setting=each.setting) for each in finding.consequences])


def get_link_transforms(
        server: Server, request: GetLinkTransforms.Request,
        response: GetLinkTransforms.Response) -> None:
    """
    Return the poses of links in the frame of another link.

    :raises RequestError: a link does not exist, or the given positions are invalid.
    """
    live = server.robot()
    prefix = server.frame_prefix
    frame = server.check_link(live.robot, request.frame_id)
    links = [server.check_link(live.robot, link) for link in request.links] or [*live.robot.links]
    configuration = _configuration(live, request)
    stamp = to_time(configuration.stamp)
    poses = ForwardKinematics(live.tree, (frame, *links))(configuration.positions)
    poses = invert(poses[0]) @ poses[1:]
    _check_finite(poses)
    rows = np.concatenate([poses[:, :3, 3], matrix_to_quaternion(poses[:, :3, :3])], axis=1)
    response.transforms = [
        to_transform_stamped(row, prefix + frame, prefix + link, stamp)
        for link, row in zip(links, rows)]
    _remark(server, configuration, response)


def get_inertia(
        server: Server, request: GetInertia.Request, response: GetInertia.Response) -> None:
    """
    Return the inertia of a link, alone or with its subtree.

    :raises RequestError: a link does not exist, or the given positions are invalid.
    """
    live = server.robot()
    link = server.check_link(live.robot, request.link)
    frame = server.check_link(live.robot, request.frame_id or link)
    configuration = _configuration(live, request)
    links = live.robot.subtree(link) if request.include_subtree else (link,)
    composite = CompositeInertia(live.tree, links, frame)
    response.inertia.header.frame_id = server.frame_prefix + frame
    response.inertia.header.stamp = to_time(configuration.stamp)
    response.inertia.inertia = _describe(composite(configuration.positions), response)
    response.links_without_mass = composite.without_inertial
    _remark(server, configuration, response)


def get_jacobian(
        server: Server, request: GetJacobian.Request, response: GetJacobian.Response) -> None:
    """
    Return the Jacobian of a link, and its twist for the given joint velocities.

    :raises RequestError: a link or frame does not exist, or what is given is invalid.
    """
    live = server.robot()
    link = server.check_link(live.robot, request.link)
    if request.reference_frame not in _REFERENCE_FRAMES:
        raise RequestError(
            f'Reference frame {request.reference_frame} is unknown: it is 0 (local), 1 (world) or '
            f'2 (local, world-aligned)')
    reference_frame = _REFERENCE_FRAMES[request.reference_frame]
    configuration = _configuration(live, request)
    given = given_velocities(live.robot, request.joint_state, request.multi_dof_joint_state)
    for name, mimic in live.tree.mimic.items():
        _check_mimic(name, mimic.joint, 'velocity', given,
                     mimic.multiplier * given.get(mimic.joint, 0.0))
    jacobian = Jacobian(live.tree, link, reference_frame)(configuration.positions)
    names: Sequence[str] = live.tree.velocity_names
    if live.loops is not None:
        names, derivatives = free_velocities(
            live.loops.mechanism, configuration.positions, given, request.joint_state.name)
        jacobian = jacobian @ derivatives
    twist = jacobian @ [given.get(name, 0.0) for name in names]
    _check_finite(jacobian, twist)
    response.header.frame_id = server.frame_prefix + (
        link if reference_frame is ReferenceFrame.LOCAL else live.robot.root)
    response.header.stamp = to_time(configuration.stamp)
    response.velocity_names = names
    response.jacobian = jacobian.ravel().tolist()
    response.twist = Twist(linear=to_vector(twist[:3]), angular=to_vector(twist[3:]))
    _remark(server, configuration, response)


def compute_inertia(
        _server: Server, request: ComputeInertia.Request,
        response: ComputeInertia.Response) -> None:
    """
    Compute the inertia of a solid of uniform density.

    :raises RequestError: the solid does not exist, or its mass is not determined.
    """
    if bool(request.primitive.type) == bool(request.mesh_resource):
        raise RequestError('Give either a primitive or a mesh')
    if bool(request.mass) == bool(request.density):
        raise RequestError('Give either a mass or a density')
    given = request.mass or request.density
    if not (given > 0.0 and math.isfinite(given)):
        raise RequestError(f'The mass or density is {given}; it must be positive')
    with np.errstate(all='ignore'):
        body = _primitive(request.primitive) if request.primitive.type else _mesh(
            request, response)
        response.volume = body.mass
        response.inertia = _describe(
            body.with_mass(request.mass) if request.mass else body.scaled(request.density),
            response)


def _configuration(live: LiveRobot, request: Any) -> Configuration:
    given = given_variables(live.robot, request.joint_state, request.multi_dof_joint_state)
    configuration = live.configuration(given)
    if given and configuration.open:
        raise RequestError(f'{configuration.open} at the given positions')
    for name, mimic in live.tree.mimic.items():
        _check_mimic(name, mimic.joint, 'position', given,
                     live.follow(configuration.positions, mimic))
    return configuration


def _check_mimic(
        name: str, leader: str, quantity: str, given: Mapping[str, float],
        follows: float) -> None:
    if name in given and not abs(given[name] - follows) <= TOLERANCE * max(1.0, abs(follows)):
        raise RequestError(
            f'Joint {quote(name)} mimics {quote(leader)}, so its {quantity} is {follows:.6g}, but '
            f'{given[name]:.6g} was given; give only the {quantity} of {quote(leader)}')


def _remark(server: Server, configuration: Configuration, response: Any) -> None:
    """Fill in the remarks of the response on the joint states used."""
    response.joint_state_age = configuration.age
    response.stale = 0 < server.joint_timeout < configuration.age
    missing, beyond = name_list(configuration.missing), name_list(configuration.beyond)
    response.message = '; '.join(text for applies, text in (
        (configuration.open, configuration.open),
        (configuration.missing, f'Never received, so taken as zero: {missing}'),
        (response.stale, f'Joint states are stale: a position is {configuration.age:.1f} s old'),
        (configuration.beyond, f'Positions outside limits: {beyond}')) if applies)


def _mesh(request: ComputeInertia.Request, response: ComputeInertia.Response) -> SpatialInertia:
    """Return the solid at 1 kg/m^3, and fill in the remarks of the response on it."""
    scale = from_vector(request.mesh_scale)
    if not scale.any():
        scale = np.ones(3)
    _check_finite(scale)
    try:
        body, remark = mesh_solid(
            ResourceResolver().resolve(request.mesh_resource), scale.tolist(),
            hull=request.convex_hull)
    except (ResourceError, MeshError) as error:
        raise RequestError(f'The inertia of the mesh cannot be computed: {error}') from error
    response.convex_hull = bool(remark)
    response.message = remark and f'The convex hull was used: {remark}'
    return body


def _primitive(primitive: SolidPrimitive) -> SpatialInertia:
    """Return the solid at 1 kg/m^3."""
    if primitive.type not in _PRIMITIVES:
        raise RequestError(f'Primitive type {primitive.type} is unknown')
    count, compute = _PRIMITIVES[primitive.type]
    if len(primitive.dimensions) != count:
        raise RequestError(
            f'The primitive has {len(primitive.dimensions)} dimensions; {count} expected')
    polygon = np.array([(point.x, point.y) for point in primitive.polygon.points])
    try:
        body = compute(polygon, *primitive.dimensions)
    except ValueError as error:
        raise RequestError(f'The primitive is invalid: {error}') from error
    if not body.mass:
        raise RequestError('The primitive is invalid: its volume is zero in double precision')
    return body


def _describe(body: SpatialInertia, response: Any) -> Inertia:
    """Fill in the principal axes and return the message of the inertia."""
    _check_finite(body.mass, body.com, body.rotational)
    principal = body.principal()
    response.principal_moments = to_vector(principal.moments)
    response.principal_axes = to_quaternion(matrix_to_quaternion(principal.axes))
    return to_inertia(body)


def _check_finite(*values: float | Array) -> None:
    if not all(np.isfinite(value).all() for value in values):
        raise RequestError('The numbers in the request are too large, or the result overflows')


MAX_LOSSES = 200
"""Maximum number of losses of a program in an answer."""


def get_account(
        server: Server, request: GetAccount.Request, response: GetAccount.Response) -> None:
    """
    Report what programs lose of a robot.

    :raises RequestError: there is no description, it does not describe a robot, or a program is
        unknown.
    """
    text, loops_file = server.description(request)
    check_programs(request.programs, MODELS)
    try:
        document = read_description(text)
        faults = Faults()
        source = Source.of_document(document, _robot(document, loops_file))
        programs, own = judged(dict.fromkeys(request.programs or NEWEST), source)
        found = accounts(programs, source, Context(), faults, _account)
    except DescriptionError as error:
        raise RequestError(str(error)) from error
    lines = headline('', {name: verdict_of(account) for name, (account, _) in found.items()})
    response.message = '; '.join([
        *filter(None, [own]), *(line.strip() for line in lines),
        *(each.message for each in faults.findings())]) or 'Nothing is lost'
    response.accounts = [message for _, message in found.values()]


def _robot(document: Document, loops_file: str) -> Robot | None:
    """Return the robot of a description, or None if the loader refuses it."""
    try:
        robot = build_robot(document)
    except DescriptionError:
        if document.root.tag != 'robot':
            raise
        return None
    return with_loops_file(robot, loops_file)


def _account(name: str, account: Account) -> AccountMessage:
    losses = account.worst_first
    return AccountMessage(
        program=name, version=account.version, loads=account.loads,
        base=account.base if account.loads and account.kept else '', merged=len(account.merged),
        amounts=_amounts(account),
        causes=[_loss(each) for each in account.causes[:MAX_LOSSES]],
        losses=[_loss(each) for each in losses[:MAX_LOSSES]],
        losses_not_listed=max(0, len(losses) - MAX_LOSSES))


def _amounts(account: Account) -> list[AccountAmount]:
    if account.source is None or account.kept is None:
        return []
    kept = _numbers(account.kept)
    return [AccountAmount(name=name, description=float(number), program=float(kept[name]))
            for name, number in _numbers(account.source).items()]


def _numbers(parts: Parts) -> dict[str, float]:
    return {'mass': parts.body.mass, **{name: getattr(parts, name) for name in COUNTS},
            'visuals': sum(parts.visuals.values()), 'collisions': sum(parts.collisions.values())}


def _loss(loss: Loss) -> LossMessage:
    file, line, column = loss.location('')
    return LossMessage(
        kind=loss.of, impact=loss.impact.name.lower(), message=str(loss.message),
        hint=str(loss.hint), mass=float(loss.mass), harmless=loss.is_harmless,
        element='' if loss.element is None else loss.element.path, file=file, line=line or 0,
        column=column or 0, arguments=[
            Argument(name=name, value=text)
            for name, text in as_texts(loss.message.arguments).items()])


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
        conversion = convert(with_loops_file(loads(text), loops_file), name,
                             request.preserve_fixed_joints, Context(), keeps_loops=True)
        account = conversion.account
    except DescriptionError as error:
        raise RequestError(str(error)) from error
    response.message = f'{conversion.headline} ({account.version})'
    response.loads = account.loads
    response.sdf = conversion.text
    losses = (*account.causes, *account.worst_first)
    response.losses = [_loss(each) for each in losses[:MAX_LOSSES]]


SERVICES: dict[str, tuple[Any, Callable[..., None], bool]] = {
    'validate': (ValidateModel, validate, False),
    'convert_to_sdf': (ConvertToSdf, convert_to_sdf, False),
    'account': (GetAccount, get_account, False),
    'get_inertia': (GetInertia, get_inertia, True),
    'compute_inertia': (ComputeInertia, compute_inertia, False),
    'get_link_transforms': (GetLinkTransforms, get_link_transforms, True),
    'get_jacobian': (GetJacobian, get_jacobian, True)}
"""
Name of each service to its type, its answer, and whether that takes a millisecond.

It does for a robot of usual size; others may take long.
"""
