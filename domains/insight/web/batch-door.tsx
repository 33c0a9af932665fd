import { statisticsApi } from '@campus/insight/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { ImportWizard, useImportDoor } from '@campus/jobs/web'
import { usePage } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'

/** What waits, and the import it opens: over the page, with the batch in the address. */
export function BatchDoor({ children }: { children: (open: (batch: ImportBatch) => void) => ReactNode }): ReactNode {
  const { search, setSearch } = usePage()
  const door = useImportDoor()
  const [title, setTitle] = useState('导入')
  const client = useQueryClient()
  const written = () => {
    for (const key of [statisticsApi.overview.call, 'insight-todo']) void client.invalidateQueries({ queryKey: [key] })
  }
  const open = (batch: ImportBatch) => {
    setTitle(batch.title)
    setSearch({ ...search, import: batch.template, batch_no: batch.batch_no })
  }
  return (
    <>
      {children(open)}
      <ImportWizard template={door.template ?? ''} title={title} open={door.template !== undefined} onClose={door.close} onApplied={written} />
    </>
  )
}
