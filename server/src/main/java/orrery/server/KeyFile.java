package orrery.server;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import orrery.model.security.AccountKeys;

/**
 * The file in which older versions kept account keys. A start takes them over into the catalog and
 * deletes the file.
 */
final class KeyFile {
    private KeyFile() {}

    static Optional<AccountKeys> load(Path dataDirectory) {
        Path file = DataDirectory.keys(dataDirectory);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            Properties values = new Properties();
            values.load(new StringReader(Files.readString(file)));
            return Optional.of(
                    new AccountKeys(
                            value(values, file, "primary"),
                            value(values, file, "secondary"),
                            value(values, file, "primary-read-only"),
                            value(values, file, "secondary-read-only")));
        } catch (IOException e) {
            throw new StartupException("The keys in " + file + " cannot be read.", e);
        } catch (IllegalArgumentException e) {
            throw new StartupException(
                    "The keys in " + file + " cannot be used: " + e.getMessage() + ".", e);
        }
    }

    /** Deletes the file, once what it holds is in the catalog. */
    static void delete(Path dataDirectory) {
        Path file = DataDirectory.keys(dataDirectory);
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new StartupException(
                    "The file "
                            + file
                            + " cannot be removed, though its keys are in the catalog now: "
                            + DataDirectory.reason(e),
                    e);
        }
    }

    private static String value(Properties values, Path file, String name) {
        String value = values.getProperty(name);
        if (value == null) {
            throw new StartupException(
                    "The file "
                            + file
                            + " has no key '"
                            + name
                            + "'. Complete it, or remove the file to let the account have new keys.");
        }
        return value.strip();
    }
}
