-- Documents in the file of a person: custom fields of type file.
alter table file_object drop constraint file_object_purpose_check;
alter table file_object add constraint file_object_purpose_check check (purpose in ('logo', 'avatar', 'face', 'id_photo', 'resource', 'notice', 'attachment', 'person_file', 'import', 'material', 'export', 'job'));
