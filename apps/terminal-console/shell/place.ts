import { useSyncExternalStore } from 'react'

/** Forms with changes that are not saved, by their name. */
const unsaved = new Set<string>()
let asked: ((leaves: boolean) => void) | undefined
const listeners = new Set<() => void>()
const tell = () => listeners.forEach(listener => listener())

addEventListener('popstate', tell)
addEventListener('beforeunload', event => {
  if (unsaved.size > 0) event.preventDefault()
})

/** Where the user is; the page follows. */
export function usePlace(): string {
  return useSyncExternalStore(listen, () => location.pathname)
}

/** Whether somebody is being asked what becomes of his changes. */
export function useLeaving(): boolean {
  return useSyncExternalStore(listen, () => asked !== undefined)
}

/** Goes to another page; with unsaved changes only when somebody gives them up. */
export async function go(path: string): Promise<void> {
  if (path === location.pathname || !(await mayLeave())) return
  history.pushState(null, '', path)
  tell()
}

/** Whether changes may be given up, by whoever made them. */
export async function mayLeave(): Promise<boolean> {
  if (unsaved.size === 0) return true
  const leaves = await new Promise<boolean>(resolve => {
    asked = resolve
    tell()
  })
  if (leaves) unsaved.clear()
  return leaves
}

/** The answer to that question. */
export function answerLeaving(leaves: boolean): void {
  asked?.(leaves)
  asked = undefined
  tell()
}

/** Notes that a form has changes, or none any more. */
export function noteUnsaved(form: string, has_changes: boolean): void {
  if (has_changes) unsaved.add(form)
  else unsaved.delete(form)
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}
