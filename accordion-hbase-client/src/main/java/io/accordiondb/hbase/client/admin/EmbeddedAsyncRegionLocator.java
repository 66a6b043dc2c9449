// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;

/** Locates regions at once, since that needs no file; the futures are complete. Thread-safe. */
final class EmbeddedAsyncRegionLocator implements AsyncTableRegionLocator {
  private final EmbeddedRegionLocator locator;

  EmbeddedAsyncRegionLocator(EmbeddedRegionLocator locator) {
    this.locator = locator;
  }

  @Override
  public TableName getName() {
    return locator.getName();
  }

  @Override
  public CompletableFuture<HRegionLocation> getRegionLocation(
      byte[] row, int replicaId, boolean reload) {
    return complete(() -> locator.getRegionLocation(row, replicaId, reload));
  }

  @Override
  public CompletableFuture<List<HRegionLocation>> getRegionLocations(byte[] row, boolean reload) {
    return complete(() -> locator.getRegionLocations(row, reload));
  }

  @Override
  public CompletableFuture<List<HRegionLocation>> getAllRegionLocations() {
    return complete(locator::getAllRegionLocations);
  }

  @Override
  public void clearRegionLocationCache() {
    locator.clearRegionLocationCache();
  }

  /** Locates something. */
  @FunctionalInterface
  private interface Lookup<T> {
    T get() throws IOException;
  }

  private static <T> CompletableFuture<T> complete(Lookup<T> lookup) {
    try {
      return CompletableFuture.completedFuture(lookup.get());
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
