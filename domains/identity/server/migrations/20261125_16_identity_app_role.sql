-- Roles of the app clients lie over what somebody is (teacher, parent, pupil): they are never chosen at sign-in.
alter table role_group add column is_app boolean not null default false;
alter table role_group add constraint role_group_app_client check (not is_app or client_kind <> 'web');
alter table role add column is_app boolean not null default false;
alter table role add constraint role_app_client check (not is_app or client_kind <> 'web');
comment on column role.is_app is 'a role of an app client: shows modules, is no identity; its explicit people stand in role_member, all others are reached by role_bind';

-- Two kinds may both have a group of the same name.
drop index role_group_name_key;
create unique index role_group_name_key on role_group (school_id, is_app, client_kind, name);

create table role_bind (
  school_id integer not null,
  role_id bigint not null,
  bind_kind varchar(10) not null check (bind_kind in ('all', 'dept', 'role_group')),
  bind_id bigint not null default 0,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (school_id, role_id, bind_kind, bind_id),
  constraint role_bind_all check ((bind_kind = 'all') = (bind_id = 0)),
  foreign key (school_id, role_id) references role on delete cascade
);
comment on table role_bind is 'whom an app role reaches without one row each: everybody of its kind, departments with everything below them, holders of the roles of a group';

create table role_module (
  school_id integer not null,
  role_id bigint not null,
  module_code varchar(30) not null,
  visible boolean not null default true,
  "order" integer not null default 0,
  primary key (school_id, role_id, module_code),
  foreign key (school_id, role_id) references role on delete cascade
);
comment on table role_module is 'modules an app client shows; of several roles of one person the union, the smallest order wins';

create table role_group_module (
  school_id integer not null,
  role_group_id bigint not null,
  module_code varchar(30) not null,
  "order" integer not null default 0,
  primary key (school_id, role_group_id, module_code),
  foreign key (school_id, role_group_id) references role_group on delete cascade
);
comment on table role_group_module is 'modules with which a new role of the group begins';

-- What others read of roles and identities: roles of app clients are neither.
create or replace view role_v with (security_invoker = true) as
  select school_id, role_id, code, name, role_group_id, client_kind, enabled from role where not is_app;

create or replace view identity_now_v with (security_invoker = true) as
  select m.school_id, m.role_no, m.role_id, m.user_id, m.user_dep, m.valid_from, m.valid_to
  from role_member m join role r on r.school_id = m.school_id and r.role_id = m.role_id
  where m.valid_from <= now() and (m.valid_to is null or m.valid_to > now()) and not r.is_app;
