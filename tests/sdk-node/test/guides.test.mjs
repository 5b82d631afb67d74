// Every command and every file that the documents show, as a reader would type them, and what they print.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertPrints, follow, run, steps } from '../lib/guide.mjs';
import { distribution } from '../lib/server.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

async function freePorts(count) {
  const probes = [];
  for (let i = 0; i < count; i += 1) {
    const probe = net.createServer();
    await new Promise((resolve) => { probe.listen(0, '127.0.0.1', resolve); });
    probes.push(probe);
  }
  const ports = probes.map((probe) => probe.address().port);
  await Promise.all(probes.map((probe) => new Promise((resolve) => { probe.close(resolve); })));
  return ports;
}

test('a document is read as steps', () => {
  const text = ['# Title', '```js a.mjs', 'one', '```', 'text', '```', '$ ls \\', '    -l', 'x', '...', '$ pwd', '```',
    '```http', 'PUT /a?b=1  {"c":2}', '200 {"d":', ' 3}', 'GET /', '404 {}', '```',
    '```mongosh', '$ mongosh --quiet "mongodb://a"', 'globaldb [primary] test> use b', 'switched', '```'].join('\n');
  assert.deepEqual(steps(text), [
    { file: 'a.mjs', text: 'one\n', line: 2 },
    { command: 'ls \\\n    -l', output: ['x', '...'], line: 7 },
    { command: 'pwd', output: [], line: 11 },
    { method: 'PUT', target: '/a?b=1', body: '{"c":2}', answer: '200 {"d":\n 3}\n', line: 14 },
    { method: 'GET', target: '/', body: undefined, answer: '404 {}\n', line: 17 },
    { shell: 'mongodb://a', inputs: [{ prompt: 'globaldb [primary] test> ', command: 'use b', output: ['switched'], line: 22 }], line: 21 },
  ]);
});

test('what is printed is compared, but for what differs each time', () => {
  assertPrints('ready in 12.5 s\nb\nc\n', ['ready in 3 s', '...', 'c'], 'it');
  assert.throws(() => assertPrints('5 items\n', ['6 items'], 'it'), /and the document says/);
  assert.throws(() => assertPrints('a\nb\n', ['a'], 'it'));
});

const documents = ['README.md', ...fs.readdirSync(path.join(root, 'docs'), { encoding: 'utf8' })
  .filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
  .filter((name) => steps(fs.readFileSync(path.join(root, name), 'utf8')).length > 0);

/** The modules are here already, but a reader has them only where the document says `npm install`. */
const modules = path.join(root, 'tests/sdk-node/node_modules');
const install = (_, where = '.') => `$ ln -sfn '${modules}' ${where}/node_modules`;

/** The data of somebody who has followed the README before. */
const readers = { directory: '' };

async function readersData() {
  if (!readers.directory) {
    readers.directory = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-reader-'));
    const [port] = await freePorts(1);
    const { code, output } = await run(
      `orrery='${distribution()}'\n$orrery start --background --port ${port} --status-port 0\n$orrery sample food\n$orrery stop`,
      readers.directory, { ORRERY_ENDPOINT: `http://localhost:${port}` });
    assert.equal(code, 0, output);
  }
  return path.join(readers.directory, 'orrery-data');
}

after(() => {
  if (readers.directory) {
    fs.rmSync(readers.directory, { recursive: true, force: true, maxRetries: 5 });
  }
});

for (const document of documents) {
  test(`${document} works as it is written`, async () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'orrery-guide-'));
    const [port, statusPort, tablePort, mongoPort, gremlinPort] = await freePorts(5);
    const environment = { ORRERY_ENDPOINT: `http://localhost:${port}`, NODE_NO_WARNINGS: '1' };
    // The reader has a machine of his own: here others may use the ports of the document.
    fs.writeFileSync(
      path.join(directory, 'orrery'),
      `#!/bin/sh\nexport ORRERY_CALLED="$0"\ncase $* in\n  *--port*) exec "${distribution()}" "$@" ;;\n  start*) exec "${distribution()}" "$@" --port ${port} --status-port ${statusPort} --table-port ${tablePort} --mongo-port ${mongoPort} --gremlin-port ${gremlinPort} ;;\n  *) exec "${distribution()}" "$@" ;;\nesac\n`,
      { mode: 0o755 });
    if (document !== 'README.md') {
      fs.cpSync(await readersData(), path.join(directory, 'orrery-data'), { recursive: true });
    }
    const rewrite = (text) => text.replace(/8081/g, port).replace(/\b8080\b/g, statusPort).replace(/\b8902\b/g, tablePort).replace(/\b10255\b/g, mongoPort).replace(/\b8901\b/g, gremlinPort)
      .replace(/^\$ npm install (?:--prefix (\S+) )?(?:@azure\/(?:cosmos|data-tables)|mongodb|mongoose|gremlin)$/gm, install)
      .replace(/^orrery: built in .*\n/gm, '');
    try {
      await follow(path.join(root, document), directory, environment, rewrite);
    } finally {
      await run('for data in *-data; do ./orrery stop --data "$data" || true; done', directory, environment);
      fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}
