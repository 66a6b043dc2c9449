// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.fixtures.TestData.text;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Scans, whatever allocation has failed in a scan before. Runs among {@link AllocatingClasses}. */
final class ScansRun {
  private static final int ROWS = 90;

  /** Rows that are written last, and stay in memory, are multiples of it. */
  private static final int IN_MEMORY = 3;

  private static final int DELETED = 7;

  /** The values of most rows are shorter than what a cursor has room for at first. */
  private static final int LONG_VALUE = 20;

  /** More cursors than one thread finds in a pool. */
  private static final int CURSORS_POOLED = 17;

  /** One in which an allocation may fail, and those that use its cursors again. */
  private static final int SCANS = 3;

  private static @Nullable KeyValueStore store;

  private ScansRun() {}

  /** Scans in both directions several times, and checks what the scans have found. */
  static void scanAgain(long unused) throws IOException {
    KeyValueStore rows = rows();
    List<KeyValueIterator> taken = new ArrayList<>();
    try {
      for (int i = 0; i < CURSORS_POOLED; i++) {
        take(rows, taken);
      }
      for (boolean reverse : new boolean[] {false, true}) {
        int failed = 0;
        for (int i = 0; i < SCANS; i++) {
          failed += scan(rows, reverse) ? 0 : 1;
        }
        if (failed > 1) {
          throw new AssertionError("an allocation failed once, " + failed + " scans did");
        }
      }
    } finally {
      taken.forEach(KeyValueIterator::close);
    }
  }

  /** Keeps a cursor that an earlier run has used, so that a scan must make what it needs. */
  private static void take(KeyValueStore rows, List<KeyValueIterator> taken) throws IOException {
    try {
      KeyValueIterator first = rows.range(key(4), key(5));
      taken.add(first);
      first.next();
    } catch (OutOfMemoryError e) {
      // The fault has been; the scans must find all rows.
    }
  }

  /** Returns whether no allocation failed. */
  private static boolean scan(KeyValueStore rows, boolean reverse) throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      if (i % DELETED != 1) {
        expected.add(text(key(i)) + text(value(i)));
      }
    }
    if (reverse) {
      Collections.reverse(expected);
    }
    List<String> found = new ArrayList<>();
    try (KeyValueIterator scan = reverse ? rows.reverseRange(null, null) : rows.range(null, null)) {
      while (found.size() <= ROWS && scan.hasNext()) {
        KeyValue row = scan.next();
        found.add(text(row.key()) + text(row.value()));
      }
    } catch (OutOfMemoryError e) {
      return false;
    }
    if (!found.equals(expected)) {
      throw new AssertionError("expected " + expected + ", found " + found);
    }
    return true;
  }

  private static KeyValueStore rows() throws IOException {
    KeyValueStore made = store;
    if (made == null) {
      Database database =
          Database.inMemory(DatabaseOptions.builder().compactWhenIdle(false).build());
      made = database.keyValueStore("s");
      for (int i = 0; i < ROWS; i++) {
        if (i % IN_MEMORY != 0) {
          made.put(key(i), value(i));
        }
      }
      database.flush();
      for (int i = 0; i < ROWS; i += IN_MEMORY) {
        made.put(key(i), value(i));
      }
      for (int i = 1; i < ROWS; i += DELETED) {
        made.delete(key(i));
      }
      store = made;
    }
    return made;
  }

  private static byte[] key(int row) {
    return bytes("key" + (1000 + row));
  }

  private static byte[] value(int row) {
    return bytes(("v" + row).repeat(row % LONG_VALUE == 2 ? 200 : 1));
  }
}
