-- Resets of a password are counted beside wrong guesses.
alter table login_throttle drop constraint login_throttle_subject_kind_check;
alter table login_throttle add constraint login_throttle_subject_kind_check check (subject_kind in ('account', 'ip', 'reset'));
