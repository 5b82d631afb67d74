package orrery.frontend.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.model.Bytes;
import orrery.model.resource.StoredAccessPolicy;

/** Reads and writes the stored access policies of a table. */
final class PoliciesXml {
    private PoliciesXml() {}

    static List<StoredAccessPolicy> read(Bytes body) {
        if (body.isEmpty()) {
            return List.of();
        }
        XmlElement root = XmlElement.parse(body);
        if (!root.name().equals("SignedIdentifiers")) {
            throw XmlElement.invalid("The document is not SignedIdentifiers.");
        }
        List<StoredAccessPolicy> policies = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (XmlElement child : root.list("SignedIdentifier", StoredAccessPolicy.MOST)) {
            StoredAccessPolicy policy = policy(child);
            if (!ids.add(policy.id())) {
                throw XmlElement.invalid("Two access policies have the same id.");
            }
            policies.add(policy);
        }
        return policies;
    }

    private static StoredAccessPolicy policy(XmlElement element) {
        element.allow(Set.of("Id", "AccessPolicy"));
        String id = element.required("Id");
        if (id.isEmpty() || id.length() > StoredAccessPolicy.MAX_ID) {
            throw XmlElement.invalid(
                    "An id has 1 to " + StoredAccessPolicy.MAX_ID + " characters.");
        }
        Optional<XmlElement> policy = element.child("AccessPolicy");
        policy.ifPresent(one -> one.allow(Set.of("Start", "Expiry", "Permission")));
        return new StoredAccessPolicy(
                id,
                policy.flatMap(one -> time(one, "Start")),
                policy.flatMap(one -> time(one, "Expiry")),
                policy.flatMap(one -> one.text("Permission")).map(PoliciesXml::permissions));
    }

    private static Optional<String> time(XmlElement policy, String name) {
        Optional<String> text = policy.text(name);
        if (text.isPresent() && TableTime.parse(text.get()).isEmpty()) {
            throw XmlElement.invalid(name + " is not a time in ISO 8601 form.");
        }
        return text;
    }

    private static String permissions(String letters) {
        if (!letters.matches("[raud]+")) {
            throw XmlElement.invalid("Permission has other letters than r, a, u and d.");
        }
        return letters;
    }

    static Bytes write(List<StoredAccessPolicy> policies) {
        StringBuilder out = new StringBuilder(XmlText.HEAD).append("<SignedIdentifiers>");
        for (StoredAccessPolicy policy : policies) {
            out.append("<SignedIdentifier>")
                    .append(XmlText.element("Id", policy.id()))
                    .append("<AccessPolicy>");
            policy.start().ifPresent(text -> out.append(XmlText.element("Start", text)));
            policy.expiry().ifPresent(text -> out.append(XmlText.element("Expiry", text)));
            policy.permissions().ifPresent(text -> out.append(XmlText.element("Permission", text)));
            out.append("</AccessPolicy></SignedIdentifier>");
        }
        return Bytes.ofUtf8(out.append("</SignedIdentifiers>").toString());
    }
}
