-- The seal key was exchanged: both keys sign that the one follows the other, so that seals of before are still checked with the key of today alone.
create table audit_seal_key (
  public_key varchar(100) primary key,
  next_key varchar(100) not null,
  handed_at timestamptz not null,
  signature bytea not null,
  next_signature bytea not null
);
comment on table audit_seal_key is 'append-only installation list: public_key signed seals until next_key took its place; signature is of the former, next_signature of the latter';
