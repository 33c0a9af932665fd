-- What a school says of an item of an editable type: another name, another place, out of use, or an item of its own.
create table school_dictionary_item (
  school_id integer not null,
  sc_code_type varchar(40) not null,
  sc_code_item varchar(20) not null,
  name varchar(60) not null,
  "order" integer not null,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (school_id, sc_code_type, sc_code_item)
);
comment on table school_dictionary_item is 'adds to or overrides dictionary_item for one school; a code is never used for anything else again, an item is disabled and not deleted';

-- The dictionary as each school reads it: the reference, what the school says of it, and its own items.
drop view dictionary_v;
create view dictionary_v with (security_invoker = true) as
  select s.school_id, i.sc_code_type, i.sc_code_item, coalesce(o.name, i.name) as name, coalesce(o."order", i."order") as "order", coalesce(o.enabled, true) as enabled
  from school s
  cross join dictionary_item i
  left join school_dictionary_item o on o.school_id = s.school_id and o.sc_code_type = i.sc_code_type and o.sc_code_item = i.sc_code_item
  union all
  select o.school_id, o.sc_code_type, o.sc_code_item, o.name, o."order", o.enabled
  from school_dictionary_item o
  where not exists (select from dictionary_item i where i.sc_code_type = o.sc_code_type and i.sc_code_item = o.sc_code_item);
