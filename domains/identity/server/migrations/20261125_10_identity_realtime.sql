-- What each browser's connection watches; a ticket makes the row, a crash may lose it (the browser asks again).
create unlogged table realtime_watch (
  client_id varchar(40) not null check (client_id ~ '^w-[0-9]{1,10}-[A-Za-z0-9_-]{22}$'),
  session_id uuid not null,
  channels text[] not null default '{}',
  expire_at timestamptz not null,
  primary key (client_id)
);
create index realtime_watch_session on realtime_watch (session_id);
create index realtime_watch_expire on realtime_watch (expire_at);
