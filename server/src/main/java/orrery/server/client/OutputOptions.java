package orrery.server.client;

import java.util.Locale;
import picocli.CommandLine.Option;

/** The option that says for whom a command prints. */
public final class OutputOptions {
    enum Format {
        TABLE,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = {"--output", "-o"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table for people or json for programs (default: ${DEFAULT-VALUE}).")
    private Format format;

    public boolean isJson() {
        return format == Format.JSON;
    }
}
