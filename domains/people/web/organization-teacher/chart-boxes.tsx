import type { StaffDept } from '@campus/people/contract'
import { memo } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { box } from './org-chart.ts'
import type { Chart, ChartBox } from './org-chart.ts'
import { actingWords } from './staff-facts.tsx'
import type { Acting } from './use-staff-board.ts'

type Around = { depts: ReadonlyMap<string, StaffDept>; acting: ReadonlyMap<string, readonly Acting[]>; open: (id: string) => void }

/** Colours stand in the drawing itself, since a saved picture has no style sheet. */
const colours = { line: '#b7c0cd', edge: '#c9d2de', ink: '#1f2329', soft: '#595959', red: '#a8071a', red_edge: '#ff7875', red_back: '#fff1f0', gold: '#874d00', gold_back: '#fff7d6' }
const font = '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif'
/** A text that is too long for its box is cut at the edge of a window of its own; the title of the box says it whole. */
const room = { name: 24, marked_name: 64, leader: 68 } as const

/** Lines first, boxes over them. Drawn anew only when the tree changes, not with every step of the zoom. */
export const ChartBoxes = memo(function ChartBoxes({ chart, ...around }: Around & { chart: Chart }): ReactNode {
  return (
    <g fontFamily={font}>
      {chart.boxes.map(one => one.parent && <path key={one.node.id} d={wayFrom(one.parent, one)} fill="none" stroke={colours.line} strokeWidth={1.5} aria-hidden />)}
      {chart.boxes.map(one => <Box key={one.node.id} one={one} {...around} />)}
    </g>
  )
})

function Box({ one: { node, x, y }, depts, acting, open }: Around & { one: ChartBox }): ReactNode {
  const dept = depts.get(node.id)
  const acts = acting.get(node.id) ?? []
  const leader = dept?.head ? `负责人 ${dept.head.user_name}` : dept?.is_vacant ? '缺负责人' : '未设负责人'
  const is_vacant = dept?.is_vacant === true
  const people = `${node.staff_count.toLocaleString('en-US')} 人`
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    open(node.id)
  }
  return (
    <g className="team-box" role="button" tabIndex={0} aria-label={[node.dept_name, leader, people, ...(acts.length > 0 ? [`委托：${actingWords(acts)}`] : [])].join('，')} transform={`translate(${x} ${y})`} onClick={() => open(node.id)} onKeyDown={press}>
      <title>{[node.dept_name, leader, ...(acts.length > 0 ? [actingWords(acts)] : [])].join('\n')}</title>
      <rect width={box.width} height={box.height} rx={6} fill={is_vacant ? colours.red_back : '#ffffff'} stroke={is_vacant ? colours.red_edge : colours.edge} strokeWidth={1.5} />
      <svg x={12} width={box.width - (acts.length > 0 ? room.marked_name : room.name)} height={28}><text y={21} fontSize={14} fontWeight={600} fill={colours.ink}>{node.dept_name}</text></svg>
      <svg x={12} y={26} width={box.width - room.leader} height={22}><text y={15} fontSize={12} fill={is_vacant ? colours.red : colours.soft}>{leader}</text></svg>
      <text x={box.width - 12} y={41} fontSize={12} textAnchor="end" fill={colours.soft}>{people}</text>
      {acts.length > 0 && (
        <>
          <rect x={box.width - 44} y={8} width={36} height={18} rx={4} fill={colours.gold_back} />
          <text x={box.width - 26} y={21} fontSize={12} textAnchor="middle" fill={colours.gold}>委托</text>
        </>
      )}
    </g>
  )
}

/** From the right edge of the box above to the left edge of the one below. */
function wayFrom(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const [x1, y1, x2, y2] = [from.x + box.width, from.y + box.height / 2, to.x, to.y + box.height / 2]
  const middle = (x1 + x2) / 2
  return `M${x1} ${y1}H${middle}V${y2}H${x2}`
}
