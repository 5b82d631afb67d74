// Requests to a Table service, generated from a seed: mostly sensible, some wrong, all of them legal HTTP.
import { encoded, entityPath } from './table-rest.mjs';

/** A generator of numbers that begins again with each seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    int: (bound) => Math.floor(next() * bound),
    chance: (probability) => next() < probability,
    pick(of) { return of[this.int(of.length)]; },
  };
}

const TABLES = ['Walk', 'WalkTwo', 'walkthree'];
// Azurite's pages do not go on behind an empty key.
const PARTITIONS = ['p', 'q', "it's", 'ü 漢🚀'];
const ROWS = ['1', '2', '10', 'a', 'B', "r''x", 'a b+c%20', '&=;,:@$!~*()', '😀', '-'];

/** A value of each type: how it is written in JSON, its annotation, and how it is written in a filter. */
const VALUES = {
  text: ['', 'x', 'X', "it's", 'ü', '漢🚀', '10', ' lead', 'a\u0301'].map((v) => ({ json: v, literal: `'${v.replaceAll("'", "''")}'` })),
  small: [0, 1, -1, 42, 2147483647, -2147483648].map((v) => ({ json: v, literal: String(v) })),
  // Azurite does not read exponents in filters.
  real: [0.5, -1.25, 123456.75, 3.5, 0.001].map((v) => ({ json: v, literal: String(v) })),
  flag: [true, false].map((v) => ({ json: v, literal: String(v) })),
  large: ['0', '1', '-5', '9007199254740993', '9223372036854775807'].map((v) => ({ json: v, type: 'Edm.Int64', literal: `${v}L` })),
  moment: ['2026-01-02T03:04:05Z', '1999-12-31T23:59:59.1234567Z', '1601-01-01T00:00:00Z'].map((v) => ({ json: v, type: 'Edm.DateTime', literal: `datetime'${v}'` })),
  unique: ['a455c695-df98-5678-aaaa-81d3367e5a34', '00000000-0000-0000-0000-000000000000'].map((v) => ({ json: v, type: 'Edm.Guid', literal: `guid'${v}'` })),
  bytes: ['AQID', '', '/+8='].map((v) => ({ json: v, type: 'Edm.Binary', literal: `X'${Buffer.from(v, 'base64').toString('hex')}'` })),
};
const NAMES = Object.keys(VALUES);
const LEVELS = ['nometadata', 'minimalmetadata', 'fullmetadata'];

function properties(dice) {
  const found = {};
  for (const name of NAMES) {
    if (dice.chance(0.5)) {
      const { json, type } = dice.pick(VALUES[name]);
      if (type) {
        found[`${name}@odata.type`] = type;
      }
      found[name] = json;
    }
  }
  return found;
}

function comparison(dice) {
  const operator = dice.pick(['eq', 'ne', 'gt', 'ge', 'lt', 'le']);
  const kind = dice.int(6);
  if (kind === 0) {
    return `PartitionKey ${operator} '${dice.pick(PARTITIONS).replaceAll("'", "''")}'`;
  }
  if (kind === 1) {
    return `RowKey ${operator} '${dice.pick(ROWS).replaceAll("'", "''")}'`;
  }
  const name = dice.pick(NAMES);
  // Azurite orders both by their Base64.
  return `${name} ${['unique', 'bytes'].includes(name) ? dice.pick(['eq', 'ne']) : operator} ${dice.pick(VALUES[name]).literal}`;
}

export function filter(dice, depth = 2) {
  if (depth === 0 || dice.chance(0.4)) {
    return comparison(dice);
  }
  if (dice.chance(0.2)) {
    return `not (${filter(dice, depth - 1)})`;
  }
  const side = () => {
    const text = filter(dice, depth - 1);
    return dice.chance(0.6) ? `(${text})` : text;
  };
  return `${side()} ${dice.pick(['and', 'or'])} ${side()}`;
}

const accept = (level) => ({ accept: `application/json;odata=${level}` });

/** `ifMatch`: absent, any, what this server answered last for the entity, or what no entity has. */
const conditions = [undefined, '*', 'last', "W/\"datetime'2001-01-01T00%3A00%3A00.0000000Z'\""];

/** One write of an entity; in a batch, too. */
function write(dice, table, partitionKey, rowKey) {
  const keys = { PartitionKey: partitionKey, RowKey: rowKey };
  const path = entityPath(table, partitionKey, rowKey);
  const body = properties(dice);
  const kind = dice.int(10);
  if (kind < 4) {
    const prefer = dice.pick([{}, { prefer: 'return-no-content' }, { prefer: 'return-content' }]);
    return { method: 'POST', path: `/${table}`, entity: path, body: { ...keys, ...body }, headers: { ...prefer, ...accept(dice.pick(LEVELS)) } };
  }
  const ifMatch = dice.pick(conditions);
  if (kind < 6) {
    return { method: 'PUT', path, entity: path, body: dice.chance(0.5) ? body : { ...keys, ...body }, ifMatch };
  }
  if (kind < 8) {
    return { method: dice.pick(['PATCH', 'MERGE']), path, entity: path, body, ifMatch };
  }
  return { method: 'DELETE', path, entity: path, ifMatch: ifMatch ?? '*' };
}

/** The next request. `query: true` asks for all pages, and `batch` holds the parts of a transaction. */
export function step(dice) {
  const table = dice.pick(TABLES);
  const partitionKey = dice.pick(PARTITIONS);
  const rowKey = dice.pick(ROWS);
  const kind = dice.int(100);
  if (kind < 5) {
    return { method: 'POST', path: '/Tables', body: { TableName: table }, headers: { ...dice.pick([{}, { prefer: 'return-no-content' }]), ...accept(dice.pick(LEVELS)) } };
  }
  if (kind < 6) {
    return { method: 'DELETE', path: `/Tables('${table}')` };
  }
  if (kind < 9) {
    const options = dice.pick(['', '?$top=1', "?$filter=TableName%20ge%20'WalkTwo'", "?$filter=TableName%20eq%20'Walk'", "?$filter=TableName%20ge%20'W'%20and%20TableName%20lt%20'X'"]);
    return { method: 'GET', path: `/Tables${options}`, headers: accept(dice.pick(LEVELS)), query: true };
  }
  if (kind < 50) {
    return write(dice, table, partitionKey, rowKey);
  }
  if (kind < 60) {
    // A transaction has entities of one key, each once: Orrery looks at that before it looks at any entity, and Azurite on its way.
    const rows = new Set(Array.from({ length: 1 + dice.int(4) }, () => dice.pick(ROWS)));
    return { batch: [...rows].map((row) => write(dice, table, partitionKey, row)) };
  }
  const select = dice.chance(0.3) ? `$select=${[dice.pick(NAMES), dice.pick(['PartitionKey', 'RowKey', 'Timestamp', ...NAMES])].join(',')}` : '';
  if (kind < 70) {
    return { method: 'GET', path: entityPath(table, partitionKey, rowKey) + (select && `?${select}`), headers: accept(dice.pick(LEVELS)) };
  }
  const options = [select, dice.chance(0.8) ? `$filter=${encoded(filter(dice)).replaceAll("''", "'")}` : '', dice.chance(0.5) ? `$top=${1 + dice.int(5)}` : ''];
  return { method: 'GET', path: `/${table}${dice.pick(['', '()'])}?${options.filter((each) => each).join('&')}`, headers: accept(dice.pick(LEVELS)), query: true };
}
