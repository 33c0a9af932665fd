import { alarmChannel, commandApi, deviceApi, deviceChannel, deviceStatesChannel, overviewApi, placeDeviceApi, syncApi } from '@campus/devices/contract'
import { call, useChannel } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'

const [told_together_ms, attention_ms] = [1000, 30_000]

/** The hardware the product knows. */
export function useModels() {
  return useQuery({ queryKey: [deviceApi.models.call], queryFn: async ({ signal }) => (await call(deviceApi.models, {}, { signal, quiet: true })).list, staleTime: Number.POSITIVE_INFINITY })
}

/** How many devices of each kind are in which state. */
export function useCounts() {
  return useQuery({ queryKey: [deviceApi.status.call], queryFn: async ({ signal }) => (await call(deviceApi.status, {}, { signal, quiet: true })).counts, placeholderData: before => before })
}

/** What of all devices wants somebody's eye; looked at by itself now and then, since it reads what waits. */
export function useAttention() {
  return useQuery({ queryKey: [overviewApi.attention.call], queryFn: ({ signal }) => call(overviewApi.attention, {}, { signal, quiet: true }), refetchInterval: attention_ms, placeholderData: before => before }).data
}

/** Reads everything about devices again. */
export function useDevicesChanged(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([deviceApi.list, placeDeviceApi.list, placeDeviceApi.counts, deviceApi.status, deviceApi.detail, overviewApi.read, deviceApi.unclaimed, syncApi.state_rows, syncApi.drift, syncApi.holds].map(({ call: name }) => client.invalidateQueries({ queryKey: [name] })))
  }
}

/** Reads devices again when some of them turn; many turns of one second are one reading. */
export function useDeviceStates(): void {
  const changed = useDevicesChanged()
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const soon = () => {
    if (waiting.current !== undefined) return
    waiting.current = setTimeout(() => {
      waiting.current = undefined
      void changed()
    }, told_together_ms)
  }
  useChannel(deviceStatesChannel, soon, { onGap: soon })
  useChannel(alarmChannel, soon, { onGap: soon })
}

/** Reads one device again when something turns at it. */
export function useDeviceTurns(device_id: string): void {
  const client = useQueryClient()
  const again = () => void Promise.all([deviceApi.detail, overviewApi.read, commandApi.list].map(({ call: name }) => client.invalidateQueries({ queryKey: [name, device_id] })))
  useChannel(deviceChannel, again, { of: device_id, onGap: again })
}
