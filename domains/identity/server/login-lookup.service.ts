import { createHash } from 'node:crypto'
import type { Pre } from '@kit/server/http'
import { findAccount, schoolsOf } from './account.queries.ts'
import type { Desk, IdentityHandle } from './db.ts'
import { deviceOf } from './device-cookie.ts'
import { readRule } from './password-set.queries.ts'
import { isKnownDevice } from './remember.queries.ts'

const account_shape = /^[A-Za-z0-9_]{5,30}$/
const active = 2
const nobody = '0'

export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

/** The school of the address, as far as login needs it. */
type Entry = { school_id: number; school_type: number; exists: boolean; is_open: boolean; has_identity: boolean }

/** Everything an attempt is judged by, read before anything is hashed and in the same steps whether or not the account exists. */
export type LoginFacts = {
  /** key of throttle and queue */
  subject: string
  account: Account | undefined
  school_ids: number[]
  knows_device: boolean
  lock_times: number
  entry: Entry | null
}

/** Reads the facts of an attempt. */
export async function lookUp(pre: Pre, username: string, school_id: number | undefined): Promise<LoginFacts> {
  const desk: Desk = pre
  const name = account_shape.test(username) ? username.toLowerCase() : ''
  const subject = name || createHash('sha256').update(username).digest('hex')
  const found = await desk.own(0, async db => {
    const account = await findAccount(db, name)
    const user_id = account?.user_id ?? nobody
    const knows_device = await isKnownDevice(db, user_id, deviceOf(pre), desk.now)
    return { account, knows_device, school_ids: await schoolsOf(db, user_id), rule: await readRule(db, 0) }
  })
  const { rule, ...facts } = found
  if (school_id === undefined) return { subject, ...facts, lock_times: rule.lock_times, entry: null }
  const entered = await desk.own(school_id, async db => {
    return { entry: await findEntry(db, school_id, facts, desk.now), rule: await readRule(db, school_id) }
  })
  return { subject, ...facts, lock_times: entered.rule.lock_times, entry: entered.entry }
}

async function findEntry(db: IdentityHandle, school_id: number, facts: Pick<LoginFacts, 'account' | 'school_ids'>, now: Date): Promise<Entry> {
  const school = await db.selectFrom('school_v').select(['state', 'school_type']).where('school_id', '=', school_id).executeTakeFirst()
  const member = await db
    .selectFrom('role_member as m')
    .innerJoin('school_user as u', join => join.onRef('u.school_id', '=', 'm.school_id').onRef('u.user_id', '=', 'm.user_id'))
    .select('m.role_no')
    .where('m.school_id', '=', school_id)
    .where('m.user_id', '=', facts.account?.user_id ?? nobody)
    .where('m.valid_from', '<=', now)
    .where(eb => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', now)]))
    .where('u.left_at', 'is', null)
    .executeTakeFirst()
  const is_super = typeof facts.account?.super_slot === 'number' && facts.school_ids.includes(school_id)
  const exists = school !== undefined
  return { school_id, school_type: school?.school_type ?? 1, exists, is_open: school?.state === active, has_identity: member !== undefined || is_super }
}
