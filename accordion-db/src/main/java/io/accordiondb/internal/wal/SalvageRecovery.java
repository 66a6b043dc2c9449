// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.record.RecordReader;
import java.io.IOException;
import java.util.List;

/** {@link io.accordiondb.RecoveryMode#SALVAGE}: replays all sound records, wherever they are. */
final class SalvageRecovery implements RecoveryStrategy {
  @Override
  public void checkDamage(CorruptionException damage) {}

  @Override
  public void checkLoss(CorruptionException loss) {}

  @Override
  public void replay(ReplayTask task, ReplayedLog replayed) throws IOException {
    List<LogFile> files = task.files();
    for (int i = 0; i < files.size(); i++) {
      LogFile file = files.get(i);
      if (file.damage() != null) {
        replayed.leaveOut(file.damage(), 0);
      }
      // Numbers that were given out before are not given out again, even if their cells are gone.
      replayed.beginBehind(Math.max(replayed.lastSequence(), previousSequenceOf(file)));
      if (!task.exists(file)) {
        continue;
      }
      long bytesMax = file.bytesBefore(i + 1 < files.size() ? files.get(i + 1) : null);
      try (RecordReader reader = LogFile.openUnchecked(task.storage(), file.number())) {
        salvage(reader, bytesMax, task, replayed);
        replayed.endFile(reader.soundBytes());
      }
    }
  }

  private static long previousSequenceOf(LogFile file) {
    LogLink link = file.link();
    KnownLog known = file.known();
    return Math.max(
        link == null ? 0 : link.previousSequence(), known == null ? 0 : known.previousSequence());
  }

  private static void salvage(
      RecordReader reader, long bytesMax, ReplayTask task, ReplayedLog replayed)
      throws IOException {
    while (reader.soundBytes() < bytesMax) {
      if (reader.next()) {
        if (reader.count() > 0 && reader.firstSequence() > replayed.lastSequence()) {
          replayed.deliver(reader, 0, task.consumer());
        }
      } else {
        CorruptionException damage = reader.tornException();
        long skipped = reader.skipUnsound();
        if (skipped == 0) {
          return;
        }
        replayed.leaveOut(damage, skipped);
      }
    }
  }
}
