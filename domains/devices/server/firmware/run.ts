import { createHash, randomBytes } from 'node:crypto'
import { devicesEvents } from '@campus/devices/contract'
import type { UpgradeState } from '@campus/devices/contract'
import { schoolMoment } from '@kit/terminal-protocol'
import type { Package } from '@kit/terminal-protocol'
import { publish } from '@kit/server/event'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import type { Line } from '../link/line.ts'
import { tellTurned } from '../link/link.write.ts'
import { wakeSenders } from '../notice.ts'
import { serverAddress } from '../setup.ts'
import { tellHeld } from '../tell/tell.ts'
import { under_way } from './firmware.queries.ts'
import { isInWindow, nextStep } from './waves.ts'

type Desk = { app: App; db: Db; school_id: number; now: Date }
/** So many of a school fetch at once (chapter 30 rule 27 has the same for contents). */
const most_at_once = 20
/** What does not go on for so long has failed: on its way to being checked, and until the new version is told. */
const [silent_min, unchanged_min, ticket_min] = [10, 20, 10] as const
const most_attempts = 2
const minute_ms = 60_000
const unchanged = '版本未变化'
const Row = z.object({ task_id: z.string(), device_id: z.string(), wave: z.number(), state: z.enum(['QUEUED', 'INITIATED', 'DOWNLOADING', 'DOWNLOADED', 'VERIFIED', 'UPDATING', 'UPDATED', 'FAILED', 'CANCELED']), online: z.boolean() })
const Task = z.object({ task_id: z.string(), wave: z.number(), window_from: z.string().nullable(), window_to: z.string().nullable(), version: z.string() })

/** Goes on with the tasks of a school: gives up who is silent, stops waves that fail, tells the next devices to fetch. */
export async function runTasks(desk: Desk): Promise<void> {
  const { db, school_id, now } = desk
  await giveUp(desk)
  const tasks = z.array(Task).parse((await sql`
    select t.task_id::text as task_id, t.wave, t.window_from, t.window_to, f.version from firmware_task t join firmware f on f.school_id = t.school_id and f.firmware_id = t.firmware_id
    where t.school_id = ${school_id} and t.state = 'running' order by t.task_id for update of t`.execute(db)).rows)
  if (tasks.length === 0) return
  const rows = z.array(Row).parse((await sql`
    select f.task_id::text as task_id, f.device_id::text as device_id, f.wave, f.state, d.online and d.lifecycle = 'active' as online from firmware_task_device f join device d on d.school_id = f.school_id and d.device_id = f.device_id
    where f.school_id = ${school_id} and f.task_id = any(${tasks.map(task => task.task_id)}::bigint[]) order by f.wave, f.device_id`.execute(db)).rows)
  let room = most_at_once - rows.filter(row => under_way.some(state => state === row.state)).length
  for (const task of tasks) {
    const step = nextStep(task.wave, rows.filter(row => row.task_id === task.task_id), isInWindow(clockOf(schoolMoment(now).minute), task.window_from, task.window_to) ? room : 0)
    await follow(desk, task, step)
    room -= step.start.length
  }
}

async function follow(desk: Desk, { task_id, version }: z.output<typeof Task>, { start, wave, hold, is_done }: ReturnType<typeof nextStep>): Promise<void> {
  const { db, school_id, now } = desk
  const state = hold === null ? (is_done ? 'done' : 'running') : 'held'
  await db.updateTable('firmware_task').set({ wave, state, held_reason: hold, ended_at: is_done ? now : null }).where('school_id', '=', school_id).where('task_id', '=', task_id).execute()
  if (hold !== null) await tellHeld(desk, { task_id, version, reason: hold })
  if (start.length === 0) return
  await db.updateTable('firmware_task_device').set({ state: 'INITIATED', sent_at: null, progress: 0, error: null, attempts: sql<number>`attempts + 1`, changed_at: now }).where('school_id', '=', school_id).where('task_id', '=', task_id).where('device_id', 'in', start).execute()
  await tellTurned(desk, start)
  await wakeSenders({ db, school_id }, start)
}

/** Who has said nothing for too long is tried once more or has failed; the bytes of packages that were given up go. */
async function giveUp(desk: Desk): Promise<void> {
  const { app, db, school_id, now } = desk
  const before = (minutes: number) => new Date(now.getTime() - minutes * minute_ms)
  const silent = await db.selectFrom('firmware_task_device').select('device_id').where('school_id', '=', school_id).where('state', 'in', ['INITIATED', 'DOWNLOADING', 'DOWNLOADED', 'VERIFIED']).where('changed_at', '<', before(silent_min)).execute()
  for (const { device_id } of silent) await failUpgrade({ ...desk, device_id }, '设备没有完成下载')
  const old = await db.updateTable('firmware_task_device').set({ state: 'FAILED', error: unchanged, changed_at: now }).where('school_id', '=', school_id).where('state', '=', 'UPDATING').where('changed_at', '<', before(unchanged_min)).returning('device_id').execute()
  await tellTurned(desk, old.map(row => row.device_id), isNoLonger)
  const gone = await db.selectFrom('firmware').select(['firmware_id', 'file_key']).where('school_id', '=', school_id).where('deleted_at', 'is not', null).where('file_key', 'is not', null).execute()
  for (const { firmware_id, file_key } of gone) {
    await app.files.discard(app.files.pathOf(file_key ?? ''))
    await db.updateTable('firmware').set({ file_key: null }).where('school_id', '=', school_id).where('firmware_id', '=', firmware_id).execute()
  }
}

/** The package that a device is to be told of now, with an address of its own that works once; null when it is to fetch none. */
export async function nextPackage({ app, db, school_id, device_id, now }: Line): Promise<Package | null> {
  const ticket = randomBytes(32).toString('base64url')
  const until = new Date(now.getTime() + ticket_min * minute_ms)
  const { rows } = await sql<{ md5: string; sha256: string; signature: string | null; size: string; version: string; kind: string }>`
    update firmware_task_device d set ticket_hash = ${hashOf(ticket)}, ticket_until = ${until}, sent_at = ${now} from firmware_task t join firmware f on f.school_id = t.school_id and f.firmware_id = t.firmware_id
    where d.school_id = ${school_id} and d.device_id = ${device_id} and d.state = 'INITIATED' and d.sent_at is null and t.school_id = d.school_id and t.task_id = d.task_id
    returning f.md5, f.sha256, f.signature, f.size::text as size, f.version, f.kind`.execute(db)
  const [row] = rows
  if (!row) return null
  const { signature, ...facts } = row
  return { ...facts, ...(signature === null ? {} : { signature }), size: Number(row.size), url: `${serverAddress(app)}/iot/api/device/firmware/${school_id}/${ticket}`, until: until.toISOString() }
}

/** A device has said whether it has the package and goes on with it. */
export async function settleUpgrade(line: Line, { is_ok, text }: { is_ok: boolean; text: string }): Promise<void> {
  if (!is_ok) return failUpgrade(line, text.slice(0, 100) || '设备拒绝升级')
  const { db, school_id, device_id, now } = line
  // Pictures are shown at once; a program is there when the device says so after its restart.
  const { rows } = await sql<{ state: string }>`
    update firmware_task_device d set state = case when f.kind = 'ad_zip' then 'UPDATED' else 'UPDATING' end, progress = 100, ticket_hash = null, changed_at = ${now}
    from firmware_task t join firmware f on f.school_id = t.school_id and f.firmware_id = t.firmware_id
    where d.school_id = ${school_id} and d.device_id = ${device_id} and d.state in ('INITIATED', 'DOWNLOADING', 'DOWNLOADED', 'VERIFIED') and t.school_id = d.school_id and t.task_id = d.task_id returning d.state`.execute(db)
  if (rows.some(row => row.state === 'UPDATED')) await tellTurned(line, [device_id], isNoLonger)
}

/** A device has come: if its version is the one it was brought, it has been upgraded. */
export async function followArrival(line: Line): Promise<void> {
  const { db, school_id, device_id, now } = line
  const { rows } = await sql<{ to_version: string }>`
    update firmware_task_device u set state = 'UPDATED', progress = 100, error = null, ticket_hash = null, changed_at = ${now}
    from firmware_task t join firmware f on f.school_id = t.school_id and f.firmware_id = t.firmware_id, device d
    where u.school_id = ${school_id} and u.device_id = ${device_id} and u.state in ${among(under_way)} and t.school_id = u.school_id and t.task_id = u.task_id
      and d.school_id = u.school_id and d.device_id = u.device_id and u.to_version = case when f.kind = 'jbn' then d.firmware_version else d.app_version end
    returning u.to_version`.execute(db)
  for (const { to_version } of rows) await publish(line, devicesEvents.firmwareUpdated, { device_id, version: to_version, at: now.toISOString() })
  if (rows.length > 0) await tellTurned(line, [device_id], isNoLonger)
}

/** Once more, or failed. */
async function failUpgrade(line: Line, error: string): Promise<void> {
  const { db, school_id, device_id, now } = line
  const { rows } = await sql`
    update firmware_task_device set state = case when exists (select from firmware_task t where t.school_id = ${school_id} and t.task_id = firmware_task_device.task_id and t.state = 'canceled') then 'CANCELED' when attempts < ${most_attempts} then 'QUEUED' else 'FAILED' end, error = ${error}, ticket_hash = null, sent_at = null, changed_at = ${now}
    where school_id = ${school_id} and device_id = ${device_id} and state in ('INITIATED', 'DOWNLOADING', 'DOWNLOADED', 'VERIFIED') returning device_id`.execute(db)
  if (rows.length > 0) await tellTurned(line, [device_id], isNoLonger)
}

/** Whether a device is upgraded no longer; one that is disabled was that all the time. */
function isNoLonger(device_state: string): boolean {
  return device_state !== '3' && device_state !== '4'
}

function clockOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** What stands for an address in the database. */
export function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex')
}

function among(states: readonly UpgradeState[]): RawBuilder<unknown> {
  return sql`(${sql.join(states)})`
}
