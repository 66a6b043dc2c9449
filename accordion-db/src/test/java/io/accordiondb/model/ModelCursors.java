// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.HistoryLostException;
import io.accordiondb.RowCursor;
import io.accordiondb.Scan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Cursors that stay open over many operations. Each shows the table as of the moment at which it
 * was opened or last refreshed, whatever others write and however the cells are moved meanwhile,
 * and whatever state a database for reading has moved to.
 *
 * <p>They read the family whose cells never expire: a cursor asks for the time when it enters a
 * region.
 */
final class ModelCursors implements AutoCloseable {
  private static final int CURSORS_MAX = 2;
  private static final int MOVES_MAX = 8;
  private static final String TABLE = ModelTables.A;

  private final Pair pair;
  private final List<Held> all = new ArrayList<>();

  ModelCursors(Pair pair) {
    this.pair = pair;
  }

  /** A cursor, what it must show, and where it stands. */
  private static final class Held {
    final Database database;
    final Scan scan;
    final RowCursor cursor;
    final NavigableMap<byte[], List<Cell>> rows = new TreeMap<>(Arrays::compareUnsigned);
    long sequence;
    byte @Nullable [] at;

    Held(Database database, Scan scan) throws IOException {
      this.database = database;
      this.scan = scan;
      cursor = database.table(TABLE).cursor(scan);
    }

    void show(Expected expected, long now) {
      sequence = expected.sequence();
      rows.clear();
      for (List<Cell> row : expected.scan(TABLE, scan, sequence, now)) {
        rows.put(row.get(0).row(), row);
      }
    }
  }

  /** Opens a cursor, or moves one that is open a few times, and may close it then. */
  void use(Draw draw) throws IOException {
    all.removeIf(this::isOfThePast);
    if (all.isEmpty() || (all.size() < CURSORS_MAX && draw.oneIn(3))) {
      open(draw);
      return;
    }
    Held held = draw.pick(all);
    try {
      for (int left = 1 + draw.number(MOVES_MAX); left > 0; left--) {
        move(held, draw);
      }
    } catch (HistoryLostException e) {
      // A reader keeps what it had when the cursor was opened.
      assertThat(held.database).isSameAs(pair.database());
      assertThat(pair.expected().hasLost(TABLE, held.scan, held.sequence)).as("%s", e).isTrue();
      close(held);
      return;
    }
    if (draw.oneIn(4)) {
      close(held);
    }
  }

  /** Closes a cursor of a database that was closed. */
  private boolean isOfThePast(Held held) {
    boolean isClosed = held.database != pair.database() && !isOfReader(held);
    if (isClosed) {
      held.cursor.close();
    }
    return isClosed;
  }

  private boolean isOfReader(Held held) {
    return held.database == pair.subject().reader();
  }

  private void open(Draw draw) throws IOException {
    Scan scan = new Scan().addFamily(bytes(ModelTables.ALL)).setVersions(1 + draw.number(4));
    if (draw.oneIn(4)) {
      scan.setStartRow(draw.row(), draw.bound());
    }
    if (draw.oneIn(4)) {
      scan.setStopRow(draw.row(), draw.bound());
    }
    Database database = draw.oneIn(3) ? pair.subject().refreshed() : pair.database();
    Held held = new Held(database, scan);
    held.show(pair.expected(), pair.now());
    all.add(held);
  }

  private void close(Held held) {
    all.remove(held);
    held.cursor.close();
  }

  private void move(Held held, Draw draw) throws IOException {
    RowCursor cursor = held.cursor;
    NavigableMap<byte[], List<Cell>> rows = held.rows;
    byte[] at = held.at;
    byte[] row = draw.row();
    boolean stands;
    switch (draw.number(at == null ? 5 : 16)) {
      case 0 -> {
        stands = cursor.first();
        held.at = rows.isEmpty() ? null : rows.firstKey();
      }
      case 1 -> {
        stands = cursor.last();
        held.at = rows.isEmpty() ? null : rows.lastKey();
      }
      case 2 -> {
        stands = cursor.seek(row);
        held.at = rows.ceilingKey(row);
      }
      case 3 -> {
        stands = cursor.seekBackward(row);
        held.at = rows.floorKey(row);
      }
      case 4 -> {
        if (isOfReader(held)) {
          assertThat(pair.subject().refreshed()).isSameAs(held.database);
        }
        stands = cursor.refresh();
        held.show(pair.expected(), pair.now());
        held.at = at == null ? null : rows.ceilingKey(at);
      }
      case 5, 6, 7, 8 -> {
        stands = cursor.previous();
        held.at = rows.lowerKey(at);
      }
      default -> {
        stands = cursor.next();
        held.at = rows.higherKey(at);
      }
    }
    check(held, stands);
  }

  private static void check(Held held, boolean stands) {
    byte[] at = held.at;
    assertThat(stands ? held.cursor.keyBytes() : null).as("row of a cursor").isEqualTo(at);
    if (at != null) {
      assertThat(held.cursor.result().cells()).as("cells of a cursor").isEqualTo(held.rows.get(at));
    }
  }

  @Override
  public void close() {
    all.forEach(held -> held.cursor.close());
    all.clear();
  }
}
