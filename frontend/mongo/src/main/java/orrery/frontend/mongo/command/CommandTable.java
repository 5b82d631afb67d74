package orrery.frontend.mongo.command;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The commands that there are, by their names. */
final class CommandTable {
    private final Map<String, Command> commands = new LinkedHashMap<>();
    private final Map<String, Command> spellings = new HashMap<>();
    private final Set<String> adminOnly = new HashSet<>();

    /** Adds a command of everybody. */
    CommandTable open(String name, Set<String> fields, Command.Body body) {
        return add(new Command(name, Command.Access.ANYBODY, fields, body));
    }

    CommandTable read(String name, Set<String> fields, Command.Body body) {
        return add(new Command(name, Command.Access.READER, fields, body));
    }

    /** Adds a command whose fields have names that clients choose. */
    CommandTable readAny(String name, Command.Body body) {
        return add(new Command(name, Command.Access.READER, Command.ANY_FIELDS, body));
    }

    CommandTable write(String name, Set<String> fields, Command.Body body) {
        return add(new Command(name, Command.Access.WRITER, fields, body));
    }

    /** Adds a command that changes more than documents. */
    CommandTable manage(String name, Set<String> fields, Command.Body body) {
        return add(new Command(name, Command.Access.MANAGER, fields, body));
    }

    /** Adds another spelling of a command: some clients write all in small letters. */
    CommandTable alias(String spelling, String name) {
        Command command = spellings.get(name);
        if (command == null) {
            throw new IllegalArgumentException("there is no command " + name);
        }
        spellings.put(spelling, command);
        return this;
    }

    /** Makes commands be refused in other databases than admin. */
    CommandTable onlyOfAdmin(String... names) {
        adminOnly.addAll(List.of(names));
        return this;
    }

    boolean isOnlyOfAdmin(String name) {
        return adminOnly.contains(name);
    }

    private CommandTable add(Command command) {
        if (spellings.put(command.name(), command) != null) {
            throw new IllegalArgumentException("two commands have the name " + command.name());
        }
        commands.put(command.name(), command);
        return this;
    }

    Optional<Command> find(String name) {
        return Optional.ofNullable(spellings.get(name));
    }

    Map<String, Command> all() {
        return commands;
    }
}
