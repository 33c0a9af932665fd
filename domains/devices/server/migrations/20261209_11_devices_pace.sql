-- How fast a device takes what it is sent: rows and the time they took, of its last twenty commands (chapter 30 rule 7).
create table device_pace (
  school_id integer not null,
  device_id bigint not null,
  lane varchar(8) not null check (lane in ('row', 'face', 'content')),
  rows_done integer not null check (rows_done > 0),
  spent_ms integer not null check (spent_ms > 0),
  primary key (school_id, device_id, lane),
  foreign key (school_id, device_id) references device (school_id, device_id)
);
comment on table device_pace is 'rows that a device took in its last commands, and how long that was; faces and files by themselves';
