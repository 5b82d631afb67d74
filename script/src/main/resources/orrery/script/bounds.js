// Runs before anything else in a sandbox. The engine stops a script between two of its own steps, but some built-in
// functions go through an array-like object in one step, however long it says it is: such a call could not be stopped,
// neither for its time nor for the memory it takes. So lengths are bounded here.
(function () {
    'use strict';

    const MAX_LENGTH = 10000000;
    // Objects that are no arrays are slower by far, and nobody needs long ones.
    const MAX_SLOW_LENGTH = 100000;
    const apply = Reflect.apply;
    const isArray = Array.isArray;
    const describe = Object.getOwnPropertyDescriptor;
    const parentOf = Object.getPrototypeOf;
    const ownKeys = Reflect.ownKeys;
    const define = Object.defineProperty;
    const iterator = Symbol.iterator;
    // The one getter that always says the same; typed arrays have a bound of their own.
    const typedLength = describe(parentOf(Uint8Array.prototype), 'length').get;

    // Its own or inherited, of any value: functions, numbers and what has a prototype with a length are array-like too.
    function find(value, name) {
        for (let owner = Object(value); owner !== null; owner = parentOf(owner)) {
            const property = describe(owner, name);
            if (property !== undefined) {
                return property;
            }
        }
        return undefined;
    }

    // With a proxy, a getter or an object to be converted, a length could be one thing here and another where it is used.
    function isShort(list) {
        if (list === null || list === undefined) {
            return true;
        }
        if (isArray(list)) {
            return list.length <= MAX_LENGTH;
        }
        const property = find(list, 'length');
        if (property === undefined || property.get === typedLength) {
            return true;
        }
        const length = property.value;
        switch (typeof length) {
            case 'number': return !(length > (typeof list === 'string' ? MAX_LENGTH : MAX_SLOW_LENGTH));
            case 'undefined': return 'value' in property;
            case 'string': return !(+length > MAX_SLOW_LENGTH);
            default: return length === null || typeof length === 'boolean';
        }
    }

    function check(list) {
        if (!isShort(list)) {
            throw new RangeError('Invalid array length');
        }
    }

    // An iterator is looked up before the length, so a getter of the one could change the other.
    function checkIterable(list) {
        const walk = list === null || list === undefined ? undefined : find(list, iterator);
        if (walk !== undefined && !('value' in walk)) {
            throw new TypeError('The iterator of a list must not be a getter');
        }
        check(list);
    }

    function bound(owner, name, checked, checkOne = check) {
        const property = describe(owner, name);
        const original = property.value;
        const wrapped = {
            [name](...args) {
                checkOne(checked === 0 ? this : args[checked - 1]);
                return apply(original, this, args);
            },
        }[name];
        define(wrapped, 'length', { value: original.length, configurable: true });
        define(owner, name, { ...property, value: wrapped });
    }

    // These take no longer for a long array.
    const constant = ['constructor', 'at', 'pop', 'push'];
    for (const name of ownKeys(Array.prototype)) {
        if (typeof Array.prototype[name] === 'function' && !constant.includes(name) && name !== iterator) {
            bound(Array.prototype, name, 0);
        }
    }
    for (const name of ['from', 'fromAsync']) {
        if (name in Array) {
            bound(Array, name, 1, checkIterable);
        }
    }
    bound(Function.prototype, 'apply', 2);
    bound(Reflect, 'apply', 3);
    bound(Reflect, 'construct', 2);
    bound(JSON, 'stringify', 2);

    for (const name of ['Proxy', 'Iterator']) {
        delete globalThis[name];
    }
});
