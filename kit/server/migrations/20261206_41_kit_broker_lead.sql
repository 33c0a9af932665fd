-- With an outside broker one server at a time speaks with the devices; the others stand by (decision 0029).
create table broker_lead (
  place varchar(10) primary key check (place = 'devices'),
  holder varchar(40) not null,
  until timestamptz not null
);
comment on table broker_lead is 'of the installation: which server speaks with the outside broker, and until when it does so without saying it again';
