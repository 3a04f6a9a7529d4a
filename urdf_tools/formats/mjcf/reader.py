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
Convert a model of MJCF, as MuJoCo 4.0 reads it, to URDF.

The frame of a link is that of its body, and the position of a joint that of MuJoCo.
"""

from __future__ import annotations

from urdf_tools.findings.losses import Losses
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.formats.mjcf.bodies import TreeBuilder
from urdf_tools.formats.mjcf.equalities import EqualityWriter
from urdf_tools.formats.mjcf.equalities import note_contacts
from urdf_tools.formats.mjcf.equalities import note_efforts
from urdf_tools.formats.mjcf.equalities import note_unread
from urdf_tools.formats.mjcf.geoms import Meshes
from urdf_tools.formats.mjcf.links import LinkWriter
from urdf_tools.formats.mjcf.models import ModelReader
from urdf_tools.formats.urdf_tree import converted
from urdf_tools.formats.urdf_tree import Node
from urdf_tools.formats.urdf_tree import Work
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import Document


def urdf_of(document: Document, resources: ResourceResolver, model: str) -> ConvertedDocument:
    """
    Return the URDF of a model.

    :param document: its root is ``<mujoco>``.
    :param resources: finds the files that it includes, and meshes whose inertia is computed.
    :param model: the name of the model; empty for the only one.
    :raises DescriptionError: it is not valid MJCF, or a file that it includes is not.
    """
    losses = Losses()
    reader = ModelReader(document, resources)
    root = document.root
    name = root.get('model') or 'MuJoCo Model'
    if model and model != name:
        raise root.error(f'The file has no model {quote(model)}', f'It has {quote(name)}')
    builder = TreeBuilder(reader, losses)
    world = builder.world(reader.read())
    if not world.bodies:
        raise root.error('The model has no body', 'Write <body name="..."> in <worldbody>')
    robot = Node('robot', root, Work(), name=name)
    writer = LinkWriter(robot, Meshes(resources), losses)
    for instance in builder.instances:
        note_efforts(instance, writer, losses)
        note_contacts(instance, writer, losses)
    writer.write(world)
    equalities = EqualityWriter(robot, world, writer, losses)
    for instance in builder.instances:
        equalities.write(instance)
        note_unread(instance, losses, equalities.tendons_kept)
    commands = {writer.joints[name][1].get('name', ''): tuple(kinds)
                for name, kinds in writer.commands.items() if name in writer.joints}
    return converted(robot, document, reader.files, losses, 'MJCF',
                     len(world.bodies) == 1 and world.bodies[0].is_free, commands)
