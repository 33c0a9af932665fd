import { receipt_effects, receipt_states, schoolManageApi } from '@campus/school/contract'
import type { SchoolClosing, SchoolListRow, SchoolReceipt } from '@campus/school/contract'
import { AppModal, instantText } from '@kit/web'
import { Button, Descriptions, Progress, Tag } from 'antd'
import type { ReactNode } from 'react'
import { useLoaded } from '../use-loaded.tsx'

const colours = { planned: 'orange', running: 'blue', done: 'green', failed: 'red' } as const
const whole = 100

/** 处理进度 of a suspended or closed school: what was stopped, until when its data stays, how far its files are removed. */
export function ClosingDialog({ school, onClose }: { school: SchoolListRow; onClose: () => void }): ReactNode {
  const { data, instead } = useLoaded(schoolManageApi.closing, { id: school.school_id })
  return (
    <AppModal open width={560} title={`处理进度：${school.school_name}`} footer={<Button type="primary" onClick={onClose}>关闭</Button>} onCancel={onClose}>
      {data ? <Progressing closing={data} /> : instead}
    </AppModal>
  )
}

function Progressing({ closing }: { closing: SchoolClosing }): ReactNode {
  const { receipts, keep_until, files_total, files_removed, finished_at } = closing
  const percent = files_total === 0 ? (finished_at === null ? 0 : whole) : Math.floor((files_removed / files_total) * whole)
  return (
    <>
      {receipts.length === 0 && <p>没有需要处理的内容</p>}
      <Descriptions column={1} size="small" bordered items={receipts.map(itemOf)} />
      {keep_until !== null && <Progress percent={percent} size="small" aria-label="文件删除进度" />}
    </>
  )
}

function itemOf({ effect, target, state, at }: SchoolReceipt) {
  return { key: effect, label: receipt_effects[effect], children: <><Tag color={colours[state]}>{receipt_states[state]}</Tag>{target} <small>{instantText(at)}</small></> }
}
