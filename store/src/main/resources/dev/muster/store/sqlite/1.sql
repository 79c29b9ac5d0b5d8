-- Times are nanoseconds since 1970-01-01T00:00:00Z, durations nanoseconds. The store keeps everything about a job below its id.

create table job (
    seq              integer primary key autoincrement,
    id               text    not null unique,
    name             text    not null,
    owner            text    not null,
    queue            text    not null,
    priority         integer not null,
    state            text    not null,
    version          integer not null,
    target           text,
    cause            text,
    reason           text,
    restarting       text,
    no_contact_since integer,
    attempt          integer not null,
    restarts         integer not null,
    uncounted        integer not null,
    submitted_at     integer not null,
    queued_at        integer not null,
    admitted_at      integer,
    started_at       integer,
    finished_at      integer,
    running_for      integer not null,
    running_since    integer,
    settle_until     integer,
    retry_at         integer,
    stop_asked_at    integer,
    placement        text    not null,
    resume_from      text,
    model            text
);

-- One live job a name, whatever else goes wrong.
create unique index job_live_name on job (name) where state not in ('SUCCEEDED', 'FAILED', 'CANCELLED');
create index job_name on job (name, seq);
create index job_state on job (state, seq);

-- What seldom or never changes, apart, so that a change of state does not write it anew.
create table job_text (
    job_id text not null primary key references job (id) on delete cascade,
    spec   text not null,
    origin text not null
) without rowid;

-- One row an attempt of a process, for ever. place: where the newest attempt of a process stands in the launch plan; null for older ones.
create table attempt (
    job_id        text    not null references job (id) on delete cascade,
    name          text    not null,
    attempt       integer not null,
    place         integer,
    group_attempt integer not null,
    state         text    not null,
    exit_code     integer,
    exit_cause    text,
    exit_reason   text,
    exit_at       integer,
    pid           integer,
    address       text,
    started_at    integer,
    joined        integer not null,
    stop_asked    integer,
    primary key (job_id, name, attempt)
) without rowid;

create table event (
    seq        integer primary key autoincrement,
    job_id     text    not null references job (id) on delete cascade,
    at         integer not null,
    process    text,
    from_state text,
    to_state   text    not null,
    cause      text,
    reason     text
);
create index event_job on event (job_id, seq);

create table progress (
    job_id      text    not null primary key references job (id) on delete cascade,
    progress    text    not null,
    bad_records integer not null
) without rowid;

-- value: null stands for NaN, which SQLite cannot hold.
create table point (
    seq    integer primary key autoincrement,
    job_id text    not null references job (id) on delete cascade,
    at     integer not null,
    step   integer not null,
    metric text    not null,
    value  real
);
create index point_job on point (job_id, seq);

create table secret (
    job_id   text not null references job (id) on delete cascade,
    variable text not null,
    sealed   blob not null,
    primary key (job_id, variable)
) without rowid;

create table idempotency (
    owner  text not null,
    key    text not null,
    job_id text not null references job (id) on delete cascade,
    primary key (owner, key)
) without rowid;
create index idempotency_job on idempotency (job_id);

-- The latest time of the service's clock that was ever stored. One row.
create table clock (latest integer not null);
insert into clock (latest) values (0);
