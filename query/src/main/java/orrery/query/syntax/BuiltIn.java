package orrery.query.syntax;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Every built-in function, by the name it has in messages, with how many arguments it takes. */
public enum BuiltIn {
    IS_ARRAY(Group.TYPE, 1),
    IS_BOOL(Group.TYPE, 1),
    IS_DATETIME(Group.TYPE, 1),
    IS_DEFINED(Group.TYPE, 1),
    IS_FINITE_NUMBER(Group.TYPE, 1),
    IS_INTEGER(Group.TYPE, 1),
    IS_NULL(Group.TYPE, 1),
    IS_NUMBER(Group.TYPE, 1),
    IS_OBJECT(Group.TYPE, 1),
    IS_PRIMITIVE(Group.TYPE, 1),
    IS_STRING(Group.TYPE, 1),

    CONCAT(Group.TEXT, 2, BuiltIn.MANY),
    CONTAINS(Group.TEXT, 2, 3),
    CONTAINS_ALL_CI(Group.TEXT, 2, BuiltIn.MANY),
    CONTAINS_ALL_CS(Group.TEXT, 2, BuiltIn.MANY),
    CONTAINS_ANY_CI(Group.TEXT, 2, BuiltIn.MANY),
    CONTAINS_ANY_CS(Group.TEXT, 2, BuiltIn.MANY),
    ENDSWITH(Group.TEXT, 2, 3),
    INDEX_OF(Group.TEXT, 2, 3),
    LASTINDEXOF(Group.TEXT, 2, 3),
    LASTSUBSTRINGAFTER(Group.TEXT, 2),
    LASTSUBSTRINGBEFORE(Group.TEXT, 2),
    LEFT(Group.TEXT, 2),
    LENGTH(Group.TEXT, 1),
    LOWER(Group.TEXT, 1),
    LTRIM(Group.TEXT, 1, 2),
    REPLACE(Group.TEXT, 3),
    REPLICATE(Group.TEXT, 2),
    REVERSE(Group.TEXT, 1),
    RIGHT(Group.TEXT, 2),
    RTRIM(Group.TEXT, 1, 2),
    STARTSWITH(Group.TEXT, 2, 3),
    STRINGEQUALS(Group.TEXT, 2, 3),
    STRINGJOIN(Group.TEXT, 2),
    STRINGSPLIT(Group.TEXT, 2),
    STRINGTOARRAY(Group.TEXT, 1),
    STRINGTOBOOLEAN(Group.TEXT, 1),
    STRINGTONULL(Group.TEXT, 1),
    STRINGTONUMBER(Group.TEXT, 1),
    STRINGTOOBJECT(Group.TEXT, 1),
    SUBSTRING(Group.TEXT, 3),
    SUBSTRINGAFTER(Group.TEXT, 2),
    SUBSTRINGBEFORE(Group.TEXT, 2),
    TOSTRING(Group.TEXT, 1),
    TRIM(Group.TEXT, 1, 2),
    UPPER(Group.TEXT, 1),

    ABS(Group.MATH, 1),
    ACOS(Group.MATH, 1),
    ASIN(Group.MATH, 1),
    ATAN(Group.MATH, 1),
    ATN2(Group.MATH, 2),
    CEILING(Group.MATH, 1),
    COS(Group.MATH, 1),
    COT(Group.MATH, 1),
    DEGREES(Group.MATH, 1),
    EXP(Group.MATH, 1),
    FLOOR(Group.MATH, 1),
    INTADD(Group.MATH, 2),
    INTBITAND(Group.MATH, 2),
    INTBITLEFTSHIFT(Group.MATH, 2),
    INTBITNOT(Group.MATH, 1),
    INTBITOR(Group.MATH, 2),
    INTBITRIGHTSHIFT(Group.MATH, 2),
    INTBITXOR(Group.MATH, 2),
    INTDIV(Group.MATH, 2),
    INTMOD(Group.MATH, 2),
    INTMUL(Group.MATH, 2),
    INTSUB(Group.MATH, 2),
    LOG(Group.MATH, 1, 2),
    LOG10(Group.MATH, 1),
    NUMBERBIN(Group.MATH, 1, 2),
    PI(Group.MATH, 0),
    POWER(Group.MATH, 2),
    RADIANS(Group.MATH, 1),
    RAND(Group.MATH, 0),
    ROUND(Group.MATH, 1),
    SIGN(Group.MATH, 1),
    SIN(Group.MATH, 1),
    SQRT(Group.MATH, 1),
    SQUARE(Group.MATH, 1),
    TAN(Group.MATH, 1),
    TRUNC(Group.MATH, 1),

    ARRAY_AVG(Group.ARRAY, 1),
    ARRAY_CONCAT(Group.ARRAY, 2, BuiltIn.MANY),
    ARRAY_CONTAINS(Group.ARRAY, 2, 3),
    ARRAY_CONTAINS_ALL(Group.ARRAY, 2, BuiltIn.MANY),
    ARRAY_CONTAINS_ANY(Group.ARRAY, 2, BuiltIn.MANY),
    ARRAY_LENGTH(Group.ARRAY, 1),
    ARRAY_MAX(Group.ARRAY, 1),
    ARRAY_MEDIAN(Group.ARRAY, 1),
    ARRAY_MIN(Group.ARRAY, 1),
    ARRAY_SLICE(Group.ARRAY, 2, 3),
    ARRAY_SUM(Group.ARRAY, 1),
    CHOOSE(Group.ARRAY, 2, BuiltIn.MANY),
    DOCUMENTID(Group.ARRAY, 1),
    IIF(Group.ARRAY, 3),
    OBJECTTOARRAY(Group.ARRAY, 1, 3),
    SETDIFFERENCE(Group.ARRAY, 2),
    SETEQUAL(Group.ARRAY, 2),
    SETINTERSECT(Group.ARRAY, 2),
    SETUNION(Group.ARRAY, 2),

    AGO(Group.DATE, 2),
    DATETIMEADD(Group.DATE, 3),
    DATETIMEBIN(Group.DATE, 2, 4),
    DATETIMEDIFF(Group.DATE, 3),
    DATETIMEFORMAT(Group.DATE, 2),
    DATETIMEFROMPARTS(Group.DATE, 3, 7),
    DATETIMEPART(Group.DATE, 2),
    DATETIMETOTICKS(Group.DATE, 1),
    DATETIMETOTIMESTAMP(Group.DATE, 1),
    DAY(Group.DATE, 1),
    GETCURRENTDATETIME(Group.DATE, 0),
    GETCURRENTDATETIMESTATIC(Group.DATE, 0),
    GETCURRENTTICKS(Group.DATE, 0),
    GETCURRENTTICKSSTATIC(Group.DATE, 0),
    GETCURRENTTIMESTAMP(Group.DATE, 0),
    GETCURRENTTIMESTAMPSTATIC(Group.DATE, 0),
    MONTH(Group.DATE, 1),
    NOW(Group.DATE, 0, 2),
    TICKSTODATETIME(Group.DATE, 1),
    TIMESTAMPTODATETIME(Group.DATE, 1),
    YEAR(Group.DATE, 1),

    ST_AREA(Group.SPATIAL, 1),
    ST_DISTANCE(Group.SPATIAL, 2),
    ST_INTERSECTS(Group.SPATIAL, 2),
    ST_ISVALID(Group.SPATIAL, 1),
    ST_ISVALIDDETAILED(Group.SPATIAL, 1),
    ST_WITHIN(Group.SPATIAL, 2),

    FULLTEXTCONTAINS(Group.SEARCH, 2),
    FULLTEXTCONTAINSALL(Group.SEARCH, 2, BuiltIn.MANY),
    FULLTEXTCONTAINSANY(Group.SEARCH, 2, BuiltIn.MANY),
    FULLTEXTSCORE(Group.SEARCH, 2, BuiltIn.MANY),
    RRF(Group.SEARCH, 1, BuiltIn.MANY),
    VECTORDISTANCE(Group.SEARCH, 2, 4),

    AVG(Group.AGGREGATE, 1),
    COUNT(Group.AGGREGATE, 1),
    COUNTIF(Group.AGGREGATE, 1),
    MAKELIST(Group.AGGREGATE, 1),
    MAKESET(Group.AGGREGATE, 1),
    MAX(Group.AGGREGATE, 1),
    MIN(Group.AGGREGATE, 1),
    SUM(Group.AGGREGATE, 1),

    REGEXMATCH(Group.REGEX, 2, 3),
    REGEXEXTRACT(Group.REGEX, 2, 4),
    REGEXEXTRACTALL(Group.REGEX, 2, 4),
    REGEXREPLACE(Group.REGEX, 3, 4),
    REGEXREPLACEALL(Group.REGEX, 3, 4),

    // SDKs know this name; nobody outside the service has written down what it does.
    HASH(Group.UNDOCUMENTED, 1, BuiltIn.MANY);

    /** The kind of values that a function works on. */
    public enum Group {
        TYPE,
        TEXT,
        MATH,
        ARRAY,
        DATE,
        SPATIAL,
        SEARCH,
        AGGREGATE,
        REGEX,
        UNDOCUMENTED
    }

    private static final int MANY = Integer.MAX_VALUE;

    private static final Map<String, BuiltIn> BY_NAME = new HashMap<>();

    static {
        for (BuiltIn function : values()) {
            BY_NAME.put(function.name(), function);
        }
        // .NET and Java write IS_BOOLEAN into the filters with which they resume a sorted query.
        BY_NAME.put("IS_BOOLEAN", IS_BOOL);
        // The spellings of .NET's own parser.
        BY_NAME.put("INTBITWISEAND", INTBITAND);
        BY_NAME.put("INTBITWISELEFTSHIFT", INTBITLEFTSHIFT);
        BY_NAME.put("INTBITWISENOT", INTBITNOT);
        BY_NAME.put("INTBITWISEOR", INTBITOR);
        BY_NAME.put("INTBITWISERIGHTSHIFT", INTBITRIGHTSHIFT);
        BY_NAME.put("INTBITWISEXOR", INTBITXOR);
    }

    private final Group group;
    private final int minArguments;
    private final int maxArguments;

    BuiltIn(Group group, int arguments) {
        this(group, arguments, arguments);
    }

    BuiltIn(Group group, int minArguments, int maxArguments) {
        this.group = group;
        this.minArguments = minArguments;
        this.maxArguments = maxArguments;
    }

    /** By a name of any case. */
    public static Optional<BuiltIn> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name.toUpperCase(Locale.ROOT)));
    }

    public Group group() {
        return group;
    }

    public boolean isAggregate() {
        return group == Group.AGGREGATE;
    }

    /** Returns true if the same arguments give the same result for every row of a query. */
    public boolean isDeterministic() {
        return switch (this) {
            case RAND, AGO, NOW, GETCURRENTDATETIME, GETCURRENTTICKS, GETCURRENTTIMESTAMP -> false;
            default -> true;
        };
    }

    /** Returns true if the same arguments give the same result at any time, in any query. */
    public boolean isTimeless() {
        return switch (this) {
            case GETCURRENTDATETIMESTATIC, GETCURRENTTICKSSTATIC, GETCURRENTTIMESTAMPSTATIC ->
                    false;
            default -> isDeterministic();
        };
    }

    /**
     * Returns true if an undefined argument still reaches the function; elsewhere it is the result.
     */
    public boolean takesUndefined() {
        return switch (this) {
            case CONTAINS_ALL_CI,
                    CONTAINS_ALL_CS,
                    CONTAINS_ANY_CI,
                    CONTAINS_ANY_CS,
                    ARRAY_CONTAINS,
                    ARRAY_CONTAINS_ALL,
                    ARRAY_CONTAINS_ANY ->
                    true;
            default -> group == Group.TYPE;
        };
    }

    public boolean takes(int arguments) {
        return arguments >= minArguments && arguments <= maxArguments;
    }

    /** Describes the number of arguments in the words of the service's message. */
    String arity() {
        if (maxArguments == MANY) {
            return "at least " + minArguments;
        }
        return minArguments == maxArguments
                ? Integer.toString(minArguments)
                : minArguments + " to " + maxArguments;
    }
}
