// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A get claims the newest read point while another thread asks what it may drop, as a flush does.
 * {@link ReadPointsScheduleTest} tries schedules in which all accesses have one order; this one
 * tries the memory effects, too.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The other thread saw the get.")
@Outcome(
    id = "1, 0",
    expect = ACCEPTABLE,
    desc = "The get saw the write, the other thread the get.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The get saw the write.")
@State
public class ReadPointsStress {
  private final Visibility visibility = new Visibility();
  private final ReadPoints readPoints = new ReadPoints(visibility);

  @Actor
  public void get(JJ_Result result) {
    result.r1 = readPoints.enterBriefly().sequence();
  }

  @Actor
  public void writeAndDrop(JJ_Result result) {
    visibility.recoverTo(1);
    result.r2 = readPoints.smallestReadPoint();
  }
}
