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
The colours that three.js itself draws in the lights of the view, as a reference for test_colours.

``python -m support.three_reference FOLDER`` in ``test/`` prints them; the folder is ``build`` of
the package three of npm. It draws a standard material without tone mapping.
"""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler
from http.server import ThreadingHTTPServer
import json
import math
import sys
import threading

from support.colour_cases import COLOURS
from support.colour_cases import FACES
from support.colour_cases import SHOT
from support.colour_cases import SIZE
from urdf_tools.view.camera import FIELD
from urdf_tools.view.scene import GROUND_SHARE
from urdf_tools.view.scene import KEY
from urdf_tools.view.scene import KEY_SHARE
from urdf_tools.view.scene import SKY_SHARE

_SCRIPT = """
(async () => {
  const THREE = await import('/three.module.js');
  const [colours, faces, position, lookAt, size, field, key, shares] = %s;
  const renderer = new THREE.WebGLRenderer({preserveDrawingBuffer: true});
  renderer.setSize(...size);
  renderer.toneMapping = THREE.NoToneMapping;
  const camera = new THREE.PerspectiveCamera(field, size[0] / size[1], 0.01, 1000);
  camera.up.set(0, 0, 1);
  camera.position.set(...position);
  camera.lookAt(...lookAt);
  const scene = new THREE.Scene();
  const sky = new THREE.HemisphereLight(0xffffff, 0xffffff, shares[1] * Math.PI);
  sky.groundColor.setRGB(...Array(3).fill(shares[2] / shares[1]));
  sky.position.set(0, 0, 1);
  const sun = new THREE.DirectionalLight(0xffffff, shares[0] * Math.PI);
  sun.position.set(...key.map(x => 10 * x));
  scene.add(sky, sun);
  const material = new THREE.MeshStandardMaterial();
  scene.add(new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1), material));
  const gl = renderer.getContext(), found = {};
  for (const [name, rgb] of Object.entries(colours)) {
    material.color.setRGB(...rgb, THREE.SRGBColorSpace);
    renderer.render(scene, camera);
    for (const [face, normal] of Object.entries(faces)) {
      const at = new THREE.Vector3(...normal.map(x => x / 2)).project(camera);
      const pixel = new Uint8Array(4);
      gl.readPixels(Math.floor((at.x + 1) / 2 * size[0]), Math.floor((at.y + 1) / 2 * size[1]),
                    1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      found[name + ' ' + face] = [...pixel.slice(0, 3)];
    }
  }
  return found;
})()
"""


def main(folder: str) -> None:
    """Print the colours."""
    from support.devtools import Page
    server = ThreadingHTTPServer(
        ('127.0.0.1', 0), partial(SimpleHTTPRequestHandler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = Page(f'http://127.0.0.1:{server.server_port}/')
    try:
        page.wait(lambda: page.evaluate('document.readyState') == 'complete')
        given = [COLOURS, FACES, SHOT.position.tolist(), SHOT.look_at.tolist(), SIZE,
                 math.degrees(FIELD), KEY.tolist(), [KEY_SHARE, SKY_SHARE, GROUND_SHARE]]
        for name, pixel in page.evaluate(_SCRIPT % json.dumps(given)).items():
            print(f'    {name!r}: {tuple(pixel)},')
    finally:
        page.close()
        server.shutdown()


if __name__ == '__main__':
    main(sys.argv[1])
