import type { ReactNode } from 'react'
import { Button } from '../shell/parts.tsx'
import { useWords } from '../words/words.ts'
import type { GroupForm } from './use-group.ts'

/** Saves a form; beside it stands that something is not saved. */
export function SaveButton({ form, children }: { form: GroupForm; children?: ReactNode }): ReactNode {
  const { t } = useWords()
  return (
    <div className="buttons">
      {form.is_changed && <span className="note">{t('say.unsaved')}</span>}
      {children}
      <Button kind="first" disabled={form.is_busy} onClick={() => void form.save()}>{t('do.save')}</Button>
    </div>
  )
}
