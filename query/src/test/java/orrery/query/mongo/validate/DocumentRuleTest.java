package orrery.query.mongo.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.BsonCodec;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.model.Violation;
import orrery.query.mongo.Documents;

final class DocumentRuleTest {
    private static DocumentRule rule(String filter) {
        return DocumentRule.of(Documents.bson(filter));
    }

    private static Value.Obj reasons(DocumentRule rule, Value.Obj document) {
        return BsonCodec.read(rule.reasons(document));
    }

    /** Tells clients why a document does not meet a rule. */
    private static String details(String filter, String document) {
        Value.Obj read = BsonCodec.read(Documents.bson(document));
        DocumentRule rule = rule(filter);
        assertThat(rule.accepts(read)).as("accepts " + document).isFalse();
        Value.Obj told = reasons(rule, read);
        assertThat(told.properties().keySet()).containsExactly("failingDocumentId", "details");
        return shown(told.properties().getOrDefault("details", Value.Null.NULL));
    }

    private static String shown(Value value) {
        return JsonText.write(value);
    }

    /** The same document without the spaces of a table. */
    private static String compact(String document) {
        return shown(BsonCodec.read(Documents.bson(document)));
    }

    private static String schema(String schema, String document) {
        String told = details("{'$jsonSchema':" + schema + "}", document);
        String before = "{\"operatorName\":\"$jsonSchema\",\"schemaRulesNotSatisfied\":[";
        assertThat(told).startsWith(before).endsWith("]}");
        return told.substring(before.length(), told.length() - "]}".length());
    }

    // ---- filters

    @ParameterizedTest
    @CsvFileSource(resources = "/validators/filters.csv", delimiter = '|', quoteCharacter = '~')
    void tellsWhichClauseFails(String filter, String document, String expected) {
        assertThat(details(filter, document)).isEqualTo(compact(expected));
    }

    @Test
    void anExpressionThatFailsIsNotMet() {
        assertThat(details("{'$expr':{'$divide':[1,'$a']}}", "{'a':0}"))
                .contains(
                        "\"reason\":\"failed to evaluate aggregation expression\"", "\"errmsg\":");
    }

    @Test
    void ofManyValuesTenAreTold() {
        assertThat(details("{'a':0}", "{'a':[1,2,3,4,5,6,7,8,9,10]}")).doesNotContain("Truncated");
        assertThat(details("{'a':0}", "{'a':[1,2,3,4,5,6,7,8,9,10,11]}"))
                .contains("9,10],\"consideredValuesTruncated\":true");
    }

    // ---- schemas

    @ParameterizedTest
    @CsvFileSource(resources = "/validators/schemas.csv", delimiter = '|', quoteCharacter = '~')
    void tellsWhichRuleOfASchemaFails(String schema, String document, String expected) {
        assertThat(schema(schema, document)).isEqualTo(compact(expected));
    }

    @Test
    void tellsSeveralRulesInTheOrderOfServers() {
        assertThat(
                        schema(
                                "{'bsonType':'object','required':['b'],'properties':{'a':{'bsonType':'int'}}}",
                                "{'a':'x'}"))
                .startsWith("{\"operatorName\":\"properties\"")
                .contains("{\"operatorName\":\"required\"");
    }

    @Test
    void tellsTheTitleOfASchema() {
        assertThat(details("{'$jsonSchema':{'title':'T','required':['a']}}", "{}"))
                .startsWith("{\"operatorName\":\"$jsonSchema\",\"title\":\"T\",\"schemaRules");
    }

    // ---- limits

    @Test
    void leavesOutValuesThatAreTooLong() {
        String kept = "v".repeat(15_000);
        String tooLong = "v".repeat(Violation.MAX_BYTES);
        assertThat(
                        shown(
                                reasons(
                                        rule("{'a':1}"),
                                        Value.Obj.of("_id", Value.of(7), "a", Value.of(kept)))))
                .contains(kept);

        Value.Obj told =
                reasons(rule("{'a':1}"), Value.Obj.of("_id", Value.of(7), "a", Value.of(tooLong)));

        assertThat(shown(told))
                .isEqualTo(
                        "{\"failingDocumentId\":7,\"truncated\":true,\"details\":{"
                                + "\"operatorName\":\"$eq\",\"reason\":\"comparison failed\"}}");
    }

    @Test
    void saysThatTooMuchWouldHaveToBeTold() {
        StringBuilder clauses = new StringBuilder("{'a':0}");
        for (int i = 1; i < 300; i++) {
            clauses.append(",{'a").append(i).append("':0}");
        }

        Value.Obj told =
                reasons(
                        rule("{'$or':[" + clauses + "]}"),
                        BsonCodec.read(Documents.bson("{'_id':7}")));

        assertThat(shown(told))
                .isEqualTo("{\"failingDocumentId\":7,\"note\":\"detailed error was too large\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$expr':{'$lt':['$a','$$NOW']}}",
                "{'$expr':{'$lt':['$a','$$CLUSTER_TIME']}}",
                "{'$or':[{'$expr':{'$lt':[{'$rand':{}},0.5]}}]}",
                "{'$sampleRate':0.5}"
            })
    void refusesWhatDependsOnMoreThanTheDocument(String filter) {
        assertThatThrownBy(() -> rule(filter))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("is not allowed in collection validators");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'a':{'$frob':1}}", "{'$jsonSchema':{'frob':1}}", "{'$where':'1'}"})
    void refusesWhatIsNoFilter(String filter) {
        assertThatThrownBy(() -> rule(filter)).isInstanceOf(OrreryException.class);
    }

    @Test
    void anEmptyFilterHoldsForAll() {
        assertThat(rule("{}").accepts(BsonCodec.read(Documents.bson("{'a':1}")))).isTrue();
    }
}
