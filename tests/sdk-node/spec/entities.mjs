import { GridFSBucket, MongoClient, ReadPreference } from "mongodb";
import { SeenEvents } from "./events.mjs";
import { SeenLogs } from "./logs.mjs";
import { Skip } from "./skip.mjs";

/** The named things of one test: clients with the events that they saw, databases, collections, sessions, results. */
export class Entities {
    #byName = new Map();
    #events = new Map();
    #logs = new Map();
    #clients = [];

    constructor(uri) {
        this.uri = uri;
    }

    get(name) {
        if (!this.#byName.has(name)) {
            throw new Error(`the test names ${name}, which it has not made`);
        }
        return this.#byName.get(name);
    }

    set(name, value) {
        this.#byName.set(name, value);
    }

    events(client) {
        return this.#events.get(client);
    }

    logs(client) {
        return this.#logs.get(client);
    }

    async create(entity) {
        const [kind, spec] = Object.entries(entity)[0];
        switch (kind) {
            case "client":
                return this.set(spec.id, await this.#client(spec));
            case "database":
                return this.set(spec.id, this.get(spec.client).db(spec.databaseName, concerns(spec.databaseOptions)));
            case "collection":
                return this.set(
                    spec.id,
                    this.get(spec.database).collection(spec.collectionName, concerns(spec.collectionOptions)),
                );
            case "session":
                return this.set(spec.id, this.get(spec.client).startSession(sessionOptions(spec.sessionOptions)));
            case "bucket":
                return this.set(spec.id, new GridFSBucket(this.get(spec.database), spec.bucketOptions));
            default:
                throw new Skip(`this runner makes no ${kind}`);
        }
    }

    async #client(spec) {
        if (spec.autoEncryptOpts) {
            throw new Skip("encryption");
        }
        const logs = new SeenLogs();
        const client = new MongoClient(withOptions(this.uri, spec.uriOptions), {
            serverApi: spec.serverApi,
            monitorCommands: true,
            ...(spec.observeLogMessages && {
                mongodbLogPath: logs,
                mongodbLogComponentSeverities: spec.observeLogMessages,
            }),
        });
        this.#logs.set(spec.id, logs);
        this.#events.set(spec.id, new SeenEvents(client, spec));
        this.#clients.push(client);
        await client.connect();
        return client;
    }

    async close() {
        for (const value of this.#byName.values()) {
            await value?.endSession?.().catch(() => {});
        }
        for (const client of this.#clients) {
            await client.close(true);
        }
    }
}

export function concerns(options) {
    if (!options) {
        return options;
    }
    const { readPreference, ...rest } = options;
    return readPreference ? { ...rest, readPreference: preference(readPreference) } : rest;
}

function preference(spec) {
    return new ReadPreference(spec.mode, spec.tagSets, { maxStalenessSeconds: spec.maxStalenessSeconds });
}

function sessionOptions(options) {
    if (!options) {
        return options;
    }
    const { defaultTransactionOptions, ...rest } = options;
    return defaultTransactionOptions
        ? { ...rest, defaultTransactionOptions: concerns(defaultTransactionOptions) }
        : rest;
}

/** Options are part of the connection string, as a user would write them. */
function withOptions(uri, options = {}) {
    const whole = new URL(uri);
    for (const [name, value] of Object.entries(options)) {
        whole.searchParams.set(name, String(value));
    }
    return whole.toString();
}
