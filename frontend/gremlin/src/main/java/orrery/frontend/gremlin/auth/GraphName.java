package orrery.frontend.gremlin.auth;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import orrery.gateway.api.ContainerRef;

/** The graph that a driver names as its user. */
public record GraphName(String database, String graph) {
    private static final Pattern FORM =
            Pattern.compile("/?dbs/([^/]{1,255})/colls/([^/]{1,255})/?");

    /** Empty for anything but {@code /dbs/<database>/colls/<graph>}. */
    public static Optional<GraphName> parse(String user) {
        Matcher form = FORM.matcher(user);
        return form.matches()
                ? Optional.of(new GraphName(form.group(1), form.group(2)))
                : Optional.empty();
    }

    public ContainerRef.Addressed container() {
        return ContainerRef.Addressed.byName(database, graph);
    }

    /** Returns the link, as clients write it. */
    @Override
    public String toString() {
        return "/dbs/" + database + "/colls/" + graph;
    }
}
