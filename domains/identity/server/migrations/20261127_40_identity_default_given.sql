-- What of the product's defaults each standing role of a school was given once (permission codes, and modules as module:code). What stands here and the
-- role has not any more was taken away by somebody of the school and is not given again.
create table default_given (
  school_id integer not null,
  role_code varchar(40) not null,
  things text[] not null,
  given_at timestamptz not null,
  primary key (school_id, role_code)
);
