import { Skip } from "./skip.mjs";

const SENSITIVE = new Set([
    "saslStart",
    "saslContinue",
    "authenticate",
    "getnonce",
    "createUser",
    "updateUser",
    "copydbgetnonce",
    "copydbsaslstart",
    "copydb",
]);

/** These are sensitive if they log in, and then the driver shows nothing of them. */
const HELLO = new Set(["hello", "ismaster", "isMaster"]);

const USUAL_TIMEOUT_MILLIS = 10_000;

const COMMAND = ["commandStarted", "commandSucceeded", "commandFailed"];

/** The driver's names of events of pools, by the names that tests have for them. */
const POOL = {
    poolCreatedEvent: "connectionPoolCreated",
    poolReadyEvent: "connectionPoolReady",
    poolClearedEvent: "connectionPoolCleared",
    poolClosedEvent: "connectionPoolClosed",
    connectionCreatedEvent: "connectionCreated",
    connectionReadyEvent: "connectionReady",
    connectionClosedEvent: "connectionClosed",
    connectionCheckOutStartedEvent: "connectionCheckOutStarted",
    connectionCheckOutFailedEvent: "connectionCheckOutFailed",
    connectionCheckedOutEvent: "connectionCheckedOut",
    connectionCheckedInEvent: "connectionCheckedIn",
};

const TOPOLOGY = {
    serverDescriptionChangedEvent: "serverDescriptionChanged",
    topologyDescriptionChangedEvent: "topologyDescriptionChanged",
    topologyOpeningEvent: "topologyOpening",
    topologyClosedEvent: "topologyClosed",
    serverHeartbeatStartedEvent: "serverHeartbeatStarted",
    serverHeartbeatSucceededEvent: "serverHeartbeatSucceeded",
    serverHeartbeatFailedEvent: "serverHeartbeatFailed",
};

/** What one client has done: its commands, and events of pools and of the topology that its test observes. */
export class SeenEvents {
    #seen = [];
    #checkedOut = 0;
    #waiting = [];

    constructor(client, spec) {
        const wanted = new Set(spec.observeEvents ?? []);
        const ignored = new Set(["configureFailPoint", ...(spec.ignoreCommandMonitoringEvents ?? [])]);
        const isHidden = (event) => !spec.observeSensitiveCommands && isSensitive(event);
        for (const name of COMMAND) {
            const type = `${name}Event`;
            client.on(name, (given) => {
                const event = frozen(given);
                // Assertions about sessions look at commands also where the test observes none.
                if (!ignored.has(event.commandName) && !isHidden(event)) {
                    this.#add("command", type, event, wanted.has(type));
                }
            });
        }
        for (const [kind, names] of [["cmap", POOL], ["sdam", TOPOLOGY]]) {
            for (const [type, name] of Object.entries(names)) {
                if (wanted.has(type)) {
                    client.on(name, (event) => this.#add(kind, type, event, true));
                }
            }
        }
        client.on("connectionCheckedOut", () => this.#checkedOut++);
        client.on("connectionCheckedIn", () => this.#checkedOut--);
    }

    #add(kind, type, event, isObserved) {
        this.#seen.push({ kind, type, event, isObserved });
        this.#waiting.forEach((each) => each());
    }

    get connectionsCheckedOut() {
        return this.#checkedOut;
    }

    started() {
        return this.#seen.filter((each) => each.type === "commandStartedEvent").map((each) => each.event);
    }

    observed(kind) {
        return this.#seen.filter((each) => each.isObserved && each.kind === kind);
    }

    /** Comes back as soon as so many events have matched. */
    async wait(isMeant, count) {
        while (this.#seen.filter(isMeant).length < count) {
            await new Promise((resolve) => this.#waiting.push(resolve));
        }
    }
}

/** What was sent, whatever the driver makes of the same objects afterwards. */
function frozen(event) {
    const copy = Object.create(Object.getPrototypeOf(event), Object.getOwnPropertyDescriptors(event));
    if (event.command) {
        Object.defineProperty(copy, "command", { value: copied(event.command) });
    }
    return copy;
}

function copied(value) {
    if (Array.isArray(value)) {
        return value.map(copied);
    }
    const isLeaf =
        typeof value !== "object" ||
        value === null ||
        value._bsontype ||
        value instanceof Date ||
        value instanceof RegExp ||
        value instanceof Uint8Array;
    const entries = value instanceof Map ? value : Object.entries(value ?? {});
    return isLeaf ? value : Object.fromEntries([...entries].map(([name, each]) => [name, copied(each)]));
}

/**
 * The driver gives the end of a transaction a time for its write concern, which tests expect only where a commit is
 * sent again.
 */
function withoutUsualTimeout(command, expected) {
    const isEnd = "commitTransaction" in command || "abortTransaction" in command;
    const isUsual = command.writeConcern?.wtimeout === USUAL_TIMEOUT_MILLIS;
    if (!isEnd || !isUsual || expected.writeConcern?.wtimeout !== undefined) {
        return command;
    }
    const { wtimeout: _, ...writeConcern } = command.writeConcern;
    return { ...command, writeConcern };
}

function isSensitive(event) {
    const shown = event.command ?? event.reply;
    const isLogin = HELLO.has(event.commandName) && shown && Object.keys(shown).length === 0;
    return SENSITIVE.has(event.commandName) || isLogin;
}

/** Throws at the first event that is not what a test expects. */
export function checkEvents(expectation, seen, matcher) {
    const kind = expectation.eventType ?? "command";
    const actual = seen.observed(kind);
    expectation.events.forEach((expected, i) => {
        const [type, fields] = Object.entries(expected)[0];
        checkEvent(type, fields, actual[i], matcher, `event ${i}`);
    });
    if (!expectation.ignoreExtraEvents && actual.length !== expectation.events.length) {
        const names = actual.map((each) => each.event.commandName ?? each.type);
        throw new Error(`expected ${expectation.events.length} events, saw ${names}`);
    }
}

function checkEvent(type, fields, actual, matcher, place) {
    if (actual?.type !== type) {
        throw new Error(`${place}: expected ${type}, was ${actual?.type} ${actual?.event.commandName}`);
    }
    for (const [name, value] of Object.entries(fields)) {
        const inner = `${place}.${name}`;
        switch (name) {
            case "command":
                matcher.match(value, withoutUsualTimeout(actual.event.command, value), true, inner);
                break;
            case "reply":
            case "commandName":
            case "databaseName":
                matcher.match(value, actual.event[name], true, inner);
                break;
            case "hasServerConnectionId":
                matcher.match(value, typeof actual.event.serverConnectionId === "bigint", true, inner);
                break;
            case "hasServiceId":
                matcher.match(value, actual.event.serviceId !== undefined, true, inner);
                break;
            case "previousDescription":
            case "newDescription":
                matcher.match(value, actual.event[name], true, inner);
                break;
            case "reason":
            case "awaited":
            case "interruptInUseConnections":
                matcher.match(value, actual.event[name], true, inner);
                break;
            default:
                throw new Skip(`this runner compares no ${name} of events`);
        }
    }
}

/** Tells whether an event is the one that a test waits for. */
export function isEvent(expected, matcher) {
    const [type, fields] = Object.entries(expected)[0];
    return (each) => {
        try {
            checkEvent(type, fields, each, matcher, "event");
            return true;
        } catch (other) {
            if (other instanceof Skip) {
                throw other;
            }
            return false;
        }
    };
}
