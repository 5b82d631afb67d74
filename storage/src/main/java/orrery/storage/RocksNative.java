package orrery.storage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * Loads RocksDB's native library. Call {@link #load} before the first use of any RocksDB class;
 * calling it again, from any thread, does nothing.
 *
 * <p>A distribution keeps the libraries of all its platforms unpacked in one directory and names it
 * in the system property {@code orrery.native.dir}, because RocksDB otherwise copies 17 MB from its
 * jar to a temporary file at each start. Without the property, as in tests, it does just that.
 */
public final class RocksNative {
    /** The directory with the unpacked libraries of every platform. */
    public static final String DIRECTORY_PROPERTY = "orrery.native.dir";

    private RocksNative() {}

    /**
     * @throws UnsatisfiedLinkError if the library of this platform is in the directory but cannot
     *     be loaded, or is nowhere
     */
    public static void load() {
        String directory = System.getProperty(DIRECTORY_PROPERTY, "");
        if (!directory.isEmpty() && Files.isRegularFile(Path.of(directory, libraryFileName()))) {
            RocksDB.loadLibrary(List.of(Path.of(directory).toAbsolutePath().toString()));
        } else {
            RocksDB.loadLibrary();
        }
    }

    /**
     * The name under which {@code RocksDB.loadLibrary(paths)} looks for the library of the platform
     * we run on, such as {@code librocksdbjnijni-linux64.so}. The jar has it with a single "jni";
     * the loader appends another one, so the distribution renames the files.
     */
    static String libraryFileName() {
        return Environment.getJniLibraryFileName("rocksdbjni");
    }
}
