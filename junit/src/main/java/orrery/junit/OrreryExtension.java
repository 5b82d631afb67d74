package orrery.junit;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives the tests of a class a server, empty for each of them.
 *
 * <pre>{@code
 * @ExtendWith(OrreryExtension.class)
 * class CartTest {
 *     @Test
 *     void keepsWhatIsPutIntoIt(Orrery orrery) { ... }
 * }
 * }</pre>
 *
 * <p>Parameters of tests, constructors and methods around tests may be an {@link Orrery}, an {@link
 * OrreryClock}, or what {@link OrreryEndpoint}, {@link OrreryKey}, {@link OrreryConnectionString},
 * {@link OrreryTableEndpoint} and {@link OrreryTableConnectionString} mark. Classes that run one
 * after the other share a server, which the first of them starts; classes that run at the same time
 * have one each. With options, or with data that stays for all tests of a class, it is registered
 * by a field:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final OrreryExtension ORRERY =
 *         OrreryExtension.builder().options("--no-throttling").keepBetweenTests().build();
 * }</pre>
 */
public final class OrreryExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace SERVERS = Namespace.create(OrreryExtension.class);

    static {
        // Before a test class can load the SDK.
        Orrery.allowPlainHttp();
    }

    private final List<String> options;
    private final boolean keepsBetweenTests;

    /** Gives every test an empty server without options. */
    public OrreryExtension() {
        this(List.of(), false);
    }

    private OrreryExtension(List<String> options, boolean keepsBetweenTests) {
        this.options = options;
        this.keepsBetweenTests = keepsBetweenTests;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects what differs from the default. */
    public static final class Builder {
        private List<String> options = List.of();
        private boolean keepsBetweenTests;

        private Builder() {}

        /** Takes options of {@code orrery start}, such as {@code --limits=2024}. */
        public Builder options(String... options) {
            this.options = List.of(options);
            return this;
        }

        /**
         * Empties the server before the first test of the class only. What {@code @BeforeAll} has
         * made is then there for all of them, and they may run at the same time.
         */
        public Builder keepBetweenTests() {
            keepsBetweenTests = true;
            return this;
        }

        public OrreryExtension build() {
            return new OrreryExtension(options, keepsBetweenTests);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        lease(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (!keepsBetweenTests) {
            lease(context).beginTest(context.getUniqueId());
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (!keepsBetweenTests) {
            lease(context).endTest(context.getUniqueId());
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Orrery.class
                || type == OrreryClock.class
                || ((type == URI.class || type == String.class)
                        && (parameter.isAnnotated(OrreryEndpoint.class)
                                || parameter.isAnnotated(OrreryTableEndpoint.class)))
                || (type == String.class
                        && (parameter.isAnnotated(OrreryKey.class)
                                || parameter.isAnnotated(OrreryConnectionString.class)
                                || parameter.isAnnotated(OrreryTableConnectionString.class)));
    }

    @Override
    public Object resolveParameter(ParameterContext context, ExtensionContext extension) {
        Orrery server = lease(extension).server();
        Class<?> type = context.getParameter().getType();
        if (type == Orrery.class) {
            return server;
        }
        if (type == OrreryClock.class) {
            return server.clock();
        }
        if (context.isAnnotated(OrreryEndpoint.class)) {
            return as(type, server.endpoint());
        }
        if (context.isAnnotated(OrreryTableEndpoint.class)) {
            return as(type, server.tableEndpoint());
        }
        if (context.isAnnotated(OrreryTableConnectionString.class)) {
            return server.tableConnectionString();
        }
        return context.isAnnotated(OrreryKey.class) ? server.key() : server.connectionString();
    }

    private static Object as(Class<?> type, URI endpoint) {
        return type == URI.class ? endpoint : endpoint.toString();
    }

    /** The lease of the class, or of the test if the extension is registered for the test alone. */
    private Lease lease(ExtensionContext context) {
        ServerPool pool =
                context.getRoot()
                        .getStore(SERVERS)
                        .getOrComputeIfAbsent(
                                ServerPool.class, _ -> new ServerPool(), ServerPool.class);
        return context.getStore(SERVERS)
                .getOrComputeIfAbsent(options, _ -> new Lease(pool, options), Lease.class);
    }
}
