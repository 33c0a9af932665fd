-- A removed role stays for the memberships it had; its name is free again.
alter table role add column removed_at timestamptz;
comment on column role.removed_at is 'removed by an administrator; kept because past memberships name it';
alter table role drop constraint role_name_key;
create unique index role_name_key on role (school_id, role_group_id, name) where removed_at is null;
create unique index role_group_name_key on role_group (school_id, name);

-- Who is signed in with an identity, and when he last was.
create index session_role_no on session (school_id, role_no, started_at);
