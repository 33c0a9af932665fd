import { readScore, scoreApi } from '@campus/exams/contract'
import type { ScoreGrid } from '@campus/exams/contract'
import { call, sentenceOf, toast } from '@kit/web'
import { useMemo, useRef, useState } from 'react'

/** A cell as typed: saved, refused with why, or not yet sent. */
export type Mark = { text: string; state: 'saved' | 'bad' | 'typed'; why: string }
export type Change = { row: number; column: number; text: string }
const faults = { scoreRange: '分数超出满分', scoreStep: '小数位数过多', scoreWord: '不是分数' } as const

export const keyOf = (row: number, column: number) => `${row}-${column}`

/** What is typed into a grid of scores: each cell with its version, saved one by one or as a block, the second time apart from the first; a refusal stays at its cell. */
export function useGrid(exam_id: string, { papers, rows, decimals }: ScoreGrid, second = false) {
  const first = useMemo(() => new Map(rows.flatMap((row, at) => papers.flatMap((paper, column) => row.cells.filter(one => one.paper_id === paper.paper_id).map(cell => [keyOf(at, column), cell] as const)))), [papers, rows])
  const versions = useRef(new Map<string, number>())
  const [marks, put] = useState<ReadonlyMap<string, Mark>>(new Map())
  const sits = (row: number, column: number) => first.has(keyOf(row, column))
  const textAt = (row: number, column: number) => marks.get(keyOf(row, column))?.text ?? first.get(keyOf(row, column))?.text ?? ''
  const versionAt = ({ row, column }: Change) => versions.current.get(keyOf(row, column)) ?? first.get(keyOf(row, column))?.version ?? 0
  const faultOf = ({ column, text }: Change) => {
    const paper = papers[column]
    const score = paper ? readScore(text, { full_score: paper.full_score, decimals }) : 'scoreWord'
    return typeof score === 'string' ? faults[score] : null
  }
  const mark = (changes: readonly Change[], state: Mark['state'], whyOf: (one: Change) => string) => put(now => new Map([...now, ...changes.map((one): [string, Mark] => [keyOf(one.row, one.column), { text: one.text, state, why: whyOf(one) }])]))
  const save = async (changes: readonly Change[]) => {
    mark(changes.filter(one => faultOf(one) !== null), 'bad', one => faultOf(one) ?? '')
    const good = changes.filter(one => faultOf(one) === null && sits(one.row, one.column))
    if (good.length === 0) return
    const cells = good.map(one => ({ paper_id: papers[one.column]?.paper_id ?? '', user_id: rows[one.row]?.user_id ?? '', value: one.text, version: versionAt(one) }))
    try {
      const answer = second
        ? await call(scoreApi.secondCell, { exam_id, cells: cells.map(({ version: _version, ...cell }) => cell) }, { quiet: true })
        : await call(scoreApi.cell, { exam_id, cells }, { quiet: true })
      good.forEach((one, at) => versions.current.set(keyOf(one.row, one.column), answer.cells[at]?.version ?? 0))
      mark(good.map((one, at) => ({ ...one, text: answer.cells[at]?.text ?? one.text })), 'saved', () => '')
    } catch (cause) {
      mark(good, 'bad', () => sentenceOf(cause))
      toast.warning(sentenceOf(cause))
    }
  }
  const type = (one: Change) => mark([one], 'typed', () => '')
  return { marks, sits, textAt, faultOf, save, type }
}
