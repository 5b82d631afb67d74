import { MongoServerError } from "mongodb";
import { concerns } from "./entities.mjs";
import { isEvent } from "./events.mjs";
import { Matcher } from "./match.mjs";
import { Skip } from "./skip.mjs";

/** Carries out one operation of a test with the driver and returns what the format says it returns. */
export async function run(operation, context) {
    const { name, object, arguments: given = {} } = operation;
    if (object === "testRunner") {
        return onRunner(name, given, context);
    }
    const target = context.entities.get(object);
    const { session, ...rest } = given;
    const options = { ...rest, ...(session && { session: context.entities.get(session) }) };
    const kind = kindOf(target);
    const known = OPERATIONS[kind]?.[name];
    if (!known) {
        throw new Skip(`this runner has no ${kind}.${name}`);
    }
    return known(target, concerns(options), context);
}

function kindOf(target) {
    const name = target.constructor.name;
    return name.endsWith("Cursor") ? "Cursor" : name;
}

/** Takes arguments with a name of their own out; the rest are options of the driver. */
function split(options, ...names) {
    const rest = { ...options };
    const taken = names.map((name) => {
        const value = rest[name];
        delete rest[name];
        return value;
    });
    return [...taken, rest];
}

const filterAnd = (method, second) => (collection, options) => {
    const [filter, change, rest] = split(options, "filter", second);
    return collection[method](filter, change, rest);
};

const findAnd = (method, second) => async (collection, options) => {
    const [filter, change, rest] = split(options, "filter", second);
    const driverOptions = {
        ...rest,
        ...(rest.returnDocument && { returnDocument: rest.returnDocument.toLowerCase() }),
    };
    return second
        ? collection[method](filter, change, driverOptions)
        : collection[method](filter, driverOptions);
};

const updateResult = async (promise) => {
    const { upsertedId, ...result } = await promise;
    return upsertedId === null || upsertedId === undefined ? result : { ...result, upsertedId };
};

function bulkModel(request) {
    const [name, spec] = Object.entries(request)[0];
    return name === "insertOne" ? { insertOne: spec } : { [name]: spec };
}

function clientBulkModel(model) {
    const [name, spec] = Object.entries(model)[0];
    return { name, ...spec };
}

const OPERATIONS = {
    Collection: {
        insertOne: (c, o) => {
            const [document, rest] = split(o, "document");
            return c.insertOne(document, rest);
        },
        insertMany: (c, o) => {
            const [documents, rest] = split(o, "documents");
            return c.insertMany(documents, rest);
        },
        find: (c, o) => {
            const [filter, rest] = split(o, "filter");
            return c.find(filter, rest).toArray();
        },
        findOne: (c, o) => {
            const [filter, rest] = split(o, "filter");
            return c.findOne(filter, rest);
        },
        createChangeStream: changeStream,
        createFindCursor: (c, o) => {
            const [filter, rest] = split(o, "filter");
            return c.find(filter, rest);
        },
        aggregate: (c, o) => {
            const [pipeline, rest] = split(o, "pipeline");
            return c.aggregate(pipeline, rest).toArray();
        },
        distinct: (c, o) => {
            const [field, filter, rest] = split(o, "fieldName", "filter");
            return c.distinct(field, filter ?? {}, rest);
        },
        countDocuments: (c, o) => {
            const [filter, rest] = split(o, "filter");
            return c.countDocuments(filter, rest);
        },
        count: (c, o) => {
            const [filter, rest] = split(o, "filter");
            return c.count(filter, rest);
        },
        estimatedDocumentCount: (c, o) => c.estimatedDocumentCount(o),
        updateOne: (c, o) => updateResult(filterAnd("updateOne", "update")(c, o)),
        updateMany: (c, o) => updateResult(filterAnd("updateMany", "update")(c, o)),
        replaceOne: (c, o) => updateResult(filterAnd("replaceOne", "replacement")(c, o)),
        deleteOne: (c, o) => {
            const [filter, rest] = split(o, "filter");
            return c.deleteOne(filter, rest);
        },
        deleteMany: (c, o) => {
            const [filter, rest] = split(o, "filter");
            return c.deleteMany(filter, rest);
        },
        findOneAndUpdate: findAnd("findOneAndUpdate", "update"),
        findOneAndReplace: findAnd("findOneAndReplace", "replacement"),
        findOneAndDelete: findAnd("findOneAndDelete"),
        bulkWrite: async (c, o) => {
            const [requests, rest] = split(o, "requests");
            const result = await c.bulkWrite(requests.map(bulkModel), rest);
            return bulkResult(result);
        },
        createIndex: (c, o) => {
            const [keys, rest] = split(o, "keys");
            return c.createIndex(keys, rest);
        },
        dropIndex: (c, o) => {
            const [name, rest] = split(o, "name");
            return c.dropIndex(name, rest);
        },
        listIndexes: (c, o) => c.listIndexes(o).toArray(),
        listIndexNames: async (c, o) => (await c.listIndexes(o).toArray()).map((each) => each.name),
        rename: (c, o) => {
            const [to, rest] = split(o, "to");
            return c.rename(to, rest);
        },
        dropIndexes: (c, o) => c.dropIndexes(o),
        createSearchIndex: (c, o) => c.createSearchIndex(o.model),
        createSearchIndexes: (c, o) => c.createSearchIndexes(o.models),
        dropSearchIndex: (c, o) => c.dropSearchIndex(o.name),
        updateSearchIndex: (c, o) => c.updateSearchIndex(o.name, o.definition),
        listSearchIndexes: (c, o) => {
            const [name, options] = split(o, "name", "aggregationOptions");
            return c.listSearchIndexes(name, options).toArray();
        },
    },
    Db: {
        runCommand: (db, o) => {
            const [command, _, rest] = split(o, "command", "commandName");
            return db.command(command, rest);
        },
        createChangeStream: changeStream,
        runCursorCommand: (db, o) => commandCursor(db, o).toArray(),
        createCommandCursor: async (db, o) => {
            const cursor = commandCursor(db, o);
            await cursor.hasNext(); // sends the command
            return cursor;
        },
        aggregate: (db, o) => {
            const [pipeline, rest] = split(o, "pipeline");
            return db.aggregate(pipeline, rest).toArray();
        },
        listCollections: (db, o) => {
            const [filter, rest] = split(o, "filter");
            return db.listCollections(filter ?? {}, rest).toArray();
        },
        listCollectionNames: async (db, o) => {
            const [filter, rest] = split(o, "filter");
            const all = await db.listCollections(filter ?? {}, { ...rest, nameOnly: true }).toArray();
            return all.map((each) => each.name);
        },
        createCollection: async (db, o) => {
            const [name, rest] = split(o, "collection");
            await db.createCollection(name, rest);
        },
        dropCollection: (db, o) => {
            const [name, rest] = split(o, "collection");
            return db.dropCollection(name, rest);
        },
        listCollectionObjects: () => {
            throw new Skip("the driver has no lists of objects");
        },
        dropDatabase: (db, o) => db.dropDatabase(o),
        modifyCollection: (db, o) => {
            const [name, rest] = split(o, "collection");
            return db.command({ collMod: name, ...rest });
        },
    },
    MongoClient: {
        createChangeStream: changeStream,
        listDatabases: async (client, o) => (await client.db("admin").admin().listDatabases(o)).databases,
        listDatabaseNames: async (client, o) =>
            (await client.db("admin").admin().listDatabases({ ...o, nameOnly: true })).databases.map((d) => d.name),
        clientBulkWrite: async (client, o) => {
            const [models, rest] = split(o, "models");
            return clientBulkResult(await client.bulkWrite(models.map(clientBulkModel), rest));
        },
        dropDatabase: (client, o) => {
            const [name, rest] = split(o, "database");
            return client.db(name).dropDatabase(rest);
        },
        close: (client) => client.close(),
    },
    ClientSession: {
        startTransaction: (session, o) => session.startTransaction(o),
        commitTransaction: (session) => session.commitTransaction(),
        abortTransaction: (session) => session.abortTransaction(),
        endSession: (session) => session.endSession(),
        getSnapshotTime: (session) => session.snapshotTime,
        withTransaction: async (session, o, context) => {
            const [callback, rest] = split(o, "callback");
            await session.withTransaction(async () => {
                for (const each of callback) {
                    const failure = await context.check(each);
                    if (failure) {
                        throw failure; // the driver decides whether to begin again
                    }
                }
            }, rest);
        },
    },
    ChangeStream: {
        iterateUntilDocumentOrError: (stream) => stream.next(),
        iterateOnce: (stream) => stream.tryNext(),
        close: (stream) => stream.close(),
    },
    Cursor: {
        iterateUntilDocumentOrError: (cursor) => cursor.next(),
        iterateOnce: (cursor) => cursor.tryNext(),
        close: (cursor) => cursor.close(),
    },
    GridFSBucket: {
        find: (bucket, o) => {
            const [filter, rest] = split(o, "filter");
            return bucket.find(filter, rest).toArray();
        },
        delete: (bucket, o) => bucket.delete(o.id, o),
        rename: (bucket, o) => bucket.rename(o.id, o.newFilename),
        download: (bucket, o) => {
            const [id, rest] = split(o, "id");
            return collected(bucket.openDownloadStream(id, rest));
        },
        downloadByName: (bucket, o) => {
            const [filename, rest] = split(o, "filename");
            return collected(bucket.openDownloadStreamByName(filename, rest));
        },
        upload: (bucket, o) => {
            const [filename, source, rest] = split(o, "filename", "source");
            const stream = bucket.openUploadStream(filename, rest);
            return new Promise((resolve, reject) => {
                stream.on("finish", () => resolve(stream.gridFSFile?._id ?? stream.id));
                stream.on("error", reject);
                stream.end(Buffer.from(source.$$hexBytes, "hex"));
            });
        },
    },
};

/** The driver opens a stream with its first read, and the format at once. */
async function changeStream(watched, options) {
    const [pipeline, rest] = split(options, "pipeline");
    const stream = watched.watch(pipeline, rest);
    await stream.cursor.cursorInit();
    return stream;
}

function commandCursor(db, options) {
    const [command, _, batchSize, maxTimeMS, comment, rest] = split(
        options,
        "command",
        "commandName",
        "batchSize",
        "maxTimeMS",
        "comment",
    );
    const cursor = db.runCursorCommand(command, rest);
    if (batchSize !== undefined) {
        cursor.setBatchSize(batchSize);
    }
    if (maxTimeMS !== undefined) {
        cursor.setMaxTimeMS(maxTimeMS);
    }
    if (comment !== undefined) {
        cursor.setComment(comment);
    }
    return cursor;
}

async function collected(stream) {
    const parts = [];
    for await (const part of stream) {
        parts.push(part);
    }
    return Buffer.concat(parts);
}

export function bulkResult(result) {
    return {
        insertedCount: result.insertedCount,
        matchedCount: result.matchedCount,
        modifiedCount: result.modifiedCount,
        deletedCount: result.deletedCount,
        upsertedCount: result.upsertedCount,
        insertedIds: result.insertedIds,
        upsertedIds: result.upsertedIds,
    };
}

/** The driver keeps results by index in maps, and says of an update whether it made a document. */
export function clientBulkResult(result) {
    const byIndex = (map) => map && Object.fromEntries([...map].map(([index, { didUpsert, ...each }]) => [index, each]));
    return {
        ...result,
        insertResults: byIndex(result.insertResults),
        updateResults: byIndex(result.updateResults),
        deleteResults: byIndex(result.deleteResults),
    };
}

async function onRunner(name, given, { entities, internal }) {
    switch (name) {
        case "failPoint":
            await internal.db("admin").command(given.failPoint);
            return;
        case "createEntities":
            for (const each of given.entities) {
                await entities.create(each);
            }
            return;
        case "assertCollectionExists":
        case "assertCollectionNotExists": {
            const found = await internal.db(given.databaseName).listCollections({ name: given.collectionName }).toArray();
            return expectThat((found.length === 1) === (name === "assertCollectionExists"), name);
        }
        case "assertIndexExists":
        case "assertIndexNotExists": {
            const all = await internal
                .db(given.databaseName)
                .collection(given.collectionName)
                .listIndexes()
                .toArray()
                .catch(absent);
            return expectThat(all.some((i) => i.name === given.indexName) === (name === "assertIndexExists"), name);
        }
        case "assertSameLsidOnLastTwoCommands":
        case "assertDifferentLsidOnLastTwoCommands": {
            const started = entities.events(given.client).started();
            const [one, two] = started.slice(-2).map((each) => JSON.stringify(each.command.lsid));
            return expectThat((one === two) === name.startsWith("assertSame"), name);
        }
        case "assertSessionDirty":
        case "assertSessionNotDirty":
            return expectThat(entities.get(given.session).serverSession.isDirty === (name === "assertSessionDirty"), name);
        case "assertSessionPinned":
        case "assertSessionUnpinned":
            return expectThat(entities.get(given.session).isPinned === (name === "assertSessionPinned"), name);
        case "assertSessionTransactionState":
            return expectThat(TRANSACTION_STATES[given.state] === stateOf(entities.get(given.session)), name);
        case "assertNumberConnectionsCheckedOut":
            return expectThat(entities.events(given.client).connectionsCheckedOut === given.connections, name);
        case "waitForEvent":
            return entities.events(given.client).wait(isEvent(given.event, new Matcher(entities)), given.count);
        case "targetedFailPoint":
            // There is one server, so a session that is pinned is pinned to it.
            await internal.db("admin").command(given.failPoint);
            return;
        case "wait":
            await new Promise((resolve) => setTimeout(resolve, given.ms));
            return;
        default:
            throw new Skip(`this runner has no ${name}`);
    }
}

const TRANSACTION_STATES = {
    none: "NO_TRANSACTION",
    starting: "STARTING_TRANSACTION",
    in_progress: "TRANSACTION_IN_PROGRESS",
    committed: "TRANSACTION_COMMITTED",
    aborted: "TRANSACTION_ABORTED",
};

function stateOf(session) {
    const state = session.transaction.state;
    return state === "TRANSACTION_COMMITTED_EMPTY" ? "TRANSACTION_COMMITTED" : state;
}

function absent(failure) {
    if (failure instanceof MongoServerError && failure.code === 26) {
        return [];
    }
    throw failure;
}

function expectThat(holds, what) {
    if (!holds) {
        throw new Error(`${what} does not hold`);
    }
}
