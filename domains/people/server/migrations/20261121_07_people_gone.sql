-- Who is gone (merged, purged) is looked for in every count of the roll; nobody else is in this index.
create index person_gone on person (school_id, user_id) where status <> 'live';
