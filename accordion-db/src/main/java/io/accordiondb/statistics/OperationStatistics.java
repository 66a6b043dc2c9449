// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Operations by kind, since the database was opened.
 *
 * @param byKind each kind's figures; has all kinds, in their order
 */
public record OperationStatistics(Map<OperationKind, Operation> byKind) {
  /**
   * One kind of operation.
   *
   * @param count operations that have ended; all of them are counted
   * @param latency how long they took; of short operations one in 32 is timed, of rows of scans one
   *     in 256
   */
  public record Operation(long count, LatencyHistogram latency) {
    /** The figures of a kind of operation that has not occurred. */
    public static final Operation NONE = new Operation(0, LatencyHistogram.EMPTY);
  }

  /**
   * Copies the collections, so that the record is immutable.
   *
   * @param byKind the figures of each kind
   */
  public OperationStatistics {
    Map<OperationKind, Operation> all = new EnumMap<>(OperationKind.class);
    for (OperationKind kind : OperationKind.values()) {
      all.put(kind, byKind.getOrDefault(kind, Operation.NONE));
    }
    byKind = Collections.unmodifiableMap(all);
  }

  /**
   * {@return the figures of one kind}
   *
   * @param kind the kind of operation
   */
  public Operation of(OperationKind kind) {
    return Objects.requireNonNull(byKind.get(kind));
  }

  /** {@return how many gets there were} */
  public long gets() {
    return of(OperationKind.GET_MEMORY).count()
        + of(OperationKind.GET_CACHE).count()
        + of(OperationKind.GET_FILE).count();
  }

  /** {@return how many writes there were, of any durability, without transactions} */
  public long writes() {
    return of(OperationKind.WRITE_SKIP).count()
        + of(OperationKind.WRITE_ASYNC).count()
        + of(OperationKind.WRITE_SYNC).count()
        + of(OperationKind.WRITE_FSYNC).count()
        + of(OperationKind.READ_MODIFY_WRITE).count();
  }
}
