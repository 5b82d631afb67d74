package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Sort;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.FindAndModifyOptions;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.aggregation.Aggregation;
import org.springframework.data.mongodb.core.aggregation.AggregationOperation;
import org.springframework.data.mongodb.core.convert.DefaultDbRefResolver;
import org.springframework.data.mongodb.core.convert.MappingMongoConverter;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.index.CompoundIndex;
import org.springframework.data.mongodb.core.index.IndexInfo;
import org.springframework.data.mongodb.core.index.Indexed;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.core.mapping.Sharded;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.Query;
import org.springframework.data.mongodb.repository.support.MongoRepositoryFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Repositories and templates of the unmodified Spring Data MongoDB. */
@Tag("client")
@Timeout(300)
final class MongoSpringTest {
    private static final Comparator<Person> BY_NUMBER =
            Comparator.comparing(person -> person.number);

    private final SimpleMongoClientDatabaseFactory factory;
    private final MongoTemplate template;
    private final People people;

    MongoSpringTest(int throughput) {
        String database = "spring" + Documents.uniqueName();
        Document create =
                new Document("customAction", "CreateCollection")
                        .append("collection", "person")
                        .append("offerThroughput", throughput);
        if (throughput > Cosmos.ONE) {
            create.append("shardKey", "town");
        }
        Documents.client().getDatabase(database).runCommand(create);
        factory = new SimpleMongoClientDatabaseFactory(Documents.client(), database);
        template = template(factory);
        people = new MongoRepositoryFactory(template).getRepository(People.class);
    }

    /** A template that makes the indexes that the annotations of its entities ask for. */
    private static MongoTemplate template(SimpleMongoClientDatabaseFactory factory) {
        MongoCustomConversions conversions = new MongoCustomConversions(List.of());
        MongoMappingContext context = new MongoMappingContext();
        context.setSimpleTypeHolder(conversions.getSimpleTypeHolder());
        context.setAutoIndexCreation(true);
        context.afterPropertiesSet();
        MappingMongoConverter converter =
                new MappingMongoConverter(new DefaultDbRefResolver(factory), context);
        converter.setCustomConversions(conversions);
        converter.afterPropertiesSet();
        return new MongoTemplate(factory, converter);
    }

    /**
     * An entity whose collection is sharded by the town. The key never changes, so a save takes it
     * from the entity; otherwise it would look for it first, which a transaction cannot.
     */
    @org.springframework.data.mongodb.core.mapping.Document("person")
    @Sharded(shardKey = "town", immutableKey = true)
    @CompoundIndex(name = "registered", def = "{town: 1, number: 1}", unique = true)
    static final class Person {
        @Id String id = new ObjectId().toHexString();
        final String town;
        final int number;
        @Indexed int age;

        @Field("full_name")
        String name;

        List<String> tags = List.of();
        @Nullable Address address;

        @Indexed(expireAfter = "30d")
        Instant seen = Instant.now();

        @Version @Nullable Long version;

        Person(String town, int number, int age, String name) {
            this.town = town;
            this.number = number;
            this.age = age;
            this.name = name;
        }
    }

    record Address(String street, int house) {}

    /** Queries whose names say what they find. */
    interface People extends MongoRepository<Person, String> {
        List<Person> findByTownAndAgeGreaterThanOrderByAgeDesc(String town, int age);

        Page<Person> findByAgeBetween(int from, int to, Pageable page);

        Optional<Person> findFirstByNameStartingWithOrderByNumber(String start);

        List<Person> findByAddressStreetInAndTagsContaining(List<String> streets, String tag);

        Stream<Person> findByTownNotOrderByNumber(String town);

        @Query("{ age: { $mod: [?0, 0] }, tags: { $exists: true } }")
        List<Person> multiplesOf(int divisor);

        boolean existsByTownAndNumber(String town, int number);

        long countByTagsIsNot(String tag);

        long deleteByTown(String town);
    }

    private static Person numbered(int number) {
        Person person = new Person("t" + number % 3, number, 20 + number, "Person " + number);
        person.tags = number % 2 == 0 ? List.of("even", "all") : List.of("all");
        person.address = new Address(number < 5 ? "High Street" : "Low Street", number);
        return person;
    }

    private void saveThirty() {
        people.saveAll(IntStream.range(0, 30).mapToObj(MongoSpringTest::numbered).toList());
    }

    private static List<Integer> numbers(Stream<Person> people) {
        return people.map(person -> person.number).toList();
    }

    @OnOneAndFivePartitions
    void repositoriesDeriveQueriesFromNames() {
        saveThirty();
        assertThat(numbers(people.findByTownAndAgeGreaterThanOrderByAgeDesc("t1", 40).stream()))
                .containsExactly(28, 25, 22);
        Page<Person> page =
                people.findByAgeBetween(22, 40, PageRequest.of(1, 5, Sort.by("age").descending()));
        assertThat(numbers(page.stream())).containsExactly(14, 13, 12, 11, 10);
        assertThat(page.getTotalElements()).isEqualTo(17);
        assertThat(people.findFirstByNameStartingWithOrderByNumber("Person 2"))
                .hasValueSatisfying(person -> assertThat(person.number).isEqualTo(2));
        assertThat(
                        numbers(
                                people
                                        .findByAddressStreetInAndTagsContaining(
                                                List.of("High Street", "Side Street"), "even")
                                        .stream()
                                        .sorted(BY_NUMBER)))
                .containsExactly(0, 2, 4);
        try (Stream<Person> others = people.findByTownNotOrderByNumber("t0")) {
            assertThat(numbers(others)).startsWith(1, 2, 4, 5).hasSize(20);
        }
        assertThat(numbers(people.multiplesOf(10).stream().sorted(BY_NUMBER)))
                .containsExactly(0, 10, 20);
        assertThat(people.existsByTownAndNumber("t1", 4)).isTrue();
        assertThat(people.existsByTownAndNumber("t1", 5)).isFalse();
        assertThat(people.countByTagsIsNot("even")).isEqualTo(15);
        assertThat(people.deleteByTown("t2")).isEqualTo(10);
        assertThat(people.count()).isEqualTo(20);
        assertThat(people.findAll(PageRequest.of(3, 6, Sort.by("number"))).getTotalPages())
                .isEqualTo(4);
    }

    @OnOneAndFivePartitions
    void annotationsMakeIndexes() {
        List<IndexInfo> indexes = template.indexOps(Person.class).getIndexInfo();
        assertThat(indexes)
                .extracting(IndexInfo::getName)
                .containsExactlyInAnyOrder("_id_", "registered", "age", "seen");
        assertThat(indexes)
                .filteredOn(index -> index.getName().equals("registered"))
                .allMatch(IndexInfo::isUnique);
        assertThat(indexes)
                .filteredOn(index -> index.getName().equals("seen"))
                .allSatisfy(index -> assertThat(index.getExpireAfter()).isPresent());
        people.insert(numbered(1));
        assertThatExceptionOfType(DuplicateKeyException.class)
                .isThrownBy(() -> people.insert(numbered(1)));
    }

    @OnOneAndFivePartitions
    void entitiesHaveVersions() {
        Person saved = people.save(numbered(1));
        assertThat(saved.version).isZero();
        Person read = people.findById(saved.id).orElseThrow();
        assertThat(read.seen.toEpochMilli()).isEqualTo(saved.seen.toEpochMilli());
        assertThat(read.address).isEqualTo(saved.address);
        read.age = 50;
        assertThat(people.save(read).version).isEqualTo(1);
        saved.age = 60;
        assertThatExceptionOfType(OptimisticLockingFailureException.class)
                .isThrownBy(() -> people.save(saved));
        people.delete(read);
        assertThat(people.findById(read.id)).isEmpty();
    }

    @OnOneAndFivePartitions
    void templatesChangeWhatQueriesFind() {
        saveThirty();
        assertThat(
                        template.upsert(
                                        query(where("town").is("t9").and("number").is(99)),
                                        new Update().inc("age", 3).setOnInsert("full_name", "New"),
                                        Person.class)
                                .getUpsertedId())
                .isNotNull();
        Person found =
                template.findAndModify(
                        query(where("town").is("t9").and("number").is(99)),
                        new Update().inc("age", 4).push("tags").each("x", "y"),
                        FindAndModifyOptions.options().returnNew(true),
                        Person.class);
        assertThat(found)
                .isNotNull()
                .satisfies(
                        person -> {
                            assertThat(person.age).isEqualTo(7);
                            assertThat(person.tags).containsExactly("x", "y");
                            assertThat(person.name).isEqualTo("New");
                        });
        assertThat(
                        template.updateMulti(
                                        query(where("age").gte(40)),
                                        new Update().set("address.house", 1).unset("tags"),
                                        Person.class)
                                .getModifiedCount())
                .isEqualTo(10);
        assertThat(template.count(query(where("tags").exists(false)), Person.class)).isEqualTo(10);
        assertThat(
                        template.query(Person.class)
                                .distinct("town")
                                .matching(where("number").lt(10))
                                .as(String.class)
                                .all())
                .containsExactlyInAnyOrder("t0", "t1", "t2");
        assertThat(template.findAllAndRemove(query(where("town").is("t0")), Person.class))
                .hasSize(10);
        assertThat(template.remove(query(where("town").is("t1")), Person.class).getDeletedCount())
                .isEqualTo(10);
        assertThat(template.estimatedCount(Person.class)).isEqualTo(11);
        assertThat(template.exists(query(where("address.street").is("High Street")), Person.class))
                .isTrue();
    }

    private List<Document> aggregated(AggregationOperation... operations) {
        return template.aggregate(
                        Aggregation.newAggregation(Person.class, operations), Document.class)
                .getMappedResults();
    }

    @OnOneAndFivePartitions
    void templatesAggregate() {
        saveThirty();
        assertThat(
                        aggregated(
                                Aggregation.match(where("number").lt(12)),
                                Aggregation.group("town")
                                        .count()
                                        .as("people")
                                        .max("age")
                                        .as("oldest")
                                        .avg("age")
                                        .as("mean"),
                                Aggregation.sort(Sort.by("_id"))))
                .containsExactly(
                        Document.parse("{_id: 't0', people: 4, oldest: 29, mean: 24.5}"),
                        Document.parse("{_id: 't1', people: 4, oldest: 30, mean: 25.5}"),
                        Document.parse("{_id: 't2', people: 4, oldest: 31, mean: 26.5}"));
        assertThat(aggregated(Aggregation.unwind("tags"), Aggregation.sortByCount("tags")))
                .containsExactly(
                        Document.parse("{_id: 'all', count: 30}"),
                        Document.parse("{_id: 'even', count: 15}"));
        assertThat(
                        aggregated(
                                Aggregation.bucket("age")
                                        .withBoundaries(20, 30, 50)
                                        .andOutputCount()
                                        .as("count")))
                .containsExactly(
                        Document.parse("{_id: 20, count: 10}"),
                        Document.parse("{_id: 30, count: 20}"));
        assertThat(
                        aggregated(
                                Aggregation.lookup("person", "age", "number", "same"),
                                Aggregation.match(where("same").size(1)),
                                Aggregation.count().as("pairs")))
                .containsExactly(Document.parse("{pairs: 10}"));
        assertThat(
                        aggregated(
                                Aggregation.facet(
                                                Aggregation.match(where("tags").is("even")),
                                                Aggregation.count().as("n"))
                                        .as("even")
                                        .and(
                                                Aggregation.sort(Sort.by("number").descending()),
                                                Aggregation.limit(1),
                                                Aggregation.project("number").andExclude("_id"))
                                        .as("last")))
                .containsExactly(Document.parse("{even: [{n: 15}], last: [{number: 29}]}"));
        try (Stream<Document> all =
                template.aggregateStream(
                        Aggregation.newAggregation(
                                Person.class,
                                Aggregation.sort(Sort.by("number")),
                                Aggregation.project("number").andExclude("_id")),
                        Document.class)) {
            assertThat(all.map(row -> row.getInteger("number")))
                    .containsExactlyElementsOf(IntStream.range(0, 30).boxed().toList());
        }
    }

    @OnOneAndFivePartitions
    void transactionsAreMadeOrTakenBackAsAWhole() {
        people.insert(List.of(numbered(1), numbered(4)));
        TransactionTemplate transaction =
                new TransactionTemplate(new MongoTransactionManager(factory));
        transaction.executeWithoutResult(
                _ -> {
                    Person one = of("t1", 1).orElseThrow();
                    one.age = 90;
                    people.save(one);
                    people.insert(numbered(7));
                    template.updateMulti(
                            query(where("town").is("t1").and("number").gt(1)),
                            new Update().inc("age", 1),
                            Person.class);
                    assertThat(people.findByTownAndAgeGreaterThanOrderByAgeDesc("t1", 0))
                            .extracting(person -> person.age)
                            .containsExactly(90, 28, 25);
                });
        assertThat(people.findByTownAndAgeGreaterThanOrderByAgeDesc("t1", 0))
                .extracting(person -> person.age)
                .containsExactly(90, 28, 25);

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(
                        () ->
                                transaction.executeWithoutResult(
                                        _ -> {
                                            assertThat(people.deleteByTown("t1")).isEqualTo(3);
                                            throw new IllegalStateException("changed my mind");
                                        }));
        assertThatExceptionOfType(DuplicateKeyException.class)
                .isThrownBy(
                        () ->
                                transaction.executeWithoutResult(
                                        _ -> {
                                            people.insert(numbered(10));
                                            people.insert(numbered(1));
                                        }));
        transaction.executeWithoutResult(
                status -> {
                    people.insert(numbered(10));
                    status.setRollbackOnly();
                });
        assertThat(people.count()).isEqualTo(3);
    }

    private Optional<Person> of(String town, int number) {
        return Optional.ofNullable(
                template.findOne(
                        query(where("town").is(town).and("number").is(number)), Person.class));
    }
}
