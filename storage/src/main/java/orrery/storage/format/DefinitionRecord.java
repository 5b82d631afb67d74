package orrery.storage.format;

import java.util.List;
import orrery.model.ContainerDefinition;
import orrery.model.TermRules;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The definitions a partition knows, oldest first. More than one only while items indexed under an
 * older policy are still being re-indexed: their entries can be found only with that policy.
 */
public record DefinitionRecord(List<Version> versions, Extensions extensions) {
    private static final int VERSION = 4;

    /**
     * One definition with the limits in force under it.
     *
     * @param version the definition version that brought this indexing policy; later versions that
     *     leave the policy alone replace the rest and keep the number, because items name it
     * @param logicalPartitionMaxBytes writes that would take a key past this are refused
     * @param partitionMaxBytes writes that would take the partition past this are refused, because
     *     it never splits; 0 where it does
     * @param terms by which the index terms of its items are made; the level that was in force when
     *     the policy came decides. Commands do not have them
     */
    public record Version(
            int version,
            ContainerDefinition definition,
            long logicalPartitionMaxBytes,
            long partitionMaxBytes,
            TermRules terms) {
        /** A definition as commands have it. */
        public Version(
                int version,
                ContainerDefinition definition,
                long logicalPartitionMaxBytes,
                long partitionMaxBytes) {
            this(version, definition, logicalPartitionMaxBytes, partitionMaxBytes, TermRules.FIRST);
        }

        /** A definition of a partition that splits when it is full. */
        public Version(int version, ContainerDefinition definition, long logicalPartitionMaxBytes) {
            this(version, definition, logicalPartitionMaxBytes, 0);
        }

        /** The same definition, whose terms are made by other rules. */
        public Version withTerms(TermRules rules) {
            return new Version(
                    version, definition, logicalPartitionMaxBytes, partitionMaxBytes, rules);
        }
    }

    public DefinitionRecord {
        versions = List.copyOf(versions);
    }

    /** The record of a partition that was just made. */
    public DefinitionRecord(Version first) {
        this(List.of(first), Extensions.NONE);
    }

    /** The same record once the partition knows other versions. */
    public DefinitionRecord with(List<Version> others) {
        return new DefinitionRecord(others, extensions);
    }

    public Version current() {
        return versions.getLast();
    }

    public byte[] encode() {
        BinaryWriter out = new BinaryWriter(256);
        RecordHeader.write(out, VERSION, Extensions.headerBytes(RecordHeader.BYTES, extensions));
        return out.raw(extensions.encoded())
                .list(
                        versions,
                        (w, version) -> {
                            w.u32(version.version());
                            version.definition().write(w);
                            w.u64(version.logicalPartitionMaxBytes())
                                    .u64(version.partitionMaxBytes());
                            version.terms().write(w);
                        })
                .toArray();
    }

    public static DefinitionRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        Extensions extensions =
                RecordHeader.read(in, VERSION, "a definition record").extensions(in);
        DefinitionRecord record =
                new DefinitionRecord(
                        in.list(
                                r ->
                                        new Version(
                                                r.u32(),
                                                ContainerDefinition.read(r),
                                                r.u64(),
                                                r.u64(),
                                                TermRules.read(r))),
                        extensions);
        in.expectEnd();
        if (record.versions().isEmpty()) {
            throw new MalformedRecordException("a definition record holds no definition");
        }
        return record;
    }
}
