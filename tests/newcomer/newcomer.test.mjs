// Somebody new: a fresh clone, nothing in the caches of Maven and npm, a terminal, and the README from top to bottom. Once on a
// machine that does nothing else, and once beside programs that want every processor.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { follow, run } from '../sdk-node/lib/guide.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const HOUR_MS = 3_600_000;

/** The README is followed as it is, so its ports have to be free. */
async function assertFree(port) {
  const probe = net.createServer();
  await new Promise((resolve, reject) => {
    probe.once('error', () => reject(new Error(`Port ${port} is in use: end what uses it, for example with \`orrery stop\`.`)));
    probe.listen(port, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => { probe.close(resolve); });
}

async function walk() {
  await assertFree(8081);
  await assertFree(8080);
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-newcomer-'));
  const clone = path.join(home, 'orrery');
  execFileSync('git', ['clone', '--quiet', root, clone]);
  const environment = {
    // How this machine reaches the registries stays as it is; what they delivered before is not seen.
    MAVEN_OPTS: `${process.env.MAVEN_OPTS ?? ''} -Dmaven.repo.local=${home}/m2`,
    npm_config_cache: `${home}/npm`,
    ORRERY_DIST: '',
  };
  try {
    await follow(path.join(clone, 'README.md'), clone, environment, (text) => text, { terminal: true });
  } finally {
    await run('./orrery stop || true', clone, environment);
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

test('the README works for somebody new', { timeout: HOUR_MS }, walk);

test('the README works for somebody new on a busy machine', { timeout: HOUR_MS }, async () => {
  const hogs = os.cpus().map(() => spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }));
  try {
    await walk();
    assert.ok(hogs.every((hog) => hog.exitCode === null), 'the machine was busy to the end');
  } finally {
    hogs.forEach((hog) => hog.kill('SIGKILL'));
  }
});
