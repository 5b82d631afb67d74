package orrery.cluster.catalog;

import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/** A change to stored procedures, triggers and user-defined functions. */
public sealed interface ScriptCommand extends CatalogCommand {
    record CreateScript(int container, ScriptDefinition definition) implements ScriptCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.CREATE_SCRIPT;
        }

        @Override
        public int sizeBytes() {
            return SMALL_BYTES + definition.body().length();
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container);
            definition.write(out);
        }

        static CreateScript read(BinaryReader in) {
            return new CreateScript(in.u32(), ScriptDefinition.read(in));
        }
    }

    record ReplaceScript(int script, ScriptDefinition definition, Precondition precondition)
            implements ScriptCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.REPLACE_SCRIPT;
        }

        @Override
        public int sizeBytes() {
            return SMALL_BYTES + definition.body().length();
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(script);
            definition.write(out);
            Precondition.write(out, precondition);
        }

        static ReplaceScript read(BinaryReader in) {
            return new ReplaceScript(in.u32(), ScriptDefinition.read(in), Precondition.read(in));
        }
    }

    record DeleteScript(int script, Precondition precondition) implements ScriptCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.DELETE_SCRIPT;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(script);
            Precondition.write(out, precondition);
        }

        static DeleteScript read(BinaryReader in) {
            return new DeleteScript(in.u32(), Precondition.read(in));
        }
    }
}
