// What a script sees of the service: getContext(), __, console and ErrorCodes.
//
// The engine calls the function below once per run, with the few callbacks it allows and the script's input, before any
// line of the script. Everything is checked again behind the callbacks: a script that bends the objects here harms only
// itself.
(function (host, write, input) {
    'use strict';

    const parse = JSON.parse;
    const stringify = JSON.stringify;
    const isFunction = (value) => typeof value === 'function';

    // Callbacks of operations that are done. They run after the function that asked, one after the other, so that a
    // script that goes on from callback to callback does not deepen the stack.
    const pending = [];
    let failure = null;

    const ErrorCodes = Object.freeze({
        BadRequest: 400,
        Unauthorized: 401,
        Forbidden: 403,
        NotFound: 404,
        RequestTimeout: 408,
        Conflict: 409,
        PreconditionFailed: 412,
        RequestEntityTooLarge: 413,
        TooManyRequests: 429,
        RetryWith: 449,
        InternalServerError: 500,
        ServiceUnavailable: 503,
    });

    function errorOf(number, body) {
        const error = new Error(body);
        error.number = number;
        error.body = body;
        return error;
    }

    function text(value, what) {
        if (typeof value !== 'string') {
            throw errorOf(ErrorCodes.BadRequest, what + ' must be a string.');
        }
        return value;
    }

    // An item, or its JSON text.
    function json(value, what) {
        if (typeof value === 'string') {
            return value;
        }
        if (typeof value !== 'object' || value === null) {
            throw errorOf(ErrorCodes.BadRequest, what + ' must be an object.');
        }
        return stringify(value);
    }

    // Options may be left out, whether or not a callback follows.
    function last(options, callback) {
        const isLeftOut = isFunction(options) && callback === undefined;
        const done = isLeftOut ? options : callback;
        if (done !== undefined && done !== null && !isFunction(done)) {
            throw errorOf(ErrorCodes.BadRequest, 'The callback must be a function.');
        }
        const given = (isLeftOut ? null : options) || {};
        if (typeof given !== 'object') {
            throw errorOf(ErrorCodes.BadRequest, 'The options must be an object.');
        }
        return { options: given, callback: done || null };
    }

    // The reply is null when the operation was not accepted; else a mark and JSON: '+' a result, '-' an error.
    function finish(reply, callback) {
        if (reply === null) {
            return false;
        }
        const answer = parse(reply.substring(1));
        if (reply.charAt(0) === '-') {
            const error = errorOf(answer.number, answer.body);
            if (callback === null) {
                throw error;
            }
            pending.push(() => callback(error, undefined, {}));
        } else if (callback !== null) {
            pending.push(() => callback(undefined, answer.resource, answer.options));
        }
        return true;
    }

    function ask(operation, link, body, options, callback) {
        return finish(host(operation, text(link, 'The link'), body, stringify(options) || '{}'), callback);
    }

    // ---- The query API: stages over the items of the partition key -------------------------------------------------

    function flattened(values, isShallow) {
        const flat = [];
        for (const value of values) {
            if (Array.isArray(value)) {
                flat.push(...(isShallow ? value : flattened(value, false)));
            } else {
                flat.push(value);
            }
        }
        return flat;
    }

    function order(selector, direction) {
        return (values) =>
            values
                .map((value) => ({ key: selector(value), value }))
                .sort((a, b) => (a.key < b.key ? -direction : a.key > b.key ? direction : 0))
                .map((entry) => entry.value);
    }

    function requireFunction(value, what) {
        if (!isFunction(value)) {
            throw errorOf(ErrorCodes.BadRequest, what + ' must be a function.');
        }
        return value;
    }

    const stages = {
        filter: (predicate) => {
            requireFunction(predicate, 'The predicate');
            return { apply: (values) => values.filter((value) => predicate(value)) };
        },
        map: (transformation) => {
            requireFunction(transformation, 'The transformation');
            return { apply: (values) => values.map((value) => transformation(value)) };
        },
        pluck: (property) => {
            text(property, 'The property name');
            return {
                apply: (values) =>
                    values
                        .filter((value) => value !== null && value !== undefined && value[property] !== undefined)
                        .map((value) => value[property]),
            };
        },
        flatten: (isShallow) => ({ apply: (values) => flattened(values, isShallow === true) }),
        sortBy: (selector) => {
            requireFunction(selector, 'The selector');
            return { apply: order(selector, 1), needsAll: true };
        },
        sortByDescending: (selector) => {
            requireFunction(selector, 'The selector');
            return { apply: order(selector, -1), needsAll: true };
        },
        unwind: (innerSelector, resultSelector) => {
            requireFunction(innerSelector, 'The selector');
            const join = isFunction(resultSelector) ? resultSelector : (outer, inner) => [outer, inner];
            return {
                apply: (values) => {
                    const rows = [];
                    for (const outer of values) {
                        for (const inner of innerSelector(outer) || []) {
                            rows.push(join(outer, inner));
                        }
                    }
                    return rows;
                },
            };
        },
    };

    // With a page size: the next page on which there is something, and where to go on. Without: everything.
    function runStages(chain, options, callback) {
        const hasPages = options.pageSize > 0 && !chain.some((stage) => stage.needsAll);
        const pipe = (values) => chain.reduce((rows, stage) => stage.apply(rows), values);
        let continuation = options.continuation;
        let found = [];
        do {
            const page = { pageSize: hasPages ? options.pageSize : -1, continuation };
            const reply = host('feed', input.selfLink, null, stringify(page));
            if (reply === null) {
                return { isAccepted: false };
            }
            if (reply.charAt(0) === '-') {
                return { isAccepted: finish(reply, callback) };
            }
            const answer = parse(reply.substring(1));
            continuation = answer.options.continuation;
            // One by one: the arguments of a call are limited.
            for (const item of hasPages ? pipe(answer.resource) : answer.resource) {
                found.push(item);
            }
        } while (continuation !== undefined && !(hasPages && found.length > 0));
        const feed = hasPages ? found : pipe(found);
        if (callback !== null) {
            pending.push(() => callback(undefined, feed, { continuation }));
        } else {
            response.setBody(feed);
        }
        return { isAccepted: true };
    }

    function chainOf(chain) {
        const next = { value: (options, callback) => start(chain, options, callback) };
        for (const name of Object.keys(stages)) {
            next[name] = (...args) => chainOf([...chain, stages[name](...args)]);
        }
        return next;
    }

    function start(chain, options, callback) {
        const rest = last(options, callback);
        return runStages(chain, rest.options, rest.callback);
    }

    // ---- The container ----------------------------------------------------------------------------------------------

    const collection = {
        getSelfLink: () => input.selfLink,
        getAltLink: () => input.altLink,

        createDocument(link, body, options, callback) {
            const rest = last(options, callback);
            return ask('create', link, json(body, 'The item'), rest.options, rest.callback);
        },
        upsertDocument(link, body, options, callback) {
            const rest = last(options, callback);
            return ask('upsert', link, json(body, 'The item'), rest.options, rest.callback);
        },
        readDocument(link, options, callback) {
            const rest = last(options, callback);
            return ask('read', link, null, rest.options, rest.callback);
        },
        replaceDocument(link, body, options, callback) {
            const rest = last(options, callback);
            return ask('replace', link, json(body, 'The item'), rest.options, rest.callback);
        },
        deleteDocument(link, options, callback) {
            const rest = last(options, callback);
            return ask('delete', link, null, rest.options, rest.callback);
        },
        queryDocuments(link, query, options, callback) {
            const rest = last(options, callback);
            const body = typeof query === 'string' ? stringify({ query }) : json(query, 'The query');
            return ask('query', link, body, rest.options, rest.callback);
        },
        readDocuments(link, options, callback) {
            const rest = last(options, callback);
            return ask('feed', link, null, rest.options, rest.callback);
        },

        chain: () => chainOf([]),
        value: (options, callback) => start([], options, callback),
        filter: (predicate, options, callback) => start([stages.filter(predicate)], options, callback),
        map: (transformation, options, callback) => start([stages.map(transformation)], options, callback),
        pluck: (property, options, callback) => start([stages.pluck(property)], options, callback),
        sortBy: (selector, options, callback) => start([stages.sortBy(selector)], options, callback),
        sortByDescending: (selector, options, callback) =>
            start([stages.sortByDescending(selector)], options, callback),
        flatten(isShallow, options, callback) {
            return typeof isShallow === 'boolean'
                ? start([stages.flatten(isShallow)], options, callback)
                : start([stages.flatten(false)], isShallow, options);
        },
        // The second function is the callback unless a third argument follows it.
        unwind(innerSelector, resultSelector, options, callback) {
            const hasResult = isFunction(resultSelector) && options !== undefined;
            return hasResult
                ? start([stages.unwind(innerSelector, resultSelector)], options, callback)
                : start([stages.unwind(innerSelector)], resultSelector, options);
        },
    };

    // ---- Request, response, context ---------------------------------------------------------------------------------

    function message(body) {
        // The body is one of the values, and has names of its own for what can be done with any.
        const values = new Map([['Body', body]]);
        const appended = (value) => (value === undefined ? '' : typeof value === 'string' ? value : stringify(value));
        const getValue = (key) => values.get(key);
        const setValue = (key, value) => {
            values.set(key, value);
        };
        const appendValue = (key, value) => setValue(key, appended(getValue(key)) + appended(value));
        return {
            getBody: () => getValue('Body'),
            setBody: (value) => setValue('Body', value),
            appendBody: (value) => appendValue('Body', value),
            getValue,
            setValue,
            appendValue,
            getOperationType: () => input.operationType,
        };
    }

    // Ends the script, also where it catches what is thrown.
    function abort(reason) {
        failure = { reason };
        throw reason;
    }

    const request = message(input.requestBody);
    const response = message(input.responseBody);
    const context = {
        abort,
        getCollection: () => collection,
        getRequest: () => request,
        getResponse: () => response,
    };

    collection.request = request;
    collection.response = response;
    collection.abort = abort;

    const shown = (value) => (typeof value === 'object' && value !== null ? stringify(value) : String(value));

    function marked(mark, value) {
        switch (mark) {
            case '%d':
                return String(Number(value));
            case '%j':
                return String(stringify(value));
            default:
                return shown(value);
        }
    }

    // A text before other values may have marks for them: %s, %d, %j, and %% for a percent sign.
    function line(first, ...rest) {
        if (typeof first !== 'string' || rest.length === 0) {
            return [first, ...rest].map(shown).join(' ');
        }
        const text = first.replace(/%[sdj%]/g, (mark) => {
            if (mark === '%%') {
                return '%';
            }
            return rest.length === 0 ? mark : marked(mark, rest.shift());
        });
        return [text, ...rest.map(shown)].join(' ');
    }

    const log = (...values) => write(values.length === 0 ? '' : line(...values));

    Object.assign(globalThis, {
        getContext: () => context,
        __: collection,
        ErrorCodes,
        console: { log, info: log, warn: log, error: log },
    });

    const outcome = (body) => (body === undefined ? undefined : stringify(body));

    return {
        start(main) {
            const result = main(...input.arguments);
            if (result !== null && typeof result === 'object' && isFunction(result.then)) {
                result.then(undefined, (reason) => {
                    failure = { reason };
                });
            }
        },
        // Runs what waits. Promises go on when the engine leaves this function, and may ask for more.
        proceed() {
            while (pending.length > 0) {
                pending.shift()();
            }
            return true;
        },
        isDone() {
            if (failure !== null) {
                throw failure.reason;
            }
            return pending.length === 0;
        },
        request: () => outcome(request.getBody()),
        response: () => outcome(response.getBody()),
    };
});
