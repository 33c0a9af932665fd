import { most_guardians, peopleErrors } from '@campus/people/contract'
import type { GuardianDraft, GuardianEntry } from '@campus/people/contract'
import { commonErrors } from '@kit/contract'
import type { LinkState } from './guardian.update.ts'
import { invalid } from './student-file.trouble.ts'
import type { Trouble } from './student-file.trouble.ts'

/** A link as it stands, with what the plan looks at. */
export type StandingLink = LinkState & { mobile: string | null; is_locked: boolean }
/** A guardian to be linked, with the line of the request that says so. */
type AddedGuardian = { at: number; draft: GuardianDraft; is_first: boolean; is_guardian: boolean; can_pickup: boolean; order_no: number }
/** A guardian of whom name, numbers, work or education change. */
type RewrittenGuardian<L> = { at: number; entry: GuardianEntry; link: L }

/** What the lines of an edit come to: links that end, links that change, people that change, guardians to be linked. */
export type GuardianPlan<L> = { ended: L[]; changed: LinkState[]; rewritten: RewrittenGuardian<L>[]; added: AddedGuardian[]; troubles: Trouble[] }

type Line<L> = { at: number; entry: GuardianEntry; link: L | undefined }
type Kept<L> = { link: L; state: LinkState; asks_first: boolean }

const compulsory_stages: ReadonlySet<string> = new Set(['1', '2'])
const person_props = ['user_name', 'mobile', 'id_type', 'id_no', 'work', 'edu'] as const
/** What a person's own file says, when there is one. */
const own_props = ['user_name', 'mobile', 'id_type', 'id_no'] as const

/**
 * Plans the guardians of a pupil (chapter 20 rules 16, 17): at most six, one first contact, and in primary and junior school at least one
 * `is_guardian`. Who asks to be first moves the one before back; when the first one leaves, the next in order steps forward.
 * @param links today's links, first contact first
 * @param stage stage of the pupil's class; null = none
 */
export function planGuardians<L extends StandingLink>(links: readonly L[], entries: readonly GuardianEntry[], stage: string | null): GuardianPlan<L> {
  const lines = entries.map((entry, at) => ({ at, entry, link: links.find(link => link.parent_user_id === entry.user_id) }))
  const ended = lines.flatMap(({ entry, link }) => (link && entry.removed ? [link] : []))
  const kept = links.filter(link => !ended.includes(link)).map(link => keep(link, lines))
  const added = lines.filter(({ entry }) => entry.user_id === undefined && !entry.removed).flatMap((line, at) => add(line, nextOrder(links) + at))
  const states = chooseFirst(kept, added)
  const plan = {
    ended,
    changed: states.flatMap(({ link, state }) => (isSame(link, state) ? [] : [state])),
    rewritten: lines.flatMap(({ at, entry, link }) => (link && !entry.removed && person_props.some(prop => entry[prop] !== undefined) ? [{ at, entry, link }] : [])),
    added,
  }
  return { ...plan, troubles: entries.length === 0 ? [] : [...lineTroubles(lines), ...mobileTroubles(kept, lines), ...wholeTroubles(kept, added, stage)] }
}

function keep<L extends StandingLink>(link: L, lines: readonly Line<L>[]): Kept<L> {
  const entry = lines.find(line => line.link === link)?.entry ?? {}
  const { id, student_user_id, parent_user_id, order_no, valid_from } = link
  const { relation = link.relation, is_first = link.is_first, is_guardian = link.is_guardian, can_pickup = link.can_pickup } = entry
  const state = { id, student_user_id, parent_user_id, relation, is_first, is_guardian, can_pickup, order_no, valid_from }
  return { link, state, asks_first: entry.is_first === true }
}

function add<L>({ at, entry }: Line<L>, order_no: number): AddedGuardian[] {
  const { user_name, mobile, relation, is_first = false, is_guardian = true, can_pickup = true } = entry
  if (user_name === undefined || mobile === undefined || relation === undefined) return []
  const { id_type, id_no, work, edu } = entry
  return [{ at, draft: { user_name, mobile, relation, id_type, id_no, work, edu }, is_first, is_guardian, can_pickup, order_no }]
}

function nextOrder(links: readonly StandingLink[]): number {
  return Math.max(0, ...links.map(link => link.order_no)) + 1
}

/** Settles who is first; `added` is changed in place, the kept ones come back with their states. */
function chooseFirst<L>(kept: readonly Kept<L>[], added: readonly AddedGuardian[]): Kept<L>[] {
  const asked = [...kept.filter(one => one.asks_first), ...added.filter(one => one.is_first)]
  const standing = asked.length > 0 ? asked : kept.filter(one => one.state.is_first)
  const first = standing[0] ?? [...kept, ...added].toSorted((a, b) => orderOf(a) - orderOf(b))[0]
  for (const one of added) one.is_first = one === first
  return kept.map(one => ({ ...one, state: { ...one.state, is_first: one === first } }))
}

function orderOf<L>(one: Kept<L> | AddedGuardian): number {
  return 'state' in one ? one.state.order_no : one.order_no
}

function isSame(link: LinkState, state: LinkState): boolean {
  return (
    link.relation === state.relation && link.is_first === state.is_first && link.is_guardian === state.is_guardian && link.can_pickup === state.can_pickup
  )
}

function lineTroubles<L extends StandingLink>(lines: readonly Line<L>[]): Trouble[] {
  const firsts = lines.filter(({ entry }) => entry.is_first && !entry.removed)
  const unknown = lines.filter(({ entry, link }) => entry.user_id !== undefined && !link)
  const locked = lines.filter(({ entry, link }) => link?.is_locked && !entry.removed && own_props.some(prop => entry[prop] !== undefined))
  return [
    ...unknown.map(({ at }) => ({ failure: commonErrors.notFound, field: `parents.${at}.user_id` })),
    ...firsts.slice(1).map(({ at }) => invalid(`parents.${at}.is_first`, '只能有一名第一联系人')),
    ...locked.map(({ at }) => ({ failure: peopleErrors.guardianLocked, field: `parents.${at}.user_name` })),
  ]
}

/** One mobile stands for one guardian of the pupil. */
function mobileTroubles<L extends StandingLink>(kept: readonly Kept<L>[], lines: readonly Line<L>[]): Trouble[] {
  const said = lines.filter(({ entry }) => entry.mobile !== undefined && !entry.removed)
  const silent = kept.filter(({ link }) => !said.some(line => line.link === link)).map(({ link }) => link.mobile)
  const taken = said.filter(({ at, entry }) => silent.includes(entry.mobile ?? null) || said.some(other => other.at < at && other.entry.mobile === entry.mobile))
  return taken.map(({ at }) => ({ failure: peopleErrors.mobileTaken, field: `parents.${at}.mobile` }))
}

function wholeTroubles<L>(kept: readonly Kept<L>[], added: readonly AddedGuardian[], stage: string | null): Trouble[] {
  if (kept.length + added.length > most_guardians) return [invalid('parents', `每名学生最多关联${most_guardians}名家长`)]
  const is_held = kept.some(({ state }) => state.is_guardian) || added.some(one => one.is_guardian)
  const must_hold = stage !== null && compulsory_stages.has(stage)
  return must_hold && !is_held ? [{ failure: peopleErrors.lastGuardian, field: 'parents' }] : []
}
