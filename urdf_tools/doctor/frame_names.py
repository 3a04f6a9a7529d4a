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
"""Suggestions for names of frames that do not exist."""

from __future__ import annotations

from collections.abc import Collection
import re

from urdf_tools.model.spelling import closest

_SIMILAR = 0.7
"""Minimum similarity of a suggested name."""

_LEAST_PART = 4
"""Minimum length of a name that is suggested because it is part of another one."""


_LIDAR = 'laser|lidar|scan|velodyne|ouster|livox|hokuyo|hesai|sick'
_CAMERA = 'optical cam|rgb|infra'
_OF_KIND = {
    'Imu': 'imu|gyro|inertial', 'Image': _CAMERA, 'CompressedImage': _CAMERA,
    'CameraInfo': _CAMERA, 'LaserScan': _LIDAR, 'MagneticField': 'magn|mag_|imu|compass',
    'MultiEchoLaserScan': _LIDAR, 'NavSatFix': 'gps|gnss|navsat|antenna',
    'PointCloud2': f'{_LIDAR}|depth|points', 'Range': 'range|sonar|ultra|tof'}
"""Type of a sensor's data to parts of the names of its frames, the better ones first."""


def sensor_frames(frame: str, topic: str, kind: str, known: Collection[str],
                  mounts: Collection[str]) -> list[str]:
    """
    Return the frames that a sensor may mean by one that does not exist, the best first.

    They are those named after sensors of its kind or, if there are none, those at which one may be
    mounted and that are not named after another kind. The best have the most parts in common with
    the names of the frame and the topic, such as ``front``. If one is best, it is the only one.

    :param kind: full name of the type of its data.
    :param mounts: frames at which such a sensor may be mounted.
    """
    words = _OF_KIND.get(kind.rpartition('/')[2], '').split()
    every = '|'.join(_OF_KIND.values()).replace(' ', '|')
    found = next(filter(None, (
        [name for name in known if re.search(word, name, re.IGNORECASE)] for word in words)), [
            name for name in mounts if not re.search(every, name, re.IGNORECASE)])
    rank = {name: (len(_parts(name) & (_parts(frame) | _parts(topic))), name in mounts)
            for name in found}
    best = sorted(found, key=lambda name: (*(-number for number in rank[name]), name))
    return best[:1] if len(best) > 1 and rank[best[0]] > rank[best[1]] else best


def _parts(name: str) -> set[str]:
    return {*filter(None, re.split('[^a-z]+', name.lower()))}


def suggested_frame(frame: str, known: Collection[str]) -> str | None:
    """
    Return the frame most similar to one that does not exist.

    It may have a prefix too many, such as the path ``model/link/sensor`` of Gazebo, which names
    the link that the sensor is fixed to, or lack one.
    """
    parts = frame.split('/')
    for part in (*reversed(parts[1:]), parts[0]):
        if len(parts) > 1 and part in known:
            same = parts[-1] if part != parts[-1] else ''
            return _of_sensor(same, known) or part
    last = parts[-1]
    prefixed = [name for name in known if name.endswith(f'/{last}')]
    if len(prefixed) == 1:
        return prefixed[0]
    ending = [name for name in known if len(last) >= _LEAST_PART and (
        name.endswith(f'_{last}') or len(name) >= _LEAST_PART and last.endswith(f'_{name}'))]
    if len(ending) == 1:
        return ending[0]
    return _of_sensor(last, known) if len(parts) > 2 else closest(frame, known, _SIMILAR)


def _of_sensor(name: str, known: Collection[str]) -> str | None:
    """Return the frame named after a sensor, such as ``lidar_link`` of ``lidar``."""
    named = [frame for frame in known if name and frame.startswith(f'{name}_')]
    return min(named, key=len, default=None)
