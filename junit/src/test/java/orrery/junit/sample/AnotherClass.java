package orrery.junit.sample;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import orrery.junit.OrreryEndpoint;
import orrery.junit.OrreryExtension;

/** Comes before or after another class. */
@ExtendWith(OrreryExtension.class)
final class AnotherClass {
    @Test
    void notesTheServer(@OrreryEndpoint URI endpoint) {
        Seen.NOTES.add(endpoint.toString());
    }
}
