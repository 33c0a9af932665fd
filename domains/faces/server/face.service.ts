import { FACE_ERROR, facesErrors } from '@campus/faces/contract'
import type { faceApi, FacePerson } from '@campus/faces/contract'
import { addressOf, read } from '@campus/files/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { FileReply, Pre } from '@kit/server/http'
import { sql } from 'kysely'
import { admitFace, makeCurrent } from './admit.ts'
import { needsOf } from './consent.core.ts'
import { noteLook } from './alarm.ts'
import { actOf } from './db.ts'
import type { Db, FacesCtx } from './db.ts'
import { endFace, endFaces } from './erase.ts'
import { erasuresOf } from './erasure.queries.ts'
import { leavePicture, lookAt, refusePicture } from './intake.ts'
import { childrenNames, countFacePeople, faceProgress, pageFacePeople } from './list.queries.ts'
import type { ListFilter, Row } from './list.queries.ts'
import { parents, readSitters, requireSitter, requireSitters, scopesOf } from './people.ts'
import { lockPolicy, readPolicy } from './policy.ts'

const [passed, failed, unverified] = [2, 3, 4] as const
const by_hand = 3
const [case_rejected, case_twins] = [2, 3] as const

/** 人脸管理 of pupils, staff or parents (chapter 40 §4). */
export async function listFaces(ctx: FacesCtx, query: Input<typeof faceApi.list>): Promise<Reply<typeof faceApi.list>> {
  const { db, school_id } = ctx
  const scopes = await scopesOf(ctx)
  const path = query.dept_id === undefined ? undefined : await pathOf(ctx, query.dept_id)
  const filter: ListFilter = { ...query, kind: query.kind ?? 1, school_id, scopes, path }
  const rows = await pageFacePeople(db, filter, { limit: query.page_size, offset: (query.page_index - 1) * query.page_size })
  const ids = rows.map(row => row.user_id)
  const children = filter.kind === parents ? await childrenNames(db, school_id, ids, scopes.student) : new Map<string, string>()
  const faces = await facesOf(ctx, ids)
  const list = rows.map((row): FacePerson => shown(row, children.get(row.user_id) ?? null, faces.get(row.user_id)))
  return { list, total: await countFacePeople(db, filter) }
}

/** @throws Refusal 404 for a department that is not there */
async function pathOf({ db, school_id }: FacesCtx, dept_id: string): Promise<string> {
  const found = await db.selectFrom('dept_now').select('node_path').where('school_id', '=', school_id).where('id', '=', dept_id).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  return found.node_path
}

type Own = Pick<FacePerson, 'face_id' | 'thumb_url' | 'captured_at' | 'source' | 'candidate' | 'alike'>
const none: Own = { face_id: null, thumb_url: null, captured_at: null, source: null, candidate: null, alike: null }

function shown({ face_state, ...row }: Row, child_names: string | null, own: Own = none): FacePerson {
  const state = (['0', '1', '3', '4', '5', '6', '7', '8'] as const).find(code => Number(code) === face_state) ?? '0'
  return { ...row, child_names, state, ...own }
}

/** The working face and the candidate of these people. */
async function facesOf({ app, db, school_id, now, me }: FacesCtx, user_ids: readonly string[]): Promise<Map<string, Own>> {
  const rows = await db
    .selectFrom('face')
    .select(['face_id', 'user_id', 'captured_at', 'current_from', 'source', 'thumb_file_key', 'detect_state', 'error_code'])
    .where('school_id', '=', school_id)
    .where('user_id', 'in', ['0', ...user_ids])
    .where('ended_at', 'is', null)
    .execute()
  const { rows: cases } = await sql<{ user_id: string; case_id: string; user_name: string; similarity: number }>`
    select k.user_id::text as user_id, k.case_id::text as case_id, l.display_name as user_name, k.similarity::int as similarity
    from face_case k join person_label l on l.school_id = ${school_id} and l.user_id = k.other_user_id
    where k.school_id = ${school_id} and k.state = 0 and k.user_id = any(${[...user_ids]}::bigint[])`.execute(db)
  const alike = new Map(cases.map(({ user_id, ...row }) => [user_id, row]))
  const urlOf = (file_key: string | null) => (file_key === null ? null : addressOf(app, now, { school_id, file_key, visibility: 'private' }, me))
  const found = new Map<string, Own>()
  for (const { face_id, user_id, captured_at, current_from, source, thumb_file_key, detect_state, error_code } of rows) {
    const before = found.get(user_id) ?? { ...none, alike: alike.get(user_id) ?? null }
    const thumb_url = urlOf(thumb_file_key)
    const own = current_from === null
      ? { ...before, candidate: { face_id, thumb_url, detect_state, error_code: errorOf(error_code) } }
      : { ...before, face_id, thumb_url, captured_at: captured_at.toISOString(), source }
    found.set(user_id, own)
  }
  return found
}

function errorOf(code: string | null) {
  return FACE_ERROR.codes.find(one => one === code) ?? null
}

/** How far each class or department is. */
export async function progressOf(ctx: FacesCtx, { kind }: Input<typeof faceApi.progress>): Promise<Reply<typeof faceApi.progress>> {
  return { list: await faceProgress(ctx.db, { school_id: ctx.school_id, kind, scopes: await scopesOf(ctx) }) }
}

/** One person: terminal by terminal, the ledger of his consent, what was erased, and who has to sign. */
export async function faceDetail(ctx: FacesCtx, { user_id }: Input<typeof faceApi.detail>): Promise<Reply<typeof faceApi.detail>> {
  const { db, school_id, now } = ctx
  const sitter = await requireSitter(ctx, user_id)
  const { rows: devices } = await sql<{ device_id: string; device_name: string; place_name: string | null; want_op: string; state: string; reason: string | null; online: boolean }>`
    select v.device_id::text as device_id, d.device_name, p.node_path_name as place_name, v.want_op, v.state, v.reason_text as reason, d.online
    from sync_credential_v v join device_live_v d on d.school_id = ${school_id} and d.device_id = v.device_id
    left join place_path_v p on p.school_id = ${school_id} and p.place_id = d.place_id
    where v.school_id = ${school_id} and v.user_id = ${user_id} and v.row_key = 'f' || ${user_id}::text and not (v.want_op = 'delete' and v.state = 'gone') order by d.device_name`.execute(db)
  const log = await db
    .selectFrom('face_consent_log as g')
    .leftJoin('person_label as l', join => join.on('l.school_id', '=', school_id).onRef('l.user_id', '=', 'g.confirm_user'))
    .select(['g.log_id', 'g.at', 'g.status', 'g.confirm_scene', 'l.display_name', 'g.hash'])
    .where('g.school_id', '=', school_id)
    .where('g.user_id', '=', user_id)
    .orderBy('g.log_id', 'desc')
    .limit(50)
    .execute()
  const needs = needsOf(sitter, await readPolicy(db, school_id), schoolDay(now))
  return {
    devices: devices.map(({ want_op, state, online, ...row }) => ({ ...row, state: deviceState(want_op, state, online) })),
    log: log.map(({ at, display_name, ...row }) => ({ ...row, at: at.toISOString(), by_name: display_name })),
    erasures: await erasuresOf(db, school_id, { user_ids: [user_id], now }),
    needs: [...(needs.guardian ? ['监护人'] : []), ...(needs.self ? ['本人'] : [])],
  }
}

function deviceState(want_op: string, state: string, online: boolean) {
  if (want_op === 'delete') return 'removing' as const
  if (state === 'applied' || state === 'proven') return 'done' as const
  if (state === 'refused') return 'refused' as const
  return online ? 'waiting' as const : 'offline' as const
}

/** One person's new photograph; one that fails is refused with the reason, and what he has goes on working. @throws Refusal off, 404, the error of the picture, duplicate */
export async function setFace(pre: Pre, { user_id, face_pics, source }: Input<typeof faceApi.set>) {
  const school_id = pre.me?.school_id ?? 0
  await requirePerson(pre, school_id, user_id)
  const picture = await lookAt(pre, face_pics)
  const { error_code } = picture.verdict
  if (error_code !== null) {
    await leavePicture(pre, school_id, face_pics)
    refusePicture(error_code)
  }
  return async (ctx: FacesCtx): Promise<Reply<typeof faceApi.set>> => {
    const sitter = await requireSitter(ctx, user_id)
    const admitted = await admitFace(actOf(ctx), sitter, picture, { source })
    ctx.note({ target_kind: 'faces.face', target_id: admitted.face_id, target_name: sitter.user_name })
    const consent = await consentOf(ctx.db, ctx.school_id, user_id)
    return { ...admitted, detect_state: picture.verdict.detect_state, consent }
  }
}

/** Nothing is looked at for somebody who is not here. @throws Refusal 404 */
async function requirePerson(pre: Pre, school_id: number, user_id: string): Promise<void> {
  const found = await pre.own(school_id, (db: Db) => readSitters(db, school_id, [user_id], null))
  if (found.size === 0) throw fail(commonErrors.notFound)
}

async function consentOf(db: Db, school_id: number, user_id: string) {
  const found = await db.selectFrom('face_consent').select(['state', 'refused_at', 'asked_at']).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  if (!found) return 'none' as const
  return found.state === 1 ? 'given' as const : found.refused_at ? 'refused' as const : found.asked_at ? 'asked' as const : 'none' as const
}

/** Faces of several people go, everywhere. @throws Refusal 404, noFaceHere */
export async function removeFaces(ctx: FacesCtx, { user_ids, reason }: Input<typeof faceApi.remove>): Promise<Reply<typeof faceApi.remove>> {
  const sitters = await requireSitters(ctx, user_ids)
  const erased = await endFaces(actOf(ctx), [...sitters.keys()], { cause: by_hand, reason })
  if (erased === 0) throw fail(facesErrors.noFaceHere)
  ctx.note({ target_kind: 'faces.face', target_name: `${erased}人`, reason, ...(sitters.size === 1 ? { target_id: user_ids[0] ?? '' } : {}) })
  return { erased }
}

/** A candidate that waits, in the scope and locked. @throws Refusal 404, nothingToVerify */
async function requireCandidate(ctx: FacesCtx, face_id: string) {
  const { db, school_id } = ctx
  const face = await db.selectFrom('face').select(['face_id', 'user_id', 'detect_state', 'current_from', 'ended_at']).where('school_id', '=', school_id).where('face_id', '=', face_id).forUpdate().executeTakeFirst()
  if (!face) throw fail(commonErrors.notFound)
  const sitter = await requireSitter(ctx, face.user_id)
  if (face.ended_at !== null || face.current_from !== null) throw fail(facesErrors.nothingToVerify)
  return { face, sitter }
}

/** 人工核验: a person has looked at a picture that the detector has not judged, or has judged wrongly. @throws Refusal 404, off, nothingToVerify, caseOpen */
export async function verifyFace(ctx: FacesCtx, { face_id, passed: is_good }: Input<typeof faceApi.verify>): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const { face, sitter } = await requireCandidate(ctx, face_id)
  await lockPolicy(db, school_id)
  if (face.detect_state === passed) throw fail(facesErrors.caseOpen)
  ctx.note({ target_kind: 'faces.face', target_id: face_id, target_name: `${sitter.user_name} ${is_good ? '核验通过' : '核验不通过'}` })
  if (!is_good) {
    await db.updateTable('face').set({ detect_state: failed, verified_by: me.user_id, verified_at: now }).where('school_id', '=', school_id).where('face_id', '=', face_id).execute()
    if (face.detect_state === unverified) await endFace(actOf(ctx), face_id, { cause: by_hand, reason: '核验不通过' }, [])
    return {}
  }
  await db.updateTable('face').set({ detect_state: passed, error_code: null, verified_by: me.user_id, verified_at: now }).where('school_id', '=', school_id).where('face_id', '=', face_id).execute()
  await makeCurrent(actOf(ctx), face.user_id, face_id)
  return {}
}

/** Two who look alike: the newer picture is somebody else's and goes, or they are twins and both work (chapter 40 rule 30). @throws Refusal 404, caseDone */
export async function decideCase(ctx: FacesCtx, { case_id, decision, reason }: Input<typeof faceApi.decide>): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const found = await db.selectFrom('face_case').select(['case_id', 'face_id', 'user_id', 'state']).where('school_id', '=', school_id).where('case_id', '=', case_id).forUpdate().executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  const sitter = await requireSitter(ctx, found.user_id)
  if (found.state !== 0) throw fail(facesErrors.caseDone)
  await lockPolicy(db, school_id)
  await db.updateTable('face_case').set({ state: decision, decided_by: me.user_id, decided_at: now, reason }).where('school_id', '=', school_id).where('case_id', '=', case_id).execute()
  if (decision === case_rejected) await endFace(actOf(ctx), found.face_id, { cause: by_hand, reason }, [])
  if (decision === case_twins) await makeCurrent(actOf(ctx), found.user_id, found.face_id)
  ctx.note({ target_kind: 'faces.case', target_id: case_id, target_name: sitter.user_name, reason })
  return {}
}

/** The picture itself, for a reason that stands in the log. @throws Refusal 404 */
export async function openPhoto(pre: Pre, { face_id, reason }: Input<typeof faceApi.photo>) {
  const school_id = pre.me?.school_id ?? 0
  const file_key = await pre.own(school_id, async (db: Db) => (await db.selectFrom('face').select('file_key').where('school_id', '=', school_id).where('face_id', '=', face_id).executeTakeFirst())?.file_key)
  const file = file_key ? await read(pre, { school_id, file_key }).catch(() => null) : null
  return async (ctx: FacesCtx): Promise<FileReply> => {
    const face = await ctx.db.selectFrom('face').select('user_id').where('school_id', '=', school_id).where('face_id', '=', face_id).executeTakeFirst()
    if (!face || !file) {
      ctx.scoped()
      throw fail(commonErrors.notFound)
    }
    const sitter = await requireSitter(ctx, face.user_id)
    ctx.note({ target_kind: 'faces.face', target_id: face_id, target_name: sitter.user_name, reason })
    await noteLook(actOf(ctx), ctx.me.user_id, face_id)
    return { file_name: `${face_id}.jpg`, mime: file.mime, body: file.bytes }
  }
}

/** Erasures of the school, what is still open first. */
export async function listErasures(ctx: FacesCtx, { open }: Input<typeof faceApi.erasures>): Promise<Reply<typeof faceApi.erasures>> {
  const { db, school_id, now } = ctx
  const scopes = await scopesOf(ctx)
  const all = await erasuresOf(db, school_id, { now, open: open ?? false })
  if (scopes.student === 'all' && scopes.staff === 'all') return { list: all }
  const seen = await readSitters(db, school_id, all.map(one => one.user_id), scopes)
  return { list: all.filter(one => seen.has(one.user_id)) }
}
