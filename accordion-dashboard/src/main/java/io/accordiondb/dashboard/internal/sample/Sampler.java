// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import io.accordiondb.dashboard.internal.sample.TimelineEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the figures of all databases four times a second while a page is open, and once a second
 * otherwise, and sends each reading as a frame to all open pages. It runs on one daemon thread of
 * its own. The methods are thread-safe.
 */
public final class Sampler implements AutoCloseable {
  private static final long TICK_MILLIS = 250;
  private static final long UNSEEN_NANOS = 990_000_000L;
  private static final long PAUSE_MILLIS_MIN = 1;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Databases that one page shows; the oldest names give way. */
  private static final int DATABASES_MAX = 16;

  private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "accordion-dashboard");
            thread.setDaemon(true);
            return thread;
          });
  private final List<ShownDatabase> databases = new CopyOnWriteArrayList<>();
  private final Map<Consumer<Frame>, Boolean> viewers = new ConcurrentHashMap<>();
  private final History history = new History();
  private final CollectorPauses pauses = new CollectorPauses();
  private final LongSupplier millis;
  private volatile @Nullable Frame newest;

  // Of the clock's thread alone.
  private long lastNanos;
  private long lastMillis;
  private long events;
  private boolean failed;

  /** Creates a sampler that does not read yet. */
  public Sampler() {
    this(System::currentTimeMillis);
  }

  /**
   * Creates a sampler that does not read yet.
   *
   * @param millis the clock by which frames have their times
   */
  Sampler(LongSupplier millis) {
    this.millis = millis;
  }

  /** Begins to read. */
  public void start() {
    lastNanos = System.nanoTime() - UNSEEN_NANOS;
    Future<?> unused =
        clock.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Shows a database, in place of one with the same name. */
  public synchronized void show(String name, FigureSource source) {
    ShownDatabase shown = new ShownDatabase(name, source);
    for (int i = 0; i < databases.size(); i++) {
      if (databases.get(i).name().equals(name)) {
        databases.set(i, shown);
        return;
      }
    }
    if (databases.size() == DATABASES_MAX) {
      databases.remove(0);
    }
    databases.add(shown);
  }

  /**
   * Hands every frame to a viewer, from the newest on, until {@link #leave}. The viewer is called
   * on the sampler's thread and must not wait.
   */
  public void join(Consumer<Frame> viewer) {
    viewers.put(viewer, true);
    Frame frame = newest;
    if (frame != null) {
      viewer.accept(frame);
    }
  }

  /** Hands no more frames to a viewer. */
  public void leave(Consumer<Frame> viewer) {
    viewers.remove(viewer);
  }

  /** Returns the last ten minutes as one JSON object. */
  public byte[] history() {
    return FrameWriter.history(history.frames(), history.events());
  }

  private void tick() {
    long nanos = System.nanoTime();
    if (viewers.isEmpty() && nanos - lastNanos < UNSEEN_NANOS) {
      return;
    }
    try {
      sample(nanos, time(nanos));
      failed = false;
    } catch (RuntimeException | Error e) {
      // The page stands still, and the next tick tries again; the application goes on. What a tick
      // throws would be its last.
      if (!failed) {
        LOG.warn("the dashboard could not read the figures", e);
      }
      failed = true;
    }
  }

  /**
   * Returns the time of the clock. If that was set back, the time goes on from the last one: the
   * history and the page ignore frames that are older than what they have.
   */
  private long time(long nanos) {
    long now = millis.getAsLong();
    lastMillis = now >= lastMillis ? now : lastMillis + (nanos - lastNanos) / NANOS_PER_MILLI;
    lastNanos = nanos;
    return lastMillis;
  }

  private void sample(long nanos, long atMillis) {
    List<TimelineEvent> happened = new ArrayList<>();
    for (ShownDatabase database : databases) {
      for (Happening found : database.read(nanos)) {
        happened.add(event(atMillis, database.name(), found));
      }
    }
    for (CollectorPauses.Pause pause : pauses.take()) {
      if (pause.millis() >= PAUSE_MILLIS_MIN) {
        String text = pause.millis() + " ms: " + pause.what();
        happened.add(event(atMillis, "", new Happening(Kind.PAUSE, text)));
      }
    }
    Frame frame =
        new Frame(atMillis, FrameWriter.frame(atMillis, databases, pauses.total(), happened));
    history.add(frame, happened);
    newest = frame;
    viewers.keySet().forEach(viewer -> viewer.accept(frame));
  }

  private TimelineEvent event(long millis, String database, Happening found) {
    events++;
    return new TimelineEvent(events, millis, database, found.kind(), found.text());
  }

  @Override
  public void close() {
    clock.shutdownNow();
    pauses.close();
  }
}
