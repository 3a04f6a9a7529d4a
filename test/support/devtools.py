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
"""A page in a headless Chromium, driven through the DevTools protocol."""

from __future__ import annotations

import base64
from collections.abc import Callable
import io
import json
import time
from typing import Any
from urllib.request import urlopen

import numpy as np
from PIL import Image
from urdf_tools.view.headless_browser import find_chromium
from urdf_tools.view.headless_browser import HeadlessBrowser
from websockets.sync.client import connect

DEADLINE = 90.0
"""Seconds after which a test gives up; a busy machine draws slowly."""


class Page:
    """
    A page.

    :ivar complaints: the errors on its console, and its exceptions.
    """

    def __init__(self, url: str, size: tuple[int, int] = (960, 640)):
        program = find_chromium()
        assert program is not None
        self._browser = HeadlessBrowser(
            program, 'about:blank', size, ['--remote-debugging-port=0'])
        self.complaints: list[str] = []
        self._number = 0
        port_file = self._browser.profile / 'DevToolsActivePort'
        self.wait(lambda: port_file.exists() and port_file.read_text().count('\n') > 0)
        port = port_file.read_text().splitlines()[0]
        self.wait(lambda: self._pages(port))
        self._socket = connect(
            self._pages(port)[0]['webSocketDebuggerUrl'], max_size=None,
            compression=None, proxy=None, ping_interval=None)
        for domain in ('Page', 'Runtime', 'Log'):
            self.call(f'{domain}.enable')
        self.call('Page.navigate', url=url)

    @staticmethod
    def _pages(port: str) -> list[dict[str, Any]]:
        with urlopen(f'http://127.0.0.1:{port}/json/list') as answer:
            return [page for page in json.load(answer) if page['type'] == 'page']

    def close(self) -> None:
        self._socket.close()
        self._browser.close()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol, and return its result."""
        self._number += 1
        self._socket.send(json.dumps(
            {'id': self._number, 'method': method, 'params': parameters}))
        while True:
            message = json.loads(self._socket.recv(DEADLINE))
            if message.get('id') == self._number:
                assert 'error' not in message, message
                return message['result']
            self._note(message)

    def _note(self, message: dict[str, Any]) -> None:
        parameters = message.get('params', {})
        if message['method'] == 'Runtime.exceptionThrown':
            self.complaints.append(str(parameters['exceptionDetails']))
        elif message['method'] == 'Runtime.consoleAPICalled' and parameters['type'] == 'error':
            said = str([argument.get('value', argument.get('description'))
                        for argument in parameters['args']])
            # viser sends the value of a slider from a thread, also just after it was removed.
            if 'Tried to update non-existent component' not in said:
                self.complaints.append(said)
        elif message['method'] == 'Log.entryAdded' and parameters['entry']['level'] == 'error':
            self.complaints.append(str(parameters['entry']))

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        result = self.call(
            'Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        assert 'exceptionDetails' not in result, result
        return result['result'].get('value')

    def text(self) -> str:
        """Return the text of the page."""
        return self.evaluate('document.body?.innerText') or ''

    def click(self, text: str) -> None:
        """Click on the last element that has just this text, once it is there."""
        find = (f'[...document.querySelectorAll("*")].filter(e => e.childElementCount === 0 && '
                f'e.textContent.trim() === {json.dumps(text)}).pop()')
        self.wait(lambda: self.evaluate(f'{find} !== undefined'), f'{text} on the page')
        self.evaluate(f'{find}.scrollIntoView()')
        self.click_at(*self._resting_place(find))

    def click_at(self, x: float, y: float) -> None:
        """Click on a pixel of the page."""
        for kind in ('mouseMoved', 'mousePressed', 'mouseReleased'):
            self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='left',
                      clickCount=1)

    def _resting_place(self, element: str) -> tuple[float, float]:
        """Return the centre of an element that does not move any more."""
        before = None
        while True:
            found = self.evaluate('(r => [r.x + r.width / 2, r.y + r.height / 2])'
                                  f'({element}.getBoundingClientRect())')
            if found == before:
                return found
            before = found
            time.sleep(0.3)

    def press(self, key: str, seconds: float = 0.0) -> None:
        """Hold a key down in the focused element for some time, then release it."""
        for kind in ('rawKeyDown', 'keyUp'):
            time.sleep(seconds * (kind == 'keyUp'))
            self.call('Input.dispatchKeyEvent', type=kind, key=key, code=key,
                      windowsVirtualKeyCode={'ArrowRight': 39, 'End': 35, 'Home': 36}[key])

    def picture(self) -> np.ndarray:
        """Return the page as pixels, shape (height, width, 3)."""
        data = base64.b64decode(self.call('Page.captureScreenshot', format='png')['data'])
        return np.asarray(Image.open(io.BytesIO(data)).convert('RGB')).astype(int)

    @staticmethod
    def wait(condition: Callable[[], Any], what: str = 'the condition') -> None:
        """Wait until a condition is true."""
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end, f'{what} did not come true'
            time.sleep(0.1)
