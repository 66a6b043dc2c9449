// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.array;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.chunk.ReferenceCount;
import io.accordiondb.chunk.SharedMemory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Charges the memory of cells that are plain objects, which several segments may share. The garbage
 * collector frees the objects; this only keeps the account right: what was charged is credited when
 * the last holder releases it. Thread-safe.
 */
public final class HeapCellMemory implements SharedMemory {
  private final MemoryAccount account;
  private final AtomicLong bytes = new AtomicLong();
  private final ReferenceCount holders = new ReferenceCount();

  /** Creates an object that charges nothing yet. The caller is its holder. */
  public HeapCellMemory(MemoryAccount account) {
    this.account = account;
  }

  /** Charges cells. */
  public void add(long cells, long dataBytes) {
    long added = dataBytes + cells * HeapCell.OBJECT_BYTES;
    bytes.addAndGet(added);
    account.charge(MemoryKind.HEAP, added);
  }

  @Override
  public long bytes() {
    return bytes.get();
  }

  @Override
  public long heapBytes() {
    return bytes();
  }

  @Override
  public void retain() {
    holders.retain();
  }

  @Override
  public void release() {
    if (holders.release()) {
      account.credit(MemoryKind.HEAP, bytes.getAndSet(0));
    }
  }
}
