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


"""The rules about a running graph, one function each, one file per subject."""

from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.rules import awaited_frames  # noqa: F401
from urdf_tools.doctor.rules import clocks  # noqa: F401
from urdf_tools.doctor.rules import controllers  # noqa: F401
from urdf_tools.doctor.rules import frame_timing  # noqa: F401
from urdf_tools.doctor.rules import gravity_efforts  # noqa: F401
from urdf_tools.doctor.rules import ignored_transforms  # noqa: F401
from urdf_tools.doctor.rules import inertial_sensors  # noqa: F401
from urdf_tools.doctor.rules import joint_values  # noqa: F401
from urdf_tools.doctor.rules import message_timing  # noqa: F401
from urdf_tools.doctor.rules import published_descriptions  # noqa: F401
from urdf_tools.doctor.rules import published_frames  # noqa: F401
from urdf_tools.doctor.rules import quality_of_service  # noqa: F401
from urdf_tools.doctor.rules import reported_joints  # noqa: F401
from urdf_tools.doctor.rules import stamp_order  # noqa: F401
from urdf_tools.doctor.rules import stamped_data  # noqa: F401
from urdf_tools.doctor.rules import wheel_odometry  # noqa: F401

__all__ = ['GRAPH_RULES']
