package orrery.query.regex;

import java.util.function.Function;
import orrery.model.OrreryException;

/**
 * The operator or function that a pattern belongs to.
 *
 * @param name as messages call it
 * @param failure makes the failure of a message, in the form of the language
 */
public record RegexOwner(String name, Function<String, OrreryException> failure) {
    OrreryException refuses(String message) {
        return failure.apply(message);
    }
}
