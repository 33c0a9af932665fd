-- The roll of today: what lists of pupils are read from. Derived from person, student, student_span and dept_member (decision 0042).

create table roll_day (
  school_id integer not null,
  day date not null,
  primary key (school_id)
);

create table roll_today (
  school_id integer not null,
  user_id bigint not null,
  state varchar(2) not null,
  -- 0 = in no class
  dept_id bigint not null,
  student_no varchar(50) collate "C" not null,
  user_name varchar(50) not null,
  name_py varchar(300) collate "C" not null,
  name_initials varchar(60) collate "C" not null,
  primary key (school_id, user_id)
);
create index roll_today_order on roll_today (school_id, state, student_no, dept_id, user_id);
create index roll_today_class on roll_today (school_id, dept_id, state, student_no, user_id);

-- What a pupil is searched by, each found by its beginning: every ending of the name (n), pinyin and initials (p), number (d).
create table roll_word (
  school_id integer not null,
  user_id bigint not null,
  way varchar(1) not null check (way in ('n', 'p', 'd')),
  word varchar(300) collate "C" not null,
  primary key (school_id, way, word, user_id)
);
create index roll_word_user on roll_word (school_id, user_id);

create table roll_count (
  school_id integer not null,
  state varchar(2) not null,
  dept_id bigint not null,
  pupils integer not null,
  primary key (school_id, state, dept_id)
);

create index person_tel_tail on person (school_id, tel_tail) where tel_tail is not null;
