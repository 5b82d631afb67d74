package orrery.server.client.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.JsonText;
import orrery.document.Value;

final class SampleTest {
    /** The same items byte for byte, on every machine and in every release. */
    @ParameterizedTest
    @CsvSource({
        "FOOD, items, 1500, c497d050488d6a9b",
        "FOOD, items-by-id, 1500, c497d050488d6a9b",
        "FLIGHTS, departures, 1000, 7301437cc9dedb53",
        "FLIGHTS, airports, 15, 2bb2c6ba3961b01a",
        "DEVICES, telemetry, 1200, 6e0a5fb0f7677e00",
    })
    void theSameItemsEachTime(Sample sample, String container, int count, String digest)
            throws Exception {
        Sample.Contents contents =
                sample.contents().stream()
                        .filter(each -> each.container().equals(container))
                        .findFirst()
                        .orElseThrow();
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        Set<Value> ids = new HashSet<>();
        try (Stream<Value.Obj> items = contents.items().get()) {
            items.forEach(
                    item -> {
                        sha.update(JsonText.writeBytes(item).unsafeArray());
                        sha.update((byte) '\n');
                        ids.add(item.properties().getOrDefault("id", Value.Null.NULL));
                    });
        }
        assertThat(ids).hasSize(count);
        assertThat(HexFormat.of().formatHex(sha.digest()).substring(0, 16)).isEqualTo(digest);
    }
}
