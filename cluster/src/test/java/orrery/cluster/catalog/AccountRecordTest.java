package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import orrery.cluster.api.AccountLimits;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

final class AccountRecordTest {
    /** Changing these bytes breaks catalogs that exist: it needs a new version. */
    @Test
    void bytesAreFrozen() {
        AccountRecord account =
                new AccountRecord(Bytes.ofHex("010203"), AccountLimits.DEFAULT, 1, 1, 1, 1);
        BinaryWriter out = new BinaryWriter();
        account.write(out);
        assertThat(out.toBytes().toHex())
                .isEqualTo(
                        "03010203"
                                + "00002710"
                                + "0000000500000000"
                                + "00"
                                + "00000001"
                                + "00000001"
                                + "00000001"
                                + "0000000000000001");
        assertThat(AccountRecord.read(new BinaryReader(out.toBytes()))).isEqualTo(account);
    }
}
