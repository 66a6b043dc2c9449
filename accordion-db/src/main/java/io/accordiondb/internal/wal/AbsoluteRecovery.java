// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;

/** {@link io.accordiondb.RecoveryMode#ABSOLUTE}: accepts no damage and no loss. */
final class AbsoluteRecovery implements RecoveryStrategy {
  @Override
  public void checkDamage(CorruptionException damage) throws CorruptionException {
    throw damage;
  }

  @Override
  public void checkLoss(CorruptionException loss) throws CorruptionException {
    throw loss;
  }
}
