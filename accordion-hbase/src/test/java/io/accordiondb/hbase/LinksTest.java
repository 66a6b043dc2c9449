// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Checks that the plug-in's classes, compiled against one version of HBase, find every class,
 * method and field that they name in the version on the class path, and implement every method that
 * it leaves abstract. The JVM would notice only when it runs the call.
 */
class LinksTest {
  private static final String HBASE = "org/apache/hadoop/";

  private final Set<String> missing = new TreeSet<>();
  private int found;

  @Test
  void everythingNamedIsThere() throws IOException, URISyntaxException, ClassNotFoundException {
    List<String> names = new ArrayList<>();
    URI home = AccordionMemStore.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    if (Files.isDirectory(Path.of(home))) {
      check(Path.of(home), names);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(Path.of(home), Map.of())) {
        check(jar.getPath("/"), names);
      }
    }
    assertThat(names).hasSizeGreaterThan(15);
    assertThat(found).isGreaterThan(100);
    for (String name : names) {
      unimplemented(Class.forName(name.replace('/', '.'), false, getClass().getClassLoader()));
    }
    assertThat(missing).as("missing in HBase " + VersionInfo.getVersion()).isEmpty();
  }

  /** The profile that names another version must test that version. */
  @Test
  void theVersionIsTheOneThatTheBuildNames() {
    String expected = System.getProperty("hbase.version.expected");
    assertThat(VersionInfo.getVersion())
        .isEqualTo(expected == null ? VersionInfo.getVersion() : expected);
  }

  private void check(Path folder, List<String> names) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        if (file.getFileName().toString().equals("package-info.class")) {
          continue;
        }
        try (InputStream bytes = Files.newInputStream(file)) {
          ClassReader reader = new ClassReader(bytes);
          names.add(reader.getClassName());
          reader.accept(new References(), ClassReader.SKIP_DEBUG);
        }
      }
    }
  }

  private void unimplemented(Class<?> type) {
    if (Modifier.isAbstract(type.getModifiers())) {
      return;
    }
    for (Method method : type.getMethods()) {
      if (Modifier.isAbstract(method.getModifiers())) {
        missing.add(type.getName() + " does not implement " + method);
      }
    }
  }

  private @Nullable Class<?> load(Type type) {
    if (type.getSort() == Type.ARRAY) {
      return load(type.getElementType());
    }
    if (type.getSort() != Type.OBJECT || !type.getInternalName().startsWith(HBASE)) {
      return null;
    }
    try {
      found++;
      return Class.forName(type.getClassName(), false, getClass().getClassLoader());
    } catch (ClassNotFoundException e) {
      found--;
      missing.add(type.getClassName());
      return null;
    }
  }

  private void expectMethod(String owner, String name, String descriptor) {
    Class<?> type = load(Type.getObjectType(owner));
    if (type != null && !hasMethod(type, name, descriptor)) {
      missing.add(owner + "." + name + descriptor);
    }
  }

  private static boolean hasMethod(Class<?> type, String name, String descriptor) {
    if (name.equals("<init>")) {
      return Stream.of(type.getDeclaredConstructors())
          .anyMatch(made -> Type.getConstructorDescriptor(made).equals(descriptor));
    }
    return Stream.of(type.getDeclaredMethods())
            .anyMatch(
                method ->
                    method.getName().equals(name)
                        && Type.getMethodDescriptor(method).equals(descriptor))
        || parents(type).anyMatch(parent -> hasMethod(parent, name, descriptor));
  }

  private void expectField(String owner, String name, String descriptor) {
    Class<?> type = load(Type.getObjectType(owner));
    if (type != null && !hasField(type, name, descriptor)) {
      missing.add(owner + "." + name + " " + descriptor);
    }
  }

  private static boolean hasField(Class<?> type, String name, String descriptor) {
    return Stream.of(type.getDeclaredFields())
            .anyMatch(
                field ->
                    field.getName().equals(name)
                        && Type.getDescriptor(field.getType()).equals(descriptor))
        || parents(type).anyMatch(parent -> hasField(parent, name, descriptor));
  }

  private static Stream<Class<?>> parents(Class<?> type) {
    Class<?> parent = type.isInterface() ? Object.class : type.getSuperclass();
    return Stream.concat(Stream.ofNullable(parent), Stream.of(type.getInterfaces()));
  }

  /** Looks up what one class names. */
  private final class References extends ClassVisitor {
    References() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(
        int version, int access, String name, String signature, String parent, String[] faces) {
      load(Type.getObjectType(parent));
      Stream.of(faces).forEach(face -> load(Type.getObjectType(face)));
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String calledDescriptor, boolean face) {
          expectMethod(owner, called, calledDescriptor);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String type) {
          expectField(owner, field, type);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
          load(Type.getObjectType(type));
        }
      };
    }
  }
}
