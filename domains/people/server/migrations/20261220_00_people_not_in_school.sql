-- Who is on the roll but not in school: few beside those who are, and asked for by every count of the roll.
create index student_span_not_in_school on student_span (school_id, user_id, valid_from, valid_to) where state <> '01';
