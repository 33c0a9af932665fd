-- About which end of a membership its holder was told, so that he is told once (chapter 10 B4).
alter table role_member add column warned_to timestamptz;
comment on column role_member.warned_to is 'the valid_to about which holder and administrators were warned; another end is warned of anew';
