-- A membership by which somebody stands in for another person, until a day: every act under it is marked (chapter 10 B4).
alter table role_member add column acted_for bigint;
alter table role_member add constraint role_member_acted_for foreign key (school_id, acted_for) references school_user (school_id, user_id);
alter table role_member add constraint role_member_substitute check (acted_for is null or (acted_for <> user_id and valid_to is not null));
comment on column role_member.acted_for is 'the person on whose behalf it is held; its facts (classes, places) count in place of the holder''s own';

-- Whoever holds the role himself may hold it on another's behalf as well.
alter table role_member drop constraint role_member_overlap;
alter table role_member add constraint role_member_overlap
  exclude using gist (school_id with =, role_id with =, user_id with =, user_dep with =, (coalesce(acted_for, 0)) with =, valid with &&);
