create table reveal_window (
  school_id integer not null,
  user_id bigint not null,
  used_at timestamptz[] not null default '{}',
  primary key (school_id, user_id)
);
comment on table reveal_window is 'when somebody has seen protected values in the last hour; counts towards the limit of reveals';
