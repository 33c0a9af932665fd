import { useCallback, useEffect, useRef } from 'react'
import type { RefCallback } from 'react'

const mark = 'data-dragged'

/** Lets the lines of a list be dragged to another place of it; every line is a `draggable` child of the list, and has buttons for keys besides. */
export function useDragOrder(move: (from: number, to: number) => void): RefCallback<HTMLElement> {
  const latest = useRef(move)
  useEffect(() => {
    latest.current = move
  }, [move])
  return useCallback(list => (list ? listen(list, (from, to) => latest.current(from, to)) : undefined), [])
}

function listen(list: HTMLElement, move: (from: number, to: number) => void): () => void {
  const over = new AbortController()
  const { signal } = over
  let dragged: Element | undefined
  const lineOf = ({ target }: Event) => [...list.children].find(line => target instanceof Node && line.contains(target))
  const placeOf = (line: Element | undefined) => (line ? [...list.children].indexOf(line) : -1)
  const leave = () => {
    dragged?.removeAttribute(mark)
    dragged = undefined
  }
  list.addEventListener('dragstart', event => {
    dragged = lineOf(event)
    dragged?.setAttribute(mark, '')
  }, { signal })
  list.addEventListener('dragover', event => {
    if (dragged) event.preventDefault()
  }, { signal })
  list.addEventListener('drop', event => {
    const [from, to] = [placeOf(dragged), placeOf(lineOf(event))]
    event.preventDefault()
    leave()
    if (from >= 0 && to >= 0 && from !== to) move(from, to)
  }, { signal })
  list.addEventListener('dragend', leave, { signal })
  return () => over.abort()
}
