// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.metrics.BackgroundErrors;
import io.accordiondb.internal.region.StoreFiles;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resumes writes after a failure that can pass, such as a full disk. Thread-safe. */
public final class Resumption {
  private static final Logger LOG = LoggerFactory.getLogger(Resumption.class);

  private final Manifest manifest;
  private final StoreFiles files;
  private final CommitPipeline pipeline;
  private final FailureState failure;
  private final BackgroundErrors errors;

  /** Whether a permanent failure has been reported. */
  private volatile boolean told;

  /** Creates the task that resumes writes. */
  public Resumption(
      Manifest manifest,
      StoreFiles files,
      CommitPipeline pipeline,
      FailureState failure,
      BackgroundErrors errors) {
    this.files = files;
    this.errors = errors;
    this.manifest = manifest;
    this.pipeline = pipeline;
    this.failure = failure;
  }

  /** See {@link io.accordiondb.Database#resume}. */
  public void resume() throws IOException {
    if (!failure.isFailed()) {
      return;
    }
    // Resume the manifest first: the log begins a new file, which the manifest must record.
    List<Long> unrecorded = files.givenUp();
    manifest.resume();
    files.deleteGivenUp(unrecorded);
    pipeline.resume();
    LOG.info("writes go on");
  }

  /** Tries to resume writes if the failure may have passed, and reports one that does not pass. */
  void resumeIfSuspended() {
    if (!failure.isSuspended()) {
      tellFailure();
      return;
    }
    try {
      resume();
    } catch (IOException | RuntimeException | Error e) {
      errors.report("writes cannot go on yet", e);
    }
  }

  private void tellFailure() {
    try {
      failure.check();
    } catch (DatabaseFailedException e) {
      if (!told) {
        told = true;
        errors.report("the database takes no more writes until it is opened again", e);
      }
    }
  }
}
