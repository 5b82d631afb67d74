package orrery.server;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes as people write them, {@code 64MB} or {@code 50GB}; a KB is 1024 bytes. */
final class ByteSizeConverter implements ITypeConverter<Long> {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9}) ?([KMGT]B)");
    private static final Map<String, Integer> SHIFTS =
            Map.of("KB", 10, "MB", 20, "GB", 30, "TB", 40);

    @Override
    public Long convert(String text) {
        Matcher size = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!size.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a size. Write a number with KB, MB, GB or TB, as 64MB.");
        }
        Integer shift = SHIFTS.get(size.group(2));
        long number = Long.parseLong(size.group(1));
        if (shift == null || number > Long.MAX_VALUE >> shift) {
            throw new TypeConversionException("'" + text + "' is larger than any store.");
        }
        return number << shift;
    }

    /** Writes a size as it is read, in the largest unit that leaves no rest. */
    static String format(long bytes) {
        for (String unit : List.of("TB", "GB", "MB", "KB")) {
            int shift = SHIFTS.getOrDefault(unit, 0);
            if (bytes != 0 && Long.numberOfTrailingZeros(bytes) >= shift) {
                return (bytes >> shift) + unit;
            }
        }
        return bytes + " bytes";
    }
}
