package orrery.server;

import java.time.Clock;
import java.util.concurrent.Callable;
import orrery.server.startup.StartupCache;
import orrery.server.startup.ThisDistribution;
import orrery.server.startup.ThisDistribution.Priority;
import picocli.CommandLine.Command;

/** Makes the start-up cache beforehand: for an image, or before a measurement. */
@Command(name = "prepare", hidden = true, description = "Makes the start-up cache.")
final class PrepareCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        StartupCache cache =
                ThisDistribution.startupCache(Priority.NORMAL, Clock.systemUTC())
                        .orElseThrow(
                                () ->
                                        new StartupException(
                                                "There is no distribution to prepare, or"
                                                        + " ORRERY_AOT is off."));
        return switch (cache.trainNow()) {
            case CURRENT, TRAINED, BUSY, STOPPED, PAUSED -> 0;
            case READ_ONLY ->
                    throw new StartupException("The directory lib/aot cannot be written to.");
            case FAILED ->
                    throw new StartupException(
                            "There is no start-up cache: lib/aot/log says why. Starts take"
                                    + " longer, and nothing else changes.");
        };
    }
}
