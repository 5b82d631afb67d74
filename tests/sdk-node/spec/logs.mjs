/** The messages that one client writes into its log. */
export class SeenLogs {
    #messages = [];

    write(message) {
        this.#messages.push(message);
    }

    /** Throws at the first message that is not what a test expects. */
    check(expectation, matcher) {
        const isIgnored = (message) =>
            (expectation.ignoreMessages ?? []).some((ignored) => {
                try {
                    compare(ignored, message, matcher, "ignored");
                    return true;
                } catch {
                    return false;
                }
            });
        const actual = this.#messages.filter((message) => !isIgnored(message));
        expectation.messages.forEach((expected, i) => {
            if (!actual[i]) {
                throw new Error(`message ${i}: there is none`);
            }
            compare(expected, actual[i], matcher, `message ${i}`);
        });
        if (!expectation.ignoreExtraMessages && actual.length !== expectation.messages.length) {
            const texts = actual.map((each) => each.message);
            throw new Error(`expected ${expectation.messages.length} messages, saw ${texts}`);
        }
    }
}

function compare(expected, message, matcher, place) {
    const { t: _, s: level, c: component, failure, ...data } = message;
    matcher.match(expected.level, level, true, `${place}.level`);
    matcher.match(expected.component, component, true, `${place}.component`);
    if (expected.failureIsRedacted !== undefined && failure !== undefined) {
        // The driver writes what the server said, and nothing of it where that is sensitive.
        matcher.match(expected.failureIsRedacted, isRedacted(failure), true, `${place}.failure`);
    }
    matcher.match(expected.data, { ...data, ...(failure !== undefined && { failure }) }, true, `${place}.data`);
}

function isRedacted(failure) {
    return String(failure) === "(redacted)";
}
