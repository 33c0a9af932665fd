-- Which upload the bytes are: a claim is of the bytes that it has checked, and of no later ones.
alter table file_object add column bytes_no integer not null default 1;
comment on table file_object is 'state 1 arriving (its bytes are not all here), 2 uploaded, 3 ready, 4 quarantined, 5 orphan, 6 deleted (the row stays, its bytes are gone); kind is FILE_KIND; bytes_no counts what was uploaded under the name';
