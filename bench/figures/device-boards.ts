import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { JdevTerminal } from '@apps/terminal'
import { declareContentAt } from '@campus/devices/server'
import type { ContentRow } from '@campus/devices/server'
import { keepMade } from '@campus/files/server'
import type { TestApp } from '@apps/server/testing'
import { sql } from 'kysely'
import { atMost, megabytes, reported, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { count, makeGates, onlineGates, until } from '../gates.ts'
import { percentile, timed } from '../measure.ts'
import { install } from '../school.ts'

const school_id = 1001
const fleet = join(import.meta.dirname, '../../apps/terminal/main.ts')
const [patience_ms, mib] = [300_000, 1024 * 1024]
const model = { code: 'JD-B32', type: '03' } as const
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
/** Boards of the school, those that are on, and the files of a plan. */
type Size = { boards: number; on: number; files: number; bytes: number }

/** A plan for every class board of a school. */
export const deviceBoards: Figure = {
  name: 'device-boards',
  title: 'A plan for ninety boards',
  how: 'PostgreSQL, server and virtual boards in processes of their own. A plan with its files goes to all boards, of which some are off; then a second plan with other files, by which a file of the first is withdrawn. A board that was off follows after its return.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const size: Size = bench.quick ? { boards: 9, on: 5, files: 3, bytes: mib / 8 } : { boards: 90, on: 50, files: 8, bytes: mib / 4 }
  const { app } = await install('postgres', bench)
  const { gates } = await makeGates(app, size.boards, model)
  const url = `mqtt://127.0.0.1:${await app.running.listenToDevices()}`
  const [on, [late]] = [gates.slice(0, size.on), gates.slice(size.on)]
  const child = spawn(process.execPath, [fleet], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.write(`${JSON.stringify({ url, http: app.url, prefix: 'jdev', folder: null, pulse: 0, terminals: on.map(gate => ({ ...gate, model: model.code })) })}\n`)
  await until('the boards are online', async () => (await onlineGates(app)) === on.length, patience_ms)
  const [first, second] = [await filesOf(app, size, 'a'), await filesOf(app, size, 'b')]
  const ids = gates.map(gate => gate.device_id)
  const shown_ms = await timed(async () => {
    await declare(app, ids, 1, [plan('plan-1'), ...first])
    await until('every board that is on plays the first plan', async () => (await saying(app, 'plan', 'playing')) === on.length, patience_ms)
  })
  const withdrawn_ms = await timed(async () => {
    await declare(app, ids, 2, [plan('plan-2'), ...first.slice(1), ...second, revokeOf(first[0])])
    await until('the file is erased on every board that is on', async () => (await saying(app, 'revoke:1', 'erased')) === on.length, patience_ms)
  })
  const behind = await filesBeforeWithdrawal(app)
  await until('every board that is on plays the second plan', async () => (await saying(app, 'plan', 'playing')) === on.length, patience_ms)
  const back = new JdevTerminal({ url, sn: late?.sn ?? '', secret: late?.secret ?? '', model: model.code, http: app.url })
  const back_ms = await timed(async () => {
    await back.start()
    await until('the board that was off plays it', () => back.board?.playing === 'plan-2', patience_ms)
  })
  const moved = await movedBytes(app)
  await back.stop()
  child.stdin.end()
  await app.close()
  return [
    reported(`a plan with ${size.files} files of ${megabytes(size.bytes * size.files)} on ${on.length} boards, from the declaration until the last plays it`, seconds(shown_ms)),
    atMost(`a file withdrawn on ${on.length} boards, from the hand-over of it and of ${size.files} new files until the last has erased it`, withdrawn_ms, 5000, seconds, '30-A28'),
    atMost('boards that were sent a file of the same hand-over before the withdrawal', behind, 0, String, '30-A28'),
    atMost('a board that was off, from its return until it plays the plan of the day', back_ms, 60_000, seconds, '30-A28'),
    reported('bytes a board, median and most', [0.5, 1].map(share => megabytes(percentile(moved, share))).join(', ')),
  ]
}

const plan = (plan_hash: string): ContentRow => ({ row_key: 'plan', bytes: 0, body: { plan_version: 1, plan_hash } })
const revokeOf = (file: ContentRow | undefined): ContentRow => ({ row_key: 'revoke:1', bytes: 0, body: { sha256: [file?.row_key.slice('file:'.length) ?? ''] } })
/** Boards whose last word of a row is this. */
const saying = (app: TestApp, row_key: string, word: string) => count(app, sql`select count(*)::int as n from board_content_row where school_id = ${school_id} and row_key = ${row_key} and reported = ${word}`)

/** Boards that were sent a file of the second hand-over before its withdrawal; the file that is withdrawn is not one of them, it was sent with the first. A board that was asked for it twice, since it had not answered in time, has no time of the first. */
const filesBeforeWithdrawal = (app: TestApp) => count(app, sql`
  select count(distinct f.device_id)::int as n from sync_row f join sync_row w on w.school_id = f.school_id and w.device_id = f.device_id and w.kind = 'content' and w.row_key = 'revoke:1'
  where f.school_id = ${school_id} and f.kind = 'content' and f.row_key like 'file:%' and f.want_op = 'put' and f.wanted_at >= w.wanted_at and f.sent_at < w.sent_at and w.attempts = 1`)

async function movedBytes(app: TestApp): Promise<number[]> {
  const { rows } = await app.running.database.tenant<unknown, { rows: { bytes: string }[] }>(school_id, db => sql<{ bytes: string }>`select sum(bytes_done)::text as bytes from board_content_row where school_id = ${school_id} and bytes_done > 0 group by device_id`.execute(db))
  return rows.map(row => Number(row.bytes))
}

/** One hand-over is one transaction, as a change of a template is. */
async function declare(app: TestApp, device_ids: readonly string[], version: number, rows: readonly ContentRow[]): Promise<void> {
  const { running, clock } = app
  await running.database.tenant(school_id, db => declareContentAt({ app: running.app, db, school_id, now: clock.now() }, device_ids, 'publishing', { version, rows }))
}

/** Pictures of a plan in the store, no two alike. */
async function filesOf(app: TestApp, { files, bytes }: Size, name: string): Promise<ContentRow[]> {
  const { app: running, database } = app.running
  const now = app.clock.now()
  const rows: ContentRow[] = []
  for (let n = 0; n < files; n += 1) {
    const body = Buffer.concat([png, Buffer.alloc(bytes - png.length, `${name}${n}`)])
    const file_key = `${school_id}/0/20260901/${name}${n}.png`
    const enter = await keepMade({ app: running, now, own: (of, work) => database.tenant(of, work) }, school_id, '0', { file_key, purpose: 'resource', bytes: body })
    await database.tenant(school_id, db => enter({ app: running, db, school_id, now }, { ref_kind: 'bench.board', ref_id: file_key }))
    rows.push({ row_key: `file:${createHash('sha256').update(body).digest('hex')}`, bytes: body.length, body: { bytes: body.length, mime: 'image/png' }, file_key })
  }
  return rows
}
