// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.LeakDetection;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds scanners, iterators, cursors, snapshots and change feeds that are never closed, and logs
 * the stacks that opened them. Thread-safe.
 */
public final class Leaks {
  private static final Logger LOG = LoggerFactory.getLogger(Leaks.class);

  /** In mode SAMPLED one in this many opened objects is watched; a power of two. */
  private static final int SAMPLED_PART = 1024;

  private final Tallies tallies;
  private final Set<Watch> watched = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<Object> unreachable = new ReferenceQueue<>();
  private final LongAdder leaked = new LongAdder();
  private volatile LeakDetection mode;

  Leaks(Tallies tallies, LeakDetection mode) {
    this.tallies = tallies;
    this.mode = mode;
  }

  /** Something that is open and must be closed. */
  public static final class Watch extends PhantomReference<Object> {
    private final String what;
    private final Throwable opened;

    private Watch(Object opened, String what, ReferenceQueue<Object> queue) {
      super(opened, queue);
      this.what = what;
      this.opened = new Throwable("it was opened here");
    }
  }

  /** Changes which objects are watched from now on. */
  public void setMode(LeakDetection mode) {
    this.mode = mode;
  }

  /**
   * Watches an object that was opened, if the mode selects it.
   *
   * @param what the kind of object, in words
   * @param of the name of its owner, printed after these words; must not refer to the object
   * @return what {@link #close(Watch)} takes, or null
   */
  public @Nullable Watch watch(Object opened, String what, Object of) {
    boolean wanted =
        switch (mode) {
          case OFF -> false;
          case SAMPLED -> (tallies.mine().nextRandom() & (SAMPLED_PART - 1)) == 0;
          case ALWAYS -> true;
        };
    if (!wanted) {
      return null;
    }
    try {
      check();
      Watch watch = new Watch(opened, what + of, unreachable);
      watched.add(watch);
      return watch;
    } catch (OutOfMemoryError e) {
      // The object has been opened and works without being watched.
      return null;
    }
  }

  /** Ends the watch of an object that was closed. */
  public void close(@Nullable Watch watch) {
    if (watch != null) {
      watched.remove(watch);
      watch.clear();
    }
  }

  /** Logs objects that can no longer be closed. */
  public void check() {
    Reference<?> next;
    while ((next = unreachable.poll()) != null) {
      if (next instanceof Watch watch && watched.remove(watch)) {
        leaked.increment();
        LOG.warn(
            "{} was never closed, and the program no longer refers to it; it keeps memory and files until"
                + " the database is closed",
            watch.what,
            watch.opened);
      }
    }
  }

  /** Returns how many objects were never closed. */
  public long leaked() {
    check();
    return leaked.sum();
  }

  /** Logs objects that are open when the database is closed. */
  void closeAll() {
    check();
    for (Watch watch : watched) {
      if (watched.remove(watch)) {
        leaked.increment();
        watch.clear();
        LOG.warn("{} is still open as the database is closed", watch.what, watch.opened);
      }
    }
  }
}
