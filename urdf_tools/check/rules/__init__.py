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

"""The rules of the validator, one function each, one file per subject."""

from urdf_tools.check.registry import RULES
from urdf_tools.check.rules import assets  # noqa: F401
from urdf_tools.check.rules import attributes  # noqa: F401
from urdf_tools.check.rules import controllers  # noqa: F401
from urdf_tools.check.rules import diff_drive  # noqa: F401
from urdf_tools.check.rules import gazebo  # noqa: F401
from urdf_tools.check.rules import geometry  # noqa: F401
from urdf_tools.check.rules import grammar  # noqa: F401
from urdf_tools.check.rules import inertials  # noqa: F401
from urdf_tools.check.rules import joint_mimic  # noqa: F401
from urdf_tools.check.rules import joints  # noqa: F401
from urdf_tools.check.rules import lengths  # noqa: F401
from urdf_tools.check.rules import link_masses  # noqa: F401
from urdf_tools.check.rules import link_shapes  # noqa: F401
from urdf_tools.check.rules import loops  # noqa: F401
from urdf_tools.check.rules import mirror_images  # noqa: F401
from urdf_tools.check.rules import moveit  # noqa: F401
from urdf_tools.check.rules import names  # noqa: F401
from urdf_tools.check.rules import numeric_values  # noqa: F401
from urdf_tools.check.rules import plausibility  # noqa: F401
from urdf_tools.check.rules import ros2_control  # noqa: F401
from urdf_tools.check.rules import structure  # noqa: F401
from urdf_tools.check.rules import transmissions  # noqa: F401
from urdf_tools.check.rules import xml_document  # noqa: F401

__all__ = ['RULES']
