import { nameKey } from '@kit/contract/checks'
import { case_score, merge_signals, signal_scores } from '@campus/people/contract'
import type { MergeKind, MergeSignal } from '@campus/people/contract'

/** Somebody in school as duplicates are looked for. Pupils have the class of today, grown-ups none. */
export type Known = { user_id: string; user_name: string; name_py: string; birthday: string | null; mobile: string | null; tel: string | null; is_student: boolean; is_staff: boolean; dept_id: string | null }
/** A pupil and one of his guardians. */
export type Kin = { student_user_id: string; parent_user_id: string }
/** Two people who may be one, the lower id first, with what speaks for it. */
type Pair = { a: string; b: string; kind: MergeKind; signals: MergeSignal[]; score: number }

const most_score = 100
/** What more people than these share is a placeholder or a number of an office, and says nothing of any two of them. */
const most_alike = 8

/** Every pair that is likely enough (chapter 20 rule 20). Pupils are compared with pupils, grown-ups with grown-ups. */
export function likelyPairs(people: readonly Known[], kin: readonly Kin[]): Pair[] {
  const known = new Map(people.map(person => [person.user_id, person]))
  const signs = new Map<string, { a: Known; b: Known; found: Set<MergeSignal> }>()
  const meet = (signal: MergeSignal, groups: Iterable<readonly Known[]>) => {
    for (const group of groups) for (const [a, b] of new Set(group).size > most_alike ? [] : pairsOf(group)) {
      const key = `${a.user_id} ${b.user_id}`
      const pair = signs.get(key) ?? { a, b, found: new Set<MergeSignal>() }
      pair.found.add(signal)
      signs.set(key, pair)
    }
  }
  const grown = people.filter(person => !person.is_student)
  const pupils = people.filter(person => person.is_student)
  const numbers = grown.flatMap(person => [...new Set([person.mobile, person.tel])].flatMap(no => (no === null ? [] : [{ no, person }])))
  meet('mobile', [...Map.groupBy(numbers, one => one.no).values()].map(list => list.map(one => one.person)))
  meet('name_birthday', Map.groupBy(people.filter(person => person.birthday !== null), person => `${person.is_student} ${nameKey(person.user_name)} ${person.birthday}`).values())
  const children = kin.flatMap(({ student_user_id, parent_user_id }) => {
    const child = known.get(student_user_id)
    return child ? [{ child, key: `${parent_user_id} ${nameKey(child.user_name)}` }] : []
  })
  meet('name_guardian', [...Map.groupBy(children, one => one.key).values()].map(list => list.map(one => one.child)))
  meet('pinyin_class', Map.groupBy(pupils.filter(pupil => pupil.dept_id !== null), pupil => `${pupil.dept_id} ${pupil.name_py}`).values())
  return [...signs.values()].flatMap(scored)
}

/** Every two different people of a group, once. */
function pairsOf(group: readonly Known[]): [Known, Known][] {
  const people = [...new Set(group)].toSorted((one, other) => Number(one.user_id) - Number(other.user_id))
  return people.flatMap((a, at) => people.slice(at + 1).map((b): [Known, Known] => [a, b]))
}

function scored({ a, b, found }: { a: Known; b: Known; found: ReadonlySet<MergeSignal> }): Pair[] {
  const signals = merge_signals.filter(signal => found.has(signal))
  const score = Math.min(most_score, signals.reduce((sum, signal) => sum + signal_scores[signal], 0))
  const kind = a.is_student ? 'student' : a.is_staff && b.is_staff ? 'teacher' : 'parent'
  return score < case_score ? [] : [{ a: a.user_id, b: b.user_id, kind, signals, score }]
}
