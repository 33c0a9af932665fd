-- Documents that a family brings with an application, without an account.
alter table file_object drop constraint file_object_purpose_check;
alter table file_object add constraint file_object_purpose_check check (purpose in ('logo', 'avatar', 'face', 'id_photo', 'resource', 'notice', 'attachment', 'import', 'material', 'export', 'job'));
