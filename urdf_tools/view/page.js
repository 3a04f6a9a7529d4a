// Copyright 2026 The urdf_tools authors
//
// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.
// You may obtain a copy of the License at
//
//     http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software
// distributed under the License is distributed on an "AS IS" BASIS,
// WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
// See the License for the specific language governing permissions and
// limitations under the License.

const context = WebGL2RenderingContext.prototype;
if (!context.withoutToneMapping) {
  const compile = context.shaderSource;
  context.withoutToneMapping = true;
  context.shaderSource = function (shader, source) {
    compile.call(this, shader, source.replace(
      /return ACESFilmicToneMapping\( color \);/g, 'return color;'));
  };
  const drawn = new URLSearchParams(location.search).get('drawn')?.split(',');
  const calls = ['clear', 'drawArrays', 'drawElements', 'drawElementsInstanced'];
  for (const name of drawn ? calls : []) {
    const draw = context[name];
    context[name] = function (...given) {
      if (drawn.includes(`${this.canvas.width}x${this.canvas.height}`)) draw.apply(this, given);
    };
  }
  document.documentElement.addEventListener('keydown', event => {
    if (event.key.startsWith('Arrow') && event.target.closest(
        '[role=slider],[role=tab],[role=option],[role=combobox]'))
      event.stopPropagation();
  });
}
