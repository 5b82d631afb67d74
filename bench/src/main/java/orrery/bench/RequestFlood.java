package orrery.bench;

import java.util.function.Supplier;

/**
 * Sends requests on several connections, each when the last was answered.
 *
 * @param pauseMillis between an answer and the next request, also where the answer is a refusal
 * @param messages the requests, signed when they are made
 */
record RequestFlood(String name, int connections, long pauseMillis, Supplier<byte[]> messages)
        implements Neighbour {
    @Override
    public void run(Visit visit) {
        visit.repeat(
                connections,
                pauseMillis,
                () ->
                        visit.withCaller(
                                caller -> {
                                    do {
                                        visit.heard(caller.call(messages.get()).status());
                                    } while (!visit.isOverAfter(pauseMillis));
                                }));
    }
}
