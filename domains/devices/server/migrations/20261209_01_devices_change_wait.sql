-- Whom a change of people still waits for: the terminal has not confirmed yet what the change means for this person. A line goes with the confirmation.
create table change_wait (
  school_id integer not null,
  command_id bigint not null,
  kind varchar(12) not null,
  user_id bigint not null,
  device_id bigint not null,
  primary key (school_id, device_id, command_id, user_id)
);
comment on table change_wait is 'a change of a person that a device has not confirmed; kind = part of a promotion, else the kind of the command';
create index change_wait_command on change_wait (school_id, command_id);
