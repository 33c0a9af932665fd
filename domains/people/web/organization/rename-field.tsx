import { Input } from 'antd'
import type { KeyboardEvent, ReactNode } from 'react'
import type { TreeEdit } from './use-tree-edit.ts'

// Typing begins at once: the field takes the place of the line that had the focus.
function focusIt(field: { focus: () => void } | null): void {
  field?.focus()
}

/** The name being typed in its line: Enter saves, Esc gives up, leaving it unchanged closes it. */
export function RenameField({ edit }: { edit: TreeEdit }): ReactNode {
  const { renaming } = edit
  if (!renaming) return null
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    // While an input method composes, Enter belongs to it.
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) void edit.save()
    if (event.key === 'Escape') edit.giveUp()
  }
  return (
    <span className="org-rename">
      <Input
        size="small"
        ref={focusIt}
        aria-label={`重命名 ${renaming.before}`}
        aria-invalid={renaming.refused !== null}
        status={renaming.refused === null ? undefined : 'error'}
        value={renaming.text}
        readOnly={renaming.busy}
        maxLength={40}
        onFocus={event => event.target.select()}
        onChange={event => edit.type(event.target.value)}
        onKeyDown={press}
        onBlur={() => renaming.text === renaming.before && edit.giveUp()}
      />
      {renaming.refused !== null && <span className="kit-bad" role="alert">{renaming.refused}</span>}
    </span>
  )
}
