package orrery.tests.sdk;

import static orrery.tests.sdk.Cosmos.assertFails;

import com.azure.cosmos.models.CosmosUserProperties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Features of later versions are refused by name; nothing is accepted and ignored. */
@Tag("client")
final class NotYetTest {
    @Test
    void users() {
        assertFails(
                501, 0, () -> Cosmos.database().createUser(new CosmosUserProperties().setId("u")));
    }
}
