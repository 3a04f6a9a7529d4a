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

"""Jobs that expand without xacro, without the guard, or later."""

import re
from unittest import mock

from urdf_tools.xacro import job


def missing(request, data):
    """Expand where xacro is not installed."""
    with mock.patch.object(job, 'xacro', None):
        return job.expand(request, data)


def unguarded(request, data):
    """Expand with expressions that may run anything, as if one had got past the guard."""
    with mock.patch.object(job.xacro, 'safe_eval', eval):
        return job.expand(request, data)


def waiting(request, data):
    """Expand once somebody has written to the pipe that the file names, and closed it."""
    with open(request['path']) as file:
        name = re.search('<!-- wait for (.*?) -->', file.read())
    if name is not None:
        with open(name[1]) as pipe:
            pipe.read()
    return job.expand(request, data)
