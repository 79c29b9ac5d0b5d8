package dev.muster.server.access;

import java.util.Optional;
import java.util.Set;

/** Knows the tokens that let somebody in. Any thread may ask. */
public interface Callers {
    /** Whose token this is; empty when it lets nobody in (any more). Takes the same time whatever part of it is right. */
    Optional<Caller> of(String token);

    /** The users that some token lets in now. */
    Set<String> users();

    /** Where to get a token, for who sent none or a wrong one. */
    String hint();
}
