import { api, Day, download, get, Instant } from '@kit/contract'
import { z } from 'zod'

/** How far the journals of the school are checked. `broken`: something is not as it was sealed; what, audit-verify says to the operator. */
export const Integrity = z.object({
  checked_until: Instant.nullable(),
  broken: z.object({ found_at: Instant, count: z.number().int() }).nullable(),
  /** of the public key that signs the seals */
  fingerprint: z.string(),
})
export type Integrity = z.output<typeof Integrity>

/** Seals of the journals (chapter 10 A2, B5). */
export const integrityApi = api('web', 'audit.integrity', {
  state: get('audit/integrity', { reply: Integrity, need: 'audit.system.view', within: 'school' }),
  /** the seals of some days as a small file that anybody can check */
  seals: get('audit/integrity/seals', { query: z.object({ from: Day, to: Day }), reply: download, need: 'audit.system.export', within: 'school', op: 7 }),
})
