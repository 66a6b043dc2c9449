// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.merge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Merge;
import io.accordiondb.MergeOperator;
import io.accordiondb.MergeOperatorException;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.fixtures.Undeclared;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operators that throw or are missing name what is wrong and leave data as it was. */
class FailingOperatorTest {
  private static final byte[] A = "a".getBytes(UTF_8);
  private static final byte[] B = "b".getBytes(UTF_8);
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] PLAIN = "plain".getBytes(UTF_8);

  @TempDir private Path folder;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicBoolean lacksMemory = new AtomicBoolean();

  private final MergeOperator operator =
      MergeOperator.associative(
          "join",
          (older, newer) -> {
            if (failure.get() != null) {
              throw Undeclared.thrown(failure.get());
            }
            if (lacksMemory.get()) {
              throw new OutOfMemoryError("on purpose");
            }
            return (new String(older, UTF_8) + new String(newer, UTF_8)).getBytes(UTF_8);
          });

  private DatabaseOptions with() {
    return DatabaseOptions.builder().mergeOperator(operator).build();
  }

  private static KeyValueStore store(Database database) throws IOException {
    return database.keyValueStore(
        "s", FamilyDescriptor.builder(KeyValueStore.FAMILY).mergeOperator("join").build());
  }

  private void write() throws IOException {
    try (Database database = Database.open(folder, with())) {
      KeyValueStore store = store(database);
      store.put(PLAIN, A);
      store.merge(KEY, A);
      store.writeBatch().merge(KEY, B).merge(KEY, A).commit();
      assertThat(store.get(KEY)).isEqualTo("aba".getBytes(UTF_8));
    }
  }

  @Test
  void anOperatorThatIsMissingIsNamedAndNothingIsLost() throws IOException {
    write();
    try (Database database = Database.open(folder)) {
      KeyValueStore store = database.keyValueStore("s");
      assertThat(store.get(PLAIN)).isEqualTo(A);
      assertThatThrownBy(() -> store.get(KEY))
          .isInstanceOf(MergeOperatorException.class)
          .hasMessageContainingAll("join", "family v", "key");
      store.merge(KEY, B);
      store.put(PLAIN, B);
      database.flush();
      database.majorCompact("s");
      assertThat(store.get(PLAIN)).isEqualTo(B);
      assertThatThrownBy(() -> store.get(KEY)).isInstanceOf(MergeOperatorException.class);
    }
    try (Database database = Database.open(folder, with())) {
      assertThat(store(database).get(KEY)).isEqualTo("abab".getBytes(UTF_8));
    }
  }

  static List<Throwable> whatOperatorsThrow() {
    return List.of(
        new IllegalStateException("no luck"),
        new TimeoutException("no luck"),
        new IOException("no luck"),
        new Error("no luck"));
  }

  @ParameterizedTest
  @MethodSource("whatOperatorsThrow")
  void anOperatorThatThrowsFailsReadsAndKeepsOperands(Throwable thrown) throws IOException {
    write();
    try (Database database = Database.open(folder, with())) {
      KeyValueStore store = store(database);
      failure.set(thrown);
      store.merge(KEY, B);
      assertThatThrownBy(() -> store.get(KEY))
          .isInstanceOf(MergeOperatorException.class)
          .hasMessageContainingAll("join", "key", "no luck")
          .hasCause(thrown);
      database.flushInMemory("s");
      database.flush();
      database.majorCompact("s");
      assertThat(database.statistics().writes().mergeFailures()).isPositive();
      assertThat(store.get(PLAIN)).isEqualTo(A);
      failure.set(null);
      assertThat(store.get(KEY)).isEqualTo("abab".getBytes(UTF_8));
      database.majorCompact("s");
      assertThat(store.get(KEY)).isEqualTo("abab".getBytes(UTF_8));
    }
  }

  /** As after an operand from which it takes the length of an array. */
  @Test
  void anOperatorThatRunsOutOfMemoryKeepsOperands() throws IOException {
    write();
    try (Database database = Database.open(folder, with())) {
      KeyValueStore store = store(database);
      lacksMemory.set(true);
      store.merge(KEY, B);
      assertThatThrownBy(() -> store.get(KEY)).isInstanceOf(OutOfMemoryError.class);
      database.flush();
      database.majorCompact("s");
      lacksMemory.set(false);
      assertThat(store.get(KEY)).isEqualTo("abab".getBytes(UTF_8));
    }
  }

  @Test
  void whatDoesNotFitAnOperatorIsRefused() throws IOException {
    try (Database database = Database.open(folder, with())) {
      database.createTable(
          TableDescriptor.builder("t")
              .family(FamilyDescriptor.of("p"))
              .family(FamilyDescriptor.builder("m").mergeOperator("join").build())
              .build());
      Table table = database.table("t");
      byte[] plain = "p".getBytes(UTF_8);
      byte[] merging = "m".getBytes(UTF_8);
      assertThatThrownBy(() -> table.merge(new Merge(KEY).addColumn(plain, A, B)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("family p has no merge operator");
      assertThatThrownBy(() -> table.merge(new Merge(KEY)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no column");
      assertThatThrownBy(() -> table.delete(new Delete(KEY).addColumn(merging, A)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("family m");
      assertThatThrownBy(() -> table.delete(new Delete(KEY, 5)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(
              () ->
                  database.createTable(
                      TableDescriptor.builder("u")
                          .family(FamilyDescriptor.builder("m").mergeOperator("unknown").build())
                          .build()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("family m", "unknown", "counter");
      TableDescriptor now = database.describe("t");
      assertThatThrownBy(
              () ->
                  database.alterTable(
                      now.toBuilder()
                          .family(FamilyDescriptor.builder("m").mergeOperator("max").build())
                          .build()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("family m", "join", "max");
      assertThat(database.describe("t")).isEqualTo(now);
      table.put(new Put(KEY).addColumn(merging, A, B));
      table.increment(KEY, merging, B, 3);
    }
    assertThatThrownBy(
            () ->
                FamilyDescriptor.builder("m")
                    .mergeOperator("max")
                    .versionRules(
                        new VersionRules(
                            2, 0, VersionRules.FOREVER, VersionRules.DEFAULT.keepDeleted()))
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("max");
    assertThatThrownBy(() -> FamilyDescriptor.builder("m").mergeOperator(" "))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
