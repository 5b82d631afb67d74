package orrery.tests.sdk;

import static orrery.tests.sdk.Cosmos.assertFails;

import com.azure.cosmos.models.CosmosUserProperties;
import org.junit.jupiter.api.Test;

/** What later versions bring is refused with its name; nothing is accepted and ignored. */
final class NotYetTest {
    @Test
    void users() {
        assertFails(
                501, 0, () -> Cosmos.database().createUser(new CosmosUserProperties().setId("u")));
    }
}
