// The SQL dialect of the document API.
//
// Two rules keep hostile text cheap. No choice needs more than a few tokens of lookahead, so
// parsing is linear in the text. And whatever can be long (AND, OR, ??, lists) is a loop in one
// rule, while whatever nests goes through rules that BoundedParser counts.
grammar CosmosSql;

options {
    caseInsensitive = true;
    superClass = BoundedParser;
}

// ---- What a text can be -----------------------------------------------------------------------

statement
    : query EOF
    ;

// The end of a query, as the condition of a patch.
condition
    : from where? EOF
    ;

expression
    : scalar EOF
    ;

// ---- Clauses ----------------------------------------------------------------------------------

query
    : SELECT DISTINCT? (TOP count)? selection from? where? groupBy? orderBy? window?
    ;

selection
    : '*'                                               # everything
    | VALUE scalar                                      # bareValue
    | item (',' item)*                                  # items
    ;

item
    : scalar (AS? name)?
    ;

from
    : FROM source (JOIN source)*
    ;

source
    : name IN collection                                # iterated
    | collection (AS? name)?                            # bound
    ;

collection
    : name step*                                        # pathCollection
    | '(' query ')'                                     # queryCollection
    | call                                              # callCollection
    ;

step
    : '.' name
    | '[' STRING ']'
    | '[' INTEGER ']'
    ;

where
    : WHERE scalar
    ;

groupBy
    : GROUP BY scalar (',' scalar)*
    ;

orderBy
    : ORDER BY RANK rankItem (',' rankItem)*            # rankOrder
    | ORDER BY orderItem (',' orderItem)*               # itemOrder
    ;

orderItem
    : scalar (ASC | DESC)?
    ;

rankItem
    : call (ASC | DESC)?
    ;

window
    : OFFSET count LIMIT count
    ;

count
    : number
    | PARAMETER
    ;

// ---- Expressions, loosest first ---------------------------------------------------------------

// a ?? b ? c : d reads a ?? (b ? c : d), and both arms take whole expressions.
scalar
    : disjunction ('??' disjunction)* ('?' scalar ':' scalar)?
    ;

disjunction
    : conjunction (OR conjunction)*
    ;

conjunction
    : predicate (AND predicate)*
    ;

// The bounds of BETWEEN are operands, so its AND cannot be taken for the logical one.
predicate
    : operand test?
    ;

test
    : NOT? BETWEEN operand AND operand                  # between
    | NOT? IN '(' scalar (',' scalar)* ')'              # in
    | NOT? LIKE operand (ESCAPE STRING)?                # like
    ;

// Tightest first. NOT is as tight as a sign: NOT a = b reads (NOT a) = b.
operand
    : op+=('-' | '+' | '~' | NOT)* term                 # prefixed
    | operand op=('*' | '/' | '%') operand              # infix
    | operand op=('+' | '-') operand                    # infix
    | operand op=('<<' | '>>' | '>>>') operand          # infix
    | operand op=('<' | '>' | '<=' | '>=') operand      # infix
    | operand op=('=' | NOT_EQUAL) operand              # infix
    | operand op='&' operand                            # infix
    | operand op='^' operand                            # infix
    | operand op='|' operand                            # infix
    | operand op='||' operand                           # infix
    ;

term
    : literal                                           # constant
    | PARAMETER                                         # parameter
    | name                                              # reference
    | call                                              # invocation
    | '[' (scalar (',' scalar)*)? ']'                   # array
    | '{' (member (',' member)*)? '}'                   # object
    | '(' scalar ')'                                    # group
    | kind=(EXISTS | ARRAY | ALL | FIRST | LAST)? '(' query ')'  # subquery
    | term '.' name                                     # property
    | term '[' scalar ']'                               # index
    ;

call
    : UDF '.' name '(' arguments? ')'                   # udfCall
    | (IDENTIFIER | LEFT | RIGHT) '(' arguments? ')'    # builtInCall
    ;

arguments
    : scalar (',' scalar)*
    ;

member
    : (STRING | name) ':' scalar
    ;

literal
    : number
    | STRING
    | TRUE
    | FALSE
    | NULL
    | UNDEFINED
    ;

number
    : INTEGER
    | DECIMAL
    ;

// Keywords that are names wherever their own syntax does not claim them.
name
    : IDENTIFIER
    | ALL
    | FIRST
    | LAST
    | RANK
    | UDF
    ;

// ---- Words ------------------------------------------------------------------------------------

ALL      : 'ALL';
AND      : 'AND';
ARRAY    : 'ARRAY';
AS       : 'AS';
ASC      : 'ASC';
BETWEEN  : 'BETWEEN';
BY       : 'BY';
DESC     : 'DESC';
DISTINCT : 'DISTINCT';
ESCAPE   : 'ESCAPE';
EXISTS   : 'EXISTS';
FIRST    : 'FIRST';
FROM     : 'FROM';
GROUP    : 'GROUP';
IN       : 'IN';
JOIN     : 'JOIN';
LAST     : 'LAST';
LEFT     : 'LEFT';
LIKE     : 'LIKE';
LIMIT    : 'LIMIT';
NOT      : 'NOT';
OFFSET   : 'OFFSET';
OR       : 'OR';
ORDER    : 'ORDER';
RANK     : 'RANK';
RIGHT    : 'RIGHT';
SELECT   : 'SELECT';
TOP      : 'TOP';
VALUE    : 'VALUE';
WHERE    : 'WHERE';

STAR                 : '*';
SLASH                : '/';
PERCENT              : '%';
PLUS                 : '+';
MINUS                : '-';
TILDE                : '~';
SHIFT_LEFT           : '<<';
SHIFT_RIGHT          : '>>';
SHIFT_RIGHT_UNSIGNED : '>>>';
LESS                 : '<';
GREATER              : '>';
LESS_OR_EQUAL        : '<=';
GREATER_OR_EQUAL     : '>=';
EQUAL                : '=';
NOT_EQUAL            : '!=' | '<>';
AMPERSAND            : '&';
CARET                : '^';
BAR                  : '|';
DOUBLE_BAR           : '||';

// These only in lower case.
TRUE      options { caseInsensitive = false; } : 'true';
FALSE     options { caseInsensitive = false; } : 'false';
NULL      options { caseInsensitive = false; } : 'null';
UNDEFINED options { caseInsensitive = false; } : 'undefined';
UDF       options { caseInsensitive = false; } : 'udf';

IDENTIFIER : NAME;
PARAMETER  : '@' NAME;
INTEGER    : DIGIT+ | '0x' HEX+;
DECIMAL    : (DIGIT+ '.' DIGIT* | '.' DIGIT+) EXPONENT? | DIGIT+ EXPONENT;

STRING
    : '"' (ESCAPED | ~["\\\u0000-\u001F])* '"'
    | '\'' (ESCAPED | ~['\\\u0000-\u001F])* '\''
    ;

SPACE   : [ \t\r\n]+ -> skip;
COMMENT : '--' ~[\r\n]* -> skip;

// Whatever is no token: the parser refuses it, so the lexer itself never fails.
UNCLOSED : ["'] (ESCAPED | ~["'\\\u0000-\u001F])*;
INVALID  : .;

fragment NAME     : [\p{L}_] [\p{L}\p{N}_]*;
fragment DIGIT    : [0-9];
fragment HEX      : [0-9a-f];
fragment EXPONENT : 'e' [+-]? DIGIT+;
fragment ESCAPED options { caseInsensitive = false; }
    : '\\' (["'\\/bfnrt] | 'u' HEX HEX HEX HEX)
    ;
