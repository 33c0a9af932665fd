-- What attendance reads of the days of an exam: who watches where, and who was signed in (chapter 55 §1.1, source 6).
create view exam_duty_v with (security_invoker = true) as
  select i.school_id, i.exam_id, i.session_id, i.user_id, i.role, r.place_id, i.begin_at, i.end_at
  from exam_invigilator i
  join exam e on e.school_id = i.school_id and e.exam_id = i.exam_id
  join exam_room r on r.school_id = i.school_id and r.room_id = i.room_id
  where e.state in (2, 5, 6, 7);
comment on view exam_duty_v is 'who watches which room in which session, of published plans';

create view exam_presence_v with (security_invoker = true) as
  select a.school_id, a.session_id, a.user_id, a.state, a.sign_at, a.by_user_id, a.version, r.place_id, t.begin_at, t.end_at
  from exam_presence a
  join exam_seat t on t.school_id = a.school_id and t.session_id = a.session_id and t.user_id = a.user_id
  join exam_room r on r.school_id = t.school_id and r.room_id = t.room_id;
comment on view exam_presence_v is 'state 1 到考, 2 迟到, 3 缺考, 4 违纪, 5 提前离场; nullable: sign_at (缺考), by_user_id (a card or a face)';
