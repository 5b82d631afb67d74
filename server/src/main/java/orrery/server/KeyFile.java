package orrery.server;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.Properties;
import orrery.model.security.AccountKeys;
import orrery.storage.files.PrivateFiles;

/** The account keys of a data directory. Readable by the owner only. */
final class KeyFile {
    private static final int KEY_BYTES = 64;

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

    /** Makes four random keys; replaces those that were there. */
    static AccountKeys create(Path dataDirectory, SecureRandom random) {
        AccountKeys keys =
                new AccountKeys(random(random), random(random), random(random), random(random));
        String text =
                """
                # Account keys of this Orrery server. Whoever has one can use the data.
                primary=%s
                secondary=%s
                primary-read-only=%s
                secondary-read-only=%s
                """
                        .formatted(
                                keys.primary(),
                                keys.secondary(),
                                keys.primaryReadOnly(),
                                keys.secondaryReadOnly());
        Path file = DataDirectory.keys(dataDirectory);
        try {
            PrivateFiles.directory(dataDirectory);
            PrivateFiles.write(file, text);
        } catch (IOException e) {
            throw new StartupException(
                    "The keys cannot be written to " + file + ": " + DataDirectory.reason(e), e);
        }
        return keys;
    }

    private static String value(Properties values, Path file, String name) {
        String value = values.getProperty(name);
        if (value == null) {
            throw new StartupException(
                    "The file "
                            + file
                            + " has no key '"
                            + name
                            + "'. Make new keys with `orrery keys new`.");
        }
        return value.strip();
    }

    private static String random(SecureRandom random) {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }
}
