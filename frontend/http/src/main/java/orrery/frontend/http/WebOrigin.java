package orrery.frontend.http;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The origin of a page in a browser, in the parts that browsers compare: scheme, host and port.
 *
 * @param port the one of the scheme where none is named, -1 if it has none
 */
public record WebOrigin(String scheme, String host, int port) {
    private static final Pattern FORM =
            Pattern.compile(
                    "([a-z][a-z0-9+.-]*)://(\\[[0-9a-f:.]+]|[^\\s/:@?#\\[\\]]+)(?::([0-9]{1,5}))?");

    /** Empty for anything else, also for the {@code null} of pages that have no origin. */
    public static Optional<WebOrigin> parse(String text) {
        Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            return Optional.empty();
        }
        String scheme = form.group(1);
        int port = form.group(3) == null ? portOf(scheme) : Integer.parseInt(form.group(3));
        return Optional.of(new WebOrigin(scheme, form.group(2), port));
    }

    private static int portOf(String scheme) {
        return switch (scheme) {
            case "http" -> 80;
            case "https" -> 443;
            default -> -1;
        };
    }

    /** A page that this machine serves to itself. */
    boolean isLoopback() {
        return (scheme.equals("http") || scheme.equals("https")) && isLoopback(host);
    }

    /**
     * Returns true if a name can only mean the machine itself. It is decided by the text alone:
     * what a name resolves to is what an attacker chooses.
     */
    static boolean isLoopback(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.endsWith(".")) {
            name = name.substring(0, name.length() - 1);
        }
        if (name.equals("localhost") || name.endsWith(".localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(name).isLoopbackAddress();
        } catch (IllegalArgumentException notAnAddress) {
            return false;
        }
    }

    /** The host of a Host header, in lower case. */
    static String hostOf(String authority) {
        int bracket = authority.lastIndexOf(']');
        int colon = authority.indexOf(':', bracket + 1);
        return (colon < 0 ? authority : authority.substring(0, colon)).toLowerCase(Locale.ROOT);
    }
}
