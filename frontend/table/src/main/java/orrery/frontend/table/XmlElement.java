package orrery.frontend.table;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import orrery.model.Bytes;

/**
 * An element of a small document: children, or text.
 *
 * @param text without the blanks around it
 */
record XmlElement(String name, String text, List<XmlElement> children) {
    /** Service properties and policies are far smaller. */
    private static final int MAX_BYTES = 64 << 10;

    private static final int MAX_DEPTH = 16;

    XmlElement {
        children = List.copyOf(children);
    }

    /** Reads a document without DTDs and entities of its own, which could be anything. */
    static XmlElement parse(Bytes body) {
        if (body.length() > MAX_BYTES) {
            throw new TableException(TableErrorCode.REQUEST_BODY_TOO_LARGE);
        }
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            XMLStreamReader in =
                    factory.createXMLStreamReader(
                            new ByteArrayInputStream(body.unsafeArray().clone()));
            while (in.next() != XMLStreamConstants.START_ELEMENT) {
                if (in.getEventType() == XMLStreamConstants.DTD) {
                    throw invalid("It has a DTD.");
                }
            }
            XmlElement root = element(in, MAX_DEPTH);
            while (in.hasNext()) {
                in.next();
            }
            return root;
        } catch (XMLStreamException malformed) {
            throw invalid("It is not well-formed.");
        }
    }

    private static XmlElement element(XMLStreamReader in, int levelsLeft)
            throws XMLStreamException {
        if (levelsLeft == 0) {
            throw invalid("It is nested too deep.");
        }
        String name = in.getLocalName();
        StringBuilder text = new StringBuilder();
        List<XmlElement> children = new ArrayList<>();
        while (in.next() != XMLStreamConstants.END_ELEMENT) {
            switch (in.getEventType()) {
                case XMLStreamConstants.START_ELEMENT -> children.add(element(in, levelsLeft - 1));
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
                        text.append(in.getText());
                case XMLStreamConstants.ENTITY_REFERENCE -> throw invalid("It has an entity.");
                default -> {}
            }
        }
        XmlElement element = new XmlElement(name, text.toString().strip(), children);
        if (!element.text.isEmpty() && !children.isEmpty()) {
            throw invalid(name + " has a text beside its elements.");
        }
        return element;
    }

    Optional<XmlElement> child(String wanted) {
        return children.stream().filter(child -> child.name().equals(wanted)).findFirst();
    }

    /** The text of a child; one that is empty counts as absent. */
    Optional<String> text(String wanted) {
        return child(wanted).map(XmlElement::onlyText).filter(text -> !text.isEmpty());
    }

    private String onlyText() {
        if (!children.isEmpty()) {
            throw invalid(name + " has elements and should have a text.");
        }
        return text;
    }

    private void requireNoText() {
        if (!text.isEmpty()) {
            throw invalid(name + " has a text and should have elements.");
        }
    }

    /** The children of a list, all of which have one name. */
    List<XmlElement> list(String wanted, int most) {
        requireNoText();
        for (XmlElement child : children) {
            if (!child.name().equals(wanted)) {
                throw invalid(name + " has no " + child.name() + ".");
            }
        }
        if (children.size() > most) {
            throw invalid(name + " has at most " + most + " elements.");
        }
        return children;
    }

    String required(String wanted) {
        return child(wanted)
                .map(XmlElement::onlyText)
                .orElseThrow(() -> invalid(name + " lacks " + wanted + "."));
    }

    Optional<Boolean> flag(String wanted) {
        return text(wanted)
                .map(
                        text ->
                                switch (text) {
                                    case "true" -> true;
                                    case "false" -> false;
                                    default -> throw invalid(wanted + " must be true or false.");
                                });
    }

    /** Refuses elements that nobody knows, and those that stand twice, so that none is dropped. */
    void allow(Set<String> known) {
        requireNoText();
        for (XmlElement child : children) {
            if (!known.contains(child.name())) {
                throw invalid(name + " has no " + child.name() + ".");
            }
        }
        if (children.stream().map(XmlElement::name).distinct().count() < children.size()) {
            throw invalid(name + " has an element twice.");
        }
    }

    static TableException invalid(String detail) {
        return TableException.of(TableErrorCode.INVALID_XML, detail);
    }
}
