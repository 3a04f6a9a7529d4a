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

"""Shapes of answers: a worker that has read a hostile file may answer anything."""

from __future__ import annotations

from typing import Any

Shape = Any
"""
What the JSON value of an answer has to be.

- A type or None; a ``float`` may be written as an integer, ``object`` is anything.
- A range: a number from its start to before its stop.
- A tuple: one of several shapes.
- A dictionary: one with these keys, of which those with a question mark may be missing; with the
  key ``str`` instead, one with any keys.
- A list of one shape: any number of such values; of several: one of each, in this order.
"""

_MOST = 2**63
"""Integers are smaller, as those of numpy and of messages are."""

COUNT = range(_MOST)
"""A number of things."""


def has_shape(value: Any, shape: Shape) -> bool:
    """Return whether a value of an answer has a shape."""
    if isinstance(shape, tuple):
        return any(has_shape(value, each) for each in shape)
    if isinstance(shape, list):
        if not isinstance(value, list) or len(shape) not in (1, len(value)):
            return False
        shapes = shape * len(value) if len(shape) == 1 else shape
        return all(map(has_shape, value, shapes))
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return False
        if str in shape:
            return all(has_shape(each, shape[str]) for each in value.values())
        known = {key.removesuffix('?'): each for key, each in shape.items()}
        return all(key in value for key in shape if key in known) and all(
            key in known and has_shape(each, known[key]) for key, each in value.items())
    if isinstance(shape, range):
        return type(value) in (int, float) and shape.start <= value < shape.stop
    if shape in (int, float):
        return type(value) in (int, shape) and not (
            isinstance(value, int) and abs(value) >= _MOST)
    return shape is object or (value is None if shape is None else type(value) is shape)
