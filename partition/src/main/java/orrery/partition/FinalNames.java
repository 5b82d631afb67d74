package orrery.partition;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import orrery.model.PartitionId;
import orrery.model.ResourceId;
import orrery.partition.machine.Outcome;

/**
 * A script sees etags and rids of what it wrote before the log has given them out. Where writes of
 * other keys came between, they are others in the end, and the answer must tell those.
 */
final class FinalNames {
    private final Map<String, String> byEarlier = new HashMap<>();

    FinalNames(
            int database,
            PartitionId partition,
            List<Outcome.ItemOutcome> rehearsed,
            List<Outcome.ItemOutcome> written) {
        for (int i = 0; i < written.size(); i++) {
            Outcome.ItemOutcome earlier = rehearsed.get(i);
            Outcome.ItemOutcome done = written.get(i);
            if (earlier.kind() != Outcome.Kind.DELETED && !earlier.etag().equals(done.etag())) {
                byEarlier.put(bare(earlier), bare(done));
            }
            if (earlier.docid() != done.docid()) {
                byEarlier.put(
                        rid(database, partition, earlier.docid()),
                        rid(database, partition, done.docid()));
            }
        }
    }

    /**
     * Puts the final names into a text. Nobody else can have had the earlier ones when the script
     * ran, so wherever they stand, the script meant them.
     */
    String in(String text) {
        if (byEarlier.isEmpty()) {
            return text;
        }
        String any =
                byEarlier.keySet().stream().map(Pattern::quote).collect(Collectors.joining("|"));
        return Pattern.compile(any)
                .matcher(text)
                .replaceAll(
                        found ->
                                Matcher.quoteReplacement(
                                        byEarlier.getOrDefault(found.group(), found.group())));
    }

    private static String bare(Outcome.ItemOutcome item) {
        String quoted = item.etag().quoted();
        return quoted.substring(1, quoted.length() - 1);
    }

    private static String rid(int database, PartitionId partition, long docid) {
        return ResourceId.ofItem(database, partition.container(), docid).toString();
    }
}
