// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.accordiondb.bench.engine.Engine.Row;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.ScanRequest;
import io.accordiondb.hbase.AccordionMemStore;
import io.accordiondb.memstore.MemStorePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HStore;

/**
 * The parsed name of an engine: {@code hbase-}, perhaps {@code cluster-}, a memory store, and
 * special settings, separated by dashes. Immutable.
 *
 * @param memoryStore accordion, or HBase's own policy: none, basic, eager, adaptive
 * @param specials {@code factor} seals HBase's active segments at 0.015 of the flush size, {@code
 *     heap} does without its chunks, {@code paper} takes A, S and R from the policy, {@code rpc}
 *     goes through client and cluster, {@code cluster} as well, and its servers are processes
 */
record EngineName(String memoryStore, Set<String> specials) {
  static final String PREFIX = "hbase-";
  static final byte[] FAMILY = {'f'};
  static final int REGIONS = 4;
  private static final String ACCORDION = "accordion";
  private static final String CLUSTER = "cluster";
  private static final List<String> MEMORY_STORES =
      List.of(ACCORDION, "none", "basic", "eager", "adaptive");
  private static final Set<String> SPECIALS = Set.of("factor", "heap", "paper", "rpc");

  /** Returns the parts of a name. */
  static EngineName of(String name) {
    List<String> parts = new ArrayList<>(Arrays.asList(name.split("-", -1)));
    // The only setting that comes before the memory store.
    boolean isCluster = parts.size() > 2 && parts.get(1).equals(CLUSTER) && parts.remove(CLUSTER);
    Set<String> specials = new HashSet<>(parts.subList(Math.min(2, parts.size()), parts.size()));
    boolean isKnown = SPECIALS.containsAll(specials);
    if (isCluster) {
      specials.add(CLUSTER);
    }
    EngineName parsed = new EngineName(parts.size() < 2 ? "" : parts.get(1), Set.copyOf(specials));
    if (!name.startsWith(PREFIX) || !MEMORY_STORES.contains(parsed.memoryStore) || !isKnown) {
      throw new IllegalArgumentException(
          "no engine named \""
              + name
              + "\"; HBase's are hbase-"
              + String.join("|", MEMORY_STORES)
              + ", with cluster- after hbase-, and -factor, -heap, -paper and -rpc behind");
    }
    return parsed;
  }

  boolean usesClient() {
    return specials.contains("rpc");
  }

  /** Returns whether the servers are processes of their own. */
  boolean isCluster() {
    return specials.contains(CLUSTER);
  }

  boolean isAccordion() {
    return memoryStore.equals(ACCORDION);
  }

  /** Sets what all regions share. */
  void configure(Configuration configuration, EngineOptions options) {
    configuration.setLong("hbase.hregion.memstore.flush.size", options.memoryBytes() / REGIONS);
    configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    if (specials.contains("factor")) {
      configuration.set("hbase.memstore.inmemoryflush.threshold.factor", "0.015");
    }
    if (specials.contains("paper")) {
      MemStorePolicy policy = options.policy();
      configuration.set(
          "hbase.memstore.inmemoryflush.threshold.factor", "" + policy.activeFraction());
      configuration.setInt(
          "hbase.hregion.compacting.pipeline.segments.limit", policy.pipelineSegmentsMax());
      configuration.set(
          "hbase.hregion.compacting.memstore.adaptive.compaction.threshold",
          "" + policy.redundancyThreshold());
    }
    if (specials.contains("heap")) {
      configuration.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    }
  }

  TableDescriptor table(EngineOptions options) {
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(FAMILY);
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("bench"))
            .setDurability(
                switch (options.durability()) {
                  case SKIP -> Durability.SKIP_WAL;
                  case ASYNC -> Durability.ASYNC_WAL;
                  case SYNC -> Durability.SYNC_WAL;
                  case FSYNC -> Durability.FSYNC_WAL;
                });
    if (isAccordion()) {
      table.setValue(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName());
      table.setValue("accordion.memstore.policy", options.policy().kind().name());
      table.setValue("accordion.memstore.active.fraction", "" + options.policy().activeFraction());
      table.setValue(
          "accordion.memstore.pipeline.segments", "" + options.policy().pipelineSegmentsMax());
      table.setValue(
          "accordion.memstore.adaptive.threshold", "" + options.policy().redundancyThreshold());
      table.setValue("accordion.memstore.merge.schedule", options.policy().mergeSchedule().name());
    } else {
      family.setInMemoryCompaction(
          MemoryCompactionPolicy.valueOf(memoryStore.toUpperCase(Locale.ROOT)));
    }
    return table.setColumnFamily(family.build()).build();
  }

  /** Returns the rows at which regions begin, but the first, for keys like this one. */
  static byte[][] splits(byte[] key) {
    byte[][] splits = new byte[REGIONS - 1][];
    int digits = key.length - 4;
    for (int i = 1; i < REGIONS; i++) {
      String number = Long.toString(Long.MAX_VALUE / REGIONS * i);
      String row = "user" + "0".repeat(Math.max(0, digits - number.length())) + number;
      splits[i - 1] = row.getBytes(ISO_8859_1);
    }
    return splits;
  }

  static byte[] qualifier(int field) {
    return Integer.toString(field).getBytes(ISO_8859_1);
  }

  /** Returns the scan of HBase's that looks for the same rows. */
  static Scan scan(ScanRequest wanted) {
    Scan scan = new Scan().setReversed(wanted.reversed()).setLimit(wanted.count());
    return wanted.kind() == ScanRequest.Kind.PREFIX
        ? scan.setStartStopRowForPrefixScan(wanted.key())
        : scan.withStartRow(wanted.key());
  }

  /** Returns a row of at most ten fields from its cells, which stand in the order of qualifiers. */
  static Row row(List<Cell> cells) {
    byte[][] values = new byte[cells.size()][];
    for (int field = 0; field < values.length; field++) {
      values[field] = CellUtil.cloneValue(cells.get(field));
    }
    return new Row(CellUtil.cloneRow(cells.get(0)), values);
  }
}
