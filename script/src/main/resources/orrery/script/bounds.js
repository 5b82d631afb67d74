// Runs before anything else in a sandbox. The engine stops a script between two of its own steps, but some built-in
// functions go through an array-like object in one step, however long it says it is: such a call could not be stopped,
// neither for its time nor for the memory it takes. So lengths are bounded here.
(function () {
    'use strict';

    const MAX_LENGTH = 10000000;
    const apply = Reflect.apply;
    const isArray = Array.isArray;
    const describe = Object.getOwnPropertyDescriptor;
    const ownKeys = Reflect.ownKeys;
    const define = Object.defineProperty;
    const iterator = Symbol.iterator;

    // With a proxy or a getter, a length could be one thing here and another where it is used.
    function check(list) {
        if (list === null || typeof list !== 'object') {
            return;
        }
        const length = isArray(list) ? list.length : (describe(list, 'length') || { value: 0 }).value;
        if (!(length <= MAX_LENGTH || typeof length === 'undefined' && !('length' in list))) {
            throw new RangeError('Invalid array length');
        }
    }

    function bound(owner, name, checked) {
        const property = describe(owner, name);
        const original = property.value;
        const wrapped = {
            [name](...args) {
                check(checked === 0 ? this : args[checked - 1]);
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
            bound(Array, name, 1);
        }
    }
    bound(Function.prototype, 'apply', 2);
    bound(Reflect, 'apply', 3);
    bound(Reflect, 'construct', 2);

    for (const name of ['Proxy', 'Iterator']) {
        delete globalThis[name];
    }
});
