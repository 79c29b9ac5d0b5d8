-- Times are nanoseconds since 1970-01-01T00:00:00Z, durations nanoseconds. The store keeps everything about a job below its id.
-- The tables are those of sqlite/1.sql to 3.sql; what differs is said.

create table job (
    seq              bigint generated always as identity,
    -- Ids are compared byte by byte, whatever the language of the database.
    id               text collate "C" primary key,
    name             text   not null,
    project          text   not null,
    owner            text   not null,
    queue            text   not null,
    priority         bigint not null,
    state            text   not null,
    version          bigint not null,
    target           text,
    cause            text,
    reason           text,
    restarting       text,
    no_contact_since bigint,
    attempt          bigint not null,
    restarts         bigint not null,
    uncounted        bigint not null,
    submitted_at     bigint not null,
    queued_at        bigint not null,
    admitted_at      bigint,
    started_at       bigint,
    finished_at      bigint,
    running_for      bigint not null,
    running_since    bigint,
    settle_until     bigint,
    retry_at         bigint,
    stop_asked_at    bigint,
    placement        text   not null,
    resume_from      text,
    model            text
);

-- One live job a name of a project, whatever else goes wrong.
create unique index job_live_name on job (project, name) where state not in ('SUCCEEDED', 'FAILED', 'CANCELLED');
create index job_live on job (seq) where state not in ('SUCCEEDED', 'FAILED', 'CANCELLED');
create unique index job_seq on job (seq);
create index job_name on job (name, seq);
create index job_state on job (state, seq);
create index job_project on job (project, seq);

-- What seldom or never changes, apart, so that a change of state does not write it anew.
create table job_text (
    job_id text collate "C" primary key references job (id) on delete cascade,
    spec   text not null,
    origin text not null
);

-- One row an attempt of a process, for ever. place: where the newest attempt of a process stands in the launch plan; null for older ones.
create table attempt (
    job_id        text collate "C" not null references job (id) on delete cascade,
    name          text   not null,
    attempt       bigint not null,
    place         bigint,
    group_attempt bigint not null,
    state         text   not null,
    exit_code     bigint,
    exit_cause    text,
    exit_reason   text,
    exit_at       bigint,
    pid           bigint,
    address       text,
    started_at    bigint,
    joined        bigint not null,
    stop_asked    bigint,
    primary key (job_id, name, attempt)
);

create table event (
    seq        bigint generated always as identity primary key,
    job_id     text collate "C" not null references job (id) on delete cascade,
    at         bigint not null,
    process    text,
    from_state text,
    to_state   text   not null,
    cause      text,
    reason     text
);
create index event_job on event (job_id, seq);

create table progress (
    job_id      text collate "C" primary key references job (id) on delete cascade,
    progress    text   not null,
    bad_records bigint not null
);

-- value: null stands for NaN, as in SQLite.
create table point (
    seq    bigint generated always as identity primary key,
    job_id text collate "C" not null references job (id) on delete cascade,
    at     bigint not null,
    step   bigint not null,
    metric text   not null,
    value  double precision
);
create index point_job on point (job_id, seq);

create table secret (
    job_id   text collate "C" not null references job (id) on delete cascade,
    variable text  not null,
    sealed   bytea not null,
    primary key (job_id, variable)
);

-- Tells the key that secrets are sealed with from any other, without giving it away. One row, once there is a key.
create table secret_key (
    one         boolean primary key default true check (one),
    fingerprint text not null
);

create table idempotency (
    owner  text not null,
    key    text not null,
    job_id text collate "C" not null references job (id) on delete cascade,
    primary key (owner, key)
);
create index idempotency_job on idempotency (job_id);

-- The latest times of the services' clocks that were ever stored; the greatest counts. A few rows, so that writers do not wait for each other.
create table clock (
    writer bigint primary key,
    latest bigint not null
);

-- Who drives the jobs of a site. holder and generation change only when the site is taken, so that a step of a job can share this row
-- while the lease is being prolonged.
create table lease (
    site       text   primary key,
    holder     text   not null,
    generation bigint not null
);

-- Until when by this database's clock, in milliseconds since 1970.
create table lease_end (
    site text   primary key references lease (site),
    ends bigint not null
);
