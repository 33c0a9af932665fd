import { z } from 'zod'
import { TemplateZone, zone_modules } from './template.ts'

/** From the widest to the most specific, which wins (chapter 60 §1.4). */
export const zone_scopes = { '1': '全校', '2': '学段', '3': '年级', '4': '班级', '5': '单机' } as const
export const zone_scope = { school: 1, stage: 2, grade: 3, dept: 4, board: 5 } as const
const Scope = z.coerce.number().int().min(1).max(5)
const ScopeId = z.string().regex(/^[0-9]{1,18}$/)

/** Whose zones are looked at: `scope_id` is a stage or grade by its code, a class or a board by its id; none for the whole school. */
export const ZoneScope = z.object({ scope: Scope, scope_id: ScopeId.optional() })
export type ZoneScope = z.output<typeof ZoneScope>

/** A zone as it holds there. `module` null: what its template says; `from`: the scope that says it; `is_own`: the one that was asked for. */
export const ZoneValue = z.object({
  zone: z.string(),
  title: z.string(),
  module: TemplateZone.shape.module.nullable(),
  from: z.enum(['1', '2', '3', '4', '5']).nullable(),
  is_own: z.boolean(),
})
export type ZoneValue = z.output<typeof ZoneValue>

/** `module` null gives the zone back to what is wider. */
export const ZoneChange = z.strictObject({
  scope: z.number().int().min(1).max(5),
  scope_id: ScopeId.optional(),
  zone: z.string().regex(/^[a-z][a-z0-9_]{0,19}$/, { error: '请选择显示区域' }),
  module: TemplateZone.shape.module.nullable(),
})
export const zone_module_names: Readonly<Record<string, string>> = zone_modules
