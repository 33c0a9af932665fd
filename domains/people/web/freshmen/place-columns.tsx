import type { ClassFigures, PlaceBoard, PlaceChild, PlaceClass } from '@campus/people/contract'
import { Button } from 'antd'
import { useState } from 'react'
import type { DragEvent, ReactNode } from 'react'
import type { Board } from './use-board.ts'

const percent = 100

/** One column a class; a card is dragged, or chosen and then moved by the button of a column. */
export function PlaceColumns({ drawn, board }: { drawn: PlaceBoard; board: Board }): ReactNode {
  const [chosen, choose] = useState<string | null>(null)
  const may_move = drawn.state === 'draft' && !drawn.is_stale
  const seated = Map.groupBy(drawn.children, child => board.placeOf(child.id))
  const move = (id: string, dept_id: string) => {
    const child = drawn.children.find(one => one.id === id)
    if (may_move && child?.fixed === null) board.move(id, dept_id)
    choose(null)
  }
  return (
    <div className="fresh-columns">
      {drawn.classes.map(one => {
        const figures = board.figures?.classes.find(figure => figure.dept_id === one.dept_id)
        const may_come = chosen !== null && board.placeOf(chosen) !== one.dept_id
        return (
          <section key={one.dept_id} aria-label={one.dept_name}>
            <div className="fresh-drop" onDragOver={event => may_move && event.preventDefault()} onDrop={event => move(event.dataTransfer.getData('text/plain'), one.dept_id)}>
              <header><h3>{one.dept_name}</h3>{may_come && <Button size="small" onClick={() => move(chosen, one.dept_id)}>移到本班</Button>}</header>
              {figures && <Bars one={one} figures={figures} />}
              <ul>
                {(seated.get(one.dept_id) ?? []).map(child => <Card key={child.id} child={child} is_chosen={child.id === chosen} may_move={may_move} choose={() => choose(child.id === chosen ? null : child.id)} />)}
              </ul>
            </div>
          </section>
        )
      })}
    </div>
  )
}

function Bars({ one, figures: { size, boys, mean } }: { one: PlaceClass; figures: ClassFigures }): ReactNode {
  return (
    <dl>
      <div><dt>{size} 人</dt><dd><i style={{ width: `${Math.min(percent, (size / Math.max(one.room, 1)) * percent)}%` }} /></dd></div>
      <div data-bar="boys"><dt>男 {boys} 女 {size - boys}</dt><dd><i style={{ width: `${(boys / Math.max(size, 1)) * percent}%` }} /></dd></div>
      {mean !== null && <div data-bar="mean"><dt>均分 {mean.toFixed(2)}</dt><dd><i style={{ width: `${Math.min(percent, mean)}%` }} /></dd></div>}
    </dl>
  )
}

type CardProps = { child: PlaceChild; is_chosen: boolean; may_move: boolean; choose: () => void }

function Card({ child: { id, user_name, is_boy, score, twin_group, apart_group, fixed }, is_chosen, may_move, choose }: CardProps): ReactNode {
  const may_drag = may_move && fixed === null
  const marks = [is_boy ? '男' : '女', ...(score === null ? [] : [String(score)]), ...(twin_group === null ? [] : ['同班组']), ...(apart_group === null ? [] : ['分开组']), ...(fixed === null ? [] : ['已报到'])]
  return (
    <li>
      <button type="button" data-boy={is_boy} draggable={may_drag} disabled={!may_drag} aria-pressed={is_chosen} onDragStart={(event: DragEvent) => event.dataTransfer.setData('text/plain', id)} onClick={choose}>
        {user_name}<small>{marks.join(' ')}</small>
      </button>
    </li>
  )
}
