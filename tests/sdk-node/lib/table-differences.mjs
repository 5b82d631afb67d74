// Azurite and Orrery answer some requests differently, each for a reason. docs/table.md shows this list.

const HEADERS = ['/x-ms-version', '/x-content-type-options', '/cache-control'];

/** Takes away quotes, which links double. */
const plain = (text) => text.replaceAll("'", '');

/**
 * `cases` names single requests, in which everything may differ that the reason explains; `when` tells by what differs, and by
 * the request and both answers, for requests of walks, too.
 */
export const DIFFERENCES = [
  {
    what: 'Headers', azurite: 'names its own version of the API; no `Cache-Control`, no `X-Content-Type-Options`, a `Content-Type` without a body', orrery: 'the version of the request, and the headers of the service',
    reason: 'as the service answers',
    when: ({ path, first, second }) => HEADERS.includes(path)
      || (path === '/content-type' && (second === undefined || [first, second].every((each) => each?.startsWith('application/json')))),
  },
  {
    what: '`odata.metadata` of queries', azurite: '`$metadata#Tables/@Element`', orrery: '`$metadata#` and the table', reason: 'as the service answers',
    when: ({ path, first }) => path === '/body/odata.metadata' && /#Tables\/@Element$/.test(first),
  },
  {
    what: 'Requests that make Azurite fail', azurite: '500, or 400 without a code', orrery: '400 and a code, or the answer', reason: 'a client learns what is wrong',
    when: (_each, _request, first, second) => (first.status === 500 || (first.status === 400 && first.body?.code === '')) && second.status < 500,
  },
  {
    what: 'Messages', azurite: 'one text for each code', orrery: 'the same text, and a sentence about this request', reason: 'a client learns what is wrong',
    when: ({ path, first, second }, _request, one, other) => /^\/(body|parts\/0)\/message$/.test(path)
      && one.status === other.status && one.body?.code === other.body?.code && typeof first === 'string' && second?.startsWith(first.trim().replace(/\.$/, '')),
  },
  {
    what: '`odata.id` and `odata.editLink`', azurite: 'keys as they are; with an empty key the entity passes for a table', orrery: 'keys with their quotes doubled, and percent-encoded', reason: 'they are links, and can be followed',
    when: ({ path, first, second }) => /\/odata\.(id|editLink|type)$/.test(path)
      && first && second && (/\bTables\b/.test(first) || plain(decodeURIComponent(second)) === plain(first)),
  },
  {
    what: "`GET /Tables('T')`", azurite: 'the entities of the table; 404 TableNotFound', orrery: 'the table; 404 ResourceNotFound', reason: 'as the service answers',
    cases: ['a table', 'a table without metadata', 'a table with all metadata', 'a table that is not there'],
  },
  {
    what: 'A table without a name', azurite: 'TableNameEmpty', orrery: 'PropertiesNeedValue', reason: 'the code of the service for a property that is missing',
    cases: ['a table without a name'],
  },
  {
    what: '`Accept: */*`', azurite: '415, as Atom', orrery: 'JSON', reason: 'who takes anything takes JSON, and curl sends this',
    cases: ['no Accept'],
  },
  {
    what: '`$select=*`', azurite: 'no property', orrery: 'all properties', reason: 'as the service answers',
    cases: ['select of everything'],
  },
  {
    what: 'Filters that no grammar allows', azurite: 'a text without its end, a date or a GUID that is none, and null are compared, and nothing is found', orrery: '400 InvalidInput, or 501 for null and for two constants', reason: 'a filter with a mistake is not one that finds nothing',
    cases: ['a text that has no end', 'a date that is none', 'a GUID that is none', 'null', 'two constants'],
  },
  {
    what: 'A filter of one word', azurite: 'refuses the words of operators', orrery: 'a property of this name that is true', reason: 'a property may have any name',
    cases: ['an operator alone'],
  },
  {
    what: 'Functions and arithmetic in filters', azurite: '400 InvalidInput', orrery: '501 NotImplemented, and which it is', reason: 'they are right in OData, and the service has none of them',
    cases: ['a function', 'arithmetic'],
  },
  {
    what: 'Messages about filters', azurite: '“The query condition specified in the request is invalid.”', orrery: 'what is wrong, and where', reason: 'a client learns what is wrong',
    when: ({ path, first }, _request, one, other) => path === '/body/message' && /^The query condition/.test(first) && one.body.code === other.body.code,
  },
  {
    what: 'Characters that no key has', azurite: 'InvalidInput', orrery: 'OutOfRangeInput', reason: 'the code of the service',
    cases: ['insert with a slash in a key', 'insert with a tab in a key'],
  },
  {
    what: 'Values that are none of their type', azurite: 'takes dates, GUIDs, bytes and numbers that are none', orrery: '400 InvalidInput; OutOfRangeInput for a date before 1601 or after 9999', reason: 'as the service answers: what is stored has its type',
    cases: ['insert of an Int64 that is too large', 'insert of a date that is none', 'insert of a date of 1600', 'insert of a date of 10000', 'insert of a GUID that is none', 'insert of bytes that are none', 'a batch with a wrong entity'],
  },
  {
    what: 'An Int64 as a JSON number', azurite: '400', orrery: 'takes it', reason: 'it is exact',
    cases: ['insert of an Int64 that is a number'],
  },
  {
    what: 'Dates with an offset, GUIDs in capitals', azurite: 'come back as they were written', orrery: 'come back in UTC, and in small letters', reason: 'the value is stored, and not its text',
    cases: ['insert of a date with a zone', 'insert of a GUID in capitals'],
  },
  {
    what: 'An array instead of an entity', azurite: 'PropertiesNeedValue', orrery: 'InvalidInput', reason: 'an array has no properties',
    cases: ['insert of an array of entities'],
  },
  {
    what: 'Limits of entities', azurite: 'takes more than 252 properties, more than 1 MB, and names of more than 255 characters', orrery: '400 TooManyProperties, EntityTooLarge, PropertyNameTooLong', reason: 'as the service answers',
    cases: ['insert with a long name', 'insert with too many properties', 'insert of an entity that is too large'],
  },
  {
    what: '`odata.` members of a body', azurite: 'come back as they were sent', orrery: 'come back as they are', reason: 'clients send back what they have read',
    cases: ['insert of what a client has read'],
  },
  {
    what: 'A property twice in a body', azurite: 'the last one counts', orrery: '400 DuplicatePropertiesSpecified', reason: 'the code of the service',
    cases: ['the same property twice'],
  },
  {
    what: 'Methods that an address does not have', azurite: '400', orrery: '405 MethodNotAllowed', reason: 'as the service answers',
    cases: ['POST to an entity'],
  },
  {
    what: 'A batch of several partition keys', azurite: 'carries it out', orrery: '400 CommandsInBatchActOnDifferentPartitions', reason: 'as the service answers',
    cases: ['a batch of two keys'],
  },
  {
    what: 'What a request cannot have', azurite: 'passes over a filter on one entity, an unknown `comp`, half of a continuation, and `If-None-Match` of a change', orrery: '501 NotImplemented, 400 InvalidQueryParameterValue, 400 InvalidInput, 400 UnsupportedHeader', reason: 'what is passed over misleads a client',
    cases: ['a filter on one entity', 'a comp that there is not', 'half of a continuation', 'a change with If-None-Match'],
  },
  {
    what: 'A request without a good signature', azurite: '403 AuthorizationFailure, in XML', orrery: '403 AuthenticationFailed, in the format of the request', reason: 'the code of the service',
    cases: ['a wrong key', 'no key'],
  },
];
