-- Teachers ask for a swap or a move; every teacher who is asked agrees for himself, then the office approves (chapter 50 §1.4, §2).
alter table change_order drop constraint change_order_state_check;
alter table change_order add constraint change_order_state_check check (state between 1 and 6);
alter table change_order add column needs_approval boolean not null default false;
alter table change_order add column decided_by bigint;
alter table change_item add column asked_id bigint;
alter table change_item add column agreed_at timestamptz;
alter table change_item add column to_date date;
alter table change_item add column to_section smallint;
-- The owner stands behind the fence like everybody else: it is opened for this one statement.
alter table change_order no force row level security;
alter table change_item no force row level security;
update change_item i set asked_id = o.asked_id from change_order o
  where o.school_id = i.school_id and o.id = i.order_id and o.asked_id is not null and i.item_no = 1;
alter table change_order force row level security;
alter table change_item force row level security;
drop index change_order_asked;
alter table change_order drop column asked_id;
create index change_item_asked on change_item (school_id, asked_id) where open and asked_id is not null;
create index change_order_waiting on change_order (school_id, state) where state in (3, 5);
create index change_order_by on change_order (school_id, applied_by, id);
comment on column change_order.state is
  '1 in force, 2 undone, 3 waits for the consent of those that its items ask, 4 declined by one of them, 5 waits for approval, 6 refused';
comment on column change_order.needs_approval is 'asked for by a teacher: what all agreed to still waits for the office';
comment on column change_item.to_date is 'with to_section: where a lesson moves to when the order comes into force';
