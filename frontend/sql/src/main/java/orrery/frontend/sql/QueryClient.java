package orrery.frontend.sql;

import java.util.List;
import java.util.Locale;

/**
 * The clients that ask for queries over several partitions, told apart by what they send. Those
 * that merge by themselves expect to be refused with a plan where results have to be put together,
 * and their users see what that merging does. All others get whole answers.
 *
 * <p>The first client of the table is meant whose headers are all there. The user agent comes last:
 * users can set it, and browsers do not let it be set. SDKs for Java and .NET are not here, because
 * they name a range or a key in every query.
 *
 * <table>
 * <caption>How clients are told apart</caption>
 * <tr><th>client</th><th>headers</th><th>user agent</th><th>merges</th></tr>
 * <tr><td>Go, Rust</td><td>x-ms-documentdb-query</td><td></td><td>no</td></tr>
 * <tr><td>Python</td><td>x-ms-documentdb-isquery, x-ms-cosmos-sdk-supportedcapabilities,
 *     x-ms-documentdb-query-iscontinuationexpected</td><td>azsdk-python-cosmos</td><td>yes</td></tr>
 * <tr><td>JavaScript</td><td>x-ms-documentdb-isquery, x-ms-cosmos-sdk-supportedcapabilities,
 *     x-ms-documentdb-responsecontinuationtokenlimitinkb</td><td>azsdk-js-cosmos</td><td>yes</td></tr>
 * <tr><td>any other</td><td></td><td></td><td>no</td></tr>
 * </table>
 */
enum QueryClient {
    GO(false, ""),
    PYTHON(true, "azsdk-python-cosmos"),
    JAVASCRIPT(true, "azsdk-js-cosmos"),
    OTHER(false, "");

    private final boolean merges;
    private final String agent;

    QueryClient(boolean merges, String agent) {
        this.merges = merges;
        this.agent = agent;
    }

    private List<String> headers() {
        return switch (this) {
            case GO -> List.of(SqlHeaders.IS_QUERY_GO);
            case PYTHON ->
                    List.of(
                            SqlHeaders.IS_QUERY,
                            SqlHeaders.SUPPORTED_CAPABILITIES,
                            SqlHeaders.IS_CONTINUATION_EXPECTED);
            case JAVASCRIPT ->
                    List.of(
                            SqlHeaders.IS_QUERY,
                            SqlHeaders.SUPPORTED_CAPABILITIES,
                            SqlHeaders.CONTINUATION_LIMIT);
            case OTHER -> List.of();
        };
    }

    static QueryClient of(SqlRequest request) {
        for (QueryClient client : values()) {
            List<String> headers = client.headers();
            if (!headers.isEmpty() && headers.stream().allMatch(request::has)) {
                return client;
            }
        }
        String agent = request.find(SqlHeaders.USER_AGENT).orElse("").toLowerCase(Locale.ROOT);
        for (QueryClient client : values()) {
            if (!client.agent.isEmpty() && agent.contains(client.agent)) {
                return client;
            }
        }
        return OTHER;
    }

    /**
     * Returns true if it takes the groups of a range for complete at a page without any, and then
     * asks for nothing more or for ever.
     */
    boolean stopsAtPagesWithoutGroups() {
        return this == JAVASCRIPT;
    }

    /**
     * Returns true if it does not look for the ranges anew when it hears that one was split, and
     * asks for that one for ever.
     */
    boolean asksForGoneRanges() {
        return this == JAVASCRIPT;
    }

    /** Returns true if it puts the answers of ranges together, once it is refused with a plan. */
    boolean mergesByItself() {
        return merges;
    }
}
