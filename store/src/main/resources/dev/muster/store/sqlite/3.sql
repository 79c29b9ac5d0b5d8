-- Who drives the jobs of a site. holder and generation change only when the site is taken, so that a step of a job can hold on to
-- this row while the lease is being prolonged.
create table lease (
    site       text    not null primary key,
    holder     text    not null,
    generation integer not null
) without rowid;

-- Until when by this database's clock, in milliseconds since 1970.
create table lease_end (
    site text    not null primary key references lease (site),
    ends integer not null
) without rowid;
