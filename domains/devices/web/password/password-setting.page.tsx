import { passwordApi } from '@campus/devices/contract'
import type { PasswordLine } from '@campus/devices/contract'
import { Can, Filters, ListPage, Table, useCan, useResourceList } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { usePlaceChoices } from '../use-places.ts'
import { passwordFields } from './password.fields.tsx'
import '../devices.css'

const SetDialog = lazy(() => import('./set-dialog.tsx').then(part => ({ default: part.SetDialog })))
const RevealDialog = lazy(() => import('./reveal-dialog.tsx').then(part => ({ default: part.RevealDialog })))
const ROW_WIDTH = 72
type Opened = { view: 'set'; chosen: readonly PasswordLine[] } | { view: 'reveal'; line: PasswordLine } | null

/** 设备密码设置: which password each device's own console has, and whether the device has said so. */
export default function PasswordSetting(): ReactNode {
  const places = usePlaceChoices()
  const [opened, open] = useState<Opened>(null)
  const may_edit = useCan(passwordApi.set)
  const list = useResourceList(passwordApi.list, useMemo(() => passwordFields(places), [places]))
  const chosen = list.rows.filter(row => list.selected.includes(row.device_id))
  const row = (line: PasswordLine) => may_edit && line.version > 0 && <Button type="link" size="small" aria-label={`查看 ${line.device_name}`} onClick={() => open({ view: 'reveal', line })}>查看</Button>
  return (
    <ListPage
      of={list}
      filters={<Filters of={list} show={['keyword', 'device_type', 'place_id', 'stale']} />}
      batch={<Can code={passwordApi.set}><Button type="primary" onClick={() => open({ view: 'set', chosen })}>批量设置（{chosen.length}台）</Button></Can>}
    >
      <Table of={list} show={['device_name', 'device_type', 'model_code', 'node_path_name', 'version', 'state', 'set_at']} row={row} row_width={ROW_WIDTH} selectable={may_edit} empty="没有可以设置密码的设备" />
      <Suspense>
        {opened?.view === 'set' && <SetDialog chosen={opened.chosen} onClose={() => open(null)} onDone={() => void list.refresh()} />}
        {opened?.view === 'reveal' && <RevealDialog line={opened.line} onClose={() => open(null)} />}
      </Suspense>
    </ListPage>
  )
}
