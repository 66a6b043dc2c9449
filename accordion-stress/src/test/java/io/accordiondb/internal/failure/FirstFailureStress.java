// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.failure;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.accordiondb.WritesSuspendedException;
import java.io.IOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A failure that does not pass is recorded while one that passes comes and goes. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "The failure stays.")
@State
public class FirstFailureStress {
  private static final IOException PERMANENT = new IOException("the device has failed");
  private static final IOException TEMPORARY = new WritesSuspendedException(PERMANENT);

  private final FirstFailure failure = new FirstFailure();

  @Actor
  public void fail() {
    failure.record(PERMANENT);
  }

  @Actor
  public void suspendAndResume() {
    failure.record(TEMPORARY);
    failure.clear();
  }

  @Arbiter
  public void check(Z_Result result) {
    result.r1 = failure.get() == PERMANENT;
  }
}
