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

"""What a worker does that checks descriptions, beside others of its kind."""

from __future__ import annotations

import pickle

from urdf_tools.meshes.mesh_facts import set_mesh_limits
from urdf_tools.meshes.mesh_processes import share_processors
from urdf_tools.model.trust import XacroBudget
from urdf_tools.workspace.single_check import check_single


def check(_request: None, data: bytes) -> tuple[None, bytes]:
    """
    Do a check; the check and its result are pickled.

    The parent may read what is pickled here: the code of descriptions does not run here, but in
    the workers of xacro, which answer with plain data.
    """
    single, xacro_limits, spent, mesh_limits, programs = pickle.loads(data)
    set_mesh_limits(mesh_limits)
    share_processors(programs)
    budget = XacroBudget(xacro_limits, spent)
    return None, pickle.dumps((check_single(single, budget), budget.spent - spent))
