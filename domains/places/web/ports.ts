import type { ComponentType } from 'react'

/** How many devices stand in a place, and how many of them are here. */
export type DeviceCount = { total: number; online: number }
/** What the page of places shows of devices; `at`: an instant of the past, undefined now. */
type DevicesDoor = {
  /** asks and tells, shows nothing */
  PlaceCounts: ComponentType<{ at: string | undefined; told: (counts: ReadonlyMap<string, DeviceCount>) => void }>
  PlaceDevices: ComponentType<{ place_id: string; path: string; is_leaf: boolean; at: string | undefined }>
  /** the picture of a place with pins; a pin of a place leads to it */
  PlacePlan: ComponentType<{ place_id: string; choose: (place_id: string) => void }>
  /** devices that stand nowhere, or cameras that watch nothing, each bound by one click */
  PlaceAddable: ComponentType<{ purpose: 'device' | 'camera' }>
}
/** What the screens of places ask of domains above them; filled at start. */
type PlacesPorts = { devices: () => Promise<DevicesDoor> }

let ports: PlacesPorts = { devices: () => Promise.reject(new Error('the screens of places are not connected')) }

/** Connects the screens of places to the product; called once before anything renders. */
export function connectPlaces(given: PlacesPorts): void {
  ports = given
}

/** The connected ports. */
export function placesPorts(): PlacesPorts {
  return ports
}
