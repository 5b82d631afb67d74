package orrery.partition.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.RequestId;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;

/**
 * Remembers the times that partitions were moved on to, by keys, and holds later changes of these
 * keys against them: through splits, merges and changes of the leader none may get an earlier time.
 */
final class TimePromises {
    private final List<Promise> promises = new ArrayList<>();
    private final Map<RequestId, Outcome> outcomes = new HashMap<>();
    private int checked;

    private record Promise(int container, KeyRange keys, long timeMillis) {
        boolean isAbout(int other, EffectiveKey key) {
            return container == other && keys.contains(key);
        }
    }

    void heard(PartitionModel model, Command command, Outcome outcome) {
        switch (command) {
            case Command.AdvanceTime advance when outcome instanceof Outcome.Done -> {
                PartitionModel.Partition partition = model.partitions().get(advance.partition());
                // It may have been split or dropped by a later command of the same entry.
                if (partition != null) {
                    promises.add(
                            new Promise(
                                    advance.partition().container(),
                                    partition.keys,
                                    advance.stampMillis()));
                }
            }
            case Command.WriteItems write when outcome instanceof Outcome.Written written -> {
                // A request that is sent again hears what became of it the first time.
                if (!outcome.equals(outcomes.put(write.requestId(), written))) {
                    check(write, written);
                }
            }
            default -> {
                // Says nothing about time.
            }
        }
    }

    private void check(Command.WriteItems write, Outcome.Written written) {
        for (Promise promise : promises) {
            if (promise.isAbout(write.partition().container(), write.anyKey())) {
                assertThat(written.timeMillis()).isGreaterThanOrEqualTo(promise.timeMillis());
                checked++;
            }
        }
    }

    /** A partition that is opened anew knows nothing of the one that was dropped. */
    void forget(int container) {
        promises.removeIf(promise -> promise.container() == container);
    }

    int checked() {
        return checked;
    }
}
