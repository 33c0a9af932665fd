import { accessErrors, visit_states } from '@campus/access/contract'
import type { VisitAct, VisitPublic } from '@campus/access/contract'
import { consumeCaptcha } from '@campus/identity/server'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import type { Pre } from '@kit/server/http'
import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, PassDb, Work } from '../pass/db.ts'
import { findReceiver, hostName } from './receiver.ts'
import { hashOf, tokenHash, unseal } from './seal.ts'
import { readReasons, readVisitorSetting } from './setting.ts'
import { bookVisit, channels, endVisit, lockVisit, requireState, states } from './visit.core.ts'
import { readVisits } from './visit.queries.ts'

const active_school = 2
const [per_mobile, per_address, checks_per_address, kept_ms] = [5, 20, 10, 172_800_000] as const
const waiting: readonly number[] = [states.waits, states.approved]
const inside: readonly number[] = [states.approved, states.arrived]

type Key = { school_id: number; secret: string }
type Shown = Extract<VisitPublic, { kind: 'pass' }>
type Opened = { kind: 'book' } | { kind: 'pass'; apply_id: string }

function keyOf(token: string): Key {
  const [school = '', secret = ''] = token.split('-')
  return { school_id: Number(school), secret }
}

/** What an address opens: the school's booking page, or one visit; every other one is the same 404 (chapter 35 §9.24). */
async function open(db: Db, { school_id, secret }: Key): Promise<Opened> {
  const school = await db.selectFrom('school_v').select('state').where('school_id', '=', school_id).executeTakeFirst()
  const { link_token } = await readVisitorSetting(db, school_id)
  const visit = await db.selectFrom('visitor_apply').select('apply_id').where('school_id', '=', school_id).where('token_hash', '=', tokenHash(secret)).executeTakeFirst()
  if (school?.state !== active_school) throw fail(accessErrors.linkInvalid)
  if (visit) return { kind: 'pass', apply_id: visit.apply_id }
  if (link_token.length !== secret.length || !timingSafeEqual(Buffer.from(link_token), Buffer.from(secret))) throw fail(accessErrors.linkInvalid)
  return { kind: 'book' }
}

function inSchool<R>(pre: Pre, school_id: number, fn: (work: Work) => Promise<R>): Promise<R> {
  return pre.own<unknown, R>(school_id, bare => fn({ app: pre.app, db: asTables<PassDb>(bare), school_id, now: pre.now }))
}

/** The booking page, or a visitor's own visit. @throws Refusal 404 linkInvalid */
export async function lookVisit(pre: Pre, { token }: { token: string }): Promise<VisitPublic> {
  const key = keyOf(token)
  return inSchool(pre, key.school_id, async work => {
    const opened = await open(work.db, key)
    return opened.kind === 'pass' ? showPass(work, opened.apply_id, token) : showBook(work)
  })
}

async function schoolName({ db, school_id }: Work): Promise<string> {
  return (await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()).school_name
}

async function showBook(work: Work): Promise<VisitPublic> {
  const { book_enabled, notice, advance_days, max_minutes, open_from, open_to, follower_max, need_plate, need_company } = await readVisitorSetting(work.db, work.school_id)
  const reasons = (await readReasons(work.db, work.school_id)).filter(reason => reason.status === 1 && !reason.need_student)
  return {
    kind: 'book', school_name: await schoolName(work), is_open: book_enabled, notice, advance_days, max_minutes, open_from, open_to, follower_max, need_plate, need_company,
    reasons: reasons.map(({ reason_code, reason_name, default_minutes }) => ({ reason_code, reason_name, default_minutes })),
  }
}

/** No word of why it did not pass, no number of the host. */
async function showPass(work: Work, apply_id: string, token: string): Promise<Shown> {
  const [row] = await readVisits(work, sql`a.apply_id = ${apply_id}`, { limit: 1 })
  const visit = await lockVisit(work, apply_id)
  if (!row) throw fail(accessErrors.linkInvalid)
  const names: Readonly<Record<string, string>> = visit_states
  const { state, apply_no, visitor_name, begin_at, end_at, route, receiver_name, receiver_dept } = row
  const shown = state === states.blocked ? states.refused : state
  const may_pass = inside.includes(state)
  const code = (kind: 'pass_code' | 'qr', sealed: Buffer) => (may_pass ? unseal(work.app, work.school_id, kind, sealed) : null)
  return {
    kind: 'pass', school_name: await schoolName(work), token, apply_no, state: shown, state_label: names[String(shown)] ?? '', visitor_name, host: hostName({ user_name: receiver_name ?? '', dept_name: receiver_dept }), begin_at, end_at, route,
    pass_code: code('pass_code', visit.pass_code_enc), qr: code('qr', visit.qr_enc), may_cancel: waiting.includes(state),
  }
}

/** Books, asks whether a host is known, or takes a booking back. @throws Refusal 404, 409, 422, 429 */
export async function actVisit(pre: Pre, { token, ...act }: { token: string } & VisitAct): Promise<{ is_known: boolean | null; visit: Shown | null }> {
  const key = keyOf(token)
  pre.note({ school_id: key.school_id, target_kind: 'access.visit' })
  const opened = await inSchool(pre, key.school_id, work => open(work.db, key))
  if (act.act === 'cancel') return { is_known: null, visit: await cancelOwn(pre, key, opened, token) }
  if (opened.kind !== 'book') throw fail(accessErrors.linkInvalid)
  if (act.act === 'receiver_check') return { is_known: await checkReceiver(pre, key.school_id, act), visit: null }
  return { is_known: null, visit: await apply(pre, key.school_id, act) }
}

async function cancelOwn(pre: Pre, { school_id }: Key, opened: Opened, token: string): Promise<Shown> {
  if (opened.kind !== 'pass') throw fail(accessErrors.linkInvalid)
  return inSchool(pre, school_id, async work => {
    const visit = await lockVisit(work, opened.apply_id)
    requireState(visit, waiting, '取消')
    await endVisit(work, visit, 'cancelled')
    pre.note({ target_id: visit.apply_no })
    return showPass(work, opened.apply_id, token)
  })
}

/** Counts before anything is looked up, so that what was asked too often is not answered either. */
async function countUp(pre: Pre, school_id: number, { subject, span, most }: { subject: string; span: string; most: number }): Promise<void> {
  const hits = await inSchool(pre, school_id, async ({ db, now }) => {
    await db.deleteFrom('visitor_hit').where('school_id', '=', school_id).where('made_at', '<', new Date(now.getTime() - kept_ms)).execute()
    const row = await db.insertInto('visitor_hit').values({ school_id, subject: hashOf(pre.app, school_id, 'hit', subject), span, hits: 1, made_at: now })
      .onConflict(clash => clash.columns(['school_id', 'subject', 'span']).doUpdateSet({ hits: sql<number>`visitor_hit.hits + 1` })).returning('hits').executeTakeFirstOrThrow()
    return row.hits
  })
  if (hits > most) throw fail(accessErrors.tooMany, { retry_after: 3600 })
}

const hourOf = (now: Date) => now.toISOString().slice(0, 13)

async function checkReceiver(pre: Pre, school_id: number, asked: { receiver: string; receiver_dept: string }): Promise<boolean> {
  await countUp(pre, school_id, { subject: `check:${pre.request.ip}`, span: hourOf(pre.now), most: checks_per_address })
  return inSchool(pre, school_id, async ({ db }) => (await findReceiver(db, school_id, asked)) !== null)
}

type Apply = Extract<VisitAct, { act: 'apply' }>

async function apply(pre: Pre, school_id: number, sent: Apply): Promise<Shown> {
  const { app, now } = pre
  const { receiver: _receiver, receiver_dept: _dept, begin_at, end_at, cap_key, captcha, ...wish } = sent
  await inSchool(pre, school_id, work => checkFields(work, sent))
  const is_right = await pre.own<unknown, boolean>(0, db => consumeCaptcha(db, app, { cap_key, kind: 'login', answer: captcha }, now))
  if (!is_right) throw fail(accessErrors.captchaWrong, { errors: [{ field: 'captcha', msg: accessErrors.captchaWrong.msg }] })
  await countUp(pre, school_id, { subject: `apply:${pre.request.ip}`, span: hourOf(now), most: per_address })
  await countUp(pre, school_id, { subject: `mobile:${sent.mobile}`, span: schoolDay(now), most: per_mobile })
  return inSchool(pre, school_id, async work => {
    const receiver = await findReceiver(work.db, school_id, sent)
    if (!receiver) throw fail(accessErrors.receiverUnknown, { errors: [{ field: 'receiver', msg: accessErrors.receiverUnknown.msg }] })
    const { apply_id, token } = await bookVisit(work, { ...wish, receiver, student_id: null, place_ids: [], channel: channels.own, begin_at: new Date(begin_at), end_at: new Date(end_at) })
    const shown = await showPass(work, apply_id, `${school_id}-${token}`)
    pre.note({ target_id: shown.apply_no })
    return shown
  })
}

/** @throws Refusal bookingOff, or what the school asks for and is missing */
async function checkFields({ db, school_id }: Work, { plate, company }: Apply): Promise<void> {
  const { book_enabled, need_plate, need_company } = await readVisitorSetting(db, school_id)
  if (!book_enabled) throw fail(accessErrors.bookingOff)
  if (need_plate && plate === '') throw fail(accessErrors.plateNeeded, { errors: [{ field: 'plate', msg: accessErrors.plateNeeded.msg }] })
  if (need_company && company === '') throw fail(accessErrors.companyNeeded, { errors: [{ field: 'company', msg: accessErrors.companyNeeded.msg }] })
}
