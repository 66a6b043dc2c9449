// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.filter.Filters;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cursors, compared with a sorted map. */
class CursorTest {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final int KEYS = 300;

  private Database database;
  private KeyValueStore store;

  @BeforeEach
  void open() throws IOException {
    open(Policy.ADAPTIVE);
  }

  private void open(Policy policy) throws IOException {
    database =
        DatabaseEngine.open(
            new MemoryStorage(),
            DatabaseOptions.builder()
                .memoryBytes(2 << 20)
                .memStorePolicy(MemStorePolicy.of(policy).withActiveFraction(0.02))
                .build());
    store = database.keyValueStore("s");
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  @ParameterizedTest
  @EnumSource
  void movesAsASortedMapDoes(Policy policy) throws IOException {
    database.close();
    open(policy);
    for (int seed = 1; seed <= 4; seed++) {
      RandomGenerator random = new SplittableRandom(seed);
      TreeMap<byte[], byte[]> map = new TreeMap<>(Arrays::compareUnsigned);
      store.range(null, null).forEachRemaining(each -> map.put(each.key(), each.value()));
      byte[] from = random.nextBoolean() ? null : key(random.nextInt(KEYS / 2));
      byte[] to = random.nextBoolean() ? null : key(KEYS / 2 + random.nextInt(KEYS / 2));
      try (KeyValueCursor cursor = store.cursor(from, to)) {
        TreeMap<byte[], byte[]> seen = new TreeMap<>(map);
        byte[] at = null;
        for (int i = 0; i < 1500; i++) {
          if (random.nextInt(30) == 0) {
            change(map, random);
          }
          if (random.nextInt(60) == 0) {
            seen = new TreeMap<>(map);
            at = at == null ? null : within(seen, from, to).ceilingKey(at);
            check(cursor, cursor.refresh(), at, seen);
          } else {
            at = move(cursor, random, at, within(seen, from, to));
          }
        }
      }
    }
  }

  private static TreeMap<byte[], byte[]> within(
      TreeMap<byte[], byte[]> map, byte @Nullable [] from, byte @Nullable [] to) {
    TreeMap<byte[], byte[]> within = new TreeMap<>(map);
    if (from != null) {
      within.headMap(from).clear();
    }
    if (to != null) {
      within.tailMap(to).clear();
    }
    return within;
  }

  /** Moves somewhere; returns where the cursor must stand then. */
  private static byte @Nullable [] move(
      KeyValueCursor cursor,
      RandomGenerator random,
      byte @Nullable [] at,
      TreeMap<byte[], byte[]> map)
      throws IOException {
    byte[] key = key(random.nextInt(-5, KEYS + 5));
    boolean stands;
    byte[] expected;
    int choice = random.nextInt(at == null ? 4 : 20);
    switch (choice) {
      case 0 -> {
        stands = cursor.first();
        expected = map.isEmpty() ? null : map.firstKey();
      }
      case 1 -> {
        stands = cursor.last();
        expected = map.isEmpty() ? null : map.lastKey();
      }
      case 2 -> {
        stands = cursor.seek(key);
        expected = map.ceilingKey(key);
      }
      case 3 -> {
        stands = cursor.seekBackward(key);
        expected = map.floorKey(key);
      }
      default -> {
        stands = choice < 12 ? cursor.next() : cursor.previous();
        expected = choice < 12 ? map.higherKey(at) : map.lowerKey(at);
      }
    }
    check(cursor, stands, expected, map);
    return expected;
  }

  private static void check(
      KeyValueCursor cursor, boolean stands, byte @Nullable [] key, Map<byte[], byte[]> map) {
    assertThat(stands).isEqualTo(key != null);
    assertThat(cursor.isValid()).isEqualTo(stands);
    if (key != null) {
      assertThat(cursor.keyBytes()).isEqualTo(key);
      assertThat(cursor.key()).isEqualTo(ByteBuffer.wrap(key));
      assertThat(cursor.key().isReadOnly()).isTrue();
      byte[] value = map.get(key);
      assertThat(cursor.valueBytes()).isEqualTo(value);
      assertThat(cursor.value()).isEqualTo(ByteBuffer.wrap(value));
      assertThat(cursor.value().isReadOnly()).isTrue();
      ByteBuffer small = ByteBuffer.allocate(3);
      assertThat(cursor.copyValue(small)).isEqualTo(value.length);
      assertThat(small.flip()).isEqualTo(ByteBuffer.wrap(value, 0, Math.min(3, value.length)));
    }
  }

  private void change(TreeMap<byte[], byte[]> map, RandomGenerator random) throws IOException {
    switch (random.nextInt(12)) {
      case 0 -> database.flush();
      case 1 -> database.majorCompact("s");
      case 2 -> database.compact("s");
      case 3, 4 -> database.flushInMemory("s");
      case 5 -> database.splitRegion("s", key(random.nextInt(KEYS)));
      case 6 -> database.mergeRegions("s", key(random.nextInt(KEYS)));
      default -> {
        for (int i = 0; i < 30; i++) {
          byte[] key = key(random.nextInt(KEYS));
          if (random.nextInt(3) == 0) {
            store.delete(key);
            map.remove(key);
          } else {
            byte[] value = new byte[random.nextInt(200)];
            random.nextBytes(value);
            store.put(key, value);
            map.put(key, value);
          }
        }
      }
    }
  }

  @Test
  void showsRowsAsAScanFindsThem() throws IOException {
    database.createTable(TableDescriptor.of("t", "f", "g"), bytes("k"));
    Table table = database.table("t");
    for (String row : "a b c k l m z".split(" ")) {
      table.put(
          new Put(bytes(row)).addColumn(F, Q, bytes(row)).addColumn(bytes("g"), Q, bytes("x")));
    }
    Scan scan =
        new Scan()
            .addFamily(F)
            .setStartRow(bytes("b"))
            .setFilter(Filters.not(Filters.value(CompareOperator.EQUAL, bytes("l"))));
    try (RowCursor cursor = table.cursor(scan)) {
      assertThat(cursor.last()).isTrue();
      assertThat(cursor.result().row()).isEqualTo(bytes("z"));
      assertThat(cursor.result().cells()).hasSize(1);
      assertThat(cursor.seekBackward(bytes("l"))).isTrue();
      assertThat(cursor.keyBytes()).isEqualTo(bytes("k"));
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.keyBytes()).isEqualTo(bytes("m"));
      assertThat(cursor.first()).isTrue();
      assertThat(cursor.result().value(F, Q)).isEqualTo(bytes("b"));
      assertThat(cursor.previous()).isFalse();
      assertThat(cursor.isValid()).isFalse();
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.cursor(new Scan().setLimit(1)))
        .withMessageContaining("limit");
  }

  @Test
  void aScanMayBeUsedAgainWhileAScannerOfItIsOpen() throws IOException {
    byte[] g = bytes("g");
    database.createTable(TableDescriptor.of("t", "f", "g"), bytes("k"));
    Table table = database.table("t");
    for (String row : "a k l z".split(" ")) {
      table.put(new Put(bytes(row)).addColumn(F, Q, bytes(row)).addColumn(g, Q, bytes("x")));
    }
    byte[] stop = bytes("m");
    byte[] qualifier = Q.clone();
    Scan scan = new Scan().addColumn(F, qualifier).setStopRow(stop);
    try (ResultScanner scanner = table.scan(scan);
        RowCursor cursor = table.cursor(scan)) {
      assertThat(scanner.next().row()).isEqualTo(bytes("a"));
      stop[0] = 'z' + 1;
      qualifier[0]++;
      scan.addFamily(g).setStartRow(bytes("l")).setTimeRange(0, 1);
      for (String row : "k l".split(" ")) {
        Result result = scanner.next();
        assertThat(result.row()).isEqualTo(bytes(row));
        assertThat(result.cells()).hasSize(1);
      }
      assertThat(scanner.next()).isNull();
      cursor.refresh();
      assertThat(cursor.last()).isTrue();
      assertThat(cursor.keyBytes()).isEqualTo(bytes("l"));
      assertThat(cursor.result().value(F, Q)).isEqualTo(bytes("l"));
    }
  }

  @Test
  void aScannerAndItsIteratorsReturnEachRowOnce() throws IOException {
    for (String row : "a b c d e".split(" ")) {
      store.put(bytes(row), F);
    }
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = database.table("s").scan(new Scan())) {
      assertThat(scanner.iterator().hasNext()).isTrue();
      rows.add(new String(scanner.next().row(), US_ASCII));
      Iterator<Result> iterator = scanner.iterator();
      assertThat(iterator.hasNext()).isTrue();
      assertThat(iterator.hasNext()).isTrue();
      scanner.next(2).forEach(result -> rows.add(new String(result.row(), US_ASCII)));
      assertThat(iterator.next().row()).isEqualTo(bytes("d"));
      scanner.forEach(result -> rows.add(new String(result.row(), US_ASCII)));
      assertThat(iterator).isExhausted();
      assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    }
    assertThat(rows).containsExactly("a", "b", "c", "e");
  }

  @Test
  void aCursorOfASnapshotStaysAtItsMoment() throws IOException {
    store.put(F, F);
    try (Snapshot snapshot = database.snapshot();
        KeyValueCursor cursor = store.at(snapshot).cursor()) {
      store.put(F, Q);
      assertThat(cursor.first()).isTrue();
      assertThat(cursor.refresh()).isTrue();
      assertThat(cursor.valueBytes()).isEqualTo(F);
    }
  }

  @Test
  void aCursorOfASnapshotThatWasClosedIsRefreshed() throws IOException {
    store.put(F, F);
    Snapshot snapshot = database.snapshot();
    try (KeyValueCursor cursor = store.at(snapshot).cursor();
        RowCursor rows = database.table("s").cursor(new Scan().setSnapshot(snapshot))) {
      assertThat(cursor.first()).isTrue();
      assertThat(rows.first()).isTrue();
      snapshot.close();
      for (int i = 0; i < 3; i++) {
        store.put(F, Q);
        database.flush();
        database.majorCompact("s");
        assertThat(cursor.refresh()).isTrue();
        assertThat(cursor.valueBytes()).isEqualTo(F);
        assertThat(rows.refresh()).isTrue();
        assertThat(rows.result().cells().get(0).value()).isEqualTo(F);
      }
    }
    assertThat(database.statistics().readers().readPoints()).isZero();
  }

  @Test
  void aCursorInATransactionSeesItsWrites() throws IOException {
    for (String key : "a c e".split(" ")) {
      store.put(bytes(key), bytes(key));
    }
    try (Transaction transaction = database.beginTransaction()) {
      KeyValueStore own = transaction.keyValueStore("s");
      own.put(bytes("b"), bytes("2"));
      own.put(bytes("e"), bytes("5"));
      own.delete(bytes("c"));
      store.put(bytes("d"), bytes("later"));
      try (KeyValueCursor cursor = own.cursor()) {
        StringBuilder up = new StringBuilder();
        for (boolean stands = cursor.first(); stands; stands = cursor.next()) {
          up.append(new String(cursor.keyBytes(), US_ASCII));
        }
        StringBuilder down = new StringBuilder();
        for (boolean stands = cursor.last(); stands; stands = cursor.previous()) {
          down.append(new String(cursor.valueBytes(), US_ASCII));
        }
        assertThat(up).hasToString("abe");
        assertThat(down).hasToString("52a");
        own.put(bytes("f"), bytes("6"));
        assertThat(cursor.seek(bytes("f"))).isFalse();
        cursor.refresh();
        assertThat(cursor.seek(bytes("f"))).isTrue();
      }
    }
  }

  @Test
  void whatACursorMayHaveSeenIsValidated() throws IOException {
    store.put(bytes("a"), F);
    store.put(bytes("m"), F);
    for (String other : "b z".split(" ")) {
      Transaction transaction = database.beginTransaction(Isolation.SERIALIZABLE);
      KeyValueStore own = transaction.keyValueStore("s");
      try (KeyValueCursor cursor = own.cursor(null, bytes("n"))) {
        cursor.last();
        cursor.previous();
      }
      own.put(bytes("y"), F);
      store.put(bytes(other), F);
      if (other.equals("b")) {
        assertThatThrownBy(transaction::commit).isInstanceOf(TransactionConflictException.class);
      } else {
        transaction.commit();
      }
    }
  }

  @Test
  void whatStandsNowhereOrIsClosedSaysSo() throws IOException {
    store.put(F, F);
    KeyValueCursor cursor = store.cursor();
    assertThat(cursor.isValid()).isFalse();
    assertThatThrownBy(cursor::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is on no key");
    assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cursor.seek(null)).isInstanceOf(NullPointerException.class);
    assertThat(cursor.seek(new byte[40_000])).isTrue();
    assertThat(cursor.seekBackward(new byte[0])).isFalse();
    assertThat(cursor.seekBackward(new byte[40_000])).isFalse();
    cursor.close();
    cursor.close();
    assertThatThrownBy(cursor::isValid)
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("table s");
    assertThatThrownBy(cursor::refresh).isInstanceOf(ClosedException.class);
    KeyValueCursor open = store.cursor();
    database.close();
    assertThatThrownBy(open::first).isInstanceOf(DatabaseClosedException.class);
    open.close();
  }

  private static byte[] key(int number) {
    return bytes(String.format("key%04d", number));
  }
}
