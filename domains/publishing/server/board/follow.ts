import { calendarEvents } from '@campus/calendar/contract'
import { canteenEvents } from '@campus/canteen/contract'
import { devicesEvents } from '@campus/devices/contract'
import { placesEvents } from '@campus/places/contract'
import { publishingEvents } from '@campus/publishing/contract'
import { teachingEvents } from '@campus/teaching/contract'
import { consume } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import { workOf } from '../db.ts'
import type { Work } from '../db.ts'
import { board_types } from './facts.ts'
import { compile_kind, compileBoards, compileWaiting, markDirty, over_kind, roll_kind } from './plan.service.ts'
import { hearWords, noteContact } from './words.ts'

const { boardReceipt, boardStatus, placed, replaced, rebuilt } = devicesEvents
const Nothing = z.object({})

/** Boards whose plans exist: where nothing was ever shown, nothing has to be made anew. */
async function followAll(work: Work, reason: string): Promise<void> {
  const rows = await work.db
    .selectFrom('publishing_plan')
    .select('device_id')
    .where('school_id', '=', work.school_id)
    .where('superseded_at', 'is', null)
    .execute()
  await markDirty(
    work,
    rows.map(row => row.device_id),
    reason,
  )
}

async function isBoard({ db, school_id }: Work, device_id: string): Promise<boolean> {
  return (
    (await db
      .selectFrom('device_live_v')
      .select('device_id')
      .where('school_id', '=', school_id)
      .where('device_id', '=', device_id)
      .where(sql<boolean>`device_type = any(${[...board_types]}::text[])`)
      .executeTakeFirst()) !== undefined
  )
}

const all = (name: string, event: { name: string }, reason: string) =>
  consume(name, event.name, Nothing, step => followAll(workOf(step), reason))

export const boardConsumers = [
  consume(
    'publishing.hear_board',
    boardReceipt.name,
    boardReceipt.payload,
    (step, { device_id, seq, at_device, row_key, hash, state, bytes_done, fault_code }) =>
      hearWords(workOf(step), device_id, [
        { epoch: `terminal ${at_device}`, seq, at: new Date(at_device), row_key, hash, state, bytes_done, fault_code },
      ]),
  ),
  consume('publishing.hear_board_status', boardStatus.name, boardStatus.payload, async (step, { device_id }) => {
    const work = workOf(step)
    if (await isBoard(work, device_id)) await noteContact(work, device_id, {})
  }),
  consume('publishing.follow_placed', placed.name, placed.payload.pick({ device_id: true }), async (step, { device_id }) => {
    const work = workOf(step)
    if (await isBoard(work, device_id)) await markDirty(work, [device_id], '班牌换位')
  }),
  consume('publishing.follow_replaced', replaced.name, replaced.payload, (step, { new_device_id }) =>
    markDirty(workOf(step), [new_device_id], '更换班牌'),
  ),
  consume('publishing.follow_rebuilt', rebuilt.name, rebuilt.payload.pick({ device_id: true }), async (step, { device_id }) => {
    const work = workOf(step)
    if (await isBoard(work, device_id)) await markDirty(work, [device_id], '班牌重建')
  }),
  all('publishing.follow_honour', publishingEvents.honourAwarded, '荣誉变化'),
  all('publishing.follow_honour_revoked', publishingEvents.honourRevoked, '荣誉变化'),
  all('publishing.follow_post_recalled', publishingEvents.recalled, '通知撤回'),
  all('publishing.follow_post_expired', publishingEvents.expired, '通知过期'),
  all('publishing.follow_menu', canteenEvents.published, '食谱变化'),
  all('publishing.follow_menu_changed', canteenEvents.substituted, '食谱变化'),
  all('publishing.follow_menu_withdrawn', canteenEvents.withdrawn, '食谱变化'),
  all('publishing.follow_calendar', calendarEvents.changed, '校历变化'),
  all('publishing.follow_bell', calendarEvents.bellChanged, '作息变化'),
  all('publishing.follow_timetable', teachingEvents.timetablePublished, '课表变化'),
  all('publishing.follow_lessons', teachingEvents.dayChanged, '课表变化'),
  all('publishing.follow_place', placesEvents.placeMoved, '场所变化'),
]

/** Makes the plans that wait. */
const compileTimer: TimerKind = { kind: compile_kind, run: (db, due) => compileWaiting(workOf({ ...due, db })) }

/** Every week plans begin anew (chapter 60 rule 33). */
const rollTimer: TimerKind = { kind: roll_kind, run: (db, due) => followAll(workOf({ ...due, db }), '新的一周') }

/** A content whose window is over leaves the plans; boards have ended it by themselves at its time. */
const overTimer: TimerKind = {
  kind: over_kind,
  async run(db, due) {
    const work = workOf({ ...due, db })
    const rows = await work.db
      .selectFrom('publishing_delivery')
      .select('device_id')
      .where('school_id', '=', work.school_id)
      .where('content_id', '=', due.ref.split(':')[0] ?? '')
      .where('stop_requested_at', 'is', null)
      .execute()
    await compileBoards(
      work,
      rows.map(row => row.device_id),
      '内容到期',
    )
  },
}

export const boardTimers = [compileTimer, rollTimer, overTimer]
