// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transfer;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.WrappingStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForcedLinksTest {
  @TempDir private Path folder;
  private Path given;
  private FileStorage files;

  @BeforeEach
  void createFile() throws IOException {
    given = Files.write(folder.resolve("given"), bytes("content"));
    files = new FileStorage(folder);
  }

  /** A folder whose device cannot force a file once, while another thread adds the file, too. */
  private static final class FailingOnce extends WrappingStorage {
    private boolean failed;

    FailingOnce(FileStorage files) {
      super(files);
    }

    @Override
    public void linkTo(String name, Storage target, String targetName) throws IOException {
      delegate.linkTo(name, delegate, targetName);
    }

    @Override
    public void sync(String name) throws IOException {
      if (!failed) {
        failed = true;
        ForcedLinks.link(this, "given", this, "meanwhile");
        throw new IOException("injected");
      }
      super.sync(name);
    }
  }

  @Test
  void aFileThatIsNotForcedYetIsCopied() throws IOException {
    Storage failing = new FailingOnce(files);

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> ForcedLinks.link(failing, "given", failing, "first"))
        .withMessage("injected");
    ForcedLinks.link(failing, "given", failing, "later");

    for (String copy : new String[] {"meanwhile", "later"}) {
      assertThat(Files.isSameFile(folder.resolve(copy), given)).isFalse();
      assertThat(folder.resolve(copy)).hasContent("content");
    }
  }

  @Test
  void aNameThatIsTakenSaysNothingOfTheFile() throws IOException {
    ForcedLinks.link(files, "given", files, "first");
    // Else another test has left the number of an unforced file, which the system gives again.
    assumeTrue(Files.isSameFile(folder.resolve("first"), given), "a file of its own");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> ForcedLinks.link(files, "given", files, "first"));
    ForcedLinks.link(files, "given", files, "second");
    assertThat(Files.isSameFile(folder.resolve("second"), given)).isTrue();
  }
}
