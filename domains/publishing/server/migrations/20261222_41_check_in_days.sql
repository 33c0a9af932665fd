-- A check-in that repeats asks on each of its days; what is stored is what was given, days are computed (chapter 60 rule 21).
alter table publishing_post add column repeat_rule jsonb;
alter table publishing_submission add column day date;
comment on column publishing_submission.day is 'the day that a check-in is for; null for what is asked once';
drop index publishing_submission_once;
create unique index publishing_submission_once on publishing_submission (school_id, post_id, subject_user_id, day) nulls not distinct
  where state in (1, 3) and subject_user_id is not null;
