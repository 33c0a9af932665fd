-- Passes whose time is not known are found by when they were told: their days are those of wrong clocks, in any month (chapter 30 rule 15).
create index pass_event_unsure on pass_event (school_id, received_at) where event_time is null;
