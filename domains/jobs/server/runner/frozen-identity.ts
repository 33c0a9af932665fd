import type { Me } from '@kit/server/http'
import { z } from 'zod'

const Scope = z.object({
  kind: z.enum(['all', 'own', 'own_below', 'class_teacher', 'teaching', 'custom', 'self', 'none']),
  ids: z.array(z.string()).readonly(),
  facts: z.array(z.object({ kind: z.enum(['class_teacher', 'teaching', 'delegated', 'manager']), id: z.string() })).readonly(),
})

const Frozen = z.object({
  user_id: z.string(),
  user_no: z.string(),
  user_name: z.string(),
  username: z.string(),
  school_id: z.number().int(),
  role_no: z.string(),
  role_id: z.string(),
  role_code: z.string(),
  role_name: z.string(),
  user_dep: z.string(),
  session_id: z.string(),
  is_super: z.boolean(),
  dept_is_exact: z.boolean(),
  codes: z.array(z.string()).transform(codes => new Set(codes)),
  scopes: z.object({ dept: Scope, place: Scope }),
  acted_for: z.object({ user_id: z.string(), user_name: z.string() }).optional(),
})

/** The identity as JSON for the job row: codes and scopes of this moment (J1). */
export function freezeIdentity(me: Me): string {
  return JSON.stringify({ ...me, codes: [...me.codes] } satisfies z.input<typeof Frozen>)
}

/** The identity as the job acts. */
export function thawIdentity(stored: unknown): Me {
  return Frozen.parse(stored)
}
