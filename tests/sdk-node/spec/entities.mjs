import { GridFSBucket, MongoClient, ReadPreference } from "mongodb";

const HANDSHAKE = new Set(["hello", "ismaster", "saslStart", "saslContinue", "authenticate", "getnonce"]);
const SENSITIVE = new Set([...HANDSHAKE, "createUser", "updateUser", "copydbgetnonce", "copydbsaslstart", "copydb"]);

/** The named things of one test: clients with the events that they saw, databases, collections, sessions, results. */
export class Entities {
    #byName = new Map();
    #events = new Map();
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
        const client = new MongoClient(this.uri, {
            serverApi: spec.serverApi,
            monitorCommands: true,
            ...fixUriOptions(spec.uriOptions),
        });
        const ignored = new Set(spec.ignoreCommandMonitoringEvents ?? []);
        const seen = [];
        const wanted = new Set(spec.observeEvents ?? []);
        for (const [type, event] of [
            ["commandStartedEvent", "commandStarted"],
            ["commandSucceededEvent", "commandSucceeded"],
            ["commandFailedEvent", "commandFailed"],
        ]) {
            client.on(event, (each) => {
                const isHidden =
                    ignored.has(each.commandName) ||
                    each.commandName === "configureFailPoint" ||
                    (spec.observeSensitiveCommands
                        ? HANDSHAKE.has(each.commandName)
                        : SENSITIVE.has(each.commandName));
                // Assertions about sessions look at commands also where the test observes none.
                if (!isHidden) {
                    seen.push({ type, event: each, isObserved: wanted.has(`${event}Event`) });
                }
            });
        }
        this.#events.set(spec.id, seen);
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

/** A case that says nothing about the server. */
export class Skip extends Error {}

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

function fixUriOptions(options = {}) {
    const { readConcernLevel, w, ...rest } = options;
    return { ...rest, ...(readConcernLevel && { readConcernLevel }), ...(w !== undefined && { writeConcern: { w } }) };
}
