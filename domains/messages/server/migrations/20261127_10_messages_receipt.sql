-- What providers tell of messages afterwards.
alter table message_channel add column receipt_secret_enc bytea;
comment on column message_channel.receipt_secret_enc is 'with what the provider signs its receipts; sealed, never answered';

create index message_delivery_provider on message_delivery (school_id, provider_id) where provider_id is not null;

-- A receipt may be here before its delivery is written down as submitted; it waits a day for it.
create table message_receipt (
  school_id integer not null,
  channel smallint not null check (channel between 2 and 5),
  provider_id varchar(120) not null,
  reason smallint check (reason between 1 and 7),
  at timestamptz not null,
  primary key (school_id, channel, provider_id)
);
create index message_receipt_at on message_receipt (school_id, at);
comment on table message_receipt is 'receipts that nothing here has the number of, yet or at all; reason null = delivered';
