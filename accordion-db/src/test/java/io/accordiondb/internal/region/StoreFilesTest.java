// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.accordiondb.FileReading;
import io.accordiondb.LoggedText;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.ObservedStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StoreFilesTest {
  private static final long NUMBER = 7;

  private final MemoryStorage disk = new MemoryStorage();

  private StoreFiles files(Runnable beforeDeletion) throws IOException {
    disk.createDirectories(StoreFiles.DIRECTORY);
    disk.create(StoreFiles.nameOf(NUMBER)).close();
    return new StoreFiles(
        new ObservedStorage(disk, beforeDeletion),
        FileReading.PLAIN,
        open -> false,
        new BlockCache(0),
        number -> false,
        Runnable::run,
        Telemetry.silent());
  }

  /** Two regions may stop using their views of one file at the same time. */
  @Test
  void twoThatDeleteOneFileAtTheSameTimeWarnOfNothing() throws IOException {
    AtomicBoolean first = new AtomicBoolean();
    try (LoggedText log = new LoggedText();
        StoreFiles files =
            files(
                () -> {
                  first.set(true);
                  deleteByAnother();
                })) {
      files.giveUp(List.of(NUMBER), true);
      assertThat(first).isTrue();
      assertThat(log.toString()).doesNotContain("could not delete");
    }
  }

  /** The list lets the manifest go on while it is queued. */
  @Test
  void filesThatAreGivenUpWhileTheManifestGoesOnAreDeleted() throws IOException {
    FaultyStorage failing = new FaultyStorage(disk);
    try (StoreFiles files = files(() -> {});
        Manifest manifest = Manifest.create(failing)) {
      failing.failOnce(Set.of(Operation.APPEND), 1);
      assertThatIOException()
          .isThrownBy(() -> manifest.commit(List.of(new VersionEdit.SetClockFloor(5))));
      List<Long> numbers =
          new ArrayList<>(List.of(NUMBER)) {
            private static final long serialVersionUID = 1L;

            @Override
            public Iterator<Long> iterator() {
              resume(manifest);
              return super.iterator();
            }
          };
      FileRecorder.giveUp(files, manifest, numbers);
      assertThat(disk.list(StoreFiles.DIRECTORY)).isEmpty();
      assertThat(files.givenUp()).isEmpty();
    }
  }

  private static void resume(Manifest manifest) {
    try {
      manifest.resume();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void deleteByAnother() {
    try {
      disk.delete(StoreFiles.nameOf(NUMBER));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFileThatCannotBeDeletedIsLogged() throws IOException {
    try (LoggedText log = new LoggedText();
        StoreFiles files =
            files(
                () -> {
                  throw new UncheckedIOException(new IOException("injected"));
                })) {
      files.giveUp(List.of(NUMBER), true);
      assertThat(log.toString()).contains("could not delete " + disk.path(StoreFiles.nameOf(7)));
    }
  }
}
