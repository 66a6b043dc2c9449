// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.schedules;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.LincheckSettings;
import org.jspecify.annotations.Nullable;

/**
 * Runs a few threads under many schedules, one after another, which Lincheck's model checker
 * chooses: every run tries the same ones, and one that breaks a claim is printed step by step.
 *
 * <p>Scenes must be small: Lincheck takes a run of some ten thousand steps for an endless one. It
 * knows no views of byte arrays as other types, and no constants inherited from an interface, so
 * nothing may compare cells that are objects, nor use cursors over a memory store. What each test
 * asserts is worth something only beside a test that finds a defect in the same scene.
 */
public final class Schedules {
  /** How many times as many schedules are tried as a test says: {@code -Dstress.schedules=N}. */
  private static final int FACTOR = Integer.getInteger("stress.schedules", 1);

  /** After this number, a defect that was not found counts as one that cannot be found. */
  private static final int DEFECT_SCHEDULES = 5_000;

  /** Iterations after which a loop is taken for one that waits, and another thread goes on. */
  private static final int LOOP_ITERATIONS_BEFORE_SWITCH = 64;

  private static final int LOOP_ITERATIONS_MAX = 1_000;
  private static final int RECURSION_MAX = 20;

  /**
   * What Lincheck says of a run that does not end within half a minute. On a slow machine this can
   * be one in which it instruments many classes; the next run has them.
   */
  private static final String HUNG = "Concurrent test has hung";

  private static final int RUNS_OF_HUNG_MAX = 3;

  /**
   * As the defaults, which the public method takes, but for longer loops. By default ten iterations
   * are enough, and if one thread runs alone, as while it makes the scene, then Lincheck has no
   * other to let go on and tries hardly any schedule, which makes every claim hold.
   */
  private static final LincheckSettings SETTINGS =
      new LincheckSettings(true, LOOP_ITERATIONS_BEFORE_SWITCH, LOOP_ITERATIONS_MAX, RECURSION_MAX);

  private Schedules() {}

  /**
   * What one thread does.
   *
   * @param <S> the scene, which all threads share
   */
  @FunctionalInterface
  public interface Actor<S> {
    /** Acts, and throws by {@link #check} if a claim does not hold. */
    void act(S scene) throws Exception;
  }

  /** Throws unless a claim holds. Lincheck traces no steps in here, unlike in AssertJ. */
  public static void check(boolean holds, String claim) {
    if (!holds) {
      throw new AssertionError(claim);
    }
  }

  /**
   * Asserts that no schedule breaks a claim.
   *
   * @param schedules how many are tried by default
   * @param newScene makes what a schedule begins with
   * @param actors each a thread of its own
   * @param last acts when all others have ended
   */
  public static <S> void assertHolds(
      int schedules, Supplier<S> newScene, List<Actor<S>> actors, Actor<S> last) {
    assertThatCode(() -> explore(FACTOR * schedules, newScene, actors, last))
        .doesNotThrowAnyException();
  }

  /**
   * Asserts that a schedule is found that breaks a claim, because one actor has a defect. Lincheck
   * runs that schedule once more, to trace it; if that run goes another way, because classes were
   * loaded in the first one, Lincheck throws another exception, whose message has both outcomes.
   */
  public static <S> void assertBreaks(
      String claim, Supplier<S> newScene, List<Actor<S>> actors, Actor<S> last) {
    assertThatThrownBy(() -> explore(DEFECT_SCHEDULES, newScene, actors, last))
        .isInstanceOfAny(LincheckAssertionError.class, IllegalStateException.class)
        .hasMessageContaining(claim);
  }

  private static <S> void explore(
      int schedules, Supplier<S> newScene, List<Actor<S>> actors, Actor<S> last) {
    for (int run = 1; ; run++) {
      try {
        Lincheck.runConcurrentTestInternal$lincheck(
            schedules, SETTINGS, new Play<>(newScene, actors, last));
        return;
      } catch (LincheckAssertionError e) {
        if (run == RUNS_OF_HUNG_MAX || !String.valueOf(e.getMessage()).contains(HUNG)) {
          throw e;
        }
      }
    }
  }

  /** One run of a scene. Not a lambda, in which Lincheck could not see what is captured. */
  private static final class Play<S> implements Runnable {
    private final Supplier<S> newScene;
    private final List<Actor<S>> actors;
    private final Actor<S> last;

    /**
     * Lincheck instruments the classes of what it finds here, and takes what is put here for
     * something that threads share: on later JDKs it does not look into a thread's task. What it
     * does not find it instruments during the first run, for which it gives half a minute, so the
     * actors have acted in the first scene already.
     */
    private S scene;

    Play(Supplier<S> newScene, List<Actor<S>> actors, Actor<S> last) {
      this.newScene = newScene;
      this.actors = actors;
      this.last = last;
      this.scene = newScene.get();
      for (Actor<S> actor : actors) {
        new Player<>(scene, actor).run();
      }
    }

    @Override
    public void run() {
      scene = newScene.get();
      List<Player<S>> players = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (Actor<S> actor : actors) {
        Player<S> player = new Player<>(scene, actor);
        players.add(player);
        threads.add(new Thread(player));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      Player<S> end = new Player<>(scene, last);
      end.run();
      players.add(end);
      for (Player<S> player : players) {
        if (player.failure != null) {
          throw new AssertionError(player.failure);
        }
      }
    }
  }

  /**
   * What a thread runs. It has the scene in a field, because Lincheck takes an object that only a
   * lambda captures for one that no other thread sees, and does not switch threads at it.
   */
  private static final class Player<S> implements Runnable {
    private final S scene;
    private final Actor<S> actor;
    private @Nullable Throwable failure;

    Player(S scene, Actor<S> actor) {
      this.scene = scene;
      this.actor = actor;
    }

    @Override
    public void run() {
      try {
        actor.act(scene);
      } catch (Exception | AssertionError e) {
        failure = e;
      }
    }
  }
}
