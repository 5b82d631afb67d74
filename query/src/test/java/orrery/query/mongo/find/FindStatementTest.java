package orrery.query.mongo.find;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.BsonCodec;
import orrery.document.BsonKeys;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.codec.MalformedRecordException;
import orrery.query.mongo.Documents;

/** The payload of reads, the keys that they visit, their projections and their sort values. */
final class FindStatementTest {
    private static FindOptions options(String filter) {
        return FindOptions.of(Documents.of(filter));
    }

    /** The example of docs/formats/messages.md. */
    @Test
    void thePayloadIsTheDocumentedOne() {
        FindStatement statement =
                new FindStatement(
                        options("{'a':1}").withSort(Documents.of("{'b':-1}")).within(2, 5));
        assertThat(statement.encoded().dialect()).isEqualTo("mongo");
        assertThat(statement.encoded().version()).isEqualTo(1);
        assertThat(statement.encoded().payload())
                .isEqualTo(
                        Bytes.ofHex(
                                "40000000"
                                        + "0366696C746572000C0000001061000100000000"
                                        + "03736F7274000C000000106200FFFFFFFF00"
                                        + "10736B69700002000000"
                                        + "106C696D69740005000000"
                                        + "00"));
        assertThat(MongoDialect.INSTANCE.read(statement.encoded().payload())).isEqualTo(statement);
    }

    @Test
    void allPartsComeBack() {
        FindOptions all =
                options("{'a':1}")
                        .withProjection(Documents.of("{'a':1}"))
                        .withLet(Documents.of("{'x':1}"))
                        .withCollation(Documents.of("{'locale':'simple'}"));
        for (FindOptions each : List.of(all, all.counted(), all.distinct("a.b"))) {
            FindStatement statement = new FindStatement(each);
            FindStatement read =
                    (FindStatement) MongoDialect.INSTANCE.read(statement.encoded().payload());
            assertThat(read.options()).isEqualTo(each);
        }
    }

    /** A payload that never changes is made ready once. */
    @Test
    void theTimeIsSentWhereItIsAskedFor() {
        FindOptions timed = options("{'a':1}").at(Instant.ofEpochMilli(5));
        assertThat(new FindStatement(timed).options().now()).isEmpty();
        FindOptions asking = options("{'a':'$$NOW'}").at(Instant.ofEpochMilli(5));
        FindStatement statement = new FindStatement(asking);
        assertThat(((FindStatement) MongoDialect.INSTANCE.read(statement.encoded().payload())))
                .isEqualTo(statement)
                .extracting(read -> read.options().now())
                .isEqualTo(Optional.of(Instant.ofEpochMilli(5)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'filter':1}
                    {'other':1}
                    {'skip':-1}
                    {'limit':1.5}
                    {'count':1}
                    {'distinct':1}
                    {'now':1}
                    """)
    void otherPayloadsAreRefused(String payload) {
        Bytes bytes = BsonCodec.write(Documents.of(payload));
        assertThatThrownBy(() -> MongoDialect.INSTANCE.read(bytes))
                .isInstanceOf(MalformedRecordException.class);
        assertThatThrownBy(
                        () ->
                                MongoDialect.INSTANCE.read(
                                        Bytes.copyOf(bytes.unsafeArray(), 0, bytes.length() - 1)))
                .isInstanceOf(MalformedRecordException.class);
    }

    private static final PartitionKeyDefinition BY_PK =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk")), PartitionKeyDefinition.Kind.HASH, 2, false);

    private static PartitionKey key(KeyComponent component) {
        return new PartitionKey(List.of(component));
    }

    @Test
    void filtersNameShardKeys() {
        PartitionKey x = key(new KeyComponent.Text("x"));
        PartitionKey one = key(new KeyComponent.Numeric(1));
        assertKeys("{'pk':'x'}", x);
        assertKeys("{'pk':{'$eq':'x'},'a':1}", x);
        assertKeys("{'pk':{'$numberLong':'1'}}", one);
        assertKeys("{'pk':{'$in':[1,'x']}}", one, x);
        assertKeys("{'$and':[{'a':2},{'pk':'x'}]}", x);
        assertKeys("{'$or':[{'pk':'x'},{'pk':1}]}", x, one);
        assertKeys("{'pk':null}", key(KeyComponent.NULL), key(KeyComponent.UNDEFINED));
        assertKeys("{'pk':{'$in':[1,'x']},'$or':[{'pk':'x'}]}", x);
        for (String any :
                List.of(
                        "{}",
                        "{'a':1}",
                        "{'pk':{'$gt':'x'}}",
                        "{'pk':{'$ne':'x'}}",
                        "{'pk':[1]}",
                        "{'$or':[{'pk':'x'},{'a':1}]}",
                        "{'pk':{'$in':['x',{'$regularExpression':{'pattern':'y','options':''}}]}}")) {
            assertThat(new FindStatement(options(any)).keys(BY_PK)).as(any).isEmpty();
        }
    }

    /** Strings that are equal under a collation have other keys. */
    @Test
    void underACollationStringsNameNoShardKeys() {
        Value.Obj english = Documents.of("{'locale':'en'}");
        for (String text : List.of("{'pk':'x'}", "{'pk':{'$in':[1,'x']}}", "{'pk':{'a':'x'}}")) {
            FindStatement statement = new FindStatement(options(text).withCollation(english));
            assertThat(statement.keys(BY_PK)).as(text).isEmpty();
        }
        assertThat(new FindStatement(options("{'pk':1}").withCollation(english)).keys(BY_PK))
                .contains(List.of(key(new KeyComponent.Numeric(1))));
        assertThat(
                        new FindStatement(options("{'_id':'x','pk':1}").withCollation(english))
                                .point(BY_PK))
                .isEmpty();
        assertThat(
                        new FindStatement(options("{'_id':2,'pk':1}").withCollation(english))
                                .point(BY_PK))
                .isPresent();
    }

    private static void assertKeys(String filter, PartitionKey... keys) {
        assertThat(new FindStatement(options(filter)).keys(BY_PK).orElseThrow())
                .as(filter)
                .containsExactly(keys);
    }

    @Test
    void anIdWithItsShardKeyIsAPoint() {
        FindStatement point = new FindStatement(options("{'_id':7,'pk':'x','a':1}"));
        assertThat(point.point(BY_PK))
                .contains(
                        new FindStatement.Point(
                                key(new KeyComponent.Text("x")), BsonKeys.rowKey(Value.of(7))));
        assertThat(point.result(Documents.of("{'_id':7,'pk':'x','a':1}"))).isPresent();
        assertThat(point.result(Documents.of("{'_id':7,'pk':'x','a':2}"))).isEmpty();
        for (String other :
                List.of(
                        "{'_id':7}",
                        "{'pk':'x'}",
                        "{'_id':{'$gt':7},'pk':'x'}",
                        "{'_id':null,'pk':'x'}")) {
            assertThat(new FindStatement(options(other)).point(BY_PK)).as(other).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'a':1}              | {'_id':1,'b':2,'a':3}         | {'_id':1,'a':3}
                    {'a':true,'_id':0}   | {'_id':1,'b':2,'a':3}         | {'a':3}
                    {'a':0}              | {'_id':1,'b':2,'a':3}         | {'_id':1,'b':2}
                    {'_id':0}            | {'_id':1,'b':2}               | {'b':2}
                    {'_id':1}            | {'_id':1,'b':2}               | {'_id':1}
                    {'_id':1,'a':0}      | {'_id':1,'a':2,'b':3}         | {'_id':1,'b':3}
                    {'a.b':1}            | {'a':{'b':1,'c':2},'d':3}     | {'a':{'b':1}}
                    {'a':{'b':1}}        | {'a':{'b':1,'c':2},'d':3}     | {'a':{'b':1}}
                    {'a.b':1}            | {'a':[{'b':1,'c':2},5,{'c':1},[{'b':2}]]} | {'a':[{'b':1},{},[{'b':2}]]}
                    {'a.b':1}            | {'a':5}                       | {}
                    {'a.b':0}            | {'a':[{'b':1,'c':2},5]}       | {'a':[{'c':2},5]}
                    {'a':{'$slice':2}}   | {'a':[1,2,3],'b':1}           | {'a':[1,2],'b':1}
                    {'a':{'$slice':-2}}  | {'a':[1,2,3],'b':1}           | {'a':[2,3],'b':1}
                    {'a':{'$slice':[1,1]}} | {'a':[1,2,3]}               | {'a':[2]}
                    {'a':{'$slice':[-2,1]}} | {'a':[1,2,3]}              | {'a':[2]}
                    {'a':{'$slice':[5,1]}} | {'a':[1,2,3]}               | {'a':[]}
                    {'a':{'$slice':1},'b':1} | {'a':[1,2],'b':1,'c':1}   | {'a':[1],'b':1}
                    {'a':{'$slice':1}}   | {'a':7}                       | {'a':7}
                    {'a':{'$elemMatch':{'x':2}},'b':1} | {'a':[{'x':1},{'x':2,'y':1}],'b':1} | \
                    {'b':1,'a':[{'x':2,'y':1}]}
                    {'a':{'$elemMatch':{'$gt':2}}} | {'a':[1,2]}         | {}
                    {'s':{'$add':['$a','$b']},'a':1} | {'_id':1,'b':2,'a':3} | {'_id':1,'a':3,'s':5}
                    {'o.s':'$a','_id':0} | {'_id':1,'a':3,'o':{'s':1,'t':2}} | {'o':{'s':3}}
                    {'o':{'$slice':['$a',1]}} | {'a':[3,4]}              | {'o':[3]}
                    {'a':'$b'}           | {'a':1}                       | {}
                    """)
    void projections(String projection, String document, String result) {
        FindStatement statement =
                new FindStatement(options("{}").withProjection(Documents.of(projection)));
        assertThat(JsonText.write(statement.result(Documents.of(document)).orElseThrow()))
                .isEqualTo(JsonText.write(Documents.of(result)));
    }

    @Test
    void expressionsSeeVariablesAndTheTime() {
        FindStatement statement =
                new FindStatement(
                        options("{'$expr':{'$and':[{'$gt':['$a','$$x']},{'$lt':['$t','$$NOW']}]}}")
                                .withLet(Documents.of("{'x':2}"))
                                .at(Instant.ofEpochMilli(10)));
        assertThat(statement.result(Documents.of("{'a':3,'t':{'$date':{'$numberLong':'9'}}}")))
                .isPresent();
        assertThat(statement.result(Documents.of("{'a':3,'t':{'$date':{'$numberLong':'11'}}}")))
                .isEmpty();
        assertThat(statement.result(Documents.of("{'a':2,'t':{'$date':{'$numberLong':'9'}}}")))
                .isEmpty();
    }

    @Test
    void thePositionalProjectionShowsWhatMatched() {
        FindStatement statement =
                new FindStatement(
                        options("{'a':{'$gt':1}}").withProjection(Documents.of("{'a.$':1}")));
        assertThat(statement.result(Documents.of("{'a':[1,2,3],'b':1}")))
                .contains(Documents.of("{'a':[2]}"));
        FindStatement lost =
                new FindStatement(options("{'b':1}").withProjection(Documents.of("{'a.$':1}")));
        assertThatThrownBy(() -> lost.result(Documents.of("{'a':[1],'b':1}")))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        failure -> assertThat(failure.languageCode()).hasValue(51246));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    projection | {'a':1,'b':0}        | 31254 | Cannot do exclusion on field b in inclusion projection
                    projection | {'a':0,'b':1}        | 31253 | Cannot do inclusion on field b in exclusion projection
                    projection | {'a':1,'a.b':1}      | 31249 | Path collision at a.b remaining portion b
                    projection | {'a.b':1,'a':1}      | 31250 | Path collision at a
                    projection | {'a.b':{'$elemMatch':{'x':1}}} | 31255 | \
                    Cannot use $elemMatch projection on a nested field.
                    projection | {'a.$':1,'b.$':1}    | 31276 | more than one positional projection
                    projection | {'a':{'$slice':'x'}} | 28667 | $slice only supports numbers
                    projection | {'a':{'$slice':[1,0]}} | 28724 | positive
                    projection | {'a':{'$meta':'textScore'}} | 2 | $meta is not supported
                    projection | {'a':{'$elemMatch':1}} | 31274 | \
                    elemMatch: Invalid argument, object required, but got int
                    projection | {'a':{'$foo':1}}     | 31325 | Unknown expression $foo
                    projection | {'a':{'$add':[{'$foo':1}]}} | 168 | Unrecognized expression '$foo'
                    projection | {'a.$.b':1}          | 31394 | positional operator in the middle of a path
                    projection | {'':1}               | 40352 | FieldPath cannot be constructed with empty string
                    projection | {'a.':1}             | 40353 | FieldPath must not end with a '.'.
                    projection | {'a..b':1}           | 15998 | FieldPath field names may not be empty strings.
                    projection | {'$a':1}             | 16410 | FieldPath field names may not start with '$'.
                    sort       | {'a':2}              | 15975 | $sort key ordering must be 1 (for ascending) or -1
                    sort       | {'a':'x'}            | 15974 | Illegal key in $sort specification: a: "x"
                    sort       | {'a':{'$meta':'textScore'}} | 2 | $meta is not supported
                    sort       | {'$natural':-1}      | 2     | $natural
                    sort       | {'':1}               | 40352 | FieldPath cannot be constructed with empty string
                    sort       | {'a.':1}             | 40353 | FieldPath must not end with a '.'.
                    sort       | {'.a':1}             | 15998 | FieldPath field names may not be empty
                    sort       | {'a.$b':1}           | 16410 | FieldPath field names may not start with '$'.
                    collation  | {'locale':'fr'}      | 2     | collation
                    """)
    void faultsHaveTheNumbersOfMongoDb(String part, String value, int code, String message) {
        FindOptions options = options("{}");
        FindOptions faulty =
                switch (part) {
                    case "projection" -> options.withProjection(Documents.of(value));
                    case "sort" -> options.withSort(Documents.of(value));
                    default -> options.withCollation(Documents.of(value));
                };
        assertThatThrownBy(() -> new FindStatement(faulty))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        failure -> {
                            assertThat(failure.languageCode()).hasValue(code);
                            assertThat(failure).hasMessageContaining(message);
                        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'a':1}          | {'a':[3,1,2]}                       | [1]
                    {'a':-1}         | {'a':[3,1,2]}                       | [3]
                    {'a':1}          | {'a':[[2],{'x':1}]}                 | [{'x':1}]
                    {'a.b':1}        | {'a':[{'b':[5,4]},{'b':3}]}         | [3]
                    {'a.1':1}        | {'a':[1,2]}                         | [2]
                    {'a.b':1,'a.c':1} | {'a':[{'b':1,'c':5},{'b':2,'c':1}]} | [1,5]
                    {'a.b':-1,'a.c':1} | {'a':[{'b':2,'c':5},{'b':2,'c':1}]} | [2,1]
                    {'a':1,'b':1}    | {'a':[2,1],'b':[4,3]}               | [1,3]
                    """)
    void arraysSortByAnElement(String sort, String document, String values) {
        FindStatement statement = new FindStatement(options("{}").withSort(Documents.of(sort)));
        assertThat(new Value.Array(statement.sort().values(Documents.of(document))))
                .isEqualTo(Documents.value(values));
    }

    @Test
    void drawsASampleOfTheShareThatIsAskedFor() {
        assertThat(drawn("{'$sampleRate':0.5,'a':1}", 10_000)).isBetween(4_000, 6_000);
        assertThat(drawn("{'$sampleRate':1}", 100)).isEqualTo(100);
        assertThat(drawn("{'$sampleRate':0}", 100)).isZero();
    }

    private static int drawn(String filter, int times) {
        FindStatement sample = new FindStatement(FindOptions.of(Documents.of(filter)));
        int drawn = 0;
        for (int i = 0; i < times; i++) {
            drawn += sample.result(Documents.of("{'a':1}")).isPresent() ? 1 : 0;
        }
        return drawn;
    }
}
