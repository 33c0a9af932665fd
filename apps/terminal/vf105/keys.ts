import { batch_errors, passwordText, row_errors, types } from '@kit/terminal-protocol/vf105'
import { z } from 'zod'
import { asObject, done, doneBut, isAnswer, pageOf, readBatch, refused } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Key, Vf105Store } from './store.ts'

const most_ids = 100
const upper: readonly string[] = [types.card, types.id_card]
const once_each: readonly string[] = [types.face, types.finger]
const picture = '0'
/** What a picture made for a test says of itself. */
const face_faults = [['noface', '未检测到人脸'], ['blur', '人脸图片模糊'], ['dup:', '人脸已存在']] as const

/** insertKey: takes the place of the credential of that name; a picture travels alone. */
export function insertKeys(store: Vf105Store, data: unknown): Answer {
  return eachKey(data, sent => put(store, sent))
}

/** modifyKey: what was not sent stays, an empty code deletes. */
export function modifyKeys(store: Vf105Store, data: unknown): Answer {
  return eachKey(data, sent => {
    const before = store.keys.get(String(sent.keyId))
    if (!before) return row_errors.voucher
    if (sent.code !== '') return put(store, { ...before, ...sent })
    store.keys.delete(before.keyId)
    return undefined
  })
}

/** delKey: both lists empty is well; both filled is all or nothing; one list deletes what it finds. */
export function deleteKeys(store: Vf105Store, data: unknown): Answer {
  const Ids = z.array(z.union([z.string(), z.number()]).transform(String)).catch([])
  const { keyIds, userIds } = z.object({ keyIds: Ids, userIds: Ids }).catch({ keyIds: [], userIds: [] }).parse(data)
  if (keyIds.length + userIds.length > most_ids) return refused(batch_errors.too_many)
  const of = (userId: string) => [...store.keys.values()].filter(key => key.userId === userId)
  const faults = [...keyIds.filter(id => !store.keys.has(id)).map(keyId => ({ keyId, errmsg: row_errors.voucher })), ...userIds.filter(id => of(id).length === 0).map(userId => ({ userId, errmsg: row_errors.no_vouchers }))]
  const is_whole = keyIds.length > 0 && userIds.length > 0
  if (is_whole && faults.length > 0) return doneBut(faults)
  for (const id of [...keyIds, ...userIds.flatMap(of).map(key => key.keyId)]) store.keys.delete(id)
  return doneBut(faults)
}

export function clearKeys(store: Vf105Store): Answer {
  store.keys.clear()
  return done()
}

/** getKey: whole pictures for faces that came as pictures, where the device keeps them. */
export function getKeys(store: Vf105Store, data: unknown): Answer {
  const asked = asObject(data)
  const { keyId, userId, type, code } = asked
  if (code !== undefined && code !== '' && type === undefined) return refused(batch_errors.key_type)
  const is = (value: string, wanted: unknown) => wanted === undefined || wanted === '' || value === String(wanted)
  const found = [...store.keys.values()].filter(key => is(key.keyId, keyId) && is(key.userId, userId) && is(key.type, type) && is(key.code, code))
  const keeps = store.number('sys', 'faceImageRetention') === 1
  return pageOf(found.map((key, at) => (key.type === types.finger ? { ...key, code: String(at) } : isPicture(key) && !keeps ? { ...key, code: '' } : key)), asked)
}

function eachKey(data: unknown, work: (sent: Record<string, unknown>) => string | undefined): Answer {
  const batch = readBatch(data)
  if (isAnswer(batch)) return batch
  const rows = batch.map(asObject)
  const fault = pictureFault(rows)
  if (fault !== undefined) return refused(fault)
  return doneBut(rows.flatMap(sent => {
    const errmsg = work(sent)
    return errmsg === undefined ? [] : [{ keyId: String(sent.keyId ?? ''), errmsg }]
  }))
}

/** Judged of the whole batch before anything is done; how large it may be is asked before (`tooMuch`). */
function pictureFault(rows: readonly Record<string, unknown>[]): string | undefined {
  const pictures = rows.filter(row => isPicture({ type: String(row.type), extra: asObject(row.extra) }) && typeof row.code === 'string' && row.code !== '')
  if (pictures.length === 0) return undefined
  if (rows.length > 1) return batch_errors.face_alone
  const bytes = Buffer.from(String(pictures[0]?.code), 'base64')
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? undefined : batch_errors.jpg
}

function isPicture({ type, extra }: Pick<Key, 'extra' | 'type'>): boolean {
  return type === types.face && extra.faceType === picture
}

function put(store: Vf105Store, sent: Record<string, unknown>): string | undefined {
  const [keyId, userId, type] = [String(sent.keyId ?? ''), String(sent.userId ?? ''), String(sent.type ?? '')]
  const extra = asObject(sent.extra)
  const code = typeof sent.code === 'string' ? (upper.includes(type) ? sent.code.toUpperCase() : sent.code) : ''
  if (keyId === '' || code === '') return row_errors.no_code
  if (!store.users.has(userId)) return row_errors.person
  const fault = codeFault(store, { keyId, userId, type, code, extra })
  if (fault !== undefined) return fault
  const others = [...store.keys.values()].filter(key => key.keyId !== keyId)
  if (once_each.includes(type) && others.some(key => key.userId === userId && key.type === type)) return row_errors.biometric
  if (others.some(key => key.type === type && key.code === code)) return row_errors.duplicate
  store.keys.set(keyId, { keyId, userId, type, code, extra })
  return undefined
}

function codeFault(store: Vf105Store, { type, code, extra }: Key): string | undefined {
  const digits = store.number('sys', 'passwordLength')
  if (type === types.password && !new RegExp(`^[0-9]{${digits}}$`, 'u').test(code)) return passwordText(digits)
  if (type !== types.face) return undefined
  if (extra.faceType !== '0' && extra.faceType !== '1') return row_errors.face_type
  const said = extra.faceType === picture ? Buffer.from(code, 'base64').toString('latin1') : ''
  return face_faults.find(([tag]) => said.includes(`test:${tag}`))?.[1]
}
