package orrery.junit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import orrery.junit.Orrery;
import orrery.junit.OrreryClock;
import orrery.junit.OrreryConnectionString;
import orrery.junit.OrreryEndpoint;
import orrery.junit.OrreryExtension;
import orrery.junit.OrreryKey;
import orrery.junit.OrreryTableConnectionString;
import orrery.junit.OrreryTableEndpoint;
import orrery.junit.Rest;

/** A client for the class, and an empty server for each test. */
@ExtendWith(OrreryExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EachTestIsAlone {
    private final Rest client;

    EachTestIsAlone(Orrery orrery) {
        client = new Rest(orrery);
    }

    @BeforeAll
    static void noteTheServer(@OrreryEndpoint URI endpoint) {
        Seen.NOTES.add(endpoint.toString());
    }

    @BeforeEach
    void beginEmpty(OrreryClock clock) {
        assertThat(Rest.property("_count", client.list("", "dbs"))).isEqualTo("0");
        assertThat(Duration.between(Instant.now(), clock.instant()).abs())
                .isLessThan(Duration.ofDays(1));
        client.createContainer("c", "");
    }

    @AfterAll
    void close() {
        client.close();
    }

    @RepeatedTest(3)
    void leavesSomething(Orrery orrery) {
        Rest.expect(201, client.createItem("c", "left", ""));
        orrery.clock().advance(Duration.ofDays(100));
    }

    @Test
    void isToldAll(
            Orrery orrery,
            OrreryClock clock,
            @OrreryEndpoint URI uri,
            @OrreryEndpoint String endpoint,
            @OrreryKey String key,
            @OrreryConnectionString String connection,
            @OrreryTableEndpoint URI tables,
            @OrreryTableEndpoint String tableEndpoint,
            @OrreryTableConnectionString String tableConnection) {
        assertThat(clock).isSameAs(orrery.clock());
        assertThat(uri).isEqualTo(orrery.endpoint());
        assertThat(endpoint).isEqualTo(uri.toString());
        assertThat(key).isEqualTo(orrery.key());
        assertThat(connection).isEqualTo(orrery.connectionString());
        assertThat(tables).isEqualTo(orrery.tableEndpoint());
        assertThat(tableEndpoint).isEqualTo(tables.toString());
        assertThat(tableConnection).isEqualTo(orrery.tableConnectionString());
    }

    @Nested
    final class Inside {
        @Test
        void hasTheSameServer(@OrreryEndpoint URI endpoint) {
            Seen.NOTES.add(endpoint.toString());
        }
    }
}
