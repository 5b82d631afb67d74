package orrery.query.mongo.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.query.mongo.Documents;

final class MongoUpdateTest {
    /** Widths of numbers and the order of fields count: the documents are compared as bytes. */
    private static void assertSame(Value.Obj made, String expected) {
        assertThat(BsonCodec.write(made))
                .as("%s", made)
                .isEqualTo(BsonCodec.write(Documents.of(expected)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # $set: existing fields stay in place, new ones come in the order of their names
                    {'_id':1,'a':1}       | {'$set':{'a':2}}                     | {'_id':1,'a':2}
                    {'_id':1,'z':1}       | {'$set':{'c':1,'b':2,'a.y':3,'a.x':4}} | \
                    {'_id':1,'z':1,'a':{'x':4,'y':3},'b':2,'c':1}
                    {'_id':1,'a':{}}      | {'$set':{'a.10':1,'a.9':2}}          | {'_id':1,'a':{'9':2,'10':1}}
                    {'_id':1,'a':[0,1]}   | {'$set':{'a.1':9}}                   | {'_id':1,'a':[0,9]}
                    {'_id':1,'a':[0]}     | {'$set':{'a.3':9}}                   | {'_id':1,'a':[0,null,null,9]}
                    {'_id':1,'a':[{}]}    | {'$set':{'a.0.b':9}}                 | {'_id':1,'a':[{'b':9}]}
                    {'_id':1}             | {'$set':{'a.0.b':9}}                 | {'_id':1,'a':{'0':{'b':9}}}
                    {'_id':1,'a':1}       | {'$set':{'a':{'$numberLong':'1'}}}   | {'_id':1,'a':{'$numberLong':'1'}}
                    {'_id':1,'a':1}       | {'$set':{}}                          | {'_id':1,'a':1}
                    # $unset
                    {'_id':1,'a':1,'b':2} | {'$unset':{'a':'','c':1,'b.x':1}}    | {'_id':1,'b':2}
                    {'_id':1,'a':[1,2]}   | {'$unset':{'a.0':1}}                 | {'_id':1,'a':[null,2]}
                    {'_id':1,'a':{'b':1}} | {'$unset':{'a.b':1}}                 | {'_id':1,'a':{}}
                    # $setOnInsert does nothing to what is there
                    {'_id':1}             | {'$setOnInsert':{'a':1}}             | {'_id':1}
                    # $rename
                    {'_id':1,'a':1,'b':2} | {'$rename':{'a':'c'}}                | {'_id':1,'b':2,'c':1}
                    {'_id':1,'a':1,'b':2} | {'$rename':{'a':'b'}}                | {'_id':1,'b':1}
                    {'_id':1,'a':{'x':1}} | {'$rename':{'a.x':'b.y'}}            | {'_id':1,'a':{},'b':{'y':1}}
                    {'_id':1,'b':2}       | {'$rename':{'a':'c'}}                | {'_id':1,'b':2}
                    {'_id':1,'b':2}       | {'$rename':{'a.b':'c'}}              | {'_id':1,'b':2}
                    {'_id':1,'a':[1]}     | {'$rename':{'a.5':'c'}}              | {'_id':1,'a':[1]}
                    # $inc and $mul: the wider width, and 64 bits where 32 are too few
                    {'_id':1,'a':1}       | {'$inc':{'a':2,'b':3}}               | {'_id':1,'a':3,'b':3}
                    {'_id':1,'a':1}       | {'$inc':{'a':{'$numberLong':'2'}}}   | {'_id':1,'a':{'$numberLong':'3'}}
                    {'_id':1,'a':1}       | {'$inc':{'a':0.5}}                   | {'_id':1,'a':1.5}
                    {'_id':1,'a':1}       | {'$inc':{'a':{'$numberDouble':'1.0'}}}                   | \
                    {'_id':1,'a':{'$numberDouble':'2.0'}}
                    {'_id':1,'a':2147483647} | {'$inc':{'a':1}}                  | {'_id':1,'a':2147483648}
                    {'_id':1,'a':1.5}     | {'$inc':{'a':{'$numberDecimal':'1.10'}}} | \
                    {'_id':1,'a':{'$numberDecimal':'2.60'}}
                    {'_id':1,'a':3}       | {'$mul':{'a':4,'b':5,'c':{'$numberLong':'5'},'d':2.5}} | \
                    {'_id':1,'a':12,'b':0,'c':{'$numberLong':'0'},'d':{'$numberDouble':'0.0'}}
                    {'_id':1,'a':65536}   | {'$mul':{'a':65536}}                 | {'_id':1,'a':4294967296}
                    # $min and $max, also between types
                    {'_id':1,'a':5,'b':5} | {'$min':{'a':4,'b':6,'c':1}}         | {'_id':1,'a':4,'b':5,'c':1}
                    {'_id':1,'a':5,'b':5} | {'$max':{'a':4,'b':'x','c':1}}       | {'_id':1,'a':5,'b':'x','c':1}
                    {'_id':1,'a':5}       | {'$max':{'a':{'$numberDouble':'5.0'}}}                   | {'_id':1,'a':5}
                    # $currentDate
                    {'_id':1}             | \
                    {'$currentDate':{'a':true,'b':{'$type':'date'},'c':{'$type':'timestamp'}}} | \
                    {'_id':1,'a':{'$date':'2026-11-18T16:00:00Z'},'b':{'$date':'2026-11-18T16:00:00Z'},'c':\
                    {'$timestamp':{'t':77,'i':3}}}
                    # $push
                    {'_id':1,'a':[1]}     | {'$push':{'a':2,'b':3}}              | {'_id':1,'a':[1,2],'b':[3]}
                    {'_id':1,'a':[1]}     | {'$push':{'a':[2,3]}}                | {'_id':1,'a':[1,[2,3]]}
                    {'_id':1,'a':[1]}     | {'$push':{'a':{'$each':[2,3]}}}      | {'_id':1,'a':[1,2,3]}
                    {'_id':1,'a':[1,4]}   | {'$push':{'a':{'$each':[2,3],'$position':1}}}  | {'_id':1,'a':[1,2,3,4]}
                    {'_id':1,'a':[1,4]}   | {'$push':{'a':{'$each':[2,3],'$position':-1}}} | {'_id':1,'a':[1,2,3,4]}
                    {'_id':1,'a':[1,4]}   | {'$push':{'a':{'$each':[9],'$position':-7}}}   | {'_id':1,'a':[9,1,4]}
                    {'_id':1,'a':[3,1]}   | {'$push':{'a':{'$each':[2],'$sort':1}}}        | {'_id':1,'a':[1,2,3]}
                    {'_id':1,'a':[3,1]}   | {'$push':{'a':{'$each':[2],'$sort':-1,'$slice':2}}} | {'_id':1,'a':[3,2]}
                    {'_id':1,'a':[3,1]}   | {'$push':{'a':{'$each':[2],'$slice':-2}}}      | {'_id':1,'a':[1,2]}
                    {'_id':1,'a':[3,1]}   | {'$push':{'a':{'$each':[],'$slice':0}}}        | {'_id':1,'a':[]}
                    {'_id':1,'a':[{'s':2,'t':1},{'s':1,'t':2}]} | \
                    {'$push':{'a':{'$each':[{'s':1,'t':1},{'t':5}],'$sort':{'s':1,'t':-1}}}} | \
                    {'_id':1,'a':[{'t':5},{'s':1,'t':2},{'s':1,'t':1},{'s':2,'t':1}]}
                    # $addToSet: equal numbers are one element
                    {'_id':1,'a':[1,2]}   | {'$addToSet':{'a':3}}                | {'_id':1,'a':[1,2,3]}
                    {'_id':1,'a':[1,2]}   | {'$addToSet':{'a':{'$numberDouble':'2.0'}}}              | \
                    {'_id':1,'a':[1,2]}
                    {'_id':1,'a':[1]}     | {'$addToSet':{'a':{'$each':[1,2,2,3]}}} | {'_id':1,'a':[1,2,3]}
                    {'_id':1}             | {'$addToSet':{'a':{'$each':[1,1]}}}  | {'_id':1,'a':[1]}
                    {'_id':1,'a':[{'x':1,'y':2}]} | {'$addToSet':{'a':{'y':2,'x':1}}} | \
                    {'_id':1,'a':[{'x':1,'y':2},{'y':2,'x':1}]}
                    # $pop
                    {'_id':1,'a':[1,2,3]} | {'$pop':{'a':1,'b':1}}               | {'_id':1,'a':[1,2]}
                    {'_id':1,'a':[1,2,3]} | {'$pop':{'a':-1}}                    | {'_id':1,'a':[2,3]}
                    {'_id':1,'a':[]}      | {'$pop':{'a':1}}                     | {'_id':1,'a':[]}
                    # $pull and $pullAll
                    {'_id':1,'a':[1,2,{'$numberDouble':'1.0'}]} | {'$pull':{'a':1}}                  | {'_id':1,'a':[2]}
                    {'_id':1,'a':[1,5,9]} | {'$pull':{'a':{'$gte':5}}}           | {'_id':1,'a':[1]}
                    {'_id':1,'a':[1,5,9]} | {'$pull':{'a':{'$in':[1,9]}}}        | {'_id':1,'a':[5]}
                    {'_id':1,'a':[{'x':1,'y':2},{'x':2}]} | {'$pull':{'a':{'y':2,'x':1}}}      | {'_id':1,'a':[{'x':2}]}
                    {'_id':1,'a':[{'x':1},{'x':9}]} | {'$pull':{'a':{'x':{'$gt':5}}}}          | {'_id':1,'a':[{'x':1}]}
                    {'_id':1,'a':[{'x':[1,9]},{'x':[2]}]} | {'$pull':{'a':{'x':{'$elemMatch':{'$gt':5}}}}} | \
                    {'_id':1,'a':[{'x':[2]}]}
                    {'_id':1,'a':['xa','b']} | {'$pull':{'a':{'$regularExpression':{'pattern':'^x','options':''}}}} | \
                    {'_id':1,'a':['b']}
                    {'_id':1,'a':[1,2,3,2]} | {'$pullAll':{'a':[2,{'$numberDouble':'3.0'}]}}         | {'_id':1,'a':[1]}
                    {'_id':1}             | {'$pull':{'a':1},'$pullAll':{'b':[1]}} | {'_id':1}
                    # $bit
                    {'_id':1,'a':13}      | {'$bit':{'a':{'and':10},'b':{'or':5},'c':{'and':5}}} | \
                    {'_id':1,'a':8,'b':5,'c':0}
                    {'_id':1,'a':5}       | {'$bit':{'a':{'xor':{'$numberLong':'1'}}}}   | \
                    {'_id':1,'a':{'$numberLong':'4'}}
                    # pipelines
                    {'_id':1,'a':1,'b':2} | [{'$set':{'a':'$b','c':{'$add':['$a','$$given']}}},{'$unset':'b'}] | \
                    {'_id':1,'a':2,'c':6}
                    {'_id':1,'a':{'x':1}} | [{'$addFields':{'a.y':2,'a.x':'$$REMOVE'}}] | {'_id':1,'a':{'y':2}}
                    {'_id':1,'a':[{'x':1},5]} | [{'$set':{'a.y':2}}]     | {'_id':1,'a':[{'x':1,'y':2},{'y':2}]}
                    {'_id':1,'a':1,'b':2} | [{'$project':{'b':1,'c':'$a'}}] | {'_id':1,'b':2,'c':1}
                    {'_id':1,'a':{'x':1,'y':2},'b':2} | [{'$project':{'a.x':0}}] | {'_id':1,'a':{'y':2},'b':2}
                    {'_id':1,'a':{'x':1}} | [{'$replaceWith':'$a'}]      | {'_id':1,'x':1}
                    {'_id':1,'a':{'x':1}} | [{'$replaceRoot':{'newRoot':{'_id':'$_id','z':'$a.x'}}}] | {'_id':1,'z':1}
                    {'_id':1,'a':1}       | [{'$unset':['a','b.c']}]     | {'_id':1}
                    {'_id':1,'a':1}       | [{'$set':{'n':'$$NOW'}}]     | \
                    {'_id':1,'a':1,'n':{'$date':'2026-11-18T16:00:00Z'}}
                    {'_id':1,'a':1}       | [{'$set':{'a':'$a'}}]        | {'_id':1,'a':1}
                    # replacement
                    {'_id':1,'a':1}       | {'b':2}                              | {'_id':1,'b':2}
                    {'_id':1,'a':1}       | {'b':2,'_id':1}                      | {'_id':1,'b':2}
                    {'_id':1,'a':1}       | {'_id':{'$numberDouble':'1.0'},'t':{'$timestamp':{'t':0,'i':0}}} | \
                    {'_id':1,'t':{'$timestamp':{'t':77,'i':3}}}
                    {'_id':1,'a':1}       | {}                                   | {'_id':1}
                    """)
    void operatorsMakeTheDocumentThatTheServerMakes(String before, String update, String after) {
        assertSame(
                Updates.apply(Updates.spec("{}", update), Documents.of(before)).orElseThrow(),
                after);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'a':5}               | {'_id':1,'a':[1,5,5]}     | {'$set':{'a.$':9}}            | \
                    {}                | {'_id':1,'a':[1,9,5]}
                    {'a.x':5}             | {'_id':1,'a':[{'x':1},{'x':5}]} | {'$inc':{'a.$.n':1}}    | \
                    {}                | {'_id':1,'a':[{'x':1},{'x':5,'n':1}]}
                    {'a':{'$elemMatch':{'x':5}}} | {'_id':1,'a':[{'x':1},{'x':5}]} | {'$unset':{'a.$':1}} | \
                    {}             | {'_id':1,'a':[{'x':1},null]}
                    {}                    | {'_id':1,'a':[1,2]}       | {'$inc':{'a.$[]':10}}         | \
                    {}                | {'_id':1,'a':[11,12]}
                    {}                    | {'_id':1,'a':[]}          | {'$inc':{'a.$[]':10}}         | \
                    {}                | {'_id':1,'a':[]}
                    {}                    | {'_id':1,'a':[[1],[2]]}   | {'$inc':{'a.$[].$[]':10}}     | \
                    {}                | {'_id':1,'a':[[11],[12]]}
                    {}                    | {'_id':1,'a':[1,5,9]}     | {'$set':{'a.$[i]':0}}         | \
                    {'i':{'$gte':5}}  | {'_id':1,'a':[1,0,0]}
                    {}                    | {'_id':1,'a':[{'x':1},{'x':2}]} | {'$set':{'a.$[i].y':0}} | \
                    {'i.x':2}         | {'_id':1,'a':[{'x':1},{'x':2,'y':0}]}
                    {}                    | {'_id':1,'a':[1,5,9]}     | {'$set':{'a.$[i]':0,'b':1}}   | \
                    {'$or':[{'i':1},{'i':9}]} | {'_id':1,'a':[0,5,0],'b':1}
                    """)
    void elementsAreFoundByTheQueryOrByFilters(
            String query, String before, String update, String filter, String after) {
        UpdateSpec spec =
                filter.equals("{}")
                        ? Updates.spec(query, update)
                        : Updates.spec(query, update, filter);
        assertSame(Updates.apply(spec, Documents.of(before)).orElseThrow(), after);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'_id':1,'a':1}      | {'$set':{'a.b':1}}              | 28  | \
                    Cannot create field 'b' in element {a: 1}
                    {'_id':1,'a':[1]}    | {'$set':{'a.b':1}}              | 28  | \
                    Cannot create field 'b' in element {a: [ 1 ]}
                    {'_id':1,'a':{'b':null}} | {'$inc':{'a.b.c':1}}        | 28  | \
                    Cannot create field 'c' in element {b: null}
                    {'_id':1,'a':[]}     | {'$set':{'a.1500001':1}}        | 34  | \
                    can't backfill more than 1500000 elements
                    {'_id':1}            | {'$set':{'a':1},'$inc':{'a':1}} | 40  | \
                    Updating the path 'a' would create a conflict at 'a'
                    {'_id':1}            | {'$set':{'a.b':1},'$unset':{'a':1}} | 40 | \
                    Updating the path 'a' would create a conflict at 'a'
                    {'_id':1}            | {'$set':{'a':1,'a.b.c':1}}      | 40  | \
                    Updating the path 'a.b.c' would create a conflict at 'a'
                    {'_id':1}            | {'$rename':{'a':'b'},'$set':{'b':1}} | 40 | \
                    Updating the path 'b' would create a conflict at 'b'
                    {'_id':1}            | {'$set':{'_id':2}}              | 66  | \
                    Performing an update on the path '_id' would modify the immutable field '_id'
                    {'_id':1}            | {'$unset':{'_id':2}}            | 66  | \
                    Performing an update on the path '_id' would modify the immutable field '_id'
                    {'_id':1}            | {'_id':2}                       | 66  | \
                    After applying the update, the (immutable) field '_id' was found to have been altered to _id: 2
                    {'_id':1,'shard':1}  | {'$set':{'shard':2}}            | 66  | \
                    Performing an update on the path 'shard' would modify the immutable field 'shard'
                    {'_id':1,'shard':1}  | {'a':2}                         | 66  | \
                    After applying the update, the (immutable) field 'shard' was found to have been removed
                    {'_id':1,'a':'x'}    | {'$inc':{'a':1}}                | 14  | \
                    Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric \
                    type string
                    {'_id':1,'a':null}   | {'$mul':{'a':1}}                | 14  | \
                    Cannot apply $mul to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric \
                    type null
                    {'_id':1}            | {'$inc':{'a':'x'}}              | 14  | \
                    Cannot increment with non-numeric argument: {a: "x"}
                    {'_id':1,'a':9223372036854775807} | {'$inc':{'a':1}}   | 2   | \
                    Failed to apply $inc operations to current value ((NumberLong)9223372036854775807) for document \
                    {_id: 1}
                    {'_id':1,'a':9223372036854775807} | {'$mul':{'a':2}}   | 2   | \
                    Failed to apply $mul operations to current value ((NumberLong)9223372036854775807) for document \
                    {_id: 1}
                    {'_id':1,'a':1}      | {'$push':{'a':1}}               | 2   | \
                    The field 'a' must be an array but is of type int in document {_id: 1}
                    {'_id':1}            | {'$push':{'a':{'$each':1}}}     | 2   | \
                    The argument to $each in $push must be an array but it was of type: int
                    {'_id':1}            | {'$push':{'a':{'$each':[1],'x':1}}} | 2 | Unrecognized clause in $push: x
                    {'_id':1}            | {'$push':{'a':{'$each':[1],'$slice':'x'}}} | 2 | \
                    The value for $slice must be an integer value but was given type: string
                    {'_id':1}            | {'$push':{'a':{'$each':[1],'$sort':2}}} | 2 | \
                    The $sort element value must be either 1 or -1
                    {'_id':1,'a':1}      | {'$addToSet':{'a':1}}           | 2   | \
                    Cannot apply $addToSet to non-array field. Field named 'a' has non-array type int
                    {'_id':1,'a':1}      | {'$pop':{'a':1}}                | 14  | \
                    Path 'a' contains an element of non-array type 'int'
                    {'_id':1}            | {'$pop':{'a':2}}                | 9   | $pop expects 1 or -1, found: 2
                    {'_id':1,'a':1}      | {'$pull':{'a':1}}               | 2   | \
                    Cannot apply $pull to a non-array value
                    {'_id':1}            | {'$pullAll':{'a':1}}            | 2   | \
                    $pullAll requires an array argument but was given a int
                    {'_id':1,'a':1.5}    | {'$bit':{'a':{'and':1}}}        | 2   | \
                    Cannot apply $bit to a value of non-integral type.{_id: 1} has the field a of non-integer type \
                    double
                    {'_id':1}            | {'$bit':{'a':{'nand':1}}}       | 2   | \
                    The $bit modifier only supports 'and', 'or', and 'xor', not 'nand' which is an unknown \
                    operator: {nand: 1}
                    {'_id':1}            | {'$rename':{'a':'a'}}           | 2   | \
                    The source and target field for $rename must differ: a: "a"
                    {'_id':1}            | {'$rename':{'a':'a.b'}}         | 2   | \
                    The source and target field for $rename must not be on the same path: a: "a.b"
                    {'_id':1,'a':1}      | {'$rename':{'a.b':'c'}}         | 28  | \
                    cannot use the part (b of a.b) to traverse the element ({a: 1})
                    {'_id':1,'a':null}   | {'$rename':{'a.b.c':'d'}}       | 28  | \
                    cannot use the part (b of a.b.c) to traverse the element ({a: null})
                    {'_id':1,'a':[{'b':1}]} | {'$rename':{'a.b':'c'}}      | 28  | \
                    cannot use the part (b of a.b) to traverse the element ({a: [ { b: 1 } ]})
                    {'_id':1,'a':[{'b':1}]} | {'$rename':{'a.0.b':'c'}}    | 2   | \
                    The source field cannot be an array element, 'a.0.b' in doc with _id: 1 has an array field \
                    called 'a'
                    {'_id':1}            | {'$currentDate':{'a':1}}        | 2   | \
                    int is not valid type for $currentDate. Please use a boolean ('true') or a $type expression \
                    ({$type: 'timestamp/date'}).
                    {'_id':1}            | {'$set':5}                      | 9   | \
                    Modifiers operate on fields but we found type int instead. For example: {$mod: {<field>: ...}} \
                    not {$set: 5}
                    {'_id':1}            | {'$what':{'a':1}}               | 9   | \
                    Unknown modifier: $what. Expected a valid update modifier or pipeline-style update specified as \
                    an array
                    {'_id':1}            | {'$set':{'a':1},'b':1}          | 9   | \
                    Unknown modifier: b. Expected a valid update modifier or pipeline-style update specified as an array
                    {'_id':1}            | {'a':1,'$set':{'a':1}}          | 52  | \
                    The dollar ($) prefixed field '$set' in '$set' is not allowed in the context of an update's \
                    replacement document. Consider using an aggregation pipeline with $replaceWith.
                    {'_id':1}            | {'$set':{'':1}}                 | 56  | An empty update path is not valid.
                    {'_id':1}            | {'$set':{'a..b':1}}             | 56  | \
                    The update path 'a..b' contains an empty field name, which is not allowed.
                    {'_id':1}            | {'$set':{'$a':1}}               | 52  | \
                    The dollar ($) prefixed field '$a' in '$a' is not valid for storage.
                    {'_id':1}            | {'$set':{'$.a':1}}              | 2   | \
                    Cannot have positional (i.e. '$') element in the first position in path '$.a'
                    {'_id':1}            | {'$set':{'a.$.b.$':1}}          | 2   | \
                    Too many positional (i.e. '$') elements found in path 'a.$.b.$'
                    {'_id':1,'a':[1]}    | {'$set':{'a.$':1}}              | 2   | \
                    The positional operator did not find the match needed from the query.
                    {'_id':1,'a':1}      | {'$set':{'a.$[]':1}}            | 2   | \
                    Cannot apply array updates to non-array element a: 1
                    {'_id':1}            | {'$set':{'a.$[]':1}}            | 2   | \
                    The path 'a' must exist in the document in order to apply array updates.
                    {'_id':1}            | {'$set':{'a.$[i]':1}}           | 2   | \
                    No array filter found for identifier 'i' in path 'a.$[i]'
                    {'_id':1}            | [{'$set':{'_id':2}}]            | 66  | \
                    After applying the update, the (immutable) field '_id' was found to have been altered to _id: 2
                    {'_id':1}            | [{'$match':{'a':2}}]            | 72  | \
                    $match is not allowed to be used within an update
                    {'_id':1}            | [{'$what':{'a':2}}]             | 40324 | \
                    Unrecognized pipeline stage name: '$what'
                    {'_id':1}            | [{'$set':{'a':2},'$unset':'b'}] | 40323 | \
                    A pipeline stage specification object must contain exactly one field.
                    {'_id':1}            | [{'$set':{'a':1,'a.b':2}}]      | 31249 | \
                    Path collision at a.b remaining portion b
                    {'_id':1}            | [{'$project':{'a':1,'b':0}}]    | 31254 | \
                    Invalid $project :: caused by :: Cannot do exclusion on field b in inclusion projection
                    {'_id':1,'a':1}      | [{'$replaceWith':'$a'}]         | 40228 | \
                    'newRoot' expression must evaluate to an object, but resulting value was: 1. Type of resulting \
                    value: 'int'. Input document: { _id: 1, a: 1 }
                    {'_id':1,'a':[1]}    | {'$set':{'a.$[]':1,'a.0':2}}    | 40  | Update created a conflict at 'a.0'
                    """)
    void faultsHaveTheCodesAndWordsOfTheServer(
            String before, String update, int code, String text) {
        OrreryException fault =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> Updates.apply(Updates.spec("{}", update), Documents.of(before)));
        assertThat(fault).hasMessage(text);
        assertThat(fault.languageCode()).hasValue(code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'$set':{'a':1}}      | {'i':1}                 | 9 | \
                    The array filter for identifier 'i' was not used in the update { $set: { a: 1 } }
                    {'$set':{'a.$[i]':1}} | {}                      | 9 | \
                    Cannot use an expression without a top-level field name in arrayFilters
                    {'$set':{'a.$[i]':1}} | {'i':1,'j':1}           | 9 | \
                    Error parsing array filter :: caused by :: Expected a single top-level field name, found 'i' and 'j'
                    {'$set':{'a.$[I]':1}} | {'I':1}                 | 2 | \
                    Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric \
                    string beginning with a lowercase letter, found 'I'
                    {'a':1}               | {'i':1}                 | 9 | \
                    arrayFilters may not be specified for replacement-style updates
                    """)
    void arrayFiltersAreChecked(String update, String filter, int code, String text) {
        OrreryException fault =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> MongoUpdate.evaluation(Updates.spec("{}", update, filter)));
        assertThat(fault).hasMessage(text);
        assertThat(fault.languageCode()).hasValue(code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'shard':1,'b':2,'a':3}   | {'$set':{'c':1}}          | {'_id':'new','a':3,'b':2,'shard':1,'c':1}
                    {'shard':1,'_id':7}       | {'$set':{'c':1}}          | {'_id':7,'shard':1,'c':1}
                    {'shard':1}               | {'$set':{'_id':8}}        | {'_id':8,'shard':1}
                    {'shard':{'$eq':1},'$and':[{'a':1},{'b':{'$in':[2]}}]} | {'$setOnInsert':{'c':1}} | \
                    {'_id':'new','a':1,'b':2,'shard':1,'c':1}
                    {'shard':1,'a':{'$gt':1},'b':{'$in':[1,2]},'$or':[{'c':1},{'d':1}]} | {'$inc':{'n':1}} | \
                    {'_id':'new','shard':1,'n':1}
                    {'shard':1,'$or':[{'c':1}]} | {'$inc':{'n':1}}        | {'_id':'new','c':1,'shard':1,'n':1}
                    {'shard':1,'a.b':1,'a.c':2} | {'$set':{'a.d':3}}      | \
                    {'_id':'new','a':{'b':1,'c':2,'d':3},'shard':1}
                    {'shard':1,'a':5}         | {'$inc':{'a':1}}          | {'_id':'new','a':6,'shard':1}
                    {'shard':1,'_id':7,'a':1} | {'shard':1,'b':1}         | {'_id':7,'shard':1,'b':1}
                    {'shard':1,'a':1}         | [{'$set':{'b':{'$add':['$a',1]}}}] | {'_id':'new','a':1,'shard':1,'b':2}
                    {'shard':1}               | {'shard':1,'b':1,'_id':9} | {'_id':9,'shard':1,'b':1}
                    """)
    void anUpsertBeginsWithWhatTheQuerySays(String query, String update, String made) {
        UpdateSpec spec = Updates.spec(query, update);
        assertSame(Updates.insert(spec), made);
        assertSame(MongoUpdate.newDocument(spec), made);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'shard':1,'_id':7}      | {'_id':8,'shard':1}       | 66 | \
                    After applying the update, the (immutable) field '_id' was found to have been altered to _id: 8
                    {'shard':1,'_id':7}      | {'$set':{'_id':8}}        | 66 | \
                    Performing an update on the path '_id' would modify the immutable field '_id'
                    {'shard':1}              | {'$set':{'_id':[1]}}      | 53 | The '_id' value cannot be of type array
                    {'_id':7}                | {'$set':{'a':1}}          | 61 | \
                    The document does not contain shard key at 'shard'
                    {'a':1,'$and':[{'a':1}]} | {'$set':{'b':1}}          | 54 | \
                    cannot infer query fields to set, path 'a' is matched twice
                    {'a':1,'a.b':1}          | {'$set':{'b':1}}          | 54 | \
                    cannot infer query fields to set, both paths 'a' and 'a.b' are matched
                    {'shard':1,'a':[1]}      | {'$set':{'a.$':1}}        | 2  | \
                    The positional operator did not find the match needed from the query.
                    """)
    void anUpsertIsRefusedWithTheCodesOfTheServer(
            String query, String update, int code, String text) {
        OrreryException fault =
                catchThrowableOfType(
                        OrreryException.class, () -> Updates.insert(Updates.spec(query, update)));
        assertThat(fault).hasMessage(text);
        assertThat(fault.languageCode()).hasValue(code);
    }

    @Test
    void anUpsertIntoACollectionInOnePieceHasNoShardKey() {
        assertSame(
                Updates.insertInWhole(Updates.spec("{'_id':7}", "{'$set':{'a':1}}")),
                "{'_id':7,'a':1}");

        OrreryException fault =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                Updates.insertInWhole(
                                        Updates.spec("{'_id':7}", "{'$set':{'_partitionKey':1}}")));
        assertThat(fault.languageCode()).hasValue(2);
        assertThat(fault).hasMessageContaining("_partitionKey");
    }

    @Test
    void anItemThatDoesNotMatchIsLeftAlone() {
        UpdateSpec spec = Updates.spec("{'_id':1,'a':1}", "{'$set':{'b':1}}");

        assertThat(Updates.apply(spec, Documents.of("{'_id':1,'a':2}"))).isEmpty();
        assertThat(Updates.apply(spec, Documents.of("{'_id':1,'a':1}"))).isPresent();
    }

    /**
     * Names of array elements are not looked at, so bytes that change nothing are not made anew.
     */
    @Test
    void anUpdateThatChangesNothingReturnsTheVeryBytes() {
        Value.Obj document =
                Documents.of("{'_id':1,'a':[1,{'b':{'$numberDouble':'2.0'}}],'c':{'x':1,'y':1}}");
        for (String update :
                new String[] {
                    "{'$set':{'a.1.b':{'$numberDouble':'2.0'}}}",
                    "{'$set':{'c':{'x':1,'y':1}}}",
                    "{'$inc':{'a.0':0}}",
                    "{'$unset':{'z':1}}",
                    "{'$addToSet':{'a':1}}",
                    "{'$pull':{'a':7}}",
                    "{'a':[1,{'b':{'$numberDouble':'2.0'}}],'c':{'x':1,'y':1}}"
                }) {
            Bytes body = Updates.item(document).body();
            assertThat(
                            Updates.read(Updates.spec("{}", update))
                                    .bodyAfter(Optional.of(Updates.item(document))))
                    .as(update)
                    .contains(body);
        }
    }

    @Test
    void anotherOrderOrWidthIsAChange() {
        Value.Obj document = Documents.of("{'_id':1,'a':1,'c':{'x':1,'y':1}}");
        assertSame(
                Updates.apply(
                                Updates.spec(
                                        "{}",
                                        "{'$set':{'a':{'$numberDouble':'1.0'},'c':{'y':1,'x':1}}}"),
                                document)
                        .orElseThrow(),
                "{'_id':1,'a':{'$numberDouble':'1.0'},'c':{'y':1,'x':1}}");
    }

    @Test
    void aDocumentThatGrowsTooLargeIsRefusedByTheNumbersOfTheServer() {
        String half = "h".repeat(8 << 20);
        UpdateSpec spec =
                Updates.spec("{'_id':1,'shard':1}", "{'$set':{'a':'%s'}}".formatted(half));
        Value.Obj document = Updates.insert(spec);
        UpdateSpec more = Updates.spec("{}", "{'$set':{'b':'%s'}}".formatted(half));
        OrreryException grown =
                catchThrowableOfType(OrreryException.class, () -> Updates.apply(more, document));
        assertThat(grown.languageCode()).hasValue(17419);
        assertThat(grown).hasMessage("Resulting document after update is larger than 16777216");
        UpdateSpec both =
                Updates.spec(
                        "{'_id':1,'shard':1}", "{'$set':{'a':'%s','b':'%1$s'}}".formatted(half));
        OrreryException made =
                catchThrowableOfType(OrreryException.class, () -> Updates.insert(both));
        assertThat(made.languageCode()).hasValue(17420);
        assertThat(made).hasMessage("Document to upsert is larger than 16777216");
    }
}
