import type { PersonHead, Relative } from '@campus/people/contract'
import { dictionaryName, useCan } from '@kit/web'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

const box = { width: 128, height: 48, gap: 24 }
const row_height = 104
const margin = 8
const codes = { parent: 'people.parent.view', pupil: 'people.student.view' } as const

type Placed = { one: Relative; x: number; y: number; need: string }

/** Parents above, brothers and sisters beside, children below; a full line answers for the child, a dashed one may only fetch it. */
export function FamilyGraph({ person: { user_name, guardians, siblings, children } }: { person: PersonHead }): ReactNode {
  const step = box.width + box.gap
  const most = Math.max(guardians.length, siblings.length + 1, children.length)
  const width = most * step - box.gap + margin * 2
  const middle = guardians.length > 0 ? row_height : 0
  const left = (boxes: number) => (width - boxes * step + box.gap) / 2
  const row = (people: readonly Relative[], y: number, need: string, first = 0): Placed[] => people.map((one, at) => ({ one, x: left(people.length + first) + (at + first) * step, y: y + margin, need }))
  const above = row(guardians, 0, codes.parent)
  const beside = row(siblings, middle, codes.pupil, 1)
  const below = row(children, middle + row_height, codes.pupil)
  const height = middle + (children.length > 0 ? row_height : 0) + box.height + margin * 2
  const self = { x: left(siblings.length + 1), y: middle + margin }
  return (
    <svg className="person-graph" role="group" aria-label="家庭关系图" viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      {above.map(({ one, x, y }) => <Line key={one.user_id} from={[x, y + box.height]} to={[self.x, self.y]} is_full={one.is_guardian} />)}
      {below.map(({ one, x, y }) => <Line key={one.user_id} from={[self.x, self.y + box.height]} to={[x, y]} is_full={one.is_guardian} />)}
      {beside.length > 0 && <line className="person-edge" x1={self.x} x2={self.x + beside.length * step} y1={self.y + box.height / 2} y2={self.y + box.height / 2} />}
      <Box x={self.x} y={self.y} name={user_name} note="本人" />
      {[...above, ...beside, ...below].map(({ one, x, y, need }) => <Relation key={one.user_id} one={one} x={x} y={y} need={need} />)}
    </svg>
  )
}

function Line({ from: [x1, y1], to: [x2, y2], is_full }: { from: readonly [number, number]; to: readonly [number, number]; is_full: boolean }): ReactNode {
  const half = box.width / 2
  return <line className="person-edge" x1={x1 + half} y1={y1} x2={x2 + half} y2={y2} strokeDasharray={is_full ? undefined : '4 4'} />
}

function Relation({ one, x, y, need }: Placed): ReactNode {
  const note = [one.relation === '' ? one.label : dictionaryName('PICKUP_RELATION', one.relation), one.can_pickup ? '可接送' : ''].filter(Boolean).join(' · ')
  const may_open = useCan(need)
  const node = <Box x={x} y={y} name={one.user_name} note={note} />
  return may_open ? <Link to="/PersonDetail" search={{ user_id: one.user_id }}>{node}</Link> : node
}

function Box({ x, y, name, note }: { x: number; y: number; name: string; note: string }): ReactNode {
  return (
    <>
      <rect x={x} y={y} width={box.width} height={box.height} rx={6} />
      <text x={x + box.width / 2} y={y + 20}>{name}</text>
      <text className="person-graph-note" x={x + box.width / 2} y={y + 38}>{note}</text>
    </>
  )
}
