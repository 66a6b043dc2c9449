// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.io.IOException;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Copies filters as a request to a server does: by writing and parsing them. So each scan begins
 * with a fresh filter, and a filter that a cluster could not read is refused here as well. Pure
 * functions.
 */
final class FilterCopies {
  private FilterCopies() {}

  /** Returns a copy of a filter without the state of earlier scans. */
  static @Nullable Filter fresh(@Nullable Filter filter) throws IOException {
    return filter == null ? null : ProtobufUtil.toFilter(ProtobufUtil.toFilter(filter));
  }
}
