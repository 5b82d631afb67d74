package orrery.frontend.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.model.security.RequestSigner;

class AccountSignersTest {
    private static final String TEXT = "GET\nsomething";

    private final SecureRandom random = new SecureRandom();
    private AccountKeys keys = AccountKeys.generate(random);
    private final AccountSigners signers = new AccountSigners(() -> keys, _ -> true);

    private static byte[] signed(String key) {
        return new RequestSigner(key).sign(TEXT);
    }

    private KeyKind kindOf(String key) {
        return signers.find(TEXT, signed(key)).orElseThrow().kind();
    }

    @Test
    void eachKeyIsFoundWhicheverWasFoundLast() {
        for (KeyKind last : KeyKind.values()) {
            for (KeyKind kind : KeyKind.values()) {
                assertThat(kindOf(keys.get(last))).isEqualTo(last);
                assertThat(kindOf(keys.get(kind))).isEqualTo(kind);
            }
        }
    }

    @Test
    void aKeyThatWasReplacedOpensNothingAlthoughItWasFoundLast() {
        String old = keys.get(KeyKind.PRIMARY);
        assertThat(kindOf(old)).isEqualTo(KeyKind.PRIMARY);
        keys = AccountKeys.generate(random);
        assertThat(signers.find(TEXT, signed(old))).isEmpty();
        assertThat(kindOf(keys.get(KeyKind.PRIMARY))).isEqualTo(KeyKind.PRIMARY);
    }

    /** An alias is tried first when it was found last, and goes with the key that it stands for. */
    @Test
    void anAliasEndsWithTheWellKnownKey() {
        String alias = AccountKeys.newKey(random);
        keys = AccountKeys.wellKnown(random);
        AccountSigners aliased = new AccountSigners(() -> keys, _ -> true, List.of(alias));
        assertThat(aliased.find(TEXT, signed(alias))).isPresent();
        assertThat(aliased.find(TEXT, signed(alias))).isPresent();
        keys = AccountKeys.generate(random);
        assertThat(aliased.find(TEXT, signed(alias))).isEmpty();
        assertThat(aliased.find(TEXT, signed(keys.get(KeyKind.PRIMARY)))).isPresent();
    }
}
