-- Who has watched which camera, and for how long (chapter 30 rule 24). Recorders speak our own protocol through their gateway.

create table camera_view (
  school_id integer not null,
  begin_at timestamptz not null,
  view_id uuid not null default gen_random_uuid(),
  device_id bigint not null,
  user_id bigint not null,
  kind varchar(8) not null check (kind in ('hls', 'snapshot')),
  seen_until timestamptz not null,
  primary key (school_id, begin_at, view_id),
  constraint camera_view_in_order check (seen_until >= begin_at)
) partition by range (begin_at);
comment on table camera_view is 'kept half a year; seen_until moves on while somebody goes on watching';
create index camera_view_device on camera_view (school_id, device_id, begin_at desc);
create index camera_view_user on camera_view (school_id, user_id, device_id, seen_until desc);

do $$
declare
  month timestamptz;
begin
  for month in select generate_series(timestamp '2026-10-01', timestamp '2027-01-01', interval '1 month') at time zone 'Asia/Shanghai' loop
    execute format('create table %I partition of camera_view for values from (%L) to (%L)',
      'camera_view_' || to_char(month at time zone 'Asia/Shanghai', 'YYYYMM'), month, ((month at time zone 'Asia/Shanghai') + interval '1 month') at time zone 'Asia/Shanghai');
  end loop;
  create table camera_view_other partition of camera_view default;
end $$;

update device_model set driver = 'jdev', capabilities = '{"gateway": true, "readback": "digest"}' where model_code = 'NVR-32' and driver = 'camera';

create or replace view device_live_v with (security_invoker = true) as
  select d.school_id, d.device_id, d.device_sn, d.device_name, d.device_type, d.model_code, d.online, d.online_since, d.last_seen_at, d.is_push, p.place_id, p.direction,
    case when d.lifecycle = 'disabled' then '3' when d.lifecycle = 'pending' then '5' when d.fault_code is not null then '2' when d.online then '1' else '0' end as device_state, d.parent_device_id
  from device d
  left join device_place p on p.school_id = d.school_id and p.device_id = d.device_id and p.valid_from <= now() and (p.valid_to is null or p.valid_to > now())
  where d.lifecycle <> 'retired';
comment on view device_live_v is 'devices that are there, with the place of this moment; nullable: online_since, last_seen_at, place_id, direction, parent_device_id';
