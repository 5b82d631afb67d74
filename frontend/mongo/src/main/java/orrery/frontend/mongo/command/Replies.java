package orrery.frontend.mongo.command;

import orrery.document.Value;

/** Parts that many answers share. */
final class Replies {
    static final Value.Obj OK = new Doc().putDouble("ok", 1.0).build();

    private Replies() {}
}
