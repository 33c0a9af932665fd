import type { DeleteDetailRow } from '@campus/people/contract'
import { Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { storeText, storeTone } from './delete-words.ts'

/** One dot a store, and how many of them are done. */
export function StoreDots({ stores }: { stores: DeleteDetailRow['stores'] }): ReactNode {
  if (stores.length === 0) return <span className="kit-none">—</span>
  const done = stores.filter(store => store.state === 'acked').length
  return (
    <Tooltip title={stores.map(store => <div key={store.store}>{storeText(store)}</div>)}>
      <button type="button" className="delete-dots">
        {stores.map(store => <i key={store.store} data-tone={storeTone(store)} />)}
        <small>{done}/{stores.length}</small>
        <span className="kit-hidden">{stores.map(storeText).join('，')}</span>
      </button>
    </Tooltip>
  )
}
