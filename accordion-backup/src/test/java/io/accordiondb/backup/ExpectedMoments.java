// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.RestorePoint;
import io.accordiondb.RestorePointException;
import io.accordiondb.backup.BackupRun.BackedUp;
import io.accordiondb.backup.History.Moment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Restores moments between the generations of one database after another, each of which was
 * restored from a generation or moment of an earlier one. Belongs to one thread.
 */
final class ExpectedMoments {
  private final List<History> histories = new ArrayList<>();

  /** Notes that a database goes on from the last moment of a history; the others have ended. */
  void begin(History history) {
    histories.add(history);
  }

  /**
   * Restores a random moment.
   *
   * @return the history of the restored database; null if the moment was refused
   */
  @Nullable History restore(
      Backups backups,
      NavigableMap<Long, BackedUp> listed,
      SplittableRandom random,
      Path copy,
      DatabaseOptions options)
      throws IOException {
    int index = random.nextBoolean() ? histories.size() - 1 : random.nextInt(histories.size());
    List<Moment> own = histories.get(index).ownMoments();
    Moment moment = own.get(random.nextInt(own.size()));
    boolean isOfTime = random.nextBoolean();
    RestorePoint point =
        isOfTime ? RestorePoint.time(moment.time()) : RestorePoint.sequence(moment.sequence());
    long end;
    try {
      end = backups.restore(point, copy, options, BackupOptions.DEFAULTS);
      assertThat(isOfTime || end <= moment.sequence()).as("%s: %s", point, end).isTrue();
    } catch (RestorePointException e) {
      assertThat(copy).doesNotExist();
      assertThat(isCertain(listed, moment, isOfTime)).as("%s: %s", point, e).isFalse();
      return null;
    }
    assertThat(copy.resolve("restoring")).doesNotExist();
    assertThat(copy.resolve("kept")).doesNotExist();
    try (Database database = Database.open(copy, options)) {
      SortedMap<String, SortedMap<String, String>> contents = TrackedDatabase.contents(database);
      History from =
          isOfTime
              ? historyAt(moment.time(), listed, contents)
              : historyAt(moment.sequence(), listed, contents);
      assertThat(from).as("a database that held this at %s: %s", point, contents).isNotNull();
      return from.upTo(end);
    }
  }

  /**
   * Returns the history of the database that was used at some time and held this; null if there is
   * none. If its generations are no longer listed, nothing tells of it. Then it may be one that was
   * restored from the last one that both have.
   */
  private @Nullable History historyAt(
      Instant time,
      NavigableMap<Long, BackedUp> listed,
      SortedMap<String, SortedMap<String, String>> contents) {
    History used = histories.get(0);
    for (History each : histories) {
      if (!each.begun().isAfter(time)) {
        used = each;
      }
    }
    if (used.contentsAt(time).contains(contents)) {
      return used;
    }
    for (BackedUp each : listed.values()) {
      if (each.history().begun().isAfter(time)
          && each.history().contentsAt(time).contains(contents)
          && !isAheadOf(each.history(), used, listed)) {
        return each.history();
      }
    }
    return null;
  }

  /** Returns whether a generation shows more of a history than another one has inherited of it. */
  private static boolean isAheadOf(
      History restored, History used, NavigableMap<Long, BackedUp> listed) {
    for (BackedUp each : listed.values()) {
      if (each.history() == used
          && each.generation().checkpoint().sequence() > restored.inheritedSequence()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the history of a database that held this at a number; null if there is none, or if a
   * newer one that has a moment of this number held something else. The number of a generation may
   * be taken for that generation.
   */
  private static @Nullable History historyAt(
      long sequence,
      NavigableMap<Long, BackedUp> listed,
      SortedMap<String, SortedMap<String, String>> contents) {
    for (BackedUp each : listed.values()) {
      if (each.generation().checkpoint().sequence() == sequence
          && each.contents().equals(contents)) {
        return each.history();
      }
    }
    for (BackedUp each : listed.descendingMap().values()) {
      if (each.generation().checkpoint().sequence() >= sequence) {
        if (each.history().contentsAt(sequence).contains(contents)) {
          return each.history();
        }
        if (each.history().hasMomentAt(sequence)) {
          return null;
        }
      }
    }
    return null;
  }

  /** Returns whether a moment is between two generations of the only database. */
  private static boolean isCertain(
      NavigableMap<Long, BackedUp> listed, Moment moment, boolean isOfTime) {
    boolean before = false;
    boolean behind = false;
    for (BackedUp each : listed.values()) {
      if (each.isByReader() || each.history() != listed.firstEntry().getValue().history()) {
        return false;
      }
      int order =
          isOfTime
              ? each.generation().checkpoint().time().compareTo(moment.time())
              : Long.compare(each.generation().checkpoint().sequence(), moment.sequence());
      before |= order <= 0;
      behind |= order >= 0;
    }
    return before && behind && listed.firstEntry().getValue().history().moments().contains(moment);
  }
}
