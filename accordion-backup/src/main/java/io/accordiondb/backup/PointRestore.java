// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import io.accordiondb.Checkpoint;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.RestorePoint;
import io.accordiondb.RestorePointException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores the newest generation before a moment and applies the log that the next generation has
 * kept. If one of them is damaged, an earlier generation or the log of a later one takes its place,
 * as far as the log that is left leads from the one to the moment.
 *
 * <p>A database that was itself restored continues with lower sequence numbers than its last
 * backups had. Where sequence numbers decrease from one generation to the next, another run begins;
 * both generations must belong to the same run.
 */
final class PointRestore {
  private static final Logger LOG = LoggerFactory.getLogger(PointRestore.class);

  private final BackupTarget target;
  private final List<GenerationRecord> generations;
  private final RestorePoint point;

  /**
   * Creates a restoration.
   *
   * @param generations all that can be read, from the oldest to the newest
   */
  PointRestore(BackupTarget target, List<GenerationRecord> generations, RestorePoint point) {
    this.target = target;
    this.generations = generations;
    this.point = point;
  }

  /** A generation, and those whose logs lead on from it to the moment, the next one first. */
  private record Span(GenerationRecord from, List<GenerationRecord> behind) {}

  /** What is done with a generation. */
  private interface Use {
    long of(GenerationRecord generation) throws IOException;
  }

  /** Restores into an empty or new folder; returns the last sequence number that it then holds. */
  long into(Path folder, DatabaseOptions database, BackupOptions options) throws IOException {
    Folders.checkEmpty(folder);
    Span span = span();
    RestoredFolder restoredFolder = RestoredFolder.take(folder);
    FollowedLog log = new FollowedLog(target, options, database, restoredFolder.unfinished());
    SameNumbers later =
        new SameNumbers(
            generations,
            point,
            new FollowedLog(
                target, options, database, restoredFolder.unfinished().resolve("later")));
    boolean restored = false;
    try {
      long end = follow(span, log, later);
      Folders.moveContents(log.copy(), folder, Folders.LAST);
      restored = true;
      restoredFolder.complete();
      return end;
    } catch (SameNumbers.FoundException e) {
      throw e.refusal();
    } finally {
      if (!restored) {
        restoredFolder.clear();
      }
    }
  }

  /** Restores a copy and has it follow the log; returns the last sequence number that it holds. */
  private long follow(Span span, FollowedLog log, SameNumbers later) throws IOException {
    Iterator<GenerationRecord> logs = span.behind.iterator();
    try {
      return followFirst(logs, span.from, log, later);
    } catch (BackupDamagedException | GenerationNotFoundException | RestorePointException e) {
      if (!logs.hasNext()) {
        throw e;
      }
      // A backup that a reader has made may end with writes behind the last note of its log, which
      // cannot be applied without a later note. The next log has one.
      try {
        return followFirst(logs, span.from, log, later);
      } catch (SameNumbers.FoundException found) {
        throw found;
      } catch (IOException next) {
        e.addSuppressed(next);
        throw e;
      }
    }
  }

  /** Same with the first of some logs that is not damaged. */
  private long followFirst(
      Iterator<GenerationRecord> logs, GenerationRecord from, FollowedLog log, SameNumbers later)
      throws IOException {
    firstOfUse(
        () -> logs,
        each -> {
          log.read(each);
          return each.number();
        });
    List<GenerationRecord> abandoned = new ArrayList<>();
    return firstOfUse(
        upTo(from),
        each -> {
          FollowedLog.Way way =
              point instanceof RestorePoint.OfTime
                  ? planTime(each, log, abandoned)
                  : log.plan(each, point);
          later.check(log);
          return log.apply(way);
        });
  }

  /**
   * Plans for a time that is not before any of the generations. If the log does not lead on from
   * one of them, that is of a database that was left for one that was restored from an even earlier
   * generation. Then the time must be of the latter: its log must show that it was there by then.
   *
   * @param abandoned the newest generation from which the log does not lead on, which this adds
   *     when it finds it
   */
  private FollowedLog.Way planTime(
      GenerationRecord from, FollowedLog log, List<GenerationRecord> abandoned) throws IOException {
    if (abandoned.isEmpty()) {
      try {
        return log.plan(from, point);
      } catch (RestorePointException e) {
        if (!isInLog(from, log)) {
          abandoned.add(from);
        }
        throw e;
      }
    }
    Checkpoint left = checkpointOf(abandoned.get(0));
    FollowedLog.Way byThen = log.plan(from, RestorePoint.time(left.time()));
    FollowedLog.Way way = log.plan(from, point);
    if (way.toMoment().sequence() == byThen.toMoment().sequence()) {
      throw new RestorePointException(
          point,
          "the log has nothing from between generation "
              + abandoned.get(0).number()
              + ", of "
              + left.time()
              + ", and this moment: the database was restored from an earlier generation later");
    }
    return way;
  }

  /** Returns whether the log leads on from a generation. */
  private static boolean isInLog(GenerationRecord generation, FollowedLog log) throws IOException {
    try {
      log.plan(generation, RestorePoint.sequence(checkpointOf(generation).sequence()));
      return true;
    } catch (RestorePointException e) {
      return false;
    }
  }

  /** Uses the first generation that is not damaged, deleted, or too far from the moment. */
  private long firstOfUse(Iterable<GenerationRecord> candidates, Use use) throws IOException {
    IOException failure = null;
    for (GenerationRecord each : candidates) {
      try {
        return use.of(each);
      } catch (BackupDamagedException | GenerationNotFoundException | RestorePointException e) {
        LOG.warn(
            "generation {} cannot be used to restore {}: {}", each.number(), point, e.getMessage());
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    throw Objects.requireNonNull(failure, "no generation");
  }

  /**
   * Returns a generation and all others at or before the moment that are older, the newest first.
   * They are of use if it is damaged, or if the later one is of a database that was restored from
   * an even earlier one.
   */
  private List<GenerationRecord> upTo(GenerationRecord last) {
    List<GenerationRecord> found = new ArrayList<>();
    for (int i = generations.indexOf(last); i >= 0; i--) {
      GenerationRecord each = generations.get(i);
      if (each.checkpoint() != null && compareToPoint(each) <= 0) {
        found.add(each);
      }
    }
    return found;
  }

  private Span span() throws RestorePointException {
    List<GenerationRecord> run = new ArrayList<>();
    for (int i = generations.size() - 1; i >= 0; i--) {
      GenerationRecord each = generations.get(i);
      if (!run.isEmpty() && !leadsTo(each, run.get(0))) {
        Span found = spanWithin(run);
        if (found != null) {
          return found;
        }
        run.clear();
      }
      if (each.checkpoint() != null) {
        run.add(0, each);
      }
    }
    Span found = spanWithin(run);
    if (found == null) {
      throw new RestorePointException(point, reach());
    }
    return found;
  }

  private static boolean leadsTo(GenerationRecord earlier, GenerationRecord later) {
    Checkpoint before = earlier.checkpoint();
    Checkpoint behind = later.checkpoint();
    return before != null && behind != null && before.sequence() <= behind.sequence();
  }

  private @Nullable Span spanWithin(List<GenerationRecord> run) {
    GenerationRecord from = null;
    for (int i = 0; i < run.size(); i++) {
      GenerationRecord each = run.get(i);
      int order = compareToPoint(each);
      if (order <= 0) {
        from = each;
      }
      if (order >= 0 && from != null) {
        return new Span(from, List.copyOf(run.subList(i, run.size())));
      }
    }
    return null;
  }

  /** Compares the moment of a generation, which has one, with the one that is wanted. */
  private int compareToPoint(GenerationRecord generation) {
    Checkpoint checkpoint = checkpointOf(generation);
    return point instanceof RestorePoint.OfTime wanted
        ? checkpoint.time().compareTo(wanted.time())
        : Long.compare(checkpoint.sequence(), ((RestorePoint.OfSequence) point).sequence());
  }

  private static Checkpoint checkpointOf(GenerationRecord generation) {
    Checkpoint checkpoint = generation.checkpoint();
    if (checkpoint == null) {
      throw new IllegalStateException("generation " + generation.number() + " has no checkpoint");
    }
    return checkpoint;
  }

  private String reach() {
    StringBuilder text =
        new StringBuilder(target + " lacks a generation before or after this moment");
    generations.forEach(
        each -> {
          Checkpoint checkpoint = each.checkpoint();
          if (checkpoint != null) {
            text.append("; generation ")
                .append(each.number())
                .append(" has sequence number ")
                .append(checkpoint.sequence())
                .append(", ")
                .append(checkpoint.time());
          }
        });
    return text.toString();
  }
}
