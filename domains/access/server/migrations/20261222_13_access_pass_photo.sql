-- What doors have seen of a pass (chapter 35 §1.3): the pictures go by their day, or with the consent to the face; the pass stays.
create table access_pass_photo (
  school_id integer not null,
  event_date date not null,
  device_id bigint not null,
  device_seq varchar(80) not null,
  user_id bigint,
  is_by_face boolean not null,
  file_key varchar(200) not null,
  delete_after date not null,
  deleted_at timestamptz,
  cause varchar(10) check (cause in ('time', 'consent', 'person')),
  primary key (school_id, event_date, device_id, device_seq),
  constraint access_pass_photo_gone check ((deleted_at is null) = (cause is null))
) partition by range (event_date);
create index access_pass_photo_user on access_pass_photo (school_id, user_id) where deleted_at is null;
create index access_pass_photo_due on access_pass_photo (school_id, delete_after) where deleted_at is null;
comment on table access_pass_photo is 'pictures of passes under the key of the pass; nullable: user_id, deleted_at, cause';
comment on column access_pass_photo.cause is 'why it is gone: its time is over, the consent was withdrawn, the person was erased';

do $$
declare
  month date;
begin
  for month in select generate_series(date '2026-08-01', date '2027-01-01', interval '1 month')::date loop
    execute format('create table %I partition of access_pass_photo for values from (%L) to (%L)',
      'access_pass_photo_' || to_char(month, 'YYYYMM'), month, (month + interval '1 month')::date);
  end loop;
  create table access_pass_photo_other partition of access_pass_photo default;
end $$;
