package orrery.cluster.catalog;

import java.util.List;
import java.util.UUID;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The account among all accounts.
 *
 * @param id the one that the stores of the account name too
 * @param incarnation grows when the account is restored from a backup, so that what clients kept
 *     from before is not taken for its own
 * @param regions empty while there is only one
 */
public record AccountIdentity(UUID id, int incarnation, List<Region> regions) {
    public static final AccountIdentity NONE = first(new UUID(0, 0));

    /**
     * @param number in the upper bits of docids, and in origins
     */
    public record Region(int number, String name) {}

    public AccountIdentity {
        regions = List.copyOf(regions);
    }

    /** A new account. */
    public static AccountIdentity first(UUID id) {
        return new AccountIdentity(id, 1, List.of());
    }

    void write(BinaryWriter out) {
        out.u64(id.getMostSignificantBits())
                .u64(id.getLeastSignificantBits())
                .u32(incarnation)
                .list(regions, (w, region) -> w.u8(region.number()).string(region.name()));
    }

    static AccountIdentity read(BinaryReader in) {
        return new AccountIdentity(
                new UUID(in.u64(), in.u64()),
                in.u32(),
                in.list(r -> new Region(r.u8(), r.string())));
    }
}
