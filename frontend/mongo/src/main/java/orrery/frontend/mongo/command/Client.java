package orrery.frontend.mongo.command;

import java.net.InetSocketAddress;
import java.util.Optional;
import orrery.frontend.mongo.auth.Login;
import orrery.frontend.mongo.auth.ScramConversation;

/**
 * What is known about the client of one connection. Its commands come one after the other, so one
 * thread at a time uses it.
 */
public final class Client {
    private final int connectionId;
    private final InetSocketAddress remote;
    private final InetSocketAddress local;
    private Optional<String> serverName = Optional.empty();
    private Optional<Login> login = Optional.empty();
    private Optional<Conversation> conversation = Optional.empty();
    private boolean hasMetadata;
    private int conversations;
    private Optional<RequestStatistics> last = Optional.empty();

    /**
     * A login under way, or one whose client still sends an empty message.
     *
     * @param login set once the proof was good
     */
    record Conversation(
            int id, ScramConversation scram, boolean skipsEmptyExchange, Optional<Login> login) {}

    public Client(int connectionId, InetSocketAddress remote, InetSocketAddress local) {
        this.connectionId = connectionId;
        this.remote = remote;
        this.local = local;
    }

    int connectionId() {
        return connectionId;
    }

    InetSocketAddress remote() {
        return remote;
    }

    InetSocketAddress local() {
        return local;
    }

    /** Returns the name by which the client calls the server, if TLS told it. */
    Optional<String> serverName() {
        return serverName;
    }

    public void serverName(Optional<String> name) {
        serverName = name;
    }

    public Optional<Login> login() {
        return login;
    }

    /** Returns true if the client has logged in with a key that may only read. */
    boolean isReader() {
        return login.filter(known -> known.kind().isReadOnly()).isPresent();
    }

    void login(Optional<Login> next) {
        login = next;
    }

    /** Returns false if the client has told about itself before. */
    boolean takeMetadata() {
        boolean isFirst = !hasMetadata;
        hasMetadata = true;
        return isFirst;
    }

    Conversation begin(ScramConversation scram, boolean skipsEmptyExchange) {
        Conversation begun =
                new Conversation(++conversations, scram, skipsEmptyExchange, Optional.empty());
        conversation = Optional.of(begun);
        return begun;
    }

    Optional<Conversation> conversation() {
        return conversation;
    }

    void conversation(Optional<Conversation> next) {
        conversation = next;
    }

    Optional<RequestStatistics> last() {
        return last;
    }

    void last(RequestStatistics statistics) {
        last = Optional.of(statistics);
    }
}
