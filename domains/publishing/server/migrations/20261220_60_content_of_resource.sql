-- A resource that is published to rooms is a content of its own there (chapter 60 rule 29); source_kind 2 shows a whole album.
alter table publishing_content add column resource_id bigint;
comment on column publishing_content.resource_id is 'set: made by publishing this resource; its targets are the open usages';
create unique index publishing_content_of_resource on publishing_content (school_id, resource_id)
  where resource_id is not null and state = 1;
