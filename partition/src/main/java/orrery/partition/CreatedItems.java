package orrery.partition;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.Item;
import orrery.model.memory.MemoryAccount;
import orrery.partition.CreationPlaces.Place;
import orrery.partition.machine.Presence;
import orrery.query.execute.ItemSource;
import orrery.query.execute.ReadAhead;
import orrery.storage.StoreView;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/** Reads the items at some places, several together, and passes over those that are gone. */
final class CreatedItems implements ItemSource.ItemCursor {
    private final StoreView view;
    private final int container;
    private final Presence presence;
    private final CreationPlaces places;
    private final ReadAhead readAhead;
    private final MemoryAccount.Part memory = MemoryAccount.current().part();
    private final Cancellation cancellation = Cancellation.current();
    private final Deque<Read> ahead = new ArrayDeque<>();
    private boolean isEnd;
    private @Nullable Read present;

    private record Read(Bytes key, Item item) {}

    /**
     * @param wanted how many may be of use
     */
    CreatedItems(
            StoreView view, int container, Presence presence, CreationPlaces places, long wanted) {
        this.view = view;
        this.container = container;
        this.presence = presence;
        this.places = places;
        this.readAhead = new ReadAhead(wanted);
    }

    @Override
    public boolean next() {
        while (ahead.isEmpty() && !isEnd) {
            cancellation.check(); // all that is read may be gone
            fill();
        }
        present = ahead.poll();
        return present != null;
    }

    /** Reads some items. Behind the last place nothing may be asked for: a cursor is not there. */
    private void fill() {
        List<Place> next = new ArrayList<>();
        List<byte[]> missing = new ArrayList<>();
        while (next.size() < readAhead.items()) {
            Optional<Place> place = places.next();
            if (place.isEmpty()) {
                isEnd = true;
                break;
            }
            next.add(place.get());
            if (place.get().item().isEmpty()) {
                missing.add(Keys.item(container, place.get().key()));
            }
        }
        List<@Nullable ItemRecord> found = view.items(missing);
        long bytes = 0;
        int at = 0;
        for (Place place : next) {
            ItemRecord item = place.item().isPresent() ? place.item().get() : found.get(at++);
            if (item == null) {
                throw new IllegalStateException("an index entry leads to no item");
            }
            bytes += item.body().length();
            if (presence.isOfAll() || !presence.isGone(place.key(), item)) {
                ahead.add(new Read(place.key(), item.toItem()));
            }
        }
        memory.makeRoom(bytes);
        readAhead.read(bytes);
    }

    private Read present() {
        if (present == null) {
            throw new IllegalStateException("there is no item");
        }
        return present;
    }

    @Override
    public Bytes key() {
        return present().key();
    }

    @Override
    public Item item() {
        return present().item();
    }

    @Override
    public void close() {
        places.close();
        memory.close();
    }
}
