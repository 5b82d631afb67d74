package orrery.document;

import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * One included or excluded path of an indexing policy: {@code /a/b/?} is the value there, {@code
 * /a/*} the value and everything below, {@code []} steps into the elements of an array. {@code /*}
 * is all of an item, and so is {@code /}, which old clients write.
 */
record PolicyPath(IndexPath path, boolean isSubtree) {
    private static final String OLD_EVERYTHING = "/";

    static boolean isEverything(String text) {
        return text.equals("/*") || text.equals(OLD_EVERYTHING);
    }

    static PolicyPath parse(String text) {
        return text.equals(OLD_EVERYTHING)
                ? new PolicyPath(IndexPath.ROOT, true)
                : new Reader(text).policyPath();
    }

    /** A path of a composite index: names only, and the end goes without saying. */
    static IndexPath parseComposite(String text) {
        return new Reader(text).compositePath();
    }

    private static final class Reader {
        private static final String SPECIAL = "\"'[]{}?*";

        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        PolicyPath policyPath() {
            IndexPath path = IndexPath.ROOT;
            while (true) {
                slash();
                if (rest("?")) {
                    if (path.steps().isEmpty()) {
                        throw invalid("'/?' needs a property before it");
                    }
                    return new PolicyPath(path, false);
                }
                if (rest("*")) {
                    return new PolicyPath(path, true);
                }
                if (at == text.length()) {
                    throw invalid("it must end with '/?' or '/*'");
                }
                if (text.startsWith("[]", at)) {
                    if (path.steps().isEmpty()) {
                        throw invalid("an item is not an array");
                    }
                    at += 2;
                    path = path.element();
                } else {
                    path = path.property(name());
                }
                if (at == text.length()) {
                    throw invalid("it must end with '/?' or '/*'");
                }
            }
        }

        IndexPath compositePath() {
            IndexPath path = IndexPath.ROOT;
            do {
                slash();
                if (rest("?") || rest("*") || text.startsWith("[]", at)) {
                    throw invalid(
                            "a path of a composite index names a property, without '?', '*' or"
                                    + " '[]'");
                }
                path = path.property(name());
            } while (at < text.length());
            return path;
        }

        private void slash() {
            if (at >= text.length() || text.charAt(at) != '/') {
                throw invalid("every segment begins with '/'");
            }
            at++;
        }

        private boolean rest(String end) {
            return text.length() == at + 1 && text.endsWith(end);
        }

        private String name() {
            if (at == text.length() || text.charAt(at) == '/') {
                throw invalid("it has an empty segment");
            }
            char first = text.charAt(at);
            if (first == '{') {
                throw invalid("tuple paths are not available yet");
            }
            return first == '"' || first == '\'' ? quoted(first) : plain();
        }

        /** A backslash takes the next character as it is, so that a name may hold the quote. */
        private String quoted(char quote) {
            StringBuilder name = new StringBuilder();
            for (at++; at < text.length() && text.charAt(at) != quote; at++) {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                    at++;
                }
                name.append(text.charAt(at));
            }
            if (at >= text.length()) {
                throw invalid("a quoted segment does not end");
            }
            at++;
            if (name.isEmpty()) {
                throw invalid("it has an empty segment");
            }
            if (at < text.length() && text.charAt(at) != '/') {
                throw invalid("something follows a quoted segment");
            }
            return name.toString();
        }

        private String plain() {
            int start = at;
            while (at < text.length() && text.charAt(at) != '/') {
                if (SPECIAL.indexOf(text.charAt(at)) >= 0) {
                    throw invalid(
                            "'" + text.charAt(at) + "' may stand in a name only inside quotes");
                }
                at++;
            }
            return text.substring(start, at);
        }

        private OrreryException invalid(String why) {
            return new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The indexing path '%s' could not be accepted near position %d: %s."
                            .formatted(text, at, why));
        }
    }
}
