-- Seats of an offer for a grade, a class or a sex, and home classes that have a lesson at its time (chapter 50 §1.4, rule 34).
create table elective_quota (
  school_id integer not null,
  offer_id bigint not null,
  dim varchar(5) not null check (dim in ('grade', 'dept', 'sex')),
  value varchar(20) not null,
  cap integer not null check (cap between 0 and 5000),
  taken integer not null default 0,
  primary key (school_id, offer_id, dim, value),
  constraint elective_quota_offer foreign key (school_id, offer_id) references elective_offer (school_id, id) on delete cascade,
  constraint elective_quota_seats check (0 <= taken and taken <= cap)
);
comment on table elective_quota is 'taken: seats of state 1 and 4 of pupils of this grade, class (dept id) or sex';

alter table elective_offer add column busy jsonb not null default '{}';
comment on column elective_offer.busy is 'home class (dept id) → its own lesson at the same time, written at the publication of the task';
