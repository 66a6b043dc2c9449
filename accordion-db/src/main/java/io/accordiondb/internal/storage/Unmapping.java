// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends mappings before the garbage collector would, by the JDK's only means for it before Java 22.
 * Where that is missing, mappings end when they are collected.
 */
final class Unmapping {
  private static final Logger LOG = LoggerFactory.getLogger(Unmapping.class);
  private static final @Nullable MethodHandle CLEANER = cleaner();

  private Unmapping() {}

  /** Ends a mapping, which nobody may touch any more. */
  static void unmap(MappedByteBuffer mapped) {
    if (CLEANER != null) {
      try {
        CLEANER.invoke((ByteBuffer) mapped);
      } catch (UnsupportedOperationException e) {
        LOG.debug("mappings end when they are collected", e);
      } catch (Throwable e) {
        throw new IllegalStateException("a mapping could not be ended", e);
      }
    }
  }

  private static @Nullable MethodHandle cleaner() {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      return MethodHandles.lookup()
          .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
          .bindTo(instance.get(null));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("mappings end when they are collected", e);
      return null;
    }
  }
}
