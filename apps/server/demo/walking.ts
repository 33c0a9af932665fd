import type { TeachingPlan } from '@campus/teaching/server'
import source from './data/lessons.json' with { type: 'json' }

type Walking = NonNullable<TeachingPlan['walking']>
type PlannedWalking = Walking['classes'][number]
/** A pupil of a walking home class: his three subjects and the classes in which he is taught them. */
type Pupil = { user_id: string; class_no: number }
/** Whom a subject is taught by next in a stage, and what he takes on. */
export type Choose = (subject: string, weekly: number) => { course_no: string; teacher_ids: string[] }
type Group = { subject: string; weekly: number; room: number; student_ids: string[] }

const codes: Readonly<Record<string, string>> = { 物理: '16', 历史: '21', 化学: '17', 生物学: '18', 思想政治: '12', 地理: '20' }
/** Each pupil has one group of either block; the number in the second one by that in the first, so that he never has a subject twice. */
const blocks = [['化学', '生物学', '地理', '地理', '思想政治'], ['化学', '生物学', '地理', '思想政治', '思想政治']] as const
const turns = [[3, 4, 0, 1, 2], [2, 3, 4, 0, 1]] as const

/** Home classes whose pupils walk: for both second choices, and of these the ones that walk for the first choice too (chapter 50 §8). */
export const walking_classes: { second: readonly number[]; first: readonly number[] } = source.walking

/**
 * The walking classes of a senior grade: three of the first choice, ten of the second ones in two blocks of five.
 * @param rooms one for each group of a block
 * @returns the classes, and the three subjects of every pupil who walks
 */
export function planWalking(grade: string, pupils: readonly Pupil[], { rooms, choose, hours }: { rooms: readonly string[]; choose: Choose;
  hours: { first: number; second: number } }): { classes: PlannedWalking[]; combos: NonNullable<TeachingPlan['combos']>[number][] } {
  const [mixed_from = 0] = walking_classes.first
  const firsts = ['物理', '历史', '历史'].map((subject, room): Group => ({ subject, weekly: hours.first, room, student_ids: [] }))
  const seconds = blocks.map(block => block.map((subject, room): Group => ({ subject, weekly: hours.second, room, student_ids: [] })))
  const combos = pupils.map(({ user_id, class_no }, at) => {
    const is_mixed = walking_classes.first.includes(class_no)
    const first = at % 3 === 0 ? firsts[0] : firsts[class_no === mixed_from ? 1 : 2]
    if (is_mixed) first?.student_ids.push(user_id)
    const turn = turns[Math.floor(at / blocks[0].length) % turns.length] ?? turns[0]
    const chosen = [seconds[0]?.[at % blocks[0].length], seconds[1]?.[turn[at % blocks[0].length] ?? 0]]
    for (const group of chosen) group?.student_ids.push(user_id)
    return { student_id: user_id, first: codes[is_mixed ? (first?.subject ?? '') : '物理'] ?? '',
      second: chosen.map(group => codes[group?.subject ?? ''] ?? '').toSorted() }
  })
  const counts = new Map<string, number>()
  const classes = [...firsts, ...seconds.flat()].map(({ subject, weekly, room, student_ids }): PlannedWalking => {
    const number = (counts.get(subject) ?? 0) + 1
    counts.set(subject, number)
    return { name: `${source.grade_names[grade === '32' ? 0 : 1] ?? ''}${subject}走班${number}班`, grade, weekly,
      place_id: rooms[room] ?? null, student_ids,
      ...choose(subject, weekly) }
  })
  return { classes, combos }
}
