import { Day } from '@kit/contract'
import { z } from 'zod'
import { EffectiveDay, Named, NeededReason, Reason, subjects, ToWhere } from './change-parts.ts'
import { DeptId } from './dept.ts'

/** Ways a pupil leaves the school by a command of one person's own. */
export const leave_kinds = ['OUT', 'QUIT', 'ABROAD', 'LOST', 'DEATH', 'EXPEL'] as const
export type LeaveKind = (typeof leave_kinds)[number]
/** Leaving that needs `people.change.grave` besides. */
export const grave_kinds = ['DEATH', 'EXPEL'] as const satisfies readonly LeaveKind[]
/** Ways a pupil comes to another class: in the same year, in a lower one, in a higher one. */
export const move_kinds = ['CLASS', 'REPEAT', 'SKIP'] as const
/** Longest time of suspension before it must be renewed (chapter 20 §2). */
const longest_days = 366
const day_ms = 86_400_000

/** Moves pupils to other classes; `from_dept_id` is the class the page showed, so that two movers meet (rule 2). */
export const ClassMove = z.strictObject({
  kind: z.enum(move_kinds),
  subjects: subjects(Named.extend({ from_dept_id: DeptId, to_dept_id: DeptId })),
  ...EffectiveDay,
  reason: Reason.default(''),
})

/** Pupils leave the school on a day: the first one on which they are gone. */
export const Leave = z.strictObject({ kind: z.enum(leave_kinds), subjects: subjects(Named), ...EffectiveDay, reason: NeededReason, to_where: ToWhere.optional() })

/** Pupils stay on the roll without coming to school, until a day; for those who are suspended already it is the new end. */
export const Suspend = z
  .strictObject({ kind: z.literal('SUSPEND'), subjects: subjects(Named), ...EffectiveDay, until: Day, reason: NeededReason })
  .refine(({ effective_on, until }) => until > effective_on, { error: '休学截止日期须晚于生效日期', path: ['until'] })
  .refine(({ effective_on, until }) => Date.parse(until) - Date.parse(effective_on) <= longest_days * day_ms, { error: '休学期限最长一年，期满可续期', path: ['until'] })

/** Suspended pupils come back to school: into their class, or into another one. */
export const Resume = z.strictObject({ kind: z.literal('RESUME'), subjects: subjects(Named.extend({ to_dept_id: DeptId.nullable().default(null) })), ...EffectiveDay, reason: Reason.default('') })

/** Pupils who had left come back, each into a class. */
export const Return = z.strictObject({ kind: z.literal('RETURN'), subjects: subjects(Named.extend({ to_dept_id: DeptId })), ...EffectiveDay, reason: Reason.default('') })

export type ClassMove = z.output<typeof ClassMove>
export type Leave = z.output<typeof Leave>
export type PupilChange = ClassMove | Leave | z.output<typeof Suspend> | z.output<typeof Resume> | z.output<typeof Return>
