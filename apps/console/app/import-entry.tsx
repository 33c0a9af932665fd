import { ImportWizard, useImportDoor } from '@campus/jobs/web'
import type { ImportEntryProps } from '@kit/web'
import { ImportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'

/** The import of one template behind the kit's port: its button, and the wizard that stands in the address bar. */
export function ImportEntry({ template, title, label, unit, onApplied }: ImportEntryProps): ReactNode {
  const door = useImportDoor()
  return (
    <>
      <Button icon={<ImportOutlined aria-hidden />} onClick={() => door.open(template)}>{label}</Button>
      <ImportWizard template={template} title={title} unit={unit} open={door.template === template} onClose={door.close} onApplied={onApplied} />
    </>
  )
}
