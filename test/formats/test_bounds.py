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

"""What a description in SDF or MJCF asks for is bounded, over all its files and copies."""

import pytest
from support.call_count import count_calls
from urdf_tools import DescriptionError
from urdf_tools import load
from urdf_tools import loads
from urdf_tools.formats.converted_document import losses_of

LONG = 'n' * 900_000

BODY = '<body name="a"><geom size="1"/>{}</body>'

SPACE = '\n' * 31_000_000


def sdf(content, version='1.9'):
    """Return an SDF model."""
    return f'<sdf version="{version}"><model name="m">{content}</model></sdf>'


def mjcf(content, rest=''):
    """Return an MJCF model with these bodies."""
    return f'<mujoco>{rest}<worldbody>{content}</worldbody></mujoco>'


def many(text, count):
    """Return copies of a text with numbers in it."""
    return ''.join(text.format(number) for number in range(count))


def nested(text, inner, depth):
    """Return an element in itself."""
    for number in range(depth):
        inner = text.format(number).replace('|', inner)
    return inner


def asset(files):
    """Return assets that name models in files."""
    return f'<asset>{"".join(f"<model name={each!r} file={each!r}/>" for each in files)}</asset>'


TOO_MUCH = {
    'sdf names': {'robot.sdf': sdf(nested(
        f'<model name="{LONG}">|</model>', many('<link name="l{}"/>', 50), 1))},
    'sdf names in names': {'robot.sdf': sdf(nested(
        f'<model name="{LONG}">|</model>', '<link name="l"/>', 20))},
    'sdf materials': {'robot.sdf': sdf(
        f'<link name="{LONG}">' + '<visual name="v"><geometry><sphere><radius>1</radius></sphere>'
        '</geometry><material><diffuse>1 1 1 1</diffuse></material></visual>' * 40 + '</link>')},
    'sdf ends of joints': {'robot.sdf': sdf(f'<link name="{LONG}"/>' + many(
        f'<link name="l{{0}}"/><joint name="j{{0}}" type="fixed"><parent>{LONG}</parent>'
        '<child>l{0}</child></joint>', 20) + many(
            '<link name="k{0}"/><joint name="i{0}" type="fixed"><parent>f</parent>'
            '<child>k{0}</child></joint>', 40) + f'<frame name="f" attached_to="{LONG}"/>')},
    'sdf files': {'part.sdf': sdf('<link name="a"/>'), 'robot.sdf': sdf(many(
        '<include><uri>part.sdf</uri><name>n{}</name></include>', 1001))},
    'sdf bytes': {'part.sdf': sdf('<link name="a"/>') + SPACE, 'robot.sdf': sdf(many(
        '<include><uri>part.sdf</uri><name>n{}</name></include>', 2))},
    'sdf bytes of manifests': {
        'part/model.config': '<model><sdf version="1.9">part.sdf</sdf></model>' + SPACE,
        'part/part.sdf': sdf('<link name="a"/>'), 'robot.sdf': sdf(many(
            '<include><uri>part</uri><name>n{}</name></include>', 2))},
    'sdf joints that become three': {'robot.sdf': sdf('<link name="l"/>' + many(
        '<link name="l{0}"/><joint name="j{0}" type="ball"><parent>l</parent><child>l{0}</child>'
        '</joint>', 9000))},
    'mjcf copies': {'robot.xml': mjcf('<replicate count="1e300"><body/></replicate>')},
    'mjcf copies of copies': {'robot.xml': mjcf(nested(
        '<replicate count="1000">|</replicate>', '<body/>', 60))},
    'mjcf separators': {'robot.xml': mjcf(
        f'<replicate count="100" sep="{LONG}"><body name="b"/></replicate>')},
    'mjcf names': {'robot.xml': mjcf(
        f'<replicate count="100"><body name="{LONG}"/></replicate>')},
    'mjcf prefixes': {'part.xml': mjcf(many('<body name="b{}"/>', 50)), 'robot.xml': mjcf(
        f'<attach model="part.xml" prefix="{LONG}"/>', asset(['part.xml']))},
    'mjcf attached models': {**{f'{number}.xml': mjcf(
        BODY.format(f'<attach model="{number + 1}.xml" prefix="a"/>'
                    f'<attach model="{number + 1}.xml" prefix="b"/>'), asset([f'{number + 1}.xml'])
    ) for number in range(30)}, '30.xml': mjcf('<body/>'), 'robot.xml': mjcf(
        '<attach model="0.xml" prefix="a"/>', asset(['0.xml']))},
    'mjcf sections of attached models': {
        'part.xml': mjcf('', f'<equality>{"<joint/>" * 5000}</equality>'), 'robot.xml': mjcf(
            BODY.format('<attach model="part.xml" prefix="a"/>' * 50), asset(['part.xml']))},
    'mjcf bytes of attached models': {'part.xml': mjcf('<body/>') + SPACE, 'robot.xml': mjcf(
        '<attach model="part.xml" prefix="a"/><attach model="x" prefix="b"/>',
        asset(['part.xml']) + '<asset><model name="x" file="part.xml"/></asset>')},
    'mjcf files': {'part.xml': '<mujocoinclude/>', 'robot.xml': mjcf(
        BODY, '<include file="part.xml"/>' * 1001)},
    'mjcf files in files': {**{f'{number}.xml': '<mujocoinclude>' + (
        f'<include file="{number + 1}.xml"/>' * 12) + '</mujocoinclude>' for number in range(6)},
        '6.xml': '<mujocoinclude/>', 'robot.xml': mjcf(BODY, '<include file="0.xml"/>')},
    'mjcf bytes': {'part.xml': f'<mujocoinclude/>{SPACE}', 'robot.xml': mjcf(
        BODY, '<include file="part.xml"/>' * 2)},
    'mjcf default classes': {'robot.xml': mjcf(BODY, '<default>' + many(
        '<t{} ' + many('a{}="1" ', 50) + '/>', 400) + many(
            '<default class="c{}"/>', 500) + '</default>')},
    'mjcf default values': {'robot.xml': mjcf(BODY, '<default><geom ' + many(
        'a{}="1" ', 20_000) + '/>' + many(
            '<default class="c{}"><geom/></default>', 10) + '</default>')}}


@pytest.mark.slow
@pytest.mark.parametrize('name', TOO_MUCH)
def test_what_is_too_much_is_refused_in_one_line(name, tmp_path):
    for file, content in TOO_MUCH[name].items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(content)
    path, = tmp_path.glob('robot.*')
    with pytest.raises(DescriptionError) as raised:
        load(path)
    assert 'more than 160000 elements, 1000 files or 32 MB' in raised.value.message
    assert '\n' not in str(raised.value)
    assert len(str(raised.value)) < 3000


@pytest.mark.slow
def test_what_is_deep_is_refused():
    for name, content in (
            ('default', nested('<default class="c{}">|</default>', '', 126)),
            ('worldbody', nested('<body>|</body>', '', 130)),
            ('worldbody', nested('<frame>|</frame>', '', 126))):
        text = f'<mujoco><{name}>{content}</{name}></mujoco>'
        with pytest.raises(DescriptionError, match='nested deeper|no body'):
            loads(text)


@pytest.mark.slow
def test_poses_of_placed_models_in_placed_models():
    """Each pose is computed once, not once for each model around it: that would be 2**28 times."""
    inner = '<link name="l"/>'
    for depth in range(28):
        inner = f'<model name="n" placement_frame="{"n::" * depth}l">{inner}</model>'
    assert list(loads(sdf(inner)).links) == ['::'.join(['n'] * 28) + '::l']


def attached_frames(count):
    """Return joints to the last of many frames, each attached to the one before."""
    return sdf(
        '<link name="l"/><frame name="f0" attached_to="l"/>' + ''.join(
            f'<frame name="f{number + 1}" attached_to="f{number}"/>' for number in range(count))
        + many('<link name="l{0}"/><joint name="j{0}" type="fixed"><parent>f' f'{count}'
               '</parent><child>l{0}</child></joint>', count))


def frames_in_world(count):
    """Return the same with joints to the world."""
    return attached_frames(count).replace('attached_to="l"', 'attached_to="world"').replace(
        '<link name="l"/>', '')


def canonical_links(count):
    """Return joints to a model of many links."""
    return sdf('<model name="n">' + many('<frame name="f{}"/>', count) + '<link name="a"/></model>'
               + many('<link name="l{0}"/><joint name="j{0}" type="fixed"><parent>n</parent>'
                      '<child>l{0}</child></joint>', count))


def open_loops(count):
    """Return as many loops as joints."""
    return mjcf(BODY.format(many(
        '<body name="b{0}"><joint name="j{0}"/><geom size="1"/></body>', count)),
        '<equality>' + many('<connect body1="b{0}" body2="a" anchor="0 0 0"/>', count)
        + '</equality>')


@pytest.mark.slow
@pytest.mark.parametrize('text', [attached_frames, frames_in_world, canonical_links, open_loops])
def test_work_is_proportional_to_the_text(text):
    loads(text(10))
    calls = [count_calls(lambda: loads(text(count)))[1] for count in (100, 200)]
    assert calls[1] < 2.3 * calls[0]


@pytest.mark.slow
def test_many_shapes_that_urdf_does_not_have():
    polyline = f'<polyline>{"<point>0 0</point>" * 10_000}</polyline>'
    robot = loads(sdf('<link name="a"><inertial auto="true"/>' + (
        f'<collision name="c"><geometry>{polyline}</geometry></collision>') + '</link>', '1.11'))
    assert len(losses_of(robot)) == 2


@pytest.mark.slow
def test_names_that_many_bodies_have():
    links = loads(mjcf('<body name="a"><geom size="1"/></body>' * 3000)).links
    assert {'a', 'a_2', 'a_3000'} <= links.keys()


@pytest.mark.slow
@pytest.mark.parametrize('order', [1, -1])
def test_long_chains_of_joints_that_follow_each_other(order):
    equalities = [f'<joint joint1="j{number + 1}" joint2="j{number}"/>' for number in range(999)]
    robot = loads(mjcf(BODY.format(many(
        '<body name="b{0}"><joint name="j{0}"/><geom size="1"/></body>', 1000)),
        f'<equality>{"".join(equalities[::order])}<joint joint1="j0" joint2="j999"/></equality>'))
    assert [robot.joints[f'j{number}'].mimic is None for number in (0, 1, 999)] == [
        True, False, False]
