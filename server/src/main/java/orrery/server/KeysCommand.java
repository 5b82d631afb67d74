package orrery.server;

import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import orrery.document.JsonText;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.server.client.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Makes and shows the keys of an account. */
@Command(
        name = "keys",
        header = "Makes and shows account keys of your own.",
        description = {
            "Makes and shows account keys of your own.",
            "With them the server may listen beyond loopback, and the well-known key is off."
        },
        subcommands = {KeysCommand.New.class, KeysCommand.Show.class})
final class KeysCommand {
    private static void print(
            PrintWriter out, OutputOptions output, AccountKeys keys, List<KeyKind> kinds) {
        if (output.isJson()) {
            out.println(JsonText.write(AccountEndpoint.shown(keys, kinds)));
            out.flush();
        } else {
            print(out, keys, kinds);
        }
    }

    /** Notes go to the other stream, so that programs read nothing but keys from this one. */
    static void print(PrintWriter out, AccountKeys keys, List<KeyKind> kinds) {
        for (KeyKind kind : kinds) {
            out.printf("%-20s %s%n", label(kind), keys.get(kind));
        }
        out.flush();
    }

    private static String label(KeyKind kind) {
        return kind.toString().replace("-readonly", " read-only");
    }

    private static void warnOfPublicKey(CommandSpec spec, AccountKeys keys) {
        if (keys.includesWellKnownKey()) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "# "
                                    + Stream.of(KeyKind.values())
                                            .filter(
                                                    kind ->
                                                            keys.get(kind)
                                                                    .equals(
                                                                            AccountKeys
                                                                                    .WELL_KNOWN_KEY))
                                            .map(KeysCommand::label)
                                            .collect(Collectors.joining(" and "))
                                    + ": the key of the Cosmos DB emulator, which everybody knows."
                                    + " It works on loopback only, unless the server was started"
                                    + " with --emulator-key.");
            spec.commandLine().getErr().flush();
        }
    }

    /** From the name of a key, or of all, to the keys. */
    static final class Which implements ITypeConverter<Kinds> {
        @Override
        public Kinds convert(String text) {
            List<KeyKind> kinds =
                    Stream.of(KeyKind.values())
                            .filter(kind -> text.equals("all") || text.equals(kind.toString()))
                            .toList();
            if (kinds.isEmpty()) {
                throw new TypeConversionException(
                        "'%s' is not one of %s."
                                .formatted(text, String.join(", ", new KeyNames())));
            }
            return new Kinds(kinds);
        }
    }

    /** The words that name keys. */
    static final class KeyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.concat(
                            Stream.of(KeyKind.values()).map(KeyKind::toString), Stream.of("all"))
                    .iterator();
        }
    }

    /** The keys that one word names. */
    record Kinds(List<KeyKind> list) {}

    @Command(
            name = "new",
            header = "Makes new keys.",
            description = {
                "Makes new keys: two for reading and writing, two for reading only. A running server"
                        + " takes them over at once, and who still uses an old one gets 401. To"
                        + " replace keys without that, let clients use the secondary key, replace the"
                        + " primary, and the other way round.",
                "Exit code 0, 1 when keys are there and --rotate is not given, or the server does not"
                        + " answer, 2 when an option is wrong.",
                "Example: orrery keys new --rotate --which primary"
            })
    static final class New implements Callable<Integer> {
        @Spec private CommandSpec spec;
        @Mixin private final AccountSource source = new AccountSource();
        @Mixin private final OutputOptions output = new OutputOptions();

        @Option(
                names = "--rotate",
                description = "Replace keys that were made before; they stop working.")
        private boolean rotate;

        @Option(
                names = "--which",
                paramLabel = "KEY",
                defaultValue = "all",
                converter = Which.class,
                completionCandidates = KeyNames.class,
                description =
                        "primary, secondary, primary-readonly, secondary-readonly or all"
                                + " (default: ${DEFAULT-VALUE}).")
        private Kinds which;

        @Override
        public Integer call() {
            try (AccountAccess account = source.openOrMake()) {
                boolean areTheirs = account.keys().filter(keys -> !keys.isWellKnown()).isPresent();
                if (areTheirs && !rotate) {
                    throw new StartupException(
                            "The account has keys. --rotate replaces "
                                    + names()
                                    + "; who uses the old "
                                    + (which.list().size() == 1 ? "one" : "ones")
                                    + " gets 401 from then on. "
                                    + source.hint("keys show")
                                    + " prints them.");
                }
                AccountKeys keys = account.replace(which.list());
                PrintWriter err = spec.commandLine().getErr();
                err.println(
                        areTheirs
                                ? "# Replaced: " + names() + ". The old values no longer work."
                                : "# Made: "
                                        + names()
                                        + ". The public key of the emulator no longer works.");
                err.flush();
                print(spec.commandLine().getOut(), output, keys, which.list());
                warnOfPublicKey(spec, keys);
            }
            return 0;
        }

        private String names() {
            return which.list().stream().map(KeysCommand::label).collect(Collectors.joining(", "));
        }
    }

    @Command(
            name = "show",
            header = "Prints the keys.",
            description = {
                "Prints the keys. With --endpoint it asks that server, and needs a read-write key.",
                "Exit code 0, 1 when there are none or the server does not answer, 2 when an option"
                        + " is wrong.",
                "Example: orrery keys show --output json"
            })
    static final class Show implements Callable<Integer> {
        @Spec private CommandSpec spec;
        @Mixin private final AccountSource source = new AccountSource();
        @Mixin private final OutputOptions output = new OutputOptions();

        @Override
        public Integer call() {
            try (AccountAccess account = source.open()) {
                AccountKeys keys =
                        account.keys()
                                .orElseThrow(
                                        () ->
                                                new StartupException(
                                                        "The account has no keys yet. The first"
                                                                + " start makes them, or "
                                                                + source.hint("keys new")
                                                                + "."));
                print(spec.commandLine().getOut(), output, keys, List.of(KeyKind.values()));
                warnOfPublicKey(spec, keys);
            }
            return 0;
        }
    }
}
