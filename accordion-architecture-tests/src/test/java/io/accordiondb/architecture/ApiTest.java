// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What applications can see of the exported packages is written in a file, so that no change of it
 * goes unnoticed: a line that goes, or becomes another, breaks programs and belongs into the
 * CHANGELOG. {@code -Dapi.update=true} writes the file again.
 */
class ApiTest {
  private static final Path FILE = Path.of("src/test/resources/api.txt");

  /** As the module descriptors export them. */
  private static final List<String> PACKAGES =
      List.of(
          "io.accordiondb",
          "io.accordiondb.backup",
          "io.accordiondb.chunk",
          "io.accordiondb.dashboard",
          "io.accordiondb.encoding",
          "io.accordiondb.event",
          "io.accordiondb.filter",
          "io.accordiondb.inspect",
          "io.accordiondb.kafka.streams",
          "io.accordiondb.memstore",
          "io.accordiondb.merge",
          "io.accordiondb.memstore.layout",
          "io.accordiondb.micrometer",
          "io.accordiondb.retention",
          "io.accordiondb.statistics",
          "io.accordiondb.typed");

  @Test
  void isAsItWasAgreed() throws Exception {
    List<String> api = api();
    if (Boolean.getBoolean("api.update")) {
      Files.write(FILE, api);
    }
    assertThat(api)
        .as("the public API; run this test with -Dapi.update=true if it is to be another one")
        .hasSizeGreaterThan(500)
        .isEqualTo(Files.readAllLines(FILE));
  }

  @Test
  void thePackagesAreThoseThatTheModulesExport() throws IOException {
    List<String> exported = new ArrayList<>();
    for (String module :
        List.of(
            "accordion-db",
            "accordion-memstore",
            "accordion-backup",
            "accordion-dashboard",
            "accordion-micrometer",
            "accordion-kafka-streams")) {
      Path descriptor = Path.of("..", module, "src/main/java/module-info.java");
      for (String line : Files.readAllLines(descriptor)) {
        if (line.strip().startsWith("exports ")) {
          exported.add(line.strip().replaceAll("exports |;", ""));
        }
      }
    }
    assertThat(exported).containsExactlyInAnyOrderElementsOf(PACKAGES);
  }

  private static List<String> api() throws ClassNotFoundException {
    List<String> lines = new ArrayList<>();
    List<JavaClass> classes =
        new ClassFileImporter()
            .importPackages(PACKAGES).stream()
                .filter(ApiTest::isApi)
                .sorted((a, b) -> a.getName().compareTo(b.getName()))
                .toList();
    for (JavaClass each : classes) {
      addTo(lines, Class.forName(each.getName(), false, ApiTest.class.getClassLoader()));
    }
    return lines;
  }

  private static boolean isApi(JavaClass type) {
    return PACKAGES.contains(type.getPackageName())
        && type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ApiTest::isApi).orElse(true);
  }

  private static void addTo(List<String> lines, Class<?> type) {
    lines.add(
        Modifier.toString(type.getModifiers())
            + " "
            + type.getName()
            + " extends "
            + type.getGenericSuperclass()
            + " implements "
            + Arrays.toString(type.getGenericInterfaces()));
    List<String> members = new ArrayList<>();
    Stream.of(type.getDeclaredConstructors())
        .filter(ApiTest::isVisible)
        .forEach(constructor -> members.add("  " + constructor.toGenericString()));
    addFieldsAndMethods(type, members);
    // A class that applications cannot name passes its members on to the class that they can.
    for (Class<?> hidden = type.getSuperclass();
        hidden != null && !Modifier.isPublic(hidden.getModifiers());
        hidden = hidden.getSuperclass()) {
      addFieldsAndMethods(hidden, members);
    }
    members.sort(null);
    lines.addAll(members);
  }

  private static void addFieldsAndMethods(Class<?> type, List<String> members) {
    Stream.of(type.getDeclaredFields())
        .filter(ApiTest::isVisible)
        .forEach(field -> members.add("  " + field.toGenericString()));
    Stream.of(type.getDeclaredMethods())
        .filter(method -> isVisible(method) && !method.isBridge())
        .forEach(method -> members.add("  " + method.toGenericString()));
  }

  private static boolean isVisible(Member member) {
    return !member.isSynthetic()
        && (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
  }
}
