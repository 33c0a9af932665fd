-- The first signs of a pairing code say which code is meant: a wrong one counts against that code alone (chapter 60 §9, 28).
alter table publishing_pairing add column code_head varchar(12) not null default '';
drop index publishing_pairing_code;
create index publishing_pairing_head on publishing_pairing (school_id, code_head);
