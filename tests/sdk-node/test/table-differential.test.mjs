// The same requests go to Azurite and to Orrery: each difference is a fault, or stands in the list with its reason.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Azurite } from '../lib/azurite.mjs';
import { Server } from '../lib/server.mjs';
import { CASES, SETUP, TEARDOWN } from '../lib/table-cases.mjs';
import { DIFFERENCES } from '../lib/table-differences.mjs';
import { Peer, differences } from '../lib/table-peers.mjs';
import { TableRest } from '../lib/table-rest.mjs';
import { random, step } from '../lib/table-walk.mjs';
import { Tables } from '../lib/tables.mjs';

const SEEDS = process.env.ORRERY_SEED ? [Number(process.env.ORRERY_SEED)]
  : Array.from({ length: process.env.ORRERY_LONG ? 50 : 4 }, (_, i) => i + 1);
const STEPS = 250;

let azurite;
let server;
let peers;
const used = new Set();

before(async () => {
  [azurite, server] = await Promise.all([Azurite.start(), Server.start()]);
  peers = [new Peer(new TableRest(azurite)), new Peer(new Tables(server.tablePort, 'azurite').rest)];
});
after(async () => {
  peers?.forEach(({ rest }) => rest.close());
  await Promise.all([azurite?.close(), server?.close()]);
});

const both = (what) => Promise.all(peers.map((peer) => peer.ask(what)));

/** Returns the differences that nobody has explained. A reason for one request counts only for what no general reason explains. */
async function unexplained(what, name) {
  const [first, second] = await both(what);
  let found = differences(first, second);
  const explain = (reasons, explains) => reasons.forEach((reason) => {
    const left = found.filter((each) => !explains(reason, each));
    if (left.length < found.length) {
      used.add(reason.what);
    }
    found = left;
  });
  explain(DIFFERENCES.filter(({ when }) => when), ({ when }, each) => when(each, what, first, second));
  explain(DIFFERENCES.filter(({ cases }) => name && cases?.includes(name)), () => true);
  return found;
}

test('single requests are answered alike', async () => {
  const faults = [];
  for (const [name, request] of Object.entries(CASES)) {
    for (const setup of SETUP) {
      assert.deepEqual(differences(...(await both(setup)).map(({ status }) => ({ status }))), [], name);
    }
    const found = await unexplained(request, name);
    if (found.length > 0) {
      faults.push({ name, found });
    }
    for (const teardown of TEARDOWN) {
      await both(teardown);
    }
  }
  assert.equal(faults.length, 0, `${faults.map(({ name, found }) => `${name}: ${JSON.stringify(found)}`).join('\n')}`);
});

for (const seed of SEEDS) {
  test(`a walk of ${STEPS} requests is answered alike (seed ${seed})`, async () => {
    const dice = random(seed);
    for (const table of ['Walk', 'WalkTwo']) {
      await both({ method: 'POST', path: '/Tables', body: { TableName: table } });
    }
    for (let i = 0; i < STEPS; i += 1) {
      const request = step(dice);
      const found = await unexplained(request);
      assert.equal(found.length, 0, `seed ${seed}, request ${i}: ${JSON.stringify(request)}\n(path, Azurite, Orrery) ${JSON.stringify(found)}`);
    }
    for (const table of ['Walk', 'WalkTwo', 'walkthree']) {
      await both({ method: 'DELETE', path: `/Tables('${table}')` });
    }
  });
}

test('the guide names every difference, and each of them is there', () => {
  const guide = fs.readFileSync(path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../docs/table.md'), 'utf8');
  for (const { what, azurite: theirs, orrery: ours, reason } of DIFFERENCES) {
    assert.ok(guide.includes(`| ${what} | ${theirs} | ${ours} | ${reason} |`), `docs/table.md lacks: | ${what} | ${theirs} | ${ours} | ${reason} |`);
    assert.ok(used.has(what), `no request shows this difference any more: ${what}`);
  }
});
