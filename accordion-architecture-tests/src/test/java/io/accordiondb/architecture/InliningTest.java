// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Methods on the path of a write that must be too long for HotSpot to inline. Otherwise each caller
 * contains them, and in the first seconds of a process the compiler repeats them for each.
 */
class InliningTest {
  private static final String SKIP_LIST = "io.accordiondb.memstore.segment.active.SkipList";
  private static final String TABLE_WRITER = "io.accordiondb.internal.table.TableWriter";

  /** The number of bytes before an instruction of a method. */
  private static final Pattern INSTRUCTION = Pattern.compile("(?m)^ +(\\d+): ");

  @Test
  void theCompilerDoesNotInlineWhatItWouldCompileAgainAndAgain() throws Exception {
    long inlinedMax =
        Long.parseLong(
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("FreqInlineSize")
                .getValue());

    assertThat(bytesOf(SKIP_LIST, "boolean insert(")).isGreaterThan(inlinedMax);
    assertThat(bytesOf(TABLE_WRITER, "CompletionStage<java.lang.Void> write("))
        .isGreaterThan(inlinedMax);
    assertThat(bytesOf(SKIP_LIST, "boolean isSlow(")).isLessThan(10);
  }

  /** Returns the bytes of a method before its last instruction. */
  private static long bytesOf(String className, String method) throws Exception {
    String code = disassembled(className);
    int start = code.indexOf(method);
    assertThat(start).as("%s in %s", method, className).isNotNegative();
    int end = code.indexOf("\n\n", start);
    return INSTRUCTION
        .matcher(code.substring(start, end))
        .results()
        .mapToLong(match -> Long.parseLong(match.group(1)))
        .max()
        .orElseThrow();
  }

  private static String disassembled(String className)
      throws ClassNotFoundException, URISyntaxException {
    Class<?> type = Class.forName(className, false, InliningTest.class.getClassLoader());
    Path classes = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    StringWriter code = new StringWriter();
    int result =
        ToolProvider.findFirst("javap")
            .orElseThrow()
            .run(
                new PrintWriter(code),
                new PrintWriter(System.err),
                "-c",
                "-p",
                "-cp",
                classes.toString(),
                className);
    assertThat(result).isZero();
    return code.toString();
  }
}
