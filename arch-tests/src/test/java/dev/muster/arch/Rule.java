package dev.muster.arch;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/**
 * A rule of the house with the proof that it can fail.
 *
 * @param name    what the test is called
 * @param check   the rule, with its reason
 * @param planted violations, each of which the rule has to report
 */
record Rule(String name, ArchRule check, List<Planted> planted) {
    Rule {
        planted = List.copyOf(planted);
        if (planted.isEmpty()) {
            throw new IllegalArgumentException("rule '" + name + "' needs a planted violation that shows it can fail");
        }
    }

    /** What the rule says against the classes, one sentence a violation. */
    List<String> violations(JavaClasses classes) {
        return check.evaluate(classes).getFailureReport().getDetails();
    }
}
