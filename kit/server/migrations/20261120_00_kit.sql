-- Answers of writes that carried an Idempotency-Key; the same key answers the same.
create table idempotency_key (
  school_id integer not null,
  user_id bigint not null,
  key varchar(100) not null,
  body_hash char(64) not null,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (school_id, user_id, key)
);
