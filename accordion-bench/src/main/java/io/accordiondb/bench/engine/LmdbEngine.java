// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import static java.nio.ByteBuffer.allocateDirect;

import io.accordiondb.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.GetOp;
import org.lmdbjava.Meta;
import org.lmdbjava.Txn;

/**
 * LMDB: a copy-on-write B-tree in a mapped file, without memory of its own for writes or blocks:
 * the operating system's cache serves, and counts as the process's memory while it is mapped.
 */
final class LmdbEngine implements Engine {
  private static final long MAP_BYTES = 1L << 36;
  private static final int READERS_MAX = 256;
  private static final int KEY_BYTES_MAX = 511;
  private static final int VALUE_BYTES = 4096;

  private final EngineOptions options;
  private final Env<ByteBuffer> environment;
  private final Dbi<ByteBuffer> entries;

  LmdbEngine(EngineOptions options) throws IOException {
    this.options = options;
    Files.createDirectories(options.directory());
    Env.Builder<ByteBuffer> builder =
        Env.create().setMapSize(MAP_BYTES).setMaxDbs(1).setMaxReaders(READERS_MAX);
    environment =
        options.durability() == Durability.FSYNC
            ? builder.open(options.directory().toFile())
            : builder.open(options.directory().toFile(), EnvFlags.MDB_NOSYNC);
    entries = environment.openDbi("bench", DbiFlags.MDB_CREATE);
  }

  @Override
  public Session session() {
    return new EntrySession(new TransactionStore(), options.fields());
  }

  @Override
  public EngineFigures figures() {
    return EngineFigures.UNKNOWN;
  }

  @Override
  public String settings() {
    Meta.Version version = Meta.version();
    return "LMDB "
        + version.major
        + "."
        + version.minor
        + "."
        + version.patch
        + " by lmdbjava "
        + LibraryVersion.of(Env.class, "org.lmdbjava", "lmdbjava")
        + ": no memory of its own but the system's cache, no compression, no log: changed pages are "
        + (options.durability() == Durability.FSYNC
            ? "written and forced"
            : "written, not forced (MDB_NOSYNC),")
        + " at each write";
  }

  @Override
  public void close() {
    environment.close();
  }

  private final class TransactionStore implements EntryStore {
    private final ByteBuffer keyBuffer = allocateDirect(KEY_BYTES_MAX);
    private ByteBuffer valueBuffer = allocateDirect(VALUE_BYTES);

    @Override
    public void put(List<Entry> batch) {
      try (Txn<ByteBuffer> transaction = environment.txnWrite()) {
        for (Entry entry : batch) {
          entries.put(transaction, key(entry.key()), value(entry.value()));
        }
        transaction.commit();
      }
    }

    @Override
    public void delete(List<byte[]> keys) {
      try (Txn<ByteBuffer> transaction = environment.txnWrite()) {
        for (byte[] key : keys) {
          boolean unused = entries.delete(transaction, key(key));
        }
        transaction.commit();
      }
    }

    private ByteBuffer key(byte[] bytes) {
      return keyBuffer.clear().put(bytes).flip();
    }

    private ByteBuffer value(byte[] bytes) {
      if (valueBuffer.capacity() < bytes.length) {
        valueBuffer = allocateDirect(bytes.length);
      }
      return valueBuffer.clear().put(bytes).flip();
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      try (Txn<ByteBuffer> transaction = environment.txnRead()) {
        ByteBuffer found = entries.get(transaction, key(key));
        return found == null ? null : copy(found);
      }
    }

    @Override
    public List<Entry> scan(ScanRequest scan) {
      List<Entry> found = new ArrayList<>(scan.count());
      try (Txn<ByteBuffer> transaction = environment.txnRead();
          Cursor<ByteBuffer> cursor = entries.openCursor(transaction)) {
        boolean more = seek(cursor, scan);
        while (more && found.size() < scan.count()) {
          byte[] key = copy(cursor.key());
          if (!scan.reaches(key)) {
            break;
          }
          found.add(new Entry(key, copy(cursor.val())));
          more = scan.reversed() ? cursor.prev() : cursor.next();
        }
      }
      return found;
    }

    /** Places a cursor at the first entry; LMDB itself finds the lowest at or above a key. */
    private boolean seek(Cursor<ByteBuffer> cursor, ScanRequest scan) {
      ByteBuffer key = key(scan.key());
      boolean found = cursor.get(key, GetOp.MDB_SET_RANGE);
      if (!scan.reversed() || found && cursor.key().equals(key)) {
        return found;
      }
      return found ? cursor.prev() : cursor.last();
    }

    private static byte[] copy(ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return bytes;
    }
  }
}
