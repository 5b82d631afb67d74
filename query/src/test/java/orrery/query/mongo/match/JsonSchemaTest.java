package orrery.query.mongo.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.model.OrreryException;
import orrery.query.mongo.Documents;

/** Schemas in filters: what they accept, and what is refused. */
final class JsonSchemaTest {
    private static Matcher matcher(String filter) {
        return Matcher.compile(Documents.of(filter), MatchContext.of(Instant.EPOCH));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}                                        | {'a':1}             | true",
                "{'required':['a','b']}                    | {'a':1,'b':null}    | true",
                "{'required':['a','b']}                    | {'a':1}             | false",
                "{'bsonType':'object'}                     | {}                  | true",
                "{'properties':{'a':{'bsonType':'int'}}}   | {'a':1}             | true",
                "{'properties':{'a':{'bsonType':'int'}}}   | {'a':'x'}           | false",
                "{'properties':{'a':{'bsonType':'int'}}}   | {'a':[1]}           | false",
                "{'properties':{'a':{'bsonType':'int'}}}   | {}                  | true",
                "{'properties':{'a':{'bsonType':['int','null']}}} | {'a':null}   | true",
                "{'properties':{'a':{'type':'number'}}}    | {'a':1.5}           | true",
                "{'properties':{'a':{'type':['boolean','string']}}} | {'a':true} | true",
                "{'properties':{'a':{'type':'array'}}}     | {'a':[]}            | true",
                "{'properties':{'a':{'enum':[1,'x',{'b':2}]}}} | {'a':{'b':2}}   | true",
                "{'properties':{'a':{'enum':[1,'x']}}}     | {'a':1.0}           | true",
                "{'properties':{'a':{'enum':[1,'x']}}}     | {'a':2}             | false",
                "{'properties':{'a':{'minimum':1,'maximum':3}}} | {'a':3}        | true",
                "{'properties':{'a':{'minimum':1,'maximum':3}}} | {'a':4}        | false",
                "{'properties':{'a':{'minimum':1}}}        | {'a':'x'}           | true",
                "{'properties':{'a':{'minimum':1,'exclusiveMinimum':true}}} | {'a':1} | false",
                "{'properties':{'a':{'maximum':3,'exclusiveMaximum':true}}} | {'a':3} | false",
                "{'properties':{'a':{'maximum':3,'exclusiveMaximum':false}}} | {'a':3} | true",
                "{'properties':{'a':{'minLength':2,'maxLength':3}}} | {'a':'x'}  | false",
                "{'properties':{'a':{'minLength':2,'maxLength':3}}} | {'a':'xyz'} | true",
                "{'properties':{'a':{'maxLength':1}}}      | {'a':'\\uD83D\\uDE00'} | true",
                "{'properties':{'a':{'pattern':'^x+$'}}}   | {'a':'xx'}          | true",
                "{'properties':{'a':{'pattern':'^x+$'}}}   | {'a':'xy'}          | false",
                "{'properties':{'a':{'pattern':'^x+$'}}}   | {'a':5}             | true",
                "{'properties':{'a':{'items':{'type':'number'}}}} | {'a':[1,2]}  | true",
                "{'properties':{'a':{'items':{'type':'number'}}}} | {'a':[1,'x']} | false",
                "{'properties':{'a':{'items':[{'type':'number'}]}}} | {'a':[1,'x']} | true",
                "{'properties':{'a':{'minItems':1,'maxItems':2}}} | {'a':[]}     | false",
                "{'properties':{'a':{'minItems':1,'maxItems':2}}} | {'a':[1,2]}  | true",
                "{'properties':{'a':{'uniqueItems':true}}} | {'a':[1,2,1.0]}     | false",
                "{'properties':{'a':{'uniqueItems':true}}} | {'a':[1,'1']}       | true",
                "{'properties':{'a':{'uniqueItems':false}}} | {'a':[1,1]}        | true",
                "{'properties':{'a':{}},'additionalProperties':false} | {'a':1}  | true",
                "{'properties':{'a':{}},'additionalProperties':false} | {'b':1}  | false",
                "{'additionalProperties':{'type':'number'}} | {'b':1}            | true",
                "{'additionalProperties':{'type':'number'}} | {'b':'x'}          | false",
                "{'patternProperties':{'^n_':{'type':'number'}}} | {'n_a':'x'}   | false",
                "{'patternProperties':{'^n_':{}},'additionalProperties':false} | {'n_a':1} | true",
                "{'minProperties':1}                       | {}                  | false",
                "{'maxProperties':1}                       | {'a':1,'b':1}       | false",
                "{'allOf':[{'required':['a']},{'required':['b']}]} | {'a':1}     | false",
                "{'allOf':[{'required':['a']},{'required':['b']}]} | {'a':1,'b':1} | true",
                "{'anyOf':[{'required':['a']},{'required':['b']}]} | {'b':1}     | true",
                "{'anyOf':[{'required':['a']},{'required':['b']}]} | {}          | false",
                "{'oneOf':[{'required':['a']},{'required':['b']}]} | {'a':1}     | true",
                "{'oneOf':[{'required':['a']},{'required':['b']}]} | {'a':1,'b':1} | false",
                "{'not':{'required':['a']}}                | {'a':1}             | false",
                "{'not':{'required':['a']}}                | {'b':1}             | true",
                "{'properties':{'a':{'required':['b'],'properties':{'b':{'type':'string'}}}}} | {'a':{'b':1}} | false",
                "{'title':'t','description':'d'}           | {}                  | true",
            })
    void accepts(String schema, String document, boolean isAccepted) {
        assertThat(matcher("{'$jsonSchema':" + schema + "}").matches(Documents.of(document)))
                .isEqualTo(isAccepted);
    }

    @Test
    void standsBesideOtherConditions() {
        Matcher both = matcher("{'n':{'$gt':1},'$nor':[{'$jsonSchema':{'required':['a']}}]}");
        assertThat(both.matches(Documents.of("{'n':2}"))).isTrue();
        assertThat(both.matches(Documents.of("{'n':2,'a':1}"))).isFalse();
        assertThat(both.matches(Documents.of("{'n':1}"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "5                              | 14 | $jsonSchema must be an object",
                "{'frob':1}                     | 9  | Unknown $jsonSchema keyword: frob",
                "{'$ref':'x'}                   | 9  | @ '$ref' is not currently supported",
                "{'multipleOf':2}               | 9  | @ 'multipleOf' is not currently supported",
                "{'required':[]}                | 9  | @ 'required' cannot be an empty array",
                "{'required':['a','a']}         | 9  | @ 'required' array cannot contain duplicate values",
                "{'required':'a'}               | 14 | @ 'required' must be an array",
                "{'enum':[1,1.0]}               | 9  | @ 'enum' array cannot contain duplicate values",
                "{'type':'integer'}             | 2  | $jsonSchema type 'integer' is not supported.",
                "{'type':'x','bsonType':'x'}     | 9  | Cannot specify both $jsonSchema keywords 'type' and 'bsonType'",
                "{'minimum':'x'}                | 14 | @ 'minimum' must be a number",
                "{'exclusiveMinimum':true}      | 9  | @ 'minimum' must be present if exclusiveMinimum is present",
                "{'minLength':-1}               | 9  | @ 'minLength' must be a non-negative integer",
                "{'pattern':5}                  | 14 | @ 'pattern' must be a string",
                "{'uniqueItems':1}              | 14 | @ 'uniqueItems' must be a boolean",
                "{'properties':5}               | 14 | @ 'properties' must be an object",
                "{'properties':{'a':5}}         | 14 | @ 'properties' must be an object",
                "{'allOf':[]}                   | 9  | @ 'allOf' cannot be an empty array",
                "{'title':5}                    | 14 | @ 'title' must be a string",
            })
    void refuses(String schema, int code, String message) {
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> matcher("{'$jsonSchema':" + schema + "}"))
                .satisfies(
                        refused -> {
                            assertThat(refused.text())
                                    .isEqualTo(message.replace("@", "$jsonSchema keyword"));
                            assertThat(refused.languageCode()).hasValue(code);
                        });
    }
}
