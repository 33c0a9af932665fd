import { factorySettings, secret_settings } from '@kit/terminal-protocol/console'
import type { Settings } from '@kit/terminal-protocol/console'
import type { TerminalStore } from './store.ts'

type Broker = { url: string; username: string; prefix: string }

const address = 'mqtt.addr'

/** Every setting as it holds now, the secret ones too: set at the device or from the server, else as delivered; of the broker the one it is at. */
export function settingsOf(store: TerminalStore, { url, username, prefix }: Broker): Settings {
  const held = Object.entries(factorySettings()).map(([group, values]) => [group, Object.fromEntries(Object.entries(values).map(([name, usual]) => [name, store.own(`${group}.${name}`) ?? usual]))] as const)
  const { mqtt = {}, ...others } = Object.fromEntries(held)
  return { ...others, mqtt: { ...mqtt, addr: url, username, prefix } }
}

/** Settings as a device tells them: the secret ones are never said. */
export function shownOf(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).map(([group, values]) => [group, Object.fromEntries(Object.entries(values).filter(([name]) => !secret_settings.includes(`${group}.${name}`)))]))
}

/** Settings as the server is told them (`sync.config`): values alone, rows of text are the device's own affair. */
export function toldOf(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(shownOf(settings)).map(([group, values]) => [group, Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value !== 'object'))]))
}

/** How a device is connected, as one text: when it has changed it leaves its broker and comes again. */
export function lineOf(store: TerminalStore, broker: Broker): string {
  const { mqtt, net } = settingsOf(store, broker)
  return JSON.stringify([mqtt?.['addr'], net])
}

/** Forgets an address at which nobody greeted the device, for the one before. */
export function goBackTo(store: TerminalStore, before: string): void {
  store.lose('config', address)
  store.set('mqtt', { addr: before })
}
