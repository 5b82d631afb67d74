// Azurite, the peer that tests compare with: in memory, as a process, on a free port, and without its telemetry.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';

/** Azurite's own account. Both are public. */
export const AZURITE_ACCOUNT = 'devstoreaccount1';
export const AZURITE_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** Ends what hangs, and nothing that is slow. */
const READY_WITHIN_MS = 120_000;

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

async function freePort() {
  const probe = net.createServer();
  await new Promise((resolve) => { probe.listen(0, '127.0.0.1', resolve); });
  const { port } = probe.address();
  await new Promise((resolve) => { probe.close(resolve); });
  return port;
}

export class Azurite {
  #child;
  #directory;
  account = AZURITE_ACCOUNT;
  key = AZURITE_KEY;

  /** Azurite does not say which port it got when it is told to take any, so it gets one that was free a moment ago. */
  static async start() {
    for (let attempt = 0; ; attempt += 1) {
      const azurite = new Azurite();
      try {
        await azurite.#launch(await freePort());
        return azurite;
      } catch (error) {
        await azurite.close();
        if (attempt === 5 || !/EADDRINUSE/.test(error.message)) {
          throw error;
        }
      }
    }
  }

  async #launch(port) {
    const main = createRequire(import.meta.url).resolve('azurite/dist/src/table/main.js');
    this.#directory = fs.mkdtempSync(path.join(os.tmpdir(), 'azurite-'));
    this.url = `http://127.0.0.1:${port}/${AZURITE_ACCOUNT}`;
    const child = spawn(
      process.execPath,
      [main, '--inMemoryPersistence', '--disableTelemetry', '--skipApiVersionCheck', '--silent', '--tableHost', '127.0.0.1', '--tablePort', String(port)],
      { cwd: this.#directory, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    running.add(child);
    let said = '';
    await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Azurite is not ready:\n${said}`)), READY_WITHIN_MS);
      const hear = (chunk) => {
        said += chunk;
        if (/successfully started/.test(said)) {
          clearTimeout(timer);
          resolve();
        }
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('close', () => {
        clearTimeout(timer);
        running.delete(child);
        reject(new Error(`Azurite ended:\n${said}`));
      });
    });
  }

  async close() {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) {
      const ended = new Promise((resolve) => { this.#child.once('close', resolve); });
      this.#child.kill('SIGKILL');
      await ended;
    }
    if (this.#directory) {
      fs.rmSync(this.#directory, { recursive: true, force: true });
    }
  }
}
