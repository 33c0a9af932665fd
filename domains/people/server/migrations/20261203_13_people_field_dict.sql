-- A field of one choice takes its options from a dictionary of the school; ext then holds the code, so that a new name stands everywhere at once.
alter table field_def add column dict_code varchar(40);
alter table field_def drop constraint field_def_options_whole;
alter table field_def add constraint field_def_options_whole check (
  (dict_code is null or (type = 'dict' and options is null)) and (type in ('dict', 'multi')) = (options is not null or dict_code is not null)
);
