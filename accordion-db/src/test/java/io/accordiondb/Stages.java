// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Waits for asynchronous writes in tests. */
public final class Stages {
  private static final long SECONDS_MAX = 60;

  private Stages() {}

  /** Waits until a stage is complete; throws what {@link Database#write} would have thrown. */
  public static void await(CompletionStage<?> stage) throws IOException {
    try {
      stage.toCompletableFuture().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw e;
    }
  }
}
