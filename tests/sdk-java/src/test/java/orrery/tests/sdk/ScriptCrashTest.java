package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.CosmosScripts;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosStoredProcedureRequestOptions;
import com.azure.cosmos.models.CosmosTriggerProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.models.TriggerOperation;
import com.azure.cosmos.models.TriggerType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills the server in the middle of stored procedures and of writes with triggers. Each moves an
 * amount between accounts of one key and leaves an entry in its ledger; whatever the kill leaves,
 * the accounts are what the ledger says, and the ledger has every transfer that was acknowledged.
 */
final class ScriptCrashTest {
    private static final int KEYS = 3;
    private static final int WRITERS_OF_KEY = 2;
    private static final int ACCOUNTS = 5;
    private static final int OPENING_BALANCE = 1000;
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    /** The answer of the script when it has no time left for another operation. */
    private static final String NOT_ACCEPTED = "not accepted";

    /** Adds to two accounts; the ledger's entry is written by who calls it. */
    private static final String MOVE =
            """
            function move(entry) {
                const collection = getContext().getCollection();
                for (const [id, amount] of [[entry.from, -entry.amount], [entry.to, entry.amount]]) {
                    const link = collection.getAltLink() + '/docs/' + id;
                    collection.readDocument(link, {}, function (unread, account) {
                        if (unread) throw unread;
                        account.balance += amount;
                        const accepted = collection.replaceDocument(
                            account._self, account, { etag: account._etag },
                            function (unwritten) { if (unwritten) throw unwritten; });
                        if (!accepted) throw new Error('%s');
                    });
                }
            }
            """
                    .formatted(NOT_ACCEPTED);

    private static final String PROCEDURE =
            """
            function transfer(entry) {
                move(entry);
                __.createDocument(__.getSelfLink(), entry, function (error, made) {
                    if (error) throw error;
                    getContext().getResponse().setBody(made.id);
                });
            }
            """
                    + MOVE;

    private static final String BEFORE =
            """
            function () {
                const request = getContext().getRequest();
                const entry = request.getBody();
                entry.amount = entry.wanted;
                request.setBody(entry);
            }
            """;

    private static final String AFTER =
            """
            function settle() { move(getContext().getResponse().getBody()); }
            """
                    + MOVE;

    private final Random random = new Random(SEED);

    @Test
    void scriptsAreDoneOrNot() throws InterruptedException {
        crashes(4);
    }

    @Test
    @Tag("long")
    void scriptsAreDoneOrNotForLonger() throws InterruptedException {
        crashes(60);
    }

    private void crashes(int rounds) throws InterruptedException {
        try (RunningServer server = RunningServer.start("--no-throttling")) {
            try (CosmosClient client = Cosmos.newClient(server)) {
                create(client);
            }
            List<Writer> writers = new ArrayList<>();
            for (int number = 0; number < KEYS * WRITERS_OF_KEY; number++) {
                writers.add(new Writer(number, "k" + number % KEYS, random.nextLong()));
            }
            for (int round = 0; round < rounds; round++) {
                String description = "round " + round + ", seed " + SEED;
                CrashRound crash = new CrashRound(server, description);
                writers.forEach(writer -> crash.repeat(writer::write));
                crash.await(50 + random.nextInt(100));
                crash.kill();
                server.restart();
                try (CosmosClient client = Cosmos.newClient(server)) {
                    for (int key = 0; key < KEYS; key++) {
                        verify(container(client), "k" + key, writers, description);
                    }
                }
            }
        }
    }

    private static void create(CosmosClient client) {
        client.createDatabase("d");
        client.getDatabase("d")
                .createContainer(
                        properties("c", "/pk"),
                        ThroughputProperties.createManualThroughput(Cosmos.FIVE));
        CosmosContainer container = container(client);
        CosmosScripts scripts = container.getScripts();
        scripts.createStoredProcedure(new CosmosStoredProcedureProperties("transfer", PROCEDURE));
        scripts.createTrigger(trigger("before", TriggerType.PRE, BEFORE));
        scripts.createTrigger(trigger("after", TriggerType.POST, AFTER));
        for (int key = 0; key < KEYS; key++) {
            for (int account = 0; account < ACCOUNTS; account++) {
                container.createItem(
                        item("a" + account, "k" + key).put("balance", OPENING_BALANCE));
            }
        }
    }

    private static CosmosTriggerProperties trigger(String id, TriggerType type, String body) {
        CosmosTriggerProperties trigger = new CosmosTriggerProperties(id, body);
        trigger.setTriggerType(type);
        trigger.setTriggerOperation(TriggerOperation.CREATE);
        return trigger;
    }

    private static CosmosContainer container(CosmosClient client) {
        return client.getDatabase("d").getContainer("c");
    }

    /** Replays the ledger of a key on its opening balances. */
    private static void verify(
            CosmosContainer container, String key, List<Writer> writers, String description) {
        int[] expected = new int[ACCOUNTS];
        Arrays.fill(expected, OPENING_BALANCE);
        int[] found = new int[ACCOUNTS];
        Set<String> ledger = new HashSet<>();
        for (ObjectNode item : container.readAllItems(new PartitionKey(key), ObjectNode.class)) {
            String id = item.get("id").asText();
            if (item.has("balance")) {
                found[account(id)] = item.get("balance").asInt();
            } else {
                ledger.add(id);
                expected[account(item.get("from").asText())] -= item.get("amount").asInt();
                expected[account(item.get("to").asText())] += item.get("amount").asInt();
            }
        }
        assertThat(found).as("%s: accounts of %s", description, key).isEqualTo(expected);
        assertThat(Arrays.stream(found).sum()).isEqualTo(ACCOUNTS * OPENING_BALANCE);
        Set<String> known = new HashSet<>();
        for (Writer writer : writers) {
            if (writer.key.equals(key)) {
                writer.settle(ledger);
                known.addAll(writer.acknowledged);
            }
        }
        assertThat(ledger).as("%s: ledger of %s", description, key).isEqualTo(known);
    }

    private static int account(String id) {
        return Integer.parseInt(id.substring(1));
    }

    /** Makes transfers, sometimes with the procedure and sometimes with the triggers. */
    private static final class Writer {
        private final int number;
        final String key;
        private final PartitionKey partitionKey;
        private final Random random;
        final Set<String> acknowledged = new HashSet<>();
        private final Set<String> inDoubt = new HashSet<>();
        private int transfers;

        Writer(int number, String key, long seed) {
            this.number = number;
            this.key = key;
            this.partitionKey = new PartitionKey(key);
            this.random = new Random(seed);
        }

        /** Tries until a transfer is acknowledged. */
        void write(CosmosClient client) {
            String id = "w" + number + "-" + transfers++;
            while (!isDone(client, id)) {
                id = "w" + number + "-" + transfers++;
            }
            acknowledged.add(id);
            inDoubt.remove(id);
        }

        private boolean isDone(CosmosClient client, String id) {
            inDoubt.add(id);
            try {
                transfer(client, id);
                return true;
            } catch (CosmosException refused) {
                if (isTooLate(refused)) {
                    return false;
                }
                throw refused;
            }
        }

        /** On a busy machine the time of a script may be over before it is done. */
        private static boolean isTooLate(CosmosException refused) {
            return refused.getStatusCode() == 408
                    || refused.getStatusCode() == 449
                    || refused.getShortMessage().contains(NOT_ACCEPTED);
        }

        private void transfer(CosmosClient client, String id) {
            int from = random.nextInt(ACCOUNTS);
            int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            ObjectNode entry = item(id, key).put("from", "a" + from).put("to", "a" + to);
            int amount = 1 + random.nextInt(20);
            if (random.nextBoolean()) {
                execute(container(client), entry.put("amount", amount));
            } else {
                create(container(client), entry.put("wanted", amount));
            }
        }

        private void execute(CosmosContainer container, ObjectNode entry) {
            CosmosStoredProcedureRequestOptions options = new CosmosStoredProcedureRequestOptions();
            options.setPartitionKey(partitionKey);
            container.getScripts().getStoredProcedure("transfer").execute(List.of(entry), options);
        }

        private void create(CosmosContainer container, ObjectNode entry) {
            CosmosItemRequestOptions options = new CosmosItemRequestOptions();
            options.setPreTriggerInclude(List.of("before"));
            options.setPostTriggerInclude(List.of("after"));
            container.createItem(entry, partitionKey, options);
        }

        /** Decides the writes that the kill cut off: each was done or was not. */
        void settle(Set<String> ledger) {
            inDoubt.stream().filter(ledger::contains).forEach(acknowledged::add);
            inDoubt.clear();
        }
    }
}
