// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.demo.Demo;
import io.accordiondb.bench.demo.DemoOptions;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the usual commands at a small size, so that the JVM loads their classes. The script {@code
 * accordion} archives these, and the JVM then starts from the archive.
 */
final class ArchiveTraining {
  private static final String SIZE =
      " --records 2000 --operations 2000 --warmup 0 --memory 4 --cache 4 --json --dir";

  private ArchiveTraining() {}

  /** Trains in the folder that the only argument names, and creates it. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    Path store = folder.resolve("write");
    run("bench write" + SIZE, store);
    run("store info", store);
    run("store verify", store);
    run("shell --read-only -e list", store);
    run("bench scan" + SIZE, folder.resolve("scan"));
    run("bench mixed" + SIZE, folder.resolve("mixed"));
    demonstrate(folder);
  }

  private static void run(String command, Path folder) throws IOException {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.add(folder.toString());
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    int exitCode = Main.run(nowhere, nowhere, words.toArray(new String[0]));
    if (exitCode != 0) {
      throw new IOException(command + " ended with exit code " + exitCode);
    }
  }

  /** Runs {@code demo} without its two million different rows. */
  private static void demonstrate(Path folder) throws IOException {
    DemoOptions options =
        new DemoOptions(folder, Distribution.ZIPFIAN, 2000, 2000, 4, 25, 10_000, 4 << 20);
    Demo demo = new Demo(options, new PrintStream(PrintStream.nullOutputStream()));
    for (Policy policy : List.of(Policy.NONE, Policy.ADAPTIVE)) {
      demo.run(policy);
    }
  }
}
