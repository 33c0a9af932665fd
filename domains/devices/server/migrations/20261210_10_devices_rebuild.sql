alter table sync_proof add column is_rebuild boolean not null default false;
comment on column sync_proof.is_rebuild is 'every row was written anew before; when it finds all of them the device has been rebuilt';
