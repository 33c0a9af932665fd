import type { Limits, Receipt, SyncRow } from '../driver.ts'
import { CredentialBody } from '../jdev/row.ts'
import { types } from './code.ts'

const wire_types = { card: types.card, id_card: types.id_card, face: types.face, password: types.password, qr: types.static_qr, finger: types.finger, plate: undefined } as const
/** A JPG begins so (SOI). */
const jpg_start = [0xff, 0xd8]

/** The wire's row of a credential; face: the picture itself with its hash beside it, so that it is never read back to be compared. */
export function keyRow(row: SyncRow): Record<string, unknown> {
  const { id, user_id, kind, code = '' } = CredentialBody.parse(row.body)
  const is_face = kind === 'face'
  return { keyId: id, userId: user_id, type: wire_types[kind] ?? '', code: is_face ? (row.photo ?? '') : wireCode(kind, code), extra: is_face ? { faceType: '0', h: row.hash } : { h: row.hash } }
}

export function isFace({ k, body }: Pick<SyncRow, 'k' | 'body'>): boolean {
  return k === 'credential' && body?.kind === 'face'
}

/** Why the device could never take a credential; undefined when it can (chapter 31 §5.3, §9.7, §9.16). */
export function credentialFault(row: SyncRow, { photo_bytes, password_length }: Limits): Pick<Receipt, 'code' | 'text'> | undefined {
  const body = CredentialBody.safeParse(row.body).data
  if (!body) return { code: 'body', text: '凭证内容不完整' }
  if (body.kind === 'face') return photoFault(row.photo, photo_bytes)
  if (wire_types[body.kind] === undefined) return { code: 'unsupported', text: '此设备不支持这种凭证' }
  if (body.code === undefined || body.code === '') return { code: 'body', text: '凭证没有号码' }
  const is_wrong = body.kind === 'password' && password_length !== undefined && !new RegExp(`^[0-9]{${password_length}}$`, 'u').test(body.code)
  return is_wrong ? { code: 'password_length', text: `此设备的密码须为${password_length}位数字，请修改密码或设备设置` } : undefined
}

function photoFault(photo: string | undefined, most: number): Pick<Receipt, 'code' | 'text'> | undefined {
  if (photo === undefined) return { code: 'photo_missing', text: '没有可下发的人脸照片' }
  const bytes = Buffer.from(photo, 'base64')
  if (bytes[0] !== jpg_start[0] || bytes[1] !== jpg_start[1]) return { code: 'photo_type', text: '设备只接受 JPG 照片，请重新上传' }
  return bytes.length > most ? { code: 'photo_size', text: `照片超过${Math.floor(most / 1024)}KB，请压缩后重新上传` } : undefined
}

function wireCode(kind: keyof typeof wire_types, code: string): string {
  return kind === 'card' || kind === 'id_card' ? code.toUpperCase() : code
}
