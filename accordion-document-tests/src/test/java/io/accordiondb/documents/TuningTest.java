// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.DatabaseOptions;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/TUNING.md marks the options that can change while a database is open, and no other one. */
final class TuningTest {
  private static final Path API =
      Document.REPOSITORY.resolve("accordion-db/src/main/java/io/accordiondb/Administration.java");
  private static final Pattern FIXED =
      Pattern.compile("while the database is open: ([\\w, *\n]+);");
  private static final Pattern OPTION = Pattern.compile("`(?:\\w+\\.)*(\\w+)`(\\*?)");

  @Test
  void optionsThatCanChangeAreMarked() throws IOException {
    Set<String> options =
        Arrays.stream(DatabaseOptions.Builder.class.getMethods())
            .filter(
                method ->
                    DatabaseOptions.Builder.class.isAssignableFrom(method.getReturnType())
                        || method.getReturnType().getSimpleName().endsWith("Settings"))
            .map(Method::getName)
            .collect(Collectors.toSet());
    Set<String> fixed = fixedOptions();
    assertThat(options).containsAll(fixed);
    Set<String> changeable = new TreeSet<>();
    Set<String> marked = new TreeSet<>();
    Matcher option =
        OPTION.matcher(String.join("\n", Document.read(Path.of("docs/TUNING.md")).lines()));
    while (option.find()) {
      String name = option.group(1);
      if (options.contains(name)) {
        if (!fixed.contains(name)) {
          changeable.add(name);
        }
        if (!option.group(2).isEmpty()) {
          marked.add(name);
        }
      }
    }
    assertThat(marked).isEqualTo(changeable).hasSizeGreaterThan(5);
  }

  /** Returns the options that the Javadoc of {@code reconfigure} excludes. */
  private static Set<String> fixedOptions() throws IOException {
    Matcher fixed = FIXED.matcher(Files.readString(API));
    assertThat(fixed.find()).isTrue();
    return new TreeSet<>(Arrays.asList(fixed.group(1).split("[, *\n]+")));
  }
}
