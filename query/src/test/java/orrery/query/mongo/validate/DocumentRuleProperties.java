package orrery.query.mongo.validate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import orrery.document.BsonCodec;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Violation;
import orrery.query.mongo.Documents;

/** Whatever the rule and the document, reasons are given, and they are reasons. */
class DocumentRuleProperties {
    private static final String[] NAMES = {"a", "b", "c.d", "l"};
    private static final String[] KEYS = {"a", "b", "c", "l"};

    @Property(tries = 5000)
    void thereIsAReasonForEachRefusal(@ForAll long seed) {
        Random random = new Random(seed);
        String filter = filter(random, 3);
        String document = document(random, 2);
        Value.Obj read = BsonCodec.read(Documents.bson(document));
        DocumentRule rule = DocumentRule.of(Documents.bson(filter));
        if (rule.accepts(read)) {
            return;
        }
        Bytes reasons = rule.reasons(read);
        assertThat(reasons.length()).isLessThanOrEqualTo(Violation.MAX_BYTES);
        String told = JsonText.write(BsonCodec.read(reasons));
        assertThat(told)
                .as("%s of %s", filter, document)
                .contains("\"operatorName\"")
                .doesNotContain("\"clausesNotSatisfied\":[]", "\"clausesSatisfied\":[]")
                .doesNotContain("\"schemaRulesNotSatisfied\":[]", "\"schemasNotSatisfied\":[]")
                .doesNotContain("\"details\":[]", "\"missingProperties\":[]");
    }

    private static String one(Random random, String... all) {
        return all[random.nextInt(all.length)];
    }

    private static String list(int count, Supplier<String> each) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(each.get());
        }
        return "[" + String.join(",", all) + "]";
    }

    private static String document(Random random, int depth) {
        List<String> fields = new ArrayList<>();
        for (String key : KEYS) {
            if (random.nextInt(3) > 0) {
                fields.add("'" + key + "':" + value(random, depth));
            }
        }
        return "{" + String.join(",", fields) + "}";
    }

    private static String value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 5)) {
            case 0, 1 -> Integer.toString(random.nextInt(5));
            case 2 -> one(random, "'x'", "'xyz'", "''");
            case 3 -> one(random, "null", "true", "1.5");
            case 4 -> "{'d':" + random.nextInt(3) + "}";
            case 5 -> document(random, depth - 1).replace("'c'", "'d'");
            default -> list(random.nextInt(4), () -> value(random, depth - 1));
        };
    }

    private static String filter(Random random, int depth) {
        if (depth > 0) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    return "{'"
                            + one(random, "$and", "$or", "$nor")
                            + "':"
                            + list(1 + random.nextInt(2), () -> filter(random, depth - 1))
                            + "}";
                }
                case 1 -> {
                    return "{'$jsonSchema':" + schema(random, depth) + "}";
                }
                case 2 -> {
                    return "{'$expr':"
                            + one(
                                    random,
                                    "{'$gt':['$a','$b']}",
                                    "{'$divide':[1,'$a']}",
                                    "'$a'",
                                    "{'$size':'$l'}")
                            + "}";
                }
                default -> {}
            }
        }
        String first = one(random, NAMES);
        String field = "'" + first + "':" + condition(random, true);
        return "{" + field + (random.nextInt(3) == 0 ? ",'other':{'$exists':false}" : "") + "}";
    }

    private static String condition(Random random, boolean mayNegate) {
        return switch (random.nextInt(mayNegate ? 14 : 13)) {
            case 0 -> value(random, 1);
            case 1 -> "{'$gt':1,'$lt':4}";
            case 2 -> "{'$ne':" + value(random, 0) + "}";
            case 3 -> "{'$in':" + list(random.nextInt(3), () -> value(random, 0)) + "}";
            case 4 -> "{'$nin':" + list(random.nextInt(3), () -> value(random, 0)) + "}";
            case 5 -> "{'$exists':" + random.nextBoolean() + "}";
            case 6 -> "{'$type':" + one(random, "'int'", "'array'", "['string','null']") + "}";
            case 7 -> "{'$regex':'^X','$options':'i'}";
            case 8 -> "{'$size':" + random.nextInt(3) + "}";
            case 9 -> "{'$mod':[2,1]}";
            case 10 -> "{'$all':" + list(random.nextInt(3), () -> value(random, 0)) + "}";
            case 11 -> "{'$elemMatch':" + one(random, "{'$gt':1}", "{'d':1}") + "}";
            case 12 -> "{'$bitsAnySet':1}";
            default -> {
                String inner = condition(random, false);
                yield "{'$not':" + (inner.startsWith("{'$") ? inner : "{'$gte':2}") + "}";
            }
        };
    }

    private static String schema(Random random, int depth) {
        List<String> rules = new ArrayList<>();
        if (random.nextInt(3) == 0) {
            rules.add(
                    one(
                            random,
                            "'bsonType':'object'",
                            "'bsonType':['array','string']",
                            "'type':'number'"));
        }
        for (int i = 0; i < 2; i++) {
            String rule = rule(random, depth);
            String name = rule.substring(0, rule.indexOf(':') + 1);
            if (rules.stream().noneMatch(each -> each.contains(name))) {
                rules.add(rule);
            }
        }
        return "{" + String.join(",", rules) + "}";
    }

    private static String rule(Random random, int depth) {
        if (depth > 0) {
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> {
                    return "'properties':{'"
                            + one(random, KEYS)
                            + "':"
                            + schema(random, depth - 1)
                            + "}";
                }
                case 3 -> {
                    return "'"
                            + one(random, "allOf", "anyOf", "oneOf")
                            + "':"
                            + list(1 + random.nextInt(2), () -> schema(random, depth - 1));
                }
                case 4 -> {
                    return "'not':" + schema(random, depth - 1);
                }
                case 5 -> {
                    return "'items':" + schema(random, depth - 1);
                }
                case 6 -> {
                    return "'items':" + list(2, () -> schema(random, depth - 1));
                }
                case 7 -> {
                    return "'patternProperties':{'^[ab]':" + schema(random, depth - 1) + "}";
                }
                default -> {}
            }
        }
        return switch (random.nextInt(10)) {
            case 0 -> "'required':['a','b']";
            case 1 -> "'minimum':2,'exclusiveMinimum':true";
            case 2 -> "'maxLength':2";
            case 3 -> "'pattern':'^x$'";
            case 4 -> "'enum':[1,'x',null]";
            case 5 -> "'uniqueItems':true";
            case 6 -> "'maxItems':1";
            case 7 -> "'minProperties':2";
            case 8 -> "'additionalProperties':" + one(random, "false", "{'bsonType':'int'}");
            default -> "'minItems':2";
        };
    }
}
