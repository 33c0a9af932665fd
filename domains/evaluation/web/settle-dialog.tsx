import { AppModal, schoolToday } from '@kit/web'
import { DatePicker } from 'antd'
import { dayjs } from '@kit/web/day'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Props = { word: string; onClose: () => void; onSettle: (day: string) => Promise<unknown> }

/** Settles the period that holds a day, once it is over. */
export function SettleDialog({ word, onClose, onSettle }: Props): ReactNode {
  const [day, setDay] = useState(() => dayjs(schoolToday()).subtract(7, 'day'))
  const [busy, setBusy] = useState(false)
  const settle = async () => {
    setBusy(true)
    const done = await onSettle(day.format('YYYY-MM-DD'))
    setBusy(false)
    if (done !== undefined) onClose()
  }
  return (
    <AppModal open width={420} title={`结算${word}排行`} okText="结算" confirmLoading={busy} onOk={() => void settle()} onCancel={onClose}>
      <p>选择要结算的{word}中的任意一天。已结算的周期有变化时发布新的一版，原来的一版保留。</p>
      <DatePicker aria-label="日期" className="kit-fill" allowClear={false} value={day} onChange={value => value && setDay(value)} />
    </AppModal>
  )
}
