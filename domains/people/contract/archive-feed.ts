import { FieldChange } from '@campus/audit/contract'
import type { archive_sources } from '@campus/audit/contract'
import { api, Day, filter, get, Instant, page_sizes } from '@kit/contract'
import { z } from 'zod'
import { ChangeId } from './change-id.ts'
import { UserId } from './student.ts'

const text = filter(z.string().trim().min(1).max(50))
const sources = z.enum(['typed', 'import', 'sync', 'registration', 'promotion', 'merge', 'id_derived', 'collect', 'command', 'undo'] satisfies (keyof typeof archive_sources)[])

/** Filters of a feed; days of the school, both included. `actor`: name or number of who did it. */
const FeedQuery = z.object({
  from: filter(Day),
  to: filter(Day),
  /** name or number of the person it is about */
  person: text,
  user_id: filter(UserId),
  field: filter(z.string().max(60)),
  source: filter(sources),
  actor: text,
  batch_no: filter(z.string().max(40)),
  command_id: filter(ChangeId),
  /** where the page before ended */
  cursor: z.string().max(120).optional(),
  page_size: z.coerce.number().refine(n => page_sizes.some(size => size === n)).default(50),
})

/** One change of one person, protected values masked. */
export const FeedRow = z.object({
  log_id: z.uuid(),
  happened_at: Instant,
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string().nullable(),
  dept_name: z.string().nullable(),
  op_type: z.number().int(),
  changes: z.array(FieldChange),
  source: z.string(),
  batch_no: z.string().nullable(),
  command_id: ChangeId.nullable(),
  actor: z.string().nullable(),
  role_name: z.string().nullable(),
  acted_for: z.string().nullable(),
})
export type FeedRow = z.output<typeof FeedRow>

const Feed = z.object({ list: z.array(FeedRow), /** null at the end */ older: z.string().nullable() })

/** What changed in the archives of pupils and of staff, newest first (chapter 20 §4 Departed, §5.1). */
export const archiveFeedApi = api('core', 'people.archive', {
  student: get('archive/student/page', { query: FeedQuery, reply: Feed, need: 'people.archive.view', within: 'student_dept' }),
  teacher: get('archive/teacher/page', { query: FeedQuery, reply: Feed, need: 'people.archive.view', within: 'staff_dept' }),
})

const view_op = 13

/** The file of a pupil or of a member of staff as it was at the end of a day. */
export const FileAsOf = z.object({
  user_id: UserId,
  on: Day,
  user_name: z.string(),
  /** PERSON_KIND: 1 pupil, 2 staff */
  person_kind: z.union([z.literal(1), z.literal(2)]),
  user_no: z.string(),
  /** the class of that day, or all departments */
  dept_name: z.string().nullable(),
  /** null: not here that day */
  state: z.string().nullable(),
  /** `changed`: it has another value today */
  fields: z.array(z.object({ field: z.string(), label: z.string(), value: z.string(), changed: z.boolean() })),
  guardians: z.array(z.object({ user_name: z.string(), relation: z.string(), is_guardian: z.boolean() })),
})
export type FileAsOf = z.output<typeof FileAsOf>

export const asOfApi = api('core', 'people.archive', {
  asOf: get('person/:id/as-of', { params: z.object({ id: UserId }), query: z.object({ on: Day }), reply: FileAsOf, need: 'people.archive.view', within: 'dept', op: view_op }),
})
