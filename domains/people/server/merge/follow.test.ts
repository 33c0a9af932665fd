import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { defineRole, grantRole, setRolePermissions, setRoleScope, startSession } from '@campus/identity/server'
import { mergeApi, mergeRunApi, studentApi, studentFileApi } from '@campus/people/contract'
import { describeCatalogue } from '@kit/server/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool, pupilsIn } from '../testing/changer.ts'
import { merger } from '../testing/merger.ts'
import { rekeyPort } from './rekey-port.ts'
import type { Rekey } from './rekey-port.ts'

const a = 1001
const codes = ['people.merge.run', 'people.student.view', 'people.student.edit']
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let own: ReturnType<typeof merger>
let made = 0

/** Cards of a domain of the test: one of each kind a person, in memory. */
const cards = new Map<string, string>()
const holders = () => Object.fromEntries([...cards].toSorted())
const lockers: Rekey = {
  domain: 'lockers',
  title: '储物柜',
  tables: ['locker'],
  stays: {},
  async preview({ keep_user_id, drop_user_id }) {
    const of = (user_id: string) => [...cards].filter(([, holder]) => holder === user_id).map(([card]) => card)
    const [mine, theirs] = [of(keep_user_id), of(drop_user_id)]
    const conflicts = mine.length > 0 && theirs.length > 0 ? [{ code: 'lockers.main', title: '两个柜子', keep: mine.join(), drop: theirs.join() }] : []
    return { moves: theirs.length > 0 ? [{ title: '柜子', count: theirs.length }] : [], conflicts }
  },
  async apply({ keep_user_id, drop_user_id }) {
    const moved = [...cards].filter(([, holder]) => holder === drop_user_id).map(([card]) => card)
    for (const card of moved) cards.set(card, keep_user_id)
    return moved.map(row_key => ({ table_name: 'locker', row_key, column_name: 'user_id', old_user_id: drop_user_id }))
  },
  async undo({ keep_user_id }, rows, mark) {
    for (const { row_key, old_user_id } of rows) cards.set(row_key, old_user_id)
    const born = [...cards].filter(([card, holder]) => holder === keep_user_id && card > String(mark)).length
    return born > 0 ? [{ title: '柜子', count: born, why: 'born' }] : []
  },
  mark: async () => [...cards.keys()].toSorted().at(-1) ?? '',
}

beforeAll(async () => {
  app = await startTestApp()
  rekeyPort.fill(app.running.app, lockers)
  school = await openSchool(app, a)
  clerk = await app.as({ school_id: a, codes })
  own = merger(app, clerk)
})
afterAll(() => app.close())

const refusal = ({ status, body }: Answer) => [status, body.error_id]
async function pair(): Promise<{ keep: string; drop: string }> {
  made += 1
  const [keep = '', drop = ''] = await pupilsIn(app, a, school.class_1, [`F${made}a`, `F${made}b`])
  return { keep, drop }
}

/** A session of the pupil himself, as somebody who may see the roll. */
async function signIn(user_id: string): Promise<string> {
  const { app: running, database } = app.running
  const now = app.clock.now()
  const role_no = await database.tenant<unknown, string>(a, async db => {
    const role_id = await defineRole(db, a, { code: `CUS_F${user_id}`, name: `学生${user_id}`, group_code: 'SYS003' })
    await setRolePermissions(db, running, a, role_id, ['people.student.view'])
    await setRoleScope(db, a, role_id, 'dept', 'all', [])
    const [given = ''] = await grantRole(db, a, [{ role_id, user_id, valid_from: new Date(now.getTime() - 86_400_000) }])
    return given
  })
  return (await startSession({ app: running, now, own: database.tenant.bind(database) }, { school_id: a, user_id, role_no, device_label: '测试', ip: '127.0.0.1' })).token
}

describe('what follows a merge', () => {
  test('20-A22 every registered domain moves its own rows, solves its conflicts in the dialog and takes exactly its rows back', async () => {
    const { keep, drop } = await pair()
    cards.set('A1', keep).set('A2', drop).set('A3', drop)
    const { conflicts, moves, plan_hash } = await own.planned({ keep, drop })
    expect([conflicts, moves.find(move => move.domain === 'lockers')]).toMatchObject([[{ code: 'lockers.main', domain: 'lockers' }], { title: '柜子', count: 2, domain_title: '储物柜' }])
    expect(refusal(await own.run('student', { keep, drop }, plan_hash))).toEqual([409, 'people.mergeConflict'])
    const { merge_id } = await own.merge('student', { keep, drop }, { 'lockers.main': 'keep' })
    expect(holders()).toEqual({ A1: keep, A2: keep, A3: keep })
    cards.set('A4', keep)
    expect((await own.reverse(merge_id)).body.data).toMatchObject({ left: [{ domain_title: '储物柜', title: '柜子', count: 1, why: 'born' }] })
    expect(holders()).toEqual({ A1: keep, A2: drop, A3: drop, A4: keep })
  })

  test('the session of the merged one is dead with the answer, and so is the next sign-in', async () => {
    const { keep, drop } = await pair()
    const token = await signIn(drop)
    const call = () => app.call(studentApi.list, {}, { token }).then(answer => answer.status)
    expect(await call()).toBe(200)
    await own.merge('student', { keep, drop })
    await expect.poll(call, { timeout: 5000 }).toBe(401)
  })

  test('of an edit and a merge at once one is told', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { keep, drop } = await pair()
      const plan = await own.planned({ keep, drop })
      const body = { keep, drop, plan_hash: plan.plan_hash, chosen: {}, recheck_token: await own.proof() }
      const [merged, edited] = await Promise.all([
        app.call(mergeRunApi.student, body, { token: clerk.token }),
        app.call(studentFileApi.update, { user_id: drop, row_version: 1, remark: '同时修改' }, { token: clerk.token }),
      ])
      const answers = [refusal(merged), refusal(edited)]
      expect([[[200, undefined], [404, 'common.notFound']], [[409, 'people.planChanged'], [200, undefined]]]).toContainEqual(answers)
    }
  })

  test('of two who merge the same pair one is told', async () => {
    const { keep, drop } = await pair()
    const plan = await own.planned({ keep, drop })
    const answers = await Promise.all([own.run('student', { keep, drop }, plan.plan_hash), own.run('student', { keep, drop }, plan.plan_hash)])
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 404])
    expect((await app.call(mergeApi.log, {}, { token: clerk.token })).body.data).toMatchObject({ list: expect.arrayContaining([expect.objectContaining({ drop: { user_id: drop, user_name: expect.any(String) } })]) })
  })

  test('20-A23 every table of people that names somebody is followed, or says why its rows stay', async () => {
    const folder = join(import.meta.dirname, '../migrations')
    const made_here = readdirSync(folder).flatMap(file => [...readFileSync(join(folder, file), 'utf8').matchAll(/^create table (\w+)/gm)].map(([, name]) => name))
    const tables = (await app.running.database.owner(describeCatalogue)).filter(table => made_here.includes(table.name))
    const named = tables.filter(table => table.columns.some(column => /(^|_)user_id$/.test(column.name))).map(table => table.name)
    const rekey = rekeyPort.all(app.running.app).find(one => one.domain === 'people')
    const known = new Set([...(rekey?.tables ?? []), ...Object.keys(rekey?.stays ?? {})])
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(name => !known.has(name))).toEqual([])
  })
})
