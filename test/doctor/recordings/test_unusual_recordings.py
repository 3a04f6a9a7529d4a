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

"""What writers other than rosbag2 leave out or write in another way is unknown, not wrong."""

from __future__ import annotations

import pytest
from support.graph_records import LATCHED
from support.graph_records import robot
from support.recordings import messages_of
from support.recordings import record
from support.recordings import write_mcap
from support.recordings import write_sqlite
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.recordings.evaluated_recording import evaluate_recording

pytest.importorskip('mcap', reason='mcap is not installed')

SEEN = robot().observation()
KINDS = dict(SEEN.graph.kinds)
MESSAGES = messages_of(SEEN)
UNNUMBERED = [message._replace(sequence=0) for message in MESSAGES]

UNKNOWN = ('the durability of the publishers of /robot_description was not recorded, so that '
           'description-volatile is not evaluated')


def codes(found):
    return [fault.finding.code for fault in found.faults]


@pytest.mark.parametrize(('write', 'messages', 'words'), [
    (write_mcap, MESSAGES, '[]\n'), (write_mcap, UNNUMBERED, ''),
    (write_mcap, UNNUMBERED, '- durability: system_default'), (write_sqlite, UNNUMBERED, ''),
    (write_sqlite, UNNUMBERED, '[]')])
def test_an_unknown_quality_of_service_is_not_a_wrong_one(write, messages, words, tmp_path):
    path = tmp_path / ('run.db3' if write is write_sqlite else 'run.mcap')
    found = evaluate_recording(write(path, messages, KINDS, words=words))
    assert (codes(found), found.robots, found.remarks) == ([], ('arm',), (UNKNOWN,))


def test_what_can_be_judged_is_judged_beside_it(tmp_path):
    """The robot is beyond its limit, and nobody knows who publishes how."""
    seen = robot(positions=lambda seconds: {'turn': 2.0 + 0 * seconds}).observation()
    found = evaluate_recording(write_mcap(
        tmp_path / 'run.mcap', messages_of(seen), KINDS, words='[]'))
    assert 'joint-position-limit' in codes(found)
    assert 'description-volatile' not in codes(found)


@pytest.mark.parametrize('qos', [Qos(), LATCHED])
def test_a_known_quality_of_service_is_judged(qos, tmp_path):
    offered = {'/robot_description': [qos]}
    found = evaluate_recording(write_mcap(tmp_path / 'run.mcap', MESSAGES, KINDS, offered))
    assert codes(found) == ([] if qos.transient_local else ['description-volatile'])
    assert found.remarks == ()
