// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.key;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications may leave out zstd-jni, which is large and serves no family by default. */
class WithoutZstdTest {
  @TempDir private Path folder;

  private void run(Class<?> application) throws Exception {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!entry.contains("zstd-jni")) {
        classPath.add(Path.of(entry).toUri().toURL());
      }
    }
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader loader = new URLClassLoader(classPath.toArray(new URL[0]), platform)) {
      loader
          .loadClass(application.getName())
          .getMethod("run", Path.class)
          .invoke(null, folder.resolve("db"));
    }
  }

  @Test
  void aDatabaseThatDoesNotUseItNeverNeedsItAndOneThatDoesSaysWhatIsMissing() throws Exception {
    run(UndeployedApplication.class);
    run(UndeployedApplication.class);
    assertThatThrownBy(() -> run(Archive.class))
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ZSTD compression needs zstd-jni, which is missing")
        .hasMessageContaining("java.io.tmpdir (" + System.getProperty("java.io.tmpdir") + ")");
  }

  /** Compresses a family by ZSTD. */
  public static final class Archive {
    private Archive() {}

    /**
     * Writes.
     *
     * @param folder the folder of the database
     */
    public static void run(Path folder) throws IOException {
      FamilyDescriptor family =
          FamilyDescriptor.builder(KeyValueStore.FAMILY).compression(Compression.ZSTD).build();
      try (Database database = Database.open(folder)) {
        database.keyValueStore("archive", family).put(key(1), new byte[1000]);
        database.flush();
      }
    }
  }
}
