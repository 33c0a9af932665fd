import { useEffect } from 'react'
import type { ReactNode } from 'react'
import type { Entry, EntryGroup } from './entry.ts'

type Props = { id: string; groups: readonly EntryGroup[]; chosen: Entry | undefined; onChoose: (entry: Entry) => void; onOpen: (entry: Entry) => void }

/** The lines under their headings; the focus stays in the field, the chosen line is named by it. */
export function EntryList({ id, groups, chosen, onChoose, onOpen }: Props): ReactNode {
  const chosen_id = chosen && optionId(chosen)
  useEffect(() => {
    if (chosen_id !== undefined) document.getElementById(chosen_id)?.scrollIntoView({ block: 'nearest' })
  }, [chosen_id])
  return (
    <div id={id} role="listbox" aria-label="查找结果" className="palette-list">
      {groups.map(({ title, entries }) => (
        <div key={title} role="group" aria-label={title}>
          <div className="palette-head" aria-hidden>{title}</div>
          {entries.map(entry => (
            <button
              key={entry.key} id={optionId(entry)} type="button" role="option" tabIndex={-1} aria-selected={entry === chosen} className="palette-entry"
              onMouseMove={() => entry === chosen || onChoose(entry)} onMouseDown={event => event.preventDefault()} onClick={() => onOpen(entry)}
            >
              <span className="palette-title">{entry.title}</span>
              <span className="palette-about">{entry.about}</span>
            </button>
          ))}
        </div>
      ))}
    </div>
  )
}

/** The id of a line in the page. */
export function optionId({ key }: Entry): string {
  return `palette-${key.replaceAll(/[/:]/g, '')}`
}
