// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import io.accordiondb.CellLimits;
import io.accordiondb.ClosedException;
import io.accordiondb.CorruptionException;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.WriteStalledException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store of a task, open in the database that the process shares: its key space, the spaces of its
 * segments, and its iterators. Any thread may read; the caller must order writes and changes of
 * segments. Exceptions are those that Kafka Streams expects of a store.
 */
public final class TaskStore {
  private static final Logger LOG = LoggerFactory.getLogger(TaskStore.class);

  /** Well below what the smallest database takes at once. */
  private static final int PART_BYTES = 256 << 10;

  /** One iterator in this many records the stack trace of its opening. */
  private static final int ORIGIN_SAMPLE = 64;

  private final String name;
  private final String path;

  private final StoreTask task;
  private final SharedDatabase shared;
  private final StoreMarker marker;
  private final KeySpace main;
  private final NavigableMap<Long, KeySpace> segments = new ConcurrentSkipListMap<>();
  private final Set<SpaceIterator> iterators = ConcurrentHashMap.newKeySet();

  /** The database that has all that was written to the store. */
  private volatile OpenDatabase seen;

  /** When the store was last written, which may have been before it was opened. */
  private volatile long writtenEpoch;

  private volatile boolean damaged;
  private final AtomicBoolean open = new AtomicBoolean(true);

  TaskStore(
      String name,
      String path,
      StoreTask task,
      SharedDatabase shared,
      OpenDatabase opened,
      StoreMarker marker,
      SpaceRegistry.Entry entry) {
    this.name = name;
    this.path = path;
    this.task = task;
    this.shared = shared;
    this.marker = marker;
    this.main = new KeySpace(entry.number());
    this.seen = opened;
    this.writtenEpoch = shared.epoch();
    entry.segments().forEach((id, number) -> segments.put(id, new KeySpace(number)));
  }

  /** Returns the name of the store. */
  public String name() {
    return name;
  }

  /** Returns the store's own space. */
  public KeySpace main() {
    return main;
  }

  /** Returns the segments, by their numbers. They change while it is read. */
  public NavigableMap<Long, KeySpace> segments() {
    return Collections.unmodifiableNavigableMap(segments);
  }

  /** Returns a segment, and creates it if it is missing. */
  public KeySpace segment(long id) {
    KeySpace segment = segments.get(id);
    if (segment == null) {
      OpenDatabase database = database();
      try {
        segment = new KeySpace(database.registry().addSegment(path, id));
      } catch (IOException | IllegalStateException e) {
        throw failed("adding a segment", e);
      }
      segments.put(id, segment);
    }
    return segment;
  }

  /** Drops the segments below a number, without reading them. */
  public void dropSegmentsBelow(long id) {
    SpaceRegistry registry = database().registry();
    NavigableMap<Long, KeySpace> expired = segments.headMap(id, false);
    while (!expired.isEmpty()) {
      Map.Entry<Long, KeySpace> segment = expired.pollFirstEntry();
      segment.getValue().drop();
      try {
        registry.dropSegment(path, segment.getKey(), segment.getValue().number());
      } catch (IOException | IllegalStateException e) {
        segments.put(segment.getKey(), segment.getValue());
        throw failed("dropping a segment", e);
      }
    }
  }

  /** Returns the value of a key, or null. A key that is too long to be written has none. */
  public byte @Nullable [] get(KeySpace space, byte[] key) {
    OpenDatabase database = database();
    byte[] physical = space.physical(key);
    try {
      return physical.length > CellLimits.ROW_BYTES_MAX ? null : database.cells().get(physical);
    } catch (IOException | IllegalStateException | IllegalArgumentException e) {
      throw failed("getting a value", e);
    }
  }

  /** Writes a value, or deletes the key if it is null. */
  public void put(KeySpace space, byte[] key, byte @Nullable [] value) {
    OpenDatabase database = database();
    try {
      if (value == null) {
        database.cells().delete(space.physical(key), shared.durability());
      } else {
        database.cells().put(space.physical(key), value, shared.durability());
      }
    } catch (IOException | IllegalStateException | IllegalArgumentException e) {
      throw failed("putting a value", e);
    }
    noteWrite(database);
  }

  /**
   * Begins writes that become visible together and survive a crash together, unless they are more
   * than the database takes at once.
   */
  public SpaceBatch batch() {
    return batch(shared.batchBytesMax());
  }

  /** Begins writes of any number, which become visible in parts. */
  public SpaceBatch parts() {
    return batch(PART_BYTES);
  }

  private SpaceBatch batch(int partBytesMax) {
    return new SpaceBatch(this, database(), shared.durability(), partBytesMax);
  }

  /**
   * Returns an iterator over a range, as it is now.
   *
   * @param forward whether it goes from the first key to the last, or back
   */
  public KeyValueIterator<Bytes, byte[]> iterator(KeyRange range, boolean forward) {
    SpaceIterator iterator = open(List.of(range), forward, KeyFilter.ALL);
    try {
      iterator.begin();
      return iterator;
    } catch (IOException | IllegalStateException e) {
      iterator.close();
      throw failed("opening an iterator", e);
    }
  }

  /**
   * Returns an iterator over ranges, one after the other in their order, as they are when it is
   * first used.
   *
   * @param forward whether each range is iterated from its first key to its last, or back
   * @param filter which keys it shows
   */
  public KeyValueIterator<Bytes, byte[]> iterator(
      List<KeyRange> ranges, boolean forward, KeyFilter filter) {
    return open(ranges, forward, filter);
  }

  private SpaceIterator open(List<KeyRange> ranges, boolean forward, KeyFilter filter) {
    SpaceIterator iterator =
        new SpaceIterator(this, database().cells(), ranges, forward, filter, sampledOrigin());
    iterators.add(iterator);
    shared.watch(iterator);
    if (!open.get()) {
      // Closing the store may have passed over it.
      iterator.close();
      checkOpen();
    }
    return iterator;
  }

  private @Nullable Throwable sampledOrigin() {
    boolean record =
        shared.options().leaksAlways() || ThreadLocalRandom.current().nextInt(ORIGIN_SAMPLE) == 0;
    return record ? new Throwable("The iterator was opened here") : null;
  }

  /** Makes durable what was written to the store. */
  public void flush() {
    if (!open.get()) {
      return;
    }
    try {
      database();
      shared.flush(writtenEpoch);
      database();
    } catch (IOException | IllegalStateException e) {
      throw failed("flushing", e);
    }
  }

  /** Returns whether the store has not been closed. */
  public boolean isOpen() {
    return open.get();
  }

  /** Returns the statistics of the shared database, of the last second. */
  public DatabaseStatistics statistics() {
    checkOpen();
    try {
      return shared.statistics();
    } catch (IOException | IllegalStateException e) {
      throw failed("taking statistics", e);
    }
  }

  /**
   * Closes the store, and iterators that were left open, which are reported. Idempotent; any thread
   * may call it.
   */
  public void close() {
    if (!open.getAndSet(false)) {
      return;
    }
    try {
      for (SpaceIterator iterator : Set.copyOf(iterators)) {
        LOG.warn("Closing an iterator of store {} that was left open", name, iterator.origin());
        iterator.close();
      }
      if (damaged) {
        shared.discard(path, marker);
      }
      if (task.isGlobal() && (damaged || shared.isDamaged())) {
        // The stores will begin empty, and Kafka Streams reads the checkpoint before it opens them.
        task.deleteCheckpoint();
      }
    } catch (IOException e) {
      throw new ProcessorStateException("Error dropping store " + name, e);
    } finally {
      shared.leave(path);
      StoreOpening.release(shared, name);
    }
  }

  void forget(SpaceIterator iterator) {
    iterators.remove(iterator);
    shared.forget(iterator);
  }

  /**
   * Records a write after it was made, and throws if it was lost because the database has failed.
   */
  void noteWrite(OpenDatabase written) {
    writtenEpoch = shared.epoch();
    if (written != shared.opened()) {
      throw task.restoration(lost());
    }
  }

  /** Returns what Kafka Streams expects to be thrown after a failure of the database. */
  RuntimeException failed(String doing, Exception cause) {
    if (!open.get()) {
      return new InvalidStateStoreException("Store " + name + " is currently closed", cause);
    }
    if (cause instanceof ClosedException) {
      return task.restoration(
          new InvalidStateStoreException(
              "The database of store " + name + " is opened again while " + doing, cause));
    }
    if (cause instanceof CorruptionException corruption) {
      damaged = true;
      shared.noteDamage(corruption);
      return task.restoration(
          new ProcessorStateException("Store " + name + " is damaged", corruption));
    }
    ProcessorStateException error =
        new ProcessorStateException("Error while " + doing + " in store " + name, cause);
    boolean isRefused =
        cause instanceof DatabaseFailedException || cause instanceof WriteStalledException;
    return isRefused ? task.restoration(error) : error;
  }

  /** Returns what has Kafka Streams restore the task, or the loss itself. */
  RuntimeException restoration(StreamsException loss) {
    return task.restoration(loss);
  }

  /**
   * Returns the database, which may have been opened again, unless writes of the store are lost.
   */
  private OpenDatabase database() {
    checkOpen();
    OpenDatabase now = shared.opened();
    if (now != seen && !follow(now)) {
      throw task.restoration(lost());
    }
    return now;
  }

  /** Uses another database from now on, if it has all that was written to the store. */
  private synchronized boolean follow(OpenDatabase now) {
    try {
      if (now != seen && !(now.hasAllOf(seen, writtenEpoch) && isIn(now))) {
        return false;
      }
    } catch (IOException | IllegalStateException e) {
      throw failed("opening the database again", e);
    }
    seen = now;
    return true;
  }

  /** Returns whether the database has the key spaces of the store. */
  private boolean isIn(OpenDatabase now) throws IOException {
    Map<Long, Integer> numbers = new TreeMap<>();
    segments.forEach((id, segment) -> numbers.put(id, segment.number()));
    SpaceRegistry.Entry entry = now.registry().find(path);
    return entry != null && entry.number() == main.number() && entry.segments().equals(numbers);
  }

  private InvalidStateStoreException lost() {
    return new InvalidStateStoreException(
        "Store "
            + name
            + " has lost writes, because the database has failed and was opened again;"
            + " its task must be initialized again");
  }

  private void checkOpen() {
    if (!open.get()) {
      throw new InvalidStateStoreException("Store " + name + " is currently closed");
    }
  }
}
