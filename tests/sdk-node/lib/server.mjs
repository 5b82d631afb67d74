// Starts the distribution the way a user does: as a process, on free ports, with data in a directory of its own.
import { spawn } from 'node:child_process';
import dns from 'node:dns';
import fs from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The key that every Cosmos emulator shares. It is public. */
export const KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

// To the end of the last line: output comes in pieces.
const READY = /^Orrery is ready: endpoint (\S+) {2}connection string (.+?) {2}certificate (.+?)\r?\n(?:Tables: endpoint (\S+) {2}connection string (.+?)\r?\n)?(?:MongoDB: connection string (.+?)\r?\n)?(?:Gremlin: endpoint (\S+) .+?\r?\n)?Status: http:\/\/localhost:(\d+)\/status\r?\n/m;

/** The first start after a build makes the start-up cache first. */
const READY_WITHIN_MS = 300_000;

/** Less than the server's two minutes, so that no request goes out on a connection that the server is just closing. */
const IDLE_CONNECTION_MS = 60_000;

/** The server's message about a port that it cannot have. */
const PORT_IN_USE = /another process uses it/;

// Servers are on 127.0.0.1. Where localhost has another address too, Node gives the first one a quarter of a second, and then
// goes on to the other, where nobody listens: too little for a test process that is busy.
dns.setDefaultResultOrder('ipv4first');
net.setDefaultAutoSelectFamily(false);

export function distribution() {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const home = process.env.ORRERY_DIST ?? path.resolve(here, '../../../distribution/target/dist');
  const command = path.join(home, 'bin', 'orrery');
  if (!fs.existsSync(command)) {
    throw new Error(`There is no distribution at ${home}. Build it, or set ORRERY_DIST to one.`);
  }
  return command;
}

/** A port that was free a moment ago. */
async function freePort() {
  const probe = net.createServer();
  await new Promise((resolve) => { probe.listen(0, '127.0.0.1', resolve); });
  const { port } = probe.address();
  await new Promise((resolve) => { probe.close(resolve); });
  return port;
}

// A test run that ends early takes its servers with it.
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

export class Server {
  #child;
  #exited;
  #output = '';
  #ownsDirectory;
  #wasReady = false;

  /**
   * `data: null` leaves this option to `args` or to its default. Without throttling unless it is asked for: how much tests
   * spend in a second depends on the machine.
   */
  constructor({ data, args = [], port = 0, statusPort = 0, throttling = false } = {}) {
    this.#ownsDirectory = data === undefined;
    this.data = data === undefined ? fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-node-')) : data;
    this.args = throttling ? args : ['--no-throttling', ...args];
    this.port = port;
    this.statusPort = statusPort;
    this.tablePort = 0;
    this.mongoPort = 0;
    this.gremlinPort = 0;
  }

  static async start(options) {
    const server = new Server(options);
    await server.start();
    return server;
  }

  /** With a port that is known beforehand. One that was free a moment ago may be taken by now: then it is another one. */
  static async startOnKnownPort(optionsFor) {
    for (;;) {
      const port = await freePort();
      const server = new Server(optionsFor(port));
      try {
        await server.start();
        return { server, port };
      } catch (error) {
        await server.close();
        if (!PORT_IN_USE.test(error.message)) {
          throw error;
        }
      }
    }
  }

  /** Again on the port that it had, if it was started before: should another process have got that meanwhile, it is waited for. */
  async start() {
    const deadline = Date.now() + READY_WITHIN_MS;
    for (;;) {
      try {
        return await this.#launch();
      } catch (error) {
        if (!this.#wasReady || !PORT_IN_USE.test(error.message) || Date.now() > deadline) {
          throw error;
        }
      }
    }
  }

  async #launch() {
    let said = '';
    let printed = '';
    const child = spawn(
      distribution(),
      ['start', '--port', String(this.port), '--status-port', String(this.statusPort),
        ...(this.args.includes('--no-table-port') ? [] : ['--table-port', String(this.tablePort)]),
        ...(this.args.includes('--no-mongo-port') ? [] : ['--mongo-port', String(this.mongoPort)]),
        ...(this.args.includes('--no-gremlin-port') ? [] : ['--gremlin-port', String(this.gremlinPort)]),
        ...(this.data === null ? [] : ['--data', this.data]), ...this.args],
      { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    running.add(child);
    this.#exited = new Promise((resolve) => child.once('exit', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    }));
    const hear = (chunk) => {
      said += chunk;
      this.#output += chunk;
    };
    child.stderr.on('data', hear);
    const ready = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`No ready line. Output:\n${said}`));
      }, READY_WITHIN_MS);
      child.stdout.on('data', (chunk) => {
        hear(chunk);
        printed += chunk;
        const match = READY.exec(printed);
        if (match) {
          clearTimeout(timer);
          resolve(match);
        }
      });
      // Not `exit`, which may come before the last words.
      child.once('close', (code, signal) => {
        clearTimeout(timer);
        reject(new Error(`The server ended (${code ?? signal}) before it was ready. Output:\n${said}`));
      });
    });
    this.#wasReady = true;
    this.endpoint = ready[1];
    this.connectionString = ready[2];
    this.certificate = ready[3];
    this.tablePort = ready[4] ? Number(new URL(ready[4]).port) : undefined;
    this.tableConnectionString = ready[5];
    this.mongoConnectionString = ready[6];
    // A hint stands in place of a key of one's own, and then the string is no URL.
    this.mongoPort = ready[6] ? Number(/@[^@/]*:(\d+)\//.exec(ready[6])[1]) : undefined;
    this.gremlinEndpoint = ready[7];
    this.gremlinPort = ready[7] ? Number(new URL(ready[7]).port) : undefined;
    this.statusPort = Number(ready[8]);
    this.port = Number(new URL(ready[1]).port);
    this.ca = fs.readFileSync(this.certificate);
    // One agent per server, so that closing it closes every connection that the tests left open.
    this.agent = new https.Agent({ ca: this.ca, keepAlive: true, timeout: IDLE_CONNECTION_MS });
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
