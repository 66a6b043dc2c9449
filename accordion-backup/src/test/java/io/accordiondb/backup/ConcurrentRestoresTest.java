// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.RestorePoint;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two restores find the same folder empty. The one that does not get it leaves it alone. */
@Timeout(120)
class ConcurrentRestoresTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final DatabaseOptions KEEPING =
      DatabaseOptions.builder().logRetention(Duration.ofDays(7)).build();

  @TempDir private Path folder;
  private BackupTarget target;
  private Path restored;

  @BeforeEach
  void backUp() throws IOException {
    target = BackupTarget.folder(folder.resolve("backups"));
    restored = folder.resolve("restored");
    try (Database database = Database.open(folder.resolve("db"), KEEPING)) {
      database.keyValueStore("s").put(KEY, KEY);
      Backups.at(target).create(database);
      Backups.at(target).create(database);
    }
  }

  private void restoreOther() {
    try {
      Backups.at(target).restore(1, restored);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void assertRestored() throws IOException {
    assertThat(restored.resolve("restoring")).doesNotExist();
    try (Database database = Database.open(restored)) {
      assertThat(database.keyValueStore("s").get(KEY)).isEqualTo(KEY);
    }
  }

  /** Restores a generation; the folder is empty when it begins. */
  private void restoreAfter(Runnable other) throws IOException {
    GenerationRecord second = GenerationRecord.read(target, 2);
    List<Runnable> once = new ArrayList<>(List.of(other));
    new BackupReader(target, second, BackupOptions.DEFAULTS)
        .restore(
            restored,
            name -> {
              once.forEach(Runnable::run);
              once.clear();
              return FollowedLog.isOfDatabase(name);
            });
  }

  @Test
  void theOtherHasEnded() throws IOException {
    Throwable refusal = catchThrowable(() -> restoreAfter(this::restoreOther));
    assertRestored();
    assertThat(refusal).isInstanceOf(DirectoryNotEmptyException.class);
  }

  @Test
  void theOtherHasEndedBeforeAMomentIsRestored() throws IOException {
    List<Runnable> once = new ArrayList<>(List.of(this::restoreOther));
    List<GenerationRecord> both =
        List.of(GenerationRecord.read(target, 1), GenerationRecord.read(target, 2));
    List<GenerationRecord> generations =
        new AbstractList<>() {
          @Override
          public GenerationRecord get(int index) {
            once.forEach(Runnable::run);
            once.clear();
            return both.get(index);
          }

          @Override
          public int size() {
            return both.size();
          }
        };
    RestorePoint point = RestorePoint.sequence(both.get(1).generation().checkpoint().sequence());
    PointRestore restore = new PointRestore(target, generations, point);
    Throwable refusal =
        catchThrowable(() -> restore.into(restored, KEEPING, BackupOptions.DEFAULTS));
    assertRestored();
    assertThat(refusal).isInstanceOf(DirectoryNotEmptyException.class);
  }

  @Test
  void theOtherGoesOn() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    BackupOptions pausing =
        BackupOptions.DEFAULTS.withProgress(
            (files, filesAll, bytes, bytesAll) -> {
              begun.countDown();
              await(goOn);
            });
    FutureTask<Void> other =
        new FutureTask<>(
            () -> {
              Backups.at(target).restore(1, restored, pausing);
              return null;
            });
    Thread thread = new Thread(other);
    Throwable refusal =
        catchThrowable(
            () ->
                restoreAfter(
                    () -> {
                      thread.start();
                      await(begun);
                    }));
    goOn.countDown();
    other.get();
    assertRestored();
    assertThat(refusal).isInstanceOf(DirectoryNotEmptyException.class);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
