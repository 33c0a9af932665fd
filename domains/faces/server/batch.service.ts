import { batchProgress, FACE_ERROR, facesErrors, most_in_batch } from '@campus/faces/contract'
import type { faceBatchApi, FaceBatch, FaceItem, Lane } from '@campus/faces/contract'
import { commonErrors, fail, Refusal } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import { admitFace } from './admit.ts'
import { matchFiles } from './batch.match.ts'
import type { Db, FacesCtx } from './db.ts'
import { actOf } from './db.ts'
import { lookAt } from './intake.ts'
import type { Picture } from './intake.ts'
import { peopleByName } from './list.queries.ts'
import { requireSitters, scopesOf } from './people.ts'
import { readPolicy } from './policy.ts'

const [waits, uploaded, looked, over] = [0, 1, 2, 3] as const
const by_batch = 3
const shown_batches = 10
const item_columns = ['item_seq', 'file_name', 'size', 'user_id', 'user_name', 'step', 'lane', 'msg', 'file_key'] as const

/** Pictures that were looked at and wait for their import call; another process looks again. */
const known = new Map<string, Picture>()
const most_known = 1000

/** Opens a batch, or adds pictures to one that goes on: whose each is says its name. @throws Refusal off, 404, batchClosed, tooManyFiles */
export async function openBatch(ctx: FacesCtx, { batch_id, kind, replace_existing, files }: Input<typeof faceBatchApi.open>): Promise<Reply<typeof faceBatchApi.open>> {
  const { db, school_id } = ctx
  const scopes = await scopesOf(ctx)
  if (!(await readPolicy(db, school_id)).enabled) throw fail(facesErrors.off)
  const batch = batch_id === undefined ? await createBatch(ctx, kind, replace_existing) : await requireBatch(ctx, batch_id)
  const earlier = await db.selectFrom('face_batch_item').select(['item_seq', 'user_id']).where('school_id', '=', school_id).where('batch_id', '=', batch.batch_id).execute()
  if (earlier.length + files.length > most_in_batch) throw fail(facesErrors.tooManyFiles)
  const words = [...new Set(files.flatMap(file => matchFiles.wordsOf(file.file_name)))]
  const found = await peopleByName(db, { school_id, kind: batch.person_kind, scopes }, words)
  const faced = await db.selectFrom('face').select('user_id').where('school_id', '=', school_id).where('ended_at', 'is', null).where('current_from', 'is not', null).where('user_id', 'in', ['0', ...found.map(one => one.user_id)]).execute()
  const taken = { has_face: new Set(faced.map(one => one.user_id)), replace_existing: batch.replace_existing, seen: new Set(earlier.flatMap(one => one.user_id ?? [])) }
  const is_new = new Set(earlier.map(one => one.item_seq))
  const rows = files.filter(file => !is_new.has(file.item_seq)).map(file => ({ school_id, batch_id: batch.batch_id, ...file, ...matchFiles.judge(file.file_name, found, taken) }))
  await insertMany(db, 'face_batch_item', rows)
  ctx.note({ target_kind: 'faces.batch', target_id: batch.batch_id, target_name: `${files.length}张`, batch_no: batch.batch_id })
  const items = await db.selectFrom('face_batch_item').select(item_columns).where('school_id', '=', school_id).where('batch_id', '=', batch.batch_id).where('item_seq', 'in', files.map(file => file.item_seq)).orderBy('item_seq').execute()
  return { batch_id: batch.batch_id, items: items.map(shownItem) }
}

type Batch = { batch_id: string; person_kind: number; replace_existing: boolean; created_at: Date; closed_at: Date | null }
const batch_columns = ['batch_id', 'person_kind', 'replace_existing', 'created_at', 'closed_at'] as const

function createBatch({ db, school_id, now, me }: FacesCtx, person_kind: number, replace_existing: boolean): Promise<Batch> {
  return db.insertInto('face_batch').values({ school_id, person_kind, replace_existing, created_by: me.user_id, created_at: now }).returning(batch_columns).executeTakeFirstOrThrow()
}

/** One's own batch. @throws Refusal 404, batchClosed */
async function requireBatch({ db, school_id, me }: Pick<FacesCtx, 'db' | 'school_id' | 'me'>, batch_id: string, may_be_closed = false): Promise<Batch> {
  const batch = await db.selectFrom('face_batch').select(batch_columns).where('school_id', '=', school_id).where('batch_id', '=', batch_id).where('created_by', '=', me.user_id).executeTakeFirst()
  if (!batch) throw fail(commonErrors.notFound)
  if (batch.closed_at !== null && !may_be_closed) throw fail(facesErrors.batchClosed)
  return batch
}

type StoredItem = { item_seq: number; file_name: string; size: number; user_id: string | null; user_name: string | null; step: number; lane: string | null; msg: string | null; file_key: string | null }
const shownItem = (row: StoredItem): FaceItem => ({ ...row, lane: row.lane })

/** A picture has arrived, or its upload failed for good. @throws Refusal 404, batchClosed, itemUnknown */
export async function noteUploaded(ctx: FacesCtx, { batch_id, item_seq, face_pics, msg }: Input<typeof faceBatchApi.uploaded>): Promise<Record<string, never>> {
  ctx.scoped()
  const { db, school_id } = ctx
  await requireBatch(ctx, batch_id)
  const kept = face_pics === null ? { step: over, lane: 'upload', msg: msg ?? '上传失败' } : { step: uploaded, file_key: face_pics }
  const changed = await db.updateTable('face_batch_item').set(kept).where('school_id', '=', school_id).where('batch_id', '=', batch_id).where('item_seq', '=', item_seq).where('step', '<', over).returning('item_seq').executeTakeFirst()
  if (!changed) throw fail(facesErrors.itemUnknown)
  ctx.note({ batch_no: batch_id })
  return {}
}

/** Looks at an uploaded picture; what it says is kept for the import call. @throws Refusal 404, off, itemUnknown, badPicture */
export async function detectItem(pre: Pre, { batch_id, item_seq }: Input<typeof faceBatchApi.detect>) {
  const school_id = pre.me?.school_id ?? 0
  const item = await pre.own(school_id, (db: Db) => db.selectFrom('face_batch_item').select(['file_key']).where('school_id', '=', school_id).where('batch_id', '=', batch_id).where('item_seq', '=', item_seq).where('step', '>', waits).executeTakeFirst())
  const looking = item?.file_key ? await lookAt(pre, item.file_key).catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  }) : null
  return async (ctx: FacesCtx): Promise<Reply<typeof faceBatchApi.detect>> => {
    ctx.scoped()
    await requireBatch(ctx, batch_id)
    if (looking === null) throw fail(facesErrors.itemUnknown)
    if (looking instanceof Refusal) throw looking
    remember(looking)
    await ctx.db.updateTable('face_batch_item').set({ step: looked, verdict: JSON.stringify(looking.verdict) }).where('school_id', '=', school_id).where('batch_id', '=', batch_id).where('item_seq', '=', item_seq).where('step', '<', over).execute()
    ctx.note({ batch_no: batch_id })
    const { error_code } = looking.verdict
    return { faces: looking.faces, error_message: error_code === null ? null : FACE_ERROR.names[error_code] }
  }
}

function remember(picture: Picture): void {
  const [oldest] = known.keys()
  if (known.size >= most_known && oldest !== undefined) known.delete(oldest)
  known.set(picture.file_key, picture)
}

/** Takes looked-at pictures over; each has its own result, and one that is refused leaves the others. @throws Refusal off, 404, batchClosed */
export async function importFaces(pre: Pre, { batch_id, faces }: Input<typeof faceBatchApi.importFaces>) {
  const pictures = new Map<number, Picture | Refusal>()
  for (const { id, face_pics } of faces) {
    const picture = known.get(face_pics) ?? (await lookAt(pre, face_pics).catch((error: unknown) => {
      if (error instanceof Refusal && error.failure.id !== facesErrors.off.id) return error
      throw error
    }))
    pictures.set(id, picture)
  }
  return async (ctx: FacesCtx): Promise<Reply<typeof faceBatchApi.importFaces>> => {
    const sitters = await requireSitters(ctx, faces.map(one => one.user_id))
    await requireBatch(ctx, batch_id)
    const results: Reply<typeof faceBatchApi.importFaces>['results'] = []
    for (const { id, user_id, face_pics } of faces) {
      const [sitter, picture] = [sitters.get(user_id), pictures.get(id)]
      if (!sitter || !picture) continue
      const result = picture instanceof Refusal ? { face_id: null, outcome: 'upload' as const, msg: picture.message } : await admitItem(ctx, sitter, picture, batch_id)
      await endItem(ctx, batch_id, id, result)
      known.delete(face_pics)
      results.push({ id, user_id, ...result })
    }
    ctx.note({ target_kind: 'faces.batch', target_id: batch_id, target_name: `${results.filter(one => one.outcome === 'done').length}/${faces.length}`, batch_no: batch_id })
    return { batch_no: batch_id, results }
  }
}

type ItemResult = { face_id: string | null; outcome: Lane; msg: string | null }

async function admitItem(ctx: FacesCtx, sitter: Parameters<typeof admitFace>[1], picture: Picture, batch_no: string): Promise<ItemResult> {
  const { detect_state, error_code } = picture.verdict
  try {
    const { face_id, outcome, alike } = await admitFace(actOf(ctx), sitter, picture, { source: by_batch, batch_no })
    if (outcome === 'same') return { face_id, outcome: 'same', msg: null }
    if (alike !== null) return { face_id, outcome: 'unverified', msg: `与${alike}相似，请核对` }
    if (error_code !== null) return { face_id, outcome: error_code === 'no_face' ? 'not_face' : 'poor', msg: FACE_ERROR.names[error_code] }
    return { face_id, outcome: detect_state === 4 ? 'unverified' : 'done', msg: detect_state === 4 ? '未检测，请人工核验' : null }
  } catch (error) {
    // The same bytes under another name are found before anything is written.
    if (error instanceof Refusal && error.failure.id === facesErrors.duplicate.id) return { face_id: null, outcome: 'poor', msg: error.message }
    throw error
  }
}

async function endItem({ db, school_id }: FacesCtx, batch_id: string, item_seq: number, { outcome, msg }: ItemResult): Promise<void> {
  await db.updateTable('face_batch_item').set({ step: over, lane: outcome, msg, file_key: null }).where('school_id', '=', school_id).where('batch_id', '=', batch_id).where('item_seq', '=', item_seq).execute()
}

/** A batch with what of it still waits, so that a page that was loaded again goes on. @throws Refusal 404 */
export async function readBatch(ctx: FacesCtx, { batch_id }: Input<typeof faceBatchApi.progress>): Promise<Reply<typeof faceBatchApi.progress>> {
  ctx.scoped()
  const { db, school_id } = ctx
  const batch = await requireBatch(ctx, batch_id, true)
  const waiting = await db.selectFrom('face_batch_item').select(item_columns).where('school_id', '=', school_id).where('batch_id', '=', batch_id).where('step', '<', over).orderBy('item_seq').execute()
  const [shown] = await shownBatches(db, school_id, [batch])
  if (!shown) throw fail(commonErrors.notFound)
  return { batch: shown, waiting: waiting.map(shownItem) }
}

/** My latest batches. */
export async function myBatches(ctx: FacesCtx, { kind }: Input<typeof faceBatchApi.mine>): Promise<Reply<typeof faceBatchApi.mine>> {
  ctx.scoped()
  const { db, school_id, me } = ctx
  const batches = await db.selectFrom('face_batch').select(batch_columns).where('school_id', '=', school_id).where('created_by', '=', me.user_id).where('person_kind', '=', kind).orderBy('batch_id', 'desc').limit(shown_batches).execute()
  return { list: await shownBatches(db, school_id, batches) }
}

async function shownBatches(db: Db, school_id: number, batches: readonly Batch[]): Promise<FaceBatch[]> {
  const { rows } = await sql<{ batch_id: string; step: number; lane: string | null; n: number }>`
    select batch_id::text as batch_id, step::int as step, lane, count(*)::int as n from face_batch_item
    where school_id = ${school_id} and batch_id = any(${batches.map(one => one.batch_id)}::bigint[]) group by batch_id, step, lane`.execute(db)
  return batches.map(({ closed_at, created_at, ...batch }) => {
    const own = rows.filter(row => row.batch_id === batch.batch_id)
    const countOf = (keep: (step: number) => boolean) => own.filter(row => keep(row.step)).reduce((sum, row) => sum + row.n, 0)
    const total = countOf(() => true)
    const lanes = Object.fromEntries(own.flatMap(({ lane, n }) => (lane === null ? [] : [[lane, n]])))
    return { ...batch, created_at: created_at.toISOString(), is_open: closed_at === null, total, progress: batchProgress({ total, uploaded: countOf(step => step >= uploaded), looked: countOf(step => step >= looked) }), lanes }
  })
}

/** Nothing more comes; what has not arrived is not taken. @throws Refusal 404, batchClosed */
export async function closeBatch(ctx: FacesCtx, { batch_id }: Input<typeof faceBatchApi.close>): Promise<Record<string, never>> {
  ctx.scoped()
  const { db, school_id, now } = ctx
  await requireBatch(ctx, batch_id)
  await db.updateTable('face_batch').set({ closed_at: now }).where('school_id', '=', school_id).where('batch_id', '=', batch_id).execute()
  await db.updateTable('face_batch_item').set({ step: over, lane: 'upload', msg: '未上传' }).where('school_id', '=', school_id).where('batch_id', '=', batch_id).where('step', '<', over).execute()
  ctx.note({ target_kind: 'faces.batch', target_id: batch_id, batch_no: batch_id })
  return {}
}

/** The pictures of a batch, also as a sheet. @throws Refusal 404 */
export async function listItems(ctx: FacesCtx, { batch_id, lane, faulty, page_index, page_size }: Input<typeof faceBatchApi.items>): Promise<Reply<typeof faceBatchApi.items>> {
  ctx.scoped()
  const { db, school_id } = ctx
  if (batch_id === undefined) return { list: [], total: 0 }
  await requireBatch(ctx, batch_id, true)
  let asked = db.selectFrom('face_batch_item').where('school_id', '=', school_id).where('batch_id', '=', batch_id)
  if (lane !== undefined) asked = asked.where('lane', '=', lane)
  if (faulty !== undefined) asked = asked.where('lane', 'not in', ['done', 'same'])
  const { total } = await asked.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const rows = await asked.select(item_columns).orderBy('item_seq').limit(page_size).offset((page_index - 1) * page_size).execute()
  return { list: rows.map(shownItem), total: Number(total) }
}
