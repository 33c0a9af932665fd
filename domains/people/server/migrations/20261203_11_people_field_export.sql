-- Whether the lists can be exported with a field as a column; sensitive values are masked there too.
alter table field_def add column in_export boolean not null default true;
