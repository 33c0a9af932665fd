-- A cover may wait for the consent of the teacher who is asked; the lesson stays as it is until then (chapter 50 §2, ChangeOrder).
alter table change_order drop constraint change_order_state_check;
alter table change_order add constraint change_order_state_check check (state between 1 and 4);
alter table change_order add column asked_id bigint;
alter table change_order add column answer varchar(200) not null default '';
create index change_order_asked on change_order (school_id, asked_id) where state = 3;
comment on column change_order.state is '1 in force, 2 undone, 3 waits for the consent of asked_id, 4 declined by him';
