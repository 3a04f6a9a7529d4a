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

"""
Write config/sros2_policy.xml: what each node may do in a graph that is secured with SROS2.

The nodes are started, and the policy allows what the graph says that they use. Only what depends
on the graph that a node is in is a list here.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import contextmanager
from fnmatch import fnmatchcase
import os
from pathlib import Path
import time
from xml.etree import ElementTree

from node_processes import NodeProcesses
from node_processes import reserved_domain
import rclpy
from rclpy.node import Node
from std_msgs.msg import String

from urdf_tools.nodes.companion import NODES
from urdf_tools.nodes.model_monitor.node_requests import ASKED
from urdf_tools.ros.topics import LATCHED

POLICY = Path(__file__).resolve().parents[1] / 'config' / 'sros2_policy.xml'

HEADER = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- Generated: python3 tools/write_policy.py. docs/robots.md says how to use it. -->
"""

ROBOT = """<robot name="observed"><link name="base"/><link name="tip"/>
<joint name="turn" type="continuous"><parent link="base"/><child link="tip"/></joint></robot>"""

SETUPS = (
    ('state_publisher', {'robot_description': ROBOT}),
    ('state_publisher', {'use_robot_description_topic': True}),
    ('viewer', {'drive': True}),
    ('companion', {'nodes': list(NODES)}),
)
"""Executables with the parameters that decide what they use; each runs in a namespace."""

SUBSCRIBE, PUBLISH = ('topics', 'subscribe'), ('topics', 'publish')
REPLY, REQUEST = ('services', 'reply'), ('services', 'request')

IN_EVERY_GRAPH = {'model_monitor': {
    SUBSCRIBE: ('/*',),
    REQUEST: tuple(f'/*/{service}' for service in ASKED),
}}
"""Expressions of what a node uses wherever it is in the graph that it watches."""

CALM = 10.0
"""Seconds without anything new after which all is known."""

PATIENCE = 60.0
"""Most seconds until all is known."""

Uses = dict[str, dict[tuple[str, str], set[str]]]
"""Name of a node to the topics and services that it uses, by what it does with them."""


def observe(calm: float = CALM, expected: str = '') -> str:
    """
    Return the policy of the nodes, which are started in the ROS domain of the environment.

    :param calm: seconds without anything new after which all is known.
    :param expected: the policy that is waited for.
    """
    uses: Uses = {name: {} for name in (*dict(SETUPS), *NODES)}
    with NodeProcesses() as processes, _described_namespaces() as (node, namespaces):
        for space, (name, parameters) in zip(namespaces, SETUPS):
            processes.start(
                name, {**parameters, 'use_sim_time': True}, ['-r', f'__ns:={space}'])
        policy, changed = '', time.monotonic()
        deadline = changed + PATIENCE
        while (now := time.monotonic()) < deadline:
            for space in namespaces:
                _add(uses, node, space)
            latest = to_policy(uses)
            if latest != policy:
                policy, changed = latest, now
            if now - changed > calm and all(uses.values()) and expected in ('', policy):
                break
            time.sleep(0.1)
    missing = [name for name, used in uses.items() if not used]
    if missing:
        raise RuntimeError(f'Not seen in the graph: {", ".join(missing)}')
    return policy


@contextmanager
def _described_namespaces() -> Iterator[tuple[Node, list[str]]]:
    """Yield a node, and a namespace for each set-up, with a robot description in it."""
    namespaces = [f'/setup_{number}' for number in range(len(SETUPS))]
    with rclpy.init(context=rclpy.Context()) as ros:
        node = rclpy.create_node('observer', context=ros.context)
        for space, (_, parameters) in zip(namespaces, SETUPS):
            if 'robot_description' not in parameters:
                node.create_publisher(String, f'{space}/robot_description', LATCHED).publish(
                    String(data=ROBOT))
        yield node, namespaces


def _add(uses: Uses, node: Node, space: str) -> None:
    """Add what the nodes of a namespace use now."""
    readers = {
        SUBSCRIBE: node.get_subscriber_names_and_types_by_node,
        PUBLISH: node.get_publisher_names_and_types_by_node,
        REPLY: node.get_service_names_and_types_by_node,
        REQUEST: node.get_client_names_and_types_by_node}
    for name, namespace in node.get_node_names_and_namespaces():
        if namespace != space or name not in uses:
            continue
        everywhere = IN_EVERY_GRAPH.get(name, {})
        for action, read in readers.items():
            try:
                names = [found for found, _ in read(name, namespace)]
            except rclpy.node.NodeNameNonExistentError:
                # Of a node that is starting, the name may come and go.
                continue
            expressions = everywhere.get(action, ())
            used = {
                relative(found, name, namespace) for found in names
                if not any(fnmatchcase(found, expression) for expression in expressions)}
            if used or expressions:
                uses[name].setdefault(action, set()).update(used, expressions)


def relative(full_name: str, node: str, namespace: str) -> str:
    """Return the name of a topic or service as a policy for any namespace has it."""
    for prefix, replacement in ((f'{namespace}/{node}/', '~/'), (f'{namespace}/', '')):
        if full_name.startswith(prefix):
            return replacement + full_name.removeprefix(prefix)
    return full_name


def to_policy(uses: Mapping[str, Mapping[tuple[str, str], Iterable[str]]]) -> str:
    """Return a policy with an enclave for each node, and one for all that the companion runs."""
    root = ElementTree.Element('policy', version='0.2.0')
    enclaves = ElementTree.SubElement(root, 'enclaves')
    for name in sorted(uses):
        enclave = ElementTree.SubElement(enclaves, 'enclave', path=f'/{name}')
        profiles = ElementTree.SubElement(enclave, 'profiles')
        for inside in (name, *sorted(NODES)) if name == 'companion' else (name,):
            profile = ElementTree.SubElement(profiles, 'profile', ns='/', node=inside)
            for (kind, action), names in sorted(uses[inside].items()):
                allowed = ElementTree.SubElement(profile, kind, {action: 'ALLOW'})
                for each in sorted(names):
                    ElementTree.SubElement(allowed, kind.removesuffix('s')).text = each
    ElementTree.indent(root)
    return f'{HEADER}{ElementTree.tostring(root, encoding="unicode")}\n'


if __name__ == '__main__':
    with reserved_domain() as domain:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        POLICY.write_text(observe(), encoding='utf-8')
