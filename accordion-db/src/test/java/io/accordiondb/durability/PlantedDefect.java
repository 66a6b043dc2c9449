// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Defect} in the classes of the database, in all class loaders of this virtual machine,
 * until it is closed. So no class needs a switch for its defects.
 *
 * <p>The loaded classes are changed, and changed back. To load all of the database once more for
 * each defect would take most of the time of the tests.
 */
final class PlantedDefect implements AutoCloseable, ClassFileTransformer {
  private static final Instrumentation AGENT = ByteBuddyAgent.install();

  /** Changes one class. */
  interface Change {
    DynamicType.Builder<?> apply(DynamicType.Builder<?> type);
  }

  private final Map<String, Change> changes;
  private volatile @Nullable Throwable failure;

  /**
   * Plants a defect.
   *
   * @param changes the changes, by the names of the classes
   * @throws LinkageError if a class cannot be changed
   */
  PlantedDefect(Map<String, Change> changes) {
    this.changes = Map.copyOf(changes);
    // A change that refers to its own class would load it once more while it is being loaded.
    changes.keySet().forEach(PlantedDefect::load);
    AGENT.addTransformer(this, true);
    try {
      transformAgain();
    } catch (LinkageError e) {
      close();
      throw e;
    }
  }

  private void transformAgain() {
    for (String name : changes.keySet()) {
      try {
        AGENT.retransformClasses(load(name));
      } catch (UnmodifiableClassException | UnsupportedOperationException e) {
        throw new LinkageError(name + " cannot be changed", e);
      }
    }
    if (failure != null) {
      throw new LinkageError("a class cannot be changed", failure);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new LinkageError(name + " cannot be changed", e);
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      String internalName,
      @Nullable Class<?> loaded,
      ProtectionDomain domain,
      byte[] bytes) {
    String name = internalName.replace('/', '.');
    Change change = changes.get(name);
    if (change == null) {
      return null;
    }
    try {
      ClassFileLocator locator =
          new ClassFileLocator.Compound(
              ClassFileLocator.Simple.of(name, bytes), ClassFileLocator.ForClassLoader.of(loader));
      TypeDescription type = TypePool.Default.of(locator).describe(name).resolve();
      return change.apply(new ByteBuddy().redefine(type, locator)).make().getBytes();
    } catch (RuntimeException | LinkageError e) {
      // The virtual machine would pass over it.
      failure = e;
      return null;
    }
  }

  @Override
  public void close() {
    AGENT.removeTransformer(this);
    failure = null;
    transformAgain();
  }
}
