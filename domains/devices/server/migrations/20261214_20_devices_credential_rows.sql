-- How each device stands with one credential: for the domains that declare credentials and must show when they are gone (chapter 40 rule 7).
create view sync_credential_v with (security_invoker = true) as
  select school_id, device_id, row_key, user_id, want_op, state, reason_text, sent_at, acked_at, proven_at
  from sync_row where kind = 'credential' and user_id is not null;
comment on view sync_credential_v is 'nullable: reason_text, sent_at, acked_at, proven_at';
create view card_format_v with (security_invoker = true) as
  select school_id, format_id, format_name, input, byte_order, truncation, pad, upper from card_format;
