-- What became of commands, for the domain that gives those of doors (chapter 35 §2).
create view device_command_v with (security_invoker = true) as
  select school_id, asked_on, command_id, device_id, command, state, asked_at, sent_at, replied_at, reply_text from device_command;
comment on view device_command_v is 'half a year; nullable: sent_at, replied_at, reply_text';
