package orrery.tests.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test class that the guide shows is complete: it compiles as it stands there. */
final class GuideTest {
    private static final Path GUIDE = Path.of("../../docs/testing-with-orrery.md");
    private static final Pattern FILE =
            Pattern.compile("```java\n(import .*?class (\\w+) .*?)```", Pattern.DOTALL);

    @TempDir Path directory;

    @Test
    void theTestClassOfTheGuideCompiles() throws IOException {
        Matcher shown = FILE.matcher(Files.readString(GUIDE));
        assertThat(shown.find()).as("a class with its imports").isTrue();
        Path source = directory.resolve(shown.group(2) + ".java");
        Files.writeString(source, shown.group(1));

        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        boolean isCompiled;
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            isCompiled =
                    compiler.getTask(
                                    complaints,
                                    files,
                                    null,
                                    List.of("-proc:none", "-d", directory.toString()),
                                    null,
                                    files.getJavaFileObjects(source))
                            .call();
        }

        assertThat(isCompiled).as(complaints.toString()).isTrue();
    }
}
