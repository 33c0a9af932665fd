-- Names of courses and teaching classes for domains that show lessons.
create view course_name_v with (security_invoker = true) as
  select school_id, id as course_id, course_name, subject, course_type from course;
create view teaching_class_name_v with (security_invoker = true) as
  select school_id, id as class_id, name as class_name, kind from teaching_class;
