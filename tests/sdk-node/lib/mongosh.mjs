// MongoDB's shell, as a person uses it: in a terminal, one command after the other.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../node_modules/mongosh/bin/mongosh.js', import.meta.url));

/** The prompt of a shell that waits for a command; each set has one replica, which is the first. */
const PROMPT = /(?:^|\n)(globaldb \[primary\] \S+> )$/;

/** A command that takes longer hangs. */
const COMMAND_MS = 300_000;

/** The shell gives a server two seconds to answer, unless its connection string says more. A busy machine needs more. */
const PATIENCE = `&serverSelectionTimeoutMS=${COMMAND_MS}`;

export class Mongosh {
  #child;
  #home;
  #output = '';
  #heard = () => {};
  #exited;

  /** The prompt for the next command. */
  prompt;

  /** Starts a shell with a connection string, and waits until it asks for a command. Paths in the string begin at `cwd`. */
  static async start(uri, cwd = process.cwd()) {
    const shell = new Mongosh();
    await shell.#launch(uri, cwd);
    return shell;
  }

  async #launch(uri, cwd) {
    // History, logs and settings are in a directory of this shell's own. It tells nobody what is typed.
    this.#home = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-mongosh-'));
    const settings = path.join(this.#home, '.mongodb', 'mongosh');
    fs.mkdirSync(settings, { recursive: true });
    fs.writeFileSync(path.join(settings, 'config'), JSON.stringify({ enableTelemetry: false, updateURL: '' }));
    // The program `script` gives it a terminal. A dumb one moves no cursor and has no colours.
    this.#child = spawn(
      'script', ['-qefc', `'${process.execPath}' '${program}' '${uri}${PATIENCE}' --quiet`, '/dev/null'],
      {
        cwd, stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, HOME: this.#home, TERM: 'dumb', NODE_TEST_CONTEXT: undefined, NODE_NO_WARNINGS: '1' },
      });
    this.#exited = new Promise((resolve) => { this.#child.once('close', resolve); });
    this.#child.stdout.setEncoding('utf8').on('data', (text) => {
      this.#output += text.replace(/\r/g, '');
      this.#heard();
    });
    await this.#prompt('its start');
  }

  /** Returns what it has printed up to its next prompt. */
  async #prompt(what) {
    await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`mongosh says nothing more after ${what}:\n${this.#output}`)), COMMAND_MS);
      const look = () => {
        if (PROMPT.test(this.#output)) {
          clearTimeout(timer);
          resolve();
        }
      };
      this.#exited.then((code) => {
        clearTimeout(timer);
        reject(new Error(`mongosh ended with ${code} after ${what}:\n${this.#output}`));
      });
      this.#heard = look;
      look();
    });
    this.#heard = () => {};
    const printed = this.#output.replace(PROMPT, (_, prompt) => {
      this.prompt = prompt;
      return '\n';
    });
    this.#output = '';
    return printed;
  }

  /** Types a command of one line, and returns what the shell prints. */
  async run(command) {
    this.#child.stdin.write(`${command}\n`);
    const printed = await this.#prompt(command);
    // A terminal shows what is typed.
    return printed.slice(printed.indexOf('\n') + 1).trimEnd();
  }

  /** Leaves the shell, and returns its exit code. */
  async close() {
    this.#child.stdin.end('exit\n');
    const code = await this.#exited;
    fs.rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
    return code;
  }
}
