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

"""Cases of the rules about the quality of service of publishers and subscribers."""

from support.graph_records import BEST_EFFORT
from support.graph_records import Case
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import robot

from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import Qos


def deaf(offered: Qos, requested: Qos) -> GraphRecords:
    """Return a robot with a controller that subscribes to its joint states."""
    return robot(qos=offered).subscriber('/controller', '/joint_states', JOINT_STATE, requested)


def mismatch(policy: str, offered: Qos, requested: Qos, one: str, other: str) -> Case:
    return Case(
        'qos-mismatch', lambda: deaf(offered, requested), lambda: deaf(requested, offered),
        f'No message from /driver reaches /controller: the {policy} offered is {one}, the one '
        f'requested {other}',
        {'publisher': '/driver', 'subscribers': ['/controller'], 'policy': policy,
         'offered': one, 'requested': other}, ('/driver', '/controller'))


CASES = (
    Case(
        'message-unreadable',
        lambda: robot().observed(unreadable={'/joint_states': 3}), robot,
        '3 messages from /driver cannot be read', {'messages': 3}),
    mismatch('reliability', BEST_EFFORT, Qos(), 'best effort', 'reliable'),
    mismatch('durability', Qos(), LATCHED, 'volatile', 'transient local'),
    mismatch('liveliness', Qos(), Qos(manual=True), 'automatic', 'manual by topic'),
    mismatch('deadline', Qos(deadline=2.0), Qos(deadline=0.5), '2 s', '0.5 s'),
    mismatch('liveliness lease', Qos(), Qos(lease=0.5), 'infinite', '0.5 s'))
