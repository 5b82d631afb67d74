package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

final class ResourceIdProperties {
    private static final long MAX_DOCID = (1L << 60) - 1;

    @Provide
    Arbitrary<String> nearlyRids() {
        return Arbitraries.strings()
                .withChars("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-/=")
                .ofMaxLength(30);
    }

    @Property
    void databaseReadsBack(@ForAll @IntRange(min = 1) int database) {
        ResourceId rid = ResourceId.ofDatabase(database);

        assertReadsBack(rid);
        assertThat(rid.database()).hasValue(database);
        assertThat(rid.container()).isEmpty();
        assertThat(rid.isDatabase()).isTrue();
    }

    @Property
    void containerReadsBack(
            @ForAll @IntRange(min = 1) int database, @ForAll @IntRange(min = 1) int container) {
        ResourceId rid = ResourceId.ofContainer(database, container);

        assertReadsBack(rid);
        assertThat(rid.database()).hasValue(database);
        assertThat(rid.container()).hasValue(container);
        assertThat(rid.docid()).isEmpty();
        assertThat(rid.isDatabase()).isFalse();
        assertThat(rid.isContainer()).isTrue();
    }

    @Property
    void itemReadsBack(
            @ForAll @IntRange(min = 1) int database,
            @ForAll @IntRange(min = 1) int container,
            @ForAll @LongRange(min = 0, max = MAX_DOCID) long docid) {
        ResourceId rid = ResourceId.ofItem(database, container, docid);

        assertReadsBack(rid);
        assertThat(rid.container()).hasValue(container);
        assertThat(rid.docid()).hasValue(docid);
        assertThat(rid.partition()).isEmpty();
    }

    @Property
    void partitionReadsBack(
            @ForAll @IntRange(min = 1) int database,
            @ForAll @IntRange(min = 1) int container,
            @ForAll @IntRange(max = PartitionId.MAX_RANGE) int range) {
        ResourceId rid = ResourceId.ofPartition(database, container, range);

        assertReadsBack(rid);
        assertThat(rid.partition()).hasValue(range);
        assertThat(rid.docid()).isEmpty();
    }

    @Property
    void scriptReadsBack(
            @ForAll @IntRange(min = 1) int database,
            @ForAll @IntRange(min = 1) int container,
            @ForAll @IntRange(min = 1) int script,
            @ForAll ScriptDefinition.Kind kind) {
        ResourceId rid = ResourceId.ofScript(database, container, script, kind);

        assertReadsBack(rid);
        assertThat(rid.container()).hasValue(container);
        assertThat(rid.isContainer()).isFalse();
        assertThat(rid.docid()).isEmpty();
        for (ScriptDefinition.Kind each : ScriptDefinition.Kind.values()) {
            assertThat(rid.script(each).isPresent()).isEqualTo(each == kind);
        }
        assertThat(rid.script(kind)).hasValue(script);
    }

    @Property
    void offerReadsBack(@ForAll @IntRange(min = 1, max = 0xFF_FFFF) int offer) {
        ResourceId rid = ResourceId.ofOffer(offer);

        assertReadsBack(rid);
        assertThat(rid.offer()).hasValue(offer);
        assertThat(rid.database()).isEmpty();
    }

    @Property
    void userReadsBack(
            @ForAll @IntRange(min = 1) int database, @ForAll @IntRange(min = 1) int user) {
        ResourceId rid = ResourceId.ofUser(database, user);

        assertReadsBack(rid);
        assertThat(rid.database()).hasValue(database);
        assertThat(rid.user()).hasValue(user);
        assertThat(rid.isUser()).isTrue();
        assertThat(rid.isContainer()).isFalse();
        assertThat(rid.container()).isEmpty();
    }

    @Property
    void permissionReadsBack(
            @ForAll @IntRange(min = 1) int database,
            @ForAll @IntRange(min = 1) int user,
            @ForAll @IntRange(min = 1) int permission) {
        ResourceId rid = ResourceId.ofPermission(database, user, permission);

        assertReadsBack(rid);
        assertThat(rid.user()).hasValue(user);
        assertThat(rid.permission()).hasValue(permission);
        assertThat(rid.clientEncryptionKey()).isEmpty();
        assertThat(rid.isUser()).isFalse();
        assertThat(rid.docid()).as("no item").isEmpty();
    }

    @Property
    void clientEncryptionKeyReadsBack(
            @ForAll @IntRange(min = 1) int database, @ForAll @IntRange(min = 1) int key) {
        ResourceId rid = ResourceId.ofClientEncryptionKey(database, key);

        assertReadsBack(rid);
        assertThat(rid.database()).hasValue(database);
        assertThat(rid.clientEncryptionKey()).hasValue(key);
        assertThat(rid.user()).isEmpty();
        assertThat(rid.permission()).isEmpty();
        assertThat(rid.docid()).as("no item").isEmpty();
    }

    @Property
    void garbageIsRefusedQuietly(@ForAll String text) {
        assertEmptyOrCanonical(text);
    }

    @Property
    void nearMissesAreRefusedQuietly(@ForAll("nearlyRids") String text) {
        assertEmptyOrCanonical(text);
    }

    @Example
    void otherSpellingsAreRefused() {
        assertThat(ResourceId.parse("AQAAAA==")).contains(ResourceId.ofDatabase(1));
        assertThat(ResourceId.parse("AQAAAIAAAAE=")).contains(ResourceId.ofContainer(1, 1));
        assertThat(ResourceId.parse("AQAAAA")).isEmpty(); // no padding
        assertThat(ResourceId.parse("AQAAAB==")).isEmpty(); // bits beyond the last byte
        assertThat(ResourceId.parse("//8=")).isEmpty(); // wrong alphabet and length
        assertThat(ResourceId.parse("AQAAAAA=")).isEmpty(); // five bytes
        assertThat(ResourceId.parse("====")).isEmpty();
        assertThat(ResourceId.parse("")).isEmpty();
    }

    @Example
    void linksAreThePathOfRids() {
        assertThat(ResourceId.ofDatabase(1).link()).isEqualTo("dbs/AQAAAA==/");
        assertThat(ResourceId.ofContainer(1, 1).link())
                .isEqualTo("dbs/AQAAAA==/colls/AQAAAIAAAAE=/");
        assertThat(ResourceId.ofOffer(1).link()).isEqualTo("offers/AAAB/");
        assertThat(ResourceId.ofUser(1, 1).link()).isEqualTo("dbs/AQAAAA==/users/AQAAAAAAAAE=/");
        assertThat(ResourceId.ofPermission(1, 1, 1).link())
                .isEqualTo("dbs/AQAAAA==/users/AQAAAAAAAAE=/permissions/AQAAAAAAAAEBAAAAAAAAAA==/");
        assertThat(ResourceId.ofClientEncryptionKey(1, 1).link())
                .isEqualTo("dbs/AQAAAA==/clientencryptionkeys/AQAAAAAAAAABAAAAAgAAAA==/");
    }

    private static void assertReadsBack(ResourceId rid) {
        assertThat(ResourceId.parse(rid.toString())).contains(rid);
        assertThat(rid.toString()).doesNotContain("/");
    }

    private static void assertEmptyOrCanonical(String text) {
        ResourceId.parse(text)
                .ifPresent(
                        rid -> {
                            assertThat(rid.toString()).isEqualTo(text);
                            assertThat(rid.bytes().length()).isIn(3, 4, 8, 16);
                        });
    }
}
