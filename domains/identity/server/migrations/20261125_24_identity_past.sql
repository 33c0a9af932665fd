-- Which permissions a role had from when to when: who could do what on a past day (chapter 10 B3).
create table role_permission_span (
  school_id integer not null,
  role_id bigint not null,
  code varchar(80) not null,
  valid_from timestamptz not null,
  valid_to timestamptz check (valid_to > valid_from),
  primary key (school_id, role_id, code, valid_from),
  foreign key (school_id, role_id) references role on delete cascade
);
comment on table role_permission_span is 'history of role_permission, kept with every change of it; of the time before the first span of a role nothing is known';
create index role_permission_span_code on role_permission_span (school_id, code);

-- The owner stands behind the fence like everybody else: it is opened for this one statement.
alter table role no force row level security;
alter table role_permission no force row level security;
insert into role_permission_span (school_id, role_id, code, valid_from)
  select p.school_id, p.role_id, p.code, r.created_at from role_permission p join role r on r.school_id = p.school_id and r.role_id = p.role_id;
alter table role_permission force row level security;
alter table role force row level security;
