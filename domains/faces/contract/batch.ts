import { UserId } from '@campus/people/contract'
import { api, carried, choice, exportOf, get, id, Instant, list, post } from '@kit/contract'
import { z } from 'zod'
import { lane_names } from './dictionary.ts'
import { FaceId, PersonKind } from './face.ts'

/** Pictures of one call, and of one batch (chapter 40 §6). */
export const [most_in_call, most_in_batch] = [150, 5000] as const
/** Uploads and detections that travel at the same time (00 §6). */
export const face_concurrency = 5

const BatchId = id('faces.batch')
const ItemNo = z.number().int().min(1)
const lanes = Object.keys(lane_names)
const Counts = z.record(z.string(), z.number().int())

/** One picture of a batch. */
export const FaceItem = z.object({ item_seq: z.number().int(), file_name: z.string(), size: z.number().int(), user_id: UserId.nullable(), user_name: z.string().nullable(), step: z.number().int(), lane: z.enum(lanes).nullable(), msg: z.string().nullable(), file_key: z.string().nullable() })
export type FaceItem = z.output<typeof FaceItem>

const step_names = { 0: '等待上传', 1: '已上传', 2: '已检测', 3: '已结束' } as const
/** The pictures of a batch, for the lanes and for 导出错误. */
export const faceItemList = list({
  title: '人脸导入明细', unit: '张', row: FaceItem, key: 'item_seq', is_about_people: true,
  columns: {
    item_seq: { label: '序号', width: 72, kind: 'number' },
    file_name: { label: '文件名', width: 200 },
    user_name: { label: '姓名', width: 100 },
    step: { label: '进度', width: 88, text: row => Object.entries(step_names).find(([code]) => code === String(row.step))?.[1] ?? '' },
    lane: { label: '结果', width: 120, text: row => Object.entries(lane_names).find(([code]) => code === row.lane)?.[1] ?? '' },
    msg: { label: '原因', width: 240 },
  },
  filters: { batch_id: carried('', BatchId), lane: choice('结果', lane_names), faulty: choice('范围', { any: '只看未成功' }) },
})

/** 0–50 uploads, 50–100 detection (00 §6). */
export const FaceBatch = z.object({ batch_id: BatchId, person_kind: z.number().int(), replace_existing: z.boolean(), created_at: Instant, is_open: z.boolean(), total: z.number().int(), progress: z.number().int(), lanes: Counts })
export type FaceBatch = z.output<typeof FaceBatch>

/** How far a batch is: uploads count for the first half, detections for the second. */
export function batchProgress({ total, uploaded, looked }: { total: number; uploaded: number; looked: number }): number {
  if (total === 0) return 100
  return uploaded < total ? Math.floor((50 * uploaded) / total) : 50 + Math.floor((50 * looked) / total)
}

const Opened = z.strictObject({
  batch_id: BatchId.optional(), kind: PersonKind.default(1), replace_existing: z.boolean().default(false),
  files: z.array(z.strictObject({ item_seq: ItemNo, file_name: z.string().trim().min(1).max(255), size: z.number().int().min(0) })).min(1, { error: '请选择照片' }).max(500, { error: '一次最多登记500张' }),
})
const Uploaded = z.strictObject({ batch_id: BatchId, item_seq: ItemNo, face_pics: z.string().max(200).nullable(), msg: z.string().max(200).optional() })
/** `error_message`: what is wrong with the picture; null: it passed, or the detector could not answer, which counts as passing here and waits for a person (rule 28). */
const Looked = z.object({ faces: z.array(z.object({ box: z.array(z.number()), score: z.number() })), error_message: z.string().nullable() })
const Result = z.object({ id: z.number().int(), user_id: UserId.nullable(), face_id: FaceId.nullable(), outcome: z.enum(lanes), msg: z.string().nullable() })

const access = { need: 'faces.face.import', within: 'dept' } as const

/** Batch collection: a folder or an archive of photographs named by number (chapter 40 §5). */
export const faceBatchApi = api('web', 'faces.batch', {
  open: post('face/import/folder/set', { body: Opened, reply: z.object({ batch_id: BatchId, items: z.array(FaceItem) }), op: 6, ...access }),
  uploaded: post('face/import/uploaded', { body: Uploaded, reply: z.object({}), op: 6, ...access }),
  detect: post('face/detect', { body: z.strictObject({ batch_id: BatchId, item_seq: ItemNo }), reply: Looked, op: 6, ...access }),
  importFaces: post('BasicInfo/importFacesFolder', {
    body: z.strictObject({
      batch_id: BatchId, is_photo_replace_by_face: z.literal(0).default(0),
      faces: z.array(z.strictObject({ face_pics: z.string().max(200), user_id: UserId, id: ItemNo })).min(1).max(most_in_call),
    }),
    reply: z.object({ batch_no: z.string(), results: z.array(Result) }), op: 6, ...access,
  }),
  progress: get('face/import/progress/:batch_id', { params: z.object({ batch_id: BatchId }), reply: z.object({ batch: FaceBatch, waiting: z.array(FaceItem) }), ...access }),
  mine: get('face/import/mine', { query: z.object({ kind: PersonKind.default(1) }), reply: z.object({ list: z.array(FaceBatch) }), ...access }),
  close: post('face/import/close', { body: z.strictObject({ batch_id: BatchId }), reply: z.object({}), op: 6, ...access }),
  items: get('face/import/detail/page', { query: faceItemList.query, reply: faceItemList.reply, ...access }),
  exportErrors: exportOf(faceItemList, 'face/error/export', access),
})
