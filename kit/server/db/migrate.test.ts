import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from './engines-under-test.ts'
import type { Subject } from './engines-under-test.ts'
import { describeCatalogue, migrate, migrationStatus, openDatabase, readMigrations } from './index.ts'
import type { Migration } from './index.ts'

const school: Migration = { name: '1_school', sql: 'create table school (id int primary key, name text not null);' }
const room: Migration = {
  name: '2_room',
  sql: 'create table room (school_id int not null, id bigint generated always as identity, primary key (school_id, id));',
  links: 'alter table room add constraint room_school foreign key (school_id) references school (id);',
}

describe.each(engines)('migrations on $engine', ({ open }) => {
  let subject: Subject
  beforeEach(async () => {
    subject = await open()
  })
  afterEach(() => subject.dispose())

  it('run in order, links last, once, and say when', async () => {
    const { database } = subject
    expect((await migrationStatus(database, [room, school])).map((one) => one.applied_at)).toEqual([null, null])
    expect(await migrate(database, [room, school])).toEqual({ applied: ['1_school', '2_room'] })
    expect(await migrate(database, [room, school])).toEqual({ applied: [] })
    const status = await migrationStatus(database, [room, school])
    expect(status.map((one) => one.name)).toEqual(['1_school', '2_room'])
    expect(status.every((one) => one.applied_at instanceof Date)).toBe(true)
    const orphan = database.tenant(9, (db) => sql`insert into room (school_id) values (9)`.execute(db))
    await expect(orphan).rejects.toMatchObject({ code: '23503', constraint: 'room_school' })
  })

  it('an older name may arrive later', async () => {
    await migrate(subject.database, [school, { name: '3_c', sql: 'create table c (id int primary key)' }])
    expect(await migrate(subject.database, [school, room, { name: '3_c', sql: 'create table c (id int primary key)' }])).toEqual({ applied: ['2_room'] })
  })

  it('two migrators from empty: one runs everything, the other nothing', async () => {
    const other = await subject.again()
    const applied = await Promise.all([migrate(subject.database, [school, room]), migrate(other, [school, room])])
    expect(applied.map((one) => one.applied.length).toSorted()).toEqual([0, 2])
  })

  it('fences tables by their primary key and grants by kind', async () => {
    await migrate(subject.database, [school, room, {
      name: '3_kinds',
      sql: `
        create unlogged table scratch (school_id int not null, key text, primary key (school_id, key));
        create table log (school_id int not null, id bigint generated always as identity, note text, primary key (school_id, id));
        comment on table log is 'append-only: evidence';
        create table event (school_id int not null, at date not null, id bigint not null, primary key (school_id, at, id)) partition by range (at);
        create table event_2026 partition of event for values from ('2026-01-01') to ('2027-01-01');
        create view seen with (security_invoker = true) as select id from room;`,
    }])
    const catalogue = await subject.database.owner(describeCatalogue)
    expect(catalogue.map(({ name, rls, forced, policies }) => [name, rls, forced, policies.length])).toEqual([
      ['event', true, true, 1], ['event_2026', false, false, 0], ['log', true, true, 1], ['room', true, true, 1],
      ['school', false, false, 0], ['scratch', true, true, 1], ['seen', false, false, 0],
    ])
    const { rows } = await subject.database.tenant(1, (db) => sql<{ table: string; rights: string }>`
      select relname as table, string_agg(left(right_name, 1), '' order by right_name) as rights
      from pg_class, unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) right_name
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and has_table_privilege(oid, right_name) group by 1 order by 1`.execute(db))
    expect(rows).toEqual([
      { table: 'event', rights: 'disu' }, { table: 'log', rights: 'is' }, { table: 'room', rights: 'disu' },
      { table: 'school', rights: 'disu' }, { table: 'scratch', rights: 'disu' }, { table: 'seen', rights: 's' },
    ])
  })

  it('append-only rows can be added and read, never changed or removed', async () => {
    await migrate(subject.database, [{
      name: '1_log',
      sql: `create table log (school_id int not null, id int not null, primary key (school_id, id)); comment on table log is 'append-only'`,
    }])
    const run = (statement: string) => subject.database.tenant(1, (db) => sql.raw(statement).execute(db))
    await run('insert into log values (1, 1)')
    expect((await run('select id from log')).rows).toEqual([{ id: 1 }])
    await expect(run('update log set id = 2')).rejects.toMatchObject({ code: '42501' })
    await expect(run('delete from log')).rejects.toMatchObject({ code: '42501' })
  })

  it('a table that becomes append-only later loses the rights it had', async () => {
    await migrate(subject.database, [school, room])
    await migrate(subject.database, [school, room, { name: '3_seal', sql: `comment on table room is 'append-only from now on'` }])
    await expect(subject.database.tenant(1, (db) => sql`delete from room`.execute(db))).rejects.toMatchObject({ code: '42501' })
  })

  it('the catalogue tells columns and keys', async () => {
    await migrate(subject.database, [school, room, {
      name: '3_more',
      sql: `create table person (school_id int not null, id bigint generated by default as identity, name varchar(20) not null, low text generated always as (lower(name)) stored,
        tags text[] default '{}', room_id bigint, primary key (school_id, id), unique (school_id, name),
        constraint person_room foreign key (school_id, room_id) references room (school_id, id));
        create unique index person_low on person (school_id, lower(name)) where room_id is null;`,
    }])
    const person = (await subject.database.owner(describeCatalogue)).find((table) => table.name === 'person')
    const plain = { nullable: false, has_default: false, identity: null, generated: false }
    expect(person).toMatchObject({
      is_view: false, partition_of: null, primary_key: ['school_id', 'id'], triggers: [],
      unique: [{ name: 'person_low', columns: ['school_id', 'lower(name::text)'], partial: '(room_id IS NULL)' }, { name: 'person_school_id_name_key', columns: ['school_id', 'name'], partial: null }],
      foreign_keys: [{ name: 'person_room', columns: ['school_id', 'room_id'], table: 'room', table_columns: ['school_id', 'id'] }],
    })
    expect(person?.columns).toEqual([
      { ...plain, name: 'school_id', type: 'integer' },
      { ...plain, name: 'id', type: 'bigint', identity: 'by default' },
      { ...plain, name: 'name', type: 'character varying(20)' },
      { ...plain, name: 'low', type: 'text', nullable: true, generated: true },
      { ...plain, name: 'tags', type: 'text[]', nullable: true, has_default: true },
      { ...plain, name: 'room_id', type: 'bigint', nullable: true },
    ])
  })
})

describe.each(engines)('migrations that fail on $engine', ({ open }) => {
  let subject: Subject
  beforeAll(async () => {
    subject = await open()
  })
  afterAll(() => subject.dispose())

  it.each([
    ['a view that reads past the fence', 'create view v as select 1 as one', 'view v must be created with (security_invoker = true)'],
    ['a table nobody can place', 'create table t (school_id int)', 'table t has school_id but no primary key'],
  ])('refuses %s', async (_what, statement, message) => {
    await expect(migrate(subject.database, [{ name: '1_x', sql: statement }])).rejects.toThrow(message)
  })

  it('a failure names migration and line and keeps nothing', async () => {
    const broken = { name: '2_broken', sql: 'create table fine (id int primary key);\n\ncreate table bad (id nonsense);' }
    await expect(migrate(subject.database, [school, broken])).rejects.toThrow('migration 2_broken failed at line 3: type "nonsense" does not exist')
    expect(await subject.database.owner(describeCatalogue)).toEqual([])
    expect(await migrate(subject.database, [school])).toEqual({ applied: ['1_school'] })
  })
})

describe('migration files', () => {
  it('are read from all folders, sorted by name, and split at their links', async () => {
    const root = await mkdtemp(join(tmpdir(), 'campus-migrations-'))
    const [a, b] = [join(root, 'a'), join(root, 'b')]
    await mkdir(a)
    await mkdir(b)
    await writeFile(join(a, '20261122_01_late.sql'), 'create late;')
    await writeFile(join(b, '20261120_01_early.sql'), 'create early;\n-- links\nlink early;\n')
    await writeFile(join(b, 'README.md'), 'not sql')
    expect(await readMigrations([a, b])).toEqual([
      { name: '20261120_01_early', sql: 'create early;\n', links: '\nlink early;\n' },
      { name: '20261122_01_late', sql: 'create late;' },
    ])
    await writeFile(join(a, '20261120_01_early.sql'), '')
    await expect(readMigrations([a, b])).rejects.toThrow('two migrations are named 20261120_01_early')
    await rm(root, { recursive: true })
  })
})

it('without any database configured, opening says so', async () => {
  await expect(openDatabase({})).rejects.toThrow('no database configured')
})
