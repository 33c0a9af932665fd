-- attempts is the fence of a lost lease alone and never goes back; what is limited are attempts in a row that committed nothing.
alter table work add column fruitless smallint not null default 0;
comment on column work.fruitless is 'attempts since the last one that committed progress';

alter table job drop constraint job_attempts_check;
alter table job add constraint job_attempts_check check (attempts >= 0);
