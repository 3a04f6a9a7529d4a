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

from urdf_tools.dynamics.closed_chains import LoopForces as LoopForces
from urdf_tools.dynamics.composite import CompositeInertia as CompositeInertia
from urdf_tools.dynamics.composite import link_inertia as link_inertia
from urdf_tools.dynamics.dynamics import CentreOfMassJacobian as CentreOfMassJacobian
from urdf_tools.dynamics.dynamics import InverseDynamics as InverseDynamics
from urdf_tools.dynamics.dynamics import MassMatrix as MassMatrix
from urdf_tools.dynamics.solids import solid as solid
from urdf_tools.dynamics.spatial import Consistency as Consistency
from urdf_tools.dynamics.spatial import negate_products as negate_products
from urdf_tools.dynamics.spatial import PrincipalInertia as PrincipalInertia
from urdf_tools.dynamics.spatial import SpatialInertia as SpatialInertia
from urdf_tools.dynamics.spatial import Verdict as Verdict
