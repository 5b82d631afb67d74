package orrery.frontend.sql;

import org.junit.jupiter.api.Test;
import orrery.model.OrreryException;

class SqlRouteTest {
    @Test
    void pathsAreRoutedAndSignedAsTheFileSays() {
        TextCases.run("routes.test", SqlRouteTest::describe);
    }

    private static String describe(String path) {
        try {
            SqlPath parsed = SqlPath.parse(path);
            return SqlRoute.of(parsed).map(Object::toString).orElse("no such path")
                    + "\ntype '"
                    + String.join("|", parsed.signedTypes())
                    + "' links "
                    + parsed.signedLinks();
        } catch (OrreryException refused) {
            return refused.code().name();
        }
    }
}
