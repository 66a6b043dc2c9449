// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * The classes of the database once more, each of which calls {@link AllocationFaults} wherever it
 * allocates: at every object and array that it makes, every lambda and text that it puts together,
 * and every call into the JDK that allocates for it. Each such place is a site and has a number.
 */
final class AllocatingClasses extends ClassLoader {
  private static final String OURS = "io.accordiondb.";
  private static final String FAULTS = Type.getInternalName(AllocationFaults.class);

  /** Methods of collections, buffers, executors and threads that may allocate. */
  private static final Set<String> ALLOCATING =
      Set.of(
          "add",
          "addAll",
          "addFirst",
          "addLast",
          "allocate",
          "allocateDirect",
          "array",
          "clone",
          "collect",
          "compute",
          "computeIfAbsent",
          "copyOf",
          "copyOfRange",
          "duplicate",
          "entrySet",
          "execute",
          "forEach",
          "getBytes",
          "iterator",
          "keySet",
          "lock",
          "map",
          "merge",
          "newCondition",
          "of",
          "offer",
          "order",
          "push",
          "put",
          "putAll",
          "putIfAbsent",
          "readLock",
          "schedule",
          "slice",
          "start",
          "stream",
          "submit",
          "tailMap",
          "toArray",
          "toList",
          "toString",
          "tryLock",
          "values",
          "wrap",
          "writeLock");

  private final String testLocation = locationOf(AllocatingClasses.class.getName());
  private final List<String> sites = Collections.synchronizedList(new ArrayList<>());

  AllocatingClasses() {
    super(AllocatingClasses.class.getClassLoader());
  }

  /** Returns the number of sites in the classes loaded so far. */
  int siteCount() {
    return sites.size();
  }

  /** Returns where a site is: class, method and line. */
  String siteName(int site) {
    return sites.get(site);
  }

  /** Calls a static method of one number among these classes. */
  void call(Class<?> type, String method, long argument) throws Throwable {
    Method found = loadClass(type.getName()).getDeclaredMethod(method, long.class);
    found.setAccessible(true);
    try {
      found.invoke(null, argument);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || name.startsWith(AllocationFaults.class.getName())) {
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

  private byte[] bytesOf(String name) throws ClassNotFoundException {
    try (InputStream stream = getParent().getResourceAsStream(fileOf(name))) {
      if (stream == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = stream.readAllBytes();
      return locationOf(name).equals(testLocation) ? bytes : changed(bytes);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static String fileOf(String name) {
    return name.replace('.', '/') + ".class";
  }

  /** Returns the folder or archive that a class comes from. */
  private static String locationOf(String name) {
    URL url = AllocatingClasses.class.getClassLoader().getResource(fileOf(name));
    return url == null ? "" : url.toString().replace(fileOf(name), "");
  }

  private byte[] changed(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new SiteVisitor(writer, reader.getClassName()), 0);
    return writer.toByteArray();
  }

  private final class SiteVisitor extends ClassVisitor {
    private final String className;

    SiteVisitor(ClassVisitor next, String className) {
      super(Opcodes.ASM9, next);
      this.className = className;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      // A class whose initialisation has failed once can never be used again.
      return name.equals("<clinit>") ? next : new MethodSites(next, className + "." + name);
    }
  }

  private final class MethodSites extends MethodVisitor {
    private final String method;
    private int line;

    MethodSites(MethodVisitor next, String method) {
      super(Opcodes.ASM9, next);
      this.method = method;
    }

    private void visitSite() {
      int site;
      synchronized (sites) {
        site = sites.size();
        sites.add(method + ":" + line);
      }
      super.visitLdcInsn(site);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, FAULTS, "at", "(I)V", false);
    }

    @Override
    public void visitLineNumber(int number, Label start) {
      line = number;
      super.visitLineNumber(number, start);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      super.visitTypeInsn(opcode, type);
      // Behind the instruction, because frames refer to the place of NEW itself.
      if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
        visitSite();
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      super.visitIntInsn(opcode, operand);
      if (opcode == Opcodes.NEWARRAY) {
        visitSite();
      }
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
      super.visitMultiANewArrayInsn(descriptor, dimensions);
      visitSite();
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      visitSite();
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (owner.startsWith("java/") && ALLOCATING.contains(name)) {
        visitSite();
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }
  }
}
