-- Where an account is still somebody: whoever has left his last school has a login no more, and a return opens it again (chapter 10 §7).
alter table account_school add column left_at timestamptz;
comment on column account_school.left_at is 'the person has left this school; kept with school_user.left_at, so that no other school has to be opened to know where an account still belongs';
alter table account add column departed_at timestamptz check (departed_at is null or not enabled);
comment on column account.departed_at is 'shut because no school was left; a return opens it. Null and not enabled: an administrator has shut it, and only an administrator opens it';

-- The owner stands behind the fence like everybody else: it is opened for this one statement.
alter table school_user no force row level security;
update account_school a set left_at = u.left_at from school_user u
  where u.school_id = a.school_id and u.user_id = a.user_id and u.left_at is not null;
alter table school_user force row level security;
update account a set enabled = false, departed_at = (select max(s.left_at) from account_school s where s.user_id = a.user_id)
  where a.enabled and a.super_slot is null
    and exists (select from account_school s where s.user_id = a.user_id)
    and not exists (select from account_school s where s.user_id = a.user_id and s.left_at is null);

-- Sessions that have long been over are deleted after 180 days (chapter 10 §1).
create index session_until on session (school_id, absolute_until);
