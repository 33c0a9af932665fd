-- Which import made a place: taking it back must not take away what others have put below it.
alter table place add column batch_no varchar(40);
create index place_batch on place (school_id, batch_no) where batch_no is not null;
