// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static io.accordiondb.fixtures.TestData.bytes;

import io.accordiondb.Compression;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.MemStoreEnvironment;
import io.accordiondb.memstore.MemStoreListener;
import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.retention.VersionRules;
import java.util.List;
import java.util.SplittableRandom;

/** Makes stores without files, and batches for them. */
final class TestStores {
  private static final long MEMORY_BYTES = 16 << 20;

  private TestStores() {}

  static Store store(long regionId, int familyId) {
    MemStoreEnvironment environment =
        new MemStoreEnvironment(
            Runnable::run,
            () -> 1_000,
            () -> 0,
            new SplittableRandom(1),
            new ChunkPool(64 << 10, MEMORY_BYTES),
            new MemoryBudget(MEMORY_BYTES),
            new MemStoreListener() {});
    MemStoreOptions options =
        new MemStoreOptions(MemStorePolicy.of(Policy.NONE), VersionRules.DEFAULT, MEMORY_BYTES);
    FamilyDescriptor family = FamilyDescriptor.of("f" + familyId);
    return new Store(
        new StoreId(regionId, familyId),
        "t",
        new RegionRecord(regionId, 1, new byte[0], new byte[0]),
        family,
        new MemStore(options, environment),
        null,
        0,
        List.of(),
        RangeTombstones.NONE,
        () -> 1 << 20);
  }

  /** Returns a batch of one put in each of some stores. */
  static Batch batch(String row, Store... stores) {
    BatchBuilder builder = new BatchBuilder(16, 1 << 20);
    builder.addRow(bytes(row));
    for (Store store : stores) {
      builder.add(
          store, bytes(row), bytes("q"), 7, CellType.PUT, bytes("value of " + row), CellTags.NONE);
    }
    return builder.build(Compression.NONE);
  }
}
