-- A clock that is wrong is set from here (chapter 30 rule 15): since when it is, when it was last told the time, how often in vain, and why it did not take it.
alter table device
  add column clock_wrong_since timestamptz,
  add column clock_asked_at timestamptz,
  add column clock_asked_times smallint not null default 0 check (clock_asked_times >= 0),
  add column clock_refusal varchar(200);
