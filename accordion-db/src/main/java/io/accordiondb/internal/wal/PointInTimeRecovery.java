// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;

/** {@link io.accordiondb.RecoveryMode#POINT_IN_TIME}: ends the replay before the first damage. */
final class PointInTimeRecovery implements RecoveryStrategy {
  @Override
  public void checkDamage(CorruptionException damage) {}

  @Override
  public void checkLoss(CorruptionException loss) {}
}
