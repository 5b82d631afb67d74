package orrery.server.client;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Says why a file cannot be used. The JDK's message is often nothing but the path. */
public final class FileTrouble {
    private FileTrouble() {}

    /** Returns why a file cannot be read, as the end of a sentence without its full stop. */
    public static String reading(IOException e) {
        return e instanceof NoSuchFileException ? "there is no such file" : reason(e);
    }

    /** The same for a file that cannot be written. */
    public static String writing(IOException e) {
        return e instanceof NoSuchFileException ? "there is no such directory" : reason(e);
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "permission denied";
            case CharacterCodingException _ -> "it is not UTF-8 text";
            case FileAlreadyExistsException _ -> "a file of that name is there";
            case NotDirectoryException _ -> "it is not a directory";
            case FileSystemException known when known.getReason() != null ->
                    plain(known.getReason());
            default -> plain(String.valueOf(e.getMessage()));
        };
    }

    private static String plain(String reason) {
        String text = reason.strip().replaceFirst("\\.$", "");
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "is a directory" -> "it is a directory";
            case "not a directory" -> "a part of its path is not a directory";
            case "permission denied" -> "permission denied";
            default -> text;
        };
    }

    /** Refuses a file that cannot be written, without making or changing it. */
    public static void expectWritable(Path file) {
        Optional<String> obstacle = obstacle(file);
        if (obstacle.isPresent()) {
            throw new ClientException(file + " cannot be written: " + obstacle.get() + ".");
        }
    }

    private static Optional<String> obstacle(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            return Optional.of("it is a directory");
        }
        if (parent == null || !Files.exists(parent)) {
            return Optional.of("there is no such directory");
        }
        if (!Files.isDirectory(parent)) {
            return Optional.of("a part of its path is not a directory");
        }
        return Files.isWritable(Files.exists(file) ? file : parent)
                ? Optional.empty()
                : Optional.of("permission denied");
    }
}
