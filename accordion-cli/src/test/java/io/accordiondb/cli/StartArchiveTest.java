// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code accordion} starts a program of two classes, in place of the command line, with
 * and without an archive of its classes.
 */
@Tag("slow")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "runs a bash script")
class StartArchiveTest {
  private static final long SECONDS_MAX = 120;

  /** Of these, the last is installed nowhere. */
  private static final List<String> LOCALES =
      List.of("LC_ALL=C", "LC_ALL=C.UTF-8", "LC_CTYPE=POSIX", "LANG=C", "LC_ALL=xx_XX.UTF-8");

  @TempDir Path folder;

  private Path root;
  private Path archives;

  /** What the script and the program printed, and what the JVM said of the classes it loaded. */
  private record Printed(List<String> output, String errors) {
    void assertRan(boolean fromArchive) {
      assertThat(output).contains("ran hello");
      String source = fromArchive ? "shared objects file" : "file:";
      assertThat(output).anyMatch(line -> line.matches(".*cli\\.Main source: " + source + ".*"));
      assertThat(output.toString()).doesNotContain("warning", "error");
    }
  }

  @BeforeEach
  void layOutACheckout() throws IOException {
    root = Files.createDirectory(folder.resolve("checkout"));
    archives = root.resolve("accordion-cli/target/launcher/archives");
    Files.copy(Path.of("../accordion"), root.resolve("accordion"));
    build("");
  }

  /** Puts the program where the build does, with a statement at the end of the training. */
  private void build(String statement) throws IOException {
    compile("Main", "System.out.println(\"ran \" + arguments[0]);");
    pack(statement);
  }

  private void pack(String statement) throws IOException {
    Path lib = Files.createDirectories(root.resolve("accordion-cli/target/launcher/lib"));
    compile("ArchiveTraining", "Main.main(arguments);" + statement);
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(lib.resolve("program.jar")))) {
      for (String name : List.of("Main", "ArchiveTraining")) {
        String entry = "io/accordiondb/cli/" + name + ".class";
        jar.putNextEntry(new JarEntry(entry));
        Files.copy(folder.resolve(entry), jar);
        jar.closeEntry();
      }
    }
    Files.write(lib.resolve(".built"), new byte[0]);
  }

  private void compile(String name, String statements) throws IOException {
    Path source = folder.resolve(name + ".java");
    Files.writeString(
        source,
        "package io.accordiondb.cli; class %s { public static void main(String[] arguments) { %s } }"
            .formatted(name, statements));
    String classes = folder.toString();
    String[] arguments = {"-d", classes, "-cp", classes, source.toString()};
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments)).isZero();
  }

  private Process start(Path output, Path errors) throws IOException {
    return configured(new ProcessBuilder("bash", root.resolve("accordion").toString(), "hello"))
        .redirectOutput(output.toFile())
        .redirectError(errors.toFile())
        .start();
  }

  private static ProcessBuilder configured(ProcessBuilder script) {
    script.environment().put("JAVA_HOME", System.getProperty("java.home"));
    script.environment().put("ACCORDION_JAVA_OPTS", "-Xlog:class+load");
    script.environment().remove("ACCORDION_ARCHIVE");
    return script;
  }

  private Printed run() throws Exception {
    Path output = Files.createTempFile(folder, "output", "");
    Path errors = Files.createTempFile(folder, "errors", "");
    return ended(start(output, errors), output, errors);
  }

  private static Printed ended(Process process, Path output, Path errors) throws Exception {
    assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
    return new Printed(Files.readAllLines(output), Files.readString(errors));
  }

  private List<Path> made() throws IOException {
    try (Stream<Path> paths = Files.list(archives)) {
      return paths.toList();
    }
  }

  @Test
  void startsFromAnArchiveThatTheFirstCommandMakes() throws Exception {
    Printed first = run();
    first.assertRan(true);
    assertThat(first.errors()).startsWith("preparing a faster start").hasLineCount(1);
    Printed second = run();
    second.assertRan(true);
    assertThat(second.errors()).isEmpty();
    assertThat(made()).hasSize(1);
  }

  @Test
  void ignoresADamagedArchive() throws Exception {
    run().assertRan(true);
    Path archive = made().get(0);
    byte[] whole = Files.readAllBytes(archive);
    byte[] flipped = whole.clone();
    for (int i = whole.length / 8; i < whole.length; i += 4096) {
      flipped[i] ^= 1;
    }
    byte[] cut = Arrays.copyOf(whole, whole.length / 2);
    for (byte[] damaged : List.of(flipped, cut, new byte[] {1})) {
      Files.delete(archive);
      Files.write(archive, damaged);
      Printed printed = run();
      printed.assertRan(false);
      assertThat(printed.errors()).isEmpty();
    }
  }

  @Test
  void makesAnotherArchiveForNewerJars() throws Exception {
    run().assertRan(true);
    build(";");
    Printed rebuilt = run();
    rebuilt.assertRan(true);
    assertThat(rebuilt.errors()).startsWith("preparing a faster start");
    assertThat(made()).hasSize(1);
  }

  @Test
  void runsWithoutAnArchiveThatCannotBeMade() throws Exception {
    build("System.exit(1);");
    run().assertRan(false);
    Printed second = run();
    second.assertRan(false);
    assertThat(second.errors()).as("tried again").isEmpty();
  }

  /** Otherwise a limit of time that is too short for the training would end each command. */
  @Test
  void doesNotTryAgainAfterItWasTerminated() throws Exception {
    // As timeout does, which sends the signal to the script and to all that it runs.
    build(
        "ProcessHandle shell = ProcessHandle.current().parent().get();"
            + " shell.parent().get().destroy(); shell.destroy(); System.exit(143);");
    Path output = Files.createTempFile(folder, "output", "");
    Process terminated = start(output, Files.createTempFile(folder, "errors", ""));
    assertThat(terminated.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    assertThat(terminated.exitValue()).isEqualTo(143);
    assertThat(output).content().doesNotContain("ran hello");
    Printed second = run();
    second.assertRan(false);
    assertThat(second.errors()).as("tried again").isEmpty();
    assertThat(made()).hasSize(1);
  }

  @Test
  void runsWithoutAnArchiveWhereNoneCanBeWritten() throws Exception {
    // A file in the place of the folder stops the superuser, too.
    Files.createFile(archives);
    Printed printed = run();
    printed.assertRan(false);
    assertThat(printed.errors()).isEmpty();
  }

  @Test
  void saysWhetherTheReaderOfTheOutputMayStop() throws Exception {
    compile(
        "Main", "System.out.println(\"pipe \" + System.getProperty(\"accordion.pipe.output\"));");
    pack("");
    assertThat(run().output()).contains("pipe false");
    Path errors = Files.createTempFile(folder, "errors", "");
    Process piped =
        configured(new ProcessBuilder("bash", root.resolve("accordion").toString(), "hello"))
            .redirectError(errors.toFile())
            .start();
    String output = new String(piped.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(piped.waitFor()).isZero();
    assertThat(output).contains("pipe true");
  }

  /** A container's locale is often that of POSIX, or is not installed. */
  @Test
  void passesAllLettersOnWhateverTheLocale() throws Exception {
    compile("Main", "System.out.println(\"read \" + (int) arguments[0].charAt(0));");
    pack("");
    for (String locale : LOCALES) {
      Path output = Files.createTempFile(folder, "output", "");
      Path errors = Files.createTempFile(folder, "errors", "");
      String script = root.resolve("accordion").toString();
      String line = "unset LC_ALL LC_CTYPE LANG; " + locale + " exec bash \"$0\" $'\\xc3\\xbc'";
      Process process =
          configured(new ProcessBuilder("bash", "-c", line, script))
              .redirectOutput(output.toFile())
              .redirectError(errors.toFile())
              .start();
      assertThat(ended(process, output, errors).output()).as(locale).contains("read " + 0xfc);
    }
  }

  @Test
  void runsSeveralCommandsAtOnce() throws Exception {
    Path[] files = new Path[6];
    for (int i = 0; i < files.length; i++) {
      files[i] = Files.createTempFile(folder, "printed", "");
    }
    Process[] processes = new Process[3];
    for (int i = 0; i < processes.length; i++) {
      processes[i] = start(files[i], files[processes.length + i]);
    }
    for (int i = 0; i < processes.length; i++) {
      Printed printed = ended(processes[i], files[i], files[processes.length + i]);
      assertThat(printed.output()).contains("ran hello");
    }
    run().assertRan(true);
    assertThat(made()).hasSize(1);
  }
}
