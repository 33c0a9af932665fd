-- Which import has made a department: taking the import back asks what others have put below it since.
alter table dept add column batch_no varchar(40);
