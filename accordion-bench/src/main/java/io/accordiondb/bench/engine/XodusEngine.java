// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import io.accordiondb.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;
import org.jspecify.annotations.Nullable;

/** JetBrains Xodus: a B-tree in a log that is its only file, with a cleaner behind it. */
final class XodusEngine implements Engine {
  private final EngineOptions options;
  private final Environment environment;
  private final Store store;

  XodusEngine(EngineOptions options) throws IOException {
    this.options = options;
    Files.createDirectories(options.directory());
    EnvironmentConfig config =
        new EnvironmentConfig()
            .setMemoryUsage(options.memoryBytes() + options.cacheBytes())
            .setLogDurableWrite(options.durability() == Durability.FSYNC)
            .setManagementEnabled(false);
    environment = Environments.newInstance(options.directory().toFile(), config);
    store =
        environment.computeInTransaction(
            transaction ->
                environment.openStore("bench", StoreConfig.WITHOUT_DUPLICATES, transaction));
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
    return "Xodus "
        + LibraryVersion.of(Environments.class, "org.jetbrains.xodus", "xodus-environment")
        + ": log cache "
        + (options.memoryBytes() + options.cacheBytes())
        + " bytes, no compression, cleaner on, log "
        + (options.durability() == Durability.FSYNC ? "forced" : "written, not forced,")
        + " at each write";
  }

  @Override
  public void close() {
    environment.close();
  }

  private final class TransactionStore implements EntryStore {
    @Override
    public void put(List<Entry> entries) {
      environment.executeInExclusiveTransaction(
          transaction -> {
            for (Entry entry : entries) {
              store.put(
                  transaction,
                  new ArrayByteIterable(entry.key()),
                  new ArrayByteIterable(entry.value()));
            }
          });
    }

    @Override
    public void delete(List<byte[]> keys) {
      environment.executeInExclusiveTransaction(
          transaction ->
              keys.forEach(key -> store.delete(transaction, new ArrayByteIterable(key))));
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      ByteIterable found =
          environment.computeInReadonlyTransaction(
              transaction -> store.get(transaction, new ArrayByteIterable(key)));
      return found == null ? null : bytes(found);
    }

    @Override
    public List<Entry> scan(ScanRequest scan) {
      List<Entry> found = new ArrayList<>(scan.count());
      environment.executeInReadonlyTransaction(
          transaction -> {
            try (Cursor cursor = store.openCursor(transaction)) {
              boolean more = seek(cursor, scan);
              while (more && found.size() < scan.count()) {
                byte[] key = bytes(cursor.getKey());
                if (!scan.reaches(key)) {
                  break;
                }
                found.add(new Entry(key, bytes(cursor.getValue())));
                more = scan.reversed() ? cursor.getPrev() : cursor.getNext();
              }
            }
          });
      return found;
    }

    /** Places a cursor at the first entry; Xodus itself finds the lowest at or above a key. */
    private static boolean seek(Cursor cursor, ScanRequest scan) {
      ByteIterable key = new ArrayByteIterable(scan.key());
      boolean found = cursor.getSearchKeyRange(key) != null;
      if (!scan.reversed() || found && cursor.getKey().compareTo(key) == 0) {
        return found;
      }
      return found ? cursor.getPrev() : cursor.getLast();
    }

    private static byte[] bytes(ByteIterable iterable) {
      return Arrays.copyOf(iterable.getBytesUnsafe(), iterable.getLength());
    }
  }
}
