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
How Gazebo loads a robot: what libsdformat makes of its URDF, and what is lost.

Reading: urdfdom reads the links and joints, ``extensions`` the ``<gazebo>`` elements; ``model``
has what remains of them after lumping, and ``load_errors`` why Gazebo refuses it. Conversion:
``writer`` makes the SDFormat document of the model, which ``conversion`` compares with the source.
"""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.consequences import Impact
from urdf_tools.model.grouping import grouped
from urdf_tools.model.loops import LOOP_TAGS
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.gazebo.conversion import Conversion
from urdf_tools.programs.gazebo.conversion import ConversionReport
from urdf_tools.programs.gazebo.conversion import convert
from urdf_tools.programs.gazebo.conversion import Entry
from urdf_tools.programs.gazebo.conversion import Outcome
from urdf_tools.programs.gazebo.document import ALIASES
from urdf_tools.programs.gazebo.document import DEFAULT_RELEASE
from urdf_tools.programs.gazebo.document import get_release
from urdf_tools.programs.gazebo.document import RELEASES
from urdf_tools.programs.gazebo.load_errors import refusals
from urdf_tools.programs.gazebo.model import is_world
from urdf_tools.programs.importers import is_number
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.programs.robot_parts import suffix_of
from urdf_tools.programs.urdfdom.reading import BOUNDED
from urdf_tools.programs.urdfdom.reading import Tree

__all__ = [
    'account', 'account_of_report', 'ALIASES', 'Conversion', 'ConversionReport', 'convert',
    'DEFAULT_RELEASE', 'Entry', 'Outcome', 'RELEASES']

_KINDS = {
    **{tag: tag for tag in (
        'collision', 'dynamics', 'joint', 'limit', 'link', 'material', 'mimic', 'plugin',
        'sensor', 'texture', 'transmission', 'visual')},
    **dict.fromkeys(LOOP_TAGS, 'loop'),
    'color': 'colour', 'inertial': 'inertia', 'ros2_control': 'interface'}
"""Tags of elements to the kinds of what is lost with them."""

_MAX_TAG = 40

_MESHES = ('.dae', '.obj', '.stl', '.gltf', '.glb')


def account(source: Source, context: Context) -> Account:
    """
    Return what becomes of a robot in the default release of Gazebo.

    :raises DescriptionError: the conversion repeats too much of the description.
    """
    if source.robot is None:
        return Account('gazebo', get_release(DEFAULT_RELEASE).library, None,
                       causes=tuple(refusals(source.root)) or tuple(_massless(source.root)))
    return account_of_report(ConversionReport(convert(source.robot, context=context)))


def _massless(root: Element) -> Iterator[Loss]:
    """Yield why Gazebo drops all links of what is not a tree for our loader."""
    tree, bodies = Tree(root), set()
    for name in tree.order:
        joint, parent = tree.joints.get(name, (None, WORLD))
        if name != WORLD and (parent == WORLD or parent in bodies and (
                joint is not None and joint.get('type') == 'fixed')):
            bodies.add(name)
    links = [link for link in root.findall_tag('link') if link.get('name') in bodies]
    masses = [mass.get('value', '') for link in links for mass in link.findall('inertial/mass')]
    if tree.order and not any(is_number(text) and float(text) > 0 for text in masses):
        yield refusal(links or root, 'No link is left, because {element} has no mass', of='mass',
                      hint='Give the link a mass', brief='no link with mass')


def account_of_report(report: ConversionReport) -> Account:
    """Return what becomes of a robot in a conversion."""
    conversion = report.conversion
    model = conversion.model
    root = model.bodies[conversion.robot.root]
    return Account('gazebo', conversion.release.library, parts_of(conversion.robot),
                   conversion.kept, conversion.load_errors,
                   'fixed' if is_world(root) or model.is_static else 'free', conversion.merged,
                   () if conversion.refusals else (*_losses(report), *_changes(conversion)),
                   options_of('gazebo') if model.lumped else {})


def _losses(report: ConversionReport) -> Iterator[Loss]:
    """Yield what is lost; all that is dropped with a massless link is one loss."""
    yield from (_loss_of(entry) for entry, _ in report.losses if entry.why.cause is None)
    bodies = report.conversion.model.bodies
    for cause, elements in grouped(
            (entry.why.cause, entry.element) for entry, _ in report.losses
            if entry.why.cause is not None and entry.attribute is None).items():
        links = [bodies[each.get('name', '')].link for each in elements
                 if each.tag == 'link' and each is not cause]
        yield loss(
            'link', Impact.DROPS, cause, 'Gazebo drops {link}, which has no mass, with '
            '{links:link} and {joints:joint} at and below it' if links else
            'Gazebo drops {link}, which has no mass', hint='Give the link a mass',
            mass=sum(link.inertial.mass for link in links if link.inertial is not None),
            links=len(links), joints=sum(each.tag == 'joint' for each in elements))


def _loss_of(entry: Entry) -> Loss:
    tag, attribute, why = entry.element.tag, entry.attribute, entry.why
    kind = _KINDS.get(tag, 'element') if attribute is None else (
        'name' if (tag, attribute) == ('material', 'name') else 'attribute')
    part = f'<{tag[:_MAX_TAG]}>' + (f' {attribute[:_MAX_TAG]}' if attribute else '')
    impact = Impact.DROPS if entry.outcome is Outcome.DROPPED else Impact.IGNORES
    return loss(kind, impact, entry.element,
                'Loop {name}: {reason}' if kind == 'loop' else '{part}: {reason}',
                hint='{advice}' if why.hint else '', attribute=attribute, part=part,
                reason=why.reason, advice=why.hint, is_harmless=why.is_harmless)


def _changes(conversion: Conversion) -> Iterator[Loss]:
    """Yield what differs in Gazebo, and the meshes that it cannot show."""
    model = conversion.model
    origin = model.element.find_tag('origin')
    if origin is not None:
        yield loss('model', Impact.CHANGES, origin, 'Takes {origin} for the pose of the model',
                   hint='Join the root link with a link named world')
    for body in model.links:
        for tag, shapes in body.shapes.items():
            for shape in shapes:
                yield from _lost_mesh(tag, shape.element.find('geometry/mesh'), conversion.context)
    for body in model.joints.values():
        limit = body.joint_element.find_tag('limit')
        limits = None if body.joint is None else body.joint.limits
        is_bounded = body.joint_element.get('type') in BOUNDED
        if is_bounded and limit is not None and limits is not None and limits.lower > limits.upper:
            yield loss('limit', Impact.CHANGES, limit, 'Swaps lower and upper of {limit}',
                       hint='Write the smaller one as lower')


def _lost_mesh(tag: str, mesh: Element | None, context: Context | None) -> Iterator[Loss]:
    file = '' if mesh is None else mesh.get('filename', '').strip()
    if file and suffix_of(file) not in _MESHES:
        yield loss(tag, Impact.DROPS, mesh, 'Drops {mesh}, which is not one of {formats}',
                   formats=_MESHES, hint='Convert the mesh')
    elif file and context is not None and not context.resolves(file):
        yield loss(tag, Impact.DROPS, mesh, 'Drops {mesh}, whose file is not found',
                   hint='Correct the name of the file')
