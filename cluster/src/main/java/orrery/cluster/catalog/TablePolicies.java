package orrery.cluster.catalog;

import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.resource.StoredAccessPolicy;

/** The record of the stored access policies of one table; a table without any has no record. */
record TablePolicies(List<StoredAccessPolicy> policies) {
    static final int VERSION = 1;

    TablePolicies {
        policies = List.copyOf(policies);
    }

    void write(BinaryWriter out) {
        out.list(policies, (w, policy) -> policy.write(w));
    }

    static TablePolicies read(BinaryReader in) {
        return new TablePolicies(in.list(StoredAccessPolicy::read));
    }
}
