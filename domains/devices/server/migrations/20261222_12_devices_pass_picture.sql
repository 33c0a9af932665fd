-- The picture that came with a record of a door (chapter 35 R31): it is there from the first, or never.
alter table pass_event add column snapshot_key varchar(200);
create or replace view pass_event_v with (security_invoker = true) as
  select school_id, event_date, device_id, device_seq, device_time, received_at, event_time, time_state,
    user_id, person_kind, verify_mode, pass_state, direction, place_id, credential_id, code_masked, temp_tenths, snapshot_key
  from pass_event;
comment on view pass_event_v is 'nullable: event_time, user_id, person_kind, direction, place_id, credential_id, code_masked, temp_tenths, snapshot_key';

comment on view device_profile_v is 'what the compiler of rules may rely on: permission_mode dated = each permission has its own range of dates and its times of the week; max_groups = different weeks of times that it holds; holidays ranges = a range with holes is several; profile_hash turns when any of it does';
