import { aiRecordApi } from '@campus/devices/contract'
import type { AiWarning } from '@campus/devices/contract'
import { useCan } from '@kit/web'
import { useState } from 'react'
import { decide, useWarnings, useWarningsChanged } from './use-warnings.ts'
import type { Asked, Decision } from './use-warnings.ts'

const becomes = { ignore: '1', illegal: '2', undo: '0' } as const

/** The warning that is looked at, those that are chosen together, what is written about each, and what is decided of them. */
export function useTriage(asked: Asked, page_index: number, wanted: string | undefined) {
  const page = useWarnings(asked, page_index)
  const changed = useWarningsChanged()
  const may_decide = useCan(aiRecordApi.ignore)
  const [place, setPlace] = useState({ id: wanted, at: 0 })
  const [marked, select] = useState<string[]>([])
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({})
  const [last, setLast] = useState<readonly AiWarning[]>([])
  const [busy, setBusy] = useState(false)
  const list = page.data?.list ?? []
  // What a filter has taken out of sight is not decided of.
  const selected = marked.filter(id => list.some(warning => warning.warning_id === id))
  const found = list.findIndex(warning => warning.warning_id === place.id)
  const at = found >= 0 ? found : Math.min(place.at, Math.max(0, list.length - 1))
  const current = list[at]
  const go = (index: number) => setPlace({ id: list[index]?.warning_id, at: index })
  const chosen = selected.length > 0 ? list.filter(warning => selected.includes(warning.warning_id)) : current ? [current] : []
  const run = async (what: Decision, warnings: readonly AiWarning[], next: { id: string | undefined; at: number }) => {
    if (busy || !may_decide || warnings.length === 0) return
    setBusy(true)
    if (await decide(what, warnings, what === 'undo' ? undefined : current && notes[current.warning_id]?.trim())) {
      setPlace(next)
      select([])
      setLast(what === 'undo' ? [] : warnings.map(warning => ({ ...warning, state: becomes[what] })))
    }
    await changed()
    setBusy(false)
  }
  // The next one moves up where decided ones leave the list.
  const after = selected.length === 0 ? { id: list[at + 1]?.warning_id, at } : place
  const act = (what: 'ignore' | 'illegal') => run(what, chosen.filter(warning => warning.state === '0'), after)
  // A decided warning leaves the list of open ones: what is taken back is what is looked at, or else the last decision.
  const undone = chosen.filter(warning => warning.can_undo)
  const undo = () => (undone.length > 0 ? run('undo', undone, after) : run('undo', last, { id: last[0]?.warning_id, at }))
  const walk = (by: 1 | -1) => go(Math.min(list.length - 1, Math.max(0, at + by)))
  return {
    page, current, selected, select, busy, act, undo, walk, may_undo_last: last.length > 0, choose: (warning: AiWarning) => go(list.indexOf(warning)),
    note: current ? (notes[current.warning_id] ?? '') : '', write: (note: string) => current && setNotes({ ...notes, [current.warning_id]: note }),
  }
}
