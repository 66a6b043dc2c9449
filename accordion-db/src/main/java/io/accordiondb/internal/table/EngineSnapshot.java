// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.ClosedException;
import io.accordiondb.Snapshot;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.metrics.Leaks;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The snapshot that an application holds: a read point, which is released by closing it. */
public final class EngineSnapshot implements Snapshot {
  private final ReadPoints owner;
  private final ReadPoint readPoint;
  private final Leaks leaks;
  private final Leaks.@Nullable Watch watch;
  private final AtomicBoolean closed = new AtomicBoolean();

  public EngineSnapshot(ReadPoints owner, Leaks leaks) {
    this.owner = owner;
    this.leaks = leaks;
    this.readPoint = owner.enterSnapshot();
    boolean watched = false;
    try {
      this.watch = leaks.watch(this, "a snapshot of sequence number ", readPoint.sequence());
      watched = true;
    } finally {
      if (!watched) {
        owner.closeSnapshot(readPoint);
      }
    }
  }

  /** Returns whether a snapshot belongs to the database with the given read points. */
  public static boolean isOf(Snapshot snapshot, ReadPoints readPoints) {
    return snapshot instanceof EngineSnapshot own && own.owner == readPoints;
  }

  /** Returns another claim to the read point of a snapshot of this database. */
  static ReadPoint claim(Snapshot snapshot, ReadPoints readPoints) {
    if (!(snapshot instanceof EngineSnapshot own)) {
      throw new IllegalArgumentException("the snapshot is of another database");
    }
    own.checkOpen();
    if (!isOf(snapshot, readPoints)) {
      throw new IllegalArgumentException("the snapshot is of another database");
    }
    ReadPoint claim = readPoints.enter(own.readPoint);
    if (own.closed.get()) {
      claim.close();
      own.checkOpen();
    }
    return claim;
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new ClosedException("the snapshot of sequence number " + sequenceNumber());
    }
  }

  @Override
  public long sequenceNumber() {
    return readPoint.sequence();
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      leaks.close(watch);
      owner.closeSnapshot(readPoint);
    }
  }
}
