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

/** The robot beside its text: the view of urdf-tools in a panel, which follows what is typed. */

import { ChildProcessWithoutNullStreams } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import {
  Disposable, env, LogOutputChannel, Position, Range, Selection, TextDocument, TextEditorRevealType, Uri, ViewColumn,
  WebviewPanel, window, workspace,
} from 'vscode';
import { LANGUAGES } from './client';
import { Program, start } from './program';
import { descriptionArguments } from './settings';

/** Milliseconds without a change before a text or the cursor is sent. */
const DELAY = 100;

/** What the view says, one JSON object a line. */
interface Said {
  url?: string;
  /** Why the text cannot be read; empty if it can. */
  error?: string;
  selected?: string;
  file?: string;
  line?: number;
  column?: number;
}

const previews = new Map<string, Preview>();

/** Show the robot of a file, or the panel that shows it already. */
export function showPreview(program: Program, file: Uri, log: LogOutputChannel): void {
  const known = previews.get(file.fsPath);
  if (known !== undefined) {
    known.reveal();
  } else {
    previews.set(file.fsPath, new Preview(program, file, log));
  }
}

/** End all previews, such as when a setting has changed. */
export function endPreviews(): void {
  previews.forEach(preview => preview.dispose());
}

class Preview {
  private readonly panel: WebviewPanel;
  private readonly view: ChildProcessWithoutNullStreams;
  private readonly parts: Disposable[] = [];
  private textTimer?: NodeJS.Timeout;
  private cursorTimer?: NodeJS.Timeout;
  private readonly title: string;
  private errors = '';

  constructor(program: Program, private readonly file: Uri, log: LogOutputChannel) {
    this.title = `Preview ${basename(file.fsPath)}`;
    this.panel = window.createWebviewPanel(
      'urdf-tools.preview', this.title,
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true });
    this.panel.webview.html = page('', '<p>Reading the robot ...</p>');
    this.view = start(program, ['view', '--editor', ...descriptionArguments(file.fsPath)], dirname(file.fsPath));
    createInterface(this.view.stdout).on('line', line => { void this.hear(line); });
    this.view.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
      log.info(text.trimEnd());
    });
    this.view.on('error', error => this.ended(error.message));
    this.view.on('close', () => this.ended(this.errors));
    this.panel.onDidDispose(() => this.dispose(), undefined, this.parts);
    workspace.onDidChangeTextDocument(event => this.changed(event.document), undefined, this.parts);
    workspace.onDidSaveTextDocument(document => this.changed(document), undefined, this.parts);
    workspace.onDidCloseTextDocument(document => this.changed(document), undefined, this.parts);
    window.onDidChangeTextEditorSelection(() => this.moved(), undefined, this.parts);
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  dispose(): void {
    previews.delete(this.file.fsPath);
    this.parts.splice(0).forEach(part => part.dispose());
    clearTimeout(this.textTimer);
    clearTimeout(this.cursorTimer);
    this.view.stdin.end();
    this.panel.dispose();
  }

  private ended(reason: string): void {
    if (previews.get(this.file.fsPath) === this) {
      this.panel.webview.html = page('', `<p>The view has ended.</p><pre>${escaped(reason)}</pre>`);
      previews.delete(this.file.fsPath);
    }
  }

  private say(message: object): void {
    this.view.stdin.write(`${JSON.stringify(message)}\n`);
  }

  private changed(document: TextDocument): void {
    if (LANGUAGES.includes(document.languageId)) {
      clearTimeout(this.textTimer);
      this.textTimer = setTimeout(() => this.sendTexts(), DELAY);
    }
  }

  private sendTexts(): void {
    const unsaved = workspace.textDocuments.filter(
      document => document.isDirty && document.uri.scheme === 'file' && LANGUAGES.includes(document.languageId));
    this.say({ texts: Object.fromEntries(unsaved.map(document => [document.uri.fsPath, document.getText()])) });
  }

  private moved(): void {
    clearTimeout(this.cursorTimer);
    this.cursorTimer = setTimeout(() => this.sendCursor(), DELAY);
  }

  private sendCursor(): void {
    const editor = window.activeTextEditor;
    if (editor !== undefined && LANGUAGES.includes(editor.document.languageId)) {
      const { line, character } = editor.selection.active;
      this.say({ cursor: { file: editor.document.uri.fsPath, line: line + 1, column: character + 1 } });
    }
  }

  private async hear(line: string): Promise<void> {
    const said = JSON.parse(line) as Said;
    if (said.url !== undefined) {
      const local = Uri.parse(said.url);
      const external = await env.asExternalUri(local);
      // An editor in a browser may replace the path, which has the token of the view.
      const address = external.path.endsWith(local.path) ? external : Uri.joinPath(external, local.path);
      this.panel.webview.html = page(
        `frame-src ${address.scheme}://${address.authority};`, `<iframe src="${escaped(address.toString())}"></iframe>`);
      this.sendTexts();
      this.sendCursor();
    } else if (said.error !== undefined) {
      this.panel.title = `${said.error && '✗ '}${this.title}`;
    } else if (said.file !== undefined && said.line !== undefined && said.column !== undefined) {
      await show(said.file, new Position(said.line - 1, said.column - 1));
    }
  }
}

/** Select a position in the text, in the editor that shows the file if one does. */
async function show(file: string, position: Position): Promise<void> {
  const isIt = (uri: Uri): boolean => uri.scheme === 'file' && (uri.fsPath === file || realPath(uri.fsPath) === file);
  const open = window.visibleTextEditors.find(editor => isIt(editor.document.uri));
  const known = open?.document ?? workspace.textDocuments.find(document => isIt(document.uri));
  const editor = await window.showTextDocument(
    known ?? await workspace.openTextDocument(file), { viewColumn: open?.viewColumn ?? ViewColumn.One });
  const end = editor.document.lineAt(position.line).range.end;
  editor.selection = new Selection(end, position);
  editor.revealRange(new Range(position, end), TextEditorRevealType.InCenterIfOutsideViewport);
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;  // It is not saved yet.
  }
}

function page(policy: string, content: string): string {
  return `<!DOCTYPE html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; ${policy}">
<style>html, body, iframe { margin: 0; padding: 0; border: 0; width: 100%; height: 100%; overflow: hidden; }
p, pre { padding: 1em; margin: 0; white-space: pre-wrap; }</style></head><body>${content}</body></html>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
