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

"""What a file requires of the rates, gaps, latencies and frames of topics."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from typing import Any

from urdf_tools.doctor.graph_rules import finding_of
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import GraphFinding
from urdf_tools.doctor.observation import SECOND
from urdf_tools.doctor.topic_rates import Rates
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import closest
from urdf_tools.model.yaml_file import YamlFile
import yaml

Policy = Mapping[str, Mapping[str, Any]]
"""Name of a topic to what is required of it, by the keys of the file, as data for JSON."""

_SEVERAL = 'two messages at least, and a clock that runs'

_MEASURES = {
    'min_rate': ('rate', 'rate', ' Hz', _SEVERAL), 'max_rate': ('rate', 'rate', ' Hz', _SEVERAL),
    'max_gap': ('longest_gap', 'longest gap', ' s', _SEVERAL),
    'max_jitter': ('jitter_p99', 'jitter (p99)', ' s', _SEVERAL),
    'max_latency': ('latency_p99', 'latency (p99)', ' s', 'stamps by a clock that was recorded'),
    'max_regressions': ('regressions', 'number of stamps that go back', '',
                        'stamps, from publishers that can be told apart')}
"""
Keys that are compared with a column of the table, what that is called, its unit, and what it
needs to be known.
"""


def read_policy(path: str) -> Policy:
    """
    Return what a file requires of topics.

    :raises DescriptionError: it cannot be read, or has an error.
    """
    file = YamlFile(path, 'Give the path of a YAML file with topics')
    root = {} if file.root is None else file.table(file.root, ('topics',))
    if 'topics' not in root:
        raise file.error(file.root, 'It has no key topics, so that it requires nothing')
    return {topic: _required(file, topic, node)
            for topic, node in file.table(root['topics'], what='topic').items()}


def _required(file: YamlFile, topic: str, node: yaml.Node) -> dict[str, Any]:
    if not topic.startswith('/'):
        raise file.error(node, f'Topic {quote(topic, 80)} does not begin with a slash. '
                         f'Did you mean {quote("/" + topic, 80)}?')
    if isinstance(node, yaml.ScalarNode) and not node.value:
        return {}
    table = file.table(node, (*_MEASURES, 'frames'))
    required: dict[str, Any] = {key: file.number(table[key]) for key in _MEASURES if key in table}
    for key, value in required.items():
        if value < 0:
            raise file.error(table[key], f'{key} is negative')
    if 'frames' in table:
        items = table['frames'].value if isinstance(table['frames'], yaml.SequenceNode) else [
            table['frames']]
        required['frames'] = [file.scalar(each).removeprefix('/') for each in items]
    return required


def unmet(policy: Policy, rates: Rates, observed: tuple[int, int]
          ) -> Iterator[tuple[GraphFinding, tuple[int, int]]]:
    """
    Yield what is not as required, and from when to when.

    :param observed: from when to when the rates were measured, in nanoseconds.
    """
    rows = {row['topic']: row for row in rates if row['messages']}
    for topic, required in policy.items():
        if topic not in rows:
            yield finding_of(GRAPH_RULES['policy-not-met'], GraphDefect(
                topic, 'Nothing was published on this topic of the policy',
                subject='topic', suggestion=closest(topic, rows))), observed
            continue
        row = rows[topic]
        for key, value in required.items():
            defect = _frames(row, value) if key == 'frames' else _compared(row, key, value)
            if defect is not None:
                yield finding_of(GRAPH_RULES['policy-not-met'], defect), (
                    _gap(row, observed) if key == 'max_gap' else observed)


def _gap(row: Mapping[str, Any], observed: tuple[int, int]) -> tuple[int, int]:
    """Return from when to when the longest gap of a topic was."""
    begin = observed[0] + round((row['longest_gap_at'] or 0) * SECOND)
    return begin, begin + round((row['longest_gap'] or 0) * SECOND)


def _compared(row: Mapping[str, Any], key: str, value: float) -> GraphDefect | None:
    """Return the defect of a topic of which a measure is not as required."""
    column, measure, unit, needed = _MEASURES[key]
    measured = row[column]
    if measured is None:
        return GraphDefect(
            row['topic'], 'The {measure} is unknown: it needs {needed}', subject=key,
            measure=measure, needed=needed)
    sign, relation = (-1, 'below') if key.startswith('min') else (1, 'above')
    return None if sign * (measured - value) <= 0 else GraphDefect(
        row['topic'], 'The {measure} is {measured:.5g}{unit}, {relation} the '
        '{required:.5g}{unit} of the policy', subject=key, measure=measure, measured=measured,
        unit=unit, relation=relation, required=value)


def _frames(row: Mapping[str, Any], frames: list[str]) -> GraphDefect | None:
    """Return the defect of a topic whose frames are not those required."""
    others = [frame for frame in row['frames'] if frame not in frames]
    absent = [frame for frame in frames if frame not in row['frames']]
    if not others and not absent:
        return None
    template = '{others:frame} not in the policy: {others}' if others else ''
    if absent:
        template += '; ' if others else ''
        template += '{absent:frame} of the policy not used: {absent}'
    return GraphDefect(row['topic'], template, subject='frames', others=tuple(others),
                       absent=tuple(absent))
