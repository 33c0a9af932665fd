import { schoolAdmins, send } from '@campus/messages/server'
import { peopleErrors, peopleTemplates, reveal_fields } from '@campus/people/contract'
import type { personApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { noteActedFor } from './delegate/acted.ts'
import { liveFields, readExt } from './field/ext.ts'
import { schoolMinute } from './export/roster.words.ts'
import { openIdNo } from './id-number.ts'
import { deptScope } from './scope.ts'
import { staffAtWork } from './staff/staff-file.queries.ts'
import { pupilOnRoll, wardOf } from './student-file.queries.ts'

/** Reveals of one person an hour (chapter 20 rule 25). */
const most_an_hour = 30
const hour_ms = 3_600_000

/**
 * Protected values of a pupil on the roll, of his guardian, or of a member of staff at work, in clear; the operation log keeps who saw which fields and why.
 * @throws Refusal 422 请填写原因, 404 outside scope or school, 429 beyond thirty an hour
 */
export async function revealFields(ctx: PeopleCtx, { user_id, fields, reason }: Input<typeof personApi.reveal>): Promise<Reply<typeof personApi.reveal>> {
  const { db, school_id } = ctx
  ctx.note({ target_kind: 'people.person', target_id: user_id, after: { fields: [...fields] }, reason: reason.trim() })
  if (reason.trim() === '') throw fail(peopleErrors.reasonNeeded, { errors: [{ field: 'reason', msg: peopleErrors.reasonNeeded.msg }] })
  const today = schoolDay(ctx.now)
  const key = { school_id, user_id, scope: await deptScope(ctx, 'student', today), today }
  const pupil = await pupilOnRoll(db, key)
  const staff = await staffAtWork(db, { ...key, scope: await deptScope(ctx, 'staff', today) })
  if (!pupil && !staff && !(await wardOf(db, key))) throw fail(commonErrors.notFound)
  const dept_ids = [pupil?.dept_id ?? [], staff?.depts.map(dept => dept.dept_id) ?? []].flat()
  if (dept_ids.length > 0) await noteActedFor(ctx, dept_ids)
  await countReveal(ctx)
  const person = await clearValues(ctx, user_id)
  ctx.note({ target_name: person.user_name })
  const values = { ...person.values, school_roll_no: pupil?.school_roll_no ?? null }
  const own = pupil ? readExt(pupil.ext, await liveFields(ctx, 'student')) : readExt(staff?.ext, await liveFields(ctx, 'staff'))
  const custom = Object.entries(own).map(([code, value]) => [`ext.${code}`, value] as const).filter(([field]) => fields.some(one => one === field))
  return { user_id, values: Object.fromEntries([...reveal_fields.filter(field => fields.includes(field)).map(field => [field, values[field]] as const), ...custom]) }
}

async function clearValues({ db, school_id, app }: PeopleCtx, user_id: string) {
  const person = await db
    .selectFrom('person')
    .select(['user_name', 'id_no_enc', 'mobile', 'tel', 'address', 'mail_address', 'home_address'])
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .where('status', '=', 'live')
    .executeTakeFirst()
  if (!person) throw fail(commonErrors.notFound)
  const { user_name, id_no_enc, ...values } = person
  return { user_name, values: { ...values, id_no: id_no_enc === null ? null : openIdNo(app.secrets, school_id, id_no_enc) } }
}

/**
 * Counts one more in the last hour; the row is locked by the update, so that parallel reveals count each other. With the last one allowed whoever looks
 * after the school is told: a refusal would take that back.
 */
async function countReveal(ctx: PeopleCtx): Promise<void> {
  const { db, school_id, me, now, log } = ctx
  const since = new Date(now.getTime() - hour_ms)
  await db.insertInto('reveal_window').values({ school_id, user_id: me.user_id }).onConflict(on => on.doNothing()).execute()
  const { rows } = await sql<{ used: number; first_at: Date }>`
    update reveal_window set used_at = array(select t from unnest(used_at) t where t > ${since}::timestamptz) || ${now}::timestamptz
    where school_id = ${school_id} and user_id = ${me.user_id}
    returning cardinality(used_at) as used, used_at[1] as first_at`.execute(db)
  const [row] = rows
  if (row?.used === most_an_hour) await tellAdmins(ctx)
  if (!row || row.used <= most_an_hour) return
  log.warn({ user_id: me.user_id, school_id }, 'reveals beyond the hourly limit')
  throw fail(commonErrors.tooFast, { retry_after: Math.max(1, Math.ceil((row.first_at.getTime() - since.getTime()) / 1000)) })
}

async function tellAdmins({ app, db, school_id, me, now }: PeopleCtx): Promise<void> {
  const desk = { app, db, school_id, now }
  const to = await schoolAdmins(desk)
  if (to.length === 0) return
  const values = { who: me.user_name, count: String(most_an_hour), at: schoolMinute(now) }
  await send(desk, { template: peopleTemplates.revealLimit, source_ref: `reveal/${me.user_id}/${now.toISOString()}`, to, values, link: '/SystemLog', level: 2 })
}
