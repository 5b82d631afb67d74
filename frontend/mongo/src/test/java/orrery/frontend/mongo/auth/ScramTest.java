package orrery.frontend.mongo.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.rest.KeyPolicy;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;

/** Logins between the server and a client that is written without it. */
final class ScramTest {
    private static final String USER = "account,with=signs";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private AccountKeys keys = AccountKeys.generate(RANDOM);
    private final ScramAuthenticator server =
            new ScramAuthenticator(USER, () -> keys, KeyPolicy.loopbackOnly(), RANDOM);

    private ScramConversation begin(ScramMechanism mechanism, ScramClient client) {
        return server.begin(mechanism, client.first(), HERE).orElseThrow();
    }

    private Optional<Login> login(ScramMechanism mechanism, String user, String key) {
        ScramClient client = new ScramClient(mechanism.text(), user, key);
        ScramConversation conversation = begin(mechanism, client);
        Optional<ScramConversation.Proven> end =
                conversation.finish(client.last(conversation.serverFirst()));
        end.ifPresent(
                proven ->
                        assertThat(proven.signature().toUtf8())
                                .isEqualTo(client.expectedSignature()));
        return end.map(ScramConversation.Proven::login);
    }

    @ParameterizedTest
    @EnumSource
    void letsInWithEachKey(ScramMechanism mechanism) {
        for (KeyKind kind : KeyKind.values()) {
            String key = keys.get(kind);
            assertThat(login(mechanism, USER, key)).contains(new Login(kind, key));
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnotherKey(ScramMechanism mechanism) {
        assertThat(login(mechanism, USER, AccountKeys.newKey(RANDOM))).isEmpty();
        assertThat(login(mechanism, USER, "")).isEmpty();
    }

    /** Up to the end nothing tells whether there is such a user. */
    @ParameterizedTest
    @EnumSource
    void refusesAnotherUserAtTheEnd(ScramMechanism mechanism) {
        assertThat(login(mechanism, "somebody", keys.primary())).isEmpty();
        String first = salt(mechanism, "somebody");
        assertThat(salt(mechanism, "somebody")).isEqualTo(first);
        assertThat(salt(mechanism, "other")).isNotEqualTo(first);
        assertThat(first).hasSameSizeAs(salt(mechanism, USER));
        assertThat(salt(mechanism, USER)).isEqualTo(salt(mechanism, USER));
    }

    private String salt(ScramMechanism mechanism, String user) {
        byte[] first = begin(mechanism, new ScramClient(mechanism.text(), user, "")).serverFirst();
        String text = new String(first, StandardCharsets.UTF_8);
        return text.substring(text.indexOf(",s="));
    }

    @Test
    void followsTheKeysOfTheAccount() {
        String old = keys.primary();
        Login before = login(ScramMechanism.SHA_256, USER, old).orElseThrow();
        String secondary = keys.secondary();
        Login other = login(ScramMechanism.SHA_256, USER, secondary).orElseThrow();
        assertThat(server.isValid(before)).isTrue();

        String next = AccountKeys.newKey(RANDOM);
        keys = keys.replacing(Map.of(KeyKind.PRIMARY, next));

        assertThat(server.isValid(before)).isFalse();
        assertThat(server.isValid(other)).isTrue();
        assertThat(login(ScramMechanism.SHA_256, USER, old)).isEmpty();
        assertThat(login(ScramMechanism.SHA_256, USER, next))
                .contains(new Login(KeyKind.PRIMARY, next));
    }

    @Test
    void takesThePublishedKeyFromThisMachineOnly() throws Exception {
        keys = AccountKeys.wellKnown(RANDOM);
        assertThat(login(ScramMechanism.SHA_256, USER, AccountKeys.WELL_KNOWN_KEY))
                .contains(new Login(KeyKind.PRIMARY, AccountKeys.WELL_KNOWN_KEY));

        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
        ScramClient client = new ScramClient("SCRAM-SHA-256", USER, AccountKeys.WELL_KNOWN_KEY);
        ScramConversation remote =
                server.begin(ScramMechanism.SHA_256, client.first(), elsewhere).orElseThrow();
        assertThat(remote.finish(client.last(remote.serverFirst()))).isEmpty();

        String own = keys.primaryReadOnly();
        ScramClient reader = new ScramClient("SCRAM-SHA-256", USER, own);
        ScramConversation known =
                server.begin(ScramMechanism.SHA_256, reader.first(), elsewhere).orElseThrow();
        assertThat(known.finish(reader.last(known.serverFirst()))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n",
                "n,",
                "n,,",
                "n,,n=a",
                "n,,n=a,r=",
                "n,,r=x,n=a",
                "n,,a=x,r=y",
                "p=tls-unique,,n=a,r=x",
                "x,,n=a,r=x"
            })
    void refusesOtherFirstMessages(String text) {
        assertThat(server.begin(ScramMechanism.SHA_256, bytes(text), HERE)).isEmpty();
    }

    @Test
    void refusesLastMessagesThatAreChanged() {
        ScramClient client = new ScramClient("SCRAM-SHA-256", USER, keys.primary());
        ScramConversation conversation = begin(ScramMechanism.SHA_256, client);
        String good = new String(client.last(conversation.serverFirst()), StandardCharsets.UTF_8);
        String proof = good.substring(good.lastIndexOf(",p=") + 3);
        String short31 = Base64.getEncoder().encodeToString(new byte[31]);
        for (String wrong :
                new String[] {
                    "",
                    "c=biws",
                    good.replace("c=biws", "c=eSws"),
                    good.replace(",r=", ",r=x"),
                    good.replace(",p=", ",x=1,p="),
                    good.replace(proof, ""),
                    good.replace(proof, "*"),
                    good.replace(proof, short31),
                    good.replace(proof, proof.substring(4))
                }) {
            assertThat(conversation.finish(bytes(wrong))).as(wrong).isEmpty();
        }
        assertThat(conversation.finish(new byte[] {(byte) 0xC0, 0})).isEmpty();
        assertThat(conversation.finish(bytes(good))).isPresent();
    }

    /** A proof that somebody has overheard opens no other conversation. */
    @Test
    void refusesAProofOfAnotherConversation() {
        ScramClient client = new ScramClient("SCRAM-SHA-256", USER, keys.primary());
        byte[] overheard = client.last(begin(ScramMechanism.SHA_256, client).serverFirst());
        assertThat(begin(ScramMechanism.SHA_256, client).finish(overheard)).isEmpty();
    }

    @Test
    void showsNoKey() {
        Login login = new Login(KeyKind.PRIMARY, keys.primary());
        assertThat(login.toString()).doesNotContain(keys.primary());
        assertThat(ScramMechanism.named("SCRAM-SHA-1")).contains(ScramMechanism.SHA_1);
        assertThat(ScramMechanism.named("PLAIN")).isEmpty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
