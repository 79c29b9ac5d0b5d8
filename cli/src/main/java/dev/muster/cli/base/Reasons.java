package dev.muster.cli.base;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file could not be used, in words without the name of the file, which the sentence around them has. */
public final class Reasons {
    private Reasons() {}

    public static String of(IOException failed) {
        return switch (failed) {
            case NoSuchFileException _ -> "it is not there";
            case AccessDeniedException _ -> "permission is denied";
            case FileAlreadyExistsException _ -> "something is in its place";
            case NotDirectoryException _ -> "it is no folder";
            case DirectoryNotEmptyException _ -> "it is not empty";
            case FileSystemLoopException _ -> "its links lead round in a circle";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
        };
    }
}
