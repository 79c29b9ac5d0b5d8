-- What the service wants to know again after a restart and no job can tell.
create table note (
    name text not null primary key,
    body text not null
) without rowid;
