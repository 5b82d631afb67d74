package orrery.server.client.sample;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import orrery.document.Value;

/** Food items in a dozen groups, of which the first holds more than half of all items. */
final class Food {
    private static final long SEED = 18_000;
    private static final int FIRST_ID = 10_001;

    /**
     * A group of foods.
     *
     * @param count of its items
     * @param kcal of 100 grams, about
     */
    private record Group(String name, int count, int kcal, List<String> foods) {}

    private static final List<Group> GROUPS =
            List.of(
                    new Group(
                            "Beef Products",
                            800,
                            240,
                            List.of("chuck", "brisket", "rib", "round", "shank", "sirloin")),
                    new Group(
                            "Vegetables and Vegetable Products",
                            150,
                            45,
                            List.of("carrot", "beet", "kale", "leek", "potato", "squash")),
                    new Group(
                            "Baked Products",
                            120,
                            330,
                            List.of("rye bread", "roll", "bagel", "muffin", "cracker")),
                    new Group(
                            "Soups, Sauces, and Gravies",
                            130,
                            90,
                            List.of("lentil soup", "tomato sauce", "broth", "gravy", "pesto")),
                    new Group(
                            "Sausages and Luncheon Meats",
                            80,
                            290,
                            List.of("salami", "bratwurst", "ham", "mortadella", "pastrami")),
                    new Group(
                            "Fruits and Fruit Juices",
                            60,
                            60,
                            List.of("apple", "pear", "plum", "quince", "orange juice")),
                    new Group(
                            "Dairy and Egg Products",
                            50,
                            160,
                            List.of("milk", "yogurt", "cheese", "butter", "egg")),
                    new Group("Poultry Products", 40, 190, List.of("chicken", "turkey", "duck")),
                    new Group(
                            "Legumes and Legume Products",
                            30,
                            130,
                            List.of("lentils", "chickpeas", "beans")),
                    new Group("Nut and Seed Products", 20, 590, List.of("almond", "walnut")),
                    new Group("Spices and Herbs", 12, 280, List.of("thyme", "pepper", "sage")),
                    new Group("Beverages", 8, 40, List.of("tea", "coffee", "cider")));

    private static final List<String> STATES =
            List.of("raw", "boiled", "roasted", "frozen", "dried", "canned", "smoked", "grilled");

    private static final List<String> SERVINGS = List.of("slice", "cup", "piece", "spoon", "bowl");

    private Food() {}

    static Stream<Value.Obj> items() {
        Random random = new Random(SEED);
        int[] number = {FIRST_ID};
        return GROUPS.stream()
                .flatMap(
                        group ->
                                Stream.generate(() -> item(random, group, number[0]++))
                                        .limit(group.count()));
    }

    private static Value.Obj item(Random random, Group group, int number) {
        String food = Items.pick(random, group.foods());
        String state = Items.pick(random, STATES);
        int kcal = group.kcal() * (70 + random.nextInt(61)) / 100;
        return new Items()
                .put("id", Integer.toString(number))
                .put("foodGroup", group.name())
                .put("description", food + ", " + state + ", no. " + (1 + random.nextInt(40)))
                .put("kcal", kcal)
                .put("protein", Items.tenths(random.nextInt(300)))
                .put("fat", Items.tenths(random.nextInt(400)))
                .put("carbohydrates", Items.tenths(random.nextInt(700)))
                .put(
                        "serving",
                        new Items()
                                .put("unit", Items.pick(random, SERVINGS))
                                .put("grams", 10 + 5 * random.nextInt(40))
                                .build())
                .put(
                        "tags",
                        new Value.Array(List.of(Value.of(state), Value.of(food.split(" ", 2)[0]))))
                .build();
    }
}
