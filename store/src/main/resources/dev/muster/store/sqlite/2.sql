-- Names of live jobs are unique within a project. Jobs of before belong to the one project there was.

alter table job add column project text not null default 'default';

drop index job_live_name;
create unique index job_live_name on job (project, name) where state not in ('SUCCEEDED', 'FAILED', 'CANCELLED');
create index job_project on job (project, seq);
