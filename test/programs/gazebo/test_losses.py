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

"""What Gazebo loses of a description is reported once, and is true."""

from __future__ import annotations

import copy
from pathlib import Path
import random
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
import pytest
from support.corpus import CORPUS

from urdf_tools import load
from urdf_tools import loads
from urdf_tools.findings.consequences import Impact
from urdf_tools.formats.description_files import open_document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo import RELEASES

pytestmark = pytest.mark.slow

URDF = Path(__file__).parents[2] / 'urdf'


def account_of(text, release='14'):
    return convert(loads(text), release).account


def require_losses(conversion):
    """Check that what is lost is in the description, once, and return it."""
    losses = conversion.account.losses
    assert not (losses and conversion.refusals)
    elements = set(conversion.model.element.iter())
    assert all(each.element in elements and str(each.message) for each in losses)
    ignored = [(each.element, each.attribute) for each in losses if each.impact is Impact.IGNORES]
    assert len(set(ignored)) == len(ignored)
    return losses


@pytest.mark.parametrize('part', [
    '<joint name="j" type="fixed"><parent link="a"/><child link="b"/>{}</joint>',
    '<link name="c">{}</link><joint name="j" type="fixed"><parent link="a"/><child link="b"/>'
    '</joint><joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>',
    '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint><gazebo>{}</gazebo>'])
@pytest.mark.parametrize('tag', ['x:y', 'a.b:c', 'a.b', ':', 'a::b', '_-.'])
def test_any_tag_is_reported(part, tag):
    """A tag is a name, not a path."""
    require_losses(convert(loads(
        f'<robot name="r"><link name="a"/><link name="b"/>{part.format(f"<{tag}/>")}</robot>')))


@pytest.mark.parametrize('release', RELEASES)
def test_the_losses_of_a_robot_are_in_its_description(corpus_robot, release):
    robot = corpus_robot.robot
    for preserve in (False, True):
        require_losses(convert(robot, release, preserve))


@pytest.mark.parametrize('path', sorted(URDF.glob('*.urdf.xacro')), ids=lambda path: path.name)
@pytest.mark.parametrize('release', RELEASES)
def test_the_losses_of_a_xacro_file_have_its_source(path, release):
    pytest.importorskip('xacro')
    for each in require_losses(convert(build_robot(open_document(path)), release)):
        assert Path(each.element.origin.location[0]).suffix == '.xacro'


def test_bad_descriptions_have_losses_or_one_error(corpus):
    for path in sorted((corpus / 'bad').glob('*.urdf')):
        try:
            robot = load(path)
        except DescriptionError:
            continue
        for release in RELEASES:
            require_losses(convert(robot, release))


def without(robot, entry):
    """Return the text of a robot without one element or attribute."""
    root = copy.deepcopy(robot.element)
    position = list(robot.element.iter()).index(entry.element)
    found = list(root.iter())[position]
    if entry.attribute is not None:
        del found.attrib[entry.attribute]
    else:
        next(parent for parent in root.iter() if found in list(parent)).remove(found)
    # Prefixes that are not declared are written as they are.
    return ElementTree.tostring(root, encoding='unicode')


def test_what_is_ignored_changes_nothing(corpus_robot):
    """A document stays the same without a part of the description that it ignores."""
    robot = corpus_robot.robot
    conversion = convert(robot)
    ignored = [entry for entry in conversion.account.losses
               if entry.impact is Impact.IGNORES and entry.element.tag != 'geometry'
               and (entry.element.tag, entry.attribute) not in NEEDED
               and not is_all_of_an_extension(entry.element)]
    for entry in random.Random(7).sample(ignored, min(len(ignored), 3)):
        changed = convert(loads(without(robot, entry)))
        # urdfdom needs some parts that are lost, such as the limit of a fixed joint.
        assert changed.refusals or changed.text == conversion.text, entry


def is_all_of_an_extension(element):
    """Return whether libsdformat would not note the reference without this element."""
    return element.parent is not None and element.parent.tag == 'gazebo' and (
        len(element.parent) == 1)


NEEDED = {('material', 'name'), ('gazebo', 'reference'), ('link', 'name'), ('joint', 'name'),
          ('link', None), ('material', None)}
"""What a description needs to be read at all, or refers to something else by."""

TAGS = ('sensor', 'plugin', 'mu1', 'static', 'turnGravityOff', 'visual', 'collision', 'material',
        'stopCfm', 'preserveFixedJoint', 'disableFixedJointLumping', 'canonicalBody', 'light',
        'axis', 'limit', 'dynamics', 'mimic', 'origin', 'inertial', 'transmission', 'unknown')
NAMES = ('a', 'b', 'c', 'ab', 'bc', 'world', '')


def parts(tag, attributes, children):
    written = ''.join(f' {name}="{value}"' for name, value in sorted(attributes.items()))
    return f'<{tag}{written}>{"".join(children)}</{tag}>'


ELEMENTS = st.recursive(
    st.builds(parts, st.sampled_from(TAGS), st.dictionaries(
        st.sampled_from(('name', 'value', 'type', 'xyz', 'reference', 'x')),
        st.sampled_from((*NAMES, '1', 'true', '0 0 1')), max_size=3),
        st.lists(st.sampled_from(('1', 'true', 'a')), max_size=1)),
    lambda inner: st.builds(
        parts, st.sampled_from(TAGS), st.just({}), st.lists(inner, max_size=3)), max_leaves=6)

MASS = ('<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
        '</inertial>')


@st.composite
def robots(draw):
    chunks = []
    for name in ('a', 'b', 'c'):
        mass = draw(st.sampled_from((MASS, '')))
        chunks.append(f'<link name="{name}">{mass}{"".join(draw(st.lists(ELEMENTS, max_size=2)))}'
                      '</link>')
    for parent, child in ('ab', 'bc'):
        kind = draw(st.sampled_from(('fixed', 'continuous', 'floating')))
        extra = ''.join(draw(st.lists(ELEMENTS, max_size=2)))
        chunks.append(f'<joint name="{parent}{child}" type="{kind}"><parent link="{parent}"/>'
                      f'<child link="{child}"/>{extra}</joint>')
    for reference in draw(st.lists(st.sampled_from(NAMES), max_size=3)):
        inner = ''.join(draw(st.lists(ELEMENTS, max_size=3)))
        chunks.append(f'<gazebo reference="{reference}">{inner}</gazebo>')
    chunks += draw(st.lists(ELEMENTS, max_size=2))
    return f'<robot name="r">{"".join(draw(st.permutations(chunks)))}</robot>'


@given(robots(), st.sampled_from(tuple(RELEASES)), st.booleans())
def test_what_is_lost_is_reported_once(text, release, preserve):
    try:
        robot = loads(text)
    except DescriptionError:
        return
    conversion = convert(robot, release, preserve)
    require_losses(conversion)
    assert bool(conversion.text) is not bool(conversion.refusals)


def test_the_headline_counts_what_remains():
    conversion = convert(loads(
        f'<robot name="r"><link name="a">{MASS}</link><link name="b">{MASS}</link><link name="c"/>'
        '<joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint>'
        '<joint name="bc" type="continuous"><parent link="b"/><child link="c"/></joint>'
        '<gazebo reference="b"><sensor name="s" type="imu"/></gazebo>'
        '<gazebo reference="c"><sensor name="t" type="imu"/></gazebo></robot>'))
    assert conversion.headline == (
        'Gazebo loads 1 of 3 links (1 lumped into others), 0 of 1 moving joints, 1 of 2 '
        'sensors and 2 of 2 kg')
    assert [(each.impact, each.element.get('name')) for each in conversion.account.losses] == [
        (Impact.DROPS, 'c')]


def test_the_corpus_is_where_the_tests_expect_it():
    """A wrong path must not pass for a corpus without bad descriptions."""
    if CORPUS.is_dir():
        assert list(CORPUS.glob('bad/*.urdf'))


def test_the_mimic_of_a_fixed_joint_is_no_loss():
    account = account_of(
        '<robot name="r"><link name="a"><inertial><mass value="1"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
        '<link name="b"/><joint name="j" type="fixed">'
        '<parent link="a"/><child link="b"/><mimic joint="k"/></joint></robot>')
    loss, = account.losses
    assert loss.message == '<mimic>: a fixed joint does not move' and loss.is_harmless
