// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.accordiondb.ClosedException;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.metrics.Telemetry;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A read of a snapshot begins while another thread closes the snapshot, and cells are dropped. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The read has the snapshot's read point.")
@Outcome(id = "-1, [01]", expect = ACCEPTABLE, desc = "The read was refused.")
@State
public class SnapshotCloseStress {
  private static final Telemetry TELEMETRY = Telemetry.silent();

  private final Visibility visibility = new Visibility();
  private final ReadPoints readPoints = new ReadPoints(visibility);
  private final EngineSnapshot snapshot = new EngineSnapshot(readPoints, TELEMETRY.leaks());

  @Actor
  public void read(JJ_Result result) {
    try {
      result.r1 = EngineSnapshot.claim(snapshot, readPoints).sequence();
    } catch (ClosedException e) {
      result.r1 = -1;
    }
  }

  @Actor
  public void closeAndDrop(JJ_Result result) {
    snapshot.close();
    visibility.recoverTo(1);
    result.r2 = readPoints.smallestReadPoint();
  }
}
