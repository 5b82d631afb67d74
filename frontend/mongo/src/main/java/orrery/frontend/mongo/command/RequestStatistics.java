package orrery.frontend.mongo.command;

/** The cost of a command, for {@code getLastRequestStatistics}. */
record RequestStatistics(String command, double charge, double millis) {}
