package orrery.cluster.catalog;

import orrery.model.Etag;

/** Hands out the next numbers of the account within one command. */
final class Numbers {
    private final AccountRecord before;
    private int database;
    private int container;
    private int offer;
    private int script;
    private int grant;
    private long version;

    Numbers(AccountRecord before) {
        this.before = before;
        this.database = before.nextDatabase();
        this.container = before.nextContainer();
        this.offer = before.nextOffer();
        this.script = before.nextScript();
        this.grant = before.nextGrant();
        this.version = before.nextVersion();
    }

    int database() {
        return database++;
    }

    int container() {
        return container++;
    }

    int offer() {
        return offer++;
    }

    int script() {
        return script++;
    }

    /** Numbers a user, a permission or a client encryption key. */
    int grant() {
        return grant++;
    }

    Etag etag() {
        return new Etag(version++, 0);
    }

    AccountRecord record() {
        return new AccountRecord(
                before.identity(),
                before.sealingKey(),
                before.settings(),
                before.keys(),
                database,
                container,
                offer,
                script,
                grant,
                version,
                before.keptMinutes());
    }
}
