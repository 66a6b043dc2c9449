// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.dashboard.internal.sample.TimelineEvent.Kind;
import io.accordiondb.memstore.MemStoreStatistics;
import io.accordiondb.memstore.SegmentStatistics;
import io.accordiondb.statistics.HealthStatistics;
import io.accordiondb.statistics.StallStatistics;
import io.accordiondb.statistics.StoreStatistics;
import io.accordiondb.statistics.WriteState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Derives what has happened to a database between two readings of its figures. Counters give the
 * number of events; the last of several decisions represents all of them. Pure.
 */
final class Changes {
  private final DatabaseStatistics before;
  private final DatabaseStatistics after;
  private final List<Happening> found = new ArrayList<>();

  private Changes(DatabaseStatistics before, DatabaseStatistics after) {
    this.before = before;
    this.after = after;
  }

  /** Returns what has happened, in the order in which a cell would meet it. */
  static List<Happening> between(DatabaseStatistics before, DatabaseStatistics after) {
    Changes changes = new Changes(before, after);
    changes.compareHealth();
    changes.compareStores();
    changes.compareDisk();
    changes.compareStalls();
    return List.copyOf(changes.found);
  }

  private void compareHealth() {
    HealthStatistics old = before.health();
    HealthStatistics now = after.health();
    if (now.writes() != old.writes()) {
      add(
          Kind.FAILURE,
          now.writes() == WriteState.OK
              ? "writes are accepted again"
              : "writes are refused: " + now.reason());
    }
    if (now.corruptions() > old.corruptions()) {
      add(Kind.FAILURE, counted(now.corruptions() - old.corruptions(), "damaged place") + " found");
    }
    // Failures of flushes and compactions have events of their own.
    if (now.backgroundErrors() - old.backgroundErrors() > failures(after) - failures(before)) {
      add(Kind.FAILURE, String.valueOf(now.lastBackgroundError()));
    }
  }

  private static long failures(DatabaseStatistics figures) {
    return figures.flushes().failures() + figures.compactions().failures();
  }

  private void compareStores() {
    Map<String, MemStoreStatistics> earlier = new HashMap<>();
    before.tables().stream()
        .flatMap(table -> table.stores().stream())
        .forEach(store -> earlier.put(idOf(store), store.memory()));
    boolean several = after.tables().stream().mapToInt(table -> table.stores().size()).sum() > 1;
    after.tables().stream()
        .flatMap(table -> table.stores().stream())
        .forEach(
            store -> {
              MemStoreStatistics old = earlier.get(idOf(store));
              if (old != null) {
                compare(several ? idOf(store) + ": " : "", old, store.memory());
              }
            });
  }

  /** Returns what names a store on the page. */
  static String idOf(StoreStatistics store) {
    return store.table() + "/" + store.family() + "/" + store.region();
  }

  private void compare(String store, MemStoreStatistics old, MemStoreStatistics now) {
    long sealed = now.inMemoryFlushes() - old.inMemoryFlushes();
    if (sealed > 0) {
      add(
          Kind.SEAL,
          store
              + counted(sealed, "active segment")
              + " sealed; pipeline of "
              + now.pipelineSegments());
    }
    if (now.merges() > old.merges()) {
      add(Kind.MERGE, store + decision(now, "segments merged"));
    }
    if (now.compactions() > old.compactions()) {
      long cells = now.cellsEliminated() - old.cellsEliminated();
      long bytes = now.bytesEliminated() - old.bytesEliminated();
      add(
          Kind.MEMORY_COMPACTION,
          store
              + decision(now, "segments compacted")
              + "; "
              + counted(cells, "cell")
              + " dropped, "
              + bytes(bytes));
    }
    if (now.aborts() > old.aborts()) {
      add(Kind.ABORT, store + "a merge gave way to a flush");
    }
    if (old.snapshot().isEmpty() && !now.snapshot().isEmpty()) {
      long held = now.snapshot().stream().mapToLong(SegmentStatistics::heldBytes).sum();
      add(
          Kind.FLUSH,
          store
              + counted(now.snapshot().size(), "segment")
              + " with "
              + bytes(held)
              + " handed to a flush");
    }
  }

  private static String decision(MemStoreStatistics now, String otherwise) {
    return now.lastDecision().isEmpty() ? otherwise : now.lastDecision();
  }

  private void compareDisk() {
    long flushes = after.flushes().count() - before.flushes().count();
    if (flushes > 0) {
      add(
          Kind.FLUSH,
          counted(flushes, "flush", "flushes")
              + " done, "
              + bytes(after.flushes().bytesWritten() - before.flushes().bytesWritten())
              + " written");
    }
    long compactions = after.compactions().count() - before.compactions().count();
    if (compactions > 0) {
      add(
          Kind.COMPACTION,
          counted(compactions, "compaction")
              + " done, "
              + bytes(after.compactions().bytesRead() - before.compactions().bytesRead())
              + " read, "
              + bytes(after.compactions().bytesWritten() - before.compactions().bytesWritten())
              + " written");
    }
    compareFailures(
        "flush",
        before.flushes().failures(),
        after.flushes().failures(),
        after.flushes().lastFailure());
    compareFailures(
        "compaction",
        before.compactions().failures(),
        after.compactions().failures(),
        after.compactions().lastFailure());
  }

  private void compareFailures(String what, long old, long now, @Nullable String reason) {
    if (now > old) {
      add(Kind.FAILURE, what + " failed: " + Objects.requireNonNullElse(reason, "unknown reason"));
    }
  }

  private void compareStalls() {
    StallStatistics old = before.writes().stalls();
    StallStatistics now = after.writes().stalls();
    if (now.count() > old.count() || (now.waiting() > 0 && old.waiting() == 0)) {
      String reason = Objects.requireNonNullElse(now.lastReason(), "the disk cannot follow");
      add(
          Kind.STALL,
          String.format(
              Locale.ROOT,
              "%s %s %.0f ms: %s",
              counted(Math.max(now.count() - old.count(), now.waiting()), "write"),
              now.waiting() > 0 ? "waiting, so far" : "waited",
              (now.nanos() - old.nanos()) / 1e6,
              reason));
    }
  }

  private void add(Kind kind, String text) {
    found.add(new Happening(kind, text));
  }

  private static String counted(long count, String what) {
    return counted(count, what, what + "s");
  }

  private static String counted(long count, String one, String several) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : several);
  }

  private static String bytes(long bytes) {
    if (bytes < 10_000) {
      return String.format(Locale.ROOT, "%,d bytes", bytes);
    }
    return bytes < 1_000_000
        ? String.format(Locale.ROOT, "%.0f kB", bytes / 1e3)
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
