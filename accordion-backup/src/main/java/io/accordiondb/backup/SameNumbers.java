// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import io.accordiondb.Checkpoint;
import io.accordiondb.RestorePoint;
import io.accordiondb.RestorePointException;
import io.accordiondb.RollForward;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a sequence number means two moments. A database that was restored and went on
 * uses the numbers of the one that it replaced again. The newest log that reaches the number
 * decides: it must lead to the moment that is about to be restored. Belongs to one thread.
 */
final class SameNumbers {
  private static final Logger LOG = LoggerFactory.getLogger(SameNumbers.class);

  private static final Pattern LOG_NAME = Pattern.compile("(?:wal|kept)/(\\d{12})(?:-\\d+)?\\.log");

  private final List<GenerationRecord> generations;
  private final RestorePoint point;
  private final FollowedLog log;

  /** The generation whose log was checked last. */
  private @Nullable GenerationRecord checked;

  /** Says that there are two moments; not caught where other generations are tried. */
  static final class FoundException extends IOException {
    private static final long serialVersionUID = 1L;

    private final RestorePointException refusal;

    FoundException(RestorePointException refusal) {
      super(refusal);
      this.refusal = refusal;
    }

    RestorePointException refusal() {
      return refusal;
    }
  }

  /**
   * Creates an object for one restoration.
   *
   * @param generations all that can be read, from the oldest to the newest
   * @param log for the logs of later generations
   */
  SameNumbers(List<GenerationRecord> generations, RestorePoint point, FollowedLog log) {
    this.generations = generations;
    this.point = point;
    this.log = log;
  }

  /**
   * Checks that no later generation leads to another moment. If the log of one cannot be read, an
   * earlier one decides.
   *
   * @param chosen the log that leads to the moment that is about to be restored
   * @throws FoundException if one does
   */
  void check(FollowedLog chosen) throws FoundException {
    GenerationRecord source = chosen.source();
    if (!(point instanceof RestorePoint.OfSequence wanted) || source.equals(checked)) {
      return;
    }
    for (int i = generations.size() - 1; i > generations.indexOf(source); i--) {
      GenerationRecord later = generations.get(i);
      if (isUpTo(later, wanted.sequence() - 1)) {
        continue;
      }
      if (hasNewestLogOf(source, later) || leads(later, i, wanted, chosen)) {
        break;
      }
    }
    checked = source;
  }

  /** Returns whether a generation has a moment, at or before a sequence number. */
  private static boolean isUpTo(GenerationRecord generation, long sequence) {
    Checkpoint checkpoint = generation.checkpoint();
    return checkpoint == null || checkpoint.sequence() <= sequence;
  }

  /**
   * Returns whether the log of a later generation leads to the number.
   *
   * @throws FoundException if it is the log of another database than the chosen one
   */
  private boolean leads(
      GenerationRecord later, int index, RestorePoint.OfSequence wanted, FollowedLog chosen)
      throws FoundException {
    RollForward.Plan toLater = null;
    RollForward.Plan toChosen = null;
    try {
      log.read(later);
      for (int i = index - 1; i >= 0 && toLater == null && toChosen == null; i--) {
        GenerationRecord from = generations.get(i);
        if (isUpTo(from, wanted.sequence()) && newestLog(from) >= oldestLog(later)) {
          toLater = planOrNull(log, from);
          toChosen = planOrNull(chosen, from);
        }
      }
    } catch (IOException e) {
      LOG.warn("the log of generation {} cannot be compared", later.number(), e);
      return false;
    }
    // Of one database, the later log leads wherever the chosen one does, unless it has lost a part.
    // Then nothing tells whether it is of another one, and a time is safe in either case.
    if (!Objects.equals(toLater, toChosen)) {
      throw new FoundException(refusal(chosen.source(), later));
    }
    return toLater != null;
  }

  private RollForward.@Nullable Plan planOrNull(FollowedLog followed, GenerationRecord from)
      throws IOException {
    try {
      return followed.plan(from, point).toMoment();
    } catch (RestorePointException e) {
      return null;
    }
  }

  private RestorePointException refusal(GenerationRecord source, GenerationRecord later) {
    return new RestorePointException(
        point,
        "generations "
            + source.number()
            + " and "
            + later.number()
            + " lead to different moments of this number: the database was restored from an earlier"
            + " generation in between, and used the number again, or the later log has lost a part;"
            + " restore to a time, up to "
            + timeOf(source)
            + " or up to "
            + timeOf(later));
  }

  private static String timeOf(GenerationRecord generation) {
    Checkpoint checkpoint = generation.checkpoint();
    return (checkpoint == null ? generation.created() : checkpoint.time())
        + " for generation "
        + generation.number();
  }

  /** Returns whether a later generation has the newest log file of another: then it follows it. */
  private static boolean hasNewestLogOf(GenerationRecord generation, GenerationRecord later) {
    long newest = newestLog(generation);
    return generation.files().stream()
        .filter(file -> numberOf(file.name()) == newest)
        .anyMatch(
            file ->
                later.files().stream()
                    .anyMatch(
                        other ->
                            numberOf(other.name()) == newest
                                && other.sha256().equals(file.sha256())));
  }

  private static long newestLog(GenerationRecord generation) {
    return logNumbers(generation).max().orElse(-1);
  }

  private static long oldestLog(GenerationRecord generation) {
    return logNumbers(generation).min().orElse(Long.MAX_VALUE);
  }

  private static LongStream logNumbers(GenerationRecord generation) {
    return generation.files().stream()
        .mapToLong(file -> numberOf(file.name()))
        .filter(number -> number >= 0);
  }

  /** Returns the number of a log file; -1 for other files. */
  private static long numberOf(String name) {
    Matcher matcher = LOG_NAME.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
  }
}
