-- Role groups whose identities alone fill a field; empty: everybody who may edit the file.
alter table field_def add column edit_by text[] not null default '{}';
