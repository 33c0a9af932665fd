import { readStored, store } from '@kit/web'

/** Whether the sidebar was folded when this browser was used last. */
export function readFolded(): boolean {
  return readStored('sidebar') === 'folded'
}

/** Keeps the fold of the sidebar for the next visit. */
export function rememberFolded(folded: boolean): void {
  store('sidebar', folded ? 'folded' : 'open')
}
