import type { SettingsAnswer } from '@kit/terminal-protocol/console'
import { useCallback, useState } from 'react'
import { ask } from '../shell/ask.ts'
import { useWatched } from '../shell/use-work.ts'

/** The settings as the terminal has them, and as it answered when something of them was saved. */
export function useSettings() {
  const fetchIt = useCallback(() => ask<SettingsAnswer>('GET', 'settings'), [])
  const { data, is_away, again } = useWatched(fetchIt)
  const [saved, setSaved] = useState<{ after: SettingsAnswer | undefined; answer: SettingsAnswer }>()
  const answer = saved && saved.after === data ? saved.answer : data
  return { answer, is_away, again, keep: (newest: SettingsAnswer) => setSaved({ after: data, answer: newest }) }
}
