package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
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
                        new AccountIdentity(
                                new UUID(0x0102030405060708L, 0x090A0B0C0D0E0F10L),
                                2,
                                List.of(new AccountIdentity.Region(3, "west"))),
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
                        9,
                        1,
                        120);
        BinaryWriter out = new BinaryWriter();
        account.write(out);
        assertThat(out.toBytes().toHex())
                .isEqualTo(
                        "0102030405060708090A0B0C0D0E0F10"
                                + "00000002"
                                + "01030477657374"
                                + "03010203"
                                + SETTINGS
                                + "02"
                                + "00000064"
                                + "00000005"
                                + "00000190"
                                + "0000003C"
                                + "01"
                                + ("18" + "41".repeat(22) + "3D3D")
                                + ("18" + "42" + "41".repeat(21) + "3D3D")
                                + ("18" + "43" + "41".repeat(21) + "3D3D")
                                + ("18" + "44" + "41".repeat(21) + "3D3D")
                                + "00000001"
                                + "00000001"
                                + "00000001"
                                + "00000007"
                                + "00000009"
                                + "0000000000000001"
                                + "00000078");
        assertThat(AccountRecord.read(new BinaryReader(out.toBytes()))).isEqualTo(account);
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
