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
How Drake loads a robot with ``Parser(plant).AddModels(path)`` and a SceneGraph.

``reading`` has attributes, shapes and materials (``detail_tinyxml.cc`` and
``detail_urdf_geometry.cc`` in ``multibody/parsing``), ``model`` the plant
(``detail_urdf_parser.cc``, and ``detail_common.cc`` for inertias); here is what the plant lacks of
the description. The packages that the resolver finds are taken to be in the package map of the
parser.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import isfinite

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.losses import refusal
from urdf_tools.findings.message import Name
from urdf_tools.model.robot import Robot
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.drake.model import DrakeModel
from urdf_tools.programs.drake.reading import DRAWN
from urdf_tools.programs.drake.reading import HULLS
from urdf_tools.programs.importers import ignored_attributes
from urdf_tools.programs.importers import mesh_suffix
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import ReadJoint
from urdf_tools.programs.importers import repeated
from urdf_tools.programs.importers import summed
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.robot_parts import driven_joints

VERSION = '1.51.1'


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in Drake."""
    model = DrakeModel(source.root, context)
    return Account(
        'drake', VERSION, source.parts, model.parts, (*_name_of_file(context), *model.refusals),
        'fixed' if model.is_fixed else 'free', merged=frozenset((WORLD,)) & model.links.keys(),
        losses=tuple(losses(model, source.robot)), options=options_of('drake'))


def _name_of_file(context: Context) -> Iterator[Loss]:
    """Yield why Drake detects another file format (``detail_select_parser.cc``)."""
    # Xacro is expanded into a file of another name.
    suffix = '.urdf' if context.file is None else context.file.suffix.lower()
    if context.file is not None and suffix not in ('.urdf', '.xacro'):
        yield refusal(
            None, 'Drake reads {file} as a MuJoCo model' if suffix == '.xml' else
            'Drake does not know the format of {file}', file=Name(context.file.name),
            brief='name of the file not .urdf', hint='Give the file a name that ends in .urdf')


def losses(model: DrakeModel, robot: Robot | None) -> Iterator[Loss]:
    """
    Find what is lost, changed or invented.

    :param robot: the robot of our loader, to compare with; None if it refuses it.
    """
    yield from model.losses
    yield from _bodies_without_mass(model)
    for joint in (*model.joints.values(), *model.floating):
        yield from _joint(joint)
    if robot is not None:
        driven = driven_joints(robot) - model.drivers.keys()
        yield from (
            loss('actuator', Impact.DROPS, joint.element,
                 '{joint} has neither an actuator nor an effort limit, because that is 0'
                 if joint.effort == 0 else '{joint} has neither an actuator nor an effort limit, '
                 'because no simple transmission drives it')
            for name, joint in model.joints.items() if name in driven and joint.type in ONE_DOF)
    yield from _meshes(model)
    yield from _ignored(model)


def _bodies_without_mass(model: DrakeModel) -> Iterator[Loss]:
    """Find the links that stop the simulation, because a joint moves no mass."""
    masses = defaultdict(float, {name: inertia.mass for name, inertia in model.inertias.items()})
    for inner, outer, _ in reversed(model.tree):
        masses[inner] += masses[outer]
    for name in (base for base in model.bases if not masses[base]):
        yield loss('mass', Impact.CRASHES, model.links[name], 'The simulation stops with an '
                   'error, because neither {link} nor a link below it has mass')
    for inner, outer, joint in model.tree:
        if joint.type != 'fixed' and not masses[outer] and (masses[inner] or inner == WORLD):
            yield loss('mass', Impact.CRASHES, joint.element, 'The simulation stops with an '
                       'error, because {joint} moves nothing that has mass', child=Name(outer))


def _joint(joint: ReadJoint) -> Iterator[Loss]:
    element = joint.element
    dynamics, limit = element.find_tag('dynamics'), element.find_tag('limit')
    if joint.type == 'floating':
        yield loss('joint', Impact.DROPS, element, '{joint} is dropped, since it is floating: '
                   '{child} is free, at the origin of the world', child=Name(joint.child))
    if joint.friction:
        yield loss('dynamics', Impact.DROPS, dynamics, 'The friction of {joint} is dropped',
                   attribute='friction')
    where = element if limit is None else limit
    missing = tuple(name for name, value in (('lower', joint.lower), ('upper', joint.upper))
                    if not isfinite(value))
    if joint.type == 'continuous' and len(missing) < 2:
        yield loss('limit', Impact.CHANGES, where, '{joint} is continuous, but stays between '
                   '{lower:g} and {upper:g}', lower=joint.lower, upper=joint.upper)
    elif joint.type in ('revolute', 'prismatic') and missing:
        yield loss('limit', Impact.CHANGES, where, '{joint} has no {missing:and} limit, where '
                   'URDF has one of 0', missing=missing)


def _meshes(model: DrakeModel) -> Iterator[Loss]:
    files = [(shape.tag, mesh, mesh_suffix(shape)) for link in model.links.values()
             for shape in link for mesh in shape.findall('geometry/mesh')[:1]]
    yield from summed(
        'shape', Impact.CHANGES, [mesh for tag, mesh, suffix in files
                                  if tag == 'collision' and suffix in HULLS],
        'The convex hull is taken of {n:collision shape} from mesh files',
        hint='Split meshes into convex ones')
    hidden = [(mesh, suffix) for tag, mesh, suffix in files
              if tag == 'visual' and suffix not in ('', *DRAWN)]
    yield from summed('visual', Impact.DROPS, [mesh for mesh, _ in hidden], 'Cameras do not show '
                      '{n:visual shape} from {suffixes} files',
                      suffixes=tuple(sorted({suffix for _, suffix in hidden})))


def _ignored(model: DrakeModel) -> Iterator[Loss]:
    joints = (*model.joints.values(), *model.floating)
    owners = (*model.links.values(), *(joint.element for joint in joints))
    yield from ignored_attributes(owners, ('quat_xyzw', 'deceleration', 'jerk'))
    for element in (each for owner in owners for each in owner.iter()):
        name = {'limit': 'acceleration', 'collision': 'group'}.get(element.tag, '')
        if name in element.attrib:
            yield loss('attribute', Impact.IGNORES, element, '{attribute} of {element} is ignored',
                       attribute=name, hint='Write drake:acceleration beside it' if name ==
                       'acceleration' else 'Write <drake:collision_filter_group>')
        for each in repeated(element, element) if element.tag != 'geometry' else ():
            yield loss('element', Impact.IGNORES, each,
                       '{element} is ignored, as it is not the first one')
