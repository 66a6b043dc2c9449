// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.Durability;
import io.accordiondb.internal.commit.Visibility.InFlight;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way through {@link GroupCommit}, whose leader writes the outcome into it before
 * the lock of the log is released.
 */
final class Commit {
  Batch batch;
  final Durability durability;

  /** The condition under which the batch is committed; null for none. */
  final @Nullable CommitCondition condition;

  boolean decided;
  boolean conflict;
  long firstSequence;

  /** The log must be kept from here on until a commit that is not logged is flushed. */
  long logNeededFrom = Long.MAX_VALUE;

  /** Null if the batch was not logged. */
  @Nullable InFlight inFlight;

  Commit(Batch batch, Durability durability, @Nullable CommitCondition condition) {
    this.batch = batch;
    this.durability = durability;
    this.condition = condition;
  }
}
