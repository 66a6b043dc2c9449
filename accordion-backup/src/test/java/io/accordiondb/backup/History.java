// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * What a database held after each of its changes. One that was restored from a generation has the
 * moments of the other one up to there. Belongs to one thread.
 */
final class History {
  private final List<Moment> moments = new ArrayList<>();

  /** How many moments are those of the database from which this one was restored. */
  private int inherited;

  /**
   * What a database held.
   *
   * @param isNoted whether the log says what time it was
   * @param contents the entries of each table
   */
  record Moment(
      long sequence,
      Instant time,
      boolean isNoted,
      SortedMap<String, SortedMap<String, String>> contents) {}

  /** Returns the history of a database that was restored from a generation of this one. */
  History upTo(long sequence) {
    History copy = new History();
    moments.stream().filter(each -> each.sequence <= sequence).forEach(copy::add);
    copy.inherited = copy.moments.size();
    return copy;
  }

  void add(Moment moment) {
    moments.add(moment);
  }

  /** Returns the first time of this database itself. */
  Instant begun() {
    return moments.get(inherited).time;
  }

  /** Returns the moments of this database itself. */
  List<Moment> ownMoments() {
    return moments.subList(inherited, moments.size());
  }

  List<Moment> moments() {
    return moments;
  }

  Moment last() {
    return moments.get(moments.size() - 1);
  }

  /** Returns the last sequence number of the other database that this one has. */
  long inheritedSequence() {
    return inherited == 0 ? -1 : moments.get(inherited - 1).sequence;
  }

  /** Returns whether a change has ended with a sequence number. */
  boolean hasMomentAt(long sequence) {
    return moments.stream().anyMatch(each -> each.sequence == sequence);
  }

  /**
   * Returns what the database may have held at a sequence number. It is one thing, unless the
   * number is within a change and a note of the log that followed it.
   */
  Set<SortedMap<String, SortedMap<String, String>>> contentsAt(long sequence) {
    Set<SortedMap<String, SortedMap<String, String>>> found = new HashSet<>();
    Moment before = null;
    for (Moment each : moments) {
      if (each.sequence >= sequence) {
        if (each.sequence > sequence && found.isEmpty()) {
          found.add(each.contents);
          if (before != null) {
            found.add(before.contents);
          }
        }
        if (each.sequence > sequence) {
          return found;
        }
        found.add(each.contents);
      }
      before = each;
    }
    if (found.isEmpty() && before != null) {
      found.add(before.contents);
    }
    return found;
  }

  /**
   * Returns what a restoration to a time may give: all that the database held from the last time in
   * its log on.
   */
  Set<SortedMap<String, SortedMap<String, String>>> contentsAt(Instant time) {
    Set<SortedMap<String, SortedMap<String, String>>> found = new HashSet<>();
    for (Moment each : moments) {
      if (each.time.isAfter(time)) {
        break;
      }
      if (each.isNoted) {
        found.clear();
      }
      found.add(each.contents);
    }
    return found;
  }
}
