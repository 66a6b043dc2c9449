// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * The point at which {@link AllocatingClasses} call out before they allocate. Loaded once, so that
 * the test and the changed classes share its state.
 */
public final class AllocationFaults {
  /** What happens at an allocation. */
  interface Plan {
    /** Called before each allocation with the number of its site; may throw. */
    void at(int site);
  }

  private static volatile @Nullable Plan plan;

  private AllocationFaults() {}

  /** Called by the changed classes before they allocate. */
  public static void at(int site) {
    Plan current = plan;
    if (current != null) {
      current.at(site);
    }
  }

  /** Puts a plan into force; null lets every allocation succeed. */
  static void plan(@Nullable Plan next) {
    plan = next;
  }

  /** Counts the allocations at each site that was known before; classes may be loaded later. */
  static final class Count implements Plan {
    private final AtomicIntegerArray hits;

    Count(int sites) {
      hits = new AtomicIntegerArray(sites);
    }

    @Override
    public void at(int site) {
      if (site < hits.length()) {
        hits.incrementAndGet(site);
      }
    }

    int hits(int site) {
      return site < hits.length() ? hits.get(site) : 0;
    }
  }

  /** Fails at one site, once, and as many of the allocations after it, of whatever site. */
  static final class Fault implements Plan {
    private final int site;
    private final int failures;
    private int hitsLeft;
    private int failed;

    /**
     * Creates a plan.
     *
     * @param site where it begins
     * @param hit which allocation of the site fails first, from 1
     * @param failures how many allocations in a row fail
     */
    Fault(int site, int hit, int failures) {
      this.site = site;
      this.failures = failures;
      this.hitsLeft = hit;
    }

    @Override
    public synchronized void at(int current) {
      if (failed == 0 && current == site) {
        hitsLeft--;
      }
      if (hitsLeft == 0 && failed < failures) {
        failed++;
        throw new OutOfMemoryError("injected at allocation site " + current);
      }
    }

    synchronized boolean hasFailed() {
      return failed > 0;
    }
  }
}
