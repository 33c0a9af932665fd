import { useLayoutEffect, useState } from 'react'

/**
 * Opens a dialog of antd one step after it was mounted. antd notes an open dialog for Esc while it draws; a first draw that React
 * gives up (code that has just arrived is drawn in slices) would stay noted and keep Esc from every dialog below until a reload.
 * What a layout effect asks for is drawn in one go.
 */
export function useShown(open: boolean): boolean {
  const [mounted, setMounted] = useState(false)
  useLayoutEffect(() => setMounted(true), [])
  return mounted && open
}
