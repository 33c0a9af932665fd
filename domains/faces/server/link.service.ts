import { facesErrors } from '@campus/faces/contract'
import type { FaceLink, FaceLinkAct } from '@campus/faces/contract'
import { read } from '@campus/files/server'
import { directory } from '@campus/identity/server'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import { setTimer } from '@kit/server/event'
import type { Pre } from '@kit/server/http'
import { sql } from 'kysely'
import { lastAnswer, receiptOf, takeAnswer } from './consent.answer.ts'
import { lockConsent, needsOf, withdrawn } from './consent.core.ts'
import type { Act, Db } from './db.ts'
import { endFace, failed_kind, failed_ms } from './erase.ts'
import { hashOf } from './link.send.ts'
import { readSitters } from './people.ts'
import type { Sitter } from './people.ts'
import { lockPolicy, readPolicy } from './policy.ts'
import { dropFace } from './push.ts'

const active_school = 2
const most_tries = 5
const by_hand = 3
const failed = 3
const tail_signs = 4
type Opened = Extract<FaceLink, { kind: 'open' }>
type Link = { link_id: string; sitter: Sitter; confirm_user: string; tries: number; expires_at: Date; school_name: string }

function keyOf(token: string): { school_id: number; secret: string } {
  const [school = '', secret = ''] = token.split('-')
  return { school_id: Number(school), secret }
}

function inSchool<R>({ app, now, own }: Pre, school_id: number, fn: (act: Act) => Promise<R>): Promise<R> {
  return own(school_id, (db: Db) => fn({ app, db, school_id, now, by: null }))
}

/**
 * Whose link this is, locked, so that proofs are tried one after the other.
 * @throws Refusal linkOver for one that is unknown, too old, replaced, or of a school that uses faces no more
 */
async function findLink({ db, school_id, now }: Act, secret: string): Promise<Link> {
  const school = await db.selectFrom('school_v').select(['state', 'school_name']).where('school_id', '=', school_id).executeTakeFirst()
  const link = await db
    .selectFrom('face_consent_link')
    .select(['link_id', 'user_id', 'confirm_user', 'tries', 'expires_at'])
    .where('school_id', '=', school_id)
    .where('token_sha256', '=', hashOf(secret))
    .forUpdate()
    .executeTakeFirst()
  const sitter = link && (await readSitters(db, school_id, [link.user_id], null)).get(link.user_id)
  if (school?.state !== active_school || !link || !sitter || link.expires_at <= now) throw fail(facesErrors.linkOver)
  if (!(await readPolicy(db, school_id)).enabled) throw fail(facesErrors.linkOver)
  return { ...link, sitter, school_name: school.school_name }
}

/** By what somebody proves who he is: the end of his identity number, else of his mobile number. */
async function proofOf({ app, db, school_id }: Act, user_id: string): Promise<{ by: 'id_no' | 'mobile'; tail: string } | null> {
  const facts = (await directory.one(app).firstFacts(db, school_id, [user_id])).get(user_id)
  if (facts?.id_no) return { by: 'id_no', tail: facts.id_no.slice(-tail_signs).toUpperCase() }
  return facts?.mobile ? { by: 'mobile', tail: facts.mobile.slice(-tail_signs) } : null
}

/** What a link shows before anybody has proved who he is. @throws Refusal 410 linkOver */
export async function lookLink(pre: Pre, { token }: { token: string }): Promise<FaceLink> {
  const { school_id, secret } = keyOf(token)
  return inSchool(pre, school_id, async act => {
    const { sitter, confirm_user, school_name } = await findLink(act, secret)
    const proof = await proofOf(act, confirm_user)
    return {
      kind: 'closed',
      school_name,
      user_name: maskedName(sitter.user_name),
      is_child: sitter.user_id !== confirm_user,
      by: proof?.by ?? null,
    }
  })
}

/** 王*明: who gets the link knows whom it is about, who finds it does not. */
function maskedName(name: string): string {
  const signs = [...name]
  return signs.length <= 2 ? `${signs[0] ?? ''}*` : `${signs[0] ?? ''}${'*'.repeat(signs.length - 2)}${signs.at(-1) ?? ''}`
}

/**
 * Answers, withdraws, or says that the picture is of somebody else.
 * @throws Refusal 410 linkOver, 422 linkWrong, 429 linkStopped, and those of `takeAnswer`
 */
export async function actLink(pre: Pre, { token, ...act }: { token: string } & FaceLinkAct): Promise<Opened> {
  const { school_id, secret } = keyOf(token)
  pre.note({ school_id, target_kind: 'faces.consent' })
  const left = await inSchool(pre, school_id, one => triesLeft(one, secret, act.tail))
  if (left === 'stopped') throw fail(facesErrors.linkStopped)
  if (left !== null) throw fail(facesErrors.linkWrong, { params: { left } })
  const { shown, photo_key } = await inSchool(pre, school_id, async one => {
    const link = await findLink(one, secret)
    pre.note({ target_id: link.sitter.user_id, target_name: link.sitter.user_name, user_id: link.confirm_user })
    await doAct({ ...one, by: link.confirm_user }, link, act, pre.request.ip)
    return showLink(one, link)
  })
  const picture = photo_key === null ? null : await read(pre, { school_id, file_key: photo_key }).catch(() => null)
  return { ...shown, photo: picture === null ? null : `data:${picture.mime};base64,${picture.bytes.toString('base64')}` }
}

/** Counts a wrong proof, whatever becomes of the call. @returns null for the right one, else how often one may try again */
async function triesLeft(act: Act, secret: string, tail: string): Promise<number | 'stopped' | null> {
  const { link_id, confirm_user, tries } = await findLink(act, secret)
  const proof = await proofOf(act, confirm_user)
  if (tries >= most_tries) return 'stopped'
  if (proof?.tail === tail) return null
  const { db, school_id } = act
  const counted = await db
    .updateTable('face_consent_link')
    .set({ tries: sql<number>`tries + 1` })
    .where('school_id', '=', school_id)
    .where('link_id', '=', link_id)
    .where('tries', '<', most_tries)
    .returning('tries')
    .executeTakeFirst()
  return counted ? most_tries - counted.tries : 'stopped'
}

async function doAct(act: Act, { sitter, confirm_user: by }: Link, wish: FaceLinkAct, ip: string): Promise<void> {
  if (wish.act === 'check') return
  const policy = await lockPolicy(act.db, act.school_id)
  if (wish.act === 'notme') return denyFace(act, sitter.user_id)
  if (wish.act === 'answer' && wish.protocol_version !== policy.protocol_version) throw fail(facesErrors.stale)
  await takeAnswer(act, policy, { sitter, by, answer: wish.act === 'answer' ? wish.answer : withdrawn, ip })
}

/** 这不是我: terminals forget the picture at once, and somebody at the school looks at it (chapter 40 rule 36). @throws Refusal noFaceHere */
async function denyFace(act: Act, user_id: string): Promise<void> {
  const { db, school_id, now } = act
  const open = await db
    .selectFrom('face')
    .select(['face_id', 'current_from'])
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .forUpdate()
    .execute()
  const current = open.find(one => one.current_from !== null)
  if (!current) throw fail(facesErrors.noFaceHere)
  const holders = await dropFace(act, user_id)
  if (open.length > 1) return endFace(act, current.face_id, { cause: by_hand, reason: '本人否认' }, holders)
  const suspended = { current_from: null, detect_state: failed, error_code: 'denied', row_version: sql<number>`row_version + 1` }
  await db.updateTable('face').set(suspended).where('school_id', '=', school_id).where('face_id', '=', current.face_id).execute()
  await setTimer(act, { kind: failed_kind, ref: current.face_id, due_at: new Date(now.getTime() + failed_ms) })
}

/** What is open of somebody's: the picture that works, else the one that waits; and how many terminals are to have it. */
async function pictureOf({ db, school_id }: Act, user_id: string) {
  const face = await db
    .selectFrom('face')
    .select(['thumb_file_key', 'current_from'])
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .orderBy('current_from')
    .limit(1)
    .executeTakeFirst()
  const devices = await db
    .selectFrom('faces_state_v')
    .select('devices_total')
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return { photo_key: face?.thumb_file_key ?? null, has_face: (face?.current_from ?? null) !== null, devices_total: devices?.devices_total ?? 0 }
}

type Shown = { shown: Opened; photo_key: string | null }
async function showLink(act: Act, { sitter, confirm_user, school_name, expires_at }: Link): Promise<Shown> {
  const { user_id, user_name } = sitter
  const policy = await readPolicy(act.db, act.school_id)
  const consent = await lockConsent(act, user_id)
  const { photo_key, ...picture } = await pictureOf(act, user_id)
  const answer = await lastAnswer(act, user_id)
  const is_child = user_id !== confirm_user
  const needs = needsOf(sitter, policy, schoolDay(act.now))
  const has_signed = Boolean(is_child ? consent?.guardian_log_id : consent?.self_log_id)
  const open = has_signed ? ('waiting_other' as const) : ('asked' as const)
  const closed = consent?.state === 1 ? ('given' as const) : ('refused' as const)
  const shown: Opened = {
    kind: 'open',
    school_name,
    user_name,
    is_child,
    state: consent?.state === 1 || consent?.refused_by ? closed : open,
    may_answer: is_child ? needs.guardian : needs.self,
    has_signed,
    ...picture,
    photo: null,
    protocol: { version: policy.protocol_version, title: policy.protocol_title, text: policy.protocol_text },
    receipt: answer ? receiptOf(answer.hash) : null,
    answered_at: answer?.at.toISOString() ?? null,
    expires_at: expires_at.toISOString(),
  }
  return { shown, photo_key }
}
