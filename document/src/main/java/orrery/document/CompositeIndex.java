package orrery.document;

import java.util.List;
import orrery.model.Bytes;

/** Several paths indexed as one term, for filters and orders over all of them. */
public record CompositeIndex(List<Member> members) {
    private static final int ASCENDING = 0x01;
    private static final int DESCENDING = 0x02;

    public record Member(IndexPath path, boolean descending) {}

    public CompositeIndex {
        members = List.copyOf(members);
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
            out.put(member.descending() ? DESCENDING : ASCENDING);
        }
        return out.put(IndexPathCodec.END).toBytes();
    }
}
