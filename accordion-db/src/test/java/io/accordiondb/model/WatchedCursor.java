// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.HistoryLostException;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.RowCursor;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A cursor that stays open while tables are written, changed and emptied. It shows the rows of the
 * moment at which it was opened or refreshed, or fails because they are lost.
 *
 * <p>It reads the family whose cells do not expire.
 */
final class WatchedCursor implements AutoCloseable {
  private static final int MOVES_MAX = 6;

  private final Database database;
  private final ConflictTables tables;
  private final ConflictChanges changes;
  private final SplittableRandom random;
  private final boolean ofSnapshot;
  private final RowCursor cursor;
  private TreeSet<String> rows;
  private @Nullable String at;

  /** How many writes there were at the moment that it shows. */
  private int begun;

  WatchedCursor(
      Database database, ConflictTables tables, ConflictChanges changes, SplittableRandom random)
      throws IOException {
    this.database = database;
    this.tables = tables;
    this.changes = changes;
    this.random = random;
    ofSnapshot = random.nextBoolean();
    begun = changes.writes();
    rows = present();
    if (ofSnapshot) {
      try (Snapshot snapshot = database.snapshot()) {
        cursor = database.table(ConflictTables.TABLE).cursor(scan().setSnapshot(snapshot));
      }
    } else {
      cursor = database.table(ConflictTables.TABLE).cursor(scan());
    }
  }

  private static Scan scan() {
    return new Scan().addFamily(bytes(ConflictTables.LASTING));
  }

  private TreeSet<String> present() throws IOException {
    TreeSet<String> found = new TreeSet<>();
    try (ResultScanner results = database.table(ConflictTables.TABLE).scan(scan())) {
      for (Result row = results.next(); row != null; row = results.next()) {
        found.add(new String(row.row(), US_ASCII));
      }
    }
    return found;
  }

  /** Moves a few times; returns false if the rows are lost. */
  boolean move() throws IOException {
    try {
      for (int left = 1 + random.nextInt(MOVES_MAX); left > 0; left--) {
        moveOnce();
      }
      return true;
    } catch (HistoryLostException e) {
      boolean lost = changes.hasLost(ConflictTables.TABLE, ConflictTables.LASTING, begun);
      assertThat(lost).as("%s", e).isTrue();
      return false;
    }
  }

  private void moveOnce() throws IOException {
    String from = at;
    String row = tables.row();
    boolean stands;
    switch (random.nextInt(from == null ? 6 : 12)) {
      case 0 -> {
        at = rows.isEmpty() ? null : rows.first();
        stands = cursor.first();
      }
      case 1 -> {
        at = rows.isEmpty() ? null : rows.last();
        stands = cursor.last();
      }
      case 2, 3 -> {
        at = rows.ceiling(row);
        stands = cursor.seek(bytes(row));
      }
      case 4 -> {
        at = rows.floor(row);
        stands = cursor.seekBackward(bytes(row));
      }
      case 5 -> stands = refresh();
      case 6, 7, 8 -> {
        at = rows.lower(from);
        stands = cursor.previous();
      }
      default -> {
        at = rows.higher(from);
        stands = cursor.next();
      }
    }
    assertThat(stands ? new String(cursor.keyBytes(), US_ASCII) : null)
        .as("the row of a cursor over %s", rows)
        .isEqualTo(at);
  }

  private boolean refresh() throws IOException {
    if (!ofSnapshot) {
      begun = changes.writes();
      rows = present();
    }
    at = at == null ? null : rows.ceiling(at);
    return cursor.refresh();
  }

  @Override
  public void close() {
    cursor.close();
  }
}
