import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from './engines-under-test.ts'
import type { Subject } from './engines-under-test.ts'
import { migrate } from './index.ts'

const table = 'create table step (school_id int not null, part text not null, n int not null, at bigint generated always as identity, primary key (school_id, part, n));'

describe.each(engines)('parts of one transaction side by side on $engine', ({ open }) => {
  let subject: Subject
  beforeAll(async () => {
    subject = await open()
    await migrate(subject.database, [{ name: '01', sql: table }])
  })
  afterAll(() => subject.dispose())

  const within = <R>(school_id: number, fn: (db: Kysely<unknown>) => Promise<R>) => subject.database.tenant<unknown, R>(school_id, fn, { pipelined: true })
  const kept = (school_id: number) => within(school_id, async db => (await sql<{ part: string; n: number; at: string }>`select part, n, at from step order by at`.execute(db)).rows)
  const put = (db: Kysely<unknown>, school_id: number, part: string, n: number) => sql`insert into step (school_id, part, n) values (${school_id}, ${part}, ${n})`.execute(db)

  async function walk(db: Kysely<unknown>, school_id: number, part: string, steps: number): Promise<void> {
    for (let n = 0; n < steps; n += 1) await put(db, school_id, part, n)
  }

  it('each goes through its steps in their order, taking turns with the other', async () => {
    await within(1, async db => void (await Promise.all([walk(db, 1, 'a', 40), walk(db, 1, 'b', 40)])))
    const rows = await kept(1)
    expect(rows).toHaveLength(80)
    for (const part of ['a', 'b']) expect(rows.filter(row => row.part === part).map(row => row.n)).toEqual(Array.from({ length: 40 }, (_, n) => n))
    expect(rows.slice(0, 10).map(row => row.part).toSorted()).toEqual(['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', 'b'])
  })

  it('answers reach those who asked, whichever statement was sent first', async () => {
    const asked = Array.from({ length: 50 }, (_, n) => n)
    expect(await within(1, db => Promise.all(asked.map(async n => (await sql<{ n: number }>`select ${n}::int as n`.execute(db)).rows[0]?.n)))).toEqual(asked)
  })

  it('nothing of any part is left when one fails, and the next transaction begins as ever', async () => {
    const failed = within(2, async db => {
      const parts = [walk(db, 2, 'a', 20), sql`select 1 / 0`.execute(db), walk(db, 2, 'b', 20)]
      await Promise.allSettled(parts)
      await Promise.all(parts)
    })
    await expect(failed).rejects.toMatchObject({ code: expect.stringMatching(/^(?:22012|25P02)$/) })
    expect(await kept(2)).toEqual([])
    await within(2, db => put(db, 2, 'c', 0))
    expect(await kept(2)).toMatchObject([{ part: 'c' }])
  })

  it('a school sees its own rows only', async () => {
    expect((await kept(3))).toEqual([])
    await expect(within(3, db => put(db, 1, 'stray', 0))).rejects.toMatchObject({ code: '42501' })
  })

  it('whoever goes on when the transaction has ended is refused', async () => {
    const left = await within(3, async db => ({ later: () => put(db, 3, 'late', 0) }))
    await expect(left.later()).rejects.toThrow(/the transaction has ended|committed/u)
    expect(await kept(3)).toEqual([])
  })
})
