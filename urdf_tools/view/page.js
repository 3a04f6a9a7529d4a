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

const style = document.createElement('style');
style.textContent = `
  /* Six decimals fit beside a slider. */
  .mantine-Slider-root + * { width: 5.4rem !important; flex-shrink: 0 }
  /* The ends stay below the slider, beside long names. */
  .mantine-Slider-markWrapper:first-child .mantine-Slider-markLabel {
    transform: translate(-0.3em, 0.05rem) !important }
  .mantine-Slider-markWrapper:last-child:not(:first-child) .mantine-Slider-markLabel {
    transform: translate(calc(0.3em - 100%), 0.05rem) !important }
  html[data-fails] .tabler-icon-cloud-check { display: none }
  [data-link] { all: unset; display: block; cursor: pointer; box-sizing: border-box; width: 100% }
  [data-link]:hover, [data-link]:focus-visible { text-decoration: underline }
  /* All programs beside each other in a narrow panel: their names go upwards. */
  .programs { container-type: inline-size; overflow-x: auto }
  .programs table { font-size: 0.8em; line-height: 1.5; border-collapse: collapse; overflow-wrap: normal }
  .programs td { padding: 0 0.25em; text-align: right; color: #888; white-space: nowrap }
  .programs td:first-child { padding-left: 0; text-align: left; white-space: normal; color: inherit }
  .programs tr:first-child td { writing-mode: vertical-rl; transform: rotate(180deg); text-align: left;
                                padding: 0.4em 0; color: inherit }
  .programs td[data-unlike] { font-weight: bold; color: inherit }
  @container (max-width: 22rem) { .programs table { font-size: 0.7em } .programs td { padding: 0 0.15em } }
  #hovered { position: fixed; z-index: 5; pointer-events: none; padding: 1px 6px; font-size: 13px;
             border-radius: 3px; color: #fff; background: rgba(0, 0, 0, 0.75) }
  /* A telephone shows the robot above the panel, which is as wide as the page. */
  @media (max-width: 36em) {
    [style*="position: fixed"][style*="min-height: 3.5em"] {
      width: 100% !important; max-height: 50% !important }
    [style*="min-height: 3.5em"] [style*="width: 20em"] { width: 100% !important }
    .mantine-Notification-description {
      overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
  }`;
if (!document.getElementById('hovered')) {
  document.head.append(style);
  const label = document.createElement('div');
  label.id = 'hovered';
  label.hidden = true;
  document.body.append(label);
  const page = () => window.__viserMutable;

  // The name of the link under the pointer, of which the scene knows the node.
  let last, link;
  const linkOf = object => {
    const nodes = Object.entries(page().nodeRefFromName);
    for (; object; object = object.parent) {
      const name = nodes.find(([, node]) => node === object)?.[0];
      const index = /^\/robot(?:\/\d+)*\/(\d+)(?:\/[a-z]\w*)?$/.exec(name)?.[1];
      if (index !== undefined) return window.urdfLinks?.[index];
    }
  };
  document.addEventListener('pointermove', event => requestAnimationFrame(() => {
    const hovered = event.pointerType !== 'touch' && event.target.tagName === 'CANVAS'
      && page()?.scene?.__r3f?.root?.getState?.().internal?.hovered;
    const object = hovered ? [...hovered.values()][0]?.object : undefined;
    if (object !== last) [last, link] = [object, object && linkOf(object)];
    label.hidden = link === undefined;
    label.textContent = link;
    label.style.left = `${event.clientX + 14}px`;
    label.style.top = `${event.clientY + 14}px`;
  }), true);

  // A link of the tree is chosen as in the list of links.
  document.addEventListener('click', event => {
    const {link, input} = event.target.closest?.('[data-link]')?.dataset ?? {};
    if (link !== undefined)
      page()?.sendMessage({type: 'GuiUpdateMessage', uuid: input, updates: {value: link}});
  });
  window.urdfTab = name => {
    const tab = [...document.querySelectorAll('[role=tab]')].find(
      each => each.textContent.trim() === name);
    tab?.click();
    tab?.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
  };

  // Files and folders that are dropped are sent in one piece: their paths and sizes, then contents.
  const filesIn = async (entry, path = '') => {
    if (entry.isFile) return [[path + entry.name, await new Promise((...done) => entry.file(...done))]];
    const reader = entry.createReader(), found = [];
    for (let some; (some = await new Promise((...done) => reader.readEntries(...done))).length;)
      for (const each of some)
        if (each.isDirectory ? !each.name.startsWith('.') : READ.test(each.name))
          found.push(...await filesIn(each, `${path}${entry.name}/`));
    return found;
  };
  const READ = /\.(urdf|xacro|srdf|xml|ya?ml|stl|dae|obj|mtl|ply|gltf|glb|bin|png|jpe?g|tga|bmp)$/i;
  const SIZE = 2 ** 19;
  document.addEventListener('dragover', event => event.preventDefault());
  document.addEventListener('drop', async event => {
    event.preventDefault();
    const entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry()).filter(Boolean);
    if (!window.urdfDrop || !entries.length) return;
    if (!page()?.sendMessage) {
      Object.assign(label, {hidden: false, textContent: 'Nothing can be dropped in this version of viser; use ' +
        '"Open a file" in the tab View, or give the path to urdf-tools view'});
      Object.assign(label.style, {left: '8px', top: '8px'});
      return;
    }
    const files = (await Promise.all(entries.map(entry => filesIn(entry)))).flat();
    const blob = new Blob([JSON.stringify(files.map(([path, file]) => [path, file.size])), '\n',
                           ...files.map(([, file]) => file)]);
    const {input, most} = window.urdfDrop;
    const about = {source_component_uuid: input, transfer_uuid: `${Math.random()}`};
    page().sendMessage({type: 'FileTransferStartUpload', ...about, filename: 'dropped files', mime_type: '',
                        size_bytes: blob.size, part_count: Math.ceil(blob.size / SIZE)});
    // What is too large is refused, with the reason.
    for (let part = 0; part * SIZE < blob.size && blob.size <= most; ++part)
      page().sendMessage({
        type: 'FileTransferPart', ...about, part_index: part, content: new Uint8Array(
          await blob.slice(part * SIZE, (part + 1) * SIZE).arrayBuffer())});
  });

  // The scene ends where the panel of a telephone begins.
  const measure = () => {
    const panel = document.querySelector(
      '[style*="position: fixed"][style*="min-height: 3.5em"]'), scene = panel?.previousElementSibling;
    if (scene) scene.style.height = `${innerHeight - panel.offsetHeight}px`;
    else if (measure.scene) measure.scene.style.height = '100%';
    measure.scene = scene ?? measure.scene;
  };
  if (!location.search.includes('drawn=')) setInterval(measure, 200);
}

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
