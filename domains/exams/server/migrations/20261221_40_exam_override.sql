-- What an invigilator or the office has lifted in a room for the rest of a session (chapter 55 §2.6).
create table exam_control_override (
  school_id integer not null,
  session_id bigint not null,
  room_id bigint not null,
  kind varchar(5) not null check (kind in ('board', 'door')),
  exam_id bigint not null,
  reason varchar(200) not null,
  by_user_id bigint not null,
  at timestamptz not null,
  primary key (school_id, session_id, room_id, kind)
);
create index exam_control_override_exam on exam_control_override (school_id, exam_id);
