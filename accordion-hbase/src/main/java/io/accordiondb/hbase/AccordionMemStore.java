// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.exceptions.UnexpectedStateException;
import org.apache.hadoop.hbase.regionserver.DefaultMemStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.MemStoreSizing;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.apache.hadoop.hbase.regionserver.RegionServicesForStores;
import org.jspecify.annotations.Nullable;

/**
 * The memory store class that an operator names in HBase's configuration, as {@code
 * hbase.regionserver.memstore.class}, for a family, a table or the whole server.
 *
 * <p>HBase creates one instance for each family of each region. Families of user tables get an
 * {@link ArenaMemStore}. HBase's own tables, whose rows have an order of their own or which belong
 * to the master, get HBase's {@link DefaultMemStore}, and so do families whose policy is NONE.
 *
 * <p>Thread-safe as HBase requires of a memory store: HBase calls {@link #snapshot}, {@link
 * #clearSnapshot} and {@link #close} from one thread at a time and keeps writers out during the
 * call.
 */
public final class AccordionMemStore implements MemStore {
  /**
   * Closes the stores that HBase drops without closing them: all in HBase before 2.5.9, later those
   * of a region that could not be opened.
   */
  private static final Cleaner CLEANER = Cleaner.create();

  private final MemStore store;

  /**
   * Creates an empty memory store; HBase calls this constructor by reflection.
   *
   * @param configuration of site, table and family; a setting of the family overrides the table's,
   *     which overrides the site's
   * @param comparator the order of the family's cells
   * @param region the services of the region; null in tests that have none
   * @throws IllegalArgumentException if no store of the process was opened before, and a key of the
   *     plug-in for the whole site has a wrong value; the message names the key and the allowed
   *     values
   */
  public AccordionMemStore(
      Configuration configuration,
      CellComparator comparator,
      @Nullable RegionServicesForStores region) {
    StoreSettings settings = null;
    if (!isReserved(comparator, region)) {
      String table =
          region == null ? "without a region" : region.getRegionInfo().getTable().getNameAsString();
      settings = StoreSettings.of(configuration, table);
    }
    if (settings == null || settings.usesHBasesOwn()) {
      store = new DefaultMemStore(configuration, comparator, region);
    } else {
      ArenaMemStore ours = new ArenaMemStore(settings, configuration, comparator, region);
      CLEANER.register(this, ours::close);
      store = ours;
    }
  }

  /** Returns whether cells may be in another order, or the table is one of HBase's own. */
  private static boolean isReserved(
      CellComparator comparator, @Nullable RegionServicesForStores region) {
    if (!VersionBridge.isUserTableOrder(comparator)) {
      return true;
    }
    if (region == null) {
      return false;
    }
    TableName table = region.getRegionInfo().getTable();
    return table.isSystemTable() || table.getNamespaceAsString().equals("master");
  }

  /** {@return the store that does the work: a memory store of Accordion, or one of HBase} */
  public MemStore delegate() {
    return store;
  }

  @Override
  public MemStoreSnapshot snapshot() {
    return store.snapshot();
  }

  @Override
  public void clearSnapshot(long id) throws UnexpectedStateException {
    store.clearSnapshot(id);
  }

  @Override
  public MemStoreSize getFlushableSize() {
    return store.getFlushableSize();
  }

  @Override
  public MemStoreSize getSnapshotSize() {
    return store.getSnapshotSize();
  }

  @Override
  public void add(Cell cell, @Nullable MemStoreSizing sizing) {
    store.add(cell, sizing);
  }

  @Override
  public void add(Iterable<Cell> cells, @Nullable MemStoreSizing sizing) {
    store.add(cells, sizing);
  }

  @Override
  public long timeOfOldestEdit() {
    return store.timeOfOldestEdit();
  }

  @Override
  public void upsert(Iterable<Cell> cells, long readPoint, @Nullable MemStoreSizing sizing) {
    store.upsert(cells, readPoint, sizing);
  }

  @Override
  public List<KeyValueScanner> getScanners(long readPoint) throws IOException {
    return store.getScanners(readPoint);
  }

  @Override
  public MemStoreSize size() {
    return store.size();
  }

  @Override
  public long preFlushSeqIDEstimation() {
    return store.preFlushSeqIDEstimation();
  }

  @Override
  public boolean isSloppy() {
    return store.isSloppy();
  }

  @Override
  public void startReplayingFromWAL() {
    store.startReplayingFromWAL();
  }

  @Override
  public void stopReplayingFromWAL() {
    store.stopReplayingFromWAL();
  }

  /** Releases all memory. HBase before 2.5.9 has no such method, and does not call it. */
  @Override
  public void close() {
    if (store instanceof ArenaMemStore ours) {
      ours.close();
    } else {
      VersionBridge.close(store);
    }
  }

  @Override
  public String toString() {
    return "AccordionMemStore over " + store;
  }
}
