-- Open registration (chapter 20 §1.5): whether it is open and until when, which fields it asks, what was sent in.

-- register_key: the secret part of the public address, the same for pupils (scene 1) and staff (scene 2).
create table open_register (
  school_id integer not null,
  register_key varchar(32) not null,
  is_register boolean not null default false,
  open_register_end_time timestamptz,
  register_msg varchar(200),
  is_teacher_register boolean not null default false,
  open_teacher_register_end_time timestamptz,
  teacher_register_msg varchar(200),
  row_version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (school_id),
  constraint open_register_end check (not is_register or open_register_end_time is not null),
  constraint open_register_teacher_end check (not is_teacher_register or open_teacher_register_end_time is not null)
);

-- A field that has no row is shown as its import template says.
create table register_field (
  school_id integer not null,
  field_scene smallint not null check (field_scene in (1, 2)),
  field_code varchar(40) not null,
  shown boolean not null,
  required boolean not null,
  order_no integer not null,
  primary key (school_id, field_scene, field_code)
);

-- values_enc: the texts as they were typed, sealed; mobile_idx: HMAC of the mobile of whoever sent it.
create table register_entry (
  school_id integer not null,
  id uuid not null default gen_random_uuid(),
  apply_no varchar(20) not null,
  field_scene smallint not null check (field_scene in (1, 2)),
  is_new boolean not null,
  user_name varchar(50) not null,
  values_enc bytea not null,
  mobile_idx bytea not null,
  mobile_mask varchar(20) not null,
  ip_hash bytea not null,
  state varchar(10) not null default 'waiting' check (state in ('waiting', 'passed', 'refused', 'withdrawn')),
  match_user_id bigint,
  batch_no varchar(40),
  reason varchar(200),
  reviewed_by bigint,
  reviewed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (school_id, id),
  constraint register_entry_no_key unique (school_id, apply_no),
  constraint register_entry_match_fkey foreign key (school_id, match_user_id) references person (school_id, user_id) on delete set null (match_user_id)
);
create index register_entry_list on register_entry (school_id, state, created_at);
create index register_entry_batch on register_entry (school_id, batch_no);

-- Hits of a mobile in a day or of an address in an hour; subjects are keyed hashes.
create table register_hit (
  school_id integer not null,
  subject varchar(64) not null,
  span varchar(20) not null,
  hits integer not null,
  made_at timestamptz not null,
  primary key (school_id, subject, span)
);
create index register_hit_old on register_hit (school_id, made_at);

comment on table register_entry is 'values_enc is sealed for the school and this table alone; mobile_idx and ip_hash are keyed hashes';
