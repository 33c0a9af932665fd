create table school (
  school_id integer not null,
  school_name varchar(60) not null,
  school_type smallint not null check (school_type in (1, 2)),
  school_code varchar(20),
  school_logo varchar(300),
  login_bg varchar(300),
  course_type smallint not null default 1,
  state smallint not null default 2 check (state in (1, 2, 3, 4)),
  division char(6),
  address varchar(200),
  bxlx varchar(20),
  school_run_by varchar(20),
  urban_rural varchar(20),
  principal_name varchar(50),
  tel varchar(20),
  icp_no varchar(60),
  home_lng numeric(9, 6),
  home_lat numeric(9, 6),
  row_version integer not null default 1,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (school_id)
);
comment on table school is 'one row a tenant; state 1 preparing, 2 active, 3 suspended, 4 closed';

create table school_config (
  school_id integer not null,
  dept_name_format smallint not null default 1 check (dept_name_format in (1, 2, 3, 4)),
  gps_type smallint not null default 1 check (gps_type in (1, 2, 3)),
  is_password_strong smallint not null default 0 check (is_password_strong in (0, 1)),
  oss_type smallint not null default 2 check (oss_type in (1, 2, 3)),
  oss_http_prefix varchar(200),
  oss_bucket varchar(100),
  oss_region varchar(60),
  oss_endpoint varchar(200),
  nocheck_status_autochange smallint not null default 0 check (nocheck_status_autochange in (0, 1)),
  course_period smallint,
  cloud_fee smallint not null default 0 check (cloud_fee in (0, 1)),
  open_ai_help smallint not null default 0 check (open_ai_help in (0, 1)),
  ai_help_url varchar(300),
  forbid_face_test smallint not null default 0 check (forbid_face_test in (0, 1)),
  face_protocol boolean not null default false,
  roles text[] not null default '{SYS003}',
  config_version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (school_id)
);

-- Dictionaries are reference data of the installation; schools override editable types later.
create table dictionary_type (
  sc_code_type varchar(40) primary key,
  title varchar(60) not null,
  editable boolean not null
);

create table dictionary_item (
  sc_code_type varchar(40) not null references dictionary_type,
  sc_code_item varchar(20) not null,
  name varchar(60) not null,
  "order" integer not null,
  primary key (sc_code_type, sc_code_item)
);

create table user_pref (
  school_id integer not null,
  user_id bigint not null,
  pref_key varchar(80) not null,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  constraint user_pref_size check (length(value::text) <= 8192),
  primary key (school_id, user_id, pref_key)
);
comment on table user_pref is 'column settings, saved filters and other personal settings; user_id 0 = default of the school';

create view school_v with (security_invoker = true) as
  select school_id, school_name, school_type, school_logo, course_type, state from school;

create view school_config_v with (security_invoker = true) as
  select school_id, dept_name_format, gps_type, is_password_strong, oss_type, nocheck_status_autochange, course_period, cloud_fee, open_ai_help,
    forbid_face_test, face_protocol, roles, config_version
  from school_config;

-- Reference data without tenant; every school reads the same rows.
create view dictionary_v with (security_invoker = true) as
  select sc_code_type, sc_code_item, name, "order" from dictionary_item;

comment on view school_v is 'nullable: school_logo';
comment on view school_config_v is 'nullable: course_period';
