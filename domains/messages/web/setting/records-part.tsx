import { messageApi } from '@campus/messages/contract'
import type { DeliveryState, MessageRow } from '@campus/messages/contract'
import { delivery_states } from '@campus/messages/contract'
import { call, Can, downloadFile, Filters, ListPage, sentenceOf, Table, toast, useResourceList } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { recordFields } from './record.fields.tsx'

/** 发送记录: every message of the school and how far it came; what failed can be tried again. */
export function RecordsPart(): ReactNode {
  const list = useResourceList(messageApi.page, recordFields, { part: 'messages' })
  const [opened, setOpened] = useState<MessageRow | null>(null)
  const { source, channel, reason } = list.values
  const state = delivery_states.find((one: DeliveryState) => one === list.values.state)
  const retry = async ({ message_id }: MessageRow) => {
    try {
      const { retried } = await call(messageApi.retry, { id: message_id }, { quiet: true })
      toast.success(retried === 0 ? '没有失败的外发' : `${retried}条重新发送中`)
      await list.refresh()
    } catch (cause) {
      toast.warning(sentenceOf(cause))
    }
  }
  const actions = <ExportButton code={messageApi.export} title="导出发送记录" total={list.total} reason_above={0} run={why => downloadFile(messageApi.export, { source, channel, reason, state, why }, { quiet: true })} />
  return (
    <ListPage of={list} actions={actions} filters={<Filters of={list} show={['source', 'channel', 'delivery', 'reason']} />}>
      <Table
        of={list}
        show={['at', 'title', 'template_name', 'level', 'people', 'read', 'outside', 'waiting', 'failed']}
        more={['source']}
        row={rowActions(setOpened, row => void retry(row))}
        row_width={112}
        empty="还没有发送过消息；账号锁定、密码修改等提醒会显示在这里"
      />
      {opened && <DeliveryDrawer message={opened} onClose={() => setOpened(null)} />}
    </ListPage>
  )
}

function rowActions(open: (row: MessageRow) => void, retry: (row: MessageRow) => void): (row: MessageRow) => ReactNode {
  return row => (
    <>
      <Button type="link" size="small" aria-label={`明细 ${row.title}`} onClick={() => open(row)}>明细</Button>
      {row.failed > 0 && <Can code={messageApi.retry}><Button type="link" size="small" aria-label={`重发 ${row.title}`} onClick={() => retry(row)}>重发</Button></Can>}
    </>
  )
}
