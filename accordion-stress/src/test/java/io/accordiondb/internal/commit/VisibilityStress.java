// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.accordiondb.internal.commit.Visibility.InFlight;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * Two writes end side by side, and a thread that publishes may get the other's write to publish.
 * {@link VisibilityScheduleTest} tries schedules in which all accesses have one order; this one
 * tries the memory effects, too.
 */
@JCStressTest
@Outcome(id = "2", expect = ACCEPTABLE, desc = "Both are visible.")
@State
public class VisibilityStress {
  private final Visibility visibility = new Visibility();
  private final InFlight first = visibility.begin(1);
  private final InFlight second = visibility.begin(2);

  @Actor
  public void endFirst() {
    visibility.end(first);
  }

  @Actor
  public void endSecond() {
    visibility.end(second);
  }

  @Arbiter
  public void check(J_Result result) {
    result.r1 = visibility.visible();
  }
}
