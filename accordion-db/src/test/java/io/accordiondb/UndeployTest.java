// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.Await;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that undeploys an application keeps nothing of the databases that this had open. */
class UndeployTest {
  private static final int DEPLOYMENTS = 4;

  @TempDir private Path folder;

  private static WeakReference<ClassLoader> deployAndUndeploy(Path folder) throws Exception {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      classPath.add(Path.of(entry).toUri().toURL());
    }
    ClassLoader server = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader loader = new URLClassLoader(classPath.toArray(new URL[0]), server)) {
      loader
          .loadClass("io.accordiondb.UndeployedApplication")
          .getMethod("run", Path.class)
          .invoke(null, folder);
      return new WeakReference<>(loader);
    }
  }

  @Test
  void theClassesOfAClosedDatabaseCanBeUnloaded() throws Exception {
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    for (int i = 0; i < DEPLOYMENTS; i++) {
      loaders.add(deployAndUndeploy(folder));
    }
    // Method handles of the JDK keep the classes for which they were last used.
    Await.await("class loaders", () -> loaded(loaders), left -> left <= 1);
    assertThat(loaders).hasSize(DEPLOYMENTS);
  }

  private static long loaded(List<WeakReference<ClassLoader>> loaders) {
    System.gc();
    return loaders.stream().filter(loader -> loader.get() != null).count();
  }
}
