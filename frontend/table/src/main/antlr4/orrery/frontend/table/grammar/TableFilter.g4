// The conditions of $filter: a part of OData 3.
//
// No choice needs more than a few tokens of lookahead, so parsing is linear in the text. What can
// be long is a loop in one rule, and what nests goes through rules that BoundedParser counts.
grammar TableFilter;

options {
    caseInsensitive = true;
    superClass = BoundedParser;
}

@parser::header {
import orrery.query.grammar.BoundedParser;
}

filter
    : disjunction EOF
    ;

disjunction
    : conjunction (OR conjunction)*
    ;

conjunction
    : condition (AND condition)*
    ;

condition
    : NOT condition                                     # negation
    | '(' disjunction ')'                               # group
    | sum (relation sum)?                               # comparison
    ;

relation
    : EQ | NE | GT | GE | LT | LE
    ;

// Arithmetic and functions are read only to be refused by their names.
sum
    : operand (arithmetic operand)*
    ;

arithmetic
    : ADD | SUB | MUL | DIV | MOD
    ;

operand
    : literal                                           # constant
    | name '(' (sum (',' sum)*)? ')'                    # call
    | name                                              # property
    ;

literal
    : STRING
    | INTEGER
    | LONG
    | DOUBLE
    | NEGATIVE_INFINITY
    | TRUE
    | FALSE
    | NULL
    | DATETIME
    | GUID
    | BINARY
    ;

// Operators are names wherever an operand stands.
name
    : NAME
    | EQ | NE | GT | GE | LT | LE
    | ADD | SUB | MUL | DIV | MOD
    ;

// ---- Words ------------------------------------------------------------------------------------

AND   : 'and';
OR    : 'or';
NOT   : 'not';
EQ    : 'eq';
NE    : 'ne';
GT    : 'gt';
GE    : 'ge';
LT    : 'lt';
LE    : 'le';
ADD   : 'add';
SUB   : 'sub';
MUL   : 'mul';
DIV   : 'div';
MOD   : 'mod';
TRUE  : 'true';
FALSE : 'false';
NULL  : 'null';

// A quote inside of a text is doubled.
STRING   : QUOTED;
DATETIME : 'datetime' QUOTED;
GUID     : 'guid' QUOTED;
BINARY   : ('x' | 'binary') QUOTED;

LONG    : '-'? DIGIT+ 'l';
DOUBLE
    : '-'? DIGIT+ '.' DIGIT+ EXPONENT? 'd'?
    | '-'? DIGIT+ EXPONENT 'd'?
    | '-'? DIGIT+ 'd'
    ;
INTEGER : '-'? DIGIT+;

// The words for the other two doubles that have no digits may be names as well.
NEGATIVE_INFINITY : '-inf' | '-infinity';

NAME  : [\p{L}\p{Nl}_] [\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\p{Cf}\-]*;
BLANK : [ \t\r\n]+ -> skip;

// Whatever else there is, so that the parser says where it stands.
INVALID : .;

fragment QUOTED   : '\'' (~'\'' | '\'\'')* '\'';
fragment DIGIT    : [0-9];
fragment EXPONENT : 'e' [+\-]? DIGIT+;
