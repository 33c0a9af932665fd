-- Documents of applications (chapter 20 §1.5 file_keys). A material of a season says from now on whether families upload it.

-- The owner stands behind the fence like everybody else: it is opened for this one statement.
alter table freshmen_season no force row level security;
update freshmen_season set materials = (
  select coalesce(jsonb_agg(jsonb_build_object('name', m.name, 'upload', 'none') order by m.at), '[]') from jsonb_array_elements_text(materials) with ordinality as m(name, at)
);
alter table freshmen_season force row level security;

create table freshmen_file (
  school_id integer not null,
  file_key varchar(200) not null,
  apply_id uuid not null,
  material varchar(40) not null,
  order_no smallint not null,
  mime varchar(100) not null,
  brought_at timestamptz not null,
  primary key (school_id, file_key),
  constraint freshmen_file_apply_fkey foreign key (school_id, apply_id) references freshmen_apply (school_id, id)
);
create index freshmen_file_apply on freshmen_file (school_id, apply_id);
comment on table freshmen_file is 'a file belongs to one application; its bytes go before the row of its application can';
