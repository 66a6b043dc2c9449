// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.RecoveryMode;
import java.io.IOException;

/**
 * How a log is replayed that may not be whole: one implementation for each {@link RecoveryMode}.
 * Stateless.
 */
interface RecoveryStrategy {
  /** Returns the strategy of a mode. */
  static RecoveryStrategy of(RecoveryMode mode) {
    return switch (mode) {
      case TOLERATE_TORN_TAIL -> new TornTailRecovery();
      case ABSOLUTE -> new AbsoluteRecovery();
      case POINT_IN_TIME -> new PointInTimeRecovery();
      case SALVAGE -> new SalvageRecovery();
    };
  }

  /**
   * Judges damage, which no crash explains. If this returns, what is damaged is left out.
   *
   * @throws CorruptionException the damage, if the mode refuses it
   */
  void checkDamage(CorruptionException damage) throws CorruptionException;

  /**
   * Judges what the end of a file has lost, before it is known whether a crash explains that. If
   * this returns, the loss is accepted if a crash explains it, and is damage otherwise.
   *
   * @throws CorruptionException the loss, if the mode refuses whatever a crash leaves
   */
  void checkLoss(CorruptionException loss) throws CorruptionException;

  /**
   * Replays a log: from file to file, as far as the links show it to be whole.
   *
   * @throws CorruptionException if the mode refuses what is wrong with it
   */
  default void replay(ReplayTask task, ReplayedLog replayed) throws IOException {
    new LinkedReplay(task, replayed, this).run();
  }
}
