package orrery.tests.runner;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads the reports that Surefire leaves, one file for each class. */
final class Reports {
    private static final Set<String> ELSEWHERE = Set.of("node_modules", ".git", "dist", "src");

    private static final Pattern REPORT =
            Pattern.compile("(.*)/target/surefire-reports/TEST-[^/]*\\.xml");

    /** A character that XML 1.0 leaves out, or a reference to any character by its number. */
    private static final Pattern NOT_IN_XML =
            Pattern.compile(
                    "[^\\t\\n\\r\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]"
                            + "|&#(x[0-9a-fA-F]+|[0-9]+);");

    private Reports() {}

    private static String unix(Path file) {
        return file.toString().replace('\\', '/');
    }

    /** Deletes the reports of earlier runs, so that all that are there later are new. */
    static void clear(Path root, Predicate<String> modules) throws IOException {
        for (Path file : files(root)) {
            if (moduleOf(root, file).filter(modules).isPresent()) {
                Files.delete(file);
            }
        }
    }

    static List<TestResult> read(Path root, Predicate<String> modules) throws IOException {
        List<TestResult> results = new ArrayList<>();
        for (Path file : files(root)) {
            Optional<String> module = moduleOf(root, file).filter(modules);
            if (module.isPresent()) {
                results.addAll(readFile(module.get(), file));
            }
        }
        return results;
    }

    private static Optional<String> moduleOf(Path root, Path file) {
        Matcher place = REPORT.matcher(unix(root.relativize(file)));
        return place.matches() ? Optional.of(place.group(1)) : Optional.empty();
    }

    private static List<Path> files(Path below) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(
                below,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path directory, BasicFileAttributes attributes) {
                        return ELSEWHERE.contains(String.valueOf(directory.getFileName()))
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (REPORT.matcher(unix(file)).matches()) {
                            found.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException gone) {
                        // Tests that run make and delete files.
                        return FileVisitResult.CONTINUE;
                    }
                });
        return found;
    }

    private static List<TestResult> readFile(String module, Path file) throws IOException {
        List<TestResult> results = new ArrayList<>();
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        String text = readable(Files.readAllBytes(file));
        try {
            XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(text));
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT
                        && xml.getLocalName().equals("testcase")) {
                    results.add(readCase(module, xml));
                }
            }
        } catch (XMLStreamException e) {
            throw new IOException("The report " + file + " is not complete.", e);
        }
        return results;
    }

    /**
     * Tests print any character, and a report repeats it. XML has no place for some of them, so
     * each of those becomes a replacement character.
     */
    private static String readable(byte[] report) {
        String text = new String(report, StandardCharsets.UTF_8);
        return NOT_IN_XML
                .matcher(text)
                .replaceAll(
                        found ->
                                isInXml(found)
                                        ? Matcher.quoteReplacement(found.group())
                                        : "\uFFFD");
    }

    /** Returns true for a reference to a character that XML has a place for. */
    private static boolean isInXml(MatchResult found) {
        String number = found.group(1);
        if (number == null) {
            return false;
        }
        boolean isHex = number.startsWith("x");
        try {
            int character =
                    Integer.parseInt(number, isHex ? 1 : 0, number.length(), isHex ? 16 : 10);
            return Character.isValidCodePoint(character)
                    && !NOT_IN_XML.matcher(Character.toString(character)).matches();
        } catch (NumberFormatException tooLarge) {
            return false;
        }
    }

    private static TestResult readCase(String module, XMLStreamReader xml)
            throws XMLStreamException {
        String suite = xml.getAttributeValue(null, "classname");
        String name = xml.getAttributeValue(null, "name");
        double seconds = Double.parseDouble(xml.getAttributeValue(null, "time").replace(",", ""));
        TestResult.Outcome outcome = TestResult.Outcome.PASSED;
        String failure = "";
        while (xml.next() != XMLStreamConstants.END_ELEMENT
                || !xml.getLocalName().equals("testcase")) {
            if (xml.getEventType() != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            switch (xml.getLocalName()) {
                case "skipped" -> outcome = TestResult.Outcome.SKIPPED;
                case "failure", "error" -> {
                    outcome = TestResult.Outcome.FAILED;
                    failure = xml.getElementText();
                }
                default -> {}
            }
        }
        return new TestResult(module, suite, name == null ? "" : name, seconds, outcome, failure);
    }
}
