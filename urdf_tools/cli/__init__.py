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

"""The command ``urdf-tools``, with one module per verb."""

from __future__ import annotations

import os
import signal
import sys

# Nothing else is imported here, so that a signal finds its handler as soon as possible. Numpy
# alone takes a hundred milliseconds, and typing ten.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable  # noqa: I300
    from collections.abc import Sequence
    from types import FrameType
    from typing import NoReturn


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command.

    As the main program it ends quietly, at any time, on SIGINT (code 130) and SIGTERM (143).

    :param argv: arguments without the name of the command; by default those of the process, whose
        signals are then handled, too.
    :return: exit code: 0 for success, 1 if the verb found errors, 2 if it could not be run or its
        output not be written, 130 if it was interrupted, 141 if nobody reads its output any more.
    """
    if argv is not None:
        from urdf_tools.cli.command import run
        return run(argv)
    _handle_signals(_leave)
    import gc
    gc.disable()  # Imported modules stay.
    # The threads that numpy would start for large matrices, which no verb has, take time to start.
    os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
    from urdf_tools.cli.command import run
    from urdf_tools.cli.standard_streams import with_standard_streams
    from urdf_tools.sandbox.forked_process import allow_forks
    allow_forks()
    try:
        try:
            _handle_signals(_interrupt)
            return with_standard_streams(lambda: run(sys.argv[1:]))
        finally:
            # From here on there is nothing to clean up.
            _handle_signals(_leave)
    except _Signal as error:
        return 128 + error.number


class _Signal(BaseException):
    """A signal that ends the command, raised so that temporary files are removed."""

    def __init__(self, number: int):
        self.number = number


def _handle_signals(handler: Callable[[int, FrameType | None], NoReturn]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    os._exit(128 + number)


def _interrupt(number: int, _frame: FrameType | None) -> NoReturn:
    raise _Signal(number)
