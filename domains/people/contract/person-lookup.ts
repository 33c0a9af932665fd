import { api, post } from '@kit/contract'
import { z } from 'zod'
import { UserId } from './student.ts'

/** Keys of one lookup (chapter 20 §4 Lists). */
export const most_looked_up = 500

const ByKind = z.object({ kind: z.enum(['student', 'teacher']) })
/** The key as it was sent; an identity number is answered masked. */
const Match = z.object({ key: z.string(), user_id: UserId, user_name: z.string(), user_no: z.string(), label: z.string() })
const Found = z.object({ matches: z.array(Match), ambiguous: z.array(z.string()), not_available: z.array(z.string()) })

const view_op = 13
const lookup = (by: string, max: number) =>
  post(`archive/:kind/${by}`, { params: ByKind, body: z.strictObject({ keys: z.array(z.string().trim().min(1).max(max)).min(1).max(most_looked_up) }), reply: Found, reads: true, need: 'people.picker.use', within: 'dept', op: view_op })

/**
 * People at school today by exact keys, within the row scope: for imports of faces and cards. A key of several people is `ambiguous`, one of nobody
 * the reader may see `not_available`.
 */
export const personLookupApi = api('web', 'people.lookup', {
  number: lookup('by_number', 50),
  name: lookup('by_name', 50),
  identity: lookup('by_identity', 30),
  phone: lookup('by_phone', 20),
})
