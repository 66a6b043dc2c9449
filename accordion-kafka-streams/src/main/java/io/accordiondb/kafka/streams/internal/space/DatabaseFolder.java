// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.LeakDetection;
import io.accordiondb.event.CorruptionEvent;
import io.accordiondb.event.EventListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of the database in an application's state directory, and the note that the database is
 * damaged, which is beside it.
 */
final class DatabaseFolder {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseFolder.class);
  private static final String FOLDER = "accordion";
  private static final String DAMAGED = "accordion.damaged";
  private static final String ASIDE = FOLDER + ".aside-";

  /** The file that makes a folder a database. */
  private static final String CURRENT = "CURRENT";

  private static final long VALUE_BYTES_MAX = 64 << 20;

  /** As long as a database lets a write wait: Kafka Streams itself limits how long a task takes. */
  private static final Duration STALL_MAX = Duration.ofHours(24);

  private final Path home;
  private final Path folder;
  private final Path damaged;
  private final DatabaseOptions options;

  DatabaseFolder(Path home, SpaceOptions options) {
    this.home = home;
    this.folder = home.resolve(FOLDER);
    this.damaged = home.resolve(DAMAGED);
    long memoryBytes = options.memoryBytes();
    this.options =
        DatabaseOptions.builder()
            // An eighth is left for what reads, flushes and compactions hold on the way.
            .memoryBytes(memoryBytes / 2)
            // As much as one commit may have; by default it would be 10 MiB with any budget.
            .valueBytesMax((int) Math.min(VALUE_BYTES_MAX, memoryBytes / 8 * 3))
            .blockCacheBytes(memoryBytes / 8 * 3)
            // A flush of one region is atomic, and there is no log. After a crash, a versioned
            // store must not have a latest version without the one that it has moved to a segment.
            .regionSplitBytes(Long.MAX_VALUE)
            .stallMax(STALL_MAX)
            .leakDetection(options.leaksAlways() ? LeakDetection.ALWAYS : LeakDetection.SAMPLED)
            .eventListener(new DamageListener())
            .build();
  }

  /**
   * Opens the database. If damage was found in it before, or is found now, it is put aside and an
   * empty one is created; Kafka Streams then restores what changelogs have.
   *
   * @param number how often it was opened before
   * @param keptEpoch what was written after this epoch is lost
   */
  OpenDatabase open(int number, long keptEpoch) throws IOException {
    Files.createDirectories(home);
    if (isDamaged()) {
      if (Files.exists(folder)) {
        // The note itself may be damaged, too.
        putAside(new String(Files.readAllBytes(damaged), UTF_8));
      }
      Files.delete(damaged);
    }
    try {
      return openFolder(number, keptEpoch);
    } catch (CorruptionException e) {
      if (e.file().endsWith(CURRENT)) {
        throw e; // The folder may be that of another program.
      }
      putAside(String.valueOf(e.getMessage()));
      Files.deleteIfExists(damaged);
      return openFolder(number, keptEpoch);
    }
  }

  private OpenDatabase openFolder(int number, long keptEpoch) throws IOException {
    Database database = Database.open(folder, options);
    OpenDatabase opened = null;
    try {
      opened = new OpenDatabase(database, number, keptEpoch);
      return opened;
    } finally {
      if (opened == null) {
        database.close();
      }
    }
  }

  DatabaseOptions options() {
    return options;
  }

  private void putAside(String damage) throws IOException {
    Path aside = home.resolve(ASIDE + System.currentTimeMillis());
    LOG.warn("Database {} is damaged; it is now {}, and begun again: {}", folder, aside, damage);
    Files.move(folder, aside, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Returns the damaged databases that were put aside and not deleted. */
  List<Path> asides() throws IOException {
    try (Stream<Path> files = Files.list(home)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(ASIDE))
          .sorted()
          .toList();
    }
  }

  /** Returns whether damage is noted. */
  boolean isDamaged() {
    return Files.exists(damaged);
  }

  /** Records damage, so that the next opening puts the database aside. */
  void noteDamage(Throwable damage) {
    LOG.error("Database {} is damaged", folder, damage);
    try {
      Files.writeString(damaged, String.valueOf(damage.getMessage()));
    } catch (IOException e) {
      LOG.error("Cannot note the damage", e);
    }
  }

  /** Notes damage that compactions find, which no task may ever read. */
  private final class DamageListener implements EventListener {
    @Override
    public void onCorruption(CorruptionEvent event) {
      noteDamage(event.cause());
    }
  }
}
