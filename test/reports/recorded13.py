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
"""Recordings of ``drawn13.yaml``."""

from __future__ import annotations

from reports.recorded import made
from support.mobile_robots import IMAGE
from support.mobile_robots import Mobile


@made
def stereo_camera_recorded_without_static() -> Mobile:
    records = Mobile().odom().sensor(
        'infra1/image_rect_raw', IMAGE, 'camera_infra1_optical_frame', users=(), node='camera')
    del records._publishers['/tf_static']
    records._frames = [track for track in records._frames if not track.static]
    return records
