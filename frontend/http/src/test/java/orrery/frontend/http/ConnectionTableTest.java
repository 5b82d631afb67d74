package orrery.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionTableTest {
    private final List<String> evicted = new ArrayList<>();
    private final ConnectionTable<Fake> table = new ConnectionTable<>(4);

    private final class Fake implements ConnectionTable.Member {
        private final String name;
        private final InetAddress neighbourhood;
        private final long idleSince;

        Fake(String name, String address, long idleSince) {
            this.name = name;
            this.neighbourhood =
                    ConnectionTable.neighbourhood(
                            new InetSocketAddress(InetAddress.ofLiteral(address), 1));
            this.idleSince = idleSince;
        }

        @Override
        public InetAddress neighbourhood() {
            return neighbourhood;
        }

        @Override
        public boolean isIdle() {
            return idleSince > 0;
        }

        @Override
        public long idleSince() {
            return idleSince;
        }

        @Override
        public void evict() {
            evicted.add(name);
        }
    }

    private Fake stranger(String name, String address) {
        return add(new Fake(name, address, 1));
    }

    private Fake add(Fake fake) {
        table.add(fake);
        return fake;
    }

    /** {@code idleSince} is 0 for one that is busy. */
    private Fake known(String name, String address, long idleSince) {
        Fake fake = add(new Fake(name, address, idleSince));
        table.recognize(fake);
        return fake;
    }

    @Test
    void nobodyGoesWhileThereIsRoom() {
        stranger("a", "10.0.0.1");
        stranger("b", "10.0.0.1");
        known("c", "10.0.0.1", 1);
        assertThat(table.makeRoom()).isTrue();
        assertThat(evicted).isEmpty();
    }

    @Test
    void theOldestStrangerOfTheCrowdedAddressGoesFirst() {
        stranger("lonely", "10.0.0.1");
        stranger("crowd-1", "10.0.0.2");
        known("known", "10.0.0.2", 1);
        stranger("crowd-2", "10.0.0.2");
        assertThat(table.makeRoom()).isTrue();
        assertThat(evicted).containsExactly("crowd-1");
    }

    @Test
    void everyStrangerGoesBeforeAnybodyKnown() {
        known("known-1", "10.0.0.1", 1);
        known("known-2", "10.0.0.1", 2);
        known("known-3", "10.0.0.1", 3);
        stranger("stranger", "10.0.0.2");
        assertThat(table.makeRoom()).isTrue();
        assertThat(table.makeRoom()).isTrue();
        assertThat(evicted).containsExactly("stranger", "known-1");
    }

    @Test
    void thenTheLongestIdleOfTheAddressWithTheMost() {
        known("few", "10.0.0.1", 1);
        known("busy", "10.0.0.2", 0);
        known("recent", "10.0.0.2", 9);
        known("long", "10.0.0.2", 5);
        assertThat(table.makeRoom()).isTrue();
        assertThat(evicted).containsExactly("long");
    }

    @Test
    void nobodyGoesWhoIsBusy() {
        for (int i = 0; i < 4; i++) {
            known("busy-" + i, "10.0.0.1", 0);
        }
        assertThat(table.makeRoom()).isFalse();
        assertThat(evicted).isEmpty();
    }

    @Test
    void isToldToGoOnceAndCountsUntilItIsGone() {
        Fake first = stranger("first", "10.0.0.1");
        stranger("second", "10.0.0.1");
        stranger("third", "10.0.0.1");
        stranger("fourth", "10.0.0.1");
        table.makeRoom();
        table.makeRoom();
        assertThat(evicted).containsExactly("first", "second");
        assertThat(table.size()).isEqualTo(4);
        table.remove(first);
        assertThat(table.size()).isEqualTo(3);
        assertThat(table.makeRoom()).isTrue();
        assertThat(evicted).hasSize(2);
    }

    @Test
    void aNetworkOfIpv6IsOneAddress() {
        stranger("lonely", "10.0.0.1");
        stranger("other", "10.0.0.3");
        stranger("six-1", "2001:db8:1:2::1");
        stranger("six-2", "2001:db8:1:2:3:4:5:6");
        assertThat(table.makeRoom()).isTrue();
        assertThat(evicted).containsExactly("six-1");
    }
}
