// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.jspecify.annotations.Nullable;

/**
 * Hides what differs between the versions of HBase that the plug-in runs with. It looks at the
 * classes of this process once, when it is loaded, so that one jar serves all versions. Everything
 * else that the plug-in uses has the same descriptor in all of them. Thread-safe.
 */
final class VersionBridge {
  /** The order of cells in stores of user tables, from HBase 2.6 on. */
  private static final String INNER_STORE_COMPARATOR =
      "org.apache.hadoop.hbase.InnerStoreCellComparator";

  private static final CellComparator USER_TABLE_ORDER = userTableOrder(INNER_STORE_COMPARATOR);

  /** {@code MemStore.close}, which HBase has, and calls, from 2.5.9 on; null before. */
  private static final @Nullable MethodHandle CLOSE = close(MethodHandles.lookup());

  private VersionBridge() {}

  /** Returns the named order if HBase has it, and the order of all user cells otherwise. */
  private static CellComparator userTableOrder(String name) {
    Class<?> order;
    try {
      order = Class.forName(name, true, CellComparator.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return CellComparator.getInstance();
    }
    try {
      return (CellComparator) order.getField("INNER_STORE_COMPARATOR").get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this version of HBase is not supported: " + e, e);
    }
  }

  private static @Nullable MethodHandle close(MethodHandles.Lookup lookup) {
    try {
      return lookup.findVirtual(MemStore.class, "close", MethodType.methodType(void.class));
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("this version of HBase is not supported: " + e, e);
    }
  }

  /** Returns the comparator that HBase passes to the memory stores of user tables. */
  static CellComparator userTableOrder() {
    return USER_TABLE_ORDER;
  }

  /** Returns whether cells of a comparator are in the order of user tables. */
  static boolean isUserTableOrder(CellComparator comparator) {
    // The comparator of hbase:meta extends the other one in HBase 2.5.
    return comparator.getClass() == USER_TABLE_ORDER.getClass();
  }

  /**
   * Returns whether HBase orders the families of a key that it seeks, and of a store's cells, by
   * the lengths of their names alone: within one store all are equal.
   */
  static boolean ordersFamiliesByLength() {
    return USER_TABLE_ORDER.getClass().getName().equals(INNER_STORE_COMPARATOR);
  }

  /** Closes a memory store of HBase, if HBase's have anything to close. */
  static void close(MemStore store) {
    if (CLOSE == null) {
      return;
    }
    try {
      CLOSE.invokeExact(store);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("closing a memory store throws no checked exception", e);
    }
  }
}
