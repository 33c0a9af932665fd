import { event } from '@kit/contract'
import { z } from 'zod'

/** What the audit domain tells the others (chapter 90 §3). */
export const auditEvents = {
  /** a journal is not as it was sealed; told once, when it is found */
  chainBroken: event('audit.chain.broken', z.object({ table_name: z.string(), count: z.number().int() })),
}
