// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.RecoveryMode;
import java.io.IOException;

/**
 * Decides how to replay a log that may be incomplete or damaged. There is one implementation for
 * each {@link RecoveryMode}. Stateless.
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
   * Judges damage, which no crash explains. If this returns normally, the damaged part is left out.
   *
   * @throws CorruptionException the damage, if the mode refuses it
   */
  void checkDamage(CorruptionException damage) throws CorruptionException;

  /**
   * Judges a loss at the end of a file, before it is known whether a crash explains it. If this
   * returns normally, the loss is accepted if a crash explains it, and counts as damage otherwise.
   *
   * @throws CorruptionException the loss, if the mode refuses even the traces of a crash
   */
  void checkLoss(CorruptionException loss) throws CorruptionException;

  /**
   * Replays a log from file to file, as far as the links prove it to be complete.
   *
   * @throws CorruptionException if the mode refuses what is wrong with it
   */
  default void replay(ReplayTask task, ReplayedLog replayed) throws IOException {
    new LinkedReplay(task, replayed, this).run();
  }
}
