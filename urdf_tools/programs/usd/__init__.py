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
How urdf-usd-converter 0.3.4 converts a robot for the importers of Newton and Isaac.

``reading`` has what its parser keeps and refuses, ``model`` which links become rigid bodies, with
their masses, joints and files; here is what the stage lacks.
"""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.message import Name
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.importers import ignored_attributes
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import ReadJoint
from urdf_tools.programs.importers import repeated
from urdf_tools.programs.importers import summed
from urdf_tools.programs.usd.model import inertia_of
from urdf_tools.programs.usd.model import UsdModel
from urdf_tools.programs.usd.reading import every
from urdf_tools.programs.usd.reading import last
from urdf_tools.programs.usd.reading import number
from urdf_tools.programs.usd.reading import shape_of

VERSION = '0.3.4'


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in USD, as the converter writes it."""
    model = UsdModel(source, context)
    return Account('usd', VERSION, source.parts, model.parts, tuple(model.refusals),
                   'fixed' if model.is_fixed else 'free', model.links.keys() - model.bodies.keys(),
                   tuple(losses(model)), options_of('usd'))


_UNREAD = {'transmission': 'transmission', 'ros2_control': 'interface', 'gazebo': 'element'}


def losses(model: UsdModel) -> Iterator[Loss]:
    """Yield what is lost or changed."""
    if model.top in model.bodies:
        link = model.links[str(model.top)]
        yield loss('base', Impact.CHANGES, link, 'Fixes {link} to the world')
    yield from _of_links(model)
    yield from _by_release(model)
    for joint in model.joints.values():
        yield from _of_joint(joint, joint.name in model.kept)
    for name in model.links:
        for owner in model.shapes(name):
            yield from _of_shape(model, owner)
    for texture in model.root.iter('texture'):
        name = texture.get('filename', '')
        if name and model.files.why_not_found(name):
            yield loss('texture', Impact.DROPS, texture, 'Does not find texture {file}',
                       attribute='filename', file=Name(name))
    for element in model.root.iter():
        known = [each for each in element if each in model.known]
        for each in repeated(element, known) if element in model.known else ():
            of = 'shape' if element.tag == 'geometry' else 'element'
            yield loss(of, Impact.CHANGES, each, 'Takes the last {tag} of {element}',
                       tag=of if of == 'shape' else each.tag, element=element)
    yield from ignored_attributes((model.root,), ('quat_xyzw',))
    for element in model.root:
        if element.tag in _UNREAD:
            yield loss(_UNREAD[element.tag], Impact.IGNORES, element,
                       'Keeps <{tag}> as custom attributes, which nothing reads')


def _of_links(model: UsdModel) -> Iterator[Loss]:
    yield from summed('structure', Impact.DROPS, model.apart, 'Drops {n:link} that no joint '
                      'connects to the root', hint='Connect them with joints')
    dummies = {joint.parent for joint in model.merged.values()}
    for link in (model.links[name] for name in model.bodies if name not in dummies):
        inertia, inertial = inertia_of(link), last(link, 'inertial')
        if inertia is None or inertia.mass <= 0:
            written = (last(inertial, 'mass'), inertial, link)
            where = next(each for each in written if each is not None)
            yield loss('mass', Impact.CHANGES, where, '{link} has no mass, and a simulator '
                       'computes one from its collision shapes')
        elif every(link, 'collision') and last(inertial, 'origin') is None:
            yield loss('inertia', Impact.CHANGES, inertial, 'Writes no centre of mass for {link}, '
                       'and a simulator computes it from its collision shapes')


def _by_release(model: UsdModel) -> Iterator[Loss]:
    """Yield what only some releases of Isaac Sim do: IsaacSim#328, #532, #599, #841 and others."""
    given = (last(joint.element, 'dynamics') for joint in model.moving)
    yield from summed('dynamics', Impact.IGNORES, [
        each for each in given if number(each, 'damping') or number(each, 'friction')],
        'Isaac Sim 6.1 drops the damping and friction of {n:joint}')
    fixed = [joint for joint in model.joints.values() if joint.type == 'fixed']
    root = model.links.get(str(model.top))
    if root is not None and root.get('name') not in model.bodies and any(
            joint.parent == root.get('name') for joint in fixed):
        yield loss('base', Impact.CHANGES, root, 'Root {link} has neither mass nor shapes, and a '
                   'fixed joint attaches the robot to it: release candidates of Isaac Sim 6.0 end '
                   'with an error, or leave the first body of joints empty')
    for joint in fixed:
        if joint.element.get('dont_collapse', '').strip() in ('true', '1'):
            yield loss('joint', Impact.IGNORES, joint.element, 'Isaac Sim 4.5 merges {link} all '
                       'the same, and 5.1 merges no links: not every release reads dont_collapse '
                       'of {joint}', link=Name(joint.child))


def _of_joint(joint: ReadJoint, is_kept: bool) -> Iterator[Loss]:
    element, limit = joint.element, last(joint.element, 'limit')
    if joint.type == 'floating':
        yield loss('joint', Impact.CHANGES, element, '{joint} is floating, for which it writes no '
                   'joint: its child moves freely')
    if not joint.is_moving or not is_kept:
        return
    if limit is None and joint.type in ('revolute', 'prismatic'):
        yield loss('limit', Impact.CHANGES, element, 'Locks {joint}, which has no <limit>, at '
                   'zero')
    elif limit is not None and joint.type in ONE_DOF and 'velocity' not in limit.attrib:
        yield loss('limit', Impact.CHANGES, limit, 'Limits the velocity of {joint} to zero, since '
                   '<limit> has none')
    if number(limit, 'effort'):
        yield loss('limit', Impact.IGNORES, limit, 'Keeps the effort limit of {joint} as a custom '
                   'attribute, which simulators do not read')


def _of_shape(model: UsdModel, owner: Element) -> Iterator[Loss]:
    shape, geometry = shape_of(owner), last(owner, 'geometry')
    reason = None if shape is None else model.files.why_lost(shape)
    if shape is None:
        other = owner if geometry is None else next(reversed(list(geometry)), geometry)
        yield loss(owner.tag, Impact.DROPS, other, 'Drops a {kind}: it has no shape'
                   if other in (owner, geometry) else 'Drops a {kind}: it does not know <{tag}>',
                   hint='Use a box, a sphere, a cylinder or a mesh', kind=owner.tag)
    elif reason is not None:
        yield loss(owner.tag, Impact.DROPS, shape, 'Drops a {kind}: {reason}', kind=owner.tag,
                   reason=reason[0], advice=reason[1])
    elif owner.tag == 'collision' and shape.tag == 'mesh':
        yield loss('collision', Impact.CHANGES, shape, 'Replaces the mesh of a collision by its '
                   'convex hull')
