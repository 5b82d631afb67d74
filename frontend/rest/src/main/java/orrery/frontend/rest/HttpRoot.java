package orrery.frontend.rest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import orrery.frontend.http.Admission;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;

/**
 * The root of one port: hands each request to the API whose prefix begins its path. The longest
 * prefix wins, and a prefix ends where a segment does.
 */
public final class HttpRoot implements HttpHandler {
    /** The reply to OPTIONS: the methods that any resource may have. */
    private static final HttpReply OPTIONS =
            HttpReply.status(200).header("Allow", "GET, POST, PUT, PATCH, DELETE, OPTIONS").build();

    private record Mount(String prefix, String api, HttpHandler handler) {
        boolean holds(String path) {
            return path.startsWith(prefix)
                    && (path.length() == prefix.length()
                            || prefix.endsWith("/")
                            || path.charAt(prefix.length()) == '/');
        }
    }

    /** Longer prefixes first; the last one holds every path. */
    private final List<Mount> mounts;

    private HttpRoot(List<Mount> mounts) {
        this.mounts = List.copyOf(mounts);
    }

    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        return head.method().equals("OPTIONS")
                ? new Admission.Admitted(false, _ -> OPTIONS)
                : mount(head.path()).handler().admit(head);
    }

    @Override
    public boolean isManagement(HttpRequest head) {
        return mount(head.path()).handler().isManagement(head);
    }

    @Override
    public String resourceType(HttpRequest head) {
        return mount(head.path()).handler().resourceType(head);
    }

    /** The name of the API that answers a path, by which requests are counted. */
    public String api(String path) {
        return mount(path).api();
    }

    private Mount mount(String path) {
        for (Mount mount : mounts) {
            if (mount.holds(path)) {
                return mount;
            }
        }
        return mounts.getLast();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects what a port answers. */
    public static final class Builder {
        private final List<Mount> mounts = new ArrayList<>();

        /**
         * Adds an API, or a part of one.
         *
         * @param prefix begins with a slash and ends without one
         */
        public Builder mount(String prefix, String api, HttpHandler handler) {
            if (!prefix.startsWith("/") || prefix.endsWith("/")) {
                throw new IllegalArgumentException("not a prefix of paths: " + prefix);
            }
            mounts.add(new Mount(prefix, api, handler));
            return this;
        }

        /** Ends the list with the API that answers all other paths. */
        public HttpRoot otherwise(String api, HttpHandler handler) {
            mounts.add(new Mount("/", api, handler));
            mounts.sort(
                    Comparator.comparingInt((Mount mount) -> mount.prefix().length()).reversed());
            return new HttpRoot(mounts);
        }
    }
}
