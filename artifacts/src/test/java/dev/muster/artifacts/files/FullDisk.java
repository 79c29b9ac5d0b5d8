package dev.muster.artifacts.files;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * The machine's file system as it is on a disk that fills up: after a given number of things that need room (a new file, folder or
 * link, a write, a copy) each further one fails as the kernel has it fail. Everything else goes through.
 */
public final class FullDisk extends FileSystemProvider {
    private final FileSystemProvider real;
    private final FileSystem files = new Files();
    private int room = Integer.MAX_VALUE;

    public FullDisk(Path place) {
        this.real = place.getFileSystem().provider();
    }

    /** The same place seen through this disk. */
    public Path at(Path place) {
        return new Place(place);
    }

    /** So many more things fit. */
    public void room(int things) {
        room = things;
    }

    private void take(Object what) throws IOException {
        if (room-- <= 0) {
            room = 0;
            throw new FileSystemException(String.valueOf(what), null, "No space left on device");
        }
    }

    private static Path bare(Path path) {
        return path instanceof Place place ? place.path : path;
    }

    @Override
    public String getScheme() {
        return "full";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return files;
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        if (options.contains(StandardOpenOption.CREATE_NEW)
                || options.contains(StandardOpenOption.CREATE) && !java.nio.file.Files.exists(bare(path))) {
            take(path);
        }
        return new Channel(real.newFileChannel(bare(path), options, attributes));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> stream = real.newDirectoryStream(bare(folder), path -> filter.accept(new Place(path)));
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return StreamSupport.stream(stream.spliterator(), false)
                        .<Path>map(Place::new)
                        .iterator();
            }

            @Override
            public void close() throws IOException {
                stream.close();
            }
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        take(folder);
        real.createDirectory(bare(folder), attributes);
    }

    @Override
    public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes) throws IOException {
        take(link);
        real.createSymbolicLink(bare(link), bare(target), attributes);
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
        return new Place(real.readSymbolicLink(bare(link)));
    }

    @Override
    public void delete(Path path) throws IOException {
        real.delete(bare(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        take(target);
        real.copy(bare(source), bare(target), options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        real.move(bare(source), bare(target), options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return real.isSameFile(bare(path), bare(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return real.isHidden(bare(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return real.getFileStore(bare(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        real.checkAccess(bare(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return real.getFileAttributeView(bare(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return real.readAttributes(bare(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return real.readAttributes(bare(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        real.setAttribute(bare(path), attribute, value, options);
    }

    private final class Files extends FileSystem {
        @Override
        public FileSystemProvider provider() {
            return FullDisk.this;
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public String getSeparator() {
            return "/";
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return Set.of("basic", "posix", "unix");
        }

        @Override
        public Path getPath(String first, String... more) {
            return new Place(Path.of(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String pattern) {
            PathMatcher matcher = Path.of("/").getFileSystem().getPathMatcher(pattern);
            return path -> matcher.matches(bare(path));
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            throw new UnsupportedOperationException();
        }

        @Override
        public WatchService newWatchService() {
            throw new UnsupportedOperationException();
        }
    }

    private final class Place implements Path {
        private final Path path;

        Place(Path path) {
            this.path = path;
        }

        private Path wrap(Path other) {
            return other == null ? null : new Place(other);
        }

        @Override
        public FileSystem getFileSystem() {
            return files;
        }

        @Override
        public boolean isAbsolute() {
            return path.isAbsolute();
        }

        @Override
        public Path getRoot() {
            return wrap(path.getRoot());
        }

        @Override
        public Path getFileName() {
            return wrap(path.getFileName());
        }

        @Override
        public Path getParent() {
            return wrap(path.getParent());
        }

        @Override
        public int getNameCount() {
            return path.getNameCount();
        }

        @Override
        public Path getName(int index) {
            return wrap(path.getName(index));
        }

        @Override
        public Path subpath(int begin, int end) {
            return wrap(path.subpath(begin, end));
        }

        @Override
        public boolean startsWith(Path other) {
            return path.startsWith(bare(other));
        }

        @Override
        public boolean endsWith(Path other) {
            return path.endsWith(bare(other));
        }

        @Override
        public Path normalize() {
            return wrap(path.normalize());
        }

        @Override
        public Path resolve(Path other) {
            return wrap(path.resolve(bare(other)));
        }

        @Override
        public Path relativize(Path other) {
            return wrap(path.relativize(bare(other)));
        }

        @Override
        public URI toUri() {
            return path.toUri();
        }

        @Override
        public Path toAbsolutePath() {
            return wrap(path.toAbsolutePath());
        }

        @Override
        public Path toRealPath(LinkOption... options) throws IOException {
            return wrap(path.toRealPath(options));
        }

        @Override
        public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int compareTo(Path other) {
            return path.compareTo(bare(other));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Place place && place.path.equals(path);
        }

        @Override
        public int hashCode() {
            return path.hashCode();
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    private final class Channel extends FileChannel {
        private final FileChannel channel;

        Channel(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return channel.read(target);
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
            return channel.read(targets, offset, length);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return channel.read(target, position);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            take("a write");
            return channel.write(source);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            take("a write");
            return channel.write(sources, offset, length);
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            take("a write");
            return channel.write(source, position);
        }

        @Override
        public long position() throws IOException {
            return channel.position();
        }

        @Override
        public FileChannel position(long position) throws IOException {
            channel.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            channel.truncate(size);
            return this;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            channel.force(metaData);
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            return channel.transferTo(position, count, target);
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
            take("a write");
            return channel.transferFrom(source, position, count);
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
            return channel.map(mode, position, size);
        }

        @Override
        public FileLock lock(long position, long size, boolean isShared) throws IOException {
            return channel.lock(position, size, isShared);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean isShared) throws IOException {
            return channel.tryLock(position, size, isShared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            channel.close();
        }
    }
}
