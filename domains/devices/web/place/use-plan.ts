import { floorPlanApi, placeDeviceApi } from '@campus/devices/contract'
import type { FloorPlan } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { call, sentenceOf, toast } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { pinKey } from './plan.ts'
import type { Point } from './plan.ts'

/** A pin that was not moved for so long has come to rest. */
const rest_ms = 300

export type Pinnable = { kind: 'device' | 'place'; id: string; name: string; /** of a device */ state: string | null; type: string | null }

/** The plan of a place and what can lie on it, read again when a device turns. */
export function usePlan(place_id: string) {
  const client = useQueryClient()
  const plan = useQuery({ queryKey: [floorPlanApi.read.call, place_id], queryFn: ({ signal }) => call(floorPlanApi.read, { id: place_id }, { signal, quiet: true }) })
  const devices = useQuery({ queryKey: [placeDeviceApi.list.call, place_id, true, ''], queryFn: async ({ signal }) => (await call(placeDeviceApi.list, { id: place_id, subtree: '1' }, { signal, quiet: true })).list })
  const below = useQuery({ queryKey: [placeApi.tree.call, 'plan', place_id], queryFn: async ({ signal }) => (await call(placeApi.tree, { lazy: '1', superior_id: place_id }, { signal, quiet: true })).list })
  const things: Pinnable[] = [
    ...(devices.data ?? []).filter(device => device.lifecycle !== 'retired').map(device => ({ kind: 'device' as const, id: device.device_id, name: device.device_name, state: device.device_state, type: device.device_type })),
    ...(below.data ?? []).map(place => ({ kind: 'place' as const, id: place.place_id, name: place.place_name, state: null, type: null })),
  ]
  const changed = () => client.invalidateQueries({ queryKey: [floorPlanApi.read.call, place_id] })
  return { plan, things, changed, ...usePins(place_id, changed) }
}

/** Pins are shown where they were put at once, and told when they have come to rest; what was refused goes back and says why. */
function usePins(place_id: string, changed: () => Promise<unknown>) {
  const client = useQueryClient()
  const waiting = useRef(new Map<string, () => Promise<unknown>>())
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = async () => {
    const works = [...waiting.current.values()]
    waiting.current.clear()
    for (const work of works) await work().catch((cause: unknown) => toast.error(sentenceOf(cause)))
    if (waiting.current.size === 0) await changed()
  }
  const latest = useRef(tell)
  useEffect(() => {
    latest.current = tell
  })
  useEffect(() => () => {
    clearTimeout(resting.current)
    void latest.current()
  }, [])
  const named = ({ kind, id }: Pick<Pinnable, 'kind' | 'id'>) => (kind === 'device' ? { device_id: id } : { place_id: id })
  const others = ({ kind, id }: Pick<Pinnable, 'kind' | 'id'>) => (pin: { kind: string; id: string }) => pin.kind !== kind || pin.id !== id
  const show = (thing: Pick<Pinnable, 'kind' | 'id'>, change: (pins: FloorPlan['pins']) => FloorPlan['pins'], work: () => Promise<unknown>) => {
    const queryKey = [floorPlanApi.read.call, place_id]
    // An answer that is on its way knows nothing of this.
    void client.cancelQueries({ queryKey })
    client.setQueryData<{ plan: FloorPlan | null }>(queryKey, before => (before?.plan ? { plan: { ...before.plan, pins: change(before.plan.pins) } } : before))
    waiting.current.set(pinKey(thing), work)
    clearTimeout(resting.current)
    resting.current = setTimeout(() => void tell(), rest_ms)
  }
  const pin = (thing: Pick<Pinnable, 'kind' | 'id'>, point: Point) => show(thing, pins => [...pins.filter(others(thing)), { kind: thing.kind, id: thing.id, ...point }], () => call(floorPlanApi.pin, { id: place_id, ...named(thing), ...point }, { quiet: true }))
  const unpin = (thing: Pick<Pinnable, 'kind' | 'id'>) => show(thing, pins => pins.filter(others(thing)), () => call(floorPlanApi.unpin, { id: place_id, ...named(thing) }, { quiet: true }))
  return { pin, unpin }
}
