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

"""Gains that are computed, and settings that a description cannot say."""

from xml.etree import ElementTree

import numpy as np
import pytest
from support.corpus import CORPUS
from support.mjcf_proofs import joint
from support.mjcf_proofs import link
from support.mjcf_proofs import robot

from urdf_tools import DescriptionError
from urdf_tools import InverseDynamics
from urdf_tools import KinematicTree
from urdf_tools import load
from urdf_tools import loads
from urdf_tools import MassMatrix
from urdf_tools import MjcfOptions
from urdf_tools import MjcfSettings
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs.mjcf import convert
from urdf_tools.programs.mjcf.settings import settings_text

BOX = '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>'
LIMIT = '<limit lower="-1" upper="2" effort="50" velocity="2"/>'
ARM = robot(
    link('a'), link('b'), link('c'), link('d'), '<link name="tip"/>', '<link name="tool"/>',
    link('left_finger', content=BOX), joint('q', 'revolute', 'a', 'b', limit=LIMIT),
    joint('r', 'revolute', 'b', 'c', limit=LIMIT), joint('s', 'revolute', 'c', 'd', limit=LIMIT),
    joint('t', 'fixed', 'd', 'tip', limit=''), joint('u', 'fixed', 'tip', 'tool', limit=''))
FINGER = joint('slide', 'prismatic', 'd', 'left_finger', limit=LIMIT)
GRIPPER = ARM.replace('</robot>', f'{FINGER}</robot>')
ARM = ARM.replace(link('left_finger', content=BOX), '')


def written(text, options=MjcfOptions()):
    conversion = convert(loads(text), options)
    return conversion, ElementTree.fromstring(conversion.text)


def test_gains_hold_the_largest_load_within_a_hundredth():
    conversion, root = written(GRIPPER)
    made = loads(GRIPPER)
    tree = KinematicTree(made)
    configurations = tree.random_configuration(np.random.default_rng(7), 500)
    loads_ = np.abs(InverseDynamics(tree)(configurations)).max(axis=0)
    inertias = MassMatrix(tree)(configurations).diagonal(axis1=1, axis2=2).max(axis=0)
    for actuator in root.find('actuator'):
        name = actuator.get('name')
        row, error = tree.velocity_index[name], 0.001 if name == 'slide' else 0.01
        kp, kv = (float(actuator.get(key)) for key in ('kp', 'kv'))
        assert min(loads_[row], 50) <= kp * error
        assert kv >= 2 * np.sqrt(kp * inertias[row]) * 0.999
        assert kv <= 2.2 * np.sqrt(kp * inertias[row])
    assert not [each for each in conversion.losses if each.of == 'actuator' and (
        not each.is_harmless)]


def test_gains_are_no_higher_than_the_limit_on_the_effort_needs():
    weak = ARM.replace('effort="50"', 'effort="0.5"')
    _, root = written(weak)
    inertias = MassMatrix(loads(weak))(np.zeros(3)).diagonal()
    kp = float(root.find('actuator')[0].get('kp'))
    assert kp < max(51, 3000 * inertias[0])


@pytest.mark.skipif(not CORPUS.is_dir(), reason='there is no corpus of robots')
def test_legs_are_stiff_enough_to_stand():
    anymal = load(CORPUS / 'robots/anymal_b/anymal_b_simple_description/urdf/anymal.urdf')
    gains = {base: convert(anymal, MjcfOptions(base)).settings for base in ('fixed', 'free')}
    knee = {base: each.joints['LF_KFE']['kp'] for base, each in gains.items()}
    assert knee['free'] > 10 * knee['fixed']
    assert [(each.cone, each.impratio) for each in gains.values()] == [
        (None, None), ('elliptic', 100)]


def test_tools_fingers_and_states():
    srdf = read_document(
        b'<robot name="r"><group_state name="up" group="g"><joint name="r" value="0.5"/>'
        b'<joint name="q" value="much"/></group_state></robot>', 'r.srdf')
    _, root = written(ARM, MjcfOptions(srdf=srdf.root))
    site, = root.iter('site')
    assert site.get('name') == 'attachment_site'
    assert [each.get('name') for each in root.iter('body') if site in each] == ['tool']
    assert [(each.get('name'), each.get('qpos'), each.get('ctrl'))
            for each in root.find('keyframe')] == [
        ('home', '0 0 0', '0 0 0'), ('up', '0 0.5 0', '0 0.5 0')]
    assert root.find('option').get('cone') is None
    _, root = written(GRIPPER)
    assert root.find('option').attrib == {
        'integrator': 'implicitfast', 'cone': 'elliptic', 'impratio': '10'}


SETTINGS = """
option: {timestep: 0.004, cone: pyramidal}
joints:
  '[qrs]': {armature: 0.1, damping: 2, frictionloss: 0.5, kp: 800}
  s: {kp: 300, dampratio: 0.5}
friction:
  '*_finger': [1, 0.01]
sites:
  camera: {link: d, xyz: [0, 0.1, 0], rpy: [0, 0, 1]}
keyframes:
  home: {slide: 0.1}
  folded: {q: 1}
"""


def test_settings_are_in_the_model_and_written_again(tmp_path):
    path = tmp_path / 'r.mjcf.yaml'
    path.write_text(SETTINGS)
    made = loads(GRIPPER)
    conversion, root = written(GRIPPER, MjcfOptions(settings=MjcfSettings.read(made, str(path))))
    assert root.find('option').attrib == {
        'timestep': '0.004', 'integrator': 'implicitfast', 'cone': 'pyramidal'}
    first = next(root.iter('joint'))
    assert [first.get(name) for name in ('armature', 'damping', 'frictionloss')] == [
        '0.1', '2', '0.5']
    assert [each.get('kp') for each in root.find('actuator')][:3] == ['800', '800', '300']
    assert [each.get('friction') for each in root.iter('geom') if each.get('class')] == ['1 0.01']
    assert {each.get('name') for each in root.iter('site')} == {'camera'}
    keys = {each.get('name'): each.get('qpos') for each in root.find('keyframe')}
    assert keys == {'home': '0 0 0 0.1', 'folded': '1 0 0 0.1'}
    path.write_text(settings_text(conversion.settings))
    again, _ = written(GRIPPER, MjcfOptions(settings=MjcfSettings.read(made, str(path))))
    assert again.text == conversion.text


@pytest.mark.parametrize(('text', 'line', 'message'), [
    ('joints:\n  qq: {kp: 1}', 2, "Moving joint 'qq' does not exist"),
    ('joints:\n  q: {kp: 1,\n      stiffness: 2}', 3, "Key 'stiffness' does not exist"),
    ('joints:\n  q: {kp: -1}', 2, '-1 is negative'), ('joints: [q]', 1, 'This is not a mapping'),
    ('option: {cone: round}', 1, "Cone 'round' does not exist"),
    ('option: {timestep: 0}', 1, 'This is zero'),
    ('sites:\n  a: {xyz: [0, 0, 0]}', 2, 'There is no link'),
    ('sites:\n  a: {link: b,\n    xyz: [0, 0]}', 3, 'This is not a list of three numbers'),
    ('friction:\n  b: [1, 2, 3, 4]', 2, 'This is not a list of one to three numbers'),
    ('keyframes:\n  a: {q: no}', 2, "'no' is not a number"), ('a: [', 1, 'It is not YAML')])
def test_an_error_in_settings_names_its_line(tmp_path, text, line, message):
    path = tmp_path / 'r.mjcf.yaml'
    path.write_text(text)
    with pytest.raises(DescriptionError) as caught:
        MjcfSettings.read(loads(ARM), str(path))
    assert message in caught.value.message
    assert (caught.value.line, caught.value.source) == (line, str(path))


def test_gains_that_are_unstable_are_a_loss():
    given = MjcfSettings(joints={'r': {'kp': 1e7, 'kv': 0.1}})
    conversion, _ = written(ARM, MjcfOptions(settings=given))
    lost, = [each for each in conversion.losses if each.of == 'actuator' and not each.is_harmless]
    assert str(lost.message) == "The gains of joint 'r' are unstable at a time step of 0.002 s"
    assert lost.element.get('name') == 'r'
