alter table import_row drop constraint import_row_outcome_check;
alter table import_row add constraint import_row_outcome_check check (outcome in ('applied', 'recheck', 'undone'));
alter table import_row add column touched text[] not null default '{}';
comment on table import_row is 'raw only for rows with errors or mended by hand, all others are read from the file again; keys = keyed hashes of what must be single in the file; before = image for undo, gone once undone; touched = key=mark of each thing the row wrote to; errors of an applied row = why it cannot be undone';

alter table import_batch add column rows_undone integer not null default 0;
alter table import_batch add column rows_blocked integer not null default 0;
alter table import_batch add column undo_message varchar(300);
