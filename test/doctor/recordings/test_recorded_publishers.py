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

"""The publishers of a recorded topic are told apart only where they are several for certain."""

from __future__ import annotations

from support.recordings import joint_state
from support.recordings import KINDS
from support.recordings import tf_message

from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recorded import Topic
from urdf_tools.doctor.recordings.recorded_graph import MAX_CHAINS
from urdf_tools.doctor.recordings.recorded_graph import RecordedPublishers
from urdf_tools.messages.batches import MessageNames


def publishers(*records, topic='/joint_states', offered=None):
    """Return what is known, and the publisher of each message: time, number, and names."""
    topic = Topic(topic, KINDS[topic])
    found = RecordedPublishers(topic)
    found.offered = offered
    chains = [found.source(Recorded(topic, time, time, sequence, b''), names)
              for time, sequence, names in records]
    of_chain = found.sources()
    return found, [of_chain.get(chain, b'') for chain in chains]


def gids(found):
    return [end.gid for end in found.endpoints()]


def test_publishers_are_told_apart_by_the_numbers_of_their_messages():
    found, sources = publishers(*(
        (time, sequence, 'a') for time in range(0, 50, 2)
        for time, sequence in ((time, 100 + time), (time + 1, 7000 + time))))
    # Until the first one goes on, a second one could be the same after a loss.
    assert sources[:2] == [b'1', b'1'] and sources[2:] == [b'2', b'1'] * 24
    assert gids(found) == [b'1', b'2']


def test_publishers_that_started_together_are_told_apart_by_what_they_name():
    found, sources = publishers(*(
        (10 * number + row, number, names) for number in range(5, 50)
        for row, names in enumerate('cab' if number % 2 else 'abc')))
    assert gids(found) == [b'1', b'2', b'3']
    rows = iter(sources)
    of_name = {(name, next(rows)) for number in range(5, 50)
               for name in ('cab' if number % 2 else 'abc')}
    assert of_name == {('c', b'1'), ('a', b'2'), ('b', b'3')}


def test_what_may_be_of_one_publisher_counts_as_such():
    found, sources = publishers(*(
        (number, number, 'a' if number % 3 else 'b') for number in range(1, 50)))
    assert {*sources} == {b'1'} and gids(found) == [b'1']
    found, sources = publishers((1, 5, 'a'), (2, 9, 'b'), (3, 12, 'c'))
    assert sources == [b'1'] * 3 and gids(found) == [b'1']


def test_a_name_that_comes_late_is_given_to_its_publisher():
    found, sources = publishers(
        *((10 * number + row, number, name) for number in range(1, 20)
          for row, name in enumerate('ab')),
        # Whose it is shows only when the other publisher goes on.
        (200, 20, 'new'), (201, 20, 'b'), (202, 21, 'a'), (203, 21, 'b'))
    assert sources[-4:] == [b'1', b'2', b'1', b'2']
    assert gids(found) == [b'1', b'2']


def test_a_publisher_that_is_started_again_takes_the_place_of_the_old_one():
    found, sources = publishers((1, 50, 'a'), (2, 51, 'b'), (3, 1, 'a'), (4, 2, 'b'))
    assert sources == [b'1', b'1', b'3', b'3']
    assert gids(found) == [b'3']


def test_a_publisher_that_is_started_again_does_not_go_on_as_the_old_one():
    second = 10**9
    found, sources = publishers(
        *((number * second, number, 'a') for number in range(1, 31)),
        *((40 * second + number * second, number, 'a') for number in range(1, 60)
          if number != 30))
    assert sources[30:] == [b'2'] * 58
    assert gids(found) == [b'2']


def test_two_that_publish_a_description_once_are_both_there():
    records = [(1, 1, None), (2, 1, None)]
    found, sources = publishers(*records, topic='/robot_description', offered=[Qos(), Qos()])
    assert sources == [b'1', b'2'] and gids(found) == [b'1', b'2']
    # One that came later has rather taken the place of the other.
    found, _ = publishers(*records, topic='/robot_description', offered=[Qos()])
    assert gids(found) == [b'2']


def test_a_static_publisher_that_is_started_again_is_no_second_one():
    records = [(1, 1, 'a'), (2, 1, 'b'), (3, 1, 'a')]
    found, sources = publishers(*records, topic='/tf_static', offered=[Qos()])
    assert sources == [b'1', b'2', b'1'] and gids(found) == [b'1', b'2']
    found, sources = publishers(*records, topic='/tf_static', offered=[Qos()] * 3)
    assert sources == [b'1', b'2', b'3']


def test_without_numbers_publishers_are_not_told_apart():
    found, sources = publishers((1, 0, 'a'), (2, 0, 'b'))
    assert sources == [b'', b'']
    assert [(end.node, end.gid) for end in found.endpoints()] == [
        ('the publisher of /joint_states', b'')]


def test_too_many_chains_are_not_told_apart():
    found, sources = publishers(*((number, 7, number) for number in range(MAX_CHAINS + 5)))
    assert {*sources} == {b''} and gids(found) == [b'']


def test_names_do_not_depend_on_stamps_and_numbers():
    names = MessageNames(JOINT_STATE)
    first, other, efforts = (joint_state(stamp, ['a', 'b'], *values) for stamp, *values in (
        (5, [1.0, 2.0]), (8, [0.5, 0.1]), (8, [], [], [1.0, 2.0])))
    assert len(first) == len(efforts)
    assert names.of(first) == names.of(other) != names.of(efforts)
    assert names.of(first[:30]) is None
    frames = MessageNames(TF_MESSAGE)
    left, right = (tf_message([9], ['base'], [child], [[0, 0, 0, 0, 0, 0, 1]])
                   for child in ('left_', 'right'))
    assert len(left) == len(right) and frames.of(left) != frames.of(right)
    assert frames.of(left) == frames.of(left)
