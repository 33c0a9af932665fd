-- Signed links to sub-applications, and the sessions that come of them (chapter 80 M1 to M8). A link's ticket knows whose session asked for
-- it and for which sub-application; what stands in the address decides nothing.
alter table ticket add column app_code varchar(40);
alter table ticket add column session_id uuid;

-- Null = the minutes of the school's rule; sub-applications have their own.
alter table session add column idle_minutes smallint;
comment on table session is 'one chosen identity on one browser; the refresh secret is derived from session and refresh_generation, the one before is honoured until prev_until; role_no below 0 = super account in the school; client mini = one sub-application, which ends with the session of parent_session_id';
