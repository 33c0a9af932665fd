-- The primary department is joined and not asked for a row: arms of a union with a question of their own (live_person) are refused by a Citus cluster. One a person and day: dept_member_one_primary.
create or replace view live_staff with (security_invoker = true) as
  select s.school_id, s.user_id, p.user_name, s.teacher_no, p.sex, p.mobile, p.photo_file_key,
    h.dept_id as primary_dept_id,
    array(select m.dept_id from dept_member m where m.school_id = s.school_id and m.user_id = s.user_id and m.member_kind = 'staff'
      and m.valid_from <= (now() at time zone 'Asia/Shanghai')::date
      and (m.valid_to is null or m.valid_to > (now() at time zone 'Asia/Shanghai')::date) order by m.dept_id) as dept_ids,
    array(select y.duty || ':' || y.dept_id from dept_duty y where y.school_id = s.school_id and y.user_id = s.user_id
      and y.valid_from <= (now() at time zone 'Asia/Shanghai')::date
      and (y.valid_to is null or y.valid_to > (now() at time zone 'Asia/Shanghai')::date) order by 1) as duties
  from staff_span t
  join staff s on s.school_id = t.school_id and s.user_id = t.user_id
  join person p on p.school_id = t.school_id and p.user_id = t.user_id and p.status = 'live'
  left join dept_member h on h.school_id = t.school_id and h.user_id = t.user_id and h.member_kind = 'staff' and h.is_primary
    and h.valid_from <= (now() at time zone 'Asia/Shanghai')::date
    and (h.valid_to is null or h.valid_to > (now() at time zone 'Asia/Shanghai')::date)
  where t.valid_from <= (now() at time zone 'Asia/Shanghai')::date
    and (t.valid_to is null or t.valid_to > (now() at time zone 'Asia/Shanghai')::date);
