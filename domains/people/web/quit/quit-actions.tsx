import { asOfApi, changeApi, deleteApi } from '@campus/people/contract'
import type { QuitRow } from '@campus/people/contract'
import { useCan } from '@kit/web'
import { Button, Dropdown } from 'antd'
import type { MenuProps } from 'antd'
import type { ReactNode } from 'react'
import { dayBefore } from './day-before.ts'

/** What is open over the list. */
export type Opened = { view: 'file'; row: QuitRow; on: string } | { view: 'paper'; row: QuitRow } | { view: 'return'; row: QuitRow } | { view: 'delete'; rows: readonly QuitRow[] } | null

const pupil = 1
const parent = 3
const takes_focus = { autoFocus: true }

/** 当时档案 and 更多 of one row; of whoever is deleted nothing is left to look at. */
export function QuitActions({ row, open }: { row: QuitRow; open: (opened: Opened) => void }): ReactNode {
  const may_look = useCan(asOfApi.asOf) && row.person_kind !== parent
  const may_delete = useCan(deleteApi.run)
  const may_return = useCan(changeApi.apply) && row.person_kind === pupil
  if (row.is_purged) return <span className="kit-none">—</span>
  const items = [
    ...(may_return ? [{ key: 'return', label: '办理返校', disabled: row.deletion !== null }] : []),
    { key: 'paper', label: '出具证明' },
    ...(may_delete ? [{ key: 'delete', label: '申请删除', danger: true, disabled: row.deletion !== null }] : []),
  ]
  const act: MenuProps['onClick'] = ({ key }) => open(key === 'delete' ? { view: 'delete', rows: [row] } : { view: key === 'paper' ? 'paper' : 'return', row })
  return (
    <>
      {may_look && <Button type="link" aria-label={`当时档案 ${row.user_name}`} onClick={() => open({ view: 'file', row, on: dayBefore(row.left_on) })}>当时档案</Button>}
      <Dropdown menu={{ items, onClick: act }} trigger={['click']} {...takes_focus}>
        <Button type="link" aria-label={`更多 ${row.user_name}`}>更多</Button>
      </Dropdown>
    </>
  )
}
