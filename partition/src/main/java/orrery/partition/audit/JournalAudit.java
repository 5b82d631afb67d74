package orrery.partition.audit;

import java.util.List;
import orrery.model.ItemVersion.Operation;
import orrery.model.PartitionId;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.Cause;
import orrery.storage.format.ChangeHeader;
import orrery.storage.format.JournalRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;
import orrery.storage.format.PartitionRecord.Journal;

/** Looks at the versions that a partition keeps: whether each can be what and where it is. */
final class JournalAudit {
    private final StoreView view;
    private final PartitionId id;
    private final PartitionRecord record;
    private final Findings findings;

    JournalAudit(StoreView view, PartitionId id, PartitionRecord record, Findings findings) {
        this.view = view;
        this.id = id;
        this.record = record;
        this.findings = findings;
    }

    void run() {
        List<Journal> journals = record.journals();
        for (int i = 0; i < journals.size(); i++) {
            boolean isLast = i == journals.size() - 1;
            if (journals.get(i).isOpen() != isLast) {
                findings.add("not the last, and only the last, journal is written to");
            }
            read(journals.get(i));
        }
        boolean writesElsewhere =
                !journals.isEmpty() && journals.getLast().segment().number() != record.ownSegment();
        if (writesElsewhere) {
            findings.add("versions are not written to the own segment");
        }
    }

    private void read(Journal journal) {
        byte[] prefix = Keys.journal(id.container(), journal.segment().number());
        try (Cursor rows = view.scan(Table.CHANGES, prefix, Keys.after(prefix))) {
            while (rows.next()) {
                check(journal, Keys.changePlace(rows.key()), rows.value());
            }
        }
    }

    private void check(Journal journal, Keys.ChangePlace place, byte[] value) {
        String name = "version " + place + " in segment " + journal.segment().number();
        JournalRecord version;
        try {
            version = JournalRecord.decode(value);
        } catch (MalformedRecordException unreadable) {
            findings.add(name + " cannot be read");
            return;
        }
        if (!Keys.inRange(version.itemSuffix(), journal.segment().clip())) {
            if (journal.isOpen()) {
                findings.add(name + " is of a key of another partition");
            }
            return;
        }
        if (place.lsn() > Math.min(journal.lastLsn(), record.headLsn())) {
            findings.add(name + " was written after the end");
        }
        if (journal.isOpen() && place.lsn() <= journal.floorLsn()) {
            findings.add(name + " should have been forgotten");
        }
        ChangeHeader header = version.header();
        boolean isDelete = header.operation() == Operation.DELETE;
        boolean isFirst = header.operation() == Operation.CREATE;
        long imageLsn = isDelete ? header.previousLsn() : place.lsn();
        if (isFirst != (header.previousLsn() == 0)
                || header.previousLsn() > place.lsn()
                || version.item().lsn() != imageLsn
                || (header.cause() == Cause.TTL && !isDelete)
                || header.reasons() == 0) {
            findings.add(name + " has an impossible past");
        }
    }
}
