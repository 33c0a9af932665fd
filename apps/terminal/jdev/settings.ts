import { flatConfig, jdev_factory } from '@kit/terminal-protocol'
import type { ConfigValue } from '@kit/terminal-protocol'
import type { TerminalStore } from './store.ts'

const secret = 'net.psk'
const address = 'mqtt.addr'
/** A device leaves its broker and comes again when one of these has changed. */
const of_line = /^(?:mqtt\.addr|net\.)/u

/** Settings in force by group, as delivered and with what the server has told since; the secret ones are never said. */
export function settingsOf(store: TerminalStore, home: string): Record<string, Record<string, ConfigValue>> {
  const groups: Record<string, Record<string, ConfigValue>> = {}
  for (const [key, value] of Object.entries({ ...jdev_factory, [address]: home, ...told(store) })) {
    const [group = '', name = ''] = key.split('.')
    if (key !== secret) groups[group] = { ...groups[group], [name]: value }
  }
  return groups
}

/** Where the broker is; `home` = where somebody entered that it is. */
export function addressOf(store: TerminalStore, home: string): string {
  return String(told(store)[address] ?? home)
}

/** What of the settings decides how the device is connected, as one text. */
export function lineOf(store: TerminalStore): string {
  return JSON.stringify(Object.entries(told(store)).filter(([key]) => of_line.test(key)).toSorted())
}

/** Forgets an address at which nobody greeted the device. */
export function forgetAddress(store: TerminalStore): void {
  store.lose('config', address)
}

function told(store: TerminalStore): Record<string, ConfigValue> {
  return Object.assign({}, ...[...store.held('config').values()].map(({ body }) => flatConfig({ [String(body?.group)]: body?.values })))
}
