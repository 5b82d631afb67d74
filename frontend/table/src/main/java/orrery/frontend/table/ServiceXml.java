package orrery.frontend.table;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.model.Bytes;
import orrery.model.resource.TableServiceProperties;
import orrery.model.resource.TableServiceProperties.CorsRule;
import orrery.model.resource.TableServiceProperties.Logging;
import orrery.model.resource.TableServiceProperties.Metrics;
import orrery.model.resource.TableServiceProperties.Retention;

/** Reads and writes the properties of the Table service. */
final class ServiceXml {
    private static final int MAX_DAYS = 365;

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
        return new Logging(
                element.required("Version"),
                flag(element, "Delete"),
                flag(element, "Read"),
                flag(element, "Write"),
                retention(element));
    }

    private static Metrics metrics(XmlElement element) {
        element.allow(Set.of("Version", "Enabled", "IncludeAPIs", "RetentionPolicy"));
        boolean enabled = flag(element, "Enabled");
        Optional<Boolean> includesApis = element.flag("IncludeAPIs");
        if (enabled && includesApis.isEmpty()) {
            throw XmlElement.invalid(element.name() + " lacks IncludeAPIs.");
        }
        return new Metrics(element.required("Version"), enabled, includesApis, retention(element));
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
        boolean enabled = flag(element.get(), "Enabled");
        Optional<Integer> days = element.get().text("Days").map(text -> number(text, MAX_DAYS));
        if (enabled && days.filter(count -> count > 0).isEmpty()) {
            throw XmlElement.invalid("RetentionPolicy needs 1 to " + MAX_DAYS + " Days.");
        }
        return new Retention(enabled, days);
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
        if (element.children().size() > TableServiceProperties.MOST_CORS_RULES) {
            throw XmlElement.invalid(
                    "There are at most " + TableServiceProperties.MOST_CORS_RULES + " rules.");
        }
        return element.children().stream().map(ServiceXml::rule).toList();
    }

    private static CorsRule rule(XmlElement element) {
        if (!element.name().equals("CorsRule")) {
            throw XmlElement.invalid("Cors has no " + element.name() + ".");
        }
        element.allow(
                Set.of(
                        "AllowedOrigins",
                        "AllowedMethods",
                        "AllowedHeaders",
                        "ExposedHeaders",
                        "MaxAgeInSeconds"));
        return new CorsRule(
                element.required("AllowedOrigins"),
                element.required("AllowedMethods"),
                element.text("AllowedHeaders").orElse(""),
                element.text("ExposedHeaders").orElse(""),
                number(element.required("MaxAgeInSeconds"), Integer.MAX_VALUE));
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
