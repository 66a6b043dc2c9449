// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import io.accordiondb.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.iq80.leveldb.CompressionType;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.DBIterator;
import org.iq80.leveldb.Options;
import org.iq80.leveldb.WriteBatch;
import org.iq80.leveldb.WriteOptions;
import org.iq80.leveldb.impl.Iq80DBFactory;
import org.jspecify.annotations.Nullable;

/**
 * LevelDB in Java, by iq80. It has no Bloom filters, no cache of blocks and no reverse scans; files
 * are mapped.
 */
final class LevelDbEngine implements Engine {
  private final EngineOptions options;
  private final WriteOptions writeOptions;
  private final DB database;

  LevelDbEngine(EngineOptions options) throws IOException {
    this.options = options;
    Files.createDirectories(options.directory());
    writeOptions = new WriteOptions().sync(options.durability() == Durability.FSYNC);
    database =
        Iq80DBFactory.factory.open(
            options.directory().toFile(),
            new Options()
                .createIfMissing(true)
                .writeBufferSize((int) Math.min(Integer.MAX_VALUE, options.memoryBytes() / 2))
                .compressionType(CompressionType.SNAPPY));
  }

  @Override
  public Session session() {
    return new EntrySession(new BatchStore(), options.fields());
  }

  @Override
  public EngineFigures figures() {
    return EngineFigures.UNKNOWN;
  }

  @Override
  public String settings() {
    return "LevelDB in Java (iq80) "
        + LibraryVersion.of(Iq80DBFactory.class, "org.iq80.leveldb", "leveldb")
        + ": 2 write buffers of "
        + options.memoryBytes() / 2
        + " bytes, no cache of blocks but the system's, Snappy, no Bloom filters, log "
        + (options.durability() == Durability.FSYNC ? "forced" : "written, not forced,")
        + " at each write";
  }

  @Override
  public void close() throws IOException {
    database.close();
  }

  private final class BatchStore implements EntryStore {
    @Override
    public void put(List<Entry> entries) throws IOException {
      try (WriteBatch batch = database.createWriteBatch()) {
        for (Entry entry : entries) {
          batch.put(entry.key(), entry.value());
        }
        database.write(batch, writeOptions);
      }
    }

    @Override
    public void delete(List<byte[]> keys) throws IOException {
      try (WriteBatch batch = database.createWriteBatch()) {
        keys.forEach(batch::delete);
        database.write(batch, writeOptions);
      }
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      return database.get(key);
    }

    @Override
    public List<Entry> scan(ScanRequest scan) throws IOException {
      if (scan.reversed()) {
        throw new EngineUnavailableException(
            "leveldb cannot be used for reverse scans: its iterators in Java only go forward");
      }
      try (DBIterator iterator = database.iterator()) {
        iterator.seek(scan.key());
        return EntryStore.take(scan, iterator);
      }
    }
  }
}
