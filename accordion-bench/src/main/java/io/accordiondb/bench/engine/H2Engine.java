// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import io.accordiondb.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;

/**
 * H2's MVStore: a copy-on-write B-tree in one file without a log. To hand a write to the operating
 * system before it returns, all changed pages have to be written: SYNC and FSYNC commit at each
 * write, the others leave that to the store's own thread.
 */
final class H2Engine implements Engine {
  private static final int MIB = 1 << 20;
  private static final int KIB = 1 << 10;
  private static final int WRITE_DELAY_MILLIS = 10;

  private final EngineOptions options;
  private final MVStore store;
  private final MVMap<byte[], byte[]> map;

  H2Engine(EngineOptions options) throws IOException {
    this.options = options;
    Files.createDirectories(options.directory());
    MVStore.Builder builder =
        new MVStore.Builder()
            .fileName(options.directory().resolve("bench.mv.db").toString())
            .cacheSize((int) (options.cacheBytes() / MIB))
            .autoCommitBufferSize((int) (options.memoryBytes() / KIB))
            .compress();
    if (commitsEachWrite()) {
      builder.autoCommitDisabled();
    }
    store = builder.open();
    if (options.durability() == Durability.ASYNC) {
      store.setAutoCommitDelay(WRITE_DELAY_MILLIS);
    }
    map =
        store.openMap(
            "bench",
            new MVMap.Builder<byte[], byte[]>()
                .keyType(ByteArrayDataType.INSTANCE)
                .valueType(ByteArrayDataType.INSTANCE));
  }

  private boolean commitsEachWrite() {
    return options.durability() == Durability.SYNC || options.durability() == Durability.FSYNC;
  }

  @Override
  public Session session() {
    return new EntrySession(new TreeStore(), options.fields());
  }

  @Override
  public EngineFigures figures() {
    return EngineFigures.UNKNOWN;
  }

  @Override
  public String settings() {
    return "H2 MVStore "
        + LibraryVersion.of(MVStore.class, "com.h2database", "h2-mvstore")
        + ": page cache "
        + options.cacheBytes()
        + " bytes, LZF, "
        + (commitsEachWrite()
            ? "no log: changed pages are written at each write"
            : "changed pages are written in the background or from "
                + options.memoryBytes()
                + " bytes on")
        + (options.durability() == Durability.FSYNC ? " and forced" : "");
  }

  @Override
  public void close() {
    store.close();
  }

  private final class TreeStore extends MapStore {
    TreeStore() {
      super(map);
    }

    @Override
    void commit() {
      if (commitsEachWrite()) {
        store.commit();
      }
      if (options.durability() == Durability.FSYNC) {
        store.sync();
      }
    }

    @Override
    public List<Entry> scan(ScanRequest scan) {
      List<Entry> found = new ArrayList<>(scan.count());
      Cursor<byte[], byte[]> cursor = map.cursor(scan.key(), scan.end(), scan.reversed());
      // A cursor's end is inclusive, a scan's is not.
      while (found.size() < scan.count() && cursor.hasNext() && scan.reaches(cursor.next())) {
        found.add(new Entry(cursor.getKey(), cursor.getValue()));
      }
      return found;
    }
  }
}
