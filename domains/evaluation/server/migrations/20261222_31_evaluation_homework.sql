-- A star for homework that was handed in in time (chapter 55 §1.3 star_auto_rule, rule 45).
alter table star_type drop constraint star_type_auto_trigger_check;
alter table star_type add constraint star_type_auto_trigger_check check (auto_trigger in ('attend_week', 'homework_week'));
comment on column star_type.auto_trigger is 'attend_week: a school week without late, early, absent or unverified; homework_week: a week whose homework was all handed in in time';
