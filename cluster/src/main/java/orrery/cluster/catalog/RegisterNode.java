package orrery.cluster.catalog;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A node says what it is, at its first start and whenever that has changed. The first node of an
 * account makes the first set, too.
 */
public record RegisterNode(NodeRecord node) implements CatalogCommand {
    @Override
    public CatalogCommandKind kind() {
        return CatalogCommandKind.REGISTER_NODE;
    }

    @Override
    public void write(BinaryWriter out) {
        node.write(out);
    }

    static RegisterNode read(BinaryReader in) {
        return new RegisterNode(NodeRecord.read(in));
    }
}
