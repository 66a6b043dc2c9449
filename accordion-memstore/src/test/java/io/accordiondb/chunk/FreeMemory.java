// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The chunks and link blocks that wait for reuse in a pool. Nobody may read them. */
public final class FreeMemory {
  private static final byte SPOILT = (byte) 0xDB;

  private FreeMemory() {}

  /** Overwrites all of it, so that whoever reads it notices. None is taken during the call. */
  public static void spoil(ChunkPool pool) {
    try {
      synchronized (pool) {
        ByteBuffer[] chunks = (ByteBuffer[]) valueOf("chunks", pool);
        spoil(chunks, valueOf("freeHeap", pool));
        spoil(chunks, valueOf("freeOffHeap", pool));
      }
      Object blocks = valueOf("linkBlocks", pool);
      synchronized (blocks) {
        int[][] free = (int[][]) valueOf("free", blocks);
        for (int i = 0; i < (int) valueOf("freeCount", blocks); i++) {
          Arrays.fill(free[i], 0x01010101 * SPOILT);
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static void spoil(ByteBuffer[] chunks, Object free) throws ReflectiveOperationException {
    int[] numbers = (int[]) valueOf("numbers", free);
    for (int i = 0; i < (int) valueOf("count", free); i++) {
      ByteBuffer chunk = chunks[numbers[i]];
      byte[] bytes = new byte[chunk.capacity()];
      Arrays.fill(bytes, SPOILT);
      chunk.put(0, bytes);
    }
  }

  private static Object valueOf(String name, Object object) throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }
}
