package orrery.frontend.rest;

import orrery.frontend.http.Headers;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** Headers that say yes or no. */
public final class HeaderFlag {
    private HeaderFlag() {}

    /** An absent header is a no. Rejects any value other than {@code true} and {@code false}. */
    public static boolean parse(Headers headers, String name) {
        String value = headers.find(name).orElse("false");
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The header " + name + " is true or false, not '" + value + "'.");
        }
        return value.equalsIgnoreCase("true");
    }
}
