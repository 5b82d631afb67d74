package orrery.frontend.rest;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** Percent-encoding of UTF-8 text, as paths and queries of URLs have it. */
public final class PercentText {
    /** Stands unescaped in what we write, besides letters and digits. */
    private static final String UNRESERVED = "-._~";

    private PercentText() {}

    /**
     * Decodes {@code %XX} as UTF-8 and leaves all else as it is. Empty for what is not UTF-8, or
     * not encoded well.
     */
    public static Optional<String> decode(String text) {
        boolean isPlain = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            isPlain &= c != '%' && c < 0x80;
        }
        return isPlain ? Optional.of(text) : decodeBytes(text);
    }

    private static Optional<String> decodeBytes(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int pair = hexPair(text, i + 1);
                if (pair < 0) {
                    return Optional.empty();
                }
                bytes.write(pair);
                i += 2;
            } else if (c < 0x100) {
                // A client that sent raw bytes: the HTTP layer hands each on as one character.
                bytes.write(c);
            } else {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes.toByteArray()))
                            .toString());
        } catch (CharacterCodingException notUtf8) {
            return Optional.empty();
        }
    }

    private static int hexPair(String text, int at) {
        boolean isPair =
                at + 2 <= text.length()
                        && HexFormat.isHexDigit(text.charAt(at))
                        && HexFormat.isHexDigit(text.charAt(at + 1));
        return isPair ? HexFormat.fromHexDigits(text, at, at + 2) : -1;
    }

    /** Encodes everything but letters, digits and what URLs never give a meaning. */
    public static String encode(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            boolean isPlain =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || UNRESERVED.indexOf(c) >= 0;
            if (isPlain) {
                out.append(c);
            } else {
                out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return out.toString();
    }
}
