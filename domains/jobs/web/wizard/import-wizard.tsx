import { usePage } from '@kit/web'
import { Drawer, Steps } from 'antd'
import { useEffect, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { stepOf, steps } from './batch-stage.ts'
import { withBatch } from './import-door.ts'
import { useBatch } from './use-batch.ts'
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
  const { active, search, setSearch } = usePage()
  const batch_no = open ? search.batch_no : undefined
  const batch = useBatch(batch_no)
  useApplied(batch.data?.state, onApplied)
  if (!active) return null
  const current = stepOf(batch_no === undefined ? undefined : batch.data)
  const failed = batch.data?.state === 'refused' || batch.data?.state === 'failed'
  const heading = (
    <div className="import-head">
      <span>{title}</span>
      <Steps size="small" current={current} status={failed ? 'error' : undefined} items={steps.map((step) => ({ title: step }))} />
    </div>
  )
  return (
    <Drawer title={heading} open={open} onClose={onClose} size="100%" destroyOnHidden rootClassName="import-drawer" mask={{ closable: false }} onKeyDown={keepKeys}>
      <div className="import-body">
        <WizardBody template={template} unit={unit} batch_no={batch_no} batch={batch} onBatch={(next) => setSearch(withBatch(search, next))} onClose={onClose} />
      </div>
    </Drawer>
  )
}

// The list below must not take the keys of the wizard; only Esc, which closes it, may pass.
function keepKeys(event: KeyboardEvent): void {
  if (event.key !== 'Escape') event.stopPropagation()
}

function useApplied(state: string | undefined, onApplied: () => void): void {
  const before = useRef(state)
  useEffect(() => {
    const was = before.current
    before.current = state
    if ((was === 'applying' || was === 'undoing') && (state === 'applied' || state === 'undone')) onApplied()
  })
}
