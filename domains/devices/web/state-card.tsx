import { DEVICE_STATE, deviceApi } from '@campus/devices/contract'
import { useCall } from '@kit/web/part'
import { CardBody, CardFigures } from '@kit/web/dashboard'
import type { ReactNode } from 'react'

const tones: Readonly<Record<string, 'good' | 'bad'>> = { '0': 'bad', '1': 'good', '2': 'bad' }
/** What is broken stands first. */
const order = ['2', '0', '1', '4', '3', '5'] as const

/** How many devices are in which state. */
export function StateCard(): ReactNode {
  return (
    <CardBody query={useCall(deviceApi.status, {})}>
      {({ counts }) => {
        const sum = (state: string) => counts.filter(one => one.device_state === state).reduce((total, one) => total + one.count, 0)
        const figures = order.map(state => ({ state, value: sum(state) })).filter(({ state, value }) => value > 0 || state in tones)
        return (
          <CardFigures
            figures={figures.map(({ state, value }) => ({
              label: DEVICE_STATE.names[state], value, to: '/DeviceControl', search: { device_state: state }, ...(tones[state] === undefined ? {} : { tone: tones[state] }),
            }))}
          />
        )
      }}
    </CardBody>
  )
}
