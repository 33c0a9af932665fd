-- What other domains are promised of attendance (90 §2): expectations of a day with their hours, and the tally of sealed months.
create view attend_today_v with (security_invoker = true) as
  select r.school_id, r.lesson_date, r.user_id, r.person_kind, r.expect_kind, r.occurrence_id, r.place_id, r.state, r.provisional,
    coalesce(l.begin_at, e.begin_at, (r.lesson_date + make_interval(mins => s.begin_min)) at time zone 'Asia/Shanghai') as begin_at,
    coalesce(l.end_at, e.end_at, (r.lesson_date + make_interval(mins => case when s.end_min > s.begin_min then s.end_min else s.end_min + 1440 end))
      at time zone 'Asia/Shanghai') as end_at
  from attend_result r
  left join lesson_day_v l on l.school_id = r.school_id and l.date = r.lesson_date
    and l.lesson_day_id = case when r.expect_kind = 1 then r.occurrence_id end
  left join attend_slot s on s.school_id = r.school_id and s.slot_id = case when r.expect_kind = 2 then r.occurrence_id end
  left join exam_session_v e on e.school_id = r.school_id and e.session_id = case when r.expect_kind = 3 then r.occurrence_id end;
comment on view attend_today_v is 'the reader names the day (lesson_date) by the clock of the school; nullable: place_id, begin_at, end_at';

create view attend_tally_v with (security_invoker = true) as
  select r.school_id, m.month, r.person_kind, r.user_id, r.course_id, r.section, r.place_id, count(*)::int as expected,
    (count(*) filter (where r.state = 1))::int as normal, (count(*) filter (where r.state = 2))::int as late,
    (count(*) filter (where r.state = 3))::int as early, (count(*) filter (where r.state = 4))::int as absent,
    (count(*) filter (where r.state = 5))::int as leave, (count(*) filter (where r.state = 6))::int as waiting,
    (count(*) filter (where r.state = 7))::int as made_up, (count(*) filter (where r.state = 8))::int as outside,
    (count(*) filter (where r.state = 9))::int as exempt, (count(*) filter (where r.state = 10))::int as unverified,
    sum(r.late_min)::int as late_min_sum
  from attend_seal m
  join attend_result r on r.school_id = m.school_id and r.lesson_date >= (m.month || '-01')::date
    and r.lesson_date < (m.month || '-01')::date + interval '1 month'
  where m.state = 'sealed'
  group by r.school_id, m.month, r.person_kind, r.user_id, r.course_id, r.section, r.place_id;
comment on view attend_tally_v is 'nullable: course_id, place_id';
