import { setTimeout } from 'node:timers/promises'
import type { Call } from '@kit/contract'
import { sql } from 'kysely'
import type { TestApp } from '../testing/index.ts'
import { leaveCalls } from './calls/leave.ts'
import { facesCalls } from './calls/faces.ts'
import { accessCalls } from './calls/access.ts'
import { attendanceCalls } from './calls/attendance.ts'
import { evaluationCalls } from './calls/evaluation.ts'
import { examDayCalls } from './calls/exam-days.ts'
import { examsCalls } from './calls/exams.ts'
import { changeCalls } from './calls/changes.ts'
import { electiveCalls } from './calls/electives.ts'
import { teachingCalls } from './calls/teaching.ts'
import { publishingCalls } from './calls/publishing.ts'
import { canteenCalls } from './calls/canteen.ts'
import { approvalCalls } from './calls/approval.ts'
import { auditCalls } from './calls/audit.ts'
import { collectCalls } from './calls/collect.ts'
import { deletionCalls } from './calls/deletion.ts'
import { aiWarningCalls } from './calls/ai-warning.ts'
import { deviceBoardsCalls } from './calls/device-boards.ts'
import { deviceReadersCalls } from './calls/device-readers.ts'
import { deviceSettingsCalls } from './calls/device-settings.ts'
import { cardsCalls } from './calls/cards.ts'
import { devicesCalls } from './calls/devices.ts'
import { filesCalls } from './calls/files.ts'
import { freshmenCalls } from './calls/freshmen.ts'
import { identityCalls } from './calls/identity.ts'
import { insightCalls } from './calls/insight.ts'
import { jobsCalls } from './calls/jobs.ts'
import { mergeCalls } from './calls/merge.ts'
import { messagesCalls } from './calls/messages.ts'
import { delegateCalls } from './calls/people-delegate.ts'
import { fieldCalls } from './calls/people-field.ts'
import { bookCalls } from './calls/people-book.ts'
import { calendarCalls } from './calls/calendar.ts'
import { placesCalls } from './calls/places.ts'
import { upgradeCalls } from './calls/people-upgrade.ts'
import { staffCalls } from './calls/staff.ts'
import { peopleSeedCalls } from './calls/people-seed.ts'
import { peopleCalls } from './calls/people.ts'
import { remarkCalls } from './calls/remark.ts'
import { registerCalls } from './calls/register.ts'
import { schoolCalls } from './calls/school.ts'
import { rechargeCalls } from './calls/recharge.ts'
import { signCalls } from './calls/sign.ts'
import { whitelistCalls } from './calls/whitelist.ts'
import type { Builder, World } from './world.ts'

/** Builders of a valid call for every call of the product; the suites fail on one without. */
export const builders: ReadonlyMap<string, Builder> = new Map([
  ...schoolCalls,
  ...identityCalls,
  ...auditCalls,
  ...filesCalls,
  ...jobsCalls,
  ...messagesCalls,
  ...peopleCalls,
  ...peopleSeedCalls,
  ...mergeCalls,
  ...bookCalls,
  ...fieldCalls,
  ...remarkCalls,
  ...freshmenCalls,
  ...delegateCalls,
  ...upgradeCalls,
  ...staffCalls,
  ...deletionCalls,
  ...registerCalls,
  ...collectCalls,
  ...whitelistCalls,
  ...rechargeCalls,
  ...signCalls,
  ...calendarCalls,
  ...placesCalls,
  ...cardsCalls,
  ...leaveCalls,
  ...facesCalls,
  ...accessCalls,
  ...changeCalls,
  ...electiveCalls,
  ...teachingCalls,
  ...examsCalls,
  ...examDayCalls,
  ...attendanceCalls,
  ...evaluationCalls,
  ...publishingCalls,
  ...canteenCalls,
  ...approvalCalls,
  ...devicesCalls,
  ...aiWarningCalls,
  ...deviceBoardsCalls,
  ...deviceReadersCalls,
  ...deviceSettingsCalls,
  ...insightCalls,
])

/** One school with a person who may do everything. */
export async function makeWorld(app: TestApp, school_id: number): Promise<World> {
  const me = await app.as({ school_id, codes: 'all', places: 'all' })
  const root = await app.running.database.tenant<unknown, { rows: { id: string }[] }>(school_id, db =>
    sql<{ id: string }>`select id from dept where school_id = ${school_id} order by id limit 1`.execute(db),
  )
  return { app, me, school_id, ids: { dept: root.rows[0]?.id ?? '' } }
}

/**
 * A valid call in a world; what it names is made there.
 * @throws Error when the call has no builder
 */
export async function buildCall(call: Call, world: World) {
  const builder = builders.get(call.call)
  if (!builder) throw new Error(`no builder for ${call.call}`)
  return builder(world)
}

/** No call needs so long for what it names: one that waits for ever is named instead of ending a suite without a word. */
const longest_building_ms = 120_000

/**
 * Valid calls by name, everything they name made in a world.
 * @throws Error when what one of them names is not made in two minutes
 */
export async function buildCalls(calls: readonly Call[], world: World): Promise<Map<string, Awaited<ReturnType<typeof buildCall>>>> {
  const built = new Map<string, Awaited<ReturnType<typeof buildCall>>>()
  for (const call of calls) built.set(call.call, await inTime(call.call, buildCall(call, world)))
  return built
}

async function inTime<T>(name: string, building: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const late = setTimeout(longest_building_ms, null, { signal: ended.signal }).then(() => Promise.reject(new Error(`what ${name} needs is not made in ${longest_building_ms} ms`)), () => building)
  try {
    return await Promise.race([building, late])
  } finally {
    ended.abort()
  }
}
