package orrery.cluster.catalog;

import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A replica set and the nodes that carry its log.
 *
 * @param epoch grows with each change of the members; 0 until the first
 */
public record SetRecord(int number, long epoch, List<Member> members) {
    /** The set that an account begins with. */
    public static final int FIRST = 0;

    static final int VERSION = 1;

    /** More roles come with more members. */
    public enum Role {
        VOTER
    }

    public record Member(int node, Role role) {}

    public SetRecord {
        members = List.copyOf(members);
    }

    /** The set that a node makes which is alone. */
    public static SetRecord founded(int node) {
        return new SetRecord(FIRST, 0, List.of(new Member(node, Role.VOTER)));
    }

    public boolean hasMember(int node) {
        return members.stream().anyMatch(member -> member.node() == node);
    }

    void write(BinaryWriter out) {
        out.u32(number)
                .u64(epoch)
                .list(members, (w, member) -> w.u32(member.node()).enumeration(member.role()));
    }

    static SetRecord read(BinaryReader in) {
        return new SetRecord(
                in.u32(), in.u64(), in.list(r -> new Member(r.u32(), r.enumeration(Role.class))));
    }
}
