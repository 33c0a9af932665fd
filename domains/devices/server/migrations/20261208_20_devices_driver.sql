-- A further family of hardware is a further driver of the program (chapter 31 §4): which names there are is not the database's to say.

alter table device_model drop constraint device_model_driver_check;
alter table device_model add constraint device_model_driver_name check (driver ~ '^[a-z][a-z0-9_]{0,12}$');
