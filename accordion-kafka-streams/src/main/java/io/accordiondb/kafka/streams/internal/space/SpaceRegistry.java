// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.Database;
import io.accordiondb.Durability;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.WriteBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Records which key spaces exist and which store owns each, in a key-value store of the database
 * itself. Thread-safe.
 *
 * <p>A store is known by its path: the task's directory below the application's, and the name of
 * its marker file. It has an incarnation, a random name that is also stored in the task's directory
 * and is deleted with it. The number of a key space is never used again, so rows of a dropped space
 * that a crash brings back belong to no store.
 *
 * <p>Rows: {@code s/PATH} has the incarnation and the number of the store's own space, {@code
 * g/PATH/SEGMENT} the number of a segment's, {@code n} the first number that is not reserved,
 * {@code f} nothing.
 */
final class SpaceRegistry {
  private static final String TABLE = "spaces";
  private static final byte[] NEXT_NUMBER = {'n'};

  /** The length of the random part of an incarnation. */
  private static final int RANDOM_CHARS = 36;

  /** Written for the sake of the log alone. */
  private static final byte[] FORCED = {'f'};

  /** Numbers are reserved this many at a time, because that has to reach the device. */
  private static final int RESERVED_NUMBERS = 64;

  private static final int NUMBERS_MAX = Integer.MAX_VALUE - 2 * RESERVED_NUMBERS;

  /**
   * A store as it is known.
   *
   * @param incarnation what its marker file must say: a random name, and the format of the store
   * @param number of its own space
   * @param segments numbers of its segments' spaces
   */
  record Entry(String incarnation, int number, Map<Long, Integer> segments) {
    /** Returns whether the store has a format. */
    boolean has(StoreFormat format) {
      return format.isSaidBy(incarnation.substring(Math.min(RANDOM_CHARS, incarnation.length())));
    }
  }

  private final Database database;
  private final KeyValueStore rows;
  private final KeyValueStore cells;

  @GuardedBy("this")
  private int next;

  @GuardedBy("this")
  private int reserved;

  SpaceRegistry(Database database, KeyValueStore cells) throws IOException {
    this.database = database;
    this.rows = database.keyValueStore(TABLE);
    this.cells = cells;
    byte[] number = rows.get(NEXT_NUMBER);
    this.next = number == null ? 0 : ByteBuffer.wrap(number).getInt();
    this.reserved = next;
  }

  /** Returns a store, or null if it is not known. */
  @Nullable Entry find(String path) throws IOException {
    byte[] row = rows.get(storeRow(path));
    if (row == null) {
      return null;
    }
    Map<Long, Integer> segments = new TreeMap<>();
    byte[] prefix = segmentPrefix(path);
    try (KeyValueIterator found = rows.prefix(prefix)) {
      while (found.hasNext()) {
        KeyValue segment = found.next();
        long id = ByteBuffer.wrap(segment.key()).getLong(prefix.length) ^ Long.MIN_VALUE;
        segments.put(id, ByteBuffer.wrap(segment.value()).getInt());
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    ByteBuffer fields = ByteBuffer.wrap(row);
    int number = fields.getInt();
    return new Entry(UTF_8.decode(fields).toString(), number, segments);
  }

  /** Makes a store known, under a new incarnation. */
  Entry create(String path, StoreFormat format) throws IOException {
    String incarnation = UUID.randomUUID() + format.suffix();
    int number = nextNumber();
    byte[] name = incarnation.getBytes(UTF_8);
    byte[] row = ByteBuffer.allocate(Integer.BYTES + name.length).putInt(number).put(name).array();
    rows.put(storeRow(path), row, Durability.SYNC);
    return new Entry(incarnation, number, Map.of());
  }

  /**
   * Adds a segment to a store and returns the number of its space. If the store is open twice, the
   * other one may have added it.
   */
  synchronized int addSegment(String path, long segment) throws IOException {
    byte[] present = rows.get(segmentRow(path, segment));
    if (present != null) {
      return ByteBuffer.wrap(present).getInt();
    }
    int number = nextNumber();
    byte[] value = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    rows.put(segmentRow(path, segment), value, Durability.SYNC);
    return number;
  }

  /** Drops a segment with all its keys, which reads none of them. */
  void dropSegment(String path, long segment, int number) throws IOException {
    WriteBatch batch = new WriteBatch().delete(rows, segmentRow(path, segment));
    dropKeys(batch, number);
    database.write(batch, Durability.SYNC);
  }

  /** Drops a store with all its keys. */
  void drop(String path, Entry entry) throws IOException {
    WriteBatch batch = new WriteBatch().delete(rows, storeRow(path));
    dropKeys(batch, entry.number());
    entry
        .segments()
        .forEach(
            (segment, number) -> {
              batch.delete(rows, segmentRow(path, segment));
              dropKeys(batch, number);
            });
    database.write(batch, Durability.SYNC);
  }

  /** Returns the paths of all stores. */
  List<String> paths() throws IOException {
    List<String> paths = new ArrayList<>();
    try (KeyValueIterator found = rows.prefix(storeRow(""))) {
      found.forEachRemaining(row -> paths.add(new String(row.key(), UTF_8).substring(2)));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return paths;
  }

  /** Forces to the device what was logged before the call. */
  void forceLog() throws IOException {
    rows.put(FORCED, new byte[0], Durability.FSYNC);
  }

  private void dropKeys(WriteBatch batch, int number) {
    batch.deleteRange(cells, SpacePrefix.of(number), SpacePrefix.of(number + 1));
  }

  private synchronized int nextNumber() throws IOException {
    if (next > NUMBERS_MAX) {
      throw new IOException(
          "all numbers of key spaces are used; delete the folder of the database, so that its"
              + " stores are restored");
    }
    if (next == reserved) {
      int end = next + RESERVED_NUMBERS;
      rows.put(
          NEXT_NUMBER, ByteBuffer.allocate(Integer.BYTES).putInt(end).array(), Durability.FSYNC);
      reserved = end;
    }
    return next++;
  }

  private static byte[] storeRow(String path) {
    return ("s/" + path).getBytes(UTF_8);
  }

  private static byte[] segmentPrefix(String path) {
    return ("g/" + path + "/").getBytes(UTF_8);
  }

  private static byte[] segmentRow(String path, long segment) {
    byte[] prefix = segmentPrefix(path);
    return ByteBuffer.allocate(prefix.length + Long.BYTES)
        .put(prefix)
        .putLong(segment ^ Long.MIN_VALUE)
        .array();
  }
}
