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
"""A real Visual Studio Code in a browser: code-server, its page driven by playwright."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
import io
import json
import os
from pathlib import Path
import signal
import socket
import subprocess
import sys
import time

import numpy as np
from PIL import Image
from playwright.sync_api import Error
from playwright.sync_api import Frame
from playwright.sync_api import sync_playwright
from urdf_tools.view.headless_browser import find_chromium

DEADLINE = 120.0
"""Seconds after which a test gives up; several processes start on a busy machine."""

SETTINGS = {
    'editor.minimap.enabled': False, 'files.autoSave': 'off', 'remote.autoForwardPorts': False,
    'security.workspace.trust.startupPrompt': 'always', 'workbench.startupEditor': 'none'}


class VsCode:
    """
    An editor with one folder open, whose extension has to install urdf-tools.

    :param program: the path of code-server.
    :param extension: the packed extension.
    :param folder: a folder for all that the editor writes; the workspace is ``ws`` inside of it.
    :param file: the file that is opened first, relative to the workspace.
    """

    def __init__(self, program: str, extension: Path, folder: Path, file: str):
        self.workspace = folder / 'ws'
        # The editor takes the environment of a login shell, and so needs the program by its path.
        start = folder / 'tools'
        _write_program(start, f'exec {sys.executable} -m urdf_tools.cli "$@"')
        # It makes an environment with a program that installs, "python -m pip install".
        python = folder / 'python'
        _write_program(python, f'mkdir -p "$4/bin" && cd "$4/bin" && printf "#!/bin/sh\\n'
                               f'ln -s {start} $4/bin/urdf-tools" > python && chmod +x python')
        _write_settings(folder / 'data/User', SETTINGS)
        _write_settings(folder / 'data/Machine', {'urdf-tools.python': str(python)})
        command = [program, '--user-data-dir', str(folder / 'data'), '--extensions-dir',
                   str(folder / 'extensions'), '--config', str(folder / 'config.yaml')]
        path = os.pathsep.join(
            part for part in os.environ['PATH'].split(os.pathsep)
            if not Path(part, 'urdf-tools').exists())
        environment = {**os.environ, 'HOME': str(folder), 'PATH': path}
        subprocess.run([*command, '--install-extension', str(extension)], env=environment,
                       check=True, capture_output=True)
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            address = f'127.0.0.1:{probe.getsockname()[1]}'
        self._server = subprocess.Popen(
            [*command, '--auth', 'none', '--bind-addr', address, '--disable-telemetry',
             '--disable-update-check'],
            env=environment, start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(
            executable_path=find_chromium(), timeout=DEADLINE * 1000, args=[
                '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader',
                '--enable-unsafe-swiftshader', '--disable-gpu-compositing'])
        self.page = self._browser.new_page(viewport={'width': 1400, 'height': 860})
        self.page.set_default_timeout(DEADLINE * 1000)
        opened = json.dumps([['openFile', f'vscode-remote://{address}{self.workspace}/{file}']])
        self.wait(lambda: self._goes_to(
            f'http://{address}/?folder={self.workspace}&payload={opened}'), 'the server')

    def _goes_to(self, url: str) -> bool:
        try:
            self.page.goto(url)
        except Error:  # It does not listen yet.
            return False
        return True

    def close(self) -> None:
        self._browser.close()
        self._playwright.stop()
        os.killpg(self._server.pid, signal.SIGTERM)
        self._server.wait(DEADLINE)

    def wait(self, is_so: Callable[[], object], what: str) -> None:
        """Wait until something is so."""
        end = time.monotonic() + DEADLINE
        while not is_so():
            assert time.monotonic() < end, f'There is no sign of {what}'
            self.page.wait_for_timeout(200)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type_into_box(self, text: str) -> None:
        """Type into the box at the top, and take the first suggestion."""
        self.page.wait_for_selector('.quick-input-widget input >> visible=true')
        self.page.keyboard.type(text)
        self.page.wait_for_selector('.quick-input-list .monaco-list-row >> visible=true')
        self.press('Enter')

    def run(self, command: str) -> None:
        """Run a command of the palette."""
        self.press('F1')
        self.page.wait_for_selector('.quick-input-widget input >> visible=true')
        self.page.keyboard.type(command)
        self.page.click(f'.quick-input-list .monaco-list-row >> text="{command}"')

    def open(self, name: str) -> None:
        """Open a file that the explorer shows."""
        self.page.dblclick(f'.explorer-folders-view >> text="{name}"')
        self.page.wait_for_selector(f'.tab.active >> text="{name}"')

    def go_to(self, line: int, column: int = 1) -> None:
        self.press('Control+g')
        self.page.wait_for_selector('.quick-input-widget input >> visible=true')
        self.page.keyboard.type(f'{line}:{column}')
        self.page.click(f'.quick-input-list >> text="Go to line {line} and character {column}."')
        self.wait(lambda: self.place().startswith(f'Ln {line}, Col {column}'), f'line {line}')

    def place(self) -> str:
        """Return where the cursor is, as the editor shows it."""
        return self.page.inner_text('[id="status.editor.selection"]')

    def has_error(self, text: str) -> bool:
        """Return whether the first line with a text has an underlined error."""
        line = self.page.locator('.view-line', has_text=text).first.bounding_box()
        boxes = [mark.bounding_box() for mark in self.page.query_selector_all('.squiggly-error')]
        return line is not None and any(
            abs(box['y'] - line['y']) < line['height'] / 2 for box in boxes if box)

    def problems(self) -> str:
        """Return the text of the list of problems, which has to be open."""
        return self.page.inner_text('.markers-panel-container')

    def tabs(self) -> str:
        """Return the names of the tabs."""
        return ' '.join(tab.inner_text() for tab in self.page.query_selector_all('.tab'))

    def lines(self) -> str:
        """Return the lines of all texts that are visible, with plain spaces."""
        lines = self.page.query_selector_all('.view-line')
        return '\n'.join(line.inner_text() for line in lines).replace('\xa0', ' ')

    def view(self) -> Frame:
        """Return the page of the preview."""
        return next(frame for frame in self.page.frames if '/proxy/' in frame.url)

    def colours(self) -> tuple[int, int, int]:
        """Return how many pixels of the preview are red, blue and yellow."""
        frame = self.page.query_selector('iframe.webview')
        if frame is None:
            return 0, 0, 0
        box = frame.bounding_box()
        image = Image.open(io.BytesIO(self.page.screenshot(clip=box)))
        red, green, blue = np.moveaxis(np.asarray(image.convert('RGB'), dtype=int), -1, 0)
        return (int(((red > 120) & (np.maximum(green, blue) < red / 2)).sum()),
                int(((blue > 120) & (np.maximum(red, green) < 0.7 * blue)).sum()),
                int(((red > 120) & (green > 0.6 * red) & (blue < red / 2)).sum()))


def _write_program(file: Path, command: str) -> None:
    file.write_text('#!/bin/sh\n' + ''.join(
        f"export {name}='{os.environ.get(name, '')}'\n"
        for name in ('PATH', 'PYTHONPATH', 'LD_LIBRARY_PATH')) + f'{command}\n')
    file.chmod(0o755)


def _write_settings(folder: Path, settings: Mapping[str, object]) -> None:
    folder.mkdir(parents=True)
    folder.joinpath('settings.json').write_text(json.dumps(settings))
