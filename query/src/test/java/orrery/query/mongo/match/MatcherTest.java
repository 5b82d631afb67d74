package orrery.query.mongo.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.model.OrreryException;
import orrery.query.mongo.Documents;
import orrery.query.mongo.MongoOrder;

final class MatcherTest {
    private static Matcher matcher(String filter) {
        return Matcher.compile(Documents.of(filter), MatchContext.of(Instant.EPOCH));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # equality
                    {'a':5}                    | {'a':5}                         | true
                    {'a':5}                    | {'a':5.0}                       | true
                    {'a':5}                    | {'a':{'$numberLong':'5'}}       | true
                    {'a':5}                    | {'a':{'$numberDecimal':'5.00'}} | true
                    {'a':5}                    | {'a':'5'}                       | false
                    {'a':5}                    | {'a':[4,5]}                     | true
                    {'a':5}                    | {'a':[[5]]}                     | false
                    {'a':[5]}                  | {'a':[[5]]}                     | true
                    {'a':[1,2]}                | {'a':[1,2]}                     | true
                    {'a':[1,2]}                | {'a':[1,2,3]}                   | false
                    {'a':{'x':1,'y':2}}        | {'a':{'x':1,'y':2}}             | true
                    {'a':{'x':1,'y':2}}        | {'a':{'y':2,'x':1}}             | false
                    {'a':{'x':1}}              | {'a':[{'x':1}]}                 | true
                    {'a':{}}                   | {'a':{}}                        | true
                    {'a':{'$numberDouble':'NaN'}} | {'a':{'$numberDouble':'NaN'}} | true
                    {'a':0}                    | {'a':-0.0}                      | true
                    {'a':{'$eq':5}}            | {'a':[5]}                       | true
                    {'a':9007199254740993}     | {'a':9007199254740992.0}        | false
                    # null and missing
                    {'a':null}                 | {}                              | true
                    {'a':null}                 | {'a':null}                      | true
                    {'a':null}                 | {'a':{'$undefined':true}}       | false
                    {'a':null}                 | {'a':[1,{'$undefined':true}]}   | false
                    {'a':{'$ne':null}}         | {'a':{'$undefined':true}}       | true
                    {'a':{'$in':[null,1]}}     | {'a':{'$undefined':true}}       | false
                    {'a':{'$nin':[null,1]}}    | {'a':{'$undefined':true}}       | true
                    {'a':null}                 | {'a':[]}                        | false
                    {'a':null}                 | {'a':[1,null]}                  | true
                    {'a.b':null}               | {'a':1}                         | true
                    {'a.b':null}               | {'a':[1,2]}                     | false
                    {'a.b':null}               | {'a':[{'b':1},{'c':1}]}         | true
                    {'a.b':null}               | {'a':[]}                        | false
                    {'a':{'$gte':null}}        | {}                              | true
                    {'a':{'$gt':null}}         | {'a':null}                      | false
                    {'a':{'$ne':null}}         | {}                              | false
                    {'a':{'$ne':null}}         | {'a':1}                         | true
                    {'a':{'$in':[null,1]}}     | {}                              | true
                    {'a':{'$exists':true}}     | {'a':null}                      | true
                    {'a':{'$exists':true}}     | {}                              | false
                    {'a':{'$exists':false}}    | {}                              | true
                    {'a':{'$exists':0}}        | {'a':1}                         | false
                    {'a.b':{'$exists':true}}   | {'a':[{'b':1}]}                 | true
                    {'a.b':{'$exists':false}}  | {'a':[]}                        | true
                    # comparison
                    {'a':{'$gt':5}}            | {'a':6}                         | true
                    {'a':{'$gt':5}}            | {'a':'6'}                       | false
                    {'a':{'$gt':5}}            | {'a':{'$date':'2026-11-17T04:30:00Z'}} | false
                    {'a':{'$gt':'a'}}          | {'a':'b'}                       | true
                    {'a':{'$gt':5,'$lt':3}}    | {'a':[1,9]}                     | true
                    {'a':{'$gte':5}}           | {'a':{'$numberDouble':'NaN'}}   | false
                    {'a':{'$lt':5}}            | {'a':{'$numberDouble':'NaN'}}   | false
                    {'a':{'$gt':{'$minKey':1}}} | {'a':'x'}                      | true
                    {'a':{'$lt':{'$maxKey':1}}} | {'a':false}                    | true
                    {'a':{'$lt':{'$minKey':1}}} | {'a':1}                        | false
                    {'a':{'$gt':[1]}}          | {'a':[2]}                       | true
                    {'a':{'$gt':{'x':1}}}      | {'a':{'x':2}}                   | true
                    {'a':{'$gt':false}}        | {'a':true}                      | true
                    {'a':{'$ne':5}}            | {'a':[4,5]}                     | false
                    {'a':{'$ne':5}}            | {}                              | true
                    # lists
                    {'a':{'$in':[1,'x']}}      | {'a':'x'}                       | true
                    {'a':{'$in':[1,'x']}}      | {'a':[3,1.0]}                   | true
                    {'a':{'$in':[[1]]}}        | {'a':[1]}                       | true
                    {'a':{'$in':[]}}           | {'a':1}                         | false
                    {'a':{'$in':[{'$regularExpression':{'pattern':'^x','options':''}}]}} | {'a':'xy'} | true
                    {'a':{'$nin':[1]}}         | {'a':[1,2]}                     | false
                    {'a':{'$nin':[1]}}         | {}                              | true
                    {'a':{'$all':[1,2]}}       | {'a':[2,3,1]}                   | true
                    {'a':{'$all':[1,2]}}       | {'a':[1]}                       | false
                    {'a':{'$all':[1]}}         | {'a':1}                         | true
                    {'a':{'$all':[]}}          | {'a':[]}                        | false
                    {'a':{'$all':[[1,2]]}}     | {'a':[1,2]}                     | true
                    {'a':{'$all':[{'$elemMatch':{'x':1}},{'$elemMatch':{'x':2}}]}} | {'a':[{'x':2},{'x':1}]} | true
                    # logic
                    {'$and':[{'a':1},{'b':2}]} | {'a':1,'b':2}                   | true
                    {'$or':[{'a':1},{'b':2}]}  | {'a':0,'b':2}                   | true
                    {'$nor':[{'a':1},{'b':2}]} | {'a':0,'b':2}                   | false
                    {'a':{'$not':{'$gt':5}}}   | {}                              | true
                    {'a':{'$not':{'$gt':5,'$lt':9}}} | {'a':7}                   | false
                    {'a':{'$not':{'$regularExpression':{'pattern':'x','options':'i'}}}} | {'a':'aXb'} | false
                    {}                         | {'a':1}                         | true
                    {'$comment':'why'}         | {}                              | true
                    {'a':{'$gt':1,'$comment':'why'}} | {'a':2}                   | true
                    # paths
                    {'a.b':1}                  | {'a':{'b':1}}                   | true
                    {'a.b':1}                  | {'a':[{'b':2},{'b':1}]}         | true
                    {'a.b':1}                  | {'a':[[{'b':1}]]}               | false
                    {'a.0.b':1}                | {'a':[[{'b':1}]]}               | true
                    {'a.0':1}                  | {'a':[1,2]}                     | true
                    {'a.1':1}                  | {'a':[1,2]}                     | false
                    {'a.0':1}                  | {'a':[[1,2]]}                   | false
                    {'a.0':[1,2]}              | {'a':[[1,2]]}                   | true
                    {'a.0':1}                  | {'a':{'0':1}}                   | true
                    {'a.1':4}                  | {'a':[5,{'1':4}]}               | true
                    {'a.b.c':1}                | {'a':[{'b':[{'c':1}]}]}         | true
                    {'a.b':[1]}                | {'a':[{'b':[1]}]}               | true
                    {'':1}                     | {'':1}                          | true
                    # types
                    {'a':{'$type':'string'}}   | {'a':'x'}                       | true
                    {'a':{'$type':2}}          | {'a':[1,'x']}                   | true
                    {'a':{'$type':'array'}}    | {'a':[1]}                       | true
                    {'a':{'$type':'array'}}    | {'a':1}                         | false
                    {'a':{'$type':'number'}}   | {'a':{'$numberDecimal':'1'}}    | true
                    {'a':{'$type':'int'}}      | {'a':1.5}                       | false
                    {'a':{'$type':['long','bool']}} | {'a':{'$numberLong':'1'}}  | true
                    {'a':{'$type':'null'}}     | {}                              | false
                    {'a':{'$type':-1}}         | {'a':{'$minKey':1}}             | true
                    # numbers
                    {'a':{'$mod':[4,1]}}       | {'a':5}                         | true
                    {'a':{'$mod':[4,-1]}}      | {'a':-5}                        | true
                    {'a':{'$mod':[4.9,1.2]}}   | {'a':5.7}                       | true
                    {'a':{'$mod':[4,1]}}       | {'a':'5'}                       | false
                    {'a':{'$mod':[4,1]}}       | {'a':{'$numberDouble':'Infinity'}} | false
                    {'a':{'$bitsAllSet':[0,2]}} | {'a':5}                        | true
                    {'a':{'$bitsAllSet':6}}    | {'a':5}                         | false
                    {'a':{'$bitsAnySet':6}}    | {'a':5}                         | true
                    {'a':{'$bitsAllClear':[1]}} | {'a':5.0}                      | true
                    {'a':{'$bitsAnyClear':[0]}} | {'a':5}                        | false
                    {'a':{'$bitsAllSet':[200]}} | {'a':-1}                       | true
                    {'a':{'$bitsAllSet':[0]}}  | {'a':1.5}                       | false
                    {'a':{'$bitsAllSet':[8]}}  | {'a':{'$binary':{'base64':'AAE=','subType':'00'}}} | true
                    # arrays
                    {'a':{'$size':2}}          | {'a':[1,2]}                     | true
                    {'a':{'$size':2}}          | {'a':[[1,2]]}                   | false
                    {'a':{'$size':0}}          | {}                              | false
                    {'a.b':{'$size':1}}        | {'a':[{'b':[7]}]}               | true
                    {'a':{'$elemMatch':{'$gt':1,'$lt':5}}} | {'a':[0,9]}         | false
                    {'a':{'$elemMatch':{'$gt':1,'$lt':5}}} | {'a':[0,3]}         | true
                    {'a':{'$elemMatch':{'$gt':1}}} | {'a':3}                     | false
                    {'a':{'$elemMatch':{'$gt':1}}} | {'a':[[3]]}                 | false
                    {'a':{'$elemMatch':{'x':1,'y':2}}} | {'a':[{'x':1},{'y':2}]} | false
                    {'a':{'$elemMatch':{'x':1,'y':2}}} | {'a':[{'x':1,'y':2}]}   | true
                    {'a':{'$elemMatch':{'$or':[{'x':1},{'x':2}]}}} | {'a':[{'x':2}]} | true
                    {'a':{'$elemMatch':{'0':3}}} | {'a':[[3]]}                   | true
                    {'a':{'$elemMatch':{'$elemMatch':{'$gt':2}}}} | {'a':[[3]]}  | true
                    {'a':{'$elemMatch':{'$not':{'$gt':2}}}} | {'a':[3,1]}        | true
                    {'a':{'$elemMatch':{'$ne':3}}} | {'a':[3]}                   | false
                    {'a':{'$elemMatch':{}}}    | {'a':[{}]}                      | true
                    # regular expressions
                    {'a':{'$regex':'^X','$options':'i'}} | {'a':'xy'}            | true
                    {'a':{'$options':'i','$regex':'^X'}} | {'a':'xy'}            | true
                    {'a':{'$regex':'a b','$options':'x'}} | {'a':'ab'}           | true
                    {'a':{'$regex':'(?=x)x'}}  | {'a':['y','x']}                 | true
                    {'a':{'$regex':'1'}}       | {'a':1}                         | false
                    {'a':{'$regularExpression':{'pattern':'x','options':''}}} | \
                    {'a':{'$regularExpression':{'pattern':'x','options':''}}} | true
                    {'a':{'$eq':{'$regularExpression':{'pattern':'x','options':''}}}} | {'a':'x'} | false
                    {'a':{'$ref':'c','$id':1}} | {'a':{'$ref':'c','$id':1}}      | true
                    """)
    void operators(String filter, String document, boolean isMatch) {
        assertThat(matcher(filter).matches(Documents.of(document))).isEqualTo(isMatch);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'a':{'$foo':1}}             | 2     | unknown operator: $foo
                    {'a':{'$gt':1,'b':2}}        | 2     | unknown operator: b
                    {'$foo':1}                   | 2     | unknown top level operator: $foo
                    {'$where':'true'}            | 2     | $where is not supported
                    {'$text':{'$search':'x'}}    | 2     | $text is not supported
                    {'$sampleRate':'x'}          | 2     | argument to $sampleRate must be a numeric type
                    {'$sampleRate':1.5}          | 2     | numeric argument to $sampleRate must be in [0, 1]
                    {'$sampleRate':{'$numberDouble':'NaN'}} | 2 | numeric argument to $sampleRate must be in [0, 1]
                    {'a':{'$near':[1,2]}}        | 2     | $near is not supported
                    {'$and':1}                   | 2     | $and must be an array
                    {'$or':[]}                   | 2     | $and/$or/$nor must be a nonempty array
                    {'$or':[1]}                  | 2     | $or/$and/$nor entries need to be full objects
                    {'a':{'$in':1}}              | 2     | $in needs an array
                    {'a.b':{'$gt':{'$regularExpression':{'pattern':'x','options':''}}}} | 2 | \
                    Can't have RegEx as arg to predicate over field 'a.b'.
                    {'a':{'$nin':1}}             | 2     | $nin needs an array
                    {'a':{'$in':[{'$gt':1}]}}    | 2     | cannot nest $ under $in
                    {'a':{'$not':1}}             | 2     | $not needs a regex or a document
                    {'a':{'$not':{}}}            | 2     | $not cannot be empty
                    {'a':{'$mod':[0,1]}}         | 2     | divisor cannot be 0
                    {'a':{'$mod':[1]}}           | 2     | malformed mod, not enough elements
                    {'a':{'$mod':[1,2,3]}}       | 2     | malformed mod, too many elements
                    {'a':{'$mod':1}}             | 2     | malformed mod, needs to be an array
                    {'a':{'$all':1}}             | 2     | $all needs an array
                    {'a':{'$all':[{'$gt':1}]}}   | 2     | no $ expressions in $all
                    {'a':{'$elemMatch':1}}       | 2     | $elemMatch needs an Object
                    {'a':{'$size':-1}}           | 2     | Expected a non-negative number in: $size: -1
                    {'a':{'$size':1.5}}          | 2     | Expected an integer: $size: 1.5
                    {'a':{'$size':'x'}}          | 2     | Expected a number in: $size: "x"
                    {'a':{'$type':'foo'}}        | 2     | Unknown type name alias: foo
                    {'a':{'$type':99}}           | 2     | Invalid numerical type code: 99
                    {'a':{'$type':true}}         | 14    | type must be represented as a number or a string
                    {'a':{'$type':[]}}           | 9     | $type must match at least one type
                    {'a':{'$options':'i'}}       | 2     | $options needs a $regex
                    {'a':{'$regex':1}}           | 2     | $regex has to be a string
                    {'a':{'$regex':'(','$options':''}} | 51091 | Regular expression is invalid
                    {'a':{'$regex':'x','$options':'z'}} | 51108 | invalid flag in regex options: z
                    {'a':{'$undefined':true}}    | 2     | cannot compare to undefined
                    {'a':{'$ne':{'$regularExpression':{'pattern':'x','options':''}}}} | 2 | \
                    Can't have regex as arg to $ne.
                    {'a':{'$bitsAllSet':'x'}}    | 2     | takes an Array, a number, or a BinData
                    {'a':{'$bitsAllSet':[-1]}}   | 2     | Expected a non-negative number
                    {'$expr':true}               | 2     | aggregation expressions are not supported here
                    """)
    void faultsHaveTheNumbersOfMongoDb(String filter, int code, String message) {
        assertThatThrownBy(() -> matcher(filter))
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
                    {'a':5}                          | {'a':[4,5,5]}            | 1
                    {'a':5}                          | {'a':5}                  | -1
                    {'a.b':5}                        | {'a':[{'b':1},{'b':[4,5]}]} | 1
                    {'a':{'$elemMatch':{'$gt':3}}}   | {'a':[1,2,4]}            | 2
                    {'a':{'$elemMatch':{'b.c':1}}}   | {'a':[{},{'b':[{'c':1}]}]} | 1
                    {'a':{'$ne':7}}                  | {'a':[1,2]}              | -1
                    {'$or':[{'a':9},{'a':2}]}        | {'a':[1,2]}              | 1
                    {'x':1,'a':2}                    | {'x':1,'a':[1,2]}        | 1
                    {'a':3}                          | {'a':[1,2]}              | -1
                    """)
    void tellsTheElementForThePositionalOperator(String filter, String document, int index) {
        assertThat(matcher(filter).match(Documents.of(document)).arrayIndex())
                .isEqualTo(index < 0 ? OptionalInt.empty() : OptionalInt.of(index));
    }

    @Test
    void expressionsAreReadByWhomTheContextNames() {
        MatchContext context =
                new MatchContext(
                        MongoOrder.SIMPLE,
                        Documents.of("{'x':1}"),
                        Instant.EPOCH,
                        (operand, its) ->
                                document -> operand.equals(document) && its.let().equals(document));
        Matcher matcher = Matcher.compile(Documents.of("{'$expr':{'x':1}}"), context);
        assertThat(matcher.matches(Documents.of("{'x':1}"))).isTrue();
        assertThat(matcher.matches(Documents.of("{'x':2}"))).isFalse();
    }
}
