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
"""The poses of links in the scene of a view."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from urdf_tools.view.robot_view import RobotView
from viser.transforms import SE3


def link_poses(view: RobotView) -> NDArray[np.float64]:
    """Return the poses of the links that the nodes have, in the root link's frame."""
    held = np.zeros((len(view.tree.link_names), 4, 4))
    robot = view.tree.robot
    for link in robot.subtree(robot.root):
        index = view.tree.link_index[link]
        node = view._nodes[index]
        held[index] = SE3(np.concatenate([node.wxyz, node.position])).as_matrix()
        parent = int(view.tree.link_parents[index])
        if parent >= 0:
            held[index] = held[parent] @ held[index]
    return held
