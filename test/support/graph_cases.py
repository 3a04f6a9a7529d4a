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

"""Cases of rules about a running graph: a robot each, in a namespace with the name of the case."""

from __future__ import annotations

from collections.abc import Callable
import re
import time

import rclpy
from rclpy import subscription
from rclpy.executors import SingleThreadedExecutor
from support.graph_peers import Peers
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.nodes.model_monitor.graph_observer import GraphObserver

WINDOW = 4.0
PATIENCE = 90.0
TIMING = {code for code, rule in GRAPH_RULES.items() if rule.category == 'timing'}

TELLS_GIDS = 'publisher_gid' in getattr(
    getattr(subscription, 'MessageInfo', None), '__annotations__', ())
"""Whether rclpy has the gid of a message's publisher; in Jazzy, cases that need it are skipped."""


class GraphCases:
    """What builds each case, by its name, and what is found in it."""

    def __init__(self) -> None:
        self._builds: dict[str, Callable[[Peers], None]] = {}
        self.expected: dict[str, dict[str, str]] = {}

    def case(self, needs_gids: bool = False, **expected: str):
        """
        Register what builds a case, under its name.

        :param needs_gids: whether the gids of publishers are needed.
        :param expected: codes, with underscores, and a regular expression for each message.
        """
        def register(build):
            if needs_gids and not TELLS_GIDS:
                return build
            self._builds[build.__name__] = build
            self.expected[build.__name__] = {
                code.replace('_', '-'): message for code, message in expected.items()}
            return build
        return register

    def observe(self, domain: int) -> dict[str, list]:
        """Return the findings of each case: as expected if they were so at any time."""
        peers = Peers(domain)
        self.build(peers)
        result: dict[str, list] = {}

        def collect(findings: list) -> bool:
            for name in self.expected:
                if name not in result or not self.has_all(result[name], name):
                    result[name] = self.of_case(findings, name)
            return all(self.has_all(result[name], name) for name in self.expected)

        peers.start()
        try:
            watch(domain, collect)
        finally:
            peers.close()
        return result

    def build(self, peers: Peers) -> None:
        """Build all cases."""
        for build in self._builds.values():
            build(peers)

    def of_case(self, findings: list, name: str) -> list:
        """Return the findings about a case; one of timing counts only where it is expected."""
        return [finding for finding in findings if finding.topic.startswith(f'/{name}/')
                and (finding.code not in TIMING or finding.code in self.expected[name])]

    def has_all(self, findings: list, name: str) -> bool:
        """Return whether the findings of a case are of the expected rules."""
        return {finding.code for finding in findings} == self.expected[name].keys()

    def check(self, findings: list, name: str) -> None:
        """Assert that a case has the expected findings, and no other."""
        assert self.has_all(findings, name), findings
        for finding in findings:
            assert re.search(self.expected[name][finding.code], finding.message)
            assert finding.hint


def watch(domain: int, done: Callable[[list], bool]) -> list:
    """Observe a graph until its findings are as wanted, or for long; return the last ones."""
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=domain)
    node = rclpy.create_node('observer', context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    observer = GraphObserver(node)
    deadline = time.monotonic() + PATIENCE
    try:
        while True:
            end = time.monotonic() + WINDOW
            while (rest := end - time.monotonic()) > 0 or observer.busy:
                executor.spin_once(timeout_sec=max(rest, 0.1))
            findings = list(evaluate(observer.observation(), 'graph').findings)
            assert not [finding.message for finding in findings
                        if finding.code == 'internal-error']
            if done(findings) or time.monotonic() > deadline:
                return findings
    finally:
        observer.end()
        executor.shutdown()
        node.destroy_node()
        rclpy.shutdown(context=context)
