package orrery.server;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.query.sql.QueryProfile;

/** A line of the file of queries, for {@link EstimateCommand}. */
sealed interface QueryLine {
    /** Returns the work of the query in a container of this many physical partitions. */
    Estimate.Query on(int partitions);

    /**
     * The facts about the container.
     *
     * @param items how many it will have
     */
    record Container(
            int itemBytes, OptionalLong items, Optional<PartitionKeyDefinition> partitionKey) {}

    /**
     * Reads {@code RATE DOCUMENTS [KB [RANGES]]} or {@code RATE [MATCHES] SELECT ...}.
     *
     * @throws IllegalArgumentException when it is something else
     * @throws StartupException when it is a query that cannot be estimated
     */
    static QueryLine parse(String line, Container container) {
        Matcher text = Text.FORM.matcher(line);
        return text.matches()
                ? Text.of(text, container)
                : new Counted(Estimate.Query.parse(line, container.itemBytes()));
    }

    /** A query by what it makes the server do. */
    record Counted(Estimate.Query query) implements QueryLine {
        @Override
        public Estimate.Query on(int partitions) {
            return query;
        }
    }

    /**
     * A query by its text.
     *
     * @param matches how many items its filter accepts; empty where a limit ends it before
     */
    record Text(double perSecond, OptionalLong matches, QueryProfile profile, Container container)
            implements QueryLine {
        private static final Pattern FORM =
                Pattern.compile(
                        "(\\S+)\\s+(?:(\\d{1,12})\\s+)?(SELECT\\b.*)", Pattern.CASE_INSENSITIVE);
        private static final Pattern PARAMETER = Pattern.compile("@[A-Za-z_][A-Za-z0-9_]*");

        private static Text of(Matcher form, Container container) {
            double rate = Double.parseDouble(form.group(1));
            QueryProfile profile = profile(form.group(3), container);
            OptionalLong matches =
                    form.group(2) == null
                            ? known(profile, container)
                            : OptionalLong.of(Long.parseLong(form.group(2)));
            if (profile.way() == QueryProfile.Way.SCAN && container.items().isEmpty()) {
                throw new StartupException(
                        "no index helps it, so say with --items how many items there are");
            }
            if (matches.isEmpty() && profile.limit().isEmpty() && profile.readsItems()) {
                throw new StartupException(
                        "say how many items match, as RATE MATCHES SELECT ..., or with --items how"
                                + " many there are if all of them do");
            }
            Text text = new Text(rate, matches, profile, container);
            // Refuses impossible rates.
            text.on(1);
            return text;
        }

        private static OptionalLong known(QueryProfile profile, Container container) {
            return switch (profile.way()) {
                case NOTHING -> OptionalLong.of(0);
                case ALL, SCAN -> container.items();
                case INDEX -> OptionalLong.empty();
            };
        }

        private static QueryProfile profile(String text, Container container) {
            Map<String, Value> parameters = new HashMap<>();
            PARAMETER
                    .matcher(text)
                    .results()
                    .forEach(found -> parameters.put(found.group(), Value.of("?")));
            try {
                return QueryProfile.of(text, parameters, container.partitionKey());
            } catch (OrreryException refused) {
                throw new StartupException(reason(refused), refused);
            }
        }

        /** Refusals of queries are JSON, with the reason inside. */
        private static String reason(OrreryException refused) {
            return JsonText.parse(Bytes.ofUtf8(refused.text())) instanceof Value.Obj(var names)
                            && names.values().iterator().next() instanceof Value.Array(var errors)
                    ? switch (errors.getFirst()) {
                        case Value.Obj(var error)
                                when error.get("message") instanceof Value.Text(String message) ->
                                message;
                        case Value.Text(String message) -> message;
                        default -> refused.text();
                    }
                    : refused.text();
        }

        @Override
        public Estimate.Query on(int partitions) {
            int ranges = ranges(partitions);
            long documents = documents(ranges);
            return new Estimate.Query(
                    perSecond,
                    (int) Math.min(Integer.MAX_VALUE, documents),
                    documents * container.itemBytes(),
                    ranges,
                    Optional.of(reads(documents) + ", " + visits(ranges, partitions)));
        }

        private int ranges(int partitions) {
            return profile.way() == QueryProfile.Way.NOTHING
                    ? 1
                    : Math.clamp(profile.keys().orElse(partitions), 1, partitions);
        }

        private long documents(int ranges) {
            if (!profile.readsItems()) {
                return 0;
            }
            if (profile.way() == QueryProfile.Way.SCAN) {
                return container.items().orElseThrow();
            }
            long limit = profile.limit().orElse(Long.MAX_VALUE);
            long asked =
                    profile.isSorted() && limit < Long.MAX_VALUE / ranges ? limit * ranges : limit;
            return Math.min(asked, matches.orElse(Long.MAX_VALUE));
        }

        private String reads(long documents) {
            if (!profile.readsItems() || documents == 0) {
                return "loads nothing";
            }
            String items = String.format(Locale.ROOT, "loads %d items", documents);
            return switch (profile.way()) {
                case SCAN -> items + " because no index helps";
                case INDEX ->
                        profile.isDecided()
                                ? items + " by the index"
                                : items + " or more, as the index may not decide the filter";
                case ALL, NOTHING -> items;
            };
        }

        private String visits(int ranges, int partitions) {
            return ranges < partitions || profile.keys().isPresent()
                    ? String.format(Locale.ROOT, "visits %d of %d ranges", ranges, partitions)
                    : container.partitionKey().isPresent()
                            ? "visits all ranges"
                            : "visits all ranges as --partition-key is not given";
        }
    }

    static List<Estimate.Query> on(List<QueryLine> lines, int partitions) {
        return lines.stream().map(line -> line.on(partitions)).toList();
    }
}
