// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangedCell;
import io.accordiondb.Database;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** A feed of some tables, and how many of all changes it has passed. */
final class FollowingFeed {
  private final SortedSet<String> wanted;
  private ChangeFeed feed;
  private int passed;

  /**
   * A change as text.
   *
   * @param cells each begins with the name of its table and a space
   */
  record Delivered(long sequence, List<String> cells) {
    static Delivered of(Change change) {
      return new Delivered(
          change.sequence(), change.cells().stream().map(FollowingFeed::text).toList());
    }

    /** Returns the part of some tables, all of them if there are none; null if it is empty. */
    @Nullable Delivered of(SortedSet<String> tables) {
      List<String> some =
          cells.stream()
              .filter(
                  cell -> tables.isEmpty() || tables.contains(cell.substring(0, cell.indexOf(' '))))
              .toList();
      return some.isEmpty() ? null : new Delivered(sequence, some);
    }
  }

  /**
   * Creates a feed.
   *
   * @param wanted the names of tables; all if there are none
   * @param passed how many changes are before its beginning
   */
  FollowingFeed(SortedSet<String> wanted, ChangeFeed feed, int passed) {
    this.wanted = wanted;
    this.feed = feed;
    this.passed = passed;
  }

  private static String text(ChangedCell changed) {
    Cell cell = changed.cell();
    return String.join(
        " ",
        changed.table(),
        cell.type().toString(),
        new String(cell.row(), US_ASCII),
        new String(cell.value(), US_ASCII));
  }

  boolean follows(String table) {
    return wanted.contains(table);
  }

  /** Returns how many of all changes are behind the feed. */
  int passed() {
    return passed;
  }

  String token() {
    return feed.token();
  }

  /** Goes on in a database from a token of this feed. */
  void resume(Database database, String token) throws IOException {
    feed.close();
    feed = database.changesAfter(token, wanted.toArray(String[]::new));
  }

  /** Returns a feed of another database that goes on where this one is. */
  FollowingFeed in(Database copy) throws IOException {
    ChangeFeed resumed = copy.changesAfter(token(), wanted.toArray(String[]::new));
    return new FollowingFeed(wanted, resumed, passed);
  }

  /** Takes some changes, and compares them; returns false if there are no more. */
  boolean advance(int count, List<Delivered> written) throws IOException {
    for (int i = 0; i < count; i++) {
      Change change = feed.next(Duration.ZERO);
      Delivered next = null;
      while (next == null && passed < written.size()) {
        next = written.get(passed++).of(wanted);
      }
      assertThat(change == null ? null : Delivered.of(change))
          .as("change %s of %s", passed, wanted)
          .isEqualTo(next);
      if (change == null) {
        return false;
      }
    }
    return true;
  }

  /** Takes all that is left, compares it, and closes the feed. */
  void finish(List<Delivered> written) throws IOException {
    assertThat(advance(Integer.MAX_VALUE, written)).isFalse();
    feed.close();
  }
}
