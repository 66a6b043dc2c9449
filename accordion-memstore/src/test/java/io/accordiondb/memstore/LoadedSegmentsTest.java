// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.memstore.segment.active.ObjectSegment;
import io.accordiondb.memstore.segment.active.SkipListSegment;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The JVM loads no kind of active segment that a store does not use. HotSpot compiles calls of the
 * only kind that is loaded as direct calls, and throws all that code away when another one is
 * loaded: writes to all other stores are slow then until it is compiled again.
 */
class LoadedSegmentsTest {
  /** A store from its beginning to its end. */
  public static final class Life extends PolicyFixture implements Runnable {
    private final Policy policy;

    public Life(String policy) {
      this.policy = Policy.valueOf(policy);
    }

    @Override
    public void run() {
      open(policy);
      flushRows(0, 10);
      addRows(0, 10);
      close();
    }
  }

  /** Loads the classes of this project itself, and knows which it has loaded. */
  private static final class Recording extends ClassLoader {
    final Set<String> loaded = new HashSet<>();

    Recording(ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null || !name.startsWith("io.accordiondb.")) {
          return known != null ? known : super.loadClass(name, resolve);
        }
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
          if (in == null) {
            throw new ClassNotFoundException(name);
          }
          byte[] bytes = in.readAllBytes();
          loaded.add(name);
          return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
          throw new ClassNotFoundException(name, e);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void aStoreLoadsOneKindOfActiveSegmentEvenWhenItCloses(Policy policy) throws Exception {
    Recording loader = new Recording(getClass().getClassLoader());
    Runnable life =
        (Runnable)
            loader
                .loadClass(Life.class.getName())
                .getConstructor(String.class)
                .newInstance(policy.name());

    life.run();

    Class<?> used = policy == Policy.NONE ? ObjectSegment.class : SkipListSegment.class;
    Class<?> unused = policy == Policy.NONE ? SkipListSegment.class : ObjectSegment.class;
    assertThat(loader.loaded).contains(used.getName()).doesNotContain(unused.getName());
  }
}
