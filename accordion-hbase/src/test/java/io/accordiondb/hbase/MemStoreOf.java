// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.lang.reflect.Field;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStore;

/** Finds the memory store of a store, which HBase keeps to itself. */
final class MemStoreOf {
  private MemStoreOf() {}

  static MemStore store(HStore store) {
    try {
      Field field = HStore.class.getDeclaredField("memstore");
      field.setAccessible(true);
      return (MemStore) field.get(store);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
