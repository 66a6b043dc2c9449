// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** How long files, methods and constructors of all modules may be, in lines. */
class SizesTest {
  private static final int FILE_MAX = 400;
  private static final int METHOD_MAX = 60;
  private static final int CONSTRUCTOR_MAX = 40;

  /** What a file that is longer must say of itself. */
  private static final Pattern REASON = Pattern.compile("Longer than 400 lines because");

  @Test
  void nothingIsTooLong() throws IOException {
    List<Path> sources = sources();
    assertThat(sources).hasSizeGreaterThan(300);
    List<String> problems = new ArrayList<>();
    for (Path source : sources) {
      String text = Files.readString(source);
      long lines = text.lines().count();
      if (lines > FILE_MAX && !REASON.matcher(text).find()) {
        problems.add(source.getFileName() + " has " + lines + " lines and does not say why");
      }
    }
    problems.addAll(longMethods(sources));
    assertThat(problems).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      for (Path module : modules.toList()) {
        Path main = module.resolve("src/main/java");
        if (Files.isDirectory(main)) {
          try (Stream<Path> files = Files.walk(main)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }

  private static List<String> longMethods(List<Path> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> problems = new ArrayList<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        unit.accept(new LongMethods(unit, positions, problems), null);
      }
    }
    return problems;
  }

  /** Reports the methods of a file that are too long, from the signature to the last brace. */
  private static final class LongMethods extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<String> problems;

    LongMethods(CompilationUnitTree unit, SourcePositions positions, List<String> problems) {
      this.unit = unit;
      this.positions = positions;
      this.problems = problems;
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      if (method.getBody() != null) {
        LineMap lines = unit.getLineMap();
        long first = lines.getLineNumber(positions.getStartPosition(unit, method));
        long last = lines.getLineNumber(positions.getEndPosition(unit, method));
        boolean constructor = method.getReturnType() == null;
        if (last - first + 1 > (constructor ? CONSTRUCTOR_MAX : METHOD_MAX)) {
          problems.add(
              unit.getSourceFile().getName()
                  + ":"
                  + first
                  + " has "
                  + (last - first + 1)
                  + " lines");
        }
      }
      return super.visitMethod(method, unused);
    }
  }
}
