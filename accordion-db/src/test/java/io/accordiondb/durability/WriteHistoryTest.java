// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Durability;
import io.accordiondb.durability.WriteHistory.Contents;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the model of a crash takes for possible behind writes that have failed. */
class WriteHistoryTest {
  private static final String COLUMN = "r0/f:a";

  private final WriteHistory history = new WriteHistory();

  @BeforeEach
  void createTables() {
    for (String table : Set.of("t0", "t1")) {
      history.beginCatalog(history.catalog().with(table, history.numbered(Set.of("f"))));
      history.acknowledgeCatalog();
    }
  }

  private void begin(Durability durability, String table, long value) {
    history.begin(durability);
    history.add(history.columnOf(history.catalog(), table, COLUMN), value);
  }

  private void write(Durability durability, String table, long value) {
    begin(durability, table, value);
    history.acknowledgeWrite();
  }

  private static Contents contents(Map<String, Long> values) {
    Map<String, List<Long>> numbers = new TreeMap<>();
    values.forEach((table, value) -> numbers.put(table, List.of(value)));
    return contentsOf(numbers);
  }

  private static Contents contentsOf(Map<String, List<Long>> numbers) {
    Map<String, Map<String, List<Long>>> byTable = new TreeMap<>();
    numbers.forEach((table, value) -> byTable.put(table, Map.of(COLUMN, value)));
    return new Contents(Map.of("t0", Set.of("f"), "t1", Set.of("f")), byTable);
  }

  private void check(Map<String, Long> values) {
    history.check(
        contents(values), history.progress(), true, history.started(), history.catalogsStarted());
  }

  private void append(Durability durability, long operand) {
    history.begin(durability);
    history.addOperand(history.columnOf(history.catalog(), "t0", COLUMN), operand);
    history.acknowledgeWrite();
  }

  private boolean isPossible(Long... value) {
    Map<String, List<Long>> values = value.length == 0 ? Map.of() : Map.of("t0", List.of(value));
    try {
      history.check(
          contentsOf(values),
          history.progress(),
          true,
          history.started(),
          history.catalogsStarted());
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }

  @Test
  void eachOperandIsThereOnceAndInOrder() {
    write(Durability.FSYNC, "t0", 1);
    append(Durability.FSYNC, 2);
    append(Durability.SKIP, 3);
    append(Durability.ASYNC, 4);
    append(Durability.ASYNC, 5);
    assertThat(isPossible(1L, 2L)).isTrue();
    assertThat(isPossible(1L, 2L, 3L)).isTrue();
    assertThat(isPossible(1L, 2L, 4L, 5L)).isTrue();
    assertThat(isPossible(1L, 2L, 3L, 4L, 5L)).isTrue();
    assertThat(isPossible()).isFalse();
    assertThat(isPossible(1L)).isFalse();
    assertThat(isPossible(2L)).isFalse();
    assertThat(isPossible(1L, 2L, 2L)).isFalse();
    assertThat(isPossible(1L, 2L, 5L)).isFalse();
    assertThat(isPossible(1L, 2L, 4L, 3L)).isFalse();
  }

  @Test
  void whatReplacesAValueTakesItsOperandsAlong() {
    append(Durability.FSYNC, 1);
    history.begin(Durability.ASYNC);
    history.add(history.columnOf(history.catalog(), "t0", COLUMN), null);
    history.addOperand(history.columnOf(history.catalog(), "t0", COLUMN), 2);
    history.acknowledgeWrite();
    append(Durability.ASYNC, 3);
    assertThat(isPossible(1L)).isTrue();
    assertThat(isPossible(2L)).isTrue();
    assertThat(isPossible(2L, 3L)).isTrue();
    assertThat(isPossible(3L)).isFalse();
    assertThat(isPossible(1L, 2L)).isFalse();
    assertThat(isPossible(1L, 3L)).isFalse();
    assertThat(isPossible()).isFalse();
  }

  private void assertPossible(Map<String, Long> values) {
    assertThatCode(() -> check(values)).doesNotThrowAnyException();
  }

  private void assertImpossible(Map<String, Long> values) {
    assertThatThrownBy(() -> check(values)).isInstanceOf(AssertionError.class);
  }

  /** Checks that of the values 1 and 2 of a column, the second one stays away. */
  private void assertGoneBehindAFlushAndAWrite() {
    history.acknowledgeFlush("t0");
    assertPossible(Map.of("t0", 1L));
    write(Durability.FSYNC, "t1", 3);
    assertPossible(Map.of("t0", 1L, "t1", 3L));
    assertImpossible(Map.of("t0", 2L, "t1", 3L));
  }

  @Test
  void aFlushDoesNotBringASuspendedWriteBack() {
    write(Durability.FSYNC, "t0", 1);
    begin(Durability.FSYNC, "t0", 2);
    history.suspendWrite(history.started());
    assertPossible(Map.of("t0", 1L));
    assertPossible(Map.of("t0", 2L));
    assertGoneBehindAFlushAndAWrite();
  }

  @Test
  void aFlushMakesNoWriteDurableThatHasFailed() {
    write(Durability.FSYNC, "t0", 1);
    begin(Durability.FSYNC, "t0", 2);
    history.acknowledgeFlush("t0");
    assertPossible(Map.of("t0", 1L));
    assertPossible(Map.of("t0", 2L));
  }

  @Test
  void aFlushMakesNoWriteDurableThatPrecedesASuspendedOneAlone() {
    write(Durability.ASYNC, "t0", 1);
    begin(Durability.ASYNC, "t1", 2);
    history.suspendWrite(history.started());
    history.acknowledgeFlush("t1");
    assertPossible(Map.of());
    assertPossible(Map.of("t0", 1L));
  }

  @Test
  void aFlushMakesWritesBeforeASuspendedOneDurable() {
    write(Durability.ASYNC, "t0", 1);
    write(Durability.SKIP, "t1", 2);
    begin(Durability.ASYNC, "t1", 3);
    history.suspendWrite(history.started());
    history.acknowledgeFlush("t1");
    assertPossible(Map.of("t0", 1L, "t1", 2L));
    assertImpossible(Map.of("t1", 2L));
    assertImpossible(Map.of("t0", 1L));
  }

  @Test
  void aRefusedWriteIsNeverThere() {
    write(Durability.FSYNC, "t0", 1);
    begin(Durability.FSYNC, "t0", 2);
    history.refuseWrite(history.started());
    assertPossible(Map.of("t0", 1L));
    assertImpossible(Map.of("t0", 2L));
    assertGoneBehindAFlushAndAWrite();
  }

  /** The database must not acknowledge a write behind it and then lose the one before. */
  @Test
  void behindAWriteThatFailedInAnotherWayNoneIsAcknowledged() {
    write(Durability.FSYNC, "t0", 1);
    begin(Durability.FSYNC, "t0", 2);
    write(Durability.FSYNC, "t1", 3);
    assertImpossible(Map.of("t0", 1L, "t1", 3L));
  }
}
