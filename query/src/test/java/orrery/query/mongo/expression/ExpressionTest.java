package orrery.query.mongo.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.mongo.Documents;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;

final class ExpressionTest {
    private static final ExpressionContext CONTEXT =
            new ExpressionContext(
                    MongoOrder.SIMPLE,
                    new Value.Obj(Map.of("given", Value.of(5))),
                    Instant.parse("2026-11-18T16:00:00Z"),
                    7);

    private static final Value.Obj DOCUMENT =
            Documents.of(
                    "{'_id':1,'i':7,'l':{'$numberLong':'7'},'d':2.5,'m':{'$numberDecimal':'2.50'},"
                            + "'s':'Hällo','t':true,'n':null,'a':[3,1,2],'o':{'x':1,'y':[{'z':1},{'z':2},3]},"
                            + "'date':{'$date':'2024-02-29T13:05:09.123Z'},"
                            + "'oid':{'$oid':'65e0805e0000000000000000'},'e':[]}");

    private static Value evaluate(String expression) {
        return Expression.compile(Documents.value(expression), CONTEXT)
                .evaluate(CONTEXT.variables(DOCUMENT));
    }

    /** Widths of numbers count: values are compared as bytes. */
    private static Value.Obj wrapped(Value value) {
        return new Value.Obj(Map.of("v", value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # paths, variables, literals
                    '$i'                                  | 7
                    '$o.x'                                | 1
                    '$o.y.z'                              | [1,2]
                    '$$ROOT.i'                            | 7
                    '$$CURRENT.o.x'                       | 1
                    '$$given'                             | 5
                    '$$NOW'                               | {'$date':'2026-11-18T16:00:00Z'}
                    {'a':'$i','b':{'c':'$missing','d':1}} | {'a':7,'b':{'d':1}}
                    ['$i','$missing']                     | [7,null]
                    {'$literal':'$i'}                     | '$i'
                    {'$let':{'vars':{'x':'$i','y':1},'in':{'$add':['$$x','$$y']}}} | 8
                    # arithmetic
                    {'$add':['$i',1]}                     | 8
                    {'$add':['$i','$l']}                  | {'$numberLong':'14'}
                    {'$add':['$i','$d']}                  | 9.5
                    {'$add':['$d','$m']}                  | {'$numberDecimal':'5.00'}
                    {'$add':[2147483647,1]}               | 2147483648
                    {'$add':[9223372036854775807,1]}      | {'$numberDouble':'9223372036854775808.0'}
                    {'$add':['$date',1000]}               | {'$date':'2024-02-29T13:05:10.123Z'}
                    {'$add':['$i','$n']}                  | null
                    {'$subtract':['$i',10]}               | -3
                    {'$subtract':['$date',123]}           | {'$date':'2024-02-29T13:05:09Z'}
                    {'$subtract':['$date','$date']}       | {'$numberLong':'0'}
                    {'$multiply':['$i',2,{'$numberDouble':'2.0'}]}            | {'$numberDouble':'28.0'}
                    {'$divide':['$i',2]}                  | 3.5
                    {'$divide':[{'$numberDecimal':'1'},3]} | {'$numberDecimal':'0.3333333333333333333333333333333333'}
                    {'$mod':['$i',4]}                     | 3
                    {'$mod':[-7,4]}                       | -3
                    {'$mod':[7.5,2]}                      | 1.5
                    {'$abs':-3}                           | 3
                    {'$abs':-2147483648}                  | 2147483648
                    {'$ceil':2.1}                         | {'$numberDouble':'3.0'}
                    {'$floor':-2.1}                       | {'$numberDouble':'-3.0'}
                    {'$floor':'$i'}                       | 7
                    {'$round':[2.5]}                      | {'$numberDouble':'2.0'}
                    {'$round':[3.5,0]}                    | {'$numberDouble':'4.0'}
                    {'$round':[1234,-2]}                  | 1200
                    {'$round':[19.25,1]}                  | 19.2
                    {'$trunc':[19.29,1]}                  | 19.2
                    {'$trunc':-2.9}                       | {'$numberDouble':'-2.0'}
                    {'$sqrt':16}                          | {'$numberDouble':'4.0'}
                    {'$pow':[2,10]}                       | 1024
                    {'$pow':[2,40]}                       | 1099511627776
                    {'$pow':[2,-1]}                       | 0.5
                    {'$exp':0}                            | {'$numberDouble':'1.0'}
                    {'$log':[8,2]}                        | {'$numberDouble':'3.0'}
                    {'$log10':100}                        | {'$numberDouble':'2.0'}
                    {'$ln':1}                             | {'$numberDouble':'0.0'}
                    {'$sin':0}                            | {'$numberDouble':'0.0'}
                    {'$cos':0}                            | {'$numberDouble':'1.0'}
                    {'$radiansToDegrees':0}               | {'$numberDouble':'0.0'}
                    {'$atan2':[0,1]}                      | {'$numberDouble':'0.0'}
                    {'$sum':'$a'}                         | 6
                    {'$sum':['$i','$d','x']}              | 9.5
                    {'$avg':'$a'}                         | {'$numberDouble':'2.0'}
                    {'$min':'$a'}                         | 1
                    {'$max':['$i','$n',3]}                | 7
                    {'$median':{'input':'$a','method':'approximate'}} | {'$numberDouble':'2.0'}
                    {'$median':{'input':'$i','method':'approximate'}} | {'$numberDouble':'7.0'}
                    {'$median':{'input':'$s','method':'approximate'}} | null
                    {'$percentile':{'input':['$i',1,'x'],'p':[0.5,1],'method':'approximate'}} | \
                    [{'$numberDouble':'1.0'},{'$numberDouble':'7.0'}]
                    {'$let':{'vars':{'x':[4,2]},'in':{'$median':{'input':'$$x','method':'approximate'}}}} | \
                    {'$numberDouble':'2.0'}
                    # truth and comparison
                    {'$and':[1,true,'x']}                 | true
                    {'$and':[1,'$n']}                     | false
                    {'$or':[0,'$missing','$t']}           | true
                    {'$not':[0]}                          | true
                    {'$eq':['$i',{'$numberDouble':'7.0'}]}                    | true
                    {'$ne':['$missing',null]}             | true
                    {'$gt':['x',5]}                       | true
                    {'$lt':['$missing',null]}             | true
                    {'$cmp':[1,2]}                        | -1
                    {'$cond':[true,'$i',0]}               | 7
                    {'$cond':{'if':'$n','then':1,'else':2}} | 2
                    {'$ifNull':['$missing','$n',3]}       | 3
                    {'$switch':{'branches':[{'case':false,'then':1},{'case':true,'then':2}],'default':3}} | 2
                    {'$switch':{'branches':[{'case':false,'then':1}],'default':3}} | 3
                    # texts
                    {'$concat':['a','$s']}                | 'aHällo'
                    {'$concat':['a','$n']}                | null
                    {'$toUpper':'$s'}                     | 'HäLLO'
                    {'$toLower':'$missing'}               | ''
                    {'$toLower':12}                       | '12'
                    {'$strLenCP':'$s'}                    | 5
                    {'$strLenBytes':'$s'}                 | 6
                    {'$substr':['$s',0,1]}                | 'H'
                    {'$substrBytes':['$s',1,2]}           | 'ä'
                    {'$substrBytes':['$s',3,-1]}          | 'llo'
                    {'$substrCP':['$s',1,2]}              | 'äl'
                    {'$indexOfCP':['$s','l']}             | 2
                    {'$indexOfBytes':['$s','l']}          | 3
                    {'$indexOfCP':['$s','l',3]}           | 3
                    {'$indexOfCP':['$s','z']}             | -1
                    {'$split':['a,b,,c',',']}             | ['a','b','','c']
                    {'$trim':{'input':'  x '}}            | 'x'
                    {'$ltrim':{'input':'xxay','chars':'x'}} | 'ay'
                    {'$rtrim':{'input':'ayy','chars':'y'}} | 'a'
                    {'$strcasecmp':['Ab','aB']}           | 0
                    {'$strcasecmp':['a','b']}             | -1
                    {'$replaceOne':{'input':'aXbX','find':'X','replacement':'-'}} | 'a-bX'
                    {'$replaceAll':{'input':'aXbX','find':'X','replacement':'-'}} | 'a-b-'
                    {'$regexMatch':{'input':'$s','regex':'^h','options':'i'}} | true
                    {'$regexFind':{'input':'abc','regex':'b(c)(d)?'}} | {'match':'bc','idx':1,'captures':['c',null]}
                    {'$regexFindAll':{'input':'aba','regex':'a'}} | \
                    [{'match':'a','idx':0,'captures':[]},{'match':'a','idx':2,'captures':[]}]
                    # arrays
                    {'$arrayElemAt':['$a',-1]}            | 2
                    {'$first':'$a'}                       | 3
                    {'$last':'$a'}                        | 2
                    {'$size':'$a'}                        | 3
                    {'$isArray':'$i'}                     | false
                    {'$concatArrays':['$a',[9]]}          | [3,1,2,9]
                    {'$filter':{'input':'$a','as':'x','cond':{'$gt':['$$x',1]}}} | [3,2]
                    {'$filter':{'input':'$a','cond':{'$gt':['$$this',1]},'limit':1}} | [3]
                    {'$map':{'input':'$a','as':'x','in':{'$add':['$$x','$i']}}} | [10,8,9]
                    {'$reduce':{'input':'$a','initialValue':0,'in':{'$add':['$$value','$$this']}}} | 6
                    {'$in':[{'$numberDouble':'1.0'},'$a']}                    | true
                    {'$indexOfArray':['$a',2]}            | 2
                    {'$range':[0,5,2]}                    | [0,2,4]
                    {'$range':[5,0,-2]}                   | [5,3,1]
                    {'$reverseArray':'$a'}                | [2,1,3]
                    {'$slice':['$a',2]}                   | [3,1]
                    {'$slice':['$a',-2]}                  | [1,2]
                    {'$slice':['$a',1,5]}                 | [1,2]
                    {'$sortArray':{'input':'$a','sortBy':1}} | [1,2,3]
                    {'$sortArray':{'input':'$a','sortBy':-1}} | [3,2,1]
                    {'$zip':{'inputs':['$a',['x']],'useLongestLength':true,'defaults':[0,'-']}} | \
                    [[3,'x'],[1,'-'],[2,'-']]
                    {'$firstN':{'n':2,'input':'$a'}}      | [3,1]
                    {'$lastN':{'n':2,'input':'$a'}}       | [1,2]
                    {'$minN':{'n':2,'input':'$a'}}        | [1,2]
                    {'$maxN':{'n':2,'input':'$a'}}        | [3,2]
                    {'$arrayToObject':[[['k',1],['l',2]]]} | {'k':1,'l':2}
                    {'$arrayToObject':[[{'k':'a','v':1}]]} | {'a':1}
                    {'$objectToArray':{'a':1}}            | [{'k':'a','v':1}]
                    # sets
                    {'$setUnion':['$a',[1,9]]}            | [1,2,3,9]
                    {'$setIntersection':['$a',[1,9]]}     | [1]
                    {'$setDifference':['$a',[1,9]]}       | [3,2]
                    {'$setEquals':['$a',[1,2,3,3]]}       | true
                    {'$setIsSubset':[[1],'$a']}           | true
                    {'$anyElementTrue':[[0,1]]}           | true
                    {'$allElementsTrue':[[0,1]]}          | false
                    # types
                    {'$type':'$l'}                        | 'long'
                    {'$type':'$missing'}                  | 'missing'
                    {'$isNumber':'$m'}                    | true
                    {'$toInt':'12'}                       | 12
                    {'$toInt':2.9}                        | 2
                    {'$toLong':'$i'}                      | {'$numberLong':'7'}
                    {'$toDouble':'$i'}                    | {'$numberDouble':'7.0'}
                    {'$toDecimal':'1.50'}                 | {'$numberDecimal':'1.50'}
                    {'$toString':2.5}                     | '2.5'
                    {'$toString':'$date'}                 | '2024-02-29T13:05:09.123Z'
                    {'$toString':'$oid'}                  | '65e0805e0000000000000000'
                    {'$toBool':'x'}                       | true
                    {'$toBool':0}                         | false
                    {'$toDate':'2024-01-01T00:00:00Z'}    | {'$date':'2024-01-01T00:00:00Z'}
                    {'$toObjectId':'65e0805e0000000000000000'} | {'$oid':'65e0805e0000000000000000'}
                    {'$toInt':null}                       | null
                    {'$convert':{'input':'x','to':'int','onError':-1}} | -1
                    {'$convert':{'input':'$missing','to':'int','onNull':0}} | 0
                    {'$convert':{'input':'12','to':18}}   | {'$numberLong':'12'}
                    # dates
                    {'$year':'$date'}                     | 2024
                    {'$month':'$date'}                    | 2
                    {'$dayOfMonth':{'date':'$date','timezone':'+12:00'}} | 1
                    {'$dayOfYear':'$date'}                | 60
                    {'$dayOfWeek':'$date'}                | 5
                    {'$hour':{'date':'$date','timezone':'America/New_York'}} | 8
                    {'$minute':'$date'}                   | 5
                    {'$second':'$date'}                   | 9
                    {'$millisecond':'$date'}              | 123
                    {'$week':'$date'}                     | 8
                    {'$isoWeek':'$date'}                  | 9
                    {'$isoWeekYear':'$date'}              | {'$numberLong':'2024'}
                    {'$isoDayOfWeek':'$date'}             | 4
                    {'$year':'$oid'}                      | 2024
                    {'$dateAdd':{'startDate':'$date','unit':'month','amount':12}} | {'$date':'2025-02-28T13:05:09.123Z'}
                    {'$dateSubtract':{'startDate':'$date','unit':'hour','amount':14}} | \
                    {'$date':'2024-02-28T23:05:09.123Z'}
                    {'$dateDiff':{'startDate':{'$date':'2024-12-31T23:59:59Z'},\
                    'endDate':{'$date':'2025-01-01T00:00:00Z'},'unit':'year'}} | {'$numberLong':'1'}
                    {'$dateDiff':{'startDate':{'$date':'2024-03-02T00:00:00Z'},\
                    'endDate':{'$date':'2024-03-03T00:00:00Z'},'unit':'week'}} | {'$numberLong':'1'}
                    {'$dateTrunc':{'date':'$date','unit':'hour'}} | {'$date':'2024-02-29T13:00:00Z'}
                    {'$dateTrunc':{'date':'$date','unit':'week','startOfWeek':'monday'}} | \
                    {'$date':'2024-02-26T00:00:00Z'}
                    {'$dateTrunc':{'date':'$date','unit':'minute','binSize':15}} | {'$date':'2024-02-29T13:00:00Z'}
                    {'$dateFromParts':{'year':2024,'month':14,'day':0}} | {'$date':'2025-01-31T00:00:00Z'}
                    {'$dateToParts':{'date':'$date'}}     | \
                    {'year':2024,'month':2,'day':29,'hour':13,'minute':5,'second':9,'millisecond':123}
                    {'$dateToString':{'date':'$date'}}    | '2024-02-29T13:05:09.123Z'
                    {'$dateToString':{'date':'$date','format':'%d.%m.%Y %j %V','timezone':'UTC'}} | '29.02.2024 060 09'
                    {'$dateFromString':{'dateString':'29/02/2024','format':'%d/%m/%Y'}} | \
                    {'$date':'2024-02-29T00:00:00Z'}
                    {'$dateFromString':{'dateString':'2024-02-29T13:05:09','timezone':'+01:00'}} | \
                    {'$date':'2024-02-29T12:05:09Z'}
                    {'$dateFromString':{'dateString':'never','onError':'bad'}} | 'bad'
                    {'$tsSecond':{'$timestamp':{'t':5,'i':2}}} | {'$numberLong':'5'}
                    {'$tsIncrement':{'$timestamp':{'t':5,'i':2}}} | {'$numberLong':'2'}
                    # objects, sizes, bits
                    {'$mergeObjects':['$o',{'x':2,'w':1},null]} | {'x':2,'y':[{'z':1},{'z':2},3],'w':1}
                    {'$getField':'i'}                     | 7
                    {'$getField':{'field':'x','input':'$o'}} | 1
                    {'$setField':{'field':'a.b','input':{'c':1},'value':2}} | {'c':1,'a.b':2}
                    {'$unsetField':{'field':'c','input':{'c':1,'d':2}}} | {'d':2}
                    {'$bsonSize':{'a':1}}                 | 12
                    {'$binarySize':'$s'}                  | 6
                    {'$bitAnd':[12,10]}                   | 8
                    {'$bitOr':[12,{'$numberLong':'3'}]}   | {'$numberLong':'15'}
                    {'$bitXor':[12,10]}                   | 6
                    {'$bitNot':0}                         | -1
                    """)
    void operatorsComeToTheValueOfTheServer(String expression, String expected) {
        Value value = evaluate(expression);
        assertThat(BsonCodec.write(wrapped(value)))
                .as("%s", value)
                .isEqualTo(BsonCodec.write(wrapped(Documents.value(expected))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'$what':1}              | 168   | Unrecognized expression '$what'
                    {'$add':1,'$subtract':1} | 15983 | \
                    An object representing an expression must have exactly one field: { $add: 1, $subtract: 1 }
                    '$'                      | 16872 | '$' by itself is not a valid FieldPath
                    '$a.'                    | 40353 | FieldPath must not end with a '.'.
                    '$$nobody'               | 17276 | Use of undefined variable: nobody
                    {'$eq':[1]}              | 16020 | Expression $eq takes exactly 2 arguments. 1 were passed in.
                    {'$add':['$s',1]}        | 14    | $add only supports numeric or date types, not string
                    {'$add':['$date','$date']} | 16612 | only one date allowed in an $add expression
                    {'$subtract':['$s',1]}   | 14    | can't $subtract int from string
                    {'$divide':[1,0]}        | 2     | can't $divide by zero
                    {'$mod':[1,0]}           | 16610 | can't $mod by zero
                    {'$sqrt':-1}             | 28714 | $sqrt's argument must be greater than or equal to 0
                    {'$abs':'x'}             | 28765 | $abs only supports numeric types, not string
                    {'$concat':['a',1]}      | 16702 | $concat only supports strings, not int
                    {'$size':'$i'}           | 17124 | The argument to $size must be an array, but was of type: int
                    {'$arrayElemAt':['$i',0]} | 28689 | $arrayElemAt's first argument must be an array, but is int
                    {'$in':[1,'$i']}         | 40081 | $in requires an array as a second argument, found: int
                    {'$range':[0,5,0]}       | 34449 | $range requires a non-zero step value
                    {'$range':[0,2000000000]} | 10334 | The result of an expression has more than 16777216 bytes
                    {'$split':['a','']}      | 40087 | $split requires a non-empty separator
                    {'$setUnion':['$i']}     | 17043 | \
                    All operands of $setUnion must be arrays. One argument is of type: int
                    {'$toInt':'x'}           | 241   | Failed to parse number 'x' in $convert with no onError value
                    {'$toInt':9223372036854775807} | 241 | \
                    Conversion would overflow target type in $convert with no onError value: 9223372036854775807 to int
                    {'$toDate':true}         | 241   | \
                    Unsupported conversion from bool to date in $convert with no onError value
                    {'$year':'$s'}           | 16006 | can't convert from BSON type string to Date
                    {'$year':{'date':'$date','timezone':'Nowhere/Land'}} | 40485 | \
                    unrecognized time zone identifier: "Nowhere/Land"
                    {'$switch':{'branches':[{'case':false,'then':1}]}} | 40066 | \
                    $switch could not find a matching branch for an input, and no default was specified.
                    {'$mergeObjects':[1]}    | 40400 | $mergeObjects requires object inputs, but input 1 is of type int
                    {'$function':{}}         | 2     | $function is not supported
                    {'$cond':{'if':1,'then':2}} | 17082 | Missing 'else' parameter to $cond
                    {'$median':{'input':1,'method':'exact'}} | 2 | \
                    Currently only 'approximate' can be used as percentile 'method'.
                    {'$percentile':{'input':1,'p':[2],'method':'approximate'}} | 7750303 | \
                    The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: 2
                    """)
    void faultsHaveTheCodesAndWordsOfTheServer(String expression, int code, String text) {
        OrreryException fault =
                catchThrowableOfType(OrreryException.class, () -> evaluate(expression));
        assertThat(fault).hasMessage(text);
        assertThat(fault.languageCode()).hasValue(code);
    }

    @Test
    void whatIsRemovedIsMissing() {
        assertThat(evaluate("'$$REMOVE'").isDefined()).isFalse();
        assertThat(evaluate("{'$arrayElemAt':['$a',9]}").isDefined()).isFalse();
        assertThat(evaluate("{'a':{'$cond':[false,1,'$$REMOVE']}}"))
                .isEqualTo(new Value.Obj(Map.of()));
    }

    @Test
    void randomNumbersLieBelowOneAndDiffer() {
        Expression rand = Expression.compile(Documents.value("{'$rand':{}}"), CONTEXT);
        double first = ((Value.Real) rand.evaluate(CONTEXT.variables(DOCUMENT))).value();
        double second = ((Value.Real) rand.evaluate(CONTEXT.variables(DOCUMENT))).value();

        assertThat(first).isBetween(0.0, 1.0).isNotEqualTo(second);
    }

    @Test
    void filtersUseExpressions() {
        MatchContext matching =
                new MatchContext(
                        MongoOrder.SIMPLE, CONTEXT.let(), CONTEXT.now(), Expression.FOR_FILTERS);

        assertThat(
                        Matcher.compile(
                                        Documents.of("{'$expr':{'$gt':['$i','$$given']}}"),
                                        matching)
                                .matches(DOCUMENT))
                .isTrue();
        assertThat(
                        Matcher.compile(
                                        Documents.of("{'$expr':{'$lt':['$i','$$given']}}"),
                                        matching)
                                .matches(DOCUMENT))
                .isFalse();
    }
}
