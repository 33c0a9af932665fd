import type { DragEvent } from 'react'

/** What is dragged: a pupil of the roll. */
const pupil = 'application/x-campus-pupil'
const over = 'data-over'

/** Makes a name a handle by which its pupil is dragged. */
export function pupilHandle(user_id: string) {
  return { draggable: true, onDragStart: (event: DragEvent) => event.dataTransfer.setData(pupil, user_id) }
}

/** Takes a pupil who is dropped on a class of the tree; 调班 of the row does the same without a pointer. Null: the reader may not. */
export function classDrop(move: ((user_id: string, dept_id: string) => void) | null) {
  if (!move) return {}
  const leave = (event: DragEvent) => classAt(event)?.removeAttribute(over)
  return {
    onDragOver: (event: DragEvent) => {
      const node = event.dataTransfer.types.includes(pupil) ? classAt(event) : null
      if (!node) return
      event.preventDefault()
      node.setAttribute(over, '')
    },
    onDragLeave: leave,
    onDrop: (event: DragEvent) => {
      leave(event)
      const [user_id, dept_id] = [event.dataTransfer.getData(pupil), classAt(event)?.getAttribute('data-drop')]
      if (user_id === '' || !dept_id) return
      event.preventDefault()
      move(user_id, dept_id)
    },
  }
}

function classAt({ target }: DragEvent): Element | null {
  return target instanceof Element ? target.closest('[data-drop]') : null
}
