package orrery.bench.load;

import java.util.Locale;

/**
 * One run of the load generator.
 *
 * @param perSecond requests sent at this fixed rate whatever the server does; 0 sends the next
 *     request of a connection when the last is answered
 * @param container not looked at for tables, of which there is one
 * @param firstItem creates count up from it; reads go round the items from 0 to it
 */
public record LoadSpec(
        Kind kind,
        int port,
        String container,
        int connections,
        double seconds,
        double perSecond,
        long firstItem) {
    /** Entities of one batch. */
    public static final int BATCH = 20;

    public enum Kind {
        READ,
        /** Reads that may be refused because they are too many. */
        READ_TOO_MUCH,
        CREATE,
        TABLE_READ,
        TABLE_QUERY,
        TABLE_INSERT,
        /** Inserts of {@link LoadSpec#BATCH} entities at once. */
        TABLE_BATCH;

        boolean expects(int status) {
            return switch (this) {
                case READ, TABLE_READ, TABLE_QUERY -> status == 200;
                case TABLE_INSERT -> status == 204;
                case TABLE_BATCH -> status == 202;
                case READ_TOO_MUCH -> status == 200 || status == 429;
                case CREATE -> status == 201;
            };
        }
    }

    String toLine() {
        return String.format(
                Locale.ROOT,
                "%s %d %s %d %.3f %.3f %d",
                kind,
                port,
                container,
                connections,
                seconds,
                perSecond,
                firstItem);
    }

    static LoadSpec parse(String line) {
        String[] parts = line.split(" ", -1);
        return new LoadSpec(
                Kind.valueOf(parts[0]),
                Integer.parseInt(parts[1]),
                parts[2],
                Integer.parseInt(parts[3]),
                Double.parseDouble(parts[4]),
                Double.parseDouble(parts[5]),
                Long.parseLong(parts[6]));
    }
}
