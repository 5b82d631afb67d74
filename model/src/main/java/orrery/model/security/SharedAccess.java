package orrery.model.security;

import java.util.Set;

/** The part of the tables of an account that a shared access signature opens. */
public sealed interface SharedAccess {
    Set<Right> rights();

    /** The rights of the holder, by the letters in signatures. */
    enum Right {
        READ('r'),
        WRITE('w'),
        DELETE('d'),
        LIST('l'),
        ADD('a'),
        CREATE('c'),
        UPDATE('u');

        private final char letter;

        Right(char letter) {
            this.letter = letter;
        }

        public char letter() {
            return letter;
        }
    }

    /** The kinds of resources that a signature for the account may open. */
    enum Level {
        SERVICE('s'),
        TABLES('c'),
        ENTITIES('o');

        private final char letter;

        Level(char letter) {
            this.letter = letter;
        }

        public char letter() {
            return letter;
        }
    }

    /**
     * Entities of one table.
     *
     * @param table its name; its letters count as equal in both cases, as the signature has them
     */
    record OneTable(String table, EntityRange range, Set<Right> rights) implements SharedAccess {
        public OneTable {
            rights = Set.copyOf(rights);
        }
    }

    /** Everything of some kinds. */
    record AllTables(Set<Level> levels, Set<Right> rights) implements SharedAccess {
        public AllTables {
            levels = Set.copyOf(levels);
            rights = Set.copyOf(rights);
        }
    }
}
