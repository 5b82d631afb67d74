package orrery.model.resource;

import java.util.List;
import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The properties of the Table service, which clients set and read back. The rules for browsers have
 * an effect; logging and metrics are there to be off.
 */
public record TableServiceProperties(
        Logging logging, Metrics hour, Metrics minute, List<CorsRule> cors) {
    /** The most rules for browsers. */
    public static final int MOST_CORS_RULES = 5;

    private static final String VERSION = "1.0";

    /** The properties of a service for which nobody has set any. */
    public static final TableServiceProperties DEFAULT =
            new TableServiceProperties(
                    new Logging(VERSION, false, false, false, Retention.NONE),
                    new Metrics(VERSION, false, Optional.empty(), Retention.NONE),
                    new Metrics(VERSION, false, Optional.empty(), Retention.NONE),
                    List.of());

    public TableServiceProperties {
        cors = List.copyOf(cors);
    }

    /**
     * @param days absent where data is kept for ever
     */
    public record Retention(boolean enabled, Optional<Integer> days) {
        public static final Retention NONE = new Retention(false, Optional.empty());

        void write(BinaryWriter out) {
            out.bool(enabled).optional(days, BinaryWriter::u32);
        }

        static Retention read(BinaryReader in) {
            return new Retention(in.bool(), in.optional(BinaryReader::u32));
        }
    }

    /** The kinds of requests that are to be logged. */
    public record Logging(
            String version, boolean delete, boolean read, boolean write, Retention retention) {
        void write(BinaryWriter out) {
            out.string(version).bool(delete).bool(read).bool(write);
            retention.write(out);
        }

        static Logging read(BinaryReader in) {
            return new Logging(in.string(), in.bool(), in.bool(), in.bool(), Retention.read(in));
        }
    }

    /**
     * @param includeApis absent where metrics are off and nobody has said
     */
    public record Metrics(
            String version, boolean enabled, Optional<Boolean> includeApis, Retention retention) {
        void write(BinaryWriter out) {
            out.string(version).bool(enabled).optional(includeApis, BinaryWriter::bool);
            retention.write(out);
        }

        static Metrics read(BinaryReader in) {
            return new Metrics(
                    in.string(), in.bool(), in.optional(BinaryReader::bool), Retention.read(in));
        }
    }

    /** A rule for pages in browsers; its lists have commas, as the client wrote them. */
    public record CorsRule(
            String allowedOrigins,
            String allowedMethods,
            String allowedHeaders,
            String exposedHeaders,
            int maxAgeSeconds) {
        void write(BinaryWriter out) {
            out.string(allowedOrigins)
                    .string(allowedMethods)
                    .string(allowedHeaders)
                    .string(exposedHeaders)
                    .u32(maxAgeSeconds);
        }

        static CorsRule read(BinaryReader in) {
            return new CorsRule(in.string(), in.string(), in.string(), in.string(), in.u32());
        }
    }

    public void write(BinaryWriter out) {
        logging.write(out);
        hour.write(out);
        minute.write(out);
        out.list(cors, (w, rule) -> rule.write(w));
    }

    public static TableServiceProperties read(BinaryReader in) {
        return new TableServiceProperties(
                Logging.read(in), Metrics.read(in), Metrics.read(in), in.list(CorsRule::read));
    }
}
