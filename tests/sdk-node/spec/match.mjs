import { BSON, Binary, Decimal128, Double, Int32, Long, ObjectId, Timestamp } from "mongodb";

const { EJSON } = BSON;

/** Compares what a server or a driver gave with what a test expects. Throws with the place of the first difference. */
export class Matcher {
    constructor(entities) {
        this.entities = entities;
    }

    /** At the root of a document there may be keys that the test does not name. */
    match(expected, actual, isRoot = true, place = "result") {
        if (isSpecial(expected)) {
            this.#special(expected, actual, isRoot, place);
        } else if (expected === null) {
            check(actual === null, place, expected, actual);
        } else if (Array.isArray(expected)) {
            check(Array.isArray(actual) && actual.length === expected.length, place, expected, actual);
            // The documents of a result that is a list are roots too.
            expected.forEach((each, i) => this.match(each, actual[i], isRoot, `${place}[${i}]`));
        } else if (isDocument(expected)) {
            this.#document(expected, actual, isRoot, place);
        } else {
            check(sameScalar(expected, actual), place, expected, actual);
        }
    }

    #document(expected, given, isRoot, place) {
        // The driver keeps orders as maps.
        const actual = given instanceof Map ? Object.fromEntries(given) : given;
        check(isDocument(actual), place, expected, actual);
        for (const [key, value] of Object.entries(expected)) {
            const inner = `${place}.${key}`;
            if (isSpecial(value)) {
                this.#special(value, actual[key], false, inner, key in actual);
            } else {
                check(key in actual && actual[key] !== undefined, inner, value, actual[key]);
                this.match(value, actual[key], false, inner);
            }
        }
        if (!isRoot) {
            for (const key of Object.keys(actual)) {
                check(key in expected || actual[key] === undefined, `${place}.${key}`, "absent", actual[key]);
            }
        }
    }

    #special(expected, actual, isRoot, place, isThere = actual !== undefined) {
        const [name, value] = Object.entries(expected)[0];
        switch (name) {
            case "$$exists":
                check((isThere && actual !== undefined) === value, place, expected, actual);
                break;
            case "$$type":
                check([value].flat().some((type) => hasType(type, actual)), place, expected, actual);
                break;
            case "$$unsetOrMatches":
                if (isThere && actual !== undefined) {
                    this.match(value, actual, isRoot, place);
                }
                break;
            case "$$matchesEntity":
                this.match(this.entities.get(value), actual, isRoot, place);
                break;
            case "$$matchesHexBytes":
                check(Buffer.from(actual).toString("hex") === value.toLowerCase(), place, value, actual);
                break;
            case "$$sessionLsid":
                this.match(this.entities.get(value).id, actual, false, place);
                break;
            case "$$lte":
                check(Number(actual) <= Number(value), place, expected, actual);
                break;
            case "$$matchAsDocument":
                this.match(value, EJSON.parse(actual), false, place);
                break;
            case "$$matchAsRoot":
                this.match(value, actual, true, place);
                break;
            default:
                throw new Error(`${place}: this runner does not know ${name}`);
        }
    }
}

function isSpecial(value) {
    const keys = isDocument(value) ? Object.keys(value) : [];
    return keys.length === 1 && keys[0].startsWith("$$");
}

function isDocument(value) {
    return (
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        !(value instanceof Date) &&
        !(value instanceof RegExp) &&
        !(value instanceof Uint8Array) &&
        !value._bsontype
    );
}

function number(value) {
    if (typeof value === "number") {
        return value;
    }
    if (typeof value === "bigint") {
        return Number(value);
    }
    return value instanceof Long || value instanceof Int32 || value instanceof Double
        ? Number(value.toString())
        : undefined;
}

function sameScalar(expected, actual) {
    if (number(expected) !== undefined) {
        return Object.is(number(expected), number(actual)) || number(expected) === number(actual);
    }
    if (expected instanceof ObjectId || expected instanceof Binary || expected instanceof Timestamp) {
        return expected._bsontype === actual?._bsontype && JSON.stringify(expected) === JSON.stringify(actual);
    }
    if (expected instanceof Decimal128) {
        return expected.toString() === actual?.toString();
    }
    if (expected instanceof Date) {
        return expected.getTime() === actual?.getTime();
    }
    if (typeof expected === "object") {
        return JSON.stringify(expected) === JSON.stringify(actual);
    }
    return expected === actual;
}

function hasType(type, value) {
    switch (type) {
        case "int":
        case "long":
            return Number.isInteger(number(value));
        case "double":
            return number(value) !== undefined;
        case "number":
            return number(value) !== undefined || value instanceof Decimal128;
        case "decimal":
            return value instanceof Decimal128;
        case "string":
            return typeof value === "string";
        case "object":
            return isDocument(value);
        case "array":
            return Array.isArray(value);
        case "bool":
            return typeof value === "boolean";
        case "date":
            return value instanceof Date;
        case "objectId":
            return value instanceof ObjectId;
        case "binData":
            return value instanceof Binary || value instanceof Uint8Array;
        case "timestamp":
            return value instanceof Timestamp;
        case "null":
            return value === null;
        default:
            throw new Error(`this runner does not know the type ${type}`);
    }
}

function check(holds, place, expected, actual) {
    if (!holds) {
        throw new Error(`${place}: expected ${show(expected)}, was ${show(actual)}`);
    }
}

export function show(value) {
    const text = JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each)) ?? "undefined";
    return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
