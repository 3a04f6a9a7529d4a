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

"""Robots of thousands of links, and texts that repeat more than they say."""

import pytest
from support.robot_text import joint
from support.robot_text import link

from urdf_tools import DescriptionError
from urdf_tools import loads
from urdf_tools.programs.gazebo import convert

SPHERE = '<geometry><sphere radius="1"/></geometry>'


def chain(length, kind, *parts):
    links = (link(f'l{i}') for i in range(length))
    joints = (joint(f'j{i}', f'l{i}', f'l{i + 1}', kind) for i in range(length - 1))
    return f'<robot name="r">{"".join((*links, *joints, *parts))}</robot>'


@pytest.mark.parametrize(('kind', 'links', 'lumped'), [
    ('fixed', 1, 1499), ('continuous', 1500, 0)])
def test_long_chains_take_no_recursion(kind, links, lumped):
    conversion = convert(loads(chain(1500, kind)))
    assert conversion.document is not None
    assert (conversion.account.kept.links, len(conversion.account.merged)) == (links, lumped)
    assert not conversion.load_errors


REPEATED = {
    'long name, many shapes': '<robot name="r">' + link(
        'a' * 20_000, *[f'<visual>{SPHERE}</visual>'] * 20) + '</robot>',
    'many extensions, many shapes': '<robot name="r">' + link(
        'a', *[f'<collision>{SPHERE}</collision>'] * 40)
    + '<gazebo reference="a"><mu1>1</mu1></gazebo>' * 40 + '</robot>',
    'large extension, many shapes': '<robot name="r">' + link(
        'a', *[f'<collision>{SPHERE}</collision>'] * 40)
    + f'<gazebo reference="a"><collision>{"<x/>" * 40}</collision></gazebo></robot>',
    'plugins of lumped links': chain(30, 'fixed', *(
        f'<gazebo><plugin name="p" filename="p"><bodyName>l{i}</bodyName></plugin></gazebo>'
        for i in range(30)))}


@pytest.mark.parametrize('text', REPEATED.values(), ids=REPEATED.keys())
def test_texts_that_grow_with_their_square_are_refused(text, monkeypatch):
    monkeypatch.setattr('urdf_tools.programs.gazebo.extensions.MAX_STEPS', 1000)
    with pytest.raises(DescriptionError, match='takes more than 1000 steps') as caught:
        assert convert(loads(text)).document is not None
    assert caught.value.kind.name == 'TOO_LARGE'
