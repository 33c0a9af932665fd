-- What other domains may rely on of a device, and which devices have ever held somebody's credential (chapter 30 §1.4).
create view device_profile_v with (security_invoker = true) as
  select school_id, device_id, permission_mode, max_groups, periods_a_day, windows, holidays, end_inclusive, online_check, max_times, door_modes,
    left(md5(row(permission_mode, max_groups, periods_a_day, windows, holidays, end_inclusive, online_check, max_times, door_modes)::text), 16) as profile_hash
  from (
    select d.school_id, d.device_id,
      case when m.driver in ('jdev', 'vf105') then 'dated' else 'none' end as permission_mode,
      case when m.driver in ('jdev', 'vf105') then coalesce((m.limits ->> 'max_groups')::integer, 64) else 0 end as max_groups,
      case when m.driver in ('jdev', 'vf105') then coalesce((m.limits ->> 'periods_a_day')::integer, 12) else 0 end as periods_a_day,
      coalesce((m.capabilities ->> 'weekly')::boolean, false) as windows,
      case when m.driver in ('jdev', 'vf105') then 'ranges' else 'none' end as holidays,
      coalesce((m.limits ->> 'end_inclusive')::boolean, m.driver = 'vf105') as end_inclusive,
      coalesce((m.capabilities ->> 'online_verify')::boolean, false) as online_check,
      coalesce((m.capabilities ->> 'max_times')::boolean, m.driver = 'jdev') as max_times,
      case m.driver when 'jdev' then array['open', 'hold_open', 'lock', 'resume', 'evacuate', 'seal'] when 'vf105' then array['open', 'evacuate', 'resume'] else array[]::text[] end as door_modes
    from device d join device_model m on m.model_code = d.model_code
    where d.lifecycle <> 'retired') p;
comment on view device_profile_v is 'what the compiler of rules may rely on: permission_mode dated = each permission has its own range of dates and its times of the week; max_groups = permissions of one person; holidays ranges = a range with holes is several; profile_hash turns when any of it does';

create view device_held_v with (security_invoker = true) as
  select school_id, device_id, kind, user_id, first_applied_at, delete_acked_at, proven_gone_at, closed_by from device_held;
comment on view device_held_v is 'nullable: delete_acked_at, proven_gone_at, closed_by';

create or replace view sync_person_v with (security_invoker = true) as
  select r.school_id, r.user_id, r.device_id, r.kind, r.want_op, r.state, r.reason_text, r.acked_at as applied_at, r.proven_at,
    case when r.kind <> 'credential' then null when r.row_key like 'f%' then 'face' else c.cred_kind end as cred_kind
  from sync_row r
  left join subject_credential c on r.kind = 'credential' and r.row_key ~ '^c[0-9]+$' and c.school_id = r.school_id and c.credential_id = substr(r.row_key, 2)::bigint
  where r.user_id is not null;
comment on view sync_person_v is 'person by device; nullable: reason_text, applied_at, proven_at, cred_kind';
