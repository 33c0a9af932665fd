-- Terminals hold so many different weeks of times (chapter 35 R20): which weeks a right has, and whether the terminal asks about it.
alter table access_grant add column weeks varchar(32) not null default '', add column is_online boolean not null default false;
comment on column access_grant.weeks is 'stands for the different weeks of times of the right; empty where it needs none';
