// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.accordiondb.internal.storage.HeapStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.LongStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Two threads take numbers for files, of which there is one left before more must be recorded. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "Four different numbers.")
@State
public class FileNumberStress {
  private final Manifest manifest;
  private final long[] first = new long[2];
  private final long[] second = new long[2];

  public FileNumberStress() {
    try {
      manifest = Manifest.create(new HeapStorage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long recorded = manifest.version().nextNumber();
    while (number() < recorded - 2) {}
  }

  private long number() {
    try {
      return manifest.nextNumber();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Actor
  public void take() {
    first[0] = number();
    first[1] = number();
  }

  @Actor
  public void takeToo() {
    second[0] = number();
    second[1] = number();
  }

  @Arbiter
  public void check(Z_Result result) {
    result.r1 =
        LongStream.concat(LongStream.of(first), LongStream.of(second)).distinct().count() == 4;
  }
}
