-- Applications that the school itself enters from a sheet are reviewed like any others, unless the season says that they have passed.
alter table freshmen_season add column import_passed boolean not null default false;
alter table freshmen_season add constraint freshmen_season_import check (not import_passed or review_levels = 1);
