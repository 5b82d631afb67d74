// Starts the distribution the way a user does: as a process, on free ports, with data in a directory of its own.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The key that every Cosmos emulator shares. It is public. */
export const KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

const READY = /^Orrery is ready: endpoint (\S+) {2}connection string (.+?) {2}certificate (.+)$/m;
const READY_WITHIN_MS = 120_000;

export function distribution() {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const home = process.env.ORRERY_DIST ?? path.resolve(here, '../../../distribution/target/dist');
  const command = path.join(home, 'bin', 'orrery');
  if (!fs.existsSync(command)) {
    throw new Error(`There is no distribution at ${home}. Build it, or set ORRERY_DIST to one.`);
  }
  return command;
}

// A test run that ends early takes its servers with it.
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** For tests that ask for more in a moment than the smallest container may spend. */
export const NO_THROTTLING = ['--no-throttling'];

export class Server {
  #child;
  #exited;
  #output = '';
  #ownsDirectory;

  /** `data: null` and `statusPort: null` leave these options to `args` or to their defaults. */
  constructor({ data, args = [], port = 0, statusPort = 0 } = {}) {
    this.#ownsDirectory = data === undefined;
    this.data = data === undefined ? fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-node-')) : data;
    this.statusPort = statusPort;
    this.args = args;
    this.port = port;
  }

  static async start(options) {
    const server = new Server(options);
    await server.start();
    return server;
  }

  async start() {
    let said = '';
    const child = spawn(
      distribution(),
      ['start', '--port', String(this.port),
        ...(this.data === null ? [] : ['--data', this.data]),
        ...(this.statusPort === null ? [] : ['--status-port', String(this.statusPort)]),
        ...this.args],
      { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    running.add(child);
    this.#exited = new Promise((resolve) => child.once('exit', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    }));
    child.stderr.on('data', (chunk) => { this.#output += chunk; });
    const ready = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No ready line. Output:\n${this.#output}`)), READY_WITHIN_MS);
      child.stdout.on('data', (chunk) => {
        this.#output += chunk;
        said += chunk;
        const match = READY.exec(said);
        if (match) {
          clearTimeout(timer);
          resolve(match);
        }
      });
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        reject(new Error(`The server ended (${code ?? signal}) before it was ready. Output:\n${this.#output}`));
      });
    });
    this.connectionString = ready[2];
    this.certificate = ready[3];
    this.endpoint = ready[1];
    this.port = Number(new URL(ready[1]).port);
    this.ca = fs.readFileSync(this.certificate);
    // One agent per server, so that closing it closes every connection that the tests left open.
    this.agent = new https.Agent({ ca: this.ca, keepAlive: true });
  }

  get pid() { return this.#child.pid; }

  /** Everything that it said, over all its starts. */
  get output() { return this.#output; }

  get isRunning() { return this.#child.exitCode === null && this.#child.signalCode === null; }

  /** Asks the server to stop, as an operating system does. */
  async stop() {
    this.agent?.destroy();
    if (this.isRunning) {
      this.#child.kill('SIGTERM');
    }
    return this.#exited;
  }

  /** Takes the server away without a word. */
  async kill() {
    this.agent?.destroy();
    this.#child.kill('SIGKILL');
    return this.#exited;
  }

  /** Starts again on the same data and the same port. */
  async restart() {
    await this.stop();
    await this.start();
  }

  async close() {
    await this.stop();
    if (this.#ownsDirectory) {
      fs.rmSync(this.data, { recursive: true, force: true });
    }
  }
}
