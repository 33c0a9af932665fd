-- "on delete set null (column)" is refused by a Citus cluster: whoever takes a person away forgets him here first.
alter table register_entry drop constraint register_entry_match_fkey;
alter table register_entry add constraint register_entry_match_fkey foreign key (school_id, match_user_id) references person (school_id, user_id);
alter table freshmen_apply drop constraint freshmen_apply_person_fkey;
alter table freshmen_apply add constraint freshmen_apply_person_fkey foreign key (school_id, user_id) references person (school_id, user_id);
