import { devicesErrors } from '@campus/devices/contract'
import type { firmwareApi, FirmwareTask } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { DevicesCtx } from '../db.ts'
import { requireDevice } from '../device.service.ts'
import { open_states, readLines, readPackages, readTasks } from './firmware.queries.ts'
import { runTasks } from './run.ts'
import { assignWaves, compareVersions } from './waves.ts'

type Chosen = { device_id: string; device_name: string; model_code: string; online: boolean; version: string | null }
const names_told = 5

/** Tasks with a device in the reader's places. */
export async function listTasks(ctx: DevicesCtx, { state, page_index, page_size }: Input<typeof firmwareApi.tasks>): Promise<Reply<typeof firmwareApi.tasks>> {
  const found = (await readTasks(ctx.db, ctx.school_id, await placeScope(ctx))).filter(task => state === undefined || task.state === state)
  return { list: found.slice((page_index - 1) * page_size, page_index * page_size), total: found.length }
}

/** A task and its devices. @throws Refusal 404 */
export async function tellTask(ctx: DevicesCtx, { id, state, page_index, page_size }: Input<typeof firmwareApi.task>): Promise<Reply<typeof firmwareApi.task>> {
  const task = await requireTask(ctx, id)
  const lines = await readLines(ctx.db, ctx.school_id, await placeScope(ctx), { task_id: id, state })
  return { task, list: lines.slice((page_index - 1) * page_size, page_index * page_size), total: lines.length }
}

/** What a device was brought, the latest first. @throws Refusal 404 */
export async function listHistory(ctx: DevicesCtx, { id, page_index, page_size }: Input<typeof firmwareApi.history>): Promise<Reply<typeof firmwareApi.history>> {
  await requireDevice(ctx, id)
  const lines = await readLines(ctx.db, ctx.school_id, await placeScope(ctx), { device_id: id })
  return { list: lines.slice((page_index - 1) * page_size, page_index * page_size), total: lines.length }
}

/** Brings a package to devices, wave by wave. @throws Refusal 404, 409 firmwareBusy, 422 firmwareModel, firmwareOlder, firmwareNobody */
export async function createTask(ctx: DevicesCtx, { firmware_id, device_ids, window_from, window_to }: Input<typeof firmwareApi.create>): Promise<Reply<typeof firmwareApi.create>> {
  const { db, school_id, now, me } = ctx
  const [firmware] = await readPackages(db, school_id, firmware_id)
  if (!firmware) throw fail(commonErrors.notFound)
  const devices = await requireChosen(ctx, [...new Set(device_ids)], firmware.kind)
  const strangers = devices.filter(device => !firmware.model_codes.includes(device.model_code))
  if (strangers.length > 0) throw fail(devicesErrors.firmwareModel, { params: { names: namesOf(strangers) } })
  const newer = firmware.allow_downgrade ? [] : devices.filter(device => device.version !== null && compareVersions(device.version, firmware.version) > 0)
  if (newer.length > 0) throw fail(devicesErrors.firmwareOlder, { params: { names: namesOf(newer) } })
  const wanted = devices.filter(device => device.version !== firmware.version)
  if (wanted.length === 0) throw fail(devicesErrors.firmwareNobody)
  const busy = await db.selectFrom('firmware_task_device').select('device_id').where('school_id', '=', school_id).where('device_id', 'in', wanted.map(one => one.device_id)).where('state', 'in', [...open_states]).execute()
  if (busy.length > 0) throw fail(devicesErrors.firmwareBusy, { params: { names: namesOf(wanted.filter(one => busy.some(row => row.device_id === one.device_id))) } })
  const { task_id } = await db.insertInto('firmware_task').values({ school_id, firmware_id, state: 'running', window_from: window_from ?? null, window_to: window_to ?? null, created_by: me.user_id, created_at: now }).returning('task_id').executeTakeFirstOrThrow()
  const waves = assignWaves(wanted)
  await db.insertInto('firmware_task_device').values(wanted.map(({ device_id, version }) => ({ school_id, task_id, device_id, wave: waves.get(device_id) ?? 3, from_version: version, to_version: firmware.version, state: 'QUEUED', changed_at: now }))).execute()
  await runTasks(ctx)
  ctx.note({ target_kind: 'devices.firmware', target_id: task_id, target_name: `${firmware.model_codes.join('、')} ${firmware.version}`, after: { device_ids: wanted.map(one => one.device_id), window_from, window_to } })
  return { task: await requireTask(ctx, task_id), skipped: devices.length - wanted.length }
}

/** Ends a task: who has not begun keeps what it has, who is under way finishes. @throws Refusal 404, 409 firmwareTaskOver */
export async function cancelTask(ctx: DevicesCtx, { id }: Input<typeof firmwareApi.cancel>): Promise<Reply<typeof firmwareApi.cancel>> {
  const { db, school_id, now } = ctx
  const task = await lockTask(ctx, id)
  await db.updateTable('firmware_task_device').set({ state: 'CANCELED', ticket_hash: null, changed_at: now }).where('school_id', '=', school_id).where('task_id', '=', id).where('state', '=', 'QUEUED').execute()
  await db.updateTable('firmware_task').set({ state: 'canceled', ended_at: now }).where('school_id', '=', school_id).where('task_id', '=', id).execute()
  ctx.note({ target_kind: 'devices.firmware', target_id: id, target_name: task.version })
  return { task: await requireTask(ctx, id) }
}

/** Who has failed is brought the package once more, and a task that was stopped goes on. @throws Refusal 404, 409 firmwareTaskOver */
export async function retryTask(ctx: DevicesCtx, { id }: Input<typeof firmwareApi.retry>): Promise<Reply<typeof firmwareApi.retry>> {
  const { db, school_id, now } = ctx
  const task = await lockTask(ctx, id)
  await db.updateTable('firmware_task_device').set({ state: 'QUEUED', attempts: 0, progress: 0, error: null, changed_at: now }).where('school_id', '=', school_id).where('task_id', '=', id).where('state', '=', 'FAILED').execute()
  await db.updateTable('firmware_task').set({ state: 'running', held_reason: null }).where('school_id', '=', school_id).where('task_id', '=', id).execute()
  await runTasks(ctx)
  ctx.note({ target_kind: 'devices.firmware', target_id: id, target_name: task.version })
  return { task: await requireTask(ctx, id) }
}

async function requireTask(ctx: DevicesCtx, task_id: string): Promise<FirmwareTask> {
  const [task] = await readTasks(ctx.db, ctx.school_id, await placeScope(ctx), task_id)
  if (!task) throw fail(commonErrors.notFound)
  return task
}

/** A task that is not over and all of whose devices lie in the caller's places. Locked. */
async function lockTask(ctx: DevicesCtx, task_id: string): Promise<FirmwareTask> {
  await sql`select from firmware_task where school_id = ${ctx.school_id} and task_id = ${task_id} for update`.execute(ctx.db)
  const task = await requireTask(ctx, task_id)
  const own = await readLines(ctx.db, ctx.school_id, await placeScope(ctx), { task_id })
  if (own.length !== task.devices) throw fail(commonErrors.notFound)
  if (task.state !== 'running' && task.state !== 'held') throw fail(devicesErrors.firmwareTaskOver)
  return task
}

/** The chosen devices with the version that this kind of package changes. */
async function requireChosen(ctx: DevicesCtx, device_ids: readonly string[], kind: string): Promise<Chosen[]> {
  const chosen: Chosen[] = []
  for (const device_id of device_ids) {
    const { device_name, model_code, online, firmware_version, app_version } = await requireDevice(ctx, device_id)
    chosen.push({ device_id, device_name, model_code, online, version: versionOf(kind, { firmware_version, app_version }) })
  }
  return chosen
}

/** System packages change the firmware, everything else the application; pictures have no version. */
function versionOf(kind: string, { firmware_version, app_version }: { firmware_version: string | null; app_version: string | null }): string | null {
  if (kind === 'ad_zip') return null
  return kind === 'jbn' ? firmware_version : app_version
}

function namesOf(devices: readonly Chosen[]): string {
  return devices.slice(0, names_told).map(device => device.device_name).join('、') + (devices.length > names_told ? `等${devices.length}台` : '')
}
