package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.dialect.Effort;
import orrery.query.mongo.MongoCode;
import orrery.query.regex.RegexOwner;
import orrery.query.regex.RegexPattern;

/** Operators that search texts: by regular expressions, or for other texts. */
final class PatternOperators {
    private PatternOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put(
                "$regexMatch",
                regex(
                        "$regexMatch",
                        Value.of(false),
                        search -> Value.of(search.finder().next().getAsBoolean())));
        table.put(
                "$regexFind",
                regex(
                        "$regexFind",
                        Value.Null.NULL,
                        search ->
                                search.finder().next().getAsBoolean()
                                        ? search.match()
                                        : Value.Null.NULL));
        table.put("$regexFindAll", regex("$regexFindAll", new Value.Array(List.of()), Search::all));
        table.put("$replaceOne", replace("$replaceOne", false));
        table.put("$replaceAll", replace("$replaceAll", true));
    }

    /** One search in one text. */
    private record Search(String text, RegexPattern pattern, RegexPattern.Finder finder) {
        Value match() {
            Map<String, Value> found = new LinkedHashMap<>();
            int start = finder.start().applyAsInt(0);
            found.put("match", Value.of(text.substring(start, finder.end().applyAsInt(0))));
            found.put("idx", Value.of(text.codePointCount(0, start)));
            List<Value> captures = new ArrayList<>();
            for (int group = 1; group <= pattern.groups(); group++) {
                int from = finder.start().applyAsInt(group);
                captures.add(
                        from < 0
                                ? Value.Null.NULL
                                : Value.of(text.substring(from, finder.end().applyAsInt(group))));
            }
            found.put("captures", new Value.Array(captures));
            return new Value.Obj(found);
        }

        Value all() {
            List<Value> matches = new ArrayList<>();
            while (finder.next().getAsBoolean()) {
                Operands.requireRoom(32L * matches.size());
                matches.add(match());
            }
            return new Value.Array(matches);
        }
    }

    private static ExpressionReader.Operator regex(
            String name, Value absent, java.util.function.Function<Search, Value> result) {
        return (operand, reader) -> {
            Operands.Named named =
                    Operands.named(
                            name, 51103, 31024, operand, reader, "input", "regex", "options");
            Expression input = named.required("input", 31022);
            Expression regex = named.required("regex", 31023);
            Expression options = named.or("options", Value.Null.NULL);
            return variables -> {
                Value text = input.evaluate(variables);
                Value pattern = regex.evaluate(variables);
                Value flags = options.evaluate(variables);
                if (!Operands.isNullish(text) && !(text instanceof Value.Text)) {
                    throw MongoCode.failure(51104, name + " needs 'input' to be of type string");
                }
                if (Operands.isNullish(text) || Operands.isNullish(pattern)) {
                    return absent;
                }
                RegexPattern compiled = compiled(name, pattern, flags);
                String given = Operands.text(text);
                Effort effort = new Effort();
                return result.apply(
                        new Search(given, compiled, compiled.finder(given, effort::add)));
            };
        };
    }

    private static RegexPattern compiled(String name, Value pattern, Value options) {
        String flags = "";
        if (!Operands.isNullish(options)) {
            if (!(options instanceof Value.Text(String given))) {
                throw MongoCode.failure(51106, name + " needs 'options' to be of type string");
            }
            flags = given;
        }
        String text;
        switch (pattern) {
            case Value.Text(String given) -> text = given;
            case BsonValue.Regex(String given, String own) -> {
                text = given;
                if (!own.isEmpty() && !flags.isEmpty()) {
                    throw MongoCode.failure(
                            51107,
                            name
                                    + ": found regex option(s) specified in both 'regex' and"
                                    + " 'option' fields");
                }
                flags = own.isEmpty() ? flags : own;
            }
            default ->
                    throw MongoCode.failure(
                            51105, name + " needs 'regex' to be of type string or regex");
        }
        RegexOwner owner =
                new RegexOwner(
                        name,
                        message ->
                                MongoCode.failure(
                                        51111, "Invalid Regex in " + name + ": " + message));
        return RegexPattern.compile(owner, text, flags.replace("u", ""));
    }

    private static ExpressionReader.Operator replace(String name, boolean all) {
        return (operand, reader) -> {
            Operands.Named named =
                    Operands.named(
                            name, 51751, 51750, operand, reader, "input", "find", "replacement");
            Expression input = named.required("input", 51749);
            Expression find = named.required("find", 51748);
            Expression replacement = named.required("replacement", 51747);
            return variables -> {
                Value text = input.evaluate(variables);
                Value wanted = find.evaluate(variables);
                Value other = replacement.evaluate(variables);
                requireText(name, 51746, "input", text);
                requireText(name, 51745, "find", wanted);
                requireText(name, 51744, "replacement", other);
                return Operands.isNullish(text)
                                || Operands.isNullish(wanted)
                                || Operands.isNullish(other)
                        ? Value.Null.NULL
                        : Value.of(
                                replaced(
                                        Operands.text(text),
                                        Operands.text(wanted),
                                        Operands.text(other),
                                        all));
            };
        };
    }

    private static void requireText(String name, int code, String what, Value value) {
        if (!Operands.isNullish(value) && !(value instanceof Value.Text)) {
            throw MongoCode.failure(
                    code,
                    "%s requires that '%s' be a string, found: %s"
                            .formatted(name, what, ValueText.of(value)));
        }
    }

    /** The empty text is found before each character and at the end. */
    private static String replaced(String text, String wanted, String other, boolean all) {
        StringBuilder out = new StringBuilder();
        int from = 0;
        int at = text.indexOf(wanted);
        while (at >= 0) {
            out.append(text, from, at).append(other);
            Operands.requireRoom(out.length());
            from = at + wanted.length();
            if (!all) {
                break;
            }
            if (wanted.isEmpty()) {
                if (at == text.length()) {
                    break;
                }
                int next = at + Character.charCount(text.codePointAt(at));
                out.append(text, at, next);
                from = next;
            }
            at = text.indexOf(wanted, from);
        }
        return out.append(text.substring(Math.min(from, text.length()))).toString();
    }
}
