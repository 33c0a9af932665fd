-- Whose face devices have held and who is erased: his number, sealed, is all that is left of him, so that his certificate can be asked for (chapter 30 §10.5).
create table erased_subject (
  school_id integer not null,
  user_id bigint not null,
  no_sealed bytea not null,
  erased_at timestamptz not null,
  primary key (school_id, user_id)
);
comment on table erased_subject is 'no_sealed: the number under which an erased person was known, as long as device_held tells of his face';
