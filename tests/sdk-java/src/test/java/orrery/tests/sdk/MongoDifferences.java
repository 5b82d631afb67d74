package orrery.tests.sdk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.bson.BsonDocument;

/**
 * The commands that mongo-java-server and Orrery answer differently, each with the reason. In all
 * of them Orrery does what MongoDB's documentation, or its release 8.0, does.
 */
final class MongoDifferences {
    /**
     * The answers of both servers to a command, or to one document of an update.
     *
     * @param text the command
     * @param documents the numbers of those that only one server has shown, or shown otherwise
     */
    private record Seen(
            String text, String theirs, String ours, Set<Integer> documents, boolean peerRefused) {
        boolean refusedByOurs() {
            return ours.startsWith("code ");
        }

        boolean has(String... parts) {
            return Arrays.stream(parts).anyMatch(text::contains);
        }

        /** Tells whether these documents are the whole difference. */
        boolean differsOnlyIn(Integer... numbers) {
            return !documents.isEmpty() && Set.of(numbers).containsAll(documents);
        }

        boolean matches(String pattern) {
            return Pattern.compile(pattern).matcher(text).find();
        }
    }

    /** A difference that has a reason. */
    private record Difference(String reason, Predicate<Seen> when) {}

    // The numbers of documents, which are the places of their values in MongoCases.
    private static final int NULL = 0;
    private static final int NAN = MongoCases.VALUES.indexOf("{'$numberDouble': 'NaN'}");
    private static final int ONE_NUMBER = MongoCases.VALUES.indexOf("[1]");
    private static final int NUMBERS = MongoCases.VALUES.indexOf("[1, 2, 3]");
    private static final int TEXT_AND_NULL = MongoCases.VALUES.indexOf("['a', null]");
    private static final int EMPTY_ARRAY = MongoCases.VALUES.indexOf("[]");
    private static final int ARRAY_IN_ARRAY = MongoCases.VALUES.indexOf("[[1], 2]");
    private static final int FIRST_OBJECTS = MongoCases.VALUES.indexOf("[{b: 1}, {b: 2}]");
    private static final int LAST_OBJECTS =
            MongoCases.VALUES.indexOf("[{b: 1, c: 2}, {b: 3, c: 4}]");

    /** The same refusal, by the number that older servers have or by a general one. */
    private static final Map<String, Set<String>> OTHER_CODES =
            Map.of(
                    "14817", Set.of("2"),
                    "31253", Set.of("31254"),
                    "31249", Set.of("31250"),
                    "10158", Set.of("9"),
                    "10141", Set.of("2"),
                    "10143", Set.of("9", "14"),
                    "10147", Set.of("2"));

    private static final List<Difference> OF_COMMANDS =
            List.of(
                    new Difference(
                            "The peer fails, and closes the connection or has no code.",
                            seen -> seen.theirs.equals("code -1") && seen.refusedByOurs()),
                    new Difference(
                            "The peer has no place for NaN, which is the least of all numbers.",
                            seen -> seen.has("NaN") || seen.differsOnlyIn(NAN)),
                    new Difference(
                            "An element that is an array matches as a value, and not by what is in it.",
                            seen -> seen.differsOnlyIn(ARRAY_IN_ARRAY)),
                    new Difference(
                            "Arrays are compared element by element, in the order of their types.",
                            seen -> seen.matches("\"\\$(gte?|lte?)\": \\[|\\{\"\\$all\": \\[\\[")),
                    new Difference(
                            "At least and at most null is what equals null.",
                            seen -> seen.has("\"$gte\": null", "\"$lte\": null")),
                    new Difference(
                            "A document as a value matches an equal document, and no larger one.",
                            seen ->
                                    seen.matches(
                                            "\"filter\": \\{\"a\": \\{(\\}|\"b\")|\"\\$ne\": \\{")),
                    new Difference(
                            "In an array of values that are no documents, a path finds no null.",
                            seen ->
                                    seen.has("\"a.b\"")
                                            && seen.has("null")
                                            && seen.differsOnlyIn(
                                                    ONE_NUMBER,
                                                    NUMBERS,
                                                    TEXT_AND_NULL,
                                                    ARRAY_IN_ARRAY)),
                    new Difference(
                            "A number in a path is a place of an array, and also a field of its documents.",
                            seen ->
                                    seen.has("\"a.0\"")
                                            && seen.differsOnlyIn(
                                                    EMPTY_ARRAY, FIRST_OBJECTS, LAST_OBJECTS)),
                    new Difference(
                            "An empty array has no documents, so none has the field.",
                            seen ->
                                    seen.has("\"a.b\": {\"$exists\": false}")
                                            && seen.differsOnlyIn(EMPTY_ARRAY)),
                    new Difference(
                            "A regular expression looks at texts, and not at the text of other values.",
                            seen -> seen.has("\"options\": \"i\"")),
                    new Difference(
                            "The peer lacks the operator.",
                            seen ->
                                    seen.peerRefused
                                            && seen.has(
                                                    "$bits",
                                                    "\"$or\": [{\"b\"",
                                                    "\"$slice\"",
                                                    "\"projection\": {\"a\": {\"$elemMatch\"")),
                    new Difference(
                            "The peer does not evaluate expressions of projections.",
                            seen ->
                                    seen.has(
                                            "\"projection\": {\"n\": \"$a\"}",
                                            "\"projection\": {\"n\": {\"$add\"",
                                            "\"projection\": {\"a\": {\"$nothing\"")),
                    new Difference(
                            "A projection goes into arrays of arrays.",
                            seen ->
                                    seen.matches("\"projection\": \\{\"a\\.[bc]\"")
                                            && (seen.differsOnlyIn(ARRAY_IN_ARRAY)
                                                    || seen.has("\"_id\": 0"))),
                    new Difference(
                            "The peer counts what it has refused among what was inserted.",
                            seen ->
                                    seen.has("\"insert\"")
                                            && seen.theirs
                                                    .replaceFirst("\"n\": [^,]*,", "")
                                                    .equals(
                                                            seen.ours.replaceFirst(
                                                                    "\"n\": [^,]*,", ""))),
                    new Difference(
                            "A list in order ends at the first refusal.",
                            seen -> seen.has("\"find\": \"ordered\"")),
                    new Difference(
                            "The peer shows lastErrorObject for updates of what is there only.",
                            seen ->
                                    seen.has("findAndModify")
                                            && seen.ours
                                                    .replaceFirst(
                                                            "\"lastErrorObject\": .*}, (?=\"value\")",
                                                            "")
                                                    .equals(seen.theirs)),
                    new Difference(
                            "The peer carries out what MongoDB refuses.",
                            seen ->
                                    seen.refusedByOurs()
                                            && !seen.peerRefused
                                            && seen.has(
                                                    "\"documents\": []",
                                                    "\"updates\": []",
                                                    "\"deletes\": []",
                                                    "\"remove\": true, \"new\": true",
                                                    "\"skip\": -1",
                                                    "\"name\": \"other\"",
                                                    "\"index\": \"_id_\"",
                                                    "\"listIndexes\": \"nowhere\"",
                                                    "\"$size\": -1",
                                                    "\"$all\": 1",
                                                    "\"$mod\": [2, 1, 0]",
                                                    "\"$not\": {}",
                                                    "\"$not\": 1",
                                                    "\"sort\": {\"a\": 0}",
                                                    "\"sort\": {\"a\": 2}")),
                    new Difference(
                            "The peer deletes many documents for a limit that is neither 0 nor 1.",
                            seen -> seen.has("\"limit\": 2}]")),
                    new Difference(
                            "Since 7.0 it is no error to drop what is not there.",
                            seen -> seen.has("\"drop\": \"nowhere\"")),
                    new Difference(
                            "The number of the refusal is that of an older release.",
                            MongoDifferences::isOtherCode));

    private static final List<Difference> OF_UPDATES =
            List.of(
                    new Difference(
                            "The peer fails, and has no code.",
                            seen -> seen.theirs.equals("code -1") && seen.refusedByOurs()),
                    new Difference(
                            "The peer takes null for a field that is not there.",
                            seen ->
                                    seen.differsOnlyIn(NULL)
                                            && seen.refusedByOurs()
                                            && !seen.peerRefused),
                    new Difference(
                            "A whole number that leaves 64 bits is refused.",
                            seen ->
                                    seen.ours.equals("code 2")
                                            && !seen.peerRefused
                                            && seen.has(
                                                    "{\"$inc\": {\"a\": ", "{\"$mul\": {\"a\": ")),
                    new Difference(
                            "New fields come in the order of their names.",
                            seen -> seen.has("{\"$set\": {\"z\": 1, \"y\": 2, \"x\": 3}}")),
                    new Difference(
                            "A path goes into an array by number only.",
                            seen ->
                                    seen.has("{\"$unset\": {\"a.b\"", "{\"$inc\": {\"a.b\"")
                                            && seen.differsOnlyIn(MongoCases.lastChanged() - 1)),
                    new Difference(
                            "A zero has the digits after the point that it needs.",
                            seen -> seen.has("{\"$mul\": {\"a\": {\"$numberDecimal\"")),
                    new Difference("The peer lacks $bit.", seen -> seen.has("\"$bit\"")),
                    new Difference(
                            "The peer carries out what MongoDB refuses.",
                            seen ->
                                    seen.refusedByOurs()
                                            && !seen.peerRefused
                                            && seen.has(
                                                    "{\"$rename\": {\"a\": \"a\"}}",
                                                    "{\"$set\": {\"\": 1}}",
                                                    "{\"$set\": {\"a..b\": 1}}",
                                                    "{\"$set\": 1}",
                                                    "{\"$push\": {\"a\": {\"$each\": 1}}}",
                                                    "{\"$pop\": {\"a\": 2}}",
                                                    "{\"$pullAll\": {\"a\": 1}}")),
                    new Difference(
                            "The number of the refusal is that of an older release.",
                            MongoDifferences::isOtherCode));

    private static final Set<String> USED = new TreeSet<>();

    private MongoDifferences() {}

    private static boolean isOtherCode(Seen seen) {
        List<String> theirs = codes(seen.theirs);
        List<String> ours = codes(seen.ours);
        return theirs.size() == 1
                && ours.size() == 1
                && OTHER_CODES.getOrDefault(theirs.getFirst(), Set.of()).contains(ours.getFirst());
    }

    private static List<String> codes(String answer) {
        return Pattern.compile("^code (-?\\d+)$|\"code\": \\D*(-?\\d+)")
                .matcher(answer)
                .results()
                .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                .toList();
    }

    /** Tells whether there is a reason for the answers to a command. */
    static boolean explain(BsonDocument command, MongoAnswer theirs, MongoAnswer ours) {
        return isExplained(
                OF_COMMANDS,
                new Seen(
                        command.toJson(),
                        theirs.toString(),
                        ours.toString(),
                        MongoAnswer.differing(theirs, ours),
                        theirs.isRefusal()));
    }

    /**
     * Tells whether there is a reason for what became of a document.
     *
     * @param document its number
     */
    static boolean explainUpdate(BsonDocument update, int document, String theirs, String ours) {
        return isExplained(
                OF_UPDATES,
                new Seen(
                        update.toJson(),
                        theirs,
                        ours,
                        Set.of(document),
                        theirs.startsWith("code ")));
    }

    private static boolean isExplained(List<Difference> reasons, Seen seen) {
        List<Difference> found =
                reasons.stream().filter(each -> each.when.test(seen)).limit(1).toList();
        found.forEach(each -> USED.add(each.reason));
        return !found.isEmpty();
    }

    /** The reasons that no command has needed: they stand in the list for nothing. */
    static List<String> unused() {
        List<String> unused = new ArrayList<>();
        for (List<Difference> reasons : List.of(OF_COMMANDS, OF_UPDATES)) {
            reasons.stream()
                    .map(Difference::reason)
                    .filter(reason -> !USED.contains(reason))
                    .forEach(unused::add);
        }
        return unused;
    }
}
