package orrery.document;

import java.util.List;
import orrery.model.Bytes;

/**
 * Several paths indexed as one term, for filters and orders over all of them.
 *
 * @param order of the types of their values
 */
public record CompositeIndex(List<Member> members, TypeOrder order) {
    private static final int ASCENDING = 0x01;
    private static final int DESCENDING = 0x02;

    /** Set in the byte of the direction where types are in MongoDB's order. */
    private static final int OF_MONGODB = 0x10;

    public record Member(IndexPath path, boolean descending) {}

    public CompositeIndex {
        members = List.copyOf(members);
    }

    /** One in the order of SQL. */
    public CompositeIndex(List<Member> members) {
        this(members, TypeOrder.SQL);
    }

    /**
     * Returns the beginning of every term of this index; the values of the members follow, those of
     * descending members with all bits flipped. Made from the definition and not from its place in
     * the policy, so that terms stay valid when other composites come and go.
     */
    public Bytes termPrefix() {
        ByteSink out = new ByteSink();
        out.put(IndexPathCodec.COMPOSITE);
        for (Member member : members) {
            out.put(IndexPathCodec.encode(member.path()));
            out.put(orderFlag() | (member.descending() ? DESCENDING : ASCENDING));
        }
        return out.put(IndexPathCodec.END).toBytes();
    }

    private int orderFlag() {
        return switch (order) {
            case SQL -> 0;
            case MONGODB -> OF_MONGODB;
        };
    }

    /** Appends the value of a member in the form that it has in a term. */
    void putValue(ByteSink term, Member member, byte[] value) {
        int start = term.length();
        term.put(order.place(value[0]));
        term.put(value, 1, value.length - 1);
        if (member.descending()) {
            term.complementFrom(start);
        }
    }
}
