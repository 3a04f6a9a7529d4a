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

"""What a node handles and needs from its first moment; it imports nothing that takes time."""

from __future__ import annotations

import resource
import signal

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""The signals that end a node with exit code 0."""

MIN_ADDRESS_SPACE = 768 * 2**20
"""Bytes of address space that a node needs: with less, the middleware may abort or hang."""


def lack_of_memory() -> str:
    """Return why a limit of the process leaves a node too little memory, or an empty string."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY or limit >= MIN_ADDRESS_SPACE:
        return ''
    return (f'The address space is limited to {limit // 2**20} MB, and a node needs '
            f'{MIN_ADDRESS_SPACE // 2**20}; raise the limit (ulimit -v)')
