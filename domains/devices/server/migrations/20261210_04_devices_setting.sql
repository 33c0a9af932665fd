-- How long a school keeps passes, and how far access has read them (chapter 30 rule 31).
create table device_setting (
  school_id integer primary key,
  pass_keep_days integer not null default 400 check (pass_keep_days >= 180),
  passes_read_until timestamptz
);
comment on table device_setting is 'what a school has set of its devices; no row = as by default; passes_read_until: every pass received by then has been read, null = nobody reads here and no month waits';
