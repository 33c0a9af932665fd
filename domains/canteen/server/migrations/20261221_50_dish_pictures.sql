-- Pictures that a sheet of menus names by their file names (chapter 60 §6): brought in before it, the newest of a name counts.
create table canteen_picture (
  school_id integer not null,
  name varchar(100) not null,
  file_key varchar(200) not null,
  created_at timestamptz not null,
  created_by bigint not null,
  primary key (school_id, name)
);
