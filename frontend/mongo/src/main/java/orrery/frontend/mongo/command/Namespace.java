package orrery.frontend.mongo.command;

import java.nio.charset.StandardCharsets;
import orrery.gateway.api.ContainerRef;
import orrery.query.mongo.MongoCode;

/** A collection in a database. */
public record Namespace(String database, String collection) {
    private static final int MAX_BYTES = 255;
    private static final int MAX_DATABASE_BYTES = 63;
    private static final String NOT_IN_DATABASES = "/\\. \"$*<>:|?";

    public Namespace {
        checkDatabase(database);
        if (collection.isEmpty()
                || collection.indexOf('$') >= 0
                || collection.indexOf('\0') >= 0
                || collection.startsWith(".")
                || collection.startsWith("system.")
                || database.length() + collection.length() + 1 > MAX_BYTES
                || utf8(database + "." + collection) > MAX_BYTES) {
            throw MongoCode.INVALID_NAMESPACE.failure(
                    "Invalid namespace specified '" + database + "." + collection + "'");
        }
    }

    static void checkDatabase(String name) {
        if (name.isEmpty()
                || name.indexOf('\0') >= 0
                || hasForbidden(name)
                || utf8(name) > MAX_DATABASE_BYTES) {
            throw MongoCode.INVALID_NAMESPACE.failure("Invalid database name: '" + name + "'");
        }
    }

    /** Each command asks, so this makes no stream. */
    private static boolean hasForbidden(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (NOT_IN_DATABASES.indexOf(name.charAt(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Reads a full name; the first dot ends that of the database. */
    static Namespace parse(String full) {
        int dot = full.indexOf('.');
        if (dot < 0) {
            throw MongoCode.INVALID_NAMESPACE.failure("Invalid namespace specified '" + full + "'");
        }
        return new Namespace(full.substring(0, dot), full.substring(dot + 1));
    }

    /** The full name that a cursor has. Lists of a database stand for collections of it. */
    static String ofCursor(String database, String collection) {
        return collection.startsWith("$cmd.")
                ? database + "." + collection
                : new Namespace(database, collection).toString();
    }

    private static int utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    ContainerRef.Addressed container() {
        return ContainerRef.Addressed.byName(database, collection);
    }

    @Override
    public String toString() {
        return database + "." + collection;
    }
}
