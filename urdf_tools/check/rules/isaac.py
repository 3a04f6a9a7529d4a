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

"""Rules about what releases of the importer of Isaac Sim make of joints and links."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import joints_of_type
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.topology import attached_link
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.message import Name

rule = RULES.in_category('programs')


@rule('isaac-massless-root', INFO,
      changes('isaac', of='joint', how='fails in release candidates of 6.0, or leaves the first '
              'body of joints empty'),
      affects='any', fix='For these releases, leave the root link and its joint out, or import '
      'with another release', source='isaac-sim/IsaacSim#532, #599')
def isaac_massless_root(description: Description) -> Iterator[Defect]:
    """
    Check that the root link has mass or shapes, or that no fixed joint attaches the robot to it.

    Most robots have such a root, base_footprint or world. Release candidates of Isaac Sim 6.0 end
    with an error about a null prim, or import the joints without their first body.

    Fails in a robot with two links:
        <joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>
    Passes:
        <joint name="j" type="floating"><parent link="base_link"/><child link="tip"/></joint>
    """
    for joint in joints_of_type(description, ('fixed',)):
        name = attached_link(joint, 'parent') or ''
        link = description.link_names.get(name)
        if link is not None and description.topology.parent_joint(name) is None and not (
                {'inertial', 'visual', 'collision'} & description.child_tags(link)):
            yield Defect(link, 'The root {link} has neither mass nor shapes, and {joint} is fixed '
                         'to it', joint=joint)
            return


@rule('isaac-dont-collapse', INFO,
      changes('isaac', of='link', how='merges it all the same in Isaac Sim 4.5, and merges no '
              'links in 5.1'),
      affects='any', fix='See in the stage which links are left',
      source='isaac-sim/IsaacLab#1819, isaac-sim/IsaacSim#328')
def isaac_dont_collapse(description: Description) -> Iterator[Defect]:
    """
    Check that no fixed joint relies on dont_collapse, which some releases of Isaac ignore.

    Fails in a robot with two links:
        <joint name="j" type="fixed" dont_collapse="true">
          <parent link="base_link"/><child link="tip"/></joint>
    Passes:
        <joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>
    """
    for joint in joints_of_type(description, ('fixed',)):
        if joint.get('dont_collapse', '').strip() in ('true', '1'):
            yield Defect(joint, 'Not every release of Isaac reads dont_collapse of {joint}, which '
                         'keeps link {child} from being merged', attribute='dont_collapse',
                         child=Name(attached_link(joint, 'child') or ''))
