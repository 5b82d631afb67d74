package orrery.server.client;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import orrery.document.JsonText;

/** The report on a container as a person reads it in a terminal. */
final class PartitionsView {
    private static final int BAR = 30;
    private static final int EDGE = 8;
    private static final int WIDEST_KEY = 60;

    /** From here the server warns too: what is full refuses writes. */
    private static final double NEARLY_FULL = 0.8;

    /**
     * @param block what bars are made of
     */
    record Style(boolean colour, char block) {
        String alarm(String text) {
            return colour ? "\u001b[31m" + text + "\u001b[0m" : text;
        }

        String bar(double share) {
            int length = (int) Math.round(Math.clamp(share, 0, 1) * BAR);
            return Character.toString(block).repeat(share > 0 ? Math.max(1, length) : 0);
        }
    }

    private record Key(long range, Answer answer) {}

    private final Answer report;
    private final List<Answer> partitions;
    private final int keys;
    private final Style style;

    PartitionsView(Answer report, int keys, Style style) {
        this.report = report;
        this.partitions = report.objects("partitions");
        this.keys = keys;
        this.style = style;
    }

    /** Items and index, which is what limits and splits go by. */
    static long bytes(Answer partition) {
        return partition.integer("itemBytes") + partition.integer("indexBytes");
    }

    void print(PrintWriter out) {
        heading(out);
        failures(out);
        storage(out);
        requests(out);
        if (keys > 0) {
            largest(out);
            hottest(out);
        }
        events(out);
    }

    private void heading(PrintWriter out) {
        out.println(
                report.text("database")
                        + "/"
                        + report.text("container")
                        + ": "
                        + (report.find("throughput").isPresent()
                                ? ThroughputCommand.describe(report.object("throughput")) + ", "
                                : "")
                        + new Count(partitions.size(), "physical partition")
                        + ", "
                        + new Count(sum("items"), "item")
                        + ", "
                        + size(sum("itemBytes") + sum("indexBytes")));
        if (report.find("fault").isPresent()) {
            out.println(
                    style.alarm(
                            "A fault is set: "
                                    + LabCommand.describe(report.object("fault"))
                                    + "."));
        }
    }

    /** A partition that has failed takes no writes until it is repaired. */
    private void failures(PrintWriter out) {
        for (Answer each : partitions) {
            if (each.find("failure").isPresent()) {
                out.println(
                        style.alarm(
                                "Range "
                                        + each.integer("id")
                                        + " has failed and takes no writes: "
                                        + each.text("failure")
                                        + ". Its items can be read. `orrery repair` lets it take"
                                        + " writes again, without what failed."));
            }
        }
    }

    private void storage(PrintWriter out) {
        long most = partitions.stream().mapToLong(PartitionsView::bytes).max().orElse(0);
        out.println();
        row(
                out,
                "%5s  %-12s %-9s %-9s %12s %9s",
                "range",
                "parents",
                "from",
                "to",
                "items",
                "bytes");
        for (Answer each : partitions) {
            row(
                    out,
                    "%5d  %-12s %-9s %-9s %12d %9s  %s",
                    each.integer("id"),
                    parents(each.integers("parents")),
                    edge(each.text("min"), "00"),
                    edge(each.text("max"), "FF"),
                    each.integer("items"),
                    size(bytes(each)),
                    style.bar(most == 0 ? 0 : (double) bytes(each) / most));
        }
        Skew skew = Skew.of(report);
        if (partitions.size() > 1) {
            row(out, "The largest range holds %.2f times the mean of the ranges.", skew.ofRanges());
        }
    }

    private void requests(PrintWriter out) {
        out.println();
        row(
                out,
                "%5s  %9s %11s %11s %12s %9s %8s  %s",
                "range",
                "RU/s",
                "last second",
                "minute",
                "hour",
                "429s/min",
                "/hour",
                "last second of the budget");
        for (Answer each : partitions) {
            Answer second = each.object("lastSecond");
            Answer minute = each.object("lastMinute");
            Answer hour = each.object("lastHour");
            double budget = each.number("budgetRu");
            String refused = String.format(Locale.ROOT, "%9s %8s", refused(minute), refused(hour));
            row(
                    out,
                    "%5d  %9s %11.2f %11.2f %12.2f %s  %s",
                    each.integer("id"),
                    budget == 0 ? "-" : plain(budget) + (each.flag("sharesBudget") ? "*" : ""),
                    second.number("ru"),
                    minute.number("ru"),
                    hour.number("ru"),
                    hour.integer("refused") > 0 ? style.alarm(refused) : refused,
                    style.bar(budget == 0 ? 0 : second.number("ru") / budget));
        }
        if (partitions.stream().anyMatch(each -> each.flag("sharesBudget"))) {
            out.println("* shared with other containers of the database");
        }
    }

    private void largest(PrintWriter out) {
        List<Key> largest = top("largestKeys", "bytes");
        out.println();
        row(out, "%5s  %9s %9s   %s", "range", "bytes", "of limit", "keys with most bytes");
        double most = largest.isEmpty() ? 0 : largest.getFirst().answer().number("bytes");
        for (Key key : largest) {
            double share = key.answer().number("shareOfLimit");
            boolean isNearlyFull = share >= NEARLY_FULL;
            String line =
                    String.format(
                            Locale.ROOT,
                            "%5d  %9s %8.1f%% %s %s  %s",
                            key.range(),
                            size((long) key.answer().number("bytes")),
                            share * 100,
                            isNearlyFull ? "!" : " ",
                            padded(key, largest),
                            style.bar(most == 0 ? 0 : key.answer().number("bytes") / most));
            out.println(isNearlyFull ? style.alarm(line) : line);
        }
        if (largest.isEmpty()) {
            out.println("       none has been written since the server started");
        }
    }

    private void hottest(PrintWriter out) {
        List<Key> hottest = top("hottestKeys", "ru");
        out.println();
        row(out, "%5s  %9s   %s", "range", "RU", "keys with most request units lately");
        double most = hottest.isEmpty() ? 0 : hottest.getFirst().answer().number("ru");
        for (Key key : hottest) {
            double ru = key.answer().number("ru");
            row(
                    out,
                    "%5d  %9.2f   %s  %s",
                    key.range(),
                    ru,
                    padded(key, hottest),
                    style.bar(most == 0 ? 0 : ru / most));
        }
        if (hottest.isEmpty()) {
            out.println("       none");
        }
    }

    private void events(PrintWriter out) {
        List<Answer> events = report.objects("events");
        if (events.isEmpty()) {
            return;
        }
        out.println();
        row(out, "%-24s  %8s  %-12s %s", "splits and merges", "took", "reason", "ranges");
        for (Answer event : events) {
            row(
                    out,
                    "%-24s  %5d ms  %-12s %s -> %s",
                    event.text("time"),
                    event.integer("durationMillis"),
                    event.text("reason"),
                    list(event.integers("before")),
                    list(event.integers("after")));
        }
    }

    private List<Key> top(String list, String amount) {
        return partitions.stream()
                .flatMap(
                        each ->
                                each.objects(list).stream()
                                        .map(key -> new Key(each.integer("id"), key)))
                .sorted(
                        Comparator.comparingDouble((Key key) -> key.answer().number(amount))
                                .reversed())
                .limit(keys)
                .toList();
    }

    /** The key as JSON, as wide as the widest beside it, so that the bars begin at one place. */
    private static String padded(Key key, List<Key> all) {
        int width = all.stream().mapToInt(each -> text(each).length()).max().orElse(0);
        String text = text(key);
        return text + " ".repeat(Math.min(width, WIDEST_KEY) - Math.min(text.length(), WIDEST_KEY));
    }

    private static String text(Key key) {
        return JsonText.write(key.answer().value("key"));
    }

    private long sum(String member) {
        return partitions.stream().mapToLong(each -> each.integer(member)).sum();
    }

    private static void row(PrintWriter out, String format, Object... cells) {
        out.println(String.format(Locale.ROOT, format, cells).stripTrailing());
    }

    /** The last of a long line of ancestors are the ones that tell something. */
    private static String parents(List<Long> ancestors) {
        String all = list(ancestors);
        return all.length() <= 12 ? all : ".." + all.substring(all.length() - 10);
    }

    private static String list(List<Long> ranges) {
        return ranges.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String edge(String hex, String whenEmpty) {
        if (hex.isEmpty()) {
            return whenEmpty;
        }
        return hex.length() <= EDGE ? hex : hex.substring(0, EDGE);
    }

    private static String refused(Answer traffic) {
        long refused = traffic.integer("refused");
        long all = traffic.integer("requests") + refused;
        return refused == 0 ? "-" : String.format(Locale.ROOT, "%.1f%%", 100.0 * refused / all);
    }

    private static String plain(double number) {
        return number == Math.rint(number)
                ? Long.toString((long) number)
                : String.format(Locale.ROOT, "%.1f", number);
    }

    /** Three digits or so, in the unit that gives them. */
    static String size(long bytes) {
        String[] units = {"B", "KB", "MB", "GB", "TB"};
        int unit = 0;
        double amount = (double) bytes;
        while (amount >= 1024 && unit < units.length - 1) {
            amount /= 1024;
            unit++;
        }
        return unit == 0
                ? String.format(Locale.ROOT, "%.0f B", amount)
                : String.format(Locale.ROOT, "%.1f %s", amount, units[unit]);
    }
}
