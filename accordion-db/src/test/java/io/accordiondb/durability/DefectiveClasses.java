// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the database once more, some of them changed by a {@link Defect}. So no class
 * needs a switch for its defects.
 */
final class DefectiveClasses extends ClassLoader {
  static final String OURS = "io.accordiondb.";

  /** Changes one class. */
  interface Change {
    DynamicType.Builder<?> apply(DynamicType.Builder<?> type);
  }

  private final Map<String, Change> changes;

  DefectiveClasses(Map<String, Change> changes) {
    super(DefectiveClasses.class.getClassLoader());
    this.changes = Map.copyOf(changes);
  }

  /** Calls a method of {@link Hunt} among these classes, which takes a seed or nothing. */
  void hunt(String method, Object... seed) throws Throwable {
    Class<?>[] types = new Class<?>[seed.length];
    Arrays.fill(types, long.class);
    Method hunt = loadClass(Hunt.class.getName()).getDeclaredMethod(method, types);
    hunt.setAccessible(true);
    try {
      hunt.invoke(null, seed);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /**
   * Runs a test among these classes; returns how it has failed, or null.
   *
   * @param test a class and a method of it, as {@code cell.CellTest#works}
   */
  @Nullable Throwable failureOf(String test) throws ClassNotFoundException {
    int separator = test.indexOf('#');
    Class<?> type = loadClass(OURS + test.substring(0, separator));
    return MethodRun.failureOf(type, test.substring(separator + 1));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] bytes = bytesOf(name);
        loaded = defineClass(name, bytes, 0, bytes.length);
      }
      return loaded;
    }
  }

  /** Returns the bytes of changed classes as changed, for loaders that change them further. */
  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    String type = name.replaceFirst("\\.class$", "").replace('/', '.');
    Change change = changes.get(type);
    return change == null
        ? super.getResourceAsStream(name)
        : new ByteArrayInputStream(changed(type, change));
  }

  private byte[] changed(String name, Change change) {
    ClassFileLocator locator = ClassFileLocator.ForClassLoader.of(getParent());
    TypeDescription type = TypePool.Default.of(locator).describe(name).resolve();
    return change.apply(new ByteBuddy().redefine(type, locator)).make().getBytes();
  }

  private byte[] bytesOf(String name) throws ClassNotFoundException {
    Change change = changes.get(name);
    if (change != null) {
      return changed(name, change);
    }
    String file = name.replace('.', '/') + ".class";
    try (InputStream stream = getParent().getResourceAsStream(file)) {
      if (stream == null) {
        throw new ClassNotFoundException(name);
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
