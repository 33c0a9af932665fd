import { beforeAll, describe, expect, test } from 'vitest'
import type { Known, KnownTable } from './known.ts'
import { breachesOf } from './rules.ts'
import { loadParser, parse } from './tree.ts'

const room: KnownTable = { place: 'school', columns: new Map([['school_id', 'int4'], ['id', 'int8'], ['at', 'timestamptz'], ['day', 'date'], ['name', 'text'], ['ext', 'jsonb']]), unstable: new Set(['at', 'day']) }
const known: Known = {
  tables: new Map([['room', room], ['bed', room], ['room_v', room], ['account', { ...room, place: 'shared' }], ['work', { ...room, place: 'local' }]]),
  changing: new Set(['now/0', 'to_char/2', 'to_jsonb/1', 'jsonb_build_object/2']),
  reading: new Set(['name_then']),
}
const rulesOf = (text: string): string[] => parse(text).flatMap(statement => breachesOf(statement, text, known)).map(({ rule }) => rule)

beforeAll(loadParser)

const own = 'where r.school_id = $1'
const unbound = 'a table of schools is bound by school_id = $n itself'

test.each([
  ['insert … select has returning or on conflict', 'insert into room (school_id, id) select c0, c1 from unnest($1::int[], $2::int8[]) u(c0, c1)'],
  ['insert … select has returning or on conflict', 'with fresh as (insert into room (school_id, id) select $1, n from generate_series(1, 3) n) select 1'],
  ['values hold no sub-select', 'insert into room (school_id, id) values ($1, (select max(id) from bed where school_id = $1))'],
  ['returning holds columns and immutable functions only', 'update room r set name = $2 where r.school_id = $1 returning at::text'],
  ['returning holds columns and immutable functions only', 'update room r set name = $2 where r.school_id = $1 returning day::text as day'],
  ['returning holds columns and immutable functions only', `delete from room r ${own} returning to_char(at, 'YYYY')`],
  ['returning holds columns and immutable functions only', `delete from room r ${own} returning to_jsonb(r)`],
  ['do update and its where hold immutable functions only', 'insert into room (school_id, id) values ($1, $2) on conflict (school_id, id) do update set at = now()'],
  ['do update and its where hold immutable functions only', 'insert into room as r (school_id, id) values ($1, $2) on conflict (school_id, id) do update set name = $3 where r.at < now()'],
  ['do update and its where hold immutable functions only', 'insert into account (id) values ($1) on conflict (id) do update set at = $2::timestamptz + make_interval(mins => 10)'],
  ['case and coalesce of an update hold immutable functions only', `update room r set name = case when at < now() then $2 end ${own}`],
  ['an update calls no stable function on a column', `update room r set ext = ext || jsonb_build_object('a', x.name) from jsonb_to_recordset($2) x(id int8, name text) ${own} and r.id = x.id`],
  ['an update calls no stable function on a column', `delete from room r ${own} and to_jsonb(r) = $2`],
  ['on of an outer join has no constant test', `select 1 from room r left join bed b on b.school_id = r.school_id and $2 ${own}`],
  ['for update asks nothing of other tables for each row: lock first, ask after', `select exists (select 1 from bed b where b.school_id = $1 and b.id = r.id) from room r ${own} for update`],
  ['a row stays with its school', 'insert into room (school_id, id) values ($1, $2) on conflict (school_id, id) do update set school_id = excluded.school_id'],
  ['a shared table is not changed by a question to a table of schools', 'update account a set name = r.name from room r where r.school_id = $1 and r.id = a.id'],
  ['a statement calls no function that reads tables', `select name_then(r.id) from room r ${own}`],
  ['a question to all schools selects a column', 'select exists (select from room) /* all schools */'],
  [unbound, 'select id from room'],
  [unbound, 'declare c cursor for select id from room'],
  [unbound, 'select id from room_v where id = $1'],
  [unbound, 'select 1 from room r where r.school_id = any($1)'],
  [unbound, `select 1 from room r join bed b on b.id = r.id ${own}`],
  [unbound, `select (select count(*) from bed b where b.school_id = r.school_id) from room r ${own}`],
  [unbound, 'select 1 from room where school_id = $1 union all select 1 from bed'],
  [unbound, 'with mine as (select school_id, id from room where school_id = $1 limit 1) select 1 from mine m join bed b on b.school_id = m.school_id'],
  [unbound, 'update room set name = $1 where id = $2'],
  [unbound, 'delete from room r using bed b where b.school_id = $1 and b.id = r.id'],
])('a planted statement is caught: %s', (rule, text) => {
  expect(rulesOf(text)).toEqual([rule])
})

describe('what a cluster takes is let through:', () => {
  test.each([
    'insert into room (school_id, id) select c0, c1 from unnest($1::int[], $2::int8[]) u(c0, c1) returning 1',
    'insert into room (school_id, id) select $1, id from bed where school_id = $1 on conflict do nothing',
    'insert into account (id) select n from unnest($1::int8[]) n',
    `update room r set at = now(), name = coalesce($2, name) ${own} returning at, id::text, day`,
    `select 1 from room r join bed b on b.school_id = r.school_id left join room_v v on v.school_id = b.school_id and v.name = 'a' ${own}`,
    'select 1 from room where (school_id, id) = ($1, $2)',
    'select 1 from room r, bed b where r.school_id = $1 and r.school_id = b.school_id and exists (select 1 from bed c where c.school_id = $1 and c.id = r.id)',
    'select count(*) from room /* all schools */',
    'select id from account where id = $1 for update',
    `select id from room r ${own} and id in (select b.id from bed b where b.school_id = $1) order by id for update`,
    'update work set name = (select w.name from work w where not exists (select from work o where o.id = w.id) limit 1 for update) where id = $1',
    'select nspname from pg_namespace',
  ])('%s', text => {
    expect(rulesOf(text)).toEqual([])
  })
})
