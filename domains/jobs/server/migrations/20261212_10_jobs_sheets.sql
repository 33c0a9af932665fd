alter table import_batch add column sheets jsonb not null default '[]';
comment on column import_batch.sheets is 'which sheets of the file are read, where their headers stand, and which lines are hidden';
