// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.memstore.segment.DistinctSketch;
import io.accordiondb.memstore.segment.active.ObjectSegment;
import io.accordiondb.memstore.segment.array.CellObject;
import io.accordiondb.memstore.segment.array.ChunkCell;
import io.accordiondb.memstore.segment.array.HeapCell;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Walks over all objects that segments reach and adds up what they take, each object once. Knows
 * the prices of objects, but asks no segment, arena or list what it takes.
 */
public final class MemoryWalk {
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private long heapBytes;
  private long offHeapBytes;
  private int chunks;

  /** Returns what was found in the heap, in bytes. */
  public long heapBytes() {
    return heapBytes;
  }

  /** Returns what was found outside the heap, in bytes. */
  public long offHeapBytes() {
    return offHeapBytes;
  }

  /** Returns the number of chunks found. */
  public int chunks() {
    return chunks;
  }

  /** Adds what an object reaches. */
  public void add(Object object) throws ReflectiveOperationException {
    if (object == null || isOutside(object) || !seen.add(object)) {
      return;
    }
    if (object instanceof Arena) {
      addArena(object);
    } else if (object instanceof int[] ints) {
      // Of those that segments reach, only link blocks are of this length.
      heapBytes += ints.length == ChunkPool.LINK_BLOCK_INTS ? ChunkPool.LINK_BLOCK_BYTES : 0;
    } else if (object instanceof long[] fences) {
      heapBytes += 16 + 8L * fences.length;
    } else if (object instanceof HeapCell cell) {
      heapBytes += HeapCell.OBJECT_BYTES + cell.bytes().length;
    } else if (object instanceof ChunkCell) {
      heapBytes += ChunkCell.OBJECT_BYTES;
    } else if (object instanceof ConcurrentSkipListMap<?, ?> map) {
      heapBytes += (long) map.size() * ObjectSegment.LINK_BYTES;
      addAll(map.values());
    } else if (object instanceof Object[] array) {
      heapBytes += array instanceof CellObject[] ? 4L * array.length : 0;
      addAll(Arrays.asList(array));
    } else if (object instanceof List<?> list) {
      addAll(list);
    } else if (object.getClass().getName().startsWith("io.accordiondb.")) {
      for (Field field : object.getClass().getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          add(valueOf(field, object));
        }
      }
    }
  }

  private static boolean isOutside(Object object) {
    return object instanceof ChunkPool
        || object instanceof MemoryAccount
        || object instanceof DistinctSketch;
  }

  private void addAll(Iterable<?> objects) throws ReflectiveOperationException {
    for (Object object : objects) {
      add(object);
    }
  }

  private void addArena(Object arena) throws ReflectiveOperationException {
    ByteBuffer[] all = (ByteBuffer[]) valueOf("chunks", valueOf("pool", arena));
    int[] numbers = (int[]) valueOf("chunks", arena);
    int count = (int) valueOf("chunkCount", arena);
    for (int i = 0; i < count; i++) {
      ByteBuffer chunk = all[numbers[i]];
      chunks++;
      if (chunk.isDirect()) {
        offHeapBytes += chunk.capacity();
      } else {
        heapBytes += chunk.capacity();
      }
    }
  }

  private static Object valueOf(String field, Object object) throws ReflectiveOperationException {
    return valueOf(object.getClass().getDeclaredField(field), object);
  }

  private static Object valueOf(Field field, Object object) throws ReflectiveOperationException {
    field.setAccessible(true);
    return field.get(object);
  }
}
