-- What a replica wants to know again after a restart and no job can tell.
create table note (
    name text primary key,
    body text not null
);
