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

"""The language server with the client of Neovim, which is tested where it is installed."""

import json
import shutil
import subprocess
import sys

import pytest

pytest.importorskip('pygls', reason='pygls is not installed')

HEAD = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"'
ROBOT = f"""{HEAD} name="robot">
    <xacro:include filename="wheel.xacro"/>
  <link name="base"/>
  <xacro:wheel name="left"/>
</robot>
"""
WHEEL = f"""{HEAD}>
  <xacro:macro name="wheel" params="name">
    <link name="${{name}}"/>
    <joint name="${{name}}_joint" type="continous"/>
  </xacro:macro>
</robot>
"""

SCRIPT = r"""
local out = {}
local function position(pattern)
  vim.fn.cursor(1, 1)
  local at = vim.fn.searchpos(pattern)
  return at[1] > 0
end
local function ask(method, more)
  local params = vim.tbl_extend('force', vim.lsp.util.make_position_params(), more or {})
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, DEADLINE) or {}) do
    return answer.result or vim.NIL
  end
end
local ok, failure = pcall(function()
  vim.cmd('edit robot.urdf.xacro')
  local id = vim.lsp.start_client({name = 'urdf_tools', cmd = CMD, root_dir = vim.fn.getcwd()})
  assert(vim.lsp.buf_attach_client(0, id))
  assert(vim.wait(DEADLINE, function() return vim.lsp.buf_get_clients()[id] ~= nil end))
  position('wheel name')
  out.definition = ask('textDocument/definition')
  out.references = ask('textDocument/references', {context = {includeDeclaration = true}})
  local params = {textDocument = vim.lsp.util.make_text_document_params(), newName = 'tyre',
                  position = vim.lsp.util.make_position_params().position}
  local edit = ask('textDocument/rename', params)
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  out.robot = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  vim.cmd('edit! wheel.xacro')
  vim.lsp.buf_attach_client(0, id)
  assert(vim.wait(DEADLINE, function() return #vim.diagnostic.get(0) > 0 end))
  out.diagnostics = vim.tbl_map(function(each) return each.code end, vim.diagnostic.get(0))
  out.wheel = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end)
out.failure = ok and '' or tostring(failure)
vim.fn.writefile({vim.fn.json_encode(out)}, 'out.json')
vim.cmd('qall!')
"""


@pytest.mark.skipif(shutil.which('nvim') is None, reason='Neovim is not installed')
def test_neovim(tmp_path):
    (tmp_path / 'robot.urdf.xacro').write_text(ROBOT)
    (tmp_path / 'wheel.xacro').write_text(WHEEL)
    command = ', '.join(f"'{word}'" for word in (sys.executable, '-m', 'urdf_tools.cli', 'lsp'))
    (tmp_path / 'run.lua').write_text(
        f'local CMD, DEADLINE = {{{command}}}, 60000\nvim.opt.hidden = true\n{SCRIPT}')
    subprocess.run(['nvim', '--headless', '--clean', '-c', 'luafile run.lua'], cwd=tmp_path,
                   timeout=300, check=True, capture_output=True)
    out = json.loads((tmp_path / 'out.json').read_text())
    assert out['failure'] == ''
    assert [each['uri'] for each in out['definition']] == [(tmp_path / 'wheel.xacro').as_uri()]
    assert len(out['references']) == 2
    assert out['robot'] + '\n' == ROBOT.replace('wheel name', 'tyre name')
    assert out['wheel'] + '\n' == WHEEL.replace('"wheel"', '"tyre"')
    assert 'joint-unknown-type' in out['diagnostics']
