package orrery.query.evaluate;

/**
 * Finds one text in another. What the JDK does is fastest as a rule, but takes the product of both
 * lengths at worst; where that could be long, the algorithm of Knuth, Morris and Pratt takes over.
 */
final class TextSearch {
    private static final long MAX_PRODUCT = 1L << 24;

    private TextSearch() {}

    /** Like {@link String#indexOf(String, int)}. */
    static int indexOf(String text, String wanted, int from) {
        return (long) text.length() * wanted.length() <= MAX_PRODUCT
                ? text.indexOf(wanted, from)
                : linearIndexOf(text, wanted, from);
    }

    /** Like {@link String#lastIndexOf(String, int)}. */
    static int lastIndexOf(String text, String wanted, int from) {
        if ((long) text.length() * wanted.length() <= MAX_PRODUCT) {
            return text.lastIndexOf(wanted, from);
        }
        int end = (int) Math.min(text.length(), (long) from + wanted.length());
        int found = linearIndexOf(reversed(text.substring(0, end)), reversed(wanted), 0);
        return found < 0 ? -1 : end - found - wanted.length();
    }

    /** By UTF-16 unit: StringBuilder would keep surrogates in pairs. */
    private static String reversed(String text) {
        char[] units = new char[text.length()];
        for (int i = 0; i < units.length; i++) {
            units[i] = text.charAt(units.length - 1 - i);
        }
        return new String(units);
    }

    private static int linearIndexOf(String text, String wanted, int from) {
        if (wanted.length() > text.length()) {
            return -1;
        }
        // The length, for each beginning of the wanted text, of the longest proper end that is also
        // a beginning.
        int[] overlap = new int[wanted.length()];
        int matched = 0;
        for (int i = 1; i < wanted.length(); i++) {
            while (matched > 0 && wanted.charAt(i) != wanted.charAt(matched)) {
                matched = overlap[matched - 1];
            }
            if (wanted.charAt(i) == wanted.charAt(matched)) {
                matched++;
            }
            overlap[i] = matched;
        }
        matched = 0;
        for (int i = Math.max(from, 0); i < text.length(); i++) {
            while (matched > 0 && text.charAt(i) != wanted.charAt(matched)) {
                matched = overlap[matched - 1];
            }
            if (text.charAt(i) == wanted.charAt(matched)) {
                matched++;
            }
            if (matched == wanted.length()) {
                return i - matched + 1;
            }
        }
        return -1;
    }
}
