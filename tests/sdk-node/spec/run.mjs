import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { BSON, MongoBulkWriteError, MongoClient, MongoClientBulkWriteError, MongoServerError } from "mongodb";
import { Entities } from "./entities.mjs";
import { checkEvents } from "./events.mjs";
import { Matcher, show } from "./match.mjs";
import { bulkResult, clientBulkResult, run } from "./operations.mjs";
import { Skip } from "./skip.mjs";

const { values: flags, positionals: places } = parseArgs({
    options: {
        uri: { type: "string" },
        only: { type: "string" },
        verbose: { type: "boolean" },
        "server-version": { type: "string" },
    },
    allowPositionals: true,
});
if (!flags.uri || places.length === 0) {
    console.error("usage: node spec/run.mjs --uri URI [--only TEXT] [--verbose] FILE-OR-FOLDER...");
    process.exit(2);
}

const TIME_LIMIT_MILLIS = 30_000;
const internal = new MongoClient(flags.uri, { retryWrites: false });
const parameters = {};
const counts = { passed: 0, failed: 0, skipped: 0 };
await internal.connect();
const version = flags["server-version"] ?? (await internal.db("admin").command({ buildInfo: 1 })).version;
Object.assign(parameters, await internal.db("admin").command({ getParameter: "*" }));
for (const file of places.flatMap(filesOf)) {
    await runFile(file);
}
await internal.close();
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 ? 0 : 1);

function filesOf(place) {
    if (!statSync(place).isDirectory()) {
        return [place];
    }
    return readdirSync(place)
        .sort()
        .flatMap((name) => filesOf(join(place, name)))
        .filter((file) => file.endsWith(".json"));
}

async function runFile(path) {
    const file = BSON.EJSON.parse(readFileSync(path, "utf8"), { relaxed: true });
    if (!file.schemaVersion || !file.tests) {
        return;
    }
    for (const test of file.tests) {
        const name = `${basename(path)}: ${test.description}`;
        if (flags.only && !name.includes(flags.only)) {
            continue;
        }
        try {
            requireServer(file.runOnRequirements);
            requireServer(test.runOnRequirements);
            if (test.skipReason) {
                throw new Skip(test.skipReason);
            }
            await timed(runTest(file, test));
            counts.passed++;
        } catch (failure) {
            const isSkip = failure instanceof Skip;
            counts[isSkip ? "skipped" : "failed"]++;
            if (!isSkip || flags.verbose) {
                console.log(`${isSkip ? "skipped" : "FAILED"} ${name}\n    ${failure.message}`);
            }
        }
    }
}

async function timed(promise) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error("no end after 30 s")), TIME_LIMIT_MILLIS);
    });
    try {
        await Promise.race([promise, late]);
    } finally {
        clearTimeout(timer);
    }
}

function requireServer(requirements) {
    if (!requirements || requirements.some(admits)) {
        return;
    }
    throw new Skip(`it requires ${show(requirements)}`);
}

function admits(requirement) {
    return (
        (!requirement.minServerVersion || compare(requirement.minServerVersion, version) <= 0) &&
        (!requirement.maxServerVersion || compare(requirement.maxServerVersion, version) >= 0) &&
        (!requirement.topologies || requirement.topologies.includes("replicaset")) &&
        requirement.serverless !== "require" &&
        (requirement.auth === undefined || requirement.auth === Boolean(internal.options.credentials)) &&
        Object.entries(requirement.serverParameters ?? {}).every(([name, value]) => parameters[name] === value) &&
        !requirement.csfle
    );
}

function compare(one, two) {
    const [a, b] = [one, two].map((text) => text.split(".").map(Number));
    for (let i = 0; i < 3; i++) {
        const difference = (a[i] ?? 0) - (b[i] ?? 0);
        if (difference !== 0) {
            return difference;
        }
    }
    return 0;
}

async function runTest(file, test) {
    const entities = new Entities(flags.uri);
    const context = { entities, internal, check: (operation) => check(operation, context) };
    try {
        for (const data of file.initialData ?? []) {
            await prepare(data);
        }
        for (const entity of file.createEntities ?? []) {
            await entities.create(entity);
        }
        for (const operation of test.operations) {
            await check(operation, context);
        }
        for (const expectation of test.expectEvents ?? []) {
            checkEvents(expectation, entities.events(expectation.client), new Matcher(entities));
        }
        for (const expectation of test.expectLogMessages ?? []) {
            entities.logs(expectation.client).check(expectation, new Matcher(entities));
        }
        for (const outcome of test.outcome ?? []) {
            const found = await internal
                .db(outcome.databaseName)
                .collection(outcome.collectionName, { readConcern: "local" })
                .find({}, { sort: { _id: 1 } })
                .toArray();
            new Matcher(entities).match(outcome.documents, found, false, "outcome");
        }
    } finally {
        for (const configureFailPoint of ["failCommand", "onPrimaryTransactionalWrite"]) {
            await internal.db("admin").command({ configureFailPoint, mode: "off" }).catch(() => {});
        }
        await entities.close();
    }
}

async function prepare({ databaseName, collectionName, documents, createOptions }) {
    const database = internal.db(databaseName);
    await database.dropCollection(collectionName).catch((failure) => {
        if (failure.code !== 26) {
            throw failure;
        }
    });
    if (createOptions || documents.length === 0) {
        await database.createCollection(collectionName, createOptions);
    }
    if (documents.length > 0) {
        await database.collection(collectionName).insertMany(documents);
    }
}

/** Returns the error of an operation where the test expects one, or lets one be. */
async function check(operation, context) {
    let result;
    try {
        result = await run(operation, context);
    } catch (failure) {
        if (failure instanceof Skip || failure instanceof TypeError) {
            throw failure;
        }
        if (operation.ignoreResultAndError) {
            return failure;
        }
        if (!operation.expectError) {
            throw new Error(`${operation.name}: ${failure.message} (${failure.code ?? failure.constructor.name})`);
        }
        checkError(operation.expectError, failure, context, operation.name);
        return failure;
    }
    if (operation.expectError) {
        throw new Error(`${operation.name}: expected an error, got ${show(result)}`);
    }
    if (operation.saveResultAsEntity) {
        context.entities.set(operation.saveResultAsEntity, result);
    }
    if ("expectResult" in operation) {
        new Matcher(context.entities).match(operation.expectResult, result ?? null, true, operation.name);
    }
    return undefined;
}

/** What fails a bulk write of a client as a whole is the cause of the driver's own error. */
function checkError(expected, thrown, { entities }, place) {
    const isOfClientBulk = thrown instanceof MongoClientBulkWriteError;
    const failure = isOfClientBulk && thrown.cause ? thrown.cause : thrown;
    const fail = (what) => {
        throw new Error(`${place}: ${what}; the error is "${failure.message}" (${failure.code})`);
    };
    if (expected.isClientError !== undefined && (failure instanceof MongoServerError) === expected.isClientError) {
        fail(`isClientError should be ${expected.isClientError}`);
    }
    if (expected.errorContains && !failure.message.toLowerCase().includes(expected.errorContains.toLowerCase())) {
        fail(`it should contain "${expected.errorContains}"`);
    }
    if (expected.errorCode !== undefined && failure.code !== expected.errorCode) {
        fail(`its code should be ${expected.errorCode}`);
    }
    if (expected.errorCodeName !== undefined && failure.codeName !== expected.errorCodeName) {
        fail(`its codeName should be ${expected.errorCodeName}, is ${failure.codeName}`);
    }
    for (const label of expected.errorLabelsContain ?? []) {
        if (!failure.hasErrorLabel?.(label)) {
            fail(`it should have the label ${label}`);
        }
    }
    for (const label of expected.errorLabelsOmit ?? []) {
        if (failure.hasErrorLabel?.(label)) {
            fail(`it should not have the label ${label}`);
        }
    }
    if (expected.errorResponse) {
        new Matcher(entities).match(expected.errorResponse, failure.errorResponse ?? failure, true, `${place}.response`);
    }
    if (isOfClientBulk) {
        checkClientBulk(expected, thrown, entities, place);
    }
    if (expected.expectResult && failure instanceof MongoBulkWriteError) {
        new Matcher(entities).match(expected.expectResult, bulkResult(failure.result), true, `${place}.result`);
    }
}

function checkClientBulk(expected, failure, entities, place) {
    const matcher = new Matcher(entities);
    if (expected.expectResult) {
        const partial = failure.partialResult && clientBulkResult(failure.partialResult);
        matcher.match(expected.expectResult, partial, true, `${place}.result`);
    }
    if (expected.writeErrors) {
        const errors = Object.fromEntries(failure.writeErrors);
        matcher.match(Object.keys(expected.writeErrors), Object.keys(errors), true, `${place}.writeErrors`);
        for (const [index, error] of Object.entries(expected.writeErrors)) {
            matcher.match(error, errors[index], true, `${place}.writeErrors.${index}`);
        }
    }
    if (expected.writeConcernErrors) {
        matcher.match(expected.writeConcernErrors, failure.writeConcernErrors, true, `${place}.writeConcernErrors`);
    }
}
