import type { MetricCode } from '@campus/insight/contract'
import type { Figures } from './use-overview.ts'

/** One tile of the row: a main figure, or several of the same weight, and what belongs to it in small. */
export type Tile = { code: string; title: string; wide: boolean; main: readonly MetricCode[]; parts: readonly MetricCode[] }

/** Figures that are worth a line only when they are not 0. */
const shy: readonly MetricCode[] = ['student_stopped', 'student_reserved', 'class_overfull', 'enrolled_next', 'moved_next', 'left_next']

const all: readonly Tile[] = [
  {
    code: 'students', title: '在读学生', wide: true, main: ['student_total'],
    parts: ['student_boys', 'student_girls', 'student_boarders', 'student_suspended', 'student_stopped', 'student_reserved'],
  },
  { code: 'classes', title: '班级', wide: false, main: ['class_total'], parts: ['class_headless', 'class_overfull'] },
  { code: 'staff', title: '教职工', wide: false, main: ['staff_total'], parts: [] },
  { code: 'changes', title: '近7天变动', wide: true, main: ['enrolled_week', 'moved_week', 'left_week'], parts: ['enrolled_next', 'moved_next', 'left_next'] },
  { code: 'gaps', title: '资料缺失', wide: true, main: ['missing_guardian', 'missing_id_no', 'missing_photo'], parts: [] },
]

/** The tiles that hold a figure the identity may know, without what is absent or not worth a line. */
export function tilesOf(figures: Figures): Tile[] {
  const known = (metric: MetricCode) => figures.has(metric)
  const told = (metric: MetricCode) => known(metric) && !(shy.includes(metric) && figures.get(metric)?.count === 0)
  return all.map((tile) => ({ ...tile, main: tile.main.filter(known), parts: tile.parts.filter(told) })).filter(({ main }) => main.length > 0)
}
