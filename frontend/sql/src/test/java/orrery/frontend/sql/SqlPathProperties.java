package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

class SqlPathProperties {
    @Property
    void everyIdComesThroughItsEncoding(@ForAll("ids") List<String> ids) {
        StringBuilder path = new StringBuilder();
        for (String id : ids) {
            path.append('/')
                    .append(URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20"));
        }
        assertThat(SqlPath.parse(path.toString()).segments()).isEqualTo(ids);
    }

    @Provide
    Arbitrary<List<String>> ids() {
        return Arbitraries.strings()
                .all()
                .excludeChars('\ufffe')
                .ofMinLength(1)
                .ofMaxLength(12)
                .map(
                        text ->
                                new String(
                                        text.getBytes(StandardCharsets.UTF_8),
                                        StandardCharsets.UTF_8))
                .list()
                .ofMaxSize(7);
    }

    @Property
    void anyTextIsAPathOrABadRequest(@ForAll("paths") String text) {
        try {
            SqlPath path = SqlPath.parse(text);
            assertThat(path.signedLinks()).isNotEmpty();
            assertThat(path.signedTypes()).isNotEmpty();
            assertThat(SqlRoute.of(path)).isNotNull();
        } catch (OrreryException refused) {
            assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    @Provide
    Arbitrary<String> paths() {
        Arbitrary<String> pieces =
                Arbitraries.oneOf(
                        Arbitraries.of(
                                "dbs",
                                "colls",
                                "docs",
                                "offers",
                                "users",
                                "AQAAAA==",
                                "%",
                                "%2F",
                                "%C3",
                                "%zz",
                                "operations",
                                "partitionkeydelete"),
                        Arbitraries.strings().all().ofMaxLength(6));
        return pieces.list().ofMaxSize(9).map(list -> "/" + String.join("/", list));
    }
}
