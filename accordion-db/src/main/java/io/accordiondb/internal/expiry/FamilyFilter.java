// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.expiry;

import io.accordiondb.CompactionFilter;
import io.accordiondb.CompactionFilter.Decision;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.retention.CellExpiry;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Applies the filter of a family in flushes and compactions, and keeps the cell when the filter
 * fails, or when nothing may be dropped yet. Thread-safe if the filter is.
 *
 * @param filter null if the database does not know it
 * @param appliesToReads whether readers do not see expired cells either
 */
record FamilyFilter(
    String name,
    @Nullable CompactionFilter filter,
    String table,
    String family,
    boolean appliesToReads,
    FilterFailures failures)
    implements CellExpiry {

  @Override
  public boolean isExpired(ByteBuffer buffer, int offset, long nowMillis) {
    try {
      return filter != null
          && nowMillis != DatabaseClock.NOTHING_IS_DROPPED
          && drops(filter, buffer, offset, nowMillis);
    } catch (InternalError e) {
      // The cell could not be read.
      throw e;
    } catch (Throwable e) {
      // Filters in some languages throw checked exceptions, and errors of their own.
      failures.add(name, e);
      return false;
    }
  }

  private boolean drops(CompactionFilter asked, ByteBuffer buffer, int offset, long nowMillis) {
    Decision decision = asked.decide(new CellView(table, family, buffer, offset, nowMillis));
    if (decision == null) {
      throw new IllegalStateException("it returned no decision");
    }
    return decision == Decision.DROP;
  }

  @Override
  public @Nullable CellExpiry forReads() {
    return appliesToReads ? new OfReads(this) : null;
  }

  /** The filter for reads, which fail if the filter does. */
  private record OfReads(FamilyFilter family) implements CellExpiry {
    @Override
    public boolean isExpired(ByteBuffer buffer, int offset, long nowMillis) {
      CompactionFilter filter = family.filter;
      if (filter == null) {
        throw new IllegalStateException("it is not among the database's compaction filters");
      }
      return family.drops(filter, buffer, offset, nowMillis);
    }

    @Override
    public String name() {
      return family.name;
    }

    @Override
    public CellExpiry forReads() {
      return this;
    }
  }
}
