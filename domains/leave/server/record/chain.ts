/** One sick leave, by days of the school's clock; `gap_days`: school days since the end of the one before. */
export type SickLeave = { leave_id: string; from: string; to: string; school_days: number; lessons: number; is_rest: boolean; gap_days: number; has_proof: boolean }
export type Chain = { leaves: readonly SickLeave[]; school_days: number; lessons: number }

/** School days between two sick leaves that are still one illness; school days from which a chain is watched (chapter 70 L16). */
const most_gap = 3
const watched_from = 3

/** Sick leaves of one person, in their order, as chains: those with at most three school days between them belong together. Short ones are left out unless the reason is 疗养. */
export function chainsOf(leaves: readonly SickLeave[]): Chain[] {
  const chains: SickLeave[][] = []
  for (const leave of leaves) {
    const last = chains.at(-1)
    if (last && leave.gap_days <= most_gap) last.push(leave)
    else chains.push([leave])
  }
  return chains
    .map(of => ({ leaves: of, school_days: sum(of, one => one.school_days), lessons: sum(of, one => one.lessons) }))
    .filter(chain => chain.school_days >= watched_from || chain.leaves.some(one => one.is_rest))
}

function sum(leaves: readonly SickLeave[], of: (one: SickLeave) => number): number {
  return Math.round(leaves.reduce((total, one) => total + of(one), 0) * 100) / 100
}
