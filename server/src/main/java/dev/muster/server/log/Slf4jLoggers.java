package dev.muster.server.log;

import java.lang.System.Logger.Level;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Lets libraries that speak to SLF4J, such as the connection pool, be heard in the service's log. Found by SLF4J as a service. */
public final class Slf4jLoggers implements SLF4JServiceProvider {
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    @Override
    public ILoggerFactory getLoggerFactory() {
        return Speaker::named;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {
        // There is nothing to start.
    }

    /** A logger of SLF4J that speaks through one of the JDK. */
    private static final class Speaker extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1L;
        private final transient System.Logger inside;

        private Speaker(String name) {
            this.name = name;
            this.inside = System.getLogger(name);
        }

        static Logger named(String name) {
            return new Speaker(name);
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return Speaker.class.getName();
        }

        @Override
        protected void handleNormalizedLoggingCall(
                org.slf4j.event.Level level, Marker marker, String pattern, Object[] values, Throwable thrown) {
            String message = MessageFormatter.basicArrayFormat(pattern, values);
            inside.log(
                    switch (level) {
                        case ERROR -> Level.ERROR;
                        case WARN -> Level.WARNING;
                        case INFO -> Level.INFO;
                        case DEBUG -> Level.DEBUG;
                        case TRACE -> Level.TRACE;
                    },
                    message,
                    thrown);
        }

        @Override
        public boolean isTraceEnabled() {
            return inside.isLoggable(Level.TRACE);
        }

        @Override
        public boolean isDebugEnabled() {
            return inside.isLoggable(Level.DEBUG);
        }

        @Override
        public boolean isInfoEnabled() {
            return inside.isLoggable(Level.INFO);
        }

        @Override
        public boolean isWarnEnabled() {
            return inside.isLoggable(Level.WARNING);
        }

        @Override
        public boolean isErrorEnabled() {
            return inside.isLoggable(Level.ERROR);
        }
    }
}
