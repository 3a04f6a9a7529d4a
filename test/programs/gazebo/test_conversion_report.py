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

"""The report of a conversion has each element and attribute once, and is true."""

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
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.programs.gazebo import ConversionReport
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo import Outcome
from urdf_tools.programs.gazebo import RELEASES
from urdf_tools.xacro.description_files import open_document

pytestmark = pytest.mark.slow

URDF = Path(__file__).parents[2] / 'urdf'

LOSSES = (Outcome.IGNORED, Outcome.DROPPED)


def report_of(text, release='14', **options):
    return ConversionReport(convert(loads(text), release, **options))


def items(root):
    for element in root.iter():
        yield element, None
        yield from ((element, name) for name in element.attrib)


def require_complete(report):
    """Check that each element and attribute of the source is in one entry, in order."""
    entries = [(entry.element, entry.attribute) for entry in report.entries]
    assert entries == list(items(report.conversion.robot.element))
    assert sum(report.counts.values()) == len(entries)
    for entry in report.entries:
        assert bool(entry.reason) is (entry.outcome in LOSSES)
    below = sum(1 + below for _, below in report.losses)
    assert below == sum(report.counts[outcome] for outcome in LOSSES)


@pytest.mark.parametrize('part', [
    '<joint name="j" type="fixed"><parent link="a"/><child link="b"/>{}</joint>',
    '<link name="c">{}</link><joint name="j" type="fixed"><parent link="a"/><child link="b"/>'
    '</joint><joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>',
    '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint><gazebo>{}</gazebo>'])
@pytest.mark.parametrize('tag', ['x:y', 'a.b:c', 'a.b', ':', 'a::b', '_-.'])
def test_any_tag_is_reported(part, tag):
    """A tag is a name, not a path."""
    require_complete(report_of(
        f'<robot name="r"><link name="a"/><link name="b"/>{part.format(f"<{tag}/>")}</robot>'))


@pytest.mark.parametrize('release', RELEASES)
def test_the_report_of_a_robot_is_complete(corpus_robot, release):
    robot = corpus_robot.robot
    for preserve in (False, True):
        require_complete(ConversionReport(convert(robot, release, preserve)))


@pytest.mark.parametrize('path', sorted(URDF.glob('*.urdf.xacro')), ids=lambda path: path.name)
@pytest.mark.parametrize('release', RELEASES)
def test_the_report_of_a_xacro_file_is_complete_and_has_its_source(path, release):
    pytest.importorskip('xacro')
    report = ConversionReport(convert(build_robot(open_document(path)), release))
    require_complete(report)
    for entry in report.entries:
        origin = entry.element.origin
        assert origin is not None and Path(origin.location[0]).suffix == '.xacro'


def test_bad_descriptions_have_an_report_or_one_error(corpus):
    for path in sorted((corpus / 'bad').glob('*.urdf')):
        try:
            robot = load(path)
        except DescriptionError:
            continue
        for release in RELEASES:
            require_complete(ConversionReport(convert(robot, release)))


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
    ignored = [entry for entry in ConversionReport(conversion).entries
               if entry.outcome is Outcome.IGNORED and entry.element.tag != 'geometry'
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
def test_each_element_and_attribute_is_in_the_report_once(text, release, preserve):
    try:
        robot = loads(text)
    except DescriptionError:
        return
    conversion = convert(robot, release, preserve)
    require_complete(ConversionReport(conversion))
    assert bool(conversion.text) is not bool(conversion.refusals)


def test_the_headline_counts_what_remains():
    report = report_of(
        f'<robot name="r"><link name="a">{MASS}</link><link name="b">{MASS}</link><link name="c"/>'
        '<joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint>'
        '<joint name="bc" type="continuous"><parent link="b"/><child link="c"/></joint>'
        '<gazebo reference="b"><sensor name="s" type="imu"/></gazebo>'
        '<gazebo reference="c"><sensor name="t" type="imu"/></gazebo></robot>')
    assert report.conversion.headline == (
        'Gazebo loads 1 of 3 links (1 lumped into others), 0 of 1 moving joints, 1 of 2 '
        'sensors and 2 of 2 kg')
    outcomes = {entry.path: entry.outcome.value for entry in report.entries}
    assert outcomes["/robot/link[@name='a']/@name"] == 'kept'
    assert outcomes["/robot/link[@name='b']/inertial"] == 'merged'
    assert outcomes["/robot/link[@name='c']"] == 'dropped'
    assert outcomes['/robot/gazebo[1]/@reference'] == 'renamed'
    assert outcomes['/robot/gazebo[1]/sensor'] in ('kept', 'converted')
    assert outcomes['/robot/gazebo[2]/sensor'] == 'dropped'


def test_the_corpus_is_where_the_tests_expect_it():
    """A wrong path must not pass for a corpus without bad descriptions."""
    if CORPUS.is_dir():
        assert list(CORPUS.glob('bad/*.urdf'))


def test_the_mimic_of_a_fixed_joint_is_no_loss():
    report = report_of(
        '<robot name="r"><link name="a"><inertial><mass value="1"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
        '<link name="b"/><joint name="j" type="fixed">'
        '<parent link="a"/><child link="b"/><mimic joint="k"/></joint></robot>')
    reason, = {entry.reason for entry in report.entries if entry.element.tag == 'mimic'}
    assert reason == 'a fixed joint does not move'
