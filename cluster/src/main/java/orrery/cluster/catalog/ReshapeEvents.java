package orrery.cluster.catalog;

import java.util.ArrayList;
import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.resource.ReshapeEvent;

/** The latest splits and merges of a container, oldest first. */
public record ReshapeEvents(List<ReshapeEvent> events) {
    static final ReshapeEvents NONE = new ReshapeEvents(List.of());

    public ReshapeEvents {
        events = List.copyOf(events);
    }

    /**
     * @param max the oldest beyond it are forgotten
     */
    ReshapeEvents plus(ReshapeEvent event, int max) {
        List<ReshapeEvent> all = new ArrayList<>(events);
        all.add(event);
        return new ReshapeEvents(all.subList(Math.max(0, all.size() - max), all.size()));
    }

    void write(BinaryWriter out) {
        out.list(events, (w, event) -> event.write(w));
    }

    static ReshapeEvents read(BinaryReader in) {
        return new ReshapeEvents(in.list(ReshapeEvent::read));
    }
}
