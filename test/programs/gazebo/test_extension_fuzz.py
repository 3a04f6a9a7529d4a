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

"""Whatever <gazebo> elements have, the conversion ends without an exception and is valid XML."""

from __future__ import annotations

from collections.abc import Iterator
import copy
import os
from random import Random
from xml.etree import ElementTree
from xml.parsers import expat

import pytest
from support.corpus import CORPUS

from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.validator import validates
from urdf_tools.formats.loader import loads
from urdf_tools.model.errors import DescriptionError
from urdf_tools.programs.gazebo import convert

pytestmark = pytest.mark.slow

CASES = int(os.environ.get('URDF_TOOLS_GAZEBO_CASES', '200'))
"""Number of cases; 20,000 take ten minutes."""

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>' \
    '</inertial>'
SHAPES = ''.join(f'<{tag}><geometry><box size="1 1 1"/></geometry></{tag}>'
                 for tag in ('visual', 'collision'))
ROBOT = f'<robot name="r"><link name="a">{MASS}{SHAPES}</link>{{}}</robot>'
LINK_IN_GAZEBO = '<gazebo><link name="x"><inertial><mass>1</mass><inertia/></inertial></link>' \
    '</gazebo>'

BLOCKS = (LINK_IN_GAZEBO, """<gazebo reference="tool">
  <mu1>0.5</mu1><kp value="1e6"/><maxContacts>4</maxContacts><dampingFactor>0.1</dampingFactor>
  <visual><material><ambient>1 0 0 1</ambient></material></visual><material>Gazebo/Red</material>
  <collision><surface><friction><ode><mu>1</mu></ode></friction></surface></collision>
  <sensor name="s" type="ray"><pose>0 0 1 0 0 0</pose><ray><range><min>1</min></range></ray>
    <plugin name="p" filename="f"><frameName>tool</frameName><xyzOffset>0 0 1</xyzOffset></plugin>
  </sensor></gazebo>""", """<gazebo>
  <static>false</static><plugin name="p" filename="f"><bodyName>tool</bodyName>
    <rpyOffset>0 0 1</rpyOffset></plugin><projector name="q">tool/q</projector>
  <joint name="k" type="revolute"><parent>tool</parent><child>x</child><axis><xyz>0 0 1</xyz>
    <limit><lower>0</lower><upper>1</upper></limit></axis></joint>
  <frame name="f" attached_to="tool"/><light name="l"><pose>0 0 0 0 0 0</pose></light>
  <link name="x"><pose>0 0 0 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>1</ixx>
    </inertia></inertial></link></gazebo>""", """<gazebo reference="joint">
  <stopCfm>0</stopCfm><preserveFixedJoint>true</preserveFixedJoint><fudgeFactor>1</fudgeFactor>
  <provideFeedback>1</provideFeedback><axis><dynamics/></axis></gazebo>""")
"""Elements as robots have them, with or without the corpus."""

TEXTS = ('', ' ', '0', '-1', 'nan', 'inf', '1e999', '-1e-400', '0x1p9999', '1 2', '1 2 3', 'a',
         '1 2 3 4 5 6', '0 0 0 0 1.5708 0', 'true', 'world', 'tool', 'base', '::', 'a/b', '9' * 30)
PREFIXES = ('ns0:', 'a:b:', ':', 'xml:', 'xmlns:', 'x:1')
ATTRIBUTES = ('xmlns:ns0', 'xmlns:x', 'xmlns', 'xmlns:xml', 'ns0:name', 'x:name', 'name', 'value')


def blocks() -> list[ElementTree.Element]:
    """Return the <gazebo> elements of the corpus, and some like them; but no long ones."""
    found = [*BLOCKS]
    for path in sorted(CORPUS.glob('**/*.urdf')):
        try:
            root = ElementTree.parse(path).getroot()
        except ElementTree.ParseError:
            continue
        found += [ElementTree.tostring(element, encoding='unicode')
                  for element in root.findall('gazebo')]
    return [ElementTree.fromstring(text) for text in dict.fromkeys(found) if len(text) < 5000]


def mutate(element: ElementTree.Element, random: Random) -> None:
    """Change a few parts of an element in place."""
    for _ in range(random.randint(1, 5)):
        nodes = list(element.iter())
        node = random.choice(nodes)
        change = random.randrange(8)
        if change == 0 and len(node):
            node.remove(random.choice(node))
        elif change == 1 and len(node):
            node.append(copy.deepcopy(random.choice(node)))
        elif change == 2:
            node.text = random.choice(TEXTS)
        elif change == 3 and node.attrib:
            del node.attrib[random.choice(sorted(node.attrib))]
        elif change == 4:
            node.set(random.choice([*node.attrib, *ATTRIBUTES]), random.choice(TEXTS))
        elif change == 5:
            node.clear()
        elif change == 6:
            node.append(copy.deepcopy(random.choice(nodes)))
        elif node is not element:
            node.tag = random.choice([
                random.choice(PREFIXES) + node.tag, random.choice(nodes).tag, 'link', 'inertia'])


def description(elements: list[ElementTree.Element], random: Random) -> str:
    """Return a robot whose links and joints are those that <gazebo> elements refer to."""
    names = list(dict.fromkeys(
        name for element in elements if (name := element.get('reference')))) or ['tool']
    robot = ElementTree.fromstring(ROBOT.replace('{}', ''))
    parent = 'a'
    for number, name in enumerate(names):
        is_joint = random.random() < 0.3
        link, joint = (f'link{number}', name) if is_joint else (name, f'joint{number}')
        robot.append(ElementTree.fromstring(
            f'<link name="l">{random.choice((MASS, ""))}{random.choice((SHAPES, ""))}</link>'))
        robot[-1].set('name', link)
        kind = random.choice(('fixed', 'fixed', 'continuous'))
        robot.append(ElementTree.fromstring(
            f'<joint name="j" type="{kind}"><parent link="p"/><child link="c"/>'
            '<origin xyz="0 1 0" rpy="0 1.5707963 0"/></joint>'))
        robot[-1].set('name', joint)
        robot[-1][0].set('link', parent)
        robot[-1][1].set('link', link)
        parent = random.choice((parent, link))
    robot.extend(elements)
    return ElementTree.tostring(robot, encoding='unicode')


def cases() -> Iterator[str]:
    """Yield descriptions with changed <gazebo> elements."""
    random, originals = Random(21), blocks()
    for _ in range(CASES):
        elements = copy.deepcopy(random.choices(originals, k=random.randint(1, 3)))
        for element in elements:
            mutate(element, random)
        yield description(elements, random)


def require_namespaces(text: str) -> None:
    """Raise an error if a text is not well-formed with XML namespaces."""
    if text:
        expat.ParserCreate(namespace_separator='\x01').Parse(text, True)


def convert_everywhere(text: str) -> None:
    """Convert a description, and report it, as all that reads <gazebo> does."""
    try:
        robot = loads(text)
    except DescriptionError:
        return
    validates(text, categories=CATEGORIES)
    for release in ('12', '14', '15'):
        try:
            conversion = convert(robot, release)
            require_namespaces(conversion.text)
            account = conversion.account
        except DescriptionError:
            continue
        assert conversion.headline
        assert account.data('r.urdf')


def test_no_extension_ends_the_conversion():
    for text in cases():
        try:
            convert_everywhere(text)
        except Exception as error:
            raise AssertionError(f'{type(error).__name__}: {error} in {text}') from error


@pytest.mark.parametrize('inertia', ['<inertia/>', '', '<inertia>1</inertia>',
                                     '<inertia><ixx/></inertia>', '<inertia ixx="a"/>'])
def test_a_link_in_an_extension_may_lack_its_inertia(inertia):
    text = ROBOT.format(LINK_IN_GAZEBO.replace('<inertia/>', inertia))
    convert_everywhere(text)
    assert not convert(loads(text)).load_errors
