import { flatConfig, jdev_factory } from '@kit/terminal-protocol'
import type { ConfigValue } from '@kit/terminal-protocol'
import type { TerminalStore } from './store.ts'

/** Nobody is told these, whoever has set them. */
const secret = /\.(?:password|psk)$/u
const address = 'mqtt.addr'
/** A device leaves its broker and comes again when one of these has changed. */
const of_line = /^(?:mqtt\.addr|net\.)/u

/** Settings in force by group: as set at the device or from the server, as told and not taken up, as delivered; the secret ones are never said. `at` = the broker it is at. */
export function settingsOf(store: TerminalStore, at: string): Record<string, Record<string, ConfigValue>> {
  const groups: Record<string, Record<string, ConfigValue>> = {}
  for (const [key, usual] of Object.entries({ ...jdev_factory, ...told(store), [address]: at })) {
    const [group = '', name = ''] = key.split('.')
    const own = key === address ? undefined : store.own(key)
    if (!secret.test(key)) groups[group] = { ...groups[group], [name]: typeof own === 'object' ? usual : (own ?? usual) }
  }
  return groups
}

/** What the server has told of how the device is connected, as one text. */
export function lineOf(store: TerminalStore): string {
  return JSON.stringify(Object.entries(told(store)).filter(([key]) => of_line.test(key)).toSorted())
}

/** Forgets an address at which nobody greeted the device, for the one before. */
export function goBackTo(store: TerminalStore, before: string): void {
  store.lose('config', address)
  store.set('mqtt', { addr: before })
}

function told(store: TerminalStore): Record<string, ConfigValue> {
  return Object.assign({}, ...[...store.held('config').values()].map(({ body }) => flatConfig({ [String(body?.group)]: body?.values })))
}
