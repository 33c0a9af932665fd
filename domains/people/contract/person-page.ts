import { FieldChange } from '@campus/audit/contract'
import { api, Day, filter, get, Instant, queryList } from '@kit/contract'
import { z } from 'zod'
import { ChangeId } from './change-id.ts'
import { UserId } from './student.ts'
import { TagMark } from './tag-mark.ts'

/** What somebody is to the school; one person may be several. */
export const person_facets = ['student', 'staff', 'parent'] as const
export type PersonFacet = (typeof person_facets)[number]

/** What the head of the page warns of. */
export const person_warnings = { no_guardian: '缺监护人', suspend_due: '休学将到期', suspend_over: '休学超期' } as const
const Warning = z.enum(['no_guardian', 'suspend_due', 'suspend_over'] satisfies (keyof typeof person_warnings)[])

const Relative = z.object({
  user_id: UserId,
  user_name: z.string(),
  relation: z.string(),
  /** class of a child, as it is called today */
  label: z.string().nullable(),
  is_first: z.boolean(),
  is_guardian: z.boolean(),
  can_pickup: z.boolean(),
})
export type Relative = z.output<typeof Relative>

/** One facet as the reader may see it. `state` null: a parent; `left_on`: the first day he was gone. */
const Facet = z.object({ facet: z.enum(person_facets), user_no: z.string().nullable(), label: z.string().nullable(), state: z.string().nullable(), state_until: Day.nullable(), left_on: Day.nullable() })
export type Facet = z.output<typeof Facet>

/** Who somebody is: the facets that the reader may see, the first of them the leading one. */
export const PersonHead = z.object({
  user_id: UserId,
  user_name: z.string(),
  /** an address for this reader; null without a photo */
  photo_url: z.string().nullable(),
  facets: z.array(Facet).min(1),
  tags: z.array(TagMark),
  duties: z.array(z.object({ duty: z.string(), dept_name: z.string() })),
  guardians: z.array(Relative),
  children: z.array(Relative),
  /** other pupils of the same guardians */
  siblings: z.array(Relative),
  warnings: z.array(Warning),
})
export type PersonHead = z.output<typeof PersonHead>

/** Something that happened. `id` is unique within its lane; `link` leads to a page of the console. */
export const TimelineItem = z.object({ id: z.string().max(80), at: Instant, domain: z.string(), lane: z.string(), kind: z.string(), title: z.string(), link: z.string().nullable() })
export type TimelineItem = z.output<typeof TimelineItem>

const Lane = z.object({ lane: z.string(), title: z.string() })
export type Lane = z.output<typeof Lane>

/** Items from the newest to the oldest. Lanes whose code the reader lacks are not named anywhere. */
const Timeline = z.object({
  list: z.array(TimelineItem),
  lanes: z.array(Lane),
  /** lanes that did not answer in time */
  unavailable: z.array(Lane),
  /** null at the end */
  older: z.string().nullable(),
})
export type Timeline = z.output<typeof Timeline>

const TodayLines = z.object({ list: z.array(z.object({ lane: z.string(), at: Instant.nullable(), text: z.string() })), unavailable: z.array(Lane) })

/** One card, face or terminal of a person, as its domain tells it. */
const Credential = z.object({ id: z.string().max(80), title: z.string(), status: z.enum(['ok', 'waiting', 'off']), status_text: z.string(), detail: z.string().nullable(), at: Instant.nullable() })
export type Credential = z.output<typeof Credential>
/** What he opens doors and pays with, by who tells of it; lanes whose code the reader lacks are not named. */
const Credentials = z.object({ list: z.array(Lane.extend({ items: z.array(Credential) })), unavailable: z.array(Lane) })

const HistoryLine = z.object({
  log_id: z.uuid(),
  happened_at: Instant,
  change: FieldChange,
  source: z.string(),
  batch_no: z.string().nullable(),
  command_id: ChangeId.nullable(),
  actor: z.string().nullable(),
})
export type HistoryLine = z.output<typeof HistoryLine>

/** Changes of one field that are shown. */
export const most_history = 200
/** Lanes of one question. */
const most_lanes = 30

const ById = z.object({ id: UserId })
// Which code is asked for depends on what the person is: pupils, staff and leavers each have their own; who holds none of them finds nobody.
const seen = { session: true, within: 'dept' } as const

/** The one page of a person (chapter 20 §4, §5.3). */
export const personPageApi = api('core', 'people.page', {
  head: get('person/:id/head', { params: ById, reply: PersonHead, ...seen }),
  today: get('person/:id/today', { params: ById, reply: TodayLines, ...seen }),
  credentials: get('person/:id/credentials', { params: ById, reply: Credentials, ...seen }),
  timeline: get('person/:id/timeline', {
    params: ById,
    query: z.object({ from: filter(Day), to: filter(Day), domains: filter(queryList(z.string().max(40), most_lanes)), cursor: z.string().max(200).optional() }),
    reply: Timeline,
    ...seen,
  }),
})

export const personHistoryApi = api('core', 'people.archive', {
  history: get('person/:id/history', { params: ById, query: z.object({ field: z.string().min(1).max(60) }), reply: z.object({ list: z.array(HistoryLine).max(most_history) }), need: 'people.archive.view', within: 'dept' }),
})
