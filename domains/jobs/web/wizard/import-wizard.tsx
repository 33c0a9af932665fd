import { AppDrawer, usePage } from '@kit/web'
import { Steps } from 'antd'
import { useEffect, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { stepOf, steps } from './batch-stage.ts'
import { withBatch } from './import-door.ts'
import { useBatch } from './use-batch.ts'
import { useUnsaved } from './use-unsaved.ts'
import { WizardBody } from './wizard-body.tsx'

export type ImportWizardProps = {
  /** code of the import template */
  template: string
  title: string
  /** how the rows are counted: 新增 3 人 */
  unit?: string
  open: boolean
  onClose: () => void
  /** the batch has been written, or taken back */
  onApplied: () => void
}

/**
 * The import of one template, from the empty sheet to the result. The batch stands in the address bar, hence a reload
 * comes back to it. Gone while its page is hidden, as every dialog of a page.
 */
export function ImportWizard({ template, title, unit = '人', open, onClose, onApplied }: ImportWizardProps): ReactNode {
  const { search, setSearch } = usePage()
  const batch_no = open ? search.batch_no : undefined
  const batch = useBatch(batch_no)
  useApplied(batch.data?.state, onApplied)
  const unsaved = useUnsaved(batch.data?.state === 'parsed' ? batch_no : undefined)
  const leave = async (go: () => void) => {
    if (await unsaved.mayLeave()) go()
  }
  // A batch that is still being asked for stands on no step yet.
  const current = batch_no !== undefined && !batch.data ? -1 : stepOf(batch.data)
  const failed = batch.data?.state === 'refused' || batch.data?.state === 'failed'
  const heading = (
    <div className="import-head">
      <span>{title}</span>
      <Steps size="small" current={current} status={failed ? 'error' : undefined} items={steps.map((step) => ({ title: step }))} />
      {batch.data && <small className="import-name" title={batch.data.file_name}>{batch.data.file_name}</small>}
    </div>
  )
  return (
    <AppDrawer title={heading} open={open} onClose={() => void leave(onClose)} size="100%" destroyOnHidden rootClassName="import-drawer" mask={{ closable: false }} onKeyDown={keepKeys}>
      <WizardBody
        template={template}
        unit={unit}
        batch_no={batch_no}
        batch={batch}
        unsaved={unsaved}
        onBatch={(next) => void leave(() => setSearch(withBatch(search, next)))}
        onClose={onClose}
      />
    </AppDrawer>
  )
}

// The list below must not take the keys of the wizard; only Esc, which closes it, and Ctrl+Enter, which confirms a dialog, may pass.
function keepKeys(event: KeyboardEvent): void {
  if (event.key !== 'Escape' && !event.ctrlKey) event.stopPropagation()
}

function useApplied(state: string | undefined, onApplied: () => void): void {
  const before = useRef(state)
  useEffect(() => {
    const was = before.current
    before.current = state
    if ((was === 'applying' || was === 'undoing') && (state === 'applied' || state === 'undone')) onApplied()
  })
}
