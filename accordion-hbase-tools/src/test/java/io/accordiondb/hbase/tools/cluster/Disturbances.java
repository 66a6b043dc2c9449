// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import io.accordiondb.hbase.AccordionMemStore;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What happens to a cluster while it is written and read, in rounds: each has all kinds in a random
 * order. One thread runs them.
 */
final class Disturbances {
  /** The kinds. Some come more than once in a round, because one of each says too little. */
  enum Kind {
    KILL(1),
    SWITCH(2),
    POLICY(2),
    SPLIT(2),
    MOVE(3),
    FLUSH(2),
    COMPACT(1);

    private final int perRound;

    Kind(int perRound) {
      this.perRound = perRound;
    }
  }

  private static final int REGIONS_MAX = 12;
  private static final int SPLIT_SECONDS = 120;
  private static final int PAUSE_MILLIS_MAX = 2000;

  private final LocalCluster cluster;
  private final Admin admin;
  private final Map<TableName, List<byte[]>> splitPoints;
  private final Random random;
  private final Map<Kind, Integer> done = new EnumMap<>(Kind.class);
  private final Map<Kind, Integer> refused = new EnumMap<>(Kind.class);
  private final List<Kind> round = new ArrayList<>();

  /**
   * Creates it.
   *
   * @param splitPoints for each table, rows at which it may be split
   */
  Disturbances(
      LocalCluster cluster, Admin admin, Map<TableName, List<byte[]>> splitPoints, Random random) {
    this.cluster = cluster;
    this.admin = admin;
    this.splitPoints = splitPoints;
    this.random = random;
  }

  /** Returns how many of each kind have succeeded. */
  Map<Kind, Integer> done() {
    return done;
  }

  /** Returns how many of each kind HBase has refused, because regions were in transition. */
  Map<Kind, Integer> refused() {
    return refused;
  }

  /** Does the next one, after a pause. */
  void next() throws IOException, InterruptedException {
    if (round.isEmpty()) {
      for (Kind kind : Kind.values()) {
        round.addAll(Collections.nCopies(kind.perRound, kind));
      }
      Collections.shuffle(round, random);
    }
    Thread.sleep(random.nextInt(PAUSE_MILLIS_MAX));
    disturb(round.remove(0));
  }

  private void disturb(Kind kind) throws IOException, InterruptedException {
    try {
      boolean isDone =
          switch (kind) {
            case KILL -> kill();
            case SWITCH -> alter(kind, switched(admin.getDescriptor(table())));
            case POLICY -> alter(kind, withOtherPolicy(admin.getDescriptor(table())));
            case SPLIT -> split();
            case MOVE -> move();
            case FLUSH -> {
              admin.flush(table());
              yield true;
            }
            case COMPACT -> {
              admin.majorCompact(table());
              yield true;
            }
          };
      if (isDone) {
        done.merge(kind, 1, Integer::sum);
      }
    } catch (IOException e) {
      if (kind == Kind.KILL || kind == Kind.SWITCH || kind == Kind.POLICY) {
        throw new IOException(kind + " failed", e);
      }
      refused.merge(kind, 1, Integer::sum);
    }
  }

  private TableName table() {
    List<TableName> tables = new ArrayList<>(splitPoints.keySet());
    return tables.get(random.nextInt(tables.size()));
  }

  /** Every other time something else happens before the server is back. */
  private boolean kill() throws IOException, InterruptedException {
    List<ClusterProcess> servers = cluster.servers();
    ClusterProcess server = servers.get(random.nextInt(servers.size()));
    cluster.kill(server);
    if (random.nextBoolean()) {
      disturb(random.nextBoolean() ? Kind.MOVE : Kind.SPLIT);
    }
    cluster.restart(server);
    return true;
  }

  private boolean alter(Kind kind, TableDescriptor wanted) throws IOException {
    admin.modifyTable(wanted);
    TableDescriptor present = admin.getDescriptor(wanted.getTableName());
    if (TableDescriptor.COMPARATOR.compare(present, wanted) != 0) {
      throw new IOException(kind + " left " + present + ", expected " + wanted);
    }
    return true;
  }

  private static TableDescriptor switched(TableDescriptor table) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    return (table.getValue(HStore.MEMSTORE_CLASS_NAME) == null
            ? builder.setValue(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName())
            : builder.removeValue(Bytes.toBytes(HStore.MEMSTORE_CLASS_NAME)))
        .build();
  }

  private TableDescriptor withOtherPolicy(TableDescriptor table) {
    Policy[] policies = Policy.values();
    return TableDescriptorBuilder.newBuilder(table)
        .setValue("accordion.memstore.policy", policies[random.nextInt(policies.length)].name())
        .setValue("accordion.memstore.active.fraction", "0.00" + (1 + random.nextInt(5)))
        .build();
  }

  private boolean split() throws IOException, InterruptedException {
    TableName table = table();
    List<RegionInfo> regions = admin.getRegions(table);
    List<byte[]> points = splitPoints.get(table);
    byte[] point = points.get(random.nextInt(points.size()));
    RegionInfo region =
        regions.stream()
            .filter(each -> each.containsRow(point) && !Bytes.equals(each.getStartKey(), point))
            .findFirst()
            .orElse(null);
    if (region == null || regions.size() >= REGIONS_MAX) {
      return false;
    }
    try {
      admin.splitRegionAsync(region.getRegionName(), point).get(SPLIT_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e);
    }
  }

  private boolean move() throws IOException {
    List<RegionInfo> regions = admin.getRegions(table());
    List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
    RegionInfo region = regions.get(random.nextInt(regions.size()));
    admin.move(region.getEncodedNameAsBytes(), servers.get(random.nextInt(servers.size())));
    return true;
  }
}
