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
How Gazebo loads a robot: the conversion to SDFormat, and the report of losses.

A robot is read as urdfdom reads it (urdfdom_bodies, extensions), lumped and reduced to the links
with mass (lumping, gazebo_model). That model says what Gazebo refuses (refusals, load_errors) and
is what the document is written from (model_writer); conversion_report compares it with the source.
"""

from urdf_tools.programs.gazebo.conversion import Conversion
from urdf_tools.programs.gazebo.conversion import convert
from urdf_tools.programs.gazebo.releases import RELEASES

__all__ = ['Conversion', 'convert', 'RELEASES']
