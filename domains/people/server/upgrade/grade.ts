import { GRADE } from '@campus/people/contract'
import type { UpgradeAction } from '@campus/people/contract'

const codes: readonly string[] = Object.keys(GRADE.names)
/** Which stage the pupils of a stage go on to: 幼儿园 → 小学 → 初中 → 高中; of 中职 and 高中 nobody goes on. */
const next_stage: Readonly<Record<string, string>> = { '0': '1', '1': '2', '2': '3' }

/** The grade after this one in the same stage; null after the last one and for a grade without a code. */
export function nextGrade(grade: string | null): string | null {
  const at = grade === null ? -1 : codes.indexOf(grade)
  const next = at < 0 ? undefined : codes.toSorted()[codes.toSorted().indexOf(grade ?? '') + 1]
  return next !== undefined && next[0] === grade?.[0] ? next : null
}

/** The first grade of the stage after that of this grade; null where nobody goes on. */
export function nextStageGrade(grade: string | null): string | null {
  const stage = next_stage[grade?.[0] ?? '']
  return stage === undefined ? null : `${stage}1`
}

/** The grade a cohort has after the action. */
export function gradeAfter(action: UpgradeAction | null, grade: string | null): string | null {
  if (action === 'UPGRADE') return nextGrade(grade)
  if (action === 'CONTINUE') return nextStageGrade(grade)
  return action === 'HOLD' ? grade : null
}

/** What a grade is called: 一年级, 高一; undefined without a code. */
export function wordOf(grade: string | null): string | undefined {
  return Object.entries(GRADE.names).find(([code]) => code === grade)?.[1]
}

/** The name with the word of the old grade turned into that of the new one; a name without the word stays (chapter 20 rule 5). */
export function renamed(name: string, from: string | null, to: string | null): string {
  const old_word = wordOf(from)
  const new_word = wordOf(to)
  return old_word !== undefined && new_word !== undefined && name.startsWith(old_word) ? new_word + name.slice(old_word.length) : name
}
