-- Whether the roll offers a field as a column and as a filter.
alter table field_def add column in_index boolean not null default false;
