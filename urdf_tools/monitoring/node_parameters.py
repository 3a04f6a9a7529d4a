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


"""The parameters of nodes that rules about graphs are about."""

from __future__ import annotations

from collections.abc import Mapping

from urdf_tools.monitoring.observation import NodeParameters

FRAMES = (
    'base_frame', 'base_frame_id', 'base_link_frame', 'fixed_frame', 'global_frame',
    'global_frame_id', 'local_frame', 'map_frame', 'map_frame_id', 'odom_frame', 'odom_frame_id',
    'robot_base_frame', 'target_frame', 'world_frame')
"""Parameters that name frames which a node needs."""


def matters(name: str) -> bool:
    """Return whether a parameter has a name that :func:`node_parameters` knows."""
    return name in ('use_sim_time', 'robot_description', *FRAMES) or (
        f'.{name}'.endswith('.frame_prefix'))


def node_parameters(values: Mapping[str, object]) -> NodeParameters:
    """Return what parameters say, of which :func:`matters` is true."""
    description, simulated = values.get('robot_description'), values.get('use_sim_time')
    texts = {name: value for name, value in values.items()
             if isinstance(value, str) and name != 'robot_description'}
    return NodeParameters(
        simulated if isinstance(simulated, bool) else None,
        description if isinstance(description, str) else None,
        *({name: value for name, value in texts.items() if (name in FRAMES) is of_frames}
          for of_frames in (False, True)))
