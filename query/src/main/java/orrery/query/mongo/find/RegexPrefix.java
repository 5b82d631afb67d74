package orrery.query.mongo.find;

import orrery.document.BsonValue;

/** The text that every match of a pattern begins with, as far as its first characters tell. */
final class RegexPrefix {
    private static final String SPECIAL = "\\^$.|?*+()[]{}";

    private RegexPrefix() {}

    static String of(BsonValue.Regex regex) {
        String pattern = regex.pattern();
        if (!pattern.startsWith("^") || !regex.options().isEmpty() || pattern.contains("|")) {
            return "";
        }
        int end = 1;
        while (end < pattern.length() && SPECIAL.indexOf(pattern.charAt(end)) < 0) {
            end++;
        }
        // What follows may say that the last character need not be there.
        boolean isRepeated = end < pattern.length() && "?*{".indexOf(pattern.charAt(end)) >= 0;
        int kept = isRepeated ? end - 1 : end;
        // Half of a pair is no character.
        if (kept > 1 && Character.isHighSurrogate(pattern.charAt(kept - 1))) {
            kept--;
        }
        return kept <= 1 ? "" : pattern.substring(1, kept);
    }
}
