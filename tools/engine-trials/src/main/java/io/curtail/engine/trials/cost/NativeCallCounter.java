/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.cost;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Counts how often one thread goes from Java into RocksDB and into the engine's C library. An agent
 * of the virtual machine: each native method gets another name, under which a method in Java counts
 * and calls it.
 */
public final class NativeCallCounter implements ClassFileTransformer {
  private static final String PREFIX = "counted_";
  private static final String ROCKSDB = "org/rocksdb/";
  private static final String ENGINE = "io/curtail/engine/NativeMerge";

  private static volatile Thread counted;
  private static long calls;

  private NativeCallCounter() {}

  /** Called by the virtual machine before the node starts. */
  public static void premain(String arguments, Instrumentation machine) {
    ClassFileTransformer counter = new NativeCallCounter();
    machine.addTransformer(counter);
    machine.setNativeMethodPrefix(counter, PREFIX);
  }

  /**
   * Writes the jar that the flag {@code -javaagent} wants, with nothing in it: the class is on the
   * class path.
   */
  static Path agent(Path directory) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(new Attributes.Name("Premain-Class"), NativeCallCounter.class.getName());
    main.put(new Attributes.Name("Can-Set-Native-Method-Prefix"), "true");
    Files.createDirectories(directory);
    Path jar = directory.resolve("native-call-counter.jar");
    try (OutputStream file = Files.newOutputStream(jar)) {
      new JarOutputStream(file, manifest).close();
    }
    return jar;
  }

  /** Counts the calls of this thread from now on, and those of no other. */
  static void start() {
    calls = 0;
    counted = Thread.currentThread();
  }

  /** How many there were since {@link #start}, of the thread that called it. */
  static long calls() {
    return calls;
  }

  /** What each native method does first. */
  public static void count() {
    if (Thread.currentThread() == counted) {
      calls++;
    }
  }

  @Override
  @SuppressWarnings("ReturnsNullCollection") // null: the class stays as it is
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (name == null || !(name.startsWith(ROCKSDB) || name.equals(ENGINE))) {
      return null;
    }
    ClassReader in = new ClassReader(bytes);
    ClassWriter out = new ClassWriter(in, ClassWriter.COMPUTE_MAXS);
    in.accept(new Renaming(out, name), 0);
    return out.toByteArray();
  }

  /** Gives each native method of a class another name, and its own to one in Java. */
  private static final class Renaming extends ClassVisitor {
    private final String owner;

    Renaming(ClassVisitor out, String owner) {
      super(Opcodes.ASM9, out);
      this.owner = owner;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      if ((access & Opcodes.ACC_NATIVE) == 0) {
        return super.visitMethod(access, name, descriptor, signature, exceptions);
      }
      MethodVisitor wrapper =
          super.visitMethod(access & ~Opcodes.ACC_NATIVE, name, descriptor, signature, exceptions);
      callCounted(wrapper, access, name, descriptor);
      return super.visitMethod(access, PREFIX + name, descriptor, signature, exceptions);
    }

    private void callCounted(MethodVisitor out, int access, String name, String descriptor) {
      boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
      out.visitCode();
      String counter = Type.getInternalName(NativeCallCounter.class);
      out.visitMethodInsn(Opcodes.INVOKESTATIC, counter, "count", "()V", false);
      int local = 0;
      if (!isStatic) {
        out.visitVarInsn(Opcodes.ALOAD, local++);
      }
      for (Type argument : Type.getArgumentTypes(descriptor)) {
        out.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), local);
        local += argument.getSize();
      }
      int call = isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKEVIRTUAL;
      out.visitMethodInsn(call, owner, PREFIX + name, descriptor, false);
      out.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
      out.visitMaxs(0, 0);
      out.visitEnd();
    }
  }
}
