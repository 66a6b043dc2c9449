// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * A file in a task's directory that names the incarnation of a store. Kafka Streams wipes a store
 * by deleting the task's directory, and assumes that a directory that is not empty may hold state.
 * So the file represents the keys of the store in the shared database.
 */
final class StoreMarker {
  private static final String FOLDER = "accordion";

  /**
   * Stands behind what is made of the name of a store in that of a file beside the folder; in the
   * folder, any name may be that of a store.
   */
  private static final String UNFINISHED = ".accordion~";

  private final Path file;
  private final Path unfinished;

  StoreMarker(Path taskDirectory, String store) {
    this.file = taskDirectory.resolve(FOLDER).resolve(store);
    // The name of a store may be as long as that of a file, so nothing can be appended to it.
    UUID name = UUID.nameUUIDFromBytes(store.getBytes(UTF_8));
    this.unfinished = taskDirectory.resolve(name + UNFINISHED);
  }

  /** Returns the incarnation, or null if there is no file. A damaged file names another one. */
  @Nullable String read() throws IOException {
    try {
      // Files.readString throws if the bytes are not UTF-8, and then no store could be opened.
      return new String(Files.readAllBytes(file), UTF_8);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /**
   * Writes the incarnation, durably, as a whole or not at all: a file without it would say that the
   * store has had an incarnation, and what another kind of store has kept would be ignored.
   */
  void write(String incarnation) throws IOException {
    Files.createDirectories(file.getParent());
    try (FileChannel channel =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = UTF_8.encode(incarnation);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    Utils.flushDir(file.getParent());
  }

  /** Returns whether the store has had an incarnation since the directory was created. */
  boolean exists() {
    return Files.exists(file);
  }

  /** Changes the file so that it names no incarnation. */
  void invalidate() throws IOException {
    write("");
  }
}
