// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.hadoop.hbase.regionserver;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.StoreSequenceId;
import org.apache.hadoop.hbase.util.Bytes;

/** What a server reports to the master about a region; HBase keeps it hidden. */
public final class RegionReport {
  private RegionReport() {}

  /**
   * Returns, for each family, the sequence number up to which the log is left out when it is
   * replayed after a crash.
   */
  public static Map<String, Long> notNeededUpTo(HRegion region) {
    RegionLoad.Builder report = region.setCompleteSequenceId(RegionLoad.newBuilder());
    Map<String, Long> upTo = new TreeMap<>();
    for (StoreSequenceId family : report.getStoreCompleteSequenceIdList()) {
      upTo.put(
          Bytes.toString(family.getFamilyName().toByteArray()),
          Math.max(family.getSequenceId(), report.getCompleteSequenceId()));
    }
    return upTo;
  }
}
