-- A file that may be fetched once (one-time passwords on paper): taken when its owner fetched it.
alter table job
  add column result_once boolean not null default false,
  add column result_taken_at timestamptz;
comment on column job.result_taken_at is 'only of result_once: the file went with this answer and is off the disk';
