import { sql } from 'kysely'
import type { Generated, Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from './engines-under-test.ts'
import type { Subject } from './engines-under-test.ts'
import { constraintOf, migrate } from './index.ts'

const tables = `
  create table room (school_id int not null, id bigint generated always as identity, name text not null,
    primary key (school_id, id), constraint room_name unique (school_id, name));
  create table bed (school_id int not null, id bigint generated always as identity, room_id bigint not null, primary key (school_id, id),
    constraint bed_room foreign key (school_id, room_id) references room (school_id, id) initially deferred);
  create table school (id int primary key, name text not null);
  create view live_room with (security_invoker = true) as select school_id, id, name from room;`

type Room = { school_id: number; id: Generated<string>; name: string }
type Tables = { room: Room; live_room: Room; bed: { school_id: number; id: Generated<string>; room_id: string } }

describe.each(engines)('tenant fence on $engine', ({ engine, open }) => {
  let subject: Subject
  const names = (school_id: number): Promise<string[]> => subject.database.tenant<Tables, string[]>(school_id, async (db) =>
    (await db.selectFrom('room').select('name').orderBy('name').execute()).map((row) => row.name))
  const add = (db: Kysely<Tables>, school_id: number, name: string) =>
    db.insertInto('room').values({ school_id, name }).returning('id').executeTakeFirstOrThrow()

  beforeAll(async () => {
    subject = await open()
    await migrate(subject.database, [{ name: '1_room', sql: tables }])
    await subject.database.tenant<Tables, unknown>(1, (db) => add(db, 1, 'one'))
    await subject.database.tenant<Tables, unknown>(2, (db) => add(db, 2, 'two'))
  })
  afterAll(() => subject.dispose())

  it('a school sees its own rows only, also through a view', async () => {
    expect([await names(1), await names(2), await names(3)]).toEqual([['one'], ['two'], []])
    const seen = await subject.database.tenant<Tables, unknown[]>(2, (db) => db.selectFrom('live_room').select('name').execute())
    expect(seen).toEqual([{ name: 'two' }])
  })

  it('the platform is no super-school', async () => {
    expect(await names(0)).toEqual([])
  })

  it('the owner sees nothing without a school', async () => {
    const { rows } = await subject.database.owner((db) => sql`select * from room`.execute(db))
    expect(rows).toEqual([])
  })

  it('a row for another school is refused', async () => {
    await expect(subject.database.tenant<Tables, unknown>(1, (db) => add(db, 2, 'stray'))).rejects.toMatchObject({ code: '42501' })
  })

  it('a row cannot move to another school', async () => {
    const move = subject.database.tenant<Tables, unknown>(1, (db) => db.updateTable('room').set({ school_id: 2 }).execute())
    await expect(move).rejects.toMatchObject({ code: '42501' })
    expect(await names(2)).toEqual(['two'])
  })

  it('a foreign key cannot reach into another school, even one checked at the commit', async () => {
    const { id } = await subject.database.tenant<Tables, { id: string }>(2, (db) => db.selectFrom('room').select('id').executeTakeFirstOrThrow())
    const insert = subject.database.tenant<Tables, unknown>(1, (db) => db.insertInto('bed').values({ school_id: 1, room_id: id }).execute())
    const error = await insert.catch((thrown: unknown) => thrown)
    expect(constraintOf(error)).toMatchObject({ code: '23503', constraint: 'bed_room', table: 'bed' })
  })

  it('a duplicate names its constraint', async () => {
    const error = await subject.database.tenant<Tables, unknown>(1, (db) => add(db, 1, 'one')).catch((thrown: unknown) => thrown)
    expect(constraintOf(error)).toMatchObject({ code: '23505', constraint: 'room_name', table: 'room' })
  })

  it('the school is set inside the transaction and gone after it', async () => {
    const setting = sql<{ school: string }>`select current_setting('app.school_id', true) as school`
    const inside = await subject.database.tenant(7, (db) => setting.execute(db))
    expect(inside.rows).toEqual([{ school: '7' }])
    const after = await subject.database.owner((db) => setting.execute(db))
    expect(after.rows[0]?.school ?? '').toBe('')
  })

  it('the app role is no superuser, bypasses nothing and owns nothing', async () => {
    const { rows } = await subject.database.tenant(1, (db) => sql`
      select current_user as name, rolsuper, rolbypassrls, (select count(*)::int from pg_class where relowner = r.oid) as owned
      from pg_roles r where rolname = current_user`.execute(db))
    expect(rows).toEqual([{ name: subject.database.app_role, rolsuper: false, rolbypassrls: false, owned: 0 }])
  })

  it.each([
    'alter table room disable row level security', 'drop policy tenant on room', 'create table mine (id int)', 'truncate room',
    'create temporary table mine (id int)', 'select * from kysely_migration',
  ])('the app role may not: %s', async (statement) => {
    await expect(subject.database.tenant(1, (db) => sql.raw(statement).execute(db))).rejects.toMatchObject({ code: '42501' })
  })

  it('the owner role is no superuser, and the app role comes back after it', async () => {
    const who = sql<{ name: string; rolsuper: boolean }>`select rolname as name, rolsuper from pg_roles where rolname = current_user`
    const [owner] = (await subject.database.owner((db) => who.execute(db))).rows
    expect(owner?.rolsuper).toBe(false)
    expect(owner?.name).not.toBe(subject.database.app_role)
    const [app] = (await subject.database.tenant(1, (db) => who.execute(db))).rows
    expect(app?.name).toBe(subject.database.app_role)
  })

  it('an error rolls everything back', async () => {
    const failing = subject.database.tenant<Tables, void>(1, async (db) => {
      await add(db, 1, 'ghost')
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await names(1)).toEqual(['one'])
  })

  it('swallowing a failed statement does not look like success', async () => {
    const swallowed = subject.database.tenant<Tables, void>(1, async (db) => {
      await add(db, 1, 'ghost')
      await add(db, 1, 'ghost').catch(() => {})
    })
    await expect(swallowed).rejects.toThrow('rolled back instead of committed')
    expect(await names(1)).toEqual(['one'])
  })

  it('a read-only transaction refuses writes', async () => {
    const write = subject.database.tenant<Tables, unknown>(1, (db) => add(db, 1, 'x'), { read_only: true })
    await expect(write).rejects.toMatchObject({ code: '25006' })
  })

  it.each([-1, 1.5, Number.NaN, 2 ** 31])('%d is not a school id', async (school_id) => {
    await expect(subject.database.tenant(school_id, async () => 1)).rejects.toThrow('not a school id')
  })

  it('nested use throws at once instead of waiting for itself', async () => {
    const { database } = subject
    const nested: (() => Promise<unknown>)[] = [
      () => database.tenant(2, async () => 1), () => database.owner(async () => 1), () => database.owner_exec('select 1'), () => database.ping(), () => database.close(),
    ]
    for (const use of nested) {
      await expect(database.tenant(1, use)).rejects.toThrow(/inside the transaction of school 1/)
      await expect(database.owner(use)).rejects.toThrow(/inside owner\(\)/)
    }
    await database.ping()
  })

  it('a task started inside may use the database once the transaction has ended', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let later: Promise<string[]> = Promise.resolve([])
    await subject.database.tenant(1, async () => {
      later = promise.then(() => names(2))
    })
    resolve()
    expect(await later).toEqual(['two'])
  })

  it('a handle kept after the end is refused', async () => {
    const kept = await subject.database.tenant<Tables, Kysely<Tables>[]>(1, async (db) => [db])
    await expect(kept[0]?.selectFrom('room').selectAll().execute()).rejects.toThrow('already committed')
  })

  it('transactions of several schools at once keep to themselves', async () => {
    const schools = Array.from({ length: 30 }, (_, at) => 100 + at)
    await Promise.all(schools.map((school_id) => subject.database.tenant<Tables, unknown>(school_id, (db) => add(db, school_id, `of ${school_id}`))))
    expect(await Promise.all(schools.map(names))).toEqual(schools.map((school_id) => [`of ${school_id}`]))
  })

  it('reports its engine', () => {
    expect(subject.database.engine).toBe(engine)
  })
})
