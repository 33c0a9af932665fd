-- Ways to sign in that somebody outside vouches for; off until the school turns one on.
create table login_provider (
  school_id integer not null,
  shape char(1) not null check (shape in ('A', 'B', 'C', 'D')),
  adapter varchar(16) not null check (adapter in ('wecom', 'weixiao', 'oidc', 'one_time_code', 'test')),
  enabled boolean not null default false,
  settings jsonb not null default '{}',
  secret_enc bytea,
  match_by varchar(16) not null default 'external_bind' check (match_by in ('external_bind', 'user_no', 'phone')),
  label varchar(20) not null,
  icon varchar(20) not null,
  row_version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (school_id, shape, adapter)
);
comment on table login_provider is 'the shape decides the call and its parameters, the adapter who is asked; secret_enc is sealed for this school and adapter and never answered';

create table external_bind (
  school_id integer not null,
  provider varchar(16) not null,
  external_id varchar(500) not null,
  user_id bigint not null,
  bound_at timestamptz not null default now(),
  bound_by bigint,
  primary key (school_id, provider, external_id),
  constraint external_bind_user_key unique (school_id, provider, user_id),
  foreign key (school_id, user_id) references school_user on delete cascade
);
comment on table external_bind is 'which account of an outside system is which person; external_id begins with the realm (corporation, issuer), so that another realm never finds it';
create index external_bind_user on external_bind (school_id, user_id);

-- A trip to a provider and back. Nonce and PKCE verifier are derived from the state, which is stored as a hash only.
create unlogged table provider_visit (
  state_hash bytea not null,
  purpose varchar(5) not null check (purpose in ('login', 'test', 'bind')),
  browser_hash bytea not null,
  school_id integer not null,
  shape char(1) not null,
  adapter varchar(16) not null,
  user_id bigint,
  external_id varchar(500),
  steps jsonb,
  begun_at timestamptz not null,
  expire_at timestamptz not null,
  used_at timestamptz,
  primary key (state_hash),
  check ((purpose = 'test') = (user_id is not null and steps is not null)),
  check ((purpose = 'bind') = (external_id is not null))
);
comment on table provider_visit is 'login: on the way; test: the same with its log, for the administrator who tests; bind: nobody was found, what may be bound after a password login';
create index provider_visit_expire on provider_visit (expire_at);
create index provider_visit_browser on provider_visit (browser_hash);

-- Whom a school's own provider let in stays in that school: it vouches for nobody elsewhere.
alter table session add column single_school boolean not null default false;
comment on column session.single_school is 'begun by a login provider: identities of other schools are out of reach';
