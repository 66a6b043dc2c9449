// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import io.accordiondb.hbase.client.admin.Administration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncAdminBuilder;

/** Builds asynchronous admins. No call waits for a network, so timeouts and retries are ignored. */
final class EmbeddedAsyncAdminBuilder implements AsyncAdminBuilder {
  private final Administration administration;
  private final BooleanSupplier closed;

  /** Creates a builder of administrations that end when their connection is closed. */
  EmbeddedAsyncAdminBuilder(Administration administration, BooleanSupplier closed) {
    this.administration = administration;
    this.closed = closed;
  }

  @Override
  public AsyncAdminBuilder setOperationTimeout(long timeout, TimeUnit unit) {
    return this;
  }

  @Override
  public AsyncAdminBuilder setRpcTimeout(long timeout, TimeUnit unit) {
    return this;
  }

  @Override
  public AsyncAdminBuilder setRetryPause(long timeout, TimeUnit unit) {
    return this;
  }

  @Override
  public AsyncAdminBuilder setRetryPauseForServerOverloaded(long pause, TimeUnit unit) {
    return this;
  }

  @Override
  public AsyncAdminBuilder setMaxAttempts(int maxAttempts) {
    return this;
  }

  @Override
  public AsyncAdminBuilder setStartLogErrorsCnt(int startLogErrorsCnt) {
    return this;
  }

  @Override
  public AsyncAdmin build() {
    return administration.asyncAdmin(closed);
  }
}
