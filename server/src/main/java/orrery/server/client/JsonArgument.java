package orrery.server.client;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** JSON on the command line: the text itself, or {@code @FILE} for what a file holds. */
final class JsonArgument implements ITypeConverter<Value> {
    @Override
    public Value convert(String text) {
        String json = text.startsWith("@") ? file(text.substring(1)) : text;
        try {
            return JsonText.parse(json);
        } catch (OrreryException notJson) {
            throw new TypeConversionException(
                    (text.startsWith("@") ? "'" + text.substring(1) + "'" : "'" + text + "'")
                            + " is not JSON. Pass an object such as '{...}', or @FILE for a file"
                            + " that holds one.");
        }
    }

    private static String file(String name) {
        try {
            return Files.readString(Path.of(name));
        } catch (MalformedInputException notText) {
            throw new TypeConversionException("The file '" + name + "' is not UTF-8 text.");
        } catch (IOException e) {
            throw new TypeConversionException(
                    "The file '" + name + "' cannot be read: " + FileTrouble.reading(e) + ".");
        } catch (InvalidPathException e) {
            throw new TypeConversionException("'" + name + "' is not the name of a file.");
        }
    }
}
