let stop: (() => void) | undefined

/** Joins this tab to the browser's one connection; its code comes only now. Call it when the page has what it needs; the answer leaves again. */
export function startRealtime(): () => void {
  let wanted = true
  void import('./tabs.ts').then(
    ({ joinTabs }) => {
      if (wanted) stop ??= joinTabs()
    },
    // Without it everything still works, only later.
    () => undefined,
  )
  return () => {
    wanted = false
    stopRealtime()
  }
}

/** Leaves the connection for good: whoever is signed out has nothing more to hear. */
export function stopRealtime(): void {
  stop?.()
  stop = undefined
}
