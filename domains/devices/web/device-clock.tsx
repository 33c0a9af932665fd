import type { DeviceClock } from '@campus/devices/contract'
import { serverNow } from '@kit/web'
import { Alert } from 'antd'
import type { ReactNode } from 'react'
import { clockWords } from './clock-words.ts'

/** A clock that is wrong: how far, since when, what was done about it and what is to be done. */
export function ClockNote({ clock }: { clock: DeviceClock | null }): ReactNode {
  if (clock === null) return null
  const { title, next_step } = clockWords(clock, serverNow())
  return <Alert className="device-alarm" type="warning" showIcon title={title} description={next_step} />
}
