import { DeptId, UserId } from '@campus/people/contract'
import { api, carried, choice, download, exportOf, get, id, Instant, keyword, list, post, QueryFlag, reference } from '@kit/contract'
import { z } from 'zod'
import { consent_names, erasure_causes, FACE_ERROR, FACE_STATE, face_sources } from './dictionary.ts'

/** People in one call of deletion or of asking (chapter 40 §4). */
export const most_at_once = 300

export const FaceId = id('faces.face')
const CaseId = id('faces.case')
export const PersonKind = z.coerce.number().int().min(1).max(3)
export const UserIds = z.array(UserId).min(1, { error: '请选择人员' }).max(most_at_once, { error: `一次最多处理${most_at_once}人` })
const FileKey = z.string({ error: '请选择照片' }).min(1, { error: '请选择照片' }).max(200)
const Reason = z.string().trim().min(1, { error: '请填写原因' }).max(100, { error: '超过100个字' })
const Consent = z.enum(['none', 'asked', 'given', 'refused', 'paper'])
const state_names = Object.fromEntries(Object.entries(FACE_STATE.names))

/** A photograph that has not passed yet, beside the working one or alone. */
const Candidate = z.object({ face_id: FaceId, thumb_url: z.string().nullable(), detect_state: z.number().int(), error_code: z.enum(FACE_ERROR.codes).nullable() })

/** One person of the list with his face, his consent and how far terminals are. */
export const FacePerson = z.object({
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string(),
  dept_id: DeptId.nullable(),
  dept_name: z.string().nullable(),
  child_names: z.string().nullable(),
  face_id: FaceId.nullable(),
  thumb_url: z.string().nullable(),
  captured_at: Instant.nullable(),
  source: z.number().int().nullable(),
  state: z.enum(FACE_STATE.codes),
  consent: Consent,
  devices_done: z.number().int(),
  devices_total: z.number().int(),
  candidate: Candidate.nullable(),
  /** the other person of an open case of likeness */
  alike: z.object({ case_id: CaseId, user_name: z.string(), similarity: z.number().int() }).nullable(),
})
export type FacePerson = z.output<typeof FacePerson>

/** 新照片检测失败：人脸模糊. Null: nothing but the state is to be said. */
export function faceNote({ candidate, alike, face_id }: Pick<FacePerson, 'candidate' | 'alike' | 'face_id'>): string | null {
  if (alike) return `与${alike.user_name}相似${alike.similarity}%`
  if (!candidate) return null
  const which = face_id === null ? '' : '新照片'
  if (candidate.detect_state === 3) return `${which}${candidate.error_code ? FACE_ERROR.names[candidate.error_code] : '检测失败'}`
  return `${which}未验证`
}

/** The list of faces; its columns are those of the screen and of the sheet. */
export const faceList = list({
  title: '人脸', unit: '人', row: FacePerson, key: 'user_id', is_about_people: true,
  columns: {
    thumb: { label: '照片', width: 72, only: 'screen' },
    user_name: { label: '姓名', width: 88 },
    user_no: { label: '编号', width: 104 },
    dept_name: { label: '班级/部门', width: 120 },
    child_names: { label: '孩子', width: 168 },
    state: { label: '状态', width: 168, text: row => [FACE_STATE.names[row.state], faceNote(row)].filter(one => one !== null).join('，') },
    consent: { label: '授权', width: 96, text: row => consent_names[row.consent] },
    devices: { label: '下发', width: 88, text: row => (row.devices_total === 0 ? '' : `${row.devices_done}/${row.devices_total}`) },
    source: { label: '来源', width: 88, text: row => Object.entries(face_sources).find(([code]) => code === String(row.source))?.[1] ?? '' },
    captured_at: { label: '采集时间', width: 136, kind: 'instant' },
  },
  filters: {
    keyword: keyword('姓名/编号'),
    state: choice('状态', state_names),
    consent: choice('授权', consent_names),
    todo: choice('待处理', {
      any: '全部待处理', failed: '检测失败', unverified: '未验证', alike: '与他人相似', refused: '设备拒收', face_only: '仅人脸可通行',
    }),
    kind: carried('', PersonKind),
    dept_id: reference('班级/部门', 'people.dept', DeptId),
    include_sub: carried('', QueryFlag),
  },
})

const LogLine = z.object({ log_id: z.string(), at: Instant, status: z.number().int(), confirm_scene: z.number().int(), by_name: z.string().nullable(), hash: z.string() })
const DeviceLine = z.object({ device_id: z.string(), device_name: z.string(), place_name: z.string().nullable(), state: z.enum(['done', 'waiting', 'offline', 'refused', 'removing']), reason: z.string().nullable() })
const ErasureLine = z.object({
  target: z.number().int(), device_name: z.string().nullable(), place_name: z.string().nullable(), acked_at: Instant.nullable(), proven_at: Instant.nullable(), online: z.boolean(),
})
export const Erasure = z.object({
  erasure_id: id('faces.erasure'), user_id: UserId, user_name: z.string(), cause: z.enum(Object.keys(erasure_causes)), ordered_at: Instant, due_at: Instant, closed_at: Instant.nullable(),
  total: z.number().int(), acked: z.number().int(), proven: z.number().int(), overdue: z.boolean(), lines: z.array(ErasureLine),
})
export type Erasure = z.output<typeof Erasure>
/** Everything about one person's face: the chain 采集 → 检测 → 授权 → 下发, terminal by terminal. */
const Detail = z.object({ devices: z.array(DeviceLine), log: z.array(LogLine), erasures: z.array(Erasure), needs: z.array(z.string()) })
export type FaceDetail = z.output<typeof Detail>

const NewFace = z.strictObject({ user_id: UserId, face_pics: FileKey, source: z.union([z.literal(1), z.literal(2)]).default(2) })
const Saved = z.object({ face_id: FaceId, detect_state: z.number().int(), consent: Consent, outcome: z.enum(['current', 'candidate', 'same']), alike: z.string().nullable() })

const view = { need: 'faces.face.view', within: 'dept' } as const
const collect = { need: 'faces.face.collect', within: 'dept' } as const
const verify = { need: 'faces.face.verify', within: 'dept' } as const

/** Faces of people (chapter 40 §4). */
export const faceApi = api('web', 'faces.face', {
  list: get('face/list', { query: faceList.query, reply: faceList.reply, ...view }),
  export: exportOf(faceList, 'face/export', { need: 'faces.face.export', within: 'dept' }),
  progress: get('face/progress', {
    query: z.object({ kind: PersonKind.default(1) }), reply: z.object({ list: z.array(z.object({ dept_id: DeptId, total: z.number().int(), usable: z.number().int(), waiting: z.number().int() })) }), ...view,
  }),
  detail: get('face/detail', { query: z.object({ user_id: UserId }), reply: Detail, ...view }),
  set: post('face/set', { body: NewFace, reply: Saved, op: 4, ...collect }),
  remove: post('face/delete', { body: z.strictObject({ user_ids: UserIds, reason: Reason }), reply: z.object({ erased: z.number().int() }), op: 5, need: 'faces.face.delete', within: 'dept' }),
  verify: post('face/verify', { body: z.strictObject({ face_id: FaceId, passed: z.boolean() }), reply: z.object({}), op: 4, ...verify }),
  decide: post('face/case/decide', { body: z.strictObject({ case_id: CaseId, decision: z.number().int().min(2, { error: '请选择处理方式' }).max(3), reason: Reason }), reply: z.object({}), op: 4, ...verify }),
  photo: get('face/photo/:face_id', { params: z.object({ face_id: FaceId }), query: z.object({ reason: z.string().trim().min(1, { error: '请填写查看原因' }).max(100) }), reply: download, op: 13, need: 'faces.face.photo', within: 'dept' }),
  erasures: get('face/erasure/list', { query: z.object({ open: QueryFlag.optional() }), reply: z.object({ list: z.array(Erasure) }), need: 'faces.erasure.view', within: 'dept' }),
})
