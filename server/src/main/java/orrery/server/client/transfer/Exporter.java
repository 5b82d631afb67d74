package orrery.server.client.transfer;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import orrery.document.ItemBody;
import orrery.model.Bytes;
import orrery.server.client.OneLine;
import orrery.server.client.Pause;
import orrery.server.client.Place;
import orrery.server.client.RefusedException;
import orrery.server.client.Reply;
import orrery.server.client.SqlClient;

/** Writes all items of a container, in the bytes in which they are stored. */
final class Exporter {
    private static final int PAGE = 1000;
    private static final long RETRY_MILLIS = 100;

    private final SqlClient client;
    private final Place container;
    private final FileFormat format;
    private final boolean hasSystemProperties;
    private final Progress progress;

    Exporter(
            SqlClient client,
            Place container,
            FileFormat format,
            boolean hasSystemProperties,
            Progress progress) {
        this.client = client;
        this.container = container;
        this.format = format;
        this.hasSystemProperties = hasSystemProperties;
        this.progress = progress;
    }

    /**
     * Writes the items, page by page.
     *
     * @param isUnwanted tells after each page whether nobody wants the rest
     */
    void run(OutputStream out, BooleanSupplier isUnwanted) throws IOException {
        boolean isArray = format == FileFormat.JSON;
        Optional<String> continuation = Optional.empty();
        boolean isFirst = true;
        do {
            Reply page = page(continuation);
            progress.charged(page.charge());
            for (Bytes item : page.elements("Documents")) {
                Bytes text = OneLine.of(hasSystemProperties ? item : ItemBody.parse(item).stored());
                if (isArray) {
                    out.write(isFirst ? '[' : ',');
                    out.write('\n');
                }
                out.write(text.unsafeArray());
                if (!isArray) {
                    out.write('\n');
                }
                isFirst = false;
                progress.carried(text.length());
            }
            progress.tick();
            continuation = page.continuation();
        } while (continuation.isPresent() && !isUnwanted.getAsBoolean());
        if (isArray) {
            out.write((isFirst ? "[]\n" : "\n]\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private Reply page(Optional<String> continuation) {
        while (true) {
            try {
                return client.items(container, PAGE, continuation);
            } catch (RefusedException refused) {
                if (refused.status() != 429) {
                    throw refused;
                }
                progress.throttled();
                progress.tick();
                Pause.millis(refused.retryAfterMillis().orElse(RETRY_MILLIS));
            }
        }
    }
}
