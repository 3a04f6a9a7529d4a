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

"""Spatial inertias: of solids, meshes, links and whole robots; dynamics."""

from urdf_tools.dynamics.composite import CompositeInertia
from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.dynamics.solids import solid
from urdf_tools.dynamics.spatial import Consistency
from urdf_tools.dynamics.spatial import negate_products
from urdf_tools.dynamics.spatial import PrincipalInertia
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.dynamics.spatial import Verdict
from urdf_tools.lazy_imports import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from urdf_tools.dynamics.closed_chains import LoopForces  # noqa: I300
    from urdf_tools.dynamics.dynamics import CentreOfMassJacobian
    from urdf_tools.dynamics.dynamics import InverseDynamics
    from urdf_tools.dynamics.dynamics import MassMatrix
else:
    __getattr__, __dir__ = lazy_names(__name__, {
        'urdf_tools.dynamics.closed_chains': ('LoopForces',),
        'urdf_tools.dynamics.dynamics': (
            'CentreOfMassJacobian', 'InverseDynamics', 'MassMatrix')})

__all__ = [
    'CentreOfMassJacobian', 'CompositeInertia', 'Consistency', 'InverseDynamics', 'LoopForces',
    'MassMatrix', 'PrincipalInertia', 'SpatialInertia', 'Verdict', 'link_inertia',
    'negate_products', 'solid']
