import type { MergeCaseRow, MergeField, MergeLogRow, MergePreview } from '@campus/people/contract'

const day_ms = 86_400_000
const parent_kind = 3

/** Signs as the cards show them. */
export const signal_words: Readonly<Record<MergeCaseRow['signals'][number], string>> = {
  mobile: '号码相同', name_birthday: '姓名、生日相同', name_guardian: '姓名、家长相同', face: '人脸重复', pinyin_class: '同班同音',
}
export const kind_words: Readonly<Record<MergeCaseRow['kind'], string>> = { student: '学生', teacher: '教职工', parent: '家长' }
/** What each column of the comparison is called, beside its colour. */
export const verdict_words: Readonly<Record<MergeField['verdict'], string>> = { same: '相同', keep: '仅左侧有', drop: '仅右侧有', both: '不同' }

/** Who of a case stays and who is taken in: one of the staff takes a parent in, never the other way round; else the file with more history stays. */
export function pairOf({ a, b }: Pick<MergeCaseRow, 'a' | 'b'>): { keep: string; drop: string } {
  return a.person_kind === parent_kind && b.person_kind !== parent_kind ? { keep: b.user_id, drop: a.user_id } : { keep: a.user_id, drop: b.user_id }
}

/** Whole days in which a merge can still be taken back; 0: it is too late. */
export function daysLeft({ reversible_until, state }: Pick<MergeLogRow, 'reversible_until' | 'state'>, now: number): number {
  if (state === 'reversed') return 0
  return Math.max(0, Math.ceil((Date.parse(reversible_until) - now) / day_ms))
}

/** Fields worth a look first: those that differ, then those that only one has; the same ones last. */
export function inOrder(fields: readonly MergeField[]): MergeField[] {
  const rank = { both: 0, drop: 1, keep: 2, same: 3 }
  return fields.toSorted((one, other) => rank[one.verdict] - rank[other.verdict])
}

/** What moves, by domain. */
export function movesByDomain(moves: MergePreview['moves']): { title: string; lines: MergePreview['moves'] }[] {
  return [...Map.groupBy(moves, move => move.domain_title)].map(([title, lines]) => ({ title, lines }))
}
