-- A package may be signed by its maker (chapter 30 §1.5): models with a key take no other.
alter table firmware add column signature char(88);
comment on column firmware.signature is 'Ed25519 of its maker over the text of sha256, in Base64; null: unsigned';
