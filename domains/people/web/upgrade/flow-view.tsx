import type { UpgradeItem, UpgradePerson } from '@campus/people/contract'
import { useMemo } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { flowOf } from './flow.ts'
import type { FlowBand, FlowGroup, FlowNode } from './flow.ts'

const wide = 900
const box = 200

type Props = { items: readonly UpgradeItem[]; people: readonly UpgradePerson[]; choose?: ((dept_id: string) => void) | undefined }

/** This year beside next year: a band for each class, as wide as its pupils. Grades and classes are buttons that open their choice. */
export function FlowView({ items, people, choose }: Props): ReactNode {
  const flow = useMemo(() => flowOf(items, people), [items, people])
  return (
    <div className="up-flow">
      <svg viewBox={`0 0 ${wide} ${flow.height + 24}`} role="group" aria-label="班级去向图">
        <text className="up-column" x={0} y={12}>本学年</text>
        <text className="up-column" x={wide - box} y={12}>下学年</text>
        <g transform="translate(0 24)">
          {flow.bands.map(band => <Band key={band.key} band={band} choose={choose} />)}
          {flow.left_groups.map(group => <Head key={group.key} group={group} x={0} choose={choose} />)}
          {flow.right_groups.map(group => <Head key={group.key} group={group} x={wide - box} choose={undefined} />)}
          {flow.left.map(node => <Box key={node.key} node={node} x={0} choose={choose} />)}
          {flow.right.map(node => <Box key={node.key} node={node} x={wide - box} choose={undefined} />)}
        </g>
      </svg>
    </div>
  )
}

type Chooses = { choose: ((dept_id: string) => void) | undefined }

/** What makes a drawn thing a button. */
function opens(dept_id: string | null, label: string, choose: Chooses['choose']) {
  if (dept_id === null || !choose) return {}
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    choose(dept_id)
  }
  return { role: 'button', tabIndex: 0, 'aria-description': label, onClick: () => choose(dept_id), onKeyDown }
}

function Band({ band, choose }: { band: FlowBand } & Chooses): ReactNode {
  const { y0, y1, width, dept_id, from, to, pupils } = band
  const [x0, x1] = [box, wide - box]
  const middle = (x0 + x1) / 2
  const path = `M${x0},${y0} C${middle},${y0} ${middle},${y1} ${x1},${y1} L${x1},${y1 + width} C${middle},${y1 + width} ${middle},${y0 + width} ${x0},${y0 + width} Z`
  return (
    <path className="up-band" data-action={band.bent ? 'BENT' : (band.action ?? 'OPEN')} d={path} onClick={choose ? () => choose(dept_id) : undefined}>
      <title>{`${from} → ${to}，${pupils}人`}</title>
    </path>
  )
}

function Head({ group, x, choose }: { group: FlowGroup; x: number } & Chooses): ReactNode {
  return (
    <g className={group.dept_id !== null && choose ? 'up-head up-press' : 'up-head'} {...opens(group.dept_id, '选择去向', choose)}>
      <rect x={x} y={group.y - 15} width={box} height={20} rx={4} />
      <text x={x + 4} y={group.y}>{group.title}</text>
      {group.dept_id !== null && choose && <text className="up-more" x={x + box - 30} y={group.y}>去向</text>}
    </g>
  )
}

function Box({ node, x, choose }: { node: FlowNode; x: number } & Chooses): ReactNode {
  const { y, height, title, pupils, dept_id } = node
  return (
    <g className={dept_id !== null && choose ? 'up-box up-press' : 'up-box'} {...opens(dept_id, `${pupils}人，选择去向`, choose)}>
      <rect x={x} y={y} width={box} height={height} rx={3} />
      <text x={x + 8} y={y + height / 2 + 4}>{title}</text>
      <text className="up-count" x={x + box - 8} y={y + height / 2 + 4}>{pupils}</text>
    </g>
  )
}
