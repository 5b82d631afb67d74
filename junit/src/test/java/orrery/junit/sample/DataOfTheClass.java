package orrery.junit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;
import orrery.junit.Orrery;
import orrery.junit.OrreryExtension;
import orrery.junit.Rest;

/** Options, and data that stays for all tests of the class. */
final class DataOfTheClass {
    @RegisterExtension
    static final OrreryExtension ORRERY =
            OrreryExtension.builder()
                    .options("--partition-max-throughput=1000")
                    .keepBetweenTests()
                    .build();

    @BeforeAll
    static void fill(Orrery orrery) {
        try (Rest rest = new Rest(orrery)) {
            rest.createContainer("c", "", "x-ms-offer-throughput", "3000");
        }
    }

    @RepeatedTest(2)
    void findsIt(Orrery orrery) {
        Seen.NOTES.add(orrery.endpoint().toString());
        try (Rest rest = new Rest(orrery)) {
            assertThat(Rest.property("_count", rest.list("dbs/d/colls/c", "pkranges")))
                    .isEqualTo("3");
        }
    }
}
