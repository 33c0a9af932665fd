-- A family that did not read was told by telephone: a note of its class teacher, not a reading (chapter 60 rule 12).
alter table publishing_recipient add column phoned_at timestamptz;
alter table publishing_recipient add column phoned_by bigint;
