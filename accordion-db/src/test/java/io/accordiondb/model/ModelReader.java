// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.Database;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.model.ModelReads.Held;
import io.accordiondb.model.ModelReads.Probe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The database for reading beside the one under test. It shows what that one held at the last
 * refresh, and what its snapshots show does not depend on what is written, altered, truncated or
 * killed since.
 */
final class ModelReader implements AutoCloseable {
  private static final int SNAPSHOTS_MAX = 3;

  private final Pair pair;
  private final List<Moment> moments = new ArrayList<>();
  private @Nullable Database reader;
  private @Nullable Expected refreshed;
  private int refreshes;

  /** A snapshot of the reader, and all that was expected then. */
  private record Moment(Snapshot snapshot, Expected expected) {}

  ModelReader(Pair pair) {
    this.pair = pair;
  }

  /** Refreshes the reader, and checks what it shows before and afterwards. */
  void refresh(Draw draw) throws IOException {
    Expected before = refreshed;
    Database open = pair.subject().reader();
    if (open == null || open != reader) {
      // A loss of power has ended the reader.
      close();
    } else if (before != null && refreshes == pair.subject().refreshes() && draw.oneIn(3)) {
      ModelReads.checkAll(open, before, pair.now());
    }
    Database current = pair.subject().refreshed();
    reader = current;
    refreshed = pair.expected().copy();
    refreshes = pair.subject().refreshes();
    ModelReads.checkAll(current, pair.expected(), pair.now());
    for (Moment moment : moments) {
      Scan scan = new Scan().setAllVersions().setSnapshot(moment.snapshot);
      Held held = new Held(moment.snapshot, moment.expected.sequence());
      Probe probe = new Probe(draw.pick(List.of(ModelTables.A, ModelTables.B)), scan, held);
      ModelReads.check(current, moment.expected, probe, pair.now());
    }
    if (draw.oneIn(2) && moments.size() < SNAPSHOTS_MAX) {
      moments.add(new Moment(current.snapshot(), pair.expected().copy()));
    } else if (!moments.isEmpty()) {
      moments.remove(draw.number(moments.size())).snapshot.close();
    }
    if (draw.oneIn(6)) {
      checkCopyOf(current);
    }
  }

  /** A copy that a reader makes is of what the folder holds, even if that is newer. */
  private void checkCopyOf(Database current) throws IOException {
    try (Database copy = pair.subject().openCheckpointOf(current)) {
      ModelReads.checkAll(copy, pair.expected(), pair.now());
    }
  }

  @Override
  public void close() {
    moments.forEach(moment -> moment.snapshot.close());
    moments.clear();
    refreshed = null;
  }
}
