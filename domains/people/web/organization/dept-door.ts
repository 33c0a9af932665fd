import { useCallback, useMemo, useRef, useState } from 'react'
import type { FocusEvent } from 'react'
import { made_types } from './dept-place.ts'

/** The one dialog of the page. `grade`, `class_no` and the like are proposals that the form begins with. */
export type DeptDialog =
  | { kind: 'add'; parent_id: string; dept_type: number }
  | { kind: 'edit'; id: string }
  | { kind: 'batch'; grade_id: string }
  | { kind: 'move'; id: string }
  | { kind: 'remove'; id: string }
  | { kind: 'starter' }

/** Which dialog is open, and how to open another. `remember` goes on the page, so that closing leads back to where one was. */
export type DeptDoor = {
  /** kinds of departments that this page makes */
  makes: readonly number[]
  opened: DeptDialog | null
  open: (dialog: DeptDialog) => void
  close: () => void
  remember: (event: FocusEvent<HTMLElement>) => void
}

/** The dialogs of the organisation page: one at a time. */
export function useDeptDoor(makes: keyof typeof made_types = 'student'): DeptDoor {
  const [opened, open] = useState<DeptDialog | null>(null)
  const home = useRef<{ page: HTMLElement; at: Element } | null>(null)
  // Menus and dialogs stand outside the page's element; only what is in it can be gone back to.
  const remember = useCallback((event: FocusEvent<HTMLElement>) => {
    if (event.currentTarget.contains(event.target)) home.current = { page: event.currentTarget, at: event.target }
  }, [])
  const close = useCallback(() => {
    open(null)
    window.setTimeout(() => focusHome(home.current))
  }, [])
  return useMemo(() => ({ makes: made_types[makes], opened, open, close, remember }), [makes, opened, close, remember])
}

/** Back to where one was; when that is gone, to the line of the tree that is in turn. */
function focusHome(home: { page: HTMLElement; at: Element } | null): void {
  const target = home?.at.isConnected ? home.at : home?.page.querySelector('[role="treeitem"][tabindex="0"]')
  if (target instanceof HTMLElement) target.focus()
}
