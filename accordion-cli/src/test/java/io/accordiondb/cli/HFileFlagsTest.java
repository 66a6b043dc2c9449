// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.cli.hfile.HFileForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class HFileFlagsTest {
  @TempDir Path folder;

  private static HFileFlags parse(String... arguments) {
    HFileFlags flags = new HFileFlags();
    new CommandLine(CommandSpec.forAnnotatedObject(flags)).parseArgs(arguments);
    return flags;
  }

  private HFileFlags splits(String text) throws IOException {
    return parse("--splits=" + Files.writeString(folder.resolve("splits"), text));
  }

  @Test
  void hasHBasesDefaults() throws IOException {
    HFileFlags flags = parse();
    assertThat(flags.isGiven()).isFalse();
    assertThat(flags.form()).isEqualTo(HFileForm.DEFAULT);
    assertThat(flags.splits()).isNull();
  }

  @Test
  void readsTheFormOfFiles() {
    HFileFlags flags =
        parse("--compression=zstd", "--encoding=DIFF", "--block-bytes=8192", "--file-mb=3");
    assertThat(flags.isGiven()).isTrue();
    assertThat(flags.form()).isEqualTo(new HFileForm("zstd", "DIFF", 8192, 3 << 20));
  }

  @Test
  void refusesSizesThatCannotBe() {
    assertThatThrownBy(() -> parse("--block-bytes=1").form())
        .hasMessageContaining("--block-bytes is 1, expected 512 to 1048576");
    assertThatThrownBy(() -> parse("--file-mb=0").form()).hasMessageContaining("--file-mb is 0");
  }

  @Test
  void readsRowsInAnyEncoding() throws IOException {
    assertThat(splits("\uFEFFa\\x00\nhex:6200\nc\n").splits())
        .containsExactly(new byte[] {'a', 0}, new byte[] {'b', 0}, "c".getBytes(US_ASCII));
  }

  @Test
  void namesTheLineThatIsNoRow() throws IOException {
    assertThatThrownBy(() -> splits("b\na\n").splits())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("splits, line 2: row \"a\" is not above the one before it");
    assertThatThrownBy(() -> splits("a\na\n").splits()).hasMessageContaining("line 2");
    assertThatThrownBy(() -> splits("a\n\n").splits())
        .hasMessageContaining("line 2: the line is empty");
    assertThatThrownBy(() -> splits("a\\q\n").splits()).hasMessageContaining("line 1");
  }

  @Test
  void namesAFileThatIsNoText() throws IOException {
    Path file = Files.write(folder.resolve("splits"), new byte[] {'a', (byte) 0xFF, '\n'});
    assertThatThrownBy(() -> parse("--splits=" + file).splits())
        .hasMessageContaining(file + " has bytes that are not UTF-8; write them as \\xHH");
    assertThatThrownBy(() -> parse("--splits=" + folder).splits())
        .hasMessage(folder + ": Is a directory");
  }
}
