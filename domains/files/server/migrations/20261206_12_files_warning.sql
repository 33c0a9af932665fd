-- Pictures that boxes send of what they warn of.
alter table file_object drop constraint file_object_purpose_check;
alter table file_object add constraint file_object_purpose_check check (purpose in ('logo', 'avatar', 'face', 'id_photo', 'resource', 'notice', 'attachment', 'person_file', 'import', 'material', 'warning', 'export', 'job'));
