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

"""Cases of the rule about transforms that tf ignores."""

from math import inf
from math import nan

from support.graph_records import Case
from support.graph_records import GraphRecords
from support.graph_records import STRAIGHT
from support.graph_records import TIMES

ZERO, IDENTITY = STRAIGHT[:3], STRAIGHT[3:]


def two(parent: str, child: str, translation=ZERO, rotation=IDENTITY) -> GraphRecords:
    """Return a driver that publishes two transforms, the first of which is sound."""
    return GraphRecords().frames(
        '/driver', {child: parent}, [[STRAIGHT], [(*translation, *rotation)]], times=TIMES[:2])


def ignored(
        parent: str, child: str, reason: str, *numbers, frame: str = '', length=None,
        good=(ZERO, IDENTITY)) -> Case:
    """Return the case of a transform that tf ignores for a reason."""
    said = reason if length is None else f'{reason} {length:g}'
    return Case(
        'frame-ignored', lambda: two(parent, child, *numbers),
        lambda: two('base', 'arm', *good),
        f'tf ignores 1 frame from /driver, because of {said}: {frame or child}',
        {'reason': reason, 'frames': [frame or child],
         **({} if length is None else {'length': length})},
        topic='/tf', also=('description-not-published',))


CASES = (
    ignored('base', 'arm', 'a number that is not finite', (nan, 0.0, 0.0)),
    ignored('base', 'arm', 'a number that is not finite', (inf, -inf, 0.0),
            good=((1e6, 0.0, 0.0), (0.0, 0.0, 0.0, -1.0))),
    ignored('base', 'arm', 'a number that is not finite', ZERO, (0.0, 0.0, 0.0, nan)),
    ignored('base', 'arm', 'a quaternion of length', ZERO, (0.0, 0.0, 0.0, 0.0), length=0.0),
    ignored('base', 'arm', 'a quaternion of length', ZERO, (0.0, 0.0, 0.0, 0.99), length=0.99,
            good=(ZERO, (0.0, 0.0, 0.0, 0.996))),
    ignored('base', '', 'an empty child_frame_id under the parent', frame='base'),
    ignored('', 'arm', 'an empty frame_id'),
    ignored('arm', 'arm', 'a frame that is its own parent'))
