package orrery.server;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * Says what is wrong with the value of an option or argument: named as the person typed it, and in
 * words of people rather than of Java.
 */
final class ValueError {
    private static final Pattern NOT_WHOLE = Pattern.compile(" is not an? (int|long|short)$");
    private static final Pattern NOT_NUMBER = Pattern.compile(" is not a (double|float)$");
    private static final Pattern WHOLE = Pattern.compile("[-+]?\\d+");

    private ValueError() {}

    /** Empty if the mistake is another. */
    static Optional<String> of(ParameterException failure, String[] arguments) {
        ArgSpec argument = failure.getArgSpec();
        String value = failure.getValue();
        if (argument == null || value == null) {
            return Optional.empty();
        }
        if (failure.getCause() instanceof TypeConversionException wrong) {
            return Optional.of(named(argument, arguments) + reason(argument, value, wrong));
        }
        return argument.typeInfo().isMap()
                ? Optional.of(
                        "%sit must be %s, not '%s'."
                                .formatted(
                                        named(argument, arguments), argument.paramLabel(), value))
                : Optional.empty();
    }

    private static String reason(ArgSpec argument, String value, TypeConversionException wrong) {
        if (argument.type().isEnum() && argument.converters().length == 0) {
            return "'%s' is not one of %s."
                    .formatted(
                            value,
                            StreamSupport.stream(
                                            argument.completionCandidates().spliterator(), false)
                                    .collect(Collectors.joining(", ")));
        }
        String text = String.valueOf(wrong.getMessage());
        if (WHOLE.matcher(value).matches() && NOT_WHOLE.matcher(text).find()) {
            return "'" + value + "' is too large.";
        }
        text = NOT_WHOLE.matcher(text).replaceFirst(" is not a whole number.");
        return NOT_NUMBER.matcher(text).replaceFirst(" is not a number.");
    }

    /** Options have several names. Arguments need none: the value tells which it is. */
    private static String named(ArgSpec argument, String[] arguments) {
        if (!(argument instanceof OptionSpec option)) {
            return "";
        }
        return Stream.of(arguments)
                        .map(word -> word.replaceFirst("=.*", ""))
                        .filter(word -> Arrays.asList(option.names()).contains(word))
                        .findFirst()
                        .orElse(option.longestName())
                + ": ";
    }
}
