import type { AppModuleCode } from '@campus/identity/contract'
import { isAppModule } from '@campus/identity/contract'
import { useCallback, useEffect, useRef } from 'react'
import type { RefCallback } from 'react'

type Pane = 'free' | 'shown'
type Drop = (code: AppModuleCode, pane: Pane, at: number) => void
const mark = 'data-dragged'

/** Lets lines marked `data-module` be dragged between lists marked `data-pane`; `at` is the place of the line under the mouse, or the end. */
export function useDragPanes(drop: Drop): RefCallback<HTMLElement> {
  const latest = useRef(drop)
  useEffect(() => {
    latest.current = drop
  }, [drop])
  return useCallback(root => (root ? listen(root, (...dropped) => latest.current(...dropped)) : undefined), [])
}

function listen(root: HTMLElement, drop: Drop): () => void {
  const over = new AbortController()
  const { signal } = over
  let dragged: HTMLElement | null = null
  const leave = () => {
    dragged?.removeAttribute(mark)
    dragged = null
  }
  root.addEventListener('dragstart', event => {
    dragged = lineOf(event)
    dragged?.setAttribute(mark, '')
  }, { signal })
  root.addEventListener('dragover', event => {
    if (dragged && paneOf(event)) event.preventDefault()
  }, { signal })
  root.addEventListener('drop', event => {
    const code = dragged?.dataset.module ?? ''
    const pane = paneOf(event)
    if (!dragged || !pane || !isAppModule(code)) return
    event.preventDefault()
    const lines = [...pane.querySelectorAll('[data-module]')]
    const at = lines.findIndex(line => line === lineOf(event))
    leave()
    drop(code, pane.dataset.pane === 'shown' ? 'shown' : 'free', at < 0 ? lines.length : at)
  }, { signal })
  root.addEventListener('dragend', leave, { signal })
  return () => over.abort()
}

function lineOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-module]') : null
}

function paneOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-pane]') : null
}
