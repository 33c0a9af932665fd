-- What lies in the stores. The key is the only name of a file in every table and on every wire.
create table file_object (
  school_id integer not null,
  file_key varchar(200) not null,
  store smallint not null check (store in (1, 2, 3)),
  driver varchar(12) not null check (driver in ('embedded', 'aliyun_oss', 'qiniu', 'minio_s3')),
  bucket varchar(100),
  purpose varchar(12) not null check (purpose in ('logo', 'avatar', 'face', 'id_photo', 'resource', 'notice', 'attachment', 'import', 'export', 'job')),
  kind varchar(2) not null check (kind in ('1', '2', '3', '4', '5', '9')),
  ext varchar(10) not null,
  mime varchar(100) not null,
  size bigint not null check (size >= 0),
  sha256 bytea,
  width integer,
  height integer,
  visibility varchar(8) not null check (visibility in ('public', 'school', 'private')),
  state smallint not null check (state between 1 and 6),
  uploaded_by bigint not null,
  uploaded_at timestamptz not null,
  -- since when nobody uses it; null while somebody does
  unused_since timestamptz,
  primary key (school_id, file_key)
);
comment on table file_object is 'state 1 ticketed, 2 uploaded, 3 ready, 4 quarantined, 5 orphan, 6 deleted (the row stays, its bytes are gone); kind is FILE_KIND';
create index file_object_by on file_object (school_id, uploaded_by, uploaded_at);

create table file_ref (
  school_id integer not null,
  file_key varchar(200) not null,
  ref_kind varchar(40) not null,
  ref_id varchar(80) not null,
  created_at timestamptz not null,
  primary key (school_id, file_key, ref_kind, ref_id),
  constraint file_ref_file foreign key (school_id, file_key) references file_object (school_id, file_key)
);
create index file_ref_user on file_ref (school_id, ref_kind, ref_id);
comment on table file_ref is 'who uses a file; one that nobody uses for seven days goes';

-- The key of a school's private pictures, itself sealed with the data key of the installation.
create table file_envelope (
  school_id integer not null,
  key_no smallint not null,
  sealed_key bytea not null,
  created_at timestamptz not null,
  primary key (school_id, key_no)
);
comment on table file_envelope is 'AES-256 keys of face and id_photo files, sealed with the data key';

create unlogged table upload_ticket (
  ticket_hash bytea not null,
  user_id bigint not null,
  school_id integer not null,
  prefix varchar(80) not null,
  store smallint not null,
  purpose varchar(12) not null,
  kind varchar(2) not null,
  max_size bigint not null,
  mimes text[] not null,
  is_override boolean not null,
  files_left smallint not null check (files_left between 0 and 150),
  expire_at timestamptz not null,
  primary key (ticket_hash)
);
create index upload_ticket_expire on upload_ticket (expire_at);
comment on table upload_ticket is 'installation table: what the form of an upload to the embedded store allows, at most an hour';

create view file_v with (security_invoker = true) as
  select school_id, file_key, purpose, kind, mime, size, width, height, visibility from file_object where state = 3;
comment on view file_v is 'ready files only; nullable: width, height';
