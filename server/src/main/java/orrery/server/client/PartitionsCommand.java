package orrery.server.client;

import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws how a container lies over its physical partitions. */
@Command(
        name = "partitions",
        header = "Draws a container over its physical partitions.",
        description = {
            "Draws how a container lies over its physical partitions: items and bytes, request units"
                    + " against the budget, the share of 429s, the logical keys with most bytes and"
                    + " most request units, and the splits and merges that have been.",
            "A key from 80 %% of what a logical partition may hold is marked with an exclamation"
                    + " mark. The bytes of a key are exact; its request units are those of the last"
                    + " minutes, old use fading.",
            "Exit code 0, 1 when the server refuses or does not answer, 2 when an option is wrong, 3"
                    + " when --fail-above strikes.",
            "Example: orrery partitions food/items --fail-above 2"
        })
public final class PartitionsCommand extends ServerCommand {
    private static final int MOST_KEYS = 100;

    @Parameters(
            paramLabel = "DB/CONTAINER",
            converter = Place.OfContainer.class,
            description = "The container.")
    private Place place;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "5",
            description = {
                "How many keys to show, 0 to 100 (default: ${DEFAULT-VALUE}); with --output"
                        + " json, of each partition."
            })
    private int keys;

    @Option(
            names = "--fail-above",
            paramLabel = "X",
            description = {
                "Exit code 3 when the largest range has more than X times the bytes of the mean of"
                        + " the ranges, or the largest key more than X times the mean of the largest"
                        + " 100 keys of each range."
            })
    private @Nullable Double failAbove;

    @Override
    public Integer call() {
        if (keys < 0 || keys > MOST_KEYS) {
            throw usage("--keys must be from 0 to " + MOST_KEYS + ".");
        }
        if (failAbove != null && !(failAbove >= 1 && failAbove < Double.POSITIVE_INFINITY)) {
            throw usage("--fail-above must be 1 or more: the largest is never below the mean.");
        }
        Answer report;
        try (SqlClient client = open()) {
            report = client.operator().partitions(place, failAbove == null ? keys : MOST_KEYS);
        }
        if (isJson()) {
            out().println(JsonText.write(report.json()));
        } else {
            new PartitionsView(report, keys, style()).print(out());
        }
        out().flush();
        Optional<String> skew =
                failAbove == null ? Optional.empty() : Skew.of(report).beyond(failAbove);
        if (skew.isPresent()) {
            warn(skew.get());
            return ExitCode.CHECK_FAILED;
        }
        return ExitCode.OK;
    }

    /** Colour only for a person at a terminal, blocks only where the characters arrive. */
    private static PartitionsView.Style style() {
        boolean isTerminal = Terminal.ofProcess().isPresent();
        Charset charset = System.out.charset();
        return new PartitionsView.Style(
                isTerminal && System.getenv("NO_COLOR") == null,
                charset.canEncode() && charset.newEncoder().canEncode('█') ? '█' : '#');
    }
}
