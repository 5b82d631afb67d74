package orrery.frontend.gremlin.auth;

import orrery.model.security.KeyKind;

/** A client that has shown who it is, and the graph that its connection is bound to. */
public sealed interface Login {
    GraphName graph();

    /**
     * The holder of an account key.
     *
     * @param key its text: when the account has another one, the login has ended
     */
    record ByKey(GraphName graph, KeyKind kind, String key) implements Login {
        /** Shows nothing of the key. */
        @Override
        public String toString() {
            return "login with the key " + kind;
        }
    }

    /**
     * The holder of a resource token.
     *
     * @param token asked about again at each request: it ends with its permission
     */
    record ByToken(GraphName graph, String token) implements Login {
        /** Shows nothing of the token. */
        @Override
        public String toString() {
            return "login with a resource token";
        }
    }
}
