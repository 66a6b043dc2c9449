// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import io.accordiondb.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/**
 * MapDB's tree map in a mapped file. MapDB forces its log at each commit and has no option to
 * prevent it, so this engine uses a log under FSYNC only. Without a log, the operating system has a
 * write when the call returns, but a crash during the write damages the store.
 */
final class MapDbEngine implements Engine {
  private final EngineOptions options;
  private final DB database;
  private final BTreeMap<byte[], byte[]> map;

  MapDbEngine(EngineOptions options) throws IOException {
    this.options = options;
    Files.createDirectories(options.directory());
    DBMaker.Maker maker =
        DBMaker.fileDB(options.directory().resolve("bench.mapdb").toFile())
            .fileMmapEnableIfSupported();
    database = hasLog() ? maker.transactionEnable().make() : maker.make();
    map = database.treeMap("bench", Serializer.BYTE_ARRAY, Serializer.BYTE_ARRAY).createOrOpen();
  }

  private boolean hasLog() {
    return options.durability() == Durability.FSYNC;
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
    return "MapDB "
        + LibraryVersion.of(DB.class, "org.mapdb", "mapdb")
        + ": mapped file, no memory of its own but the system's cache, no compression, "
        + (hasLog() ? "log forced at each write" : "no log: not safe in a crash");
  }

  @Override
  public void close() {
    database.close();
  }

  private final class TreeStore extends MapStore {
    TreeStore() {
      super(map);
    }

    @Override
    void commit() {
      if (hasLog()) {
        database.commit();
      }
    }

    @Override
    public List<Entry> scan(ScanRequest scan) {
      return EntryStore.take(
          scan,
          scan.reversed()
              ? map.descendingEntryIterator(null, false, scan.key(), true)
              : map.entryIterator(scan.key(), true, scan.end(), false));
    }
  }
}
