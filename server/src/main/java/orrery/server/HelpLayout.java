package orrery.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Lays out the help of a command. Lines are broken here and nowhere else, and only at spaces, so
 * that a path, an option or an address stays whole. Examples are never broken: people copy them.
 */
final class HelpLayout {
    static final int COLUMNS = 100;
    static final String EXAMPLE = "Example: ";

    /** Names that are longer have a line of their own above their description. */
    private static final int MOST_OF_NAME = 27;

    private static final int GAP = 2;

    /** No line that picocli writes is so long, so it breaks none. */
    private static final int UNBROKEN = 10_000;

    private HelpLayout() {}

    static void install(CommandLine command) {
        command.setUsageHelpAutoWidth(false)
                .setUsageHelpWidth(UNBROKEN)
                .setHelpSectionMap(
                        Map.of(
                                UsageMessageSpec.SECTION_KEY_SYNOPSIS, HelpLayout::synopsis,
                                UsageMessageSpec.SECTION_KEY_DESCRIPTION, HelpLayout::description,
                                UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpLayout::arguments,
                                UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpLayout::commands));
    }

    private static String synopsis(Help help) {
        String heading = "Usage: ";
        String begin = heading + help.commandSpec().qualifiedName() + " ";
        String all = heading + help.synopsis(heading.length()).strip();
        StringBuilder page = new StringBuilder();
        append(page, begin.stripTrailing(), begin.length(), List.of(all.substring(begin.length())));
        return page.toString();
    }

    /** The list of commands shows the header; a page has it only where there is nothing longer. */
    private static String description(Help help) {
        String text = help.description();
        StringBuilder page = new StringBuilder("\n");
        append(page, "", 0, paragraphs((text.isEmpty() ? help.header() : text).lines().toList()));
        return page.toString();
    }

    private static String arguments(Help help) {
        CommandSpec spec = help.commandSpec();
        List<Row> rows = new ArrayList<>();
        for (PositionalParamSpec argument : spec.positionalParameters()) {
            rows.add(
                    Row.of(
                            help.createDefaultParameterRenderer()
                                    .render(
                                            argument,
                                            help.parameterLabelRenderer(),
                                            help.colorScheme())));
        }
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                rows.add(
                        Row.of(
                                help.createDefaultOptionRenderer()
                                        .render(
                                                option,
                                                help.parameterLabelRenderer(),
                                                help.colorScheme())));
            }
        }
        return table("", rows);
    }

    private static String commands(Help help) {
        List<Row> rows =
                help.subcommands().entrySet().stream()
                        .filter(each -> !each.getValue().commandSpec().usageMessage().hidden())
                        .map(
                                each ->
                                        new Row(
                                                "  " + each.getKey(),
                                                List.of(
                                                        each.getValue()
                                                                .commandSpec()
                                                                .usageMessage()
                                                                .header())))
                        .toList();
        return rows.isEmpty() ? "" : table("Commands:\n", rows);
    }

    /**
     * @param name with its indent
     */
    private record Row(String name, List<String> lines) {
        /**
         * Takes the columns of picocli: a mark, the short name, a comma, the long one, the text.
         */
        static Row of(Text[][] rendered) {
            Text[] first = rendered[0];
            String name =
                    "  %2s%1s %s"
                            .formatted(
                                    first[1].plainString(),
                                    first[2].plainString().strip(),
                                    first[3].plainString());
            return new Row(
                    name.stripTrailing(),
                    Stream.of(rendered).map(row -> row[4].plainString()).toList());
        }
    }

    private static String table(String heading, List<Row> rows) {
        int column =
                rows.stream()
                                .mapToInt(row -> row.name().length())
                                .filter(length -> length <= MOST_OF_NAME)
                                .max()
                                .orElse(0)
                        + GAP;
        StringBuilder page = new StringBuilder("\n").append(heading);
        for (Row row : rows) {
            boolean fits = row.name().length() + GAP <= column;
            if (!fits) {
                page.append(row.name()).append('\n');
            }
            append(page, fits ? row.name() : "", column, paragraphs(row.lines()));
        }
        return page.toString();
    }

    /**
     * Joins the lines of a text in the source. A line that ends a sentence ends a paragraph; an
     * example and a line with an indent stand alone.
     */
    static List<String> paragraphs(List<String> lines) {
        List<String> paragraphs = new ArrayList<>();
        boolean goesOn = false;
        for (String line : lines) {
            boolean isAlone = line.startsWith(EXAMPLE) || line.startsWith(" ");
            if (goesOn && !isAlone) {
                paragraphs.add(paragraphs.removeLast() + " " + line);
            } else {
                paragraphs.add(line);
            }
            goesOn = !isAlone && !line.endsWith(".");
        }
        return paragraphs;
    }

    /**
     * Appends paragraphs at a column.
     *
     * @param before stands left of the first line
     */
    private static void append(
            StringBuilder page, String before, int column, List<String> paragraphs) {
        String margin = before;
        for (String paragraph : paragraphs) {
            for (String line : wrap(paragraph, COLUMNS - column)) {
                page.append(margin).repeat(' ', column - margin.length()).append(line).append('\n');
                margin = "";
            }
        }
    }

    /** Breaks a paragraph at spaces; a word that is longer than a line is a line. */
    static List<String> wrap(String paragraph, int width) {
        if (paragraph.startsWith(EXAMPLE) || paragraph.startsWith(" ")) {
            return List.of(paragraph);
        }
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : paragraph.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
