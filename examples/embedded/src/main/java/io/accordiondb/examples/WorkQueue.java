// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.accordiondb.Database;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A queue that survives the end of the process. Keys are numbers in ascending order; several
 * threads may add and take. An entry is taken by deleting it on the condition that it is still
 * there, so each entry is taken once.
 */
public final class WorkQueue {
  private final KeyValueStore entries;
  private final AtomicLong next;

  /** Opens the queue of a database, and goes on behind the last entry. */
  public WorkQueue(Database database) throws IOException {
    entries = database.keyValueStore("queue");
    KeyValue last = entries.last();
    next = new AtomicLong(last == null ? 0 : ByteBuffer.wrap(last.key()).getLong() + 1);
  }

  /** Adds an entry at the end. */
  public void add(String work) throws IOException {
    byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(next.getAndIncrement()).array();
    entries.put(key, work.getBytes(UTF_8));
  }

  /** Takes the first entry; null if there is none. */
  public @Nullable String take() throws IOException {
    for (KeyValue first = entries.first(); first != null; first = entries.first()) {
      if (entries.compareAndSet(first.key(), first.value(), null)) {
        return new String(first.value(), UTF_8);
      }
      // Another thread has taken it: try the next one.
    }
    return null;
  }

  /** Adds ten entries and takes them. */
  public static void main(String[] arguments) throws IOException {
    try (Database database = Database.open(Path.of(arguments[0]))) {
      WorkQueue queue = new WorkQueue(database);
      for (int i = 1; i <= 10; i++) {
        queue.add("letter " + i);
      }
      for (String work = queue.take(); work != null; work = queue.take()) {
        System.out.println(work);
      }
    }
  }
}
