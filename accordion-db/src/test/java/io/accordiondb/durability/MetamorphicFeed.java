// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.Cell;
import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangedCell;
import io.accordiondb.ChangesLostException;
import io.accordiondb.Database;
import io.accordiondb.Result;
import io.accordiondb.encoding.CellType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows what is written to the table, as long as the log is kept, and tells it as text. */
final class MetamorphicFeed implements AutoCloseable {
  /** The answer of a feed whose log is gone, which depends on the options. */
  static final String LOST = "changes lost";

  /** The order of a change depends on the regions; the cells of one column keep theirs. */
  private static final Comparator<Cell> BY_COLUMN =
      Comparator.comparing(Cell::row, Arrays::compareUnsigned)
          .thenComparing(Cell::family, Arrays::compareUnsigned)
          .thenComparing(Cell::qualifier, Arrays::compareUnsigned);

  private @Nullable Database database;
  private @Nullable ChangeFeed feed;

  /** Returns whether an answer is one of {@link #changes}. */
  static boolean isOfFeed(String answer) {
    return answer.equals(LOST) || answer.matches("(?s)\\d+ changes .*");
  }

  /** Begins to follow the table. */
  void begin(Database newDatabase) throws IOException {
    close();
    database = newDatabase;
    feed = newDatabase.changes(MetamorphicTable.NAME);
  }

  /**
   * Returns what was written since the last call, all of which the operating system must have.
   *
   * @param resumes whether a new feed goes on where the last one was, as it must in a database that
   *     was opened again
   */
  String changes(Database current, boolean resumes) throws IOException {
    try {
      if (feed != null && (resumes || current != database)) {
        String token = feed.token();
        close();
        database = current;
        feed = current.changesAfter(token, MetamorphicTable.NAME);
      }
      return text(feed);
    } catch (ChangesLostException e) {
      begin(current);
      return LOST;
    }
  }

  private static String text(ChangeFeed feed) throws IOException {
    List<Result> changes = new ArrayList<>();
    Change change = feed.next(Duration.ZERO);
    while (change != null) {
      // How many markers delete a range depends on the regions.
      List<Cell> cells =
          change.cells().stream()
              .map(ChangedCell::cell)
              .filter(cell -> cell.type() != CellType.DELETE_RANGE)
              .sorted(BY_COLUMN)
              .toList();
      if (!cells.isEmpty()) {
        changes.add(new Result(cells));
      }
      change = feed.next(Duration.ZERO);
    }
    return changes.size() + " changes " + MetamorphicReads.text(changes);
  }

  @Override
  public void close() throws IOException {
    if (feed != null) {
      feed.close();
      feed = null;
    }
  }
}
