-- What a school changes of the menu, node by node: only what differs from the registry of routes.
create table school_nav (
  school_id integer not null,
  nav_id integer not null,
  show_name varchar(20),
  icon varchar(40),
  "order" integer check ("order" between 0 and 9999),
  hidden boolean not null default false,
  primary key (school_id, nav_id)
);

-- One version for menu and modules together: they are one page, and whoever saves it must have read it.
create table school_nav_state (
  school_id integer not null,
  nav_version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (school_id)
);

-- Which parts of the product a school may use, from when to when. No row at all: always.
create table school_module (
  school_id integer not null,
  module_code varchar(40) not null,
  valid_from date not null,
  valid_to date check (valid_to > valid_from),
  valid daterange generated always as (daterange(valid_from, valid_to)) stored,
  enabled boolean not null default true,
  sub_app_url varchar(300),
  token_url varchar(300),
  sign_mode varchar(4) not null default 'hmac' check (sign_mode in ('hmac', 'md5')),
  secret_ref varchar(400),
  frame_origins text[] not null default '{}' check (cardinality(frame_origins) <= 5),
  entry_open boolean not null default true,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (school_id, module_code, valid_from),
  constraint school_module_overlap exclude using gist (school_id with =, module_code with =, valid with &&)
);
comment on table school_module is 'module_code: a group of the menu or a sub-application; secret_ref: the sealed secret shared with a partner, never answered';
