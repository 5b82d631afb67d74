import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Copies a jar and gives classes from before Java 6 the format of Java 8. The JVM keeps none of the
 * old ones in a start-up cache, because it verifies them in another way.
 *
 * <p>Run by the build: {@code java UpgradeClasses.java FROM.jar TO.jar}
 */
final class UpgradeClasses {
    private static final int FIRST_WITH_STACK_MAPS = ClassFile.JAVA_6_VERSION;

    public static void main(String[] arguments) throws IOException {
        Path from = Path.of(arguments[0]);
        try (URLClassLoader others = new URLClassLoader(new URL[] {from.toUri().toURL()});
                ZipInputStream in = new ZipInputStream(Files.newInputStream(from));
                ZipOutputStream out =
                        new ZipOutputStream(Files.newOutputStream(Path.of(arguments[1])))) {
            ClassFile format =
                    ClassFile.of(
                            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                            ClassFile.ClassHierarchyResolverOption.of(
                                    ClassHierarchyResolver.ofResourceParsing(others)
                                            .orElse(ClassHierarchyResolver.defaultResolver())));
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                ZipEntry copy = new ZipEntry(entry.getName());
                // The time stays as it was, because equal jars keep a start-up cache valid.
                copy.setTime(entry.getTime());
                out.putNextEntry(copy);
                byte[] content = in.readAllBytes();
                out.write(
                        entry.getName().endsWith(".class") ? upgrade(format, content) : content);
                out.closeEntry();
            }
        }
    }

    private static byte[] upgrade(ClassFile format, byte[] content) {
        ClassModel type = format.parse(content);
        if (type.majorVersion() >= FIRST_WITH_STACK_MAPS) {
            return content;
        }
        ClassFileVersion version = ClassFileVersion.of(ClassFile.JAVA_8_VERSION, 0);
        return format.transformClass(
                type,
                ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)
                        .andThen(
                                (builder, element) ->
                                        builder.with(
                                                element instanceof ClassFileVersion
                                                        ? version
                                                        : element)));
    }
}
