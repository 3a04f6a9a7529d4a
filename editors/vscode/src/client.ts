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

/** The client of the language server. */

import { Diagnostic, languages, LogOutputChannel, Uri, window, workspace } from 'vscode';
import { LanguageClient, MessageType, ShowMessageNotification } from 'vscode-languageclient/node';
import { Program, Programs } from './program';
import { Arguments, askForTrust, options, SECTION, setting } from './settings';

export const LANGUAGES = ['urdf', 'xacro'];

/** Those whose names the server knows, too; a robot is not shown for them. */
const OTHER_LANGUAGES = ['srdf'];

/** The files that are checked with the package that they are in. */
const OF_PACKAGES =
  '**/{package.xml,CMakeLists.txt,*.launch.py,*_launch.py,*.launch,*.launch.xml,*.yaml,*.yml,*.rviz}';

const FILES = '**/*.{urdf,xacro,srdf,toml,yaml,stl,dae,obj,glb,gltf}';

const ROOTS = 'urdf-tools/roots';

const ARGUMENTS = 'urdf-tools/arguments';

const HEADLINE = 'urdf-tools/headline';

/** The part of a message that tells how a user of a terminal gives trust. */
const HOW_TO_TRUST = '--trust';

export class Client {
  private readonly headlines = new Map<string, string[]>();
  private readonly status = languages.createLanguageStatusItem(
    `${SECTION}.headline`, LANGUAGES.map(language => ({ language })));
  private client?: LanguageClient;
  private pending: Promise<void> = Promise.resolve();

  constructor(private readonly programs: Programs, private readonly log: LogOutputChannel) {
    window.onDidChangeActiveTextEditor(() => this.showStatus());
  }

  /** Start, or start again with other settings. */
  restart(): Promise<void> {
    this.pending = this.pending.then(async () => {
      await this.end();
      const program = await this.programs.need();
      if (program !== undefined) {
        this.client = this.create(program);
        await this.client.start();
      }
    }).catch(error => this.log.error(error));
    return this.pending;
  }

  /** Return the files of the robots that a file is a part of; the file itself if that is not known. */
  async roots(file: Uri): Promise<Uri[]> {
    const client = this.client;
    const found = client === undefined ? [] : await client.sendRequest<string[]>(
      ROOTS, { uri: client.code2ProtocolConverter.asUri(file) });
    return found.length ? found.map(uri => Uri.parse(uri)) : [file];
  }

  /** Return which arguments the robots of a file have, and which they lack besides those of the settings. */
  async arguments(file: Uri): Promise<Arguments> {
    await this.pending;
    const client = this.client;
    return client === undefined ? { names: [], lacking: [] } : client.sendRequest<Arguments>(ARGUMENTS, {
      uri: client.code2ProtocolConverter.asUri(file), arguments: Object.entries(options().arguments) });
  }

  async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  /** Show what programs make of the robot in the active editor. */
  private showStatus(): void {
    const uri = window.activeTextEditor?.document.uri.toString() ?? '';
    const [outcome, ...programs] = this.headlines.get(uri) ?? [];
    this.status.text = outcome ?? 'no program minds it';
    this.status.detail = programs.join('; ');
    this.status.command = { command: `${SECTION}.showAccount`, title: 'Account' };
  }

  private create(program: Program): LanguageClient {
    const client = new LanguageClient(SECTION, SECTION, {
      command: program.command, args: [...program.args, 'lsp'],
    }, {
      documentSelector: [
        ...[...LANGUAGES, ...OTHER_LANGUAGES].flatMap(language => [
          { language, scheme: 'file' }, { language, scheme: 'untitled' }]),
        { scheme: 'file', pattern: OF_PACKAGES }],
      initializationOptions: options(),
      outputChannel: this.log,
      synchronize: { fileEvents: workspace.createFileSystemWatcher(FILES) },
      middleware: {
        handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(withPage)),
      },
    });
    client.onNotification(HEADLINE, ({ uri, lines }: { uri: string; lines: string[] }) => {
      this.headlines.set(Uri.parse(uri).toString(), lines);
      this.showStatus();
    });
    client.onNotification(ShowMessageNotification.type, ({ type, message }) => {
      if (type === MessageType.Info && message.includes(HOW_TO_TRUST)) {
        void askForTrust('Xacro files are checked as they are written, and expanded once you trust the workspace.');
      } else {
        const show = type === MessageType.Error ? window.showErrorMessage
          : type === MessageType.Warning ? window.showWarningMessage : window.showInformationMessage;
        void show(message);
      }
    });
    return client;
  }
}

/** Return a finding with a link to the page of its rule, unless the server has given one. */
function withPage(diagnostic: Diagnostic): Diagnostic {
  const code = diagnostic.code;
  if (typeof code === 'string') {
    diagnostic.code = { value: code, target: pageOf(code) };
  }
  return diagnostic;
}

function pageOf(code: string): Uri {
  const site = setting('rulePages', '');
  return site ? Uri.joinPath(Uri.parse(site), 'rules', `${code}.html`)
    : Uri.parse(`command:${SECTION}.explainRule?${encodeURIComponent(JSON.stringify([code]))}`);
}
