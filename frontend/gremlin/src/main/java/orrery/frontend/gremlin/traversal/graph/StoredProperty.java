package orrery.frontend.gremlin.traversal.graph;

import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/** A property of an edge or of a property. */
final class StoredProperty<V> implements Property<V> {
    private final Element owner;
    private final String key;
    private final V value;
    private final Runnable removal;

    StoredProperty(Element owner, String key, V value, Runnable removal) {
        this.owner = owner;
        this.key = key;
        this.value = value;
        this.removal = removal;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public V value() throws NoSuchElementException {
        return value;
    }

    @Override
    public boolean isPresent() {
        return true;
    }

    @Override
    public Element element() {
        return owner;
    }

    @Override
    public void remove() {
        removal.run();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return ElementHelper.areEqual(this, other);
    }

    @Override
    public int hashCode() {
        return ElementHelper.hashCode(this);
    }

    @Override
    public String toString() {
        return StringFactory.propertyString(this);
    }
}
