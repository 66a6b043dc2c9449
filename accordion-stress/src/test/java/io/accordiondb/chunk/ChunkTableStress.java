// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An old chunk and a new one are read while the pool's table of chunks grows. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The new chunk was not published yet.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both were read.")
@State
public class ChunkTableStress {
  /** Fills the table of a small pool. */
  private static final int CHUNKS = 64;

  private static final int NONE = -1;
  private static final VarHandle PUBLISHED = publishedHandle();

  private final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 0);
  private final MemoryAccount account = new MemoryAccount(new MemoryBudget(1 << 30));
  private final int old;

  @SuppressWarnings("unused") // Through PUBLISHED.
  private int published = NONE;

  public ChunkTableStress() {
    old = jumbo();
    for (int i = 1; i < CHUNKS; i++) {
      jumbo();
    }
  }

  private static VarHandle publishedHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(ChunkTableStress.class, "published", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Takes a chunk that begins with 1. */
  private int jumbo() {
    int reference = pool.reference(pool.takeJumboChunk(8, MemoryKind.HEAP, account), 0);
    pool.buffer(reference).put(0, (byte) 1);
    return reference;
  }

  @Actor
  public void grow() {
    PUBLISHED.setRelease(this, jumbo());
  }

  @Actor
  public void read(II_Result result) {
    result.r1 = pool.buffer(old).get(0);
    int reference = (int) PUBLISHED.getAcquire(this);
    result.r2 = reference == NONE ? 0 : pool.buffer(reference).get(0);
  }
}
