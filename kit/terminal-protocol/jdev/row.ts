import { z } from 'zod'

/** Kinds of rows a device holds (chapter 30 §1.3). */
export const row_kinds = ['permission', 'person', 'credential', 'block', 'config', 'rule', 'content', 'firmware'] as const
export type RowKind = (typeof row_kinds)[number]

const Key = z.string().min(1).max(128)
const Hash = z.string().regex(/^[0-9a-f]{16}$/)
const Instant = z.iso.datetime({ offset: true })
/** Times of day a permission opens, `07:00-08:30`, half open. */
const Window = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]-(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/)
const Weekly = z.partialRecord(z.enum(['1', '2', '3', '4', '5', '6', '7']), z.array(Window).max(12))

/** When somebody may pass: absolute ends always; `weekly` by weekday, Monday 1. */
export const PermissionBody = z.object({ id: Key, door: z.number().int().min(1).max(8), from: Instant, to: Instant, weekly: Weekly.optional(), max_times: z.number().int().min(1).optional(), online: z.boolean().optional() })
export type PermissionBody = z.output<typeof PermissionBody>
/** Who may pass by which permissions; without any he is known and has no right. */
export const PersonBody = z.object({ user_id: Key, name: z.string().max(128), no: z.string().max(64), dept: z.string().max(100).optional(), kind: z.number().int(), permission_ids: z.array(Key).max(64) })
export type PersonBody = z.output<typeof PersonBody>
/** By what a person is known: cards and passwords by their code, faces by a file; from `until` on no door takes it, with the server or without. */
export const CredentialBody = z.object({
  id: Key, user_id: Key, kind: z.enum(['card', 'id_card', 'face', 'password', 'qr', 'finger', 'plate']),
  code: z.string().max(256).optional(), sha256: z.string().regex(/^[0-9a-f]{64}$/).optional(), until: Instant.optional(),
})
export type CredentialBody = z.output<typeof CredentialBody>

const Blob = z.object({ url: z.string().max(600), sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.number().int().min(0), exp: Instant })

/** One row on its way to a device: what it is to hold under a key, or that it is to hold nothing. */
export const DownRow = z.object({ k: z.enum(row_kinds), key: Key, op: z.enum(['put', 'delete']), ver: z.number().int().min(1), hash: Hash, body: z.record(z.string(), z.unknown()).optional(), blob: Blob.optional() })
export type DownRow = z.output<typeof DownRow>

/** What became of a row; a row without a line is unknown. */
export const RowResult = z.object({ k: z.enum(row_kinds), key: Key, ver: z.number().int().min(1), status: z.enum(['applied', 'same', 'refused', 'retry']), code: z.string().max(40).optional(), text: z.string().max(200).optional() })
export type RowResult = z.output<typeof RowResult>
