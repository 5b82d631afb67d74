package orrery.frontend.table;

/** Text inside of XML elements. */
final class XmlText {
    /** The line that begins a document. */
    static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>";

    private XmlText() {}

    static String element(String name, Object value) {
        return "<" + name + ">" + escape(value.toString()) + "</" + name + ">";
    }

    /** Escapes what XML gives a meaning; characters that no XML may hold become a question mark. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints()
                .forEach(
                        c -> {
                            switch (c) {
                                case '<' -> out.append("&lt;");
                                case '>' -> out.append("&gt;");
                                case '&' -> out.append("&amp;");
                                case '"' -> out.append("&quot;");
                                default -> out.appendCodePoint(isPossible(c) ? c : '?');
                            }
                        });
        return out.toString();
    }

    private static boolean isPossible(int c) {
        return c == '\n'
                || c == '\r'
                || c == '\t'
                || (c >= 0x20 && c < 0xD800)
                || (c >= 0xE000 && c != 0xFFFE && c != 0xFFFF);
    }
}
