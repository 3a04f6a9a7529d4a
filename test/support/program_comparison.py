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

"""Comparison of the accounts of generated descriptions with what programs load."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import tostring

from support import sdf_difference
from support.generated_descriptions import generated_description
from support.program_cases import source_of
from support.program_oracles import differences
from support.program_oracles import Oracle
from support.reduction import reduced

from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.element import Element as RobotElement
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.models import account_of
from urdf_tools.programs.urdfdom.reading import Tree

PROGRAMS = ('mujoco', 'drake', 'pybullet', 'pinocchio', 'usd', 'urdfdom', 'gazebo')


class Comparison(NamedTuple):
    """
    What is found about a description.

    :param loads: whether the program loads it.
    :param found: each difference, as ``field: ours, theirs``.
    """

    loads: bool
    found: tuple[str, ...]

    @property
    def kinds(self) -> frozenset[str]:
        """The fields that differ; a verdict with its direction."""
        return frozenset(text.partition(':')[0] if not text.startswith('loads') else
                         text.partition(',')[0] for text in self.found)


class Comparer:
    """
    Compares the accounts of a program with what it loads.

    :param folder: where descriptions are written, beside their meshes.
    """

    def __init__(self, program: str, folder: Path):
        self._program = program
        self._folder = folder
        is_gazebo = program == 'gazebo'
        self._compare = self._compare_sdf if is_gazebo else self._compare_numbers
        self._oracle = Oracle('libsdformat' if is_gazebo else program)

    def compare(self, robot: Element, name: str = 'robot') -> Comparison:
        """Return what differs of a description."""
        path = self._folder / f'{name}.urdf'
        text = tostring(robot, encoding='unicode').encode()
        path.write_bytes(text)
        try:
            return self._compare(path, text)
        finally:
            path.unlink()

    def reduced(self, robot: Element, kind: str) -> Element:
        """Return the least of a description that differs in the same way."""
        return reduced(robot, lambda smaller: kind in self.compare(smaller).kinds)

    def close(self) -> None:
        """End the program."""
        self._oracle.close()

    def _compare_numbers(self, path: Path, text: bytes) -> Comparison:
        source = source_of(text)
        numbers: Mapping = self._oracle.numbers(path)
        assert source is not None
        return Comparison(numbers['loads'], tuple(differences(
            self._program, source, path, numbers)))

    def _compare_sdf(self, path: Path, text: bytes) -> Comparison:
        source, answer = source_of(text), self._oracle.numbers(path)
        assert source is not None
        # Its tags may have colons, which XML parsers that know namespaces refuse.
        theirs = read_document(answer['document'].encode()).root if answer['loads'] else None
        loads = theirs is not None and answer['is_valid']
        context = Context(ResourceResolver(path.parent), path)
        if source.robot is None:
            account = account_of('gazebo', source, context)
            return Comparison(loads, () if account.loads is loads else (
                f'loads: {account.loads}, {loads}, {account.causes[:1]}',))
        conversion = convert(source.robot, '12', context=context)
        ours, errors = conversion.document, conversion.load_errors
        if loads and _is_lumped_twice(source.root):
            # Only 12.3 loads it. Later releases write the frame of its joint twice, and refuse it.
            return Comparison(loads, () if errors else ('loads: True, False',))
        if loads is not (ours is not None and not errors):
            return Comparison(loads, (f'loads: {not loads}, {loads}, {errors[:1]}',))
        if ours is None or theirs is None:
            return Comparison(loads, ())
        return Comparison(loads, tuple(
            f'sdf: {each}' for each in sdf_difference.differences(ours, theirs)))


def _is_lumped_twice(root: RobotElement) -> bool:
    return any(joints[-1].get('type') == 'fixed' for joints in Tree(root).several_parents)


def description(seed: str, number: int) -> Element:
    """Return one of the descriptions of a seed."""
    return generated_description(Random(f'{seed} {number}'))
