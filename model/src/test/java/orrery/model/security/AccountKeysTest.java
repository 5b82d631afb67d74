package orrery.model.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.Test;

class AccountKeysTest {
    private static final String ONE = key(1, 64);
    private static final String TWO = key(2, 64);
    private static final String THREE = key(3, 64);
    private static final String FOUR = key(4, 64);

    @Test
    void knowsWhetherTheWellKnownKeyIsAmongThem() {
        assertThat(new AccountKeys(ONE, TWO, THREE, FOUR).includesWellKnownKey()).isFalse();
        assertThat(
                        new AccountKeys(ONE, AccountKeys.WELL_KNOWN_KEY, THREE, FOUR)
                                .includesWellKnownKey())
                .isTrue();
    }

    @Test
    void refusesKeysThatGuardNothing() {
        assertThatThrownBy(() -> new AccountKeys("not base64!", TWO, THREE, FOUR))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AccountKeys(key(1, 15), TWO, THREE, FOUR))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AccountKeys(ONE, TWO, TWO, FOUR))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void staysOutOfLogs() {
        assertThat(new AccountKeys(ONE, TWO, THREE, FOUR).toString()).doesNotContain(ONE);
    }

    private static String key(int fill, int length) {
        byte[] secret = new byte[length];
        java.util.Arrays.fill(secret, (byte) fill);
        return Base64.getEncoder().encodeToString(secret);
    }
}
