import { facesErrors } from '@campus/faces/contract'
import type { faceConsentApi } from '@campus/faces/contract'
import { addressOf, claim, hold } from '@campus/files/server'
import { selfScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { lastAnswer, receiptOf, takeAnswer } from './consent.answer.ts'
import { agreed, asked, needsOf, noteAsked, scenes, sign, writeLog } from './consent.core.ts'
import type { Act, FacesCtx } from './db.ts'
import { actOf } from './db.ts'
import { guardiansOf, readSitters, requireSitter, requireSitters, scopesOf } from './people.ts'
import type { Sitter } from './people.ts'
import { sendLinks } from './link.send.ts'
import { lockPolicy, readPolicy } from './policy.ts'
import type { Policy } from './policy.ts'
import { facePeopleIds } from './list.queries.ts'

const inbox = 'inbox'
const paper_kind = 'faces.paper'

/** Asks several people, or their guardians; who cannot be asked is named. @throws Refusal off, protocolUnknown, 404 */
export async function remind(ctx: FacesCtx, { user_ids }: Input<typeof faceConsentApi.remind>): Promise<Reply<typeof faceConsentApi.remind>> {
  const sitters = await requireSitters(ctx, user_ids)
  const policy = await lockPolicy(ctx.db, ctx.school_id)
  const not_asked: Reply<typeof faceConsentApi.remind>['not_asked'] = []
  for (const sitter of sitters.values()) if (!(await askOne(ctx, policy, sitter))) not_asked.push({ user_id: sitter.user_id, msg: facesErrors.noOneToAsk.msg })
  ctx.note({ target_kind: 'faces.consent', target_name: `${sitters.size - not_asked.length}人` })
  return { asked: sitters.size - not_asked.length, not_asked }
}

/**
 * Asks one person in the words of the product description. Whatever `status` says, staff can only ask: the answer is the person's or a guardian's
 * (chapter 40 rule 33).
 * @throws Refusal schoolMismatch, protocolUnknown, noOneToAsk, 404
 */
export async function setStatus(ctx: FacesCtx, { school_id, user_id, protocol_code }: Input<typeof faceConsentApi.setStatus>): Promise<Reply<typeof faceConsentApi.setStatus>> {
  const sitter = await requireSitter(ctx, user_id)
  if (school_id !== ctx.school_id) throw fail(facesErrors.schoolMismatch)
  const policy = await lockPolicy(ctx.db, ctx.school_id)
  if (policy.protocol_code !== protocol_code) throw fail(facesErrors.protocolUnknown)
  if (!(await askOne(ctx, policy, sitter))) throw fail(facesErrors.noOneToAsk)
  ctx.note({ target_kind: 'faces.consent', target_id: user_id, target_name: sitter.user_name })
  return { link_sent: true, channel: inbox }
}

async function askOne(ctx: FacesCtx, policy: Policy, sitter: Sitter): Promise<boolean> {
  const { db, school_id, now, me } = ctx
  const { user_id } = sitter
  const needs = needsOf(sitter, policy, schoolDay(now))
  const guardians = needs.guardian ? await guardiansOf(db, school_id, [user_id]) : []
  const to = [...(needs.self ? [{ user_id }] : []), ...guardians.map(one => ({ user_id: one.parent_user_id, subject_user_id: user_id }))]
  if (to.length === 0) return false
  const act = actOf(ctx)
  const { log_id } = await writeLog(act, policy, { user_id, status: asked, confirm_scene: scenes.staff, confirm_user: me.user_id })
  await noteAsked(act, policy, user_id)
  await sendLinks(act, sitter, log_id, to)
  return true
}

/** {user_id: 0·1} of a kind of people (00 §5). */
export async function consentMap(ctx: FacesCtx, { kind }: Input<typeof faceConsentApi.map>): Promise<Reply<typeof faceConsentApi.map>> {
  const { db, school_id } = ctx
  const user_ids = await facePeopleIds(db, { school_id, kind, scopes: await scopesOf(ctx) })
  const given = await db.selectFrom('face_consent').select('user_id').where('school_id', '=', school_id).where('state', '=', 1).execute()
  const states = new Set(given.map(one => one.user_id))
  return { map: Object.fromEntries(user_ids.map(user_id => [user_id, states.has(user_id) ? 1 : 0])) }
}

/** A signed paper waits for a second person. */
export async function recordPaper(pre: Pre, { user_id, file_key }: Input<typeof faceConsentApi.paper>) {
  const enter = await claim(pre, { file_key, purpose: 'person_file' })
  return async (ctx: FacesCtx): Promise<Record<string, never>> => {
    const { db, school_id, now, me } = ctx
    const sitter = await requireSitter(ctx, user_id)
    const policy = await lockPolicy(db, school_id)
    await enter(ctx, { ref_kind: paper_kind, ref_id: user_id })
    const paper = { paper_file_key: file_key, paper_by: me.user_id, paper_at: now }
    await db.insertInto('face_consent').values({ school_id, user_id, state: 0, protocol_version: policy.protocol_version, ...paper }).onConflict(clash => clash.columns(['school_id', 'user_id']).doUpdateSet(paper)).execute()
    ctx.note({ target_kind: 'faces.consent', target_id: user_id, target_name: `${sitter.user_name} 纸质授权` })
    return {}
  }
}

/** Somebody else looks at the paper; with his word it is a consent. @throws Refusal paperDone, paperSelf, 404 */
export async function reviewPaper(ctx: FacesCtx, { user_id, passed }: Input<typeof faceConsentApi.review>): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const sitter = await requireSitter(ctx, user_id)
  const policy = await lockPolicy(db, school_id)
  const act = actOf(ctx)
  const paper = await db.selectFrom('face_consent').select(['paper_by', 'paper_file_key']).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  if (!paper?.paper_file_key) throw fail(facesErrors.paperDone)
  if (paper.paper_by === me.user_id) throw fail(facesErrors.paperSelf)
  await db.updateTable('face_consent').set({ paper_file_key: null, paper_by: null, paper_at: null }).where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
  ctx.note({ target_kind: 'faces.consent', target_id: user_id, target_name: `${sitter.user_name} 纸质授权${passed ? '通过' : '退回'}` })
  if (!passed) return {}
  const { log_id } = await writeLog(act, policy, { user_id, status: agreed, confirm_scene: scenes.paper, confirm_user: me.user_id, evidence_file_key: paper.paper_file_key })
  await hold(ctx, paper.paper_file_key, { ref_kind: 'faces.consent_log', ref_id: log_id })
  await sign(act, policy, sitter, schoolDay(now), { side: 'both', log_id, by: me.user_id })
  return {}
}

/** My own consent and those of the children I decide for, as the phone shows them. */
export async function myConsents(ctx: FacesCtx): Promise<Reply<typeof faceConsentApi.mine>> {
  const { app, db, school_id, now, me } = ctx
  const ids = await selfScope(ctx)
  const policy = await readPolicy(db, school_id)
  if (!policy.enabled) return { protocol: null, list: [] }
  const sitters = await readSitters(db, school_id, ids, null)
  const guarded = new Set((await guardiansOf(db, school_id, ids)).filter(one => one.parent_user_id === me.user_id).map(one => one.student_user_id))
  const list: Reply<typeof faceConsentApi.mine>['list'] = []
  for (const user_id of ids) {
    const sitter = sitters.get(user_id)
    if (!sitter) continue
    const is_child = user_id !== me.user_id
    const consent = await db.selectFrom('face_consent').selectAll().where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
    const face = await db.selectFrom('face').select('thumb_file_key').where('school_id', '=', school_id).where('user_id', '=', user_id).where('ended_at', 'is', null).orderBy('current_from').limit(1).executeTakeFirst()
    const devices = await db.selectFrom('faces_state_v').select('devices_total').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
    const answer = await lastAnswer(actOf(ctx), user_id)
    if (!consent && !face) continue
    const needs = needsOf(sitter, policy, schoolDay(now))
    const may_answer = is_child ? guarded.has(user_id) && needs.guardian : needs.self
    const signed = is_child ? consent?.guardian_log_id : consent?.self_log_id
    const state = consent?.state === 1 ? 'given' as const : consent?.refused_at ? 'refused' as const : signed ? 'waiting_other' as const : consent?.asked_at ? 'asked' as const : 'none' as const
    list.push({
      user_id, user_name: sitter.user_name, dept_name: sitter.dept_name, is_child, state, may_answer, about: aboutOf(is_child, may_answer, guarded.has(user_id)),
      photo_url: face?.thumb_file_key ? addressOf(app, now, { school_id, file_key: face.thumb_file_key, visibility: 'private' }, me) : null,
      devices_total: devices?.devices_total ?? 0,
      erasing: await erasingOf(actOf(ctx), user_id),
      answered_at: answer?.at.toISOString() ?? null,
      receipt: answer ? receiptOf(answer.hash) : null,
    })
  }
  return { protocol: { code: policy.protocol_code, version: policy.protocol_version, title: policy.protocol_title, text: policy.protocol_text }, list }
}

function aboutOf(is_child: boolean, may_answer: boolean, is_guardian: boolean): string | null {
  if (may_answer) return null
  if (!is_child) return '由监护人确认'
  return is_guardian ? '由本人确认' : '由监护人确认'
}

/** How far terminals are with the last deletion. */
async function erasingOf({ db, school_id }: Act, user_id: string): Promise<{ total: number; acked: number } | null> {
  const last = await db.selectFrom('face_erasure').select('erasure_id').where('school_id', '=', school_id).where('user_id', '=', user_id).where('closed_at', 'is', null).orderBy('erasure_id', 'desc').limit(1).executeTakeFirst()
  if (!last) return null
  const items = await db.selectFrom('face_erasure_item').select('acked_at').where('school_id', '=', school_id).where('erasure_id', '=', last.erasure_id).where('target', '=', 8).execute()
  return { total: items.length, acked: items.filter(one => one.acked_at !== null).length }
}

/**
 * The person or a guardian answers: 1 同意, 2 不同意, 3 撤回 (chapter 40 §2.3).
 * @returns the number of the receipt: the beginning of the line's hash in the ledger
 * @throws Refusal 404, stale for another text than the one shown, and those of `takeAnswer`
 */
export async function answerConsent(ctx: FacesCtx, { user_id, answer, protocol_version }: Input<typeof faceConsentApi.answer>): Promise<Reply<typeof faceConsentApi.answer>> {
  const { db, school_id, me, request } = ctx
  const ids = await selfScope(ctx)
  const sitter = ids.includes(user_id) ? (await readSitters(db, school_id, [user_id], null)).get(user_id) : undefined
  if (!sitter) throw fail(commonErrors.notFound)
  const policy = await lockPolicy(db, school_id)
  if (policy.protocol_version !== protocol_version) throw fail(facesErrors.stale)
  const receipt = await takeAnswer(actOf(ctx), policy, { sitter, by: me.user_id, answer, ip: request.ip })
  const acted_for = user_id === me.user_id ? {} : { acted_for: user_id }
  ctx.note({ target_kind: 'faces.consent', target_id: user_id, target_name: sitter.user_name, ...acted_for })
  return { receipt }
}
