// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * One operation of a model run. The number is the seed of every choice that the operation makes, so
 * an operation means the same wherever it stands in a sequence, and a sequence that fails can be
 * shortened by leaving operations out.
 */
record Operation(Kind kind, int number) {
  /** What an operation does, and how often it is chosen. */
  enum Kind {
    PUT(30),
    PUT_AT(10),
    DELETE_ROW(2),
    DELETE_FAMILY(2),
    DELETE_COLUMNS(4),
    DELETE_VERSION(3),
    DELETE_NEWEST(2),
    DELETE_FAMILY_VERSION(1),
    DELETE_RANGE(1),
    DELETE_ROWS(1),
    BATCH(6),
    BATCH_ASYNC(3),
    TRANSACTION(4),
    CHECK_AND_MUTATE(3),
    KEY_VALUE(3),
    INCREMENT(2),
    APPEND(2),
    INGEST(2),
    GET(14),
    MULTI_GET(2),
    SCAN(8),
    SNAPSHOT(2),
    SNAPSHOT_READ(4),
    SNAPSHOT_CLOSE(2),
    CURSOR(8),
    TICK(6),
    TRUNCATE(1),
    ALTER(1),
    COPY(2),
    FLUSH_IN_MEMORY(3),
    LULL(2),
    FLUSH(3),
    COMPACT(2),
    MAJOR(1),
    SPLIT(1),
    MERGE(1),
    RECONFIGURE(1),
    CHECKPOINT(1),
    REOPEN(1),
    KILL(1),
    READ_ONLY(1),
    REFRESH(3),
    ROLL_FORWARD(2),
    FAULT(2),
    FEED(3);

    private static final List<Kind> BY_WEIGHT = byWeight();

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    private static List<Kind> byWeight() {
      List<Kind> kinds = new ArrayList<>();
      for (Kind kind : values()) {
        kinds.addAll(Collections.nCopies(kind.weight, kind));
      }
      return List.copyOf(kinds);
    }
  }

  /** Returns a random sequence, which follows from its seed. */
  static List<Operation> sequence(long seed, int operationsMax) {
    RandomGenerator random = new SplittableRandom(seed);
    int count = 1 + random.nextInt(operationsMax);
    List<Operation> operations = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Kind kind = Kind.BY_WEIGHT.get(random.nextInt(Kind.BY_WEIGHT.size()));
      operations.add(new Operation(kind, random.nextInt()));
    }
    return operations;
  }

  @Override
  public String toString() {
    return kind + "#" + number;
  }
}
