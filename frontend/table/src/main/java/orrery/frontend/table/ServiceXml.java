package orrery.frontend.table;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import orrery.model.Bytes;
import orrery.model.resource.TableServiceProperties;
import orrery.model.resource.TableServiceProperties.CorsRule;
import orrery.model.resource.TableServiceProperties.Logging;
import orrery.model.resource.TableServiceProperties.Metrics;
import orrery.model.resource.TableServiceProperties.Retention;

/** Reads and writes the properties of the Table service. */
final class ServiceXml {
    private static final int MAX_DAYS = 365;
    private static final int MAX_NAMES = 64;
    private static final int MAX_NAME = 256;
    private static final Set<String> METHODS =
            Set.of("DELETE", "GET", "HEAD", "MERGE", "PATCH", "POST", "OPTIONS", "PUT");

    private ServiceXml() {}

    /** Returns the properties with those changed that a document names; the others stay. */
    static TableServiceProperties read(Bytes body, TableServiceProperties before) {
        XmlElement root = XmlElement.parse(body);
        if (!root.name().equals("StorageServiceProperties")) {
            throw XmlElement.invalid("The document is not StorageServiceProperties.");
        }
        // Every answer has the version that its request asks for, so there is no default to set.
        root.allow(Set.of("Logging", "HourMetrics", "MinuteMetrics", "Metrics", "Cors"));
        return new TableServiceProperties(
                root.child("Logging").map(ServiceXml::logging).orElse(before.logging()),
                root.child("HourMetrics")
                        // The name of old versions.
                        .or(() -> root.child("Metrics"))
                        .map(ServiceXml::metrics)
                        .orElse(before.hour()),
                root.child("MinuteMetrics").map(ServiceXml::metrics).orElse(before.minute()),
                root.child("Cors").map(ServiceXml::cors).orElse(before.cors()));
    }

    private static Logging logging(XmlElement element) {
        element.allow(Set.of("Version", "Delete", "Read", "Write", "RetentionPolicy"));
        boolean isOn =
                Stream.of("Delete", "Read", "Write")
                        .map(name -> flag(element, name))
                        .reduce(false, Boolean::logicalOr);
        if (isOn) {
            throw notThere(
                    "Requests are not logged for the service properties. Start the server with"
                            + " --log-requests; the audit log has all changes but those of"
                            + " entities.");
        }
        return new Logging(element.required("Version"), false, false, false, retention(element));
    }

    private static Metrics metrics(XmlElement element) {
        element.allow(Set.of("Version", "Enabled", "IncludeAPIs", "RetentionPolicy"));
        if (flag(element, "Enabled")) {
            throw notThere(
                    "Metrics are not written to tables. The server shows them at /metrics of its"
                            + " status port.");
        }
        return new Metrics(
                element.required("Version"),
                false,
                element.flag("IncludeAPIs"),
                retention(element));
    }

    /** Refuses to turn on what would be kept and have no effect. */
    private static TableException notThere(String detail) {
        return TableException.of(TableErrorCode.NOT_IMPLEMENTED, detail);
    }

    private static boolean flag(XmlElement element, String name) {
        return element.flag(name)
                .orElseThrow(() -> XmlElement.invalid(element.name() + " lacks " + name + "."));
    }

    private static Retention retention(XmlElement owner) {
        Optional<XmlElement> element = owner.child("RetentionPolicy");
        if (element.isEmpty()) {
            return Retention.NONE;
        }
        element.get().allow(Set.of("Enabled", "Days"));
        if (flag(element.get(), "Enabled")) {
            throw notThere("There are no logs and metrics of the service to keep for some days.");
        }
        Optional<Integer> days = element.get().text("Days").map(text -> number(text, MAX_DAYS));
        return new Retention(false, days);
    }

    private static int number(String text, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Falls through to the sentence that says what is wanted.
        }
        throw XmlElement.invalid("'" + text + "' is not a number up to " + most + ".");
    }

    private static List<CorsRule> cors(XmlElement element) {
        return element.list("CorsRule", TableServiceProperties.MOST_CORS_RULES).stream()
                .map(ServiceXml::rule)
                .toList();
    }

    private static CorsRule rule(XmlElement element) {
        element.allow(
                Set.of(
                        "AllowedOrigins",
                        "AllowedMethods",
                        "AllowedHeaders",
                        "ExposedHeaders",
                        "MaxAgeInSeconds"));
        String methods = names(element, "AllowedMethods");
        if (methods.isEmpty()
                || !CorsRules.names(methods)
                        .allMatch(name -> METHODS.contains(name.toUpperCase(Locale.ROOT)))) {
            throw XmlElement.invalid(
                    "AllowedMethods is a list of "
                            + String.join(", ", new TreeSet<>(METHODS))
                            + ".");
        }
        String origins = names(element, "AllowedOrigins");
        if (origins.isEmpty()) {
            throw XmlElement.invalid("AllowedOrigins is a list of origins, or *.");
        }
        return new CorsRule(
                origins,
                methods,
                names(element, "AllowedHeaders"),
                names(element, "ExposedHeaders"),
                number(element.required("MaxAgeInSeconds"), Integer.MAX_VALUE));
    }

    /** A list of names, as it was written. They end up in headers of replies. */
    private static String names(XmlElement rule, String list) {
        String text = rule.text(list).orElse("");
        if (CorsRules.names(text).count() > MAX_NAMES
                || CorsRules.names(text).anyMatch(name -> !isName(name))) {
            throw XmlElement.invalid(
                    list
                            + " has up to "
                            + MAX_NAMES
                            + " names of up to "
                            + MAX_NAME
                            + " characters, with commas between them.");
        }
        return text;
    }

    private static boolean isName(String name) {
        return name.length() <= MAX_NAME && name.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }

    static Bytes write(TableServiceProperties properties) {
        StringBuilder out = new StringBuilder(XmlText.HEAD).append("<StorageServiceProperties>");
        Logging logging = properties.logging();
        out.append("<Logging>")
                .append(XmlText.element("Version", logging.version()))
                .append(XmlText.element("Delete", logging.delete()))
                .append(XmlText.element("Read", logging.read()))
                .append(XmlText.element("Write", logging.write()));
        write(out, logging.retention());
        out.append("</Logging>");
        write(out, "HourMetrics", properties.hour());
        write(out, "MinuteMetrics", properties.minute());
        out.append("<Cors>");
        for (CorsRule rule : properties.cors()) {
            out.append("<CorsRule>")
                    .append(XmlText.element("AllowedOrigins", rule.allowedOrigins()))
                    .append(XmlText.element("AllowedMethods", rule.allowedMethods()))
                    .append(XmlText.element("MaxAgeInSeconds", rule.maxAgeSeconds()))
                    .append(XmlText.element("ExposedHeaders", rule.exposedHeaders()))
                    .append(XmlText.element("AllowedHeaders", rule.allowedHeaders()))
                    .append("</CorsRule>");
        }
        return Bytes.ofUtf8(out.append("</Cors></StorageServiceProperties>").toString());
    }

    private static void write(StringBuilder out, String name, Metrics metrics) {
        out.append('<')
                .append(name)
                .append('>')
                .append(XmlText.element("Version", metrics.version()))
                .append(XmlText.element("Enabled", metrics.enabled()));
        metrics.includeApis().ifPresent(on -> out.append(XmlText.element("IncludeAPIs", on)));
        write(out, metrics.retention());
        out.append("</").append(name).append('>');
    }

    private static void write(StringBuilder out, Retention retention) {
        out.append("<RetentionPolicy>").append(XmlText.element("Enabled", retention.enabled()));
        retention.days().ifPresent(days -> out.append(XmlText.element("Days", days)));
        out.append("</RetentionPolicy>");
    }
}
