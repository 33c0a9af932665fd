create table probe (
  school_id integer not null,
  probe_no varchar(20) not null,
  probe_name varchar(50) not null,
  probe_kind smallint not null default 1,
  written integer not null default 1,
  primary key (school_id, probe_no),
  constraint probe_name_short check (length(probe_name) < 20)
);
