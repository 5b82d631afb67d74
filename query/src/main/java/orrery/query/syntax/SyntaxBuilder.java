package orrery.query.syntax;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.grammar.CosmosSqlParser.*;

/**
 * Turns one parse tree into records. This is also where names meet their meaning, because only the
 * parse tree still knows where in the text they stood: sources are visited before the expressions
 * that use them.
 *
 * <p>One method for each rule, and one for each alternative that needs it. They call each other as
 * the rules nest, so their frames are kept few and small: no streams, no lambdas, no double
 * dispatch between one pair of parentheses and the next.
 */
final class SyntaxBuilder {
    /**
     * The greatest depth of an expression, counting each link of a chain. Evaluating it takes up to
     * a kilobyte of stack a level.
     */
    private static final int MAX_DEPTH = 400;

    private static final int MAX_JOINS = 10;
    private static final int MAX_UDF_CALLS = 10;
    private static final long MAX_TOP = 4294967295L;
    private static final long MAX_COUNT = Integer.MAX_VALUE;

    private final String text;

    /** The place of each path in the text, for messages; equal paths may have several places. */
    private final IdentityHashMap<Scalar, ParserRuleContext> paths = new IdentityHashMap<>();

    private Scope scope = Scope.top();
    private int depth;
    private int joins;
    private int udfCalls;
    private boolean inAggregate;
    private boolean inRank;

    SyntaxBuilder(String text) {
        this.text = text;
    }

    // ---- Whole texts ---------------------------------------------------------------------------

    Query statement(StatementContext tree) {
        return query(tree.query());
    }

    Condition condition(ConditionContext tree) {
        List<Source> from = from(tree.from());
        return new Condition(from, where(tree.where()));
    }

    Scalar expression(ExpressionContext tree, Set<String> aliases) {
        scope.endOfFirstSource();
        aliases.forEach(scope::add);
        return scalar(tree.scalar());
    }

    // ---- Clauses -------------------------------------------------------------------------------

    private Query query(QueryContext tree) {
        if (scope.isInner()) {
            refuseInSubquery(tree);
        }
        List<Source> from = tree.from() == null ? List.of() : from(tree.from());
        scope.endOfFirstSource();
        Optional<Scalar> top = Optional.empty();
        if (tree.TOP() != null) {
            top =
                    Optional.of(
                            count(
                                    tree.count(),
                                    MAX_TOP,
                                    "SC2060",
                                    "The count value provided for a TOP clause must be an"
                                            + " integer."));
        }
        Query query =
                new Query(
                        tree.DISTINCT() != null,
                        top,
                        selection(tree, from),
                        from,
                        where(tree.where()),
                        tree.groupBy() == null ? List.of() : scalars(tree.groupBy().scalar()),
                        tree.orderBy() == null
                                ? Optional.empty()
                                : Optional.of(orderBy(tree, from)),
                        tree.window() == null
                                ? Optional.empty()
                                : Optional.of(window(tree.window())));
        if (query.isGrouped()) {
            checkGroups(tree, query);
        } else if (tree.orderBy() instanceof ItemOrderContext order) {
            checkOrder(order, query);
        }
        return query;
    }

    private void checkGroups(QueryContext tree, Query query) {
        if (!query.groupBy().isEmpty() && !isSortedByKeys(query)) {
            throw QueryError.engine(
                    "'ORDER BY' together with 'GROUP BY' can only name expressions of the 'GROUP"
                            + " BY' clause.");
        }
        Optional<Scalar> violation = GroupRule.findViolation(query);
        if (violation.isPresent()) {
            ParserRuleContext place = paths.getOrDefault(violation.get(), tree.selection());
            int start = QueryParser.start(text, place.getStart());
            int end = QueryParser.end(text, place.getStop());
            throw QueryError.at(
                    start,
                    end,
                    "SC2102",
                    "Property reference '"
                            + text.substring(start, end)
                            + "' is invalid in the select list because it is not contained in"
                            + " either an aggregate function or the GROUP BY clause.");
        }
    }

    private static boolean isSortedByKeys(Query query) {
        return query.orderBy().isEmpty()
                || (query.orderBy().get() instanceof Ordering.ByValue(List<Ordering.Item> items)
                        && items.stream().allMatch(item -> query.groupBy().contains(item.value())));
    }

    private void checkOrder(ItemOrderContext tree, Query query) {
        List<Ordering.Item> items = query.orderBy().orElseThrow().items();
        for (int i = 0; i < items.size(); i++) {
            switch (OrderRule.check(items.get(i).value(), query.from())) {
                case ALLOWED -> {}
                case CORRELATED ->
                        throw QueryError.engine(
                                "Order-by over correlated collections is not supported.");
                case NO_PATH -> {
                    ScalarContext place = tree.orderItem(i).scalar();
                    throw QueryError.at(
                            QueryParser.start(text, place.getStart()),
                            QueryParser.end(text, place.getStop()),
                            Value.of(2206),
                            "Unsupported ORDER BY clause. ORDER BY item expression could not be"
                                    + " mapped to a document path.");
                }
            }
        }
    }

    private void refuseInSubquery(QueryContext tree) {
        if (tree.TOP() != null) {
            throw error(
                    tree.TOP().getSymbol(),
                    tree.count().getStop(),
                    "SC2203",
                    "'TOP' is not supported in subqueries.");
        }
        switch (tree.orderBy()) {
            case null -> {}
            case RankOrderContext order ->
                    throw error(
                            order,
                            "SC2228",
                            "'ORDER BY RANK' clause is not supported in subqueries.");
            default ->
                    throw error(
                            tree.orderBy(), "SC2202", "'ORDER BY' is not supported in subqueries.");
        }
        if (tree.window() != null) {
            throw error(
                    tree.window(),
                    "SC2204",
                    "'OFFSET LIMIT' clause is not supported in subqueries.");
        }
    }

    private Query subquery(QueryContext tree) {
        if (inAggregate) {
            throw nestedAggregate(tree);
        }
        Scope outer = scope;
        scope = outer.inner();
        Query query = query(tree);
        scope = outer;
        return query;
    }

    private Selection selection(QueryContext tree, List<Source> from) {
        return switch (tree.selection()) {
            case EverythingContext star -> {
                if (tree.groupBy() != null) {
                    throw error(star, "SC2041", "'SELECT *' is not allowed with GROUP BY.");
                }
                // The codes of these two are remembered, not confirmed.
                if (from.isEmpty()) {
                    throw error(
                            star, "SC2030", "'SELECT *' is not valid if FROM clause is omitted.");
                }
                if (from.size() > 1) {
                    throw error(
                            star, "SC2040", "'SELECT *' is only valid with a single input set.");
                }
                yield new Selection.Everything();
            }
            case BareValueContext bare -> new Selection.Bare(scalar(bare.scalar()));
            case ItemsContext items -> items(items);
            default -> throw new IllegalStateException("a selection that the grammar lacks");
        };
    }

    private Selection items(ItemsContext tree) {
        List<Selection.Item> items = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int unnamed = 0;
        for (ItemContext item : tree.item()) {
            Scalar value = scalar(item.scalar());
            String name =
                    item.name() != null
                            ? item.name().getText()
                            : switch (value) {
                                case Scalar.Reference(String alias) -> alias;
                                case Scalar.Property(_, String property) -> property;
                                default -> "$" + ++unnamed;
                            };
            if (!names.add(name)) {
                throw duplicateName(name, item.name() != null ? item.name() : item.scalar());
            }
            items.add(new Selection.Item(name, value));
        }
        return new Selection.Items(items);
    }

    private List<Source> from(FromContext tree) {
        joins += tree.JOIN().size();
        if (joins > MAX_JOINS) {
            // Code by analogy with SC3005, unconfirmed.
            throw error(
                    tree,
                    "SC3003",
                    "The SQL query exceeded the maximum number of joins. The allowed limit is "
                            + MAX_JOINS
                            + ".");
        }
        List<Source> sources = new ArrayList<>();
        for (SourceContext each : tree.source()) {
            Source source = source(each);
            scope.endOfFirstSource();
            source.alias()
                    .ifPresent(
                            alias -> {
                                if (!scope.add(alias)) {
                                    // Code remembered, unconfirmed.
                                    throw error(
                                            each,
                                            "SC2011",
                                            "The input alias '"
                                                    + alias
                                                    + "' is specified more than once in the FROM"
                                                    + " clause.");
                                }
                            });
            sources.add(source);
        }
        return sources;
    }

    private Source source(SourceContext tree) {
        return switch (tree) {
            case IteratedContext iterated ->
                    new Source.Iterated(
                            iterated.name().getText(), collection(iterated.collection()));
            case BoundContext bound -> {
                Source.Collection collection = collection(bound.collection());
                Optional<String> alias =
                        bound.name() != null
                                ? Optional.of(bound.name().getText())
                                : impliedAlias(bound.collection());
                yield new Source.Bound(alias, collection);
            }
            default -> throw new IllegalStateException("a source that the grammar lacks");
        };
    }

    /** The last name of a path, unless an index follows it. */
    private static Optional<String> impliedAlias(CollectionContext tree) {
        if (!(tree instanceof PathCollectionContext path)) {
            return Optional.empty();
        }
        if (path.step().isEmpty()) {
            return Optional.of(path.name().getText());
        }
        StepContext last = path.step().getLast();
        return last.INTEGER() != null ? Optional.empty() : Optional.of(stepName(last));
    }

    private Source.Collection collection(CollectionContext tree) {
        return switch (tree) {
            case PathCollectionContext path -> new Source.Collection.Single(path(path));
            case QueryCollectionContext nested ->
                    new Source.Collection.Results(subquery(nested.query()));
            case CallCollectionContext call -> new Source.Collection.Single(call(call.call()));
            default -> throw new IllegalStateException("a collection that the grammar lacks");
        };
    }

    private Scalar path(PathCollectionContext tree) {
        Scalar path = scope.startsFromItem() ? new Scalar.Item() : reference(tree.name());
        enter(tree.step().size());
        for (StepContext step : tree.step()) {
            path =
                    step.INTEGER() != null
                            ? new Scalar.Index(
                                    path,
                                    new Scalar.Constant(Literals.integer(step.INTEGER().getText())))
                            : new Scalar.Property(path, stepName(step));
        }
        leave(tree.step().size());
        return path;
    }

    private static String stepName(StepContext tree) {
        return tree.name() != null
                ? tree.name().getText()
                : Literals.unquote(tree.STRING().getText());
    }

    private Optional<Scalar> where(@Nullable WhereContext tree) {
        return tree == null ? Optional.empty() : Optional.of(scalar(tree.scalar()));
    }

    private Ordering orderBy(QueryContext query, List<Source> from) {
        return switch (query.orderBy()) {
            case ItemOrderContext order ->
                    new Ordering.ByValue(
                            order.orderItem().stream()
                                    .map(
                                            item ->
                                                    new Ordering.Item(
                                                            scalar(item.scalar()),
                                                            item.DESC() != null))
                                    .toList());
            case RankOrderContext order -> rankOrder(order, from);
            default -> throw new IllegalStateException("an ordering that the grammar lacks");
        };
    }

    private Ordering rankOrder(RankOrderContext tree, List<Source> from) {
        if (from.size() > 1) {
            throw error(
                    tree,
                    "SC2224",
                    "The JOIN clause is not allowed with the ORDER BY RANK clause.");
        }
        for (Source source : from) {
            if (source instanceof Source.Iterated) {
                throw error(
                        tree,
                        "SC2223",
                        "The FROM clause with the IN operator is not allowed with the ORDER BY RANK"
                                + " clause.");
            }
            if (source.collection() instanceof Source.Collection.Results) {
                throw error(
                        tree,
                        "SC2225",
                        "The FROM clause with a subquery is not allowed with the ORDER BY RANK"
                                + " clause.");
            }
        }
        List<Ordering.Item> items = new ArrayList<>();
        for (RankItemContext item : tree.rankItem()) {
            inRank = true;
            Scalar value = call(item.call());
            inRank = false;
            if (!(value instanceof Scalar.Call(BuiltIn function, _)
                    && (function == BuiltIn.FULLTEXTSCORE
                            || function == BuiltIn.VECTORDISTANCE
                            || function == BuiltIn.RRF))) {
                throw error(
                        item,
                        "SC2221",
                        "The ORDER BY RANK clause must be followed by a VectorDistance and/or a"
                                + " FullTextScore function call.");
            }
            items.add(new Ordering.Item(value, item.DESC() != null));
        }
        return new Ordering.ByRank(items);
    }

    private Query.Window window(WindowContext tree) {
        return new Query.Window(
                count(
                        tree.count(0),
                        MAX_COUNT,
                        "SC2062",
                        "The OFFSET count value exceeds the maximum allowed value."),
                count(
                        tree.count(1),
                        MAX_COUNT,
                        "SC2061",
                        "The LIMIT count value exceeds the maximum allowed value."));
    }

    private Scalar count(CountContext tree, long max, String code, String message) {
        if (tree.PARAMETER() != null) {
            return new Scalar.Parameter(tree.PARAMETER().getText());
        }
        Value value = Literals.number(tree.number());
        if (value instanceof Value.Int(long count) && count <= max) {
            return new Scalar.Constant(value);
        }
        throw error(tree, code, message);
    }

    // ---- Expressions ---------------------------------------------------------------------------

    private Scalar scalar(ScalarContext tree) {
        OperandContext only = onlyOperand(tree);
        return only != null ? operand(only) : choice(tree);
    }

    /**
     * Builds an expression without loose operators; most are such. Stepping over their rules saves
     * half the stack.
     */
    private static @Nullable OperandContext onlyOperand(ScalarContext tree) {
        if (tree.getChildCount() > 1) {
            return null;
        }
        DisjunctionContext disjunction = tree.disjunction(0);
        if (disjunction.getChildCount() > 1) {
            return null;
        }
        ConjunctionContext conjunction = disjunction.conjunction(0);
        if (conjunction.getChildCount() > 1) {
            return null;
        }
        PredicateContext predicate = conjunction.predicate(0);
        return predicate.test() == null ? predicate.operand() : null;
    }

    private Scalar choice(ScalarContext tree) {
        List<DisjunctionContext> choices = tree.disjunction();
        if (choices.size() == 1 && tree.scalar().isEmpty()) {
            return disjunction(choices.getFirst());
        }
        enter(2);
        List<Scalar> operands = new ArrayList<>();
        for (DisjunctionContext choice : choices) {
            operands.add(disjunction(choice));
        }
        if (!tree.scalar().isEmpty()) {
            // The question mark belongs to the last choice only.
            operands.addLast(
                    new Scalar.Conditional(
                            operands.removeLast(), scalar(tree.scalar(0)), scalar(tree.scalar(1))));
        }
        leave(2);
        return operands.size() == 1 ? operands.getFirst() : new Scalar.Coalesce(operands);
    }

    private Scalar disjunction(DisjunctionContext tree) {
        if (tree.conjunction().size() == 1) {
            return conjunction(tree.conjunction().getFirst());
        }
        enter(1);
        List<Scalar> operands = new ArrayList<>();
        for (ConjunctionContext operand : tree.conjunction()) {
            operands.add(conjunction(operand));
        }
        leave(1);
        return new Scalar.Or(operands);
    }

    private Scalar conjunction(ConjunctionContext tree) {
        if (tree.predicate().size() == 1) {
            return predicate(tree.predicate().getFirst());
        }
        enter(1);
        List<Scalar> operands = new ArrayList<>();
        for (PredicateContext operand : tree.predicate()) {
            operands.add(predicate(operand));
        }
        leave(1);
        return new Scalar.And(operands);
    }

    private Scalar predicate(PredicateContext tree) {
        if (tree.test() == null) {
            return operand(tree.operand());
        }
        enter(2);
        Scalar value = operand(tree.operand());
        Scalar test =
                switch (tree.test()) {
                    case BetweenContext between ->
                            negateIf(
                                    between.NOT() != null,
                                    new Scalar.Between(
                                            value,
                                            operand(between.operand(0)),
                                            operand(between.operand(1))));
                    case InContext in ->
                            negateIf(in.NOT() != null, new Scalar.In(value, scalars(in.scalar())));
                    case LikeContext like ->
                            negateIf(
                                    like.NOT() != null,
                                    new Scalar.Like(value, operand(like.operand()), escape(like)));
                    default -> throw new IllegalStateException("a test that the grammar lacks");
                };
        leave(2);
        return test;
    }

    private static Scalar negateIf(boolean isNegated, Scalar test) {
        return isNegated ? new Scalar.Prefix(Scalar.PrefixOperator.NOT, test) : test;
    }

    private Optional<Character> escape(LikeContext tree) {
        if (tree.STRING() == null) {
            return Optional.empty();
        }
        String escape = Literals.unquote(tree.STRING().getText());
        if (escape.length() != 1) {
            Token token = tree.STRING().getSymbol();
            throw error(
                    token,
                    token,
                    "SC1001",
                    "Syntax error, incorrect syntax near '" + token.getText() + "'.");
        }
        return Optional.of(escape.charAt(0));
    }

    private List<Scalar> scalars(List<ScalarContext> trees) {
        // Here and in the other rules that recurse: a loop, because a stream takes more stack than
        // all the rules between two parentheses.
        List<Scalar> scalars = new ArrayList<>();
        for (ScalarContext tree : trees) {
            scalars.add(scalar(tree));
        }
        return scalars;
    }

    private List<Scalar> arguments(@Nullable ArgumentsContext tree) {
        return tree == null ? List.of() : scalars(tree.scalar());
    }

    /**
     * Chains such as {@code a + b + c} lean left in the parse tree, as deep as they are long. This
     * walks down the left edge in a loop and builds the chain on the way back.
     */
    private Scalar operand(OperandContext tree) {
        Deque<InfixContext> chain = new ArrayDeque<>();
        OperandContext first = tree;
        while (first instanceof InfixContext infix) {
            chain.push(infix);
            first = infix.operand(0);
        }
        PrefixedContext prefixed = (PrefixedContext) first;
        enter(chain.size() + prefixed.op.size());
        Scalar value = term(prefixed.term());
        for (Token operator : prefixed.op.reversed()) {
            value = new Scalar.Prefix(OperatorTokens.prefix(operator), value);
            leave(1);
        }
        for (InfixContext link : chain) {
            value =
                    new Scalar.Infix(
                            OperatorTokens.infix(link.op), value, operand(link.operand(1)));
            leave(1);
        }
        return value;
    }

    /** Takes the links one by one, like operands: {@code a.b.c} is a chain that leans left. */
    private Scalar term(TermContext tree) {
        Deque<TermContext> chain = new ArrayDeque<>();
        TermContext first = tree;
        while (true) {
            TermContext base =
                    switch (first) {
                        case PropertyContext property -> property.term();
                        case IndexContext index -> index.term();
                        default -> null;
                    };
            if (base == null) {
                break;
            }
            chain.push(first);
            first = base;
        }
        enter(chain.size() + 1);
        Scalar value =
                switch (first) {
                    case ConstantContext constant ->
                            new Scalar.Constant(Literals.literal(constant.literal()));
                    case ParameterContext parameter ->
                            new Scalar.Parameter(parameter.PARAMETER().getText());
                    case ReferenceContext reference -> reference(reference.name());
                    case InvocationContext invocation -> call(invocation.call());
                    case ArrayContext array -> new Scalar.ArrayOf(scalars(array.scalar()));
                    case ObjectContext object -> object(object);
                    case GroupContext group -> scalar(group.scalar());
                    case SubqueryContext subquery ->
                            new Scalar.Subquery(subqueryKind(subquery), subquery(subquery.query()));
                    default -> throw new IllegalStateException("a term that the grammar lacks");
                };
        leave(1);
        for (TermContext link : chain) {
            value =
                    switch (link) {
                        case PropertyContext property ->
                                new Scalar.Property(value, property.name().getText());
                        case IndexContext index -> index(value, index);
                        default -> throw new IllegalStateException("no link of a chain");
                    };
            leave(1);
        }
        if (!chain.isEmpty() || first instanceof ReferenceContext) {
            paths.put(value, tree);
        }
        return value;
    }

    /** Counts the levels that the expression grows by, also where only a NOT may be one. */
    private void enter(int levels) {
        depth += levels;
        if (depth > MAX_DEPTH) {
            throw QueryParser.tooDeep();
        }
    }

    private void leave(int levels) {
        depth -= levels;
    }

    private Scalar index(Scalar base, IndexContext tree) {
        Scalar index = scalar(tree.scalar());
        if (index instanceof Scalar.Constant(Value.Text(String name))) {
            return new Scalar.Property(base, name);
        }
        if (base instanceof Scalar.ArrayOf && !index.isConstant()) {
            throw error(
                    tree,
                    "SC2990",
                    "The specified query includes 'member indexer' which is currently not"
                            + " supported.");
        }
        return new Scalar.Index(base, index);
    }

    private Scalar reference(NameContext tree) {
        String name = tree.getText();
        if (scope.resolves(name)) {
            return new Scalar.Reference(name);
        }
        // Words of the service's documentation that no grammar has as keywords.
        return switch (name) {
            case "NaN" -> new Scalar.Constant(new Value.Real(Double.NaN));
            case "Infinity" -> new Scalar.Constant(new Value.Real(Double.POSITIVE_INFINITY));
            default ->
                    throw error(tree, "SC2001", "Identifier '" + name + "' could not be resolved.");
        };
    }

    private Scalar call(CallContext tree) {
        return switch (tree) {
            case UdfCallContext udf -> udfCall(udf);
            case BuiltInCallContext builtIn -> builtInCall(builtIn);
            default -> throw new IllegalStateException("a call that the grammar lacks");
        };
    }

    private Scalar udfCall(UdfCallContext tree) {
        if (++udfCalls > MAX_UDF_CALLS) {
            throw error(
                    tree,
                    "SC3005",
                    "The SQL query exceeded the maximum number of user-defined function calls. The"
                            + " allowed limit is "
                            + MAX_UDF_CALLS
                            + ".");
        }
        return new Scalar.UdfCall(tree.name().getText(), arguments(tree.arguments()));
    }

    private Scalar builtInCall(BuiltInCallContext tree) {
        Token name = tree.getStart();
        Optional<BuiltIn> known = BuiltIn.find(name.getText());
        if (known.isEmpty() || (known.get() == BuiltIn.RRF && !inRank)) {
            throw error(
                    name,
                    name,
                    "SC2005",
                    "'" + name.getText() + "' is not a recognized built-in function name.");
        }
        BuiltIn function = known.get();
        if (function == BuiltIn.FULLTEXTSCORE && !inRank) {
            throw error(
                    tree,
                    "SC2240",
                    "The FullTextScore function is only allowed in the ORDER BY RANK clause.");
        }
        int count = tree.arguments() == null ? 0 : tree.arguments().scalar().size();
        if (!function.takes(count)) {
            throw error(
                    tree,
                    "SC2050",
                    "The " + function + " function requires " + function.arity() + " argument(s).");
        }
        if (!function.isAggregate()) {
            return new Scalar.Call(function, arguments(tree.arguments()));
        }
        if (inAggregate) {
            throw nestedAggregate(tree);
        }
        inAggregate = true;
        Scalar call = new Scalar.Call(function, arguments(tree.arguments()));
        inAggregate = false;
        return call;
    }

    private Scalar object(ObjectContext tree) {
        List<Scalar.Member> members = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (MemberContext member : tree.member()) {
            String name =
                    member.name() != null
                            ? member.name().getText()
                            : Literals.unquote(member.STRING().getText());
            if (!names.add(name)) {
                throw duplicateName(name, member);
            }
            members.add(new Scalar.Member(name, scalar(member.scalar())));
        }
        return new Scalar.ObjectOf(members);
    }

    private static Scalar.SubqueryKind subqueryKind(SubqueryContext tree) {
        return tree.kind == null
                ? Scalar.SubqueryKind.SCALAR
                : Scalar.SubqueryKind.valueOf(tree.kind.getText().toUpperCase(Locale.ROOT));
    }

    // ---- Errors --------------------------------------------------------------------------------

    private OrreryException duplicateName(String name, ParserRuleContext place) {
        return error(
                place,
                "SC2022",
                "Object creation error, property name '" + name + "' specified more than once.");
    }

    private OrreryException nestedAggregate(ParserRuleContext place) {
        return error(
                place,
                "SC2101",
                "Cannot perform an aggregate function on an expression containing an aggregate or a"
                        + " subquery.");
    }

    private OrreryException error(ParserRuleContext place, String code, String message) {
        return error(place.getStart(), place.getStop(), code, message);
    }

    private OrreryException error(Token first, Token last, String code, String message) {
        return QueryError.at(
                QueryParser.start(text, first), QueryParser.end(text, last), code, message);
    }
}
