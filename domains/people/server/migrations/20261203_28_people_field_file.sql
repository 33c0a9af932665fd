-- A custom field whose value is an uploaded file (chapter 20 §1.2 field_def).
alter table field_def drop constraint field_def_type_check;
alter table field_def add constraint field_def_type_check check (type in ('text', 'number', 'date', 'dict', 'multi', 'mobile', 'id_card', 'file'));
alter table field_def add constraint field_def_file_check check (type <> 'file' or level < 3);
