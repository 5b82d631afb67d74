package orrery.cluster.catalog;

import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.resource.TableServiceProperties;

/** A change to what only tables have. */
public sealed interface TableCommand extends CatalogCommand {
    /** Puts these policies in the place of all that the table has. */
    record SetTablePolicies(int container, List<StoredAccessPolicy> policies)
            implements TableCommand {
        public SetTablePolicies {
            policies = List.copyOf(policies);
        }

        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.SET_TABLE_POLICIES;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container).list(policies, (w, policy) -> policy.write(w));
        }

        static SetTablePolicies read(BinaryReader in) {
            return new SetTablePolicies(in.u32(), in.list(StoredAccessPolicy::read));
        }
    }

    record SetTableService(TableServiceProperties properties) implements TableCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.SET_TABLE_SERVICE;
        }

        @Override
        public void write(BinaryWriter out) {
            properties.write(out);
        }

        static SetTableService read(BinaryReader in) {
            return new SetTableService(TableServiceProperties.read(in));
        }
    }
}
