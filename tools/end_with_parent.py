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
Run a command that gets SIGTERM when its parent process ends, however that ends.

    python end_with_parent.py PARENT COMMAND ...

PARENT is the process ID of the parent. The command replaces this program, so its process ID is
that of this one. Systems other than Linux cannot do this; there the command just runs.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
"""From <linux/prctl.h>; the setting survives exec."""

# A signal that Python's handler only noted would be lost in exec; this way it ends the program.
signal.signal(signal.SIGINT, signal.SIG_DFL)
if sys.platform == 'linux':
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(sys.argv[1]):
        sys.exit(0)  # The parent ended before this process could ask to be told.
os.execvp(sys.argv[2], sys.argv[2:])
