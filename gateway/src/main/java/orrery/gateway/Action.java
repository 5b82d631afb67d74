package orrery.gateway;

import orrery.gateway.api.ItemWrite;

/** The kinds of requests that a principal may or may not make. */
public enum Action {
    /** Learns that a container exists and how it is defined, on the way to something in it. */
    RESOLVE(false, Holders.ANY_TOKEN_IN_CONTAINER, "find containers"),
    /** Reads the definition of a container and its ranges, which clients need for all else. */
    READ_CONTAINER(false, Holders.ANY_TOKEN_IN_CONTAINER, "read containers"),
    CHANGE_CONTAINER(true, Holders.TOKENS, "change containers"),
    DELETE_CONTAINER(true, Holders.TOKENS, "change containers"),
    READ_ITEMS(false, Holders.TOKENS, "read items"),
    /** Changes items in a way that is none of the next ones alone. */
    WRITE_ITEMS(true, Holders.TOKENS, "change items"),
    INSERT_ITEMS(true, Holders.TOKENS, "change items"),
    UPDATE_ITEMS(true, Holders.TOKENS, "change items"),
    UPSERT_ITEMS(true, Holders.TOKENS, "change items"),
    DELETE_ITEMS(true, Holders.TOKENS, "change items"),
    RUN_PROCEDURES(true, Holders.TOKENS, "run stored procedures"),
    READ_SCRIPTS(false, Holders.TOKENS, "read scripts"),
    CHANGE_SCRIPTS(true, Holders.TOKENS, "change scripts"),
    /** Counts and sizes; they tell of all items, and the hottest keys by name. */
    INSPECT(false, Holders.TOKENS, "look at partitions"),
    READ_RESOURCES(false, Holders.ACCOUNT_KEYS, Texts.READING),
    CHANGE_RESOURCES(true, Holders.ACCOUNT_KEYS, Texts.CHANGING),
    /** Finds or makes the database in which something is looked for or made. */
    FIND_DATABASE(false, Holders.ACCOUNT_KEYS, Texts.READING),
    CREATE_DATABASE(true, Holders.ACCOUNT_KEYS, Texts.CHANGING),
    LIST_CONTAINERS(false, Holders.ACCOUNT_KEYS, Texts.READING),
    CREATE_CONTAINER(true, Holders.ACCOUNT_KEYS, Texts.CHANGING),
    /** A stored policy opens nothing to a reader, who learns no more than its id. */
    READ_POLICIES(false, Holders.ACCOUNT_KEYS, "read stored access policies"),
    /** A changed policy changes what signatures open. */
    CHANGE_POLICIES(true, Holders.ACCOUNT_KEYS, "change stored access policies"),
    READ_TABLE_SERVICE(false, Holders.ACCOUNT_KEYS, "read properties of the Table service"),
    CHANGE_TABLE_SERVICE(true, Holders.ACCOUNT_KEYS, "change properties of the Table service"),
    /** A token that is seen may be used, so that it is more than a read. */
    ISSUE_TOKENS(
            true, Holders.ACCOUNT_KEYS, "read permissions, which come with tokens, or change them"),
    OPERATE(true, Holders.ACCOUNT_KEYS, "reshape or repair partitions, or set faults"),
    READ_SETTINGS(false, Holders.ACCOUNT_KEYS, "read settings of the account"),
    CHANGE_SETTINGS(true, Holders.ACCOUNT_KEYS, "change settings of the account"),
    /** A key that is seen may be used, so that it is more than a read. */
    SEE_KEYS(true, Holders.ACCOUNT_KEYS, "see keys"),
    REPLACE_KEYS(true, Holders.ACCOUNT_KEYS, "replace keys");

    /** The principals that an action is open to. */
    enum Holders {
        ACCOUNT_KEYS,
        /** Also resource tokens that reach all of what the request is about. */
        TOKENS,
        /** Also resource tokens for whatever lies in the container. */
        ANY_TOKEN_IN_CONTAINER
    }

    /** Texts that several actions have. */
    private static final class Texts {
        static final String READING =
                "read databases, users, client encryption keys and throughput";
        static final String CHANGING =
                "change databases, users, client encryption keys or throughput";
    }

    private final boolean needsReadWriteKey;
    private final Holders holders;
    private final String text;

    Action(boolean needsReadWriteKey, Holders holders, String text) {
        this.needsReadWriteKey = needsReadWriteKey;
        this.holders = holders;
        this.text = text;
    }

    /** Returns true if neither a read-only key nor a token of the mode Read will do. */
    boolean needsReadWriteKey() {
        return needsReadWriteKey;
    }

    /** The action that a write is. */
    static Action of(ItemWrite write) {
        return switch (write) {
            case ItemWrite.Create _ -> INSERT_ITEMS;
            case ItemWrite.Upsert _ -> UPSERT_ITEMS;
            case ItemWrite.Replace _ -> UPDATE_ITEMS;
            case ItemWrite.Evaluate evaluate -> evaluate.upsert() ? UPSERT_ITEMS : UPDATE_ITEMS;
            case ItemWrite.Take _, ItemWrite.Delete _ -> DELETE_ITEMS;
        };
    }

    Holders holders() {
        return holders;
    }

    /** The action as it stands behind "cannot" in a refusal. */
    String text() {
        return text;
    }
}
