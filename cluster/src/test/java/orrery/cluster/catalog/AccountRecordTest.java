package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;
import orrery.model.Bytes;
import orrery.model.ConsistencyLevel;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.security.AccountKeys;

final class AccountRecordTest {
    private static final String SETTINGS =
            "00002710" + "0000000500000000" + "00" + "02" + "0000000C80000000" + "01" + "00" + "00";

    /** Changing these bytes breaks catalogs that exist: it needs a new version. */
    @Test
    void bytesAreFrozen() {
        AccountRecord account =
                new AccountRecord(
                        Bytes.ofHex("010203"),
                        AccountSettings.DEFAULT,
                        Optional.of(
                                new AccountKeys(
                                        "AAAAAAAAAAAAAAAAAAAAAA==",
                                        "BAAAAAAAAAAAAAAAAAAAAA==",
                                        "CAAAAAAAAAAAAAAAAAAAAA==",
                                        "DAAAAAAAAAAAAAAAAAAAAA==")),
                        1,
                        1,
                        1,
                        7,
                        1);
        BinaryWriter out = new BinaryWriter();
        account.write(out);
        assertThat(out.toBytes().toHex())
                .isEqualTo(
                        "03010203"
                                + SETTINGS
                                + "02"
                                + "00000064"
                                + "00000005"
                                + "01"
                                + ("18" + "41".repeat(22) + "3D3D")
                                + ("18" + "42" + "41".repeat(21) + "3D3D")
                                + ("18" + "43" + "41".repeat(21) + "3D3D")
                                + ("18" + "44" + "41".repeat(21) + "3D3D")
                                + "00000001"
                                + "00000001"
                                + "00000001"
                                + "00000007"
                                + "0000000000000001");
        assertThat(AccountRecord.read(new BinaryReader(out.toBytes()), 4)).isEqualTo(account);
    }

    /** Version 3 had no consistency and no keys. */
    @Test
    void theThirdVersionIsRead() {
        BinaryReader in =
                new BinaryReader(
                        Bytes.ofHex(
                                "03010203"
                                        + SETTINGS
                                        + "00000001"
                                        + "00000001"
                                        + "00000001"
                                        + "00000007"
                                        + "0000000000000001"));
        assertThat(AccountRecord.read(in, 3))
                .isEqualTo(
                        new AccountRecord(
                                Bytes.ofHex("010203"),
                                AccountSettings.DEFAULT,
                                Optional.empty(),
                                1,
                                1,
                                1,
                                7,
                                1));
        in.expectEnd();
    }

    /** Version 2 had no scripts. */
    @Test
    void theSecondVersionIsRead() {
        BinaryReader in =
                new BinaryReader(
                        Bytes.ofHex(
                                "03010203"
                                        + "00002710"
                                        + "0000000500000000"
                                        + "00"
                                        + "02"
                                        + "0000000C80000000"
                                        + "01"
                                        + "00"
                                        + "00"
                                        + "00000002"
                                        + "00000003"
                                        + "00000004"
                                        + "0000000000000005"));
        assertThat(AccountRecord.read(in, 2))
                .isEqualTo(
                        new AccountRecord(
                                Bytes.ofHex("010203"),
                                AccountSettings.DEFAULT,
                                Optional.empty(),
                                2,
                                3,
                                4,
                                1,
                                5));
        in.expectEnd();
    }

    /** Version 1 had three settings; the others are as they were without a word. */
    @Test
    void theFirstVersionIsRead() {
        BinaryReader in =
                new BinaryReader(
                        Bytes.ofHex(
                                "03010203"
                                        + "00001770"
                                        + "0000000280000000"
                                        + "01"
                                        + "00000002"
                                        + "00000003"
                                        + "00000004"
                                        + "0000000000000005"));
        assertThat(AccountRecord.read(in, 1))
                .isEqualTo(
                        new AccountRecord(
                                Bytes.ofHex("010203"),
                                AccountSettings.DEFAULT
                                        .withPartitionMaxThroughput(6000)
                                        .withStorage(50L << 30, 10L << 30)
                                        .withServiceQuotas(true),
                                Optional.empty(),
                                2,
                                3,
                                4,
                                1,
                                5));
        in.expectEnd();
    }

    @ParameterizedTest
    @EnumSource
    void consistencyLevelKeepsItsNumber(ConsistencyLevel level) {
        assertThat(level.ordinal())
                .isEqualTo(
                        switch (level) {
                            case STRONG -> 0;
                            case BOUNDED_STALENESS -> 1;
                            case SESSION -> 2;
                            case CONSISTENT_PREFIX -> 3;
                            case EVENTUAL -> 4;
                        });
    }

    @ParameterizedTest
    @EnumSource
    void ruleSetKeepsItsNumber(RuleSet rules) {
        assertThat(rules.ordinal())
                .isEqualTo(
                        switch (rules) {
                            case RULES_2017 -> 0;
                            case RULES_2018 -> 1;
                            case RULES_2020 -> 2;
                            case RULES_2024 -> 3;
                        });
    }
}
