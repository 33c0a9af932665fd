import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deviceApi } from '@campus/devices/contract'
import { deptEditApi, memberApi } from '@campus/people/contract'
import { placeApi } from '@campus/places/contract'
import type { Call, Reply, Request } from '@kit/contract'
import { openDatabase } from '@kit/server/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anonymiseBackup } from '../../anonymise/anonymise.ts'
import { writeBackup } from '../../backup/backup.ts'
import { restoreBackup, verifyBackup } from '../../backup/restore.ts'
import { checkedTables, checksum } from '../../testing/checksum.ts'
import { emptyDatabase } from '../../testing/database.ts'
import { dataOf, send } from '../../testing/request.ts'
import { demo_schools } from '../accounts.ts'
import { issueToken } from '../issue-token.ts'
import type { DemoServer } from './start-demo.ts'

type Row = Record<string, string>
const { main } = demo_schools
const patience_ms = 300_000

/** Backups of the demo after a day of use; a part of the tests of the demo, which make one for all of them. */
export function testRestore(demo: () => DemoServer): void {
  let root: string
  let folder: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'campus-day-'))
    folder = join(root, 'day')
    await liveADay(demo())
    await writeBackup(demo().running.database, demo().running.app.config.CAMPUS_DATA_DIR, folder)
  }, patience_ms)
  afterAll(() => rm(root, { recursive: true, force: true }))

  test('a backup of the demo after a day of use is restored on the engine under test, by way of the embedded one, table by table', async () => {
    const { database } = demo().running
    const tables = await checkedTables(database)
    const embedded = await openDatabase({ data_dir: 'memory://' })
    const target = await emptyDatabase()
    try {
      await restoreBackup(embedded, null, folder)
      await writeBackup(embedded, root, join(root, 'again'))
      await restoreBackup(target.database, null, join(root, 'again'))
      const schools = Object.values(demo_schools)
      expect(await checksum(target.database, tables, schools)).toBe(await checksum(embedded, tables, schools))
      expect(await openKeys(target.database)).toEqual([])
    } finally {
      await embedded.close()
      await target.drop()
    }
  }, patience_ms)

  test('a harmless copy is made of that backup, which is proved as a nightly one is', async () => {
    const harmless = join(root, 'harmless')
    await anonymiseBackup(folder, harmless)
    expect((await verifyBackup(harmless)).schools).toEqual(expect.arrayContaining(Object.values(demo_schools)))
  }, patience_ms)
}

/** Foreign keys that still wait for the end of a transaction. */
async function openKeys({ owner }: Pick<Awaited<ReturnType<typeof openDatabase>>, 'owner'>): Promise<unknown[]> {
  return (await owner(db => sql`select conname from pg_constraint where contype = 'f' and condeferrable`.execute(db))).rows
}

/** Places are moved and renamed, a pupil goes to another class, a class gets another name, devices are renamed and hung below one another. */
async function liveADay({ running }: DemoServer): Promise<void> {
  const url = running.http.server.listening ? running.http.listeningOrigin : await running.http.listen({ host: '127.0.0.1', port: 0 })
  const token = await issueToken(running, 'admin01')
  const act = async <E extends Call>(call: E, input: Request<E>): Promise<Reply<E>> => {
    const answer = await send(url, call, input, { token })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return dataOf(call, answer)
  }
  const rows = (query: ReturnType<typeof sql<Row>>) => running.database.tenant<unknown, Row[]>(main, async db => (await query.execute(db)).rows)
  await changePlaces(act, rows)
  await changePeople(act, rows)
  await changeDevices(act, rows)
}

type Act = <E extends Call>(call: E, input: Request<E>) => Promise<Reply<E>>
type Rows = (query: ReturnType<typeof sql<Row>>) => Promise<Row[]>

/** A new building comes above rooms that are older than it; what is renamed lies behind what is below it. */
async function changePlaces(act: Act, rows: Rows): Promise<void> {
  const [campus] = await rows(sql<Row>`select place_id::text from place where school_id = ${main} and superior_id is null and status = 'open' order by place_id limit 1`)
  const superior_id = campus?.place_id ?? ''
  const { place } = await act(placeApi.create, { superior_id, place_name: '新落成的楼', place_kind: 2 })
  const moved = await rows(sql<Row>`select place_id::text, row_version::text from place where school_id = ${main} and superior_id = ${superior_id} and place_id <> ${place.place_id} and status = 'open' and not is_leaf order by place_id limit 2`)
  for (const { place_id = '', row_version } of moved) await act(placeApi.move, { place_id, superior_id: place.place_id, row_version: Number(row_version) })
  const [root] = await rows(sql<Row>`select place_name, row_version::text from place where school_id = ${main} and place_id = ${superior_id}`)
  await act(placeApi.update, { id: superior_id, row_version: Number(root?.row_version), place_name: `${root?.place_name ?? ''}本部` })
  expect(moved).toHaveLength(2)
}

async function changePeople(act: Act, rows: Rows): Promise<void> {
  const [from, to] = await rows(sql<Row>`
    select d.id::text, d.row_version::text, v.dept_name from dept d join dept_now v using (school_id, id)
    where d.school_id = ${main} and v.dept_type = 4 and v.grade = '11' and v.tree = 'student' order by v.dept_name limit 2`)
  const [from_dept_id = '', to_dept_id = ''] = [from?.id, to?.id]
  const pupils = await rows(sql<Row>`select user_id::text from dept_member where school_id = ${main} and dept_id = ${from_dept_id} and member_kind = 'student' and valid_to is null order by user_id limit 2`)
  const [day] = await rows(sql<Row>`select max(valid_from)::text as on from dept_member where school_id = ${main} and dept_id = ${from_dept_id} and valid_to is null`)
  await act(memberApi.move, {
    kind: 'CLASS', effective_on: day?.on ?? '', reason: '均衡班额', subjects: pupils.map(({ user_id = '' }) => ({ user_id, from_dept_id, to_dept_id })),
  })
  await act(deptEditApi.update, { school_id: main, id: to_dept_id, row_version: Number(to?.row_version), capacity: 60 })
  expect(pupils).toHaveLength(2)
}

async function changeDevices(act: Act, rows: Rows): Promise<void> {
  const below = await rows(sql<Row>`select device_id::text, parent_device_id::text, row_version::text from device where school_id = ${main} and parent_device_id is not null order by device_id limit 3`)
  for (const { device_id: id = '', row_version } of below) await act(deviceApi.update, { id, row_version: Number(row_version), device_name: `换名的设备${id}` })
  for (const id of new Set(below.map(row => row.parent_device_id ?? ''))) {
    const [parent] = await rows(sql<Row>`select row_version::text from device where school_id = ${main} and device_id = ${id}`)
    await act(deviceApi.update, { id, row_version: Number(parent?.row_version), device_name: `换名的上级${id}` })
  }
  expect(below).toHaveLength(3)
}
