package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;

class KeyWarningsTest {
    private static final PartitionId PARTITION = new PartitionId(7, 0);
    private static final PartitionKey KEY = PartitionKey.ofText("Beef Products");

    private final List<String> said = new ArrayList<>();
    private final Logger logger = Logger.getLogger(KeyWarnings.class.getName());
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord record) {
                    said.add(new SimpleFormatter().formatMessage(record));
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };
    private final KeyWarnings warnings = new KeyWarnings();

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
    }

    @Test
    void comeAtFourFifthsAndOnce() {
        warnings.grown(PARTITION, KEY, 799, 1000);
        assertThat(said).isEmpty();

        warnings.grown(PARTITION, KEY, 800, 1000);
        warnings.grown(PARTITION, KEY, 900, 1000);

        assertThat(said).hasSize(1);
        assertThat(said.getFirst())
                .contains("[\"Beef Products\"]", "container 7", "more distinct values");
    }

    @Test
    void tellAContainerWithoutAKeySomethingElse() {
        warnings.grown(PARTITION, PartitionKey.EMPTY, 1000, 1000);

        assertThat(said.getFirst()).contains("a container with a partition key");
    }
}
