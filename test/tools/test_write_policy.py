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

"""The security policy allows what the nodes use, no less and no more."""

from xml.etree import ElementTree

import pytest

pytest.importorskip('urdf_tools_interfaces', reason='urdf_tools_interfaces is not built')
pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

import write_policy  # noqa: E402,I100,I202


@pytest.mark.slow
def test_policy_is_what_the_nodes_use(own_domain):
    policy = write_policy.POLICY.read_text(encoding='utf-8')
    assert write_policy.observe(calm=2.0, expected=policy) == policy, (
        'run python3 tools/write_policy.py')


def test_companion_may_do_what_its_nodes_may_alone():
    policy = ElementTree.parse(write_policy.POLICY).getroot()
    together = policy.findall('enclaves/enclave[@path="/companion"]/profiles/profile')
    assert {profile.get('node') for profile in together} == {'companion', *write_policy.NODES}
    for profile in together:
        alone = policy.find(f'enclaves/enclave[@path="/{profile.get("node")}"]/profiles/profile')
        assert (ElementTree.canonicalize(ElementTree.tostring(alone), strip_text=True)
                == ElementTree.canonicalize(ElementTree.tostring(profile), strip_text=True))


def test_names_are_relative_to_node_and_namespace():
    names = ['/left/arm/report', '/left/arm_2/report', '/left/joint_states', '/tf', '/leftover']
    assert [write_policy.relative(name, 'arm', '/left') for name in names] == [
        '~/report', 'arm_2/report', 'joint_states', '/tf', '/leftover']
