-- Moved lessons and chains of covers; orders of one 一键安排 are taken back together (chapter 50 §3.5).
alter table change_order drop constraint change_order_kind_check;
alter table change_order add constraint change_order_kind_check check (kind in (1, 2, 3, 4, 7, 8));
alter table change_order add column command_id bigint;
create index change_order_command on change_order (school_id, command_id) where command_id is not null;
comment on table change_order is 'kind 1 cover, 2 swap, 3 moved, 4 falls out, 7 self-study under a teacher, 8 chain: who covers is covered in his own lesson; state 1 in force, 2 undone; undone_by null: the leave was cancelled; command_id: the first order of those that one act made';

create or replace view cover_ledger_v with (security_invoker = true) as
  select i.school_id, i.date, i.lesson_day_id, o.id as order_id, o.kind, i.from_teacher_id, i.to_teacher_id
  from change_item i join change_order o on o.school_id = i.school_id and o.id = i.order_id
  where o.state = 1 and o.kind in (1, 7, 8);
