// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which names are on the device once a folder is there. */
class MissingFoldersTest {
  @TempDir Path temporary;
  private final List<Path> forced = new ArrayList<>();
  private Path folder;
  private boolean fails;

  @BeforeEach
  void place() throws IOException {
    folder = temporary.toRealPath();
  }

  private void force(Path parent) throws IOException {
    if (fails) {
      throw new IOException("cannot force " + parent);
    }
    forced.add(parent);
  }

  private void create(Path path) throws IOException {
    new MissingFolders(path, this::force, () -> new FileAttribute<?>[0]).create();
  }

  @Test
  void theNamesOfAllNewFoldersAreForced() throws IOException {
    Files.createFile(folder.resolve("other"));
    create(folder.resolve("a/b"));
    assertThat(forced).containsExactly(folder, folder.resolve("a"));
  }

  @Test
  void aNameThatCouldNotBeForcedIsForcedByTheNextCall() throws IOException {
    fails = true;
    assertThatIOException().isThrownBy(() -> create(folder.resolve("a")));
    fails = false;
    create(folder.resolve("a"));
    assertThat(forced).containsExactly(folder);
  }

  @Test
  void theNameOfAFolderAboveIsForcedToo() throws IOException {
    fails = true;
    assertThatIOException().isThrownBy(() -> create(folder.resolve("a/b")));
    fails = false;
    create(folder.resolve("a/b"));
    assertThat(forced).containsExactly(folder, folder.resolve("a"));
  }

  @Test
  void theFolderAboveAnOldOneMayBeOneThatCannotBeForced() throws IOException {
    Path path = Files.createDirectory(folder.resolve("a"));
    fails = true;
    create(path);
  }

  @Test
  void aFolderWithFilesIsLeftAlone() throws IOException {
    Path path = Files.createDirectory(folder.resolve("a"));
    Files.createFile(path.resolve("CURRENT"));
    create(path);
    assertThat(forced).isEmpty();
  }
}
