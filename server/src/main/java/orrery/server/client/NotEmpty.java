package orrery.server.client;

import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Refuses an empty value, which a shell makes of a variable that is not set: as a path it would be
 * the working directory, as a host every address.
 */
public final class NotEmpty {
    private NotEmpty() {}

    private static String expect(String text, String what) {
        if (text.isBlank()) {
            throw new TypeConversionException("the " + what + " is empty.");
        }
        return text;
    }

    /** Reads the name of a file. */
    public static final class File implements ITypeConverter<Path> {
        @Override
        public Path convert(String text) {
            return Path.of(expect(text, "name of the file"));
        }
    }

    /** Reads an address to listen on. */
    public static final class Address implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            return expect(text, "address");
        }
    }
}
